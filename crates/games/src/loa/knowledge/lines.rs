//! Mobility (paper `mia`, 4.5) from whole lines, kept up to date move by move.
//!
//! A capture counts twice, a move to an edge half, a move along an edge half; a regular move is
//! [`REGULAR`]. What the men on a line can do follows from the line alone, so the mobility of both
//! sides on every arrangement of men is a table, and a move changes only the lines through its two
//! squares. The captures on every arrangement are another such table.

use spinney_game::{Game, Side, bits};

use crate::board::Square;
use crate::loa::geometry::{
    AXES, Geometry, LINE_MOVES, MOST_LINES, OFFSETS, POWERS, TABLE_SIZE, TERNARY, table_start,
};
use crate::loa::{Loa, MOST_MOVES, Move};

/// The mobility of a regular move; others are halves, quarters and doubles of it.
pub const REGULAR: u32 = 4;

/// What the moves of the first side are worth more than those of the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mobility(i32);

impl Mobility {
    /// The mobility after a line with the index `before` has the index `after`.
    #[inline(always)]
    pub(super) fn changed(self, before: u16, after: u16) -> Self {
        Mobility(self.0 + line_mobility_at(after) - line_mobility_at(before))
    }

    /// What the moves of a side are worth more than those of the other, in units of [`REGULAR`].
    #[inline(always)]
    pub fn of(self, side: Side) -> i32 {
        self.0 * (1 - 2 * side.index() as i32)
    }
}

/// Where the tables of lines along an edge begin.
const EDGE_TABLES: usize = TABLE_SIZE;
const BOTH_TABLES: usize = 2 * TABLE_SIZE;

/// Tables are as long as the next power of two, so that masked indices need no check.
const ROOM: usize = BOTH_TABLES.next_power_of_two();
/// As many as there are numbers of 16 bits.
const INDICES: usize = 1 << 16;

/// What can be done on every line: lines through the board by length, then lines along an edge.
const TABLES: Tables = {
    let mut tables = Tables { mobility: [0; INDICES], captures: [0; ROOM] };
    let mut length = 1;
    while length <= 8 {
        let mut value = 0;
        while value < POWERS[length] {
            let start = table_start(length) as usize;
            tables.fill(start + value as usize, value, length, false);
            tables.fill(EDGE_TABLES + start + value as usize, value, length, true);
            value += 1;
        }
        length += 1;
    }
    tables
};
/// The mobility of the first side less that of the second.
static MOBILITY: [i8; INDICES] = TABLES.mobility;
/// Eight bits for the men that can capture up the line, eight for those that can down the line: of
/// the first side in the low half, of the second in the high.
static CAPTURES: [u32; ROOM] = TABLES.captures;

struct Tables {
    mobility: [i8; INDICES],
    captures: [u32; ROOM],
}

impl Tables {
    const fn fill(&mut self, index: usize, value: u16, length: usize, along_edge: bool) {
        let (mobility, captures) = line(value, length, along_edge);
        self.mobility[index] = mobility;
        self.captures[index] = captures;
    }
}

/// The surplus of mobility and the captures of both sides on a line.
const fn line(value: u16, length: usize, along_edge: bool) -> (i8, u32) {
    let mut men = [0u16; 8];
    let mut distance = 0;
    let mut position = 0;
    while position < length {
        men[position] = value / POWERS[position] % 3;
        distance += (men[position] != 0) as i32;
        position += 1;
    }
    let (mut mobility, mut captures) = (0, 0);
    let mut from = 0;
    while from < length as i32 {
        let own = men[from as usize];
        let mut direction = -1;
        while direction <= 1 {
            let to = from + direction * distance;
            if own != 0 && 0 <= to && to < length as i32 && men[to as usize] != own {
                // Not over an enemy man.
                let mut free = true;
                let mut between = from + direction;
                while between != to {
                    free &= men[between as usize] == 0 || men[between as usize] == own;
                    between += direction;
                }
                if free {
                    let mut worth = REGULAR;
                    let shift = if own == 1 { 0 } else { 16 };
                    if men[to as usize] != 0 {
                        worth *= 2;
                        captures |= 1 << (from + shift + if direction == 1 { 0 } else { 8 });
                    }
                    if along_edge {
                        worth /= 2;
                    }
                    // The ends of every line lie on an edge; those of an edge are corners.
                    if to == 0 || to == length as i32 - 1 {
                        worth /= 2;
                    }
                    mobility += if own == 1 { worth as i8 } else { -(worth as i8) };
                }
            }
            direction += 2;
        }
        from += 1;
    }
    (mobility, captures)
}

/// The mobility on a line.
#[inline(always)]
fn line_mobility_at(index: u16) -> i32 {
    MOBILITY[usize::from(index)].into()
}

/// The men on a line that can move: of the first side up and down the line, then of the second, and
/// last the length of the moves. A bit for each position on the line.
static MOVERS: [[u8; 5]; ROOM] = {
    let mut table = [[0; 5]; ROOM];
    let mut length = 1;
    while length <= 8 {
        let mut value = 0;
        while value < POWERS[length] {
            let first = LINE_MOVES[(table_start(length) + value) as usize];
            let second = LINE_MOVES[(table_start(length) + exchanged(value)) as usize];
            let movers = [first.up, first.down, second.up, second.down, first.distance];
            table[(table_start(length) + value) as usize] = movers;
            table[EDGE_TABLES + (table_start(length) + value) as usize] = movers;
            value += 1;
        }
        length += 1;
    }
    table
};

/// The number of a line with the men of both sides exchanged.
pub(super) const fn exchanged(value: u16) -> u16 {
    let mut result = 0;
    let mut position = 0;
    while position < 8 {
        result += (3 - value / POWERS[position] % 3) % 3 * POWERS[position];
        position += 1;
    }
    result
}

/// A square on its four lines.
#[derive(Clone, Copy)]
struct Place {
    /// The numbers of the lines.
    lines: [u8; AXES],
    /// The position on each line, from its lowest square.
    positions: [u8; AXES],
}

/// The lines of a board.
struct Layout {
    places: [Place; 64],
    /// The first entry of each line's table.
    starts: [u16; MOST_LINES],
    /// From a square of each line to the next.
    offsets: [u8; MOST_LINES],
    /// The lines through each square, a bit each.
    through: [u64; 64],
    /// What is added to the numbers of a square's lines, wrapping, when a man of each side leaves it,
    /// comes to it, and captures on it: there a man of the first side takes 1 from the digit, and one
    /// of the second adds 1.
    changes: [[[u16; AXES]; 64]; 6],
}

impl Layout {
    const fn new(length: usize) -> Layout {
        let geometry = Geometry::new(length);
        let line_starts = Geometry::line_starts(length);
        let mut layout = Layout {
            places: [Place { lines: [0; AXES], positions: [0; AXES] }; 64],
            starts: [0; MOST_LINES],
            offsets: [0; MOST_LINES],
            through: [0; 64],
            changes: [[[0; AXES]; 64]; 6],
        };
        // 1. The lines. The first and the last rank and file run along an edge.
        let mut axis = 0;
        while axis < AXES {
            let mut number = line_starts[axis];
            while number < line_starts[axis + 1] {
                let is_outer = number == line_starts[axis] || number == line_starts[axis + 1] - 1;
                let edge = if axis < 2 && is_outer { EDGE_TABLES as u16 } else { 0 };
                layout.starts[number] = geometry.lines[number].table_start + edge;
                layout.offsets[number] = OFFSETS[axis] as u8;
                number += 1;
            }
            axis += 1;
        }
        // 2. The squares, but for those outside the board.
        let digits = [-1, -2, 1, 2, -1, 1];
        let mut square = 0;
        while square < 64 {
            let mut axis = 0;
            while axis < AXES {
                let weight = geometry.weight[axis][square];
                if weight > 0 {
                    let line = geometry.line_of[axis][square];
                    layout.places[square].lines[axis] = line;
                    layout.places[square].positions[axis] = weight.ilog(3) as u8;
                    layout.through[square] |= 1 << line;
                }
                let mut kind = 0;
                while kind < 6 {
                    let change = weight as i32 * digits[kind];
                    layout.changes[kind][square][axis] = change as u16;
                    kind += 1;
                }
                axis += 1;
            }
            square += 1;
        }
        layout
    }
}

/// More moves than a side can have on one line.
const MOST_ON_A_LINE: usize = {
    let mut most = 0;
    let mut index = 0;
    while index < ROOM {
        let mut side = 0;
        while side < 2 {
            let movers = MOVERS[index];
            let count = movers[2 * side].count_ones() + movers[2 * side + 1].count_ones();
            if count as usize >= most {
                most = count as usize + 1;
            }
            side += 1;
        }
        index += 1;
    }
    most
};

/// The arrangement of men on every line of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lines<const N: usize = 8> {
    /// Indices into the table of mobility: men of the first side are the digit 1, of the second 2.
    indices: [u16; MOST_LINES],
}

impl<const N: usize> Lines<N> {
    // A table each: the compiler sees the range of what it reads from one, and leaves checks out.
    const PLACES: &'static [Place; 64] = &const { Layout::new(N).places };
    const STARTS: &'static [u16; MOST_LINES] = &const { Layout::new(N).starts };
    const LINE_OFFSETS: &'static [u8; MOST_LINES] = &const { Layout::new(N).offsets };
    const THROUGH: &'static [u64; 64] = &const { Layout::new(N).through };
    const CHANGES: &'static [[[u16; AXES]; 64]; 6] = &const { Layout::new(N).changes };
    const COUNT: usize = Geometry::line_starts(N)[AXES];

    /// The lines through a square, a bit each.
    #[inline(always)]
    pub fn through(square: Square) -> u64 {
        Self::THROUGH[square.index()]
    }

    /// The number of the line of a move that is no pass.
    #[inline(always)]
    pub fn of_move(m: Move) -> u32 {
        (Self::through(m.from) & Self::through(m.to)).trailing_zeros()
    }

    /// The first index of each line, and the number of lines.
    pub(super) const fn starts() -> (&'static [u16; MOST_LINES], usize) {
        (Self::STARTS, Self::COUNT)
    }

    /// The lines of a position, from scratch.
    pub fn new(position: &Loa<N>) -> Self {
        let mut indices = [0; MOST_LINES];
        for number in 0..Self::COUNT {
            let ternary =
                |side| TERNARY[usize::from(Loa::<N>::line_set(number, position.men(side)))];
            indices[number] =
                Self::STARTS[number] + ternary(Side::First) + 2 * ternary(Side::Second);
        }
        Lines { indices }
    }

    /// Plays a legal move; `position` is that before it.
    #[inline(always)]
    pub fn play(&mut self, position: &Loa<N>, m: Move) {
        self.play_noting(position, m, |_, _, _| ());
    }

    /// The same; `note` gets the number of each line that changes, and its index before and after.
    #[inline(always)]
    pub(super) fn play_noting(
        &mut self,
        position: &Loa<N>,
        m: Move,
        mut note: impl FnMut(u8, u16, u16),
    ) {
        if m.is_pass() {
            return;
        }
        let changes = Self::changes(position.to_move(), m, position.is_capture(m));
        for (square, changes) in [m.from, m.to].into_iter().zip(changes) {
            for (line, change) in Self::PLACES[square.index()].lines.into_iter().zip(changes) {
                let index = &mut self.indices[usize::from(line)];
                let before = *index;
                *index = before.wrapping_add(*change);
                note(line, before, *index);
            }
        }
    }

    /// Appends the legal moves, passes aside, of the position these are the lines of.
    #[inline(always)]
    pub fn moves(&self, position: &Loa<N>, moves: &mut Vec<Move>) {
        const MOST_MEN: usize = MOST_MOVES / 8;
        const LIST_ROOM: usize = MOST_MOVES.next_power_of_two();
        let side = position.to_move();
        let men = position.men(side);
        if men.count_ones() as usize > MOST_MEN {
            return position.line_moves(moves);
        }
        // Which men can move where cannot be predicted: every move is written down, and the next one
        // over it if it was none.
        let start = moves.len();
        let list = room::<LIST_ROOM>(moves, start);
        let mut count = 0;
        let ups = 2 * side.index();
        let mut rest = men;
        while rest != 0 {
            let from = Square(rest.trailing_zeros() as u8);
            rest &= rest - 1;
            let place = &Self::PLACES[from.index()];
            for (axis, &offset) in OFFSETS[..AXES].iter().enumerate() {
                let index = self.indices[usize::from(place.lines[axis])];
                let movers = &MOVERS[usize::from(index) % ROOM];
                let way = (offset as u8).wrapping_mul(movers[4]);
                let position = place.positions[axis];
                list[count % LIST_ROOM] = Move { from, to: Square(from.0.wrapping_add(way)) };
                count += usize::from(movers[ups] >> position & 1);
                list[count % LIST_ROOM] = Move { from, to: Square(from.0.wrapping_sub(way)) };
                count += usize::from(movers[ups + 1] >> position & 1);
            }
        }
        moves.truncate(start + count);
    }

    /// Appends the moves of the side to move on some lines, a bit each, of the position these are the
    /// lines of.
    #[inline(always)]
    pub fn moves_on(&self, position: &Loa<N>, lines: u64, moves: &mut Vec<Move>) {
        let ups = 2 * position.to_move().index();
        // Enough for the lines through two squares.
        const LIST_ROOM: usize = (2 * AXES * MOST_ON_A_LINE).next_power_of_two();
        let mut start = moves.len();
        let mut list = room::<LIST_ROOM>(moves, start);
        let mut count = 0;
        for number in bits::iterate(lines & ((1u64 << Self::COUNT) - 1)) {
            if count > LIST_ROOM - MOST_ON_A_LINE {
                start += count;
                count = 0;
                list = room(moves, start);
            }
            let movers = &MOVERS[usize::from(self.indices[number as usize]) % ROOM];
            let offset = Self::LINE_OFFSETS[number as usize];
            let way = offset.wrapping_mul(movers[4]);
            let first = Loa::<N>::GEOMETRY.lines[number as usize].first;
            let mut places = u32::from(movers[ups]) | u32::from(movers[ups + 1]) << 8;
            // How many moves a line has cannot be predicted: two are always written down, the next one
            // over them if they were none. Few lines have more.
            loop {
                for _ in 0..2 {
                    let place = places.trailing_zeros() as u8;
                    let from = first.wrapping_add(offset.wrapping_mul(place & 7));
                    let way = if place < 8 { way } else { way.wrapping_neg() };
                    list[count % LIST_ROOM] =
                        Move { from: Square(from), to: Square(from.wrapping_add(way)) };
                    count += usize::from(places != 0);
                    places &= places.wrapping_sub(1);
                }
                if places == 0 {
                    break;
                }
            }
        }
        moves.truncate(start + count);
    }

    /// What can be done on all lines.
    pub fn mobility(&self) -> Mobility {
        Mobility(self.indices[..Self::COUNT].iter().map(|&index| line_mobility_at(index)).sum())
    }

    /// Calls `note` as [`play_noting`](Self::play_noting) would, for a move that is no pass, without making
    /// it.
    #[inline(always)]
    pub(super) fn changes_after(
        &self,
        side: Side,
        m: Move,
        captures: bool,
        mut note: impl FnMut(u8, u16, u16),
    ) {
        let [leaves, comes] = Self::changes(side, m, captures);
        let [from, to] = [m.from, m.to].map(|square| &Self::PLACES[square.index()].lines);
        for axis in 0..AXES {
            let before = self.indices[usize::from(from[axis])];
            let left = before.wrapping_add(leaves[axis]);
            // One of the axes is that of the move: both squares are on one line, which the man has left
            // when it comes.
            let same = u16::from(from[axis] == to[axis]);
            let there =
                self.indices[usize::from(to[axis])].wrapping_add(leaves[axis].wrapping_mul(same));
            let after = there.wrapping_add(comes[axis]);
            note(from[axis], before, left);
            note(to[axis], there, after);
        }
    }

    /// Calls `found` for every capture of the side to move in the position of these lines.
    #[inline(always)]
    pub fn captures(&self, position: &Loa<N>, mut found: impl FnMut(Move)) {
        let shift = 16 * position.to_move().index();
        let men = position.men(Side::First) | position.men(Side::Second);
        let starts = Geometry::line_starts(N);
        for (axis, &offset) in OFFSETS[..AXES].iter().enumerate() {
            for number in starts[axis]..starts[axis + 1] {
                let captures = CAPTURES[usize::from(self.indices[number]) % ROOM] >> shift & 0xffff;
                if captures == 0 {
                    continue;
                }
                let line = Loa::<N>::GEOMETRY.lines[number];
                let length = offset * (men & line.squares).count_ones() as i32;
                for place in bits::iterate(captures.into()) {
                    let from = i32::from(line.first) + offset * (place as i32 & 7);
                    let to = if place < 8 { from + length } else { from - length };
                    found(Move { from: Square(from as u8), to: Square(to as u8) });
                }
            }
        }
    }

    /// What a move adds to the numbers of the lines through the square it leaves, and through the square
    /// it comes to.
    #[inline(always)]
    fn changes(side: Side, m: Move, captures: bool) -> [&'static [u16; AXES]; 2] {
        let comes = 2 + 2 * usize::from(captures) + side.index();
        let changes = Self::CHANGES;
        [&changes[side.index()][m.from.index()], &changes[comes][m.to.index()]]
    }
}

/// Room for moves behind the first `start`.
#[inline(always)]
fn room<const N: usize>(moves: &mut Vec<Move>, start: usize) -> &mut [Move; N] {
    moves.resize(start + N, Move::PASS);
    moves[start..].first_chunk_mut().expect("it was just made")
}

#[cfg(test)]
mod tests {
    use super::*;
    use spinney_game::{Move as _, Notation, Rng};

    /// Mobility by the definition, move by move.
    fn naive<const N: usize>(position: &Loa<N>) -> i32 {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let edge = |coordinate: u8| coordinate == 0 || usize::from(coordinate) == N - 1;
        moves
            .into_iter()
            .filter(|m| !m.is_pass())
            .map(|m| {
                let mut worth = REGULAR;
                if position.is_capture(m) {
                    worth *= 2;
                }
                let along_edge = (m.from.rank() == m.to.rank() && edge(m.to.rank()))
                    || (m.from.file() == m.to.file() && edge(m.to.file()));
                let corner = edge(m.to.rank()) && edge(m.to.file());
                if along_edge {
                    worth /= 2;
                    if corner {
                        worth /= 2;
                    }
                } else if edge(m.to.rank()) || edge(m.to.file()) {
                    worth /= 2;
                }
                worth as i32
            })
            .sum()
    }

    #[test]
    fn mobility_follows_the_moves() {
        check_games::<8>();
        check_games::<6>();
    }

    fn check_games<const N: usize>() {
        for seed in 0..40 {
            let mut rng = Rng::new(seed);
            let mut position = Loa::<N>::default();
            let mut lines = Lines::new(&position);
            for _ in 0..80 {
                if position.outcome().is_some() {
                    break;
                }
                let text = position.position_text();
                assert_eq!(lines, Lines::new(&position), "{text}");
                let side = position.to_move();
                let surplus = naive(&position) - naive(&position.with_turn_passed());
                assert_eq!(lines.mobility().of(side), surplus, "{text}");
                let mut moves = Vec::new();
                lines.moves(&position, &mut moves);
                let mut expected = Vec::new();
                position.line_moves(&mut expected);
                for list in [&mut moves, &mut expected] {
                    list.sort_by_key(|&m| m.pack());
                }
                assert_eq!(moves, expected, "{text}");
                let some_lines = rng.next_u64();
                expected.retain(|&m| some_lines >> Lines::<N>::of_move(m) & 1 == 1);
                moves.clear();
                lines.moves_on(&position, some_lines, &mut moves);
                moves.sort_by_key(|&m| m.pack());
                assert_eq!(moves, expected, "{text}");
                let (mut captures, mut listed) = (Vec::new(), Vec::new());
                lines.captures(&position, |m| captures.push(m));
                position.legal_moves(&mut listed);
                listed.retain(|&m| position.is_capture(m));
                assert_eq!(captures.len(), listed.len(), "{text}");
                assert!(listed.iter().all(|m| captures.contains(m)), "{text}");
                let m = position.random_move(&mut rng);
                lines.play(&position, m);
                position.play(m);
            }
        }
    }
}
