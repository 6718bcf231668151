//! Mobility (paper `mia`, 4.5) from whole lines, kept up to date move by move.
//!
//! A capture counts twice, a move to an edge half, a move along an edge half; a regular move is
//! [`REGULAR`]. What the men on a line can do follows from the line alone, so the mobility of both
//! sides on every arrangement of men is a table, and a move changes only the lines through its two
//! squares. The captures on every arrangement are another such table.

use spinney_game::{Game, Side, bits};

use crate::board::Square;
use crate::loa::geometry::{
    AXES, Geometry, LINE_MOVES, OFFSETS, POWERS, TABLE_SIZE, TERNARY, table_start,
};
use crate::loa::{Loa, MOST_MOVES, Move};

/// The mobility of a regular move; others are halves, quarters and doubles of it.
pub const REGULAR: u32 = 4;

/// Something of both sides on a line: of the first side in the low half, of the second in the high.
type Packed = u32;

/// The mobility of both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mobility(Packed);

impl Mobility {
    /// What the moves of a side are worth more than those of the other, in units of [`REGULAR`].
    #[inline(always)]
    pub fn of(self, side: Side) -> i32 {
        let surplus = (self.0 & 0xffff) as i32 - (self.0 >> 16) as i32;
        match side {
            Side::First => surplus,
            Side::Second => -surplus,
        }
    }
}

/// Where the tables of lines along an edge begin: they have the longest length only.
const EDGE_TABLE: usize = TABLE_SIZE;
const BOTH_TABLES: usize = TABLE_SIZE + POWERS[8] as usize;

/// Tables are as long as the next power of two, so that masked indices need no check.
const ROOM: usize = BOTH_TABLES.next_power_of_two();

/// What can be done on every line: lines through the board by length, then lines along an edge.
const TABLES: Tables = {
    let mut tables = Tables { mobility: [0; ROOM], captures: [0; ROOM] };
    let mut length = 1;
    while length <= 8 {
        let mut value = 0;
        while value < POWERS[length] {
            let start = table_start(length) as usize;
            tables.fill(start + value as usize, value, length, false);
            if length == 8 {
                tables.fill(EDGE_TABLE + value as usize, value, length, true);
            }
            value += 1;
        }
        length += 1;
    }
    tables
};
static MOBILITY: [Packed; ROOM] = TABLES.mobility;
/// Eight bits for the men that can capture up the line, eight for those that can down the line.
static CAPTURES: [Packed; ROOM] = TABLES.captures;

struct Tables {
    mobility: [Packed; ROOM],
    captures: [Packed; ROOM],
}

impl Tables {
    const fn fill(&mut self, index: usize, value: u16, length: usize, along_edge: bool) {
        let (mobility, captures) = line(value, length, along_edge);
        self.mobility[index] = mobility;
        self.captures[index] = captures;
    }
}

/// The mobility and the captures of both sides on a line.
const fn line(value: u16, length: usize, along_edge: bool) -> (Packed, Packed) {
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
                    mobility += worth << shift;
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
fn line_mobility_at(index: u32) -> Packed {
    MOBILITY[index as usize % ROOM]
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
            if length == 8 {
                table[EDGE_TABLE + value as usize] = movers;
            }
            value += 1;
        }
        length += 1;
    }
    table
};

/// The number of a line with the men of both sides exchanged.
const fn exchanged(value: u16) -> u16 {
    let mut result = 0;
    let mut position = 0;
    while position < 8 {
        result += (3 - value / POWERS[position] % 3) % 3 * POWERS[position];
        position += 1;
    }
    result
}

const GEOMETRY: &Geometry = &const { Geometry::new(8) };
const LINES: usize = Geometry::line_starts(8)[AXES];

/// Room for the numbers of all lines.
const LINE_ROOM: usize = LINES.next_multiple_of(16);

/// A square on its four lines.
#[derive(Clone, Copy)]
struct Place {
    /// The numbers of the lines.
    lines: [u8; AXES],
    /// The position on each line, from its lowest square.
    positions: [u8; AXES],
    /// What the digit 1 at this square adds to the index of each line.
    weights: [u32; AXES],
}

static PLACES: [Place; 64] = {
    let mut places = [Place { lines: [0; AXES], positions: [0; AXES], weights: [0; AXES] }; 64];
    let mut square = 0;
    while square < 64 {
        let mut axis = 0;
        while axis < AXES {
            let weight = GEOMETRY.weight[axis][square];
            places[square].lines[axis] = GEOMETRY.line_of[axis][square];
            places[square].weights[axis] = weight as u32;
            places[square].positions[axis] = weight.ilog(3) as u8;
            axis += 1;
        }
        square += 1;
    }
    places
};

/// The first entry of each line's table.
static STARTS: [u16; LINE_ROOM] = {
    let mut starts = [0; LINE_ROOM];
    let mut number = 0;
    while number < LINES {
        // Ranks 1 and 8 and the files a and h run along an edge.
        let along_edge = number == 0 || number == 7 || number == 8 || number == 15;
        starts[number] =
            if along_edge { EDGE_TABLE as u16 } else { GEOMETRY.lines[number].table_start };
        number += 1;
    }
    starts
};

/// The arrangement of men on every line of a position, and the mobility that follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lines {
    /// Indices into the table of mobility: men of the first side are the digit 1, of the second 2.
    indices: [u16; LINE_ROOM],
    total: Packed,
}

impl Lines {
    /// The lines of a position, from scratch.
    pub fn new(position: &Loa) -> Lines {
        let mut indices = [0; LINE_ROOM];
        let mut total = 0;
        for number in 0..LINES {
            let ternary =
                |side| TERNARY[usize::from(Loa::<8>::line_set(number, position.men(side)))];
            indices[number] = STARTS[number] + ternary(Side::First) + 2 * ternary(Side::Second);
            total += line_mobility_at(u32::from(indices[number]));
        }
        Lines { indices, total }
    }

    /// Plays a legal move; `position` is that before it.
    #[inline(always)]
    pub fn play(&mut self, position: &Loa, m: Move) {
        if m.is_pass() {
            return;
        }
        let (leaves, comes) = digits(position, m);
        for (square, digit) in [(m.from, leaves), (m.to, comes)] {
            let place = &PLACES[square.index()];
            for axis in 0..AXES {
                let line = usize::from(place.lines[axis]);
                let before = u32::from(self.indices[line]);
                let after = before.wrapping_add(digit.wrapping_mul(place.weights[axis]));
                self.indices[line] = after as u16;
                self.total = self
                    .total
                    .wrapping_add(line_mobility_at(after))
                    .wrapping_sub(line_mobility_at(before));
            }
        }
    }

    /// Appends the legal moves, passes aside, of the position these are the lines of.
    #[inline(always)]
    pub fn moves(&self, position: &Loa, moves: &mut Vec<Move>) {
        const MOST_MEN: usize = MOST_MOVES / 8;
        const LIST_ROOM: usize = MOST_MOVES.next_power_of_two();
        let side = position.to_move();
        let men = position.men(side);
        if men.count_ones() as usize > MOST_MEN {
            return position.line_moves(moves);
        }
        // Which men can move where cannot be predicted: every move is written down, and the next one
        // over it if it was none.
        let mut list = [Move::PASS; LIST_ROOM];
        let mut count = 0;
        let ups = 2 * side.index();
        let mut rest = men;
        while rest != 0 {
            let from = Square(rest.trailing_zeros() as u8);
            rest &= rest - 1;
            let place = &PLACES[from.index()];
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
        moves.extend_from_slice(&list[..count % LIST_ROOM]);
    }

    /// What the moves of a side are worth more than those of the other, in units of [`REGULAR`].
    #[inline(always)]
    pub fn mobility_of(&self, side: Side) -> i32 {
        Mobility(self.total).of(side)
    }

    /// The mobility after a legal move that is no pass; `position` is that before it.
    #[inline(always)]
    pub fn mobility_after(&self, position: &Loa, m: Move) -> Mobility {
        let (leaves, comes) = digits(position, m);
        let (from, to) = (&PLACES[m.from.index()], &PLACES[m.to.index()]);
        let mut total = self.total;
        for axis in 0..AXES {
            let before = u32::from(self.indices[usize::from(from.lines[axis])]);
            let left = before.wrapping_add(leaves.wrapping_mul(from.weights[axis]));
            // One of the axes is that of the move: both squares are on one line.
            let there = u32::from(self.indices[usize::from(to.lines[axis])]);
            let there = if from.lines[axis] == to.lines[axis] { left } else { there };
            let after = there.wrapping_add(comes.wrapping_mul(to.weights[axis]));
            let gained = line_mobility_at(left).wrapping_add(line_mobility_at(after));
            let lost = line_mobility_at(before).wrapping_add(line_mobility_at(there));
            total = total.wrapping_add(gained).wrapping_sub(lost);
        }
        Mobility(total)
    }

    /// Calls `found` for every capture of the side to move in the position of these lines.
    #[inline(always)]
    pub fn captures(&self, position: &Loa, mut found: impl FnMut(Move)) {
        let shift = 16 * position.to_move().index();
        let men = position.men(Side::First) | position.men(Side::Second);
        let starts = Geometry::line_starts(8);
        for (axis, &offset) in OFFSETS[..AXES].iter().enumerate() {
            for number in starts[axis]..starts[axis + 1] {
                let captures = CAPTURES[usize::from(self.indices[number]) % ROOM] >> shift & 0xffff;
                if captures == 0 {
                    continue;
                }
                let line = GEOMETRY.lines[number];
                let length = offset * (men & line.squares).count_ones() as i32;
                for place in bits::iterate(captures.into()) {
                    let from = i32::from(line.first) + offset * (place as i32 & 7);
                    let to = if place < 8 { from + length } else { from - length };
                    found(Move { from: Square(from as u8), to: Square(to as u8) });
                }
            }
        }
    }

    /// The mobility of a side, in units of [`REGULAR`] for a regular move.
    #[inline]
    pub fn mobility(&self, side: Side) -> u32 {
        match side {
            Side::First => self.total & 0xffff,
            Side::Second => self.total >> 16,
        }
    }
}

/// What a move adds to the digits at the square it leaves and at the square it comes to; wrapping.
#[inline(always)]
fn digits(position: &Loa, m: Move) -> (u32, u32) {
    let (own, enemy): (u32, u32) = match position.to_move() {
        Side::First => (1, 2),
        Side::Second => (2, 1),
    };
    let captured = if position.is_capture(m) { enemy } else { 0 };
    (own.wrapping_neg(), own.wrapping_sub(captured))
}

#[cfg(test)]
mod tests {
    use super::*;
    use spinney_game::{Notation, Rng};

    /// Mobility by the definition, move by move.
    fn naive(position: &Loa) -> u32 {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let edge = |coordinate: u8| coordinate == 0 || coordinate == 7;
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
                worth
            })
            .sum()
    }

    #[test]
    fn mobility_follows_the_moves() {
        for seed in 0..40 {
            let mut rng = Rng::new(seed);
            let mut position = Loa::<8>::default();
            let mut lines = Lines::new(&position);
            for _ in 0..80 {
                if position.outcome().is_some() {
                    break;
                }
                let text = position.position_text();
                assert_eq!(lines, Lines::new(&position), "{text}");
                let side = position.to_move();
                assert_eq!(lines.mobility(side), naive(&position), "{text}");
                let mut moves = Vec::new();
                lines.moves(&position, &mut moves);
                let mut expected = Vec::new();
                position.line_moves(&mut expected);
                for list in [&mut moves, &mut expected] {
                    list.sort_by_key(|&m| Loa::<8>::pack(m));
                }
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
