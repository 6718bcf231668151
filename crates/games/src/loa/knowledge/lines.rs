//! Mobility (paper `mia`, 4.5) from whole lines, kept up to date move by move.
//!
//! A capture counts twice, a move to an edge half, a move along an edge half; a regular move is
//! [`REGULAR`]. What the men on a line can do follows from the line alone, so the mobility of both
//! sides on every arrangement of men is a table, and a move changes only the lines through its two
//! squares. The captures on every arrangement are another such table.

use spinney_game::{Game, Side, bits};

use crate::board::Square;
use crate::loa::geometry::{
    AXES, Geometry, MOST_LINES, OFFSETS, POWERS, TABLE_SIZE, TERNARY, table_start,
};
use crate::loa::{Loa, Move};

/// The mobility of a regular move; others are halves, quarters and doubles of it.
pub const REGULAR: u32 = 4;

/// Something of both sides on a line: of the first side in the low half, of the second in the high.
type Packed = u32;

/// Where the tables of lines along an edge begin: they have the longest length only.
const EDGE_TABLE: usize = TABLE_SIZE;
const BOTH_TABLES: usize = TABLE_SIZE + POWERS[8] as usize;

/// What can be done on every line: lines through the board by length, then lines along an edge.
const TABLES: Tables = {
    let mut tables = Tables { mobility: [0; BOTH_TABLES], captures: [0; BOTH_TABLES] };
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
static MOBILITY: [Packed; BOTH_TABLES] = TABLES.mobility;
/// Eight bits for the men that can capture up the line, eight for those that can down the line.
static CAPTURES: [Packed; BOTH_TABLES] = TABLES.captures;

struct Tables {
    mobility: [Packed; BOTH_TABLES],
    captures: [Packed; BOTH_TABLES],
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

const GEOMETRY: &Geometry = &const { Geometry::new(8) };
const LINES: usize = Geometry::line_starts(8)[AXES];

/// The first entry of each line's table.
static STARTS: [u16; MOST_LINES] = {
    let mut starts = [0; MOST_LINES];
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
    indices: [u16; MOST_LINES],
    total: Packed,
}

impl Lines {
    /// The lines of a position, from scratch.
    pub fn new(position: &Loa) -> Lines {
        let mut indices = [0; MOST_LINES];
        let mut total = 0;
        for number in 0..LINES {
            let ternary =
                |side| TERNARY[usize::from(Loa::<8>::line_set(number, position.men(side)))];
            indices[number] = STARTS[number] + ternary(Side::First) + 2 * ternary(Side::Second);
            total += MOBILITY[usize::from(indices[number])];
        }
        Lines { indices, total }
    }

    /// Plays a legal move; `position` is that before it.
    #[inline(always)]
    pub fn play(&mut self, position: &Loa, m: Move) {
        if m.is_pass() {
            return;
        }
        let (own, enemy) = match position.to_move() {
            Side::First => (1, 2),
            Side::Second => (2, 1),
        };
        let captures = position.is_capture(m);
        let comes = if captures { own - enemy } else { own };
        for axis in 0..AXES {
            self.change(axis, m.from, -own);
            self.change(axis, m.to, comes);
        }
    }

    /// Adds digits at a square to the line of an axis.
    #[inline(always)]
    fn change(&mut self, axis: usize, square: Square, digits: i32) {
        let number = usize::from(GEOMETRY.line_of[axis][square.index()]);
        let index = &mut self.indices[number];
        self.total -= MOBILITY[usize::from(*index)];
        *index =
            (i32::from(*index) + digits * i32::from(GEOMETRY.weight[axis][square.index()])) as u16;
        self.total += MOBILITY[usize::from(*index)];
    }

    /// Calls `found` for every capture of the side to move in the position of these lines.
    #[inline(always)]
    pub fn captures(&self, position: &Loa, mut found: impl FnMut(Move)) {
        let shift = 16 * position.to_move().index();
        let men = position.men(Side::First) | position.men(Side::Second);
        let starts = Geometry::line_starts(8);
        for (axis, &offset) in OFFSETS[..AXES].iter().enumerate() {
            for number in starts[axis]..starts[axis + 1] {
                let captures = CAPTURES[usize::from(self.indices[number])] >> shift & 0xffff;
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
