//! How Syzygy tables number positions.
//!
//! The men are taken in an order that the table names, in groups: the leading group first (the
//! leading pawns; or three different men; or the two kings), with the board turned so that it
//! stands in a corner of the board; then groups of like men. The number of a position is a mixed
//! radix number with a digit for each group, the number of its placement.

use std::sync::LazyLock;

use cozy_chess::{Color, Piece, Square, get_king_moves};

/// The most men that are read.
pub(super) const MOST_MEN: usize = 5;
/// Placements of three different men, and of two kings, up to symmetry.
const THREE_MEN: u64 = 31332;
const TWO_KINGS: u64 = 462;

/// A man as a table writes it: 1 to 6 for White's pawn, knight, bishop, rook, queen and king, and 8
/// more for Black's.
pub(super) fn code(color: Color, piece: Piece) -> u8 {
    piece as u8 + 1 + if color == Color::White { 0 } else { 8 }
}

/// The men of a table, as far as they decide how positions are numbered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Material {
    pub(super) men: usize,
    /// A man that is no king is the only one of its kind and colour.
    pub(super) has_single: bool,
    /// Pawns of the leading side (the one with fewer, but not none) and of the other.
    pub(super) pawns: [usize; 2],
}

/// How the positions of one side to move, and of one file of the leading pawn, are numbered.
#[derive(Clone, Debug)]
pub(super) struct Encoding {
    /// Codes, in the order in which the men are taken.
    pub(super) men: [u8; MOST_MEN],
    /// The sizes of the groups.
    groups: Vec<usize>,
    /// What each digit counts for.
    factors: Vec<u64>,
    /// The number of positions.
    pub(super) size: u64,
}

impl Encoding {
    /// The encoding for men in this order; `order` has the places of the leading group and of the
    /// other side's pawns among the digits. `None` if they make no sense.
    pub(super) fn new(
        material: Material,
        men: [u8; MOST_MEN],
        order: [usize; 2],
        file: usize,
    ) -> Option<Self> {
        // 1. Groups.
        let has_pawns = material.pawns[0] > 0;
        let leading = match (has_pawns, material.has_single) {
            (true, _) => 1,
            (false, true) => 3,
            (false, false) => 2,
        };
        let mut groups = vec![1];
        for index in 1..material.men {
            match groups.last_mut() {
                Some(group) if index < leading || men[index] == men[index - 1] => *group += 1,
                _ => groups.push(1),
            }
        }
        // 2. Factors.
        let tables = &*TABLES;
        let two_sides = has_pawns && material.pawns[1] > 0;
        let mut next = if two_sides { 2 } else { 1 };
        let taken: usize = groups.iter().take(next).sum();
        let mut free = 64 - taken;
        let mut factors = vec![0; groups.len()];
        let mut size: u64 = 1;
        let mut digit = 0;
        while next < groups.len() || digit == order[0] || (two_sides && digit == order[1]) {
            let (group, placements) = if digit == order[0] {
                let placements = match (has_pawns, material.has_single) {
                    (true, _) => *tables.leading_sizes.get(groups[0])?.get(file)?,
                    (false, true) => THREE_MEN,
                    (false, false) => TWO_KINGS,
                };
                (0, placements)
            } else if two_sides && digit == order[1] {
                (1, binomial(48 - groups[0], *groups.get(1)?))
            } else {
                let group = next;
                let placements = binomial(free, *groups.get(group)?);
                free -= groups[group];
                next += 1;
                (group, placements)
            };
            *factors.get_mut(group)? = size;
            size = size.checked_mul(placements)?;
            digit += 1;
        }
        factors.iter().all(|&factor| factor > 0).then_some(Encoding { men, groups, factors, size })
    }

    /// The number of a position: its squares in the order of the men, from [`Encoding::arrange`] and
    /// [`leading_file`].
    pub(super) fn number(&self, material: Material, squares: &mut [usize]) -> Option<u64> {
        let tables = &*TABLES;
        // 1. The leading group, in its corner.
        turn(squares, squares[0] % 8 > 3, |square| square ^ 7);
        let leading = if material.pawns[0] > 0 {
            let (first, others) = squares.split_first_mut()?;
            let others = &mut others[..self.groups[0] - 1];
            others.sort_by_key(|&square| tables.pawns[square]);
            let mut number = tables.leading_pawns[self.groups[0]][*first];
            for (index, &square) in others.iter().enumerate() {
                number += binomial(tables.pawns[square], index + 1);
            }
            number
        } else {
            turn(squares, squares[0] / 8 > 3, |square| square ^ 56);
            let group = &squares[..self.groups[0]];
            if let Some(first) = group.iter().position(|&square| diagonal(square) != 0) {
                let above = diagonal(squares[first]) > 0;
                turn(&mut squares[first..], above, |square| square >> 3 | (square & 7) << 3);
            }
            if material.has_single {
                three_men([squares[0], squares[1], squares[2]])
            } else {
                *tables.kings.get(tables.triangle[squares[0]])?.get(squares[1])?
            }
        };
        let mut number = leading * self.factors[0];
        // 2. The other groups, among the squares that are left; pawns have 48.
        let mut start = self.groups[0];
        for (group, (&size, factor)) in self.groups.iter().zip(&self.factors).enumerate().skip(1) {
            let (before, rest) = squares.split_at_mut(start);
            let rest = &mut rest[..size];
            rest.sort_unstable();
            let are_pawns = group == 1 && material.pawns[1] > 0;
            let mut digit = 0;
            for (index, &square) in rest.iter().enumerate() {
                let lower = before.iter().filter(|&&other| other < square).count();
                let place = (square - lower).checked_sub(if are_pawns { 8 } else { 0 })?;
                digit += binomial(place, index + 1);
            }
            number += digit * factor;
            start += size;
        }
        Some(number)
    }

    /// Brings men after the first `fixed` into the order of the table.
    pub(super) fn arrange(&self, fixed: usize, codes: &mut [u8], squares: &mut [usize]) {
        for index in fixed..codes.len() {
            let found = codes[index..].iter().position(|&code| code == self.men[index]);
            let other = index + found.unwrap_or(0);
            codes.swap(index, other);
            squares.swap(index, other);
        }
    }
}

/// Puts the leading pawn first, the one next to the rim and furthest back; its file, from the rim. Without
/// pawns there is one file only.
pub(super) fn leading_file(pawns: &mut [usize]) -> usize {
    let rank = |&index: &usize| TABLES.pawns[pawns[index]];
    let Some(first) = (0..pawns.len()).max_by_key(rank) else { return 0 };
    pawns.swap(0, first);
    let file = pawns[0] % 8;
    file.min(7 - file)
}

fn turn(squares: &mut [usize], turned: bool, by: impl Fn(usize) -> usize) {
    if turned {
        squares.iter_mut().for_each(|square| *square = by(*square));
    }
}

/// How far a square lies above the diagonal from a1 to h8.
fn diagonal(square: usize) -> i32 {
    (square / 8) as i32 - (square % 8) as i32
}

/// The number of a placement of three different men: the first one off the diagonal is below it,
/// and the first of all in the triangle a1, d1, d4.
fn three_men([first, second, third]: [usize; 3]) -> u64 {
    let tables = &*TABLES;
    let second_less = usize::from(second > first);
    let third_less = usize::from(third > first) + usize::from(third > second);
    let number = if diagonal(first) != 0 {
        (tables.triangle[first] * 63 + second - second_less) * 62 + third - third_less
    } else if diagonal(second) != 0 {
        (6 * 63 + first / 8 * 28 + tables.below[second]) * 62 + third - third_less
    } else if diagonal(third) != 0 {
        6 * 63 * 62
            + 4 * 28 * 62
            + first / 8 * 7 * 28
            + (second / 8 - second_less) * 28
            + tables.below[third]
    } else {
        6 * 63 * 62
            + 4 * 28 * 62
            + 4 * 7 * 28
            + first / 8 * 7 * 6
            + (second / 8 - second_less) * 6
            + (third / 8 - third_less)
    };
    number as u64
}

/// Binomial coefficient: ways to choose `chosen` of `n`.
fn binomial(n: usize, chosen: usize) -> u64 {
    (0..chosen as u64).fold(1, |ways, index| match (n as u64).checked_sub(index) {
        Some(left) => ways * left / (index + 1),
        None => 0,
    })
}

/// The numbers of squares and of placements.
struct Tables {
    /// Squares below the diagonal from a1 to h8.
    below: [usize; 64],
    /// Squares of the triangle a1, d1, d4: those below the diagonal first.
    triangle: [usize; 64],
    /// Placements of two kings, by number in the triangle and square.
    kings: Vec<[u64; 64]>,
    /// Squares of pawns: the greatest is a2, then h2, a3, ....
    pawns: [usize; 64],
    /// For each number of leading pawns and the square of the first: the placements before.
    leading_pawns: Vec<[u64; 64]>,
    /// The placements of leading pawns, by their number and the file of the first.
    leading_sizes: Vec<[u64; 4]>,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let mut tables = Tables {
        below: [0; 64],
        triangle: [0; 64],
        kings: vec![[0; 64]; 10],
        pawns: [0; 64],
        leading_pawns: vec![[0; 64]; MOST_MEN],
        leading_sizes: vec![[0; 4]; MOST_MEN],
    };
    // 1. Squares.
    for (number, square) in (0..64).filter(|&square| diagonal(square) < 0).enumerate() {
        tables.below[square] = number;
    }
    let corner = |square: &usize| square % 8 < 4 && square / 8 < 4;
    let on = (0..64).filter(|&square| diagonal(square) == 0);
    let under = (0..64).filter(|&square| diagonal(square) < 0);
    let triangle: Vec<usize> = under.filter(corner).chain(on.filter(corner)).collect();
    for (number, &square) in triangle.iter().enumerate() {
        tables.triangle[square] = number;
    }
    // 2. Kings. Both on the diagonal come last.
    let mut number = 0;
    for both_on_diagonal in [false, true] {
        for (row, &first) in triangle.iter().enumerate() {
            let near = get_king_moves(Square::index(first));
            for second in 0..64 {
                let on_diagonal = diagonal(first) == 0 && diagonal(second) == 0;
                let is_image = diagonal(first) == 0 && diagonal(second) > 0;
                let touching = second == first || near.has(Square::index(second));
                if on_diagonal == both_on_diagonal && !is_image && !touching {
                    tables.kings[row][second] = number;
                    number += 1;
                }
            }
        }
    }
    // 3. Pawns.
    let mut left = 48;
    for file in 0..4 {
        for rank in 1..7 {
            for square in [rank * 8 + file, rank * 8 + 7 - file] {
                left -= 1;
                tables.pawns[square] = left;
            }
        }
    }
    for count in 1..MOST_MEN {
        for file in 0..4 {
            let mut number = 0;
            for rank in 1..7 {
                let square = rank * 8 + file;
                tables.leading_pawns[count][square] = number;
                number += binomial(tables.pawns[square], count - 1);
            }
            tables.leading_sizes[count][file] = number;
        }
    }
    tables
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_men_have_each_number_once() {
        let mut numbers = Vec::new();
        for first in (0..64).filter(|square| square % 8 < 4 && diagonal(*square) <= 0) {
            for second in (0..64).filter(|&second| second != first) {
                for third in (0..64).filter(|third| ![first, second].contains(third)) {
                    let men = [first, second, third];
                    let off = men.into_iter().map(diagonal).find(|&distance| distance != 0);
                    if off.is_none_or(|distance| distance < 0) {
                        numbers.push(three_men(men));
                    }
                }
            }
        }
        numbers.sort_unstable();
        assert!(numbers.into_iter().eq(0..THREE_MEN));
    }

    #[test]
    fn numbers_of_placements() {
        assert_eq!(binomial(48, 2), 1128);
        assert_eq!(binomial(3, 4), 0);
        let kings = TABLES.kings.iter().flatten().max();
        assert_eq!(kings, Some(&(TWO_KINGS - 1)));
        let squares = |count: usize| TABLES.leading_sizes[count].iter().sum::<u64>();
        assert_eq!(squares(1), 24);
        // Two pawns: a leading pawn on either half and another one, no pair twice.
        assert_eq!(squares(2), (0..24).map(|pair| 47 - 2 * pair).sum::<u64>());
    }
}
