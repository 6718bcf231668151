//! The symmetries of the board and the placements of two kings up to symmetry.

use std::sync::LazyLock;

use cozy_chess::{Square, get_king_moves};

/// A symmetry of the board: bit 0 swaps left and right, bit 1 top and bottom, and then bit 2 files
/// and ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Symmetry(u8);

impl Symmetry {
    pub(super) const IDENTITY: Symmetry = Symmetry(0);

    /// With pawns left and right are alike, without them all eight directions.
    fn all(with_pawns: bool) -> impl Iterator<Item = Symmetry> {
        (0..if with_pawns { 2 } else { 8 }).map(Symmetry)
    }

    #[inline]
    pub(super) fn apply(self, square: Square) -> Square {
        let mut number = square as usize;
        number ^= if self.0 & 1 == 0 { 0 } else { 7 };
        number ^= if self.0 & 2 == 0 { 0 } else { 56 };
        if self.0 & 4 != 0 {
            number = number >> 3 | (number & 7) << 3;
        }
        Square::index(number)
    }

    /// The squares that this symmetry takes into the set.
    #[inline]
    pub(super) fn undo(self, mut set: u64) -> u64 {
        if self.0 & 4 != 0 {
            set = transposed(set);
        }
        if self.0 & 2 != 0 {
            set = set.swap_bytes();
        }
        if self.0 & 1 != 0 {
            set = set.swap_bytes().reverse_bits();
        }
        set
    }
}

/// Files and ranks swapped.
#[inline]
fn transposed(mut set: u64) -> u64 {
    let mut swap = |mask: u64, distance: u32| {
        let difference = (set ^ set >> distance) & mask;
        set ^= difference ^ difference << distance;
    };
    swap(0x00aa_00aa_00aa_00aa, 7);
    swap(0x0000_cccc_0000_cccc, 14);
    swap(0x0000_0000_f0f0_f0f0, 28);
    set
}

/// The placements of the two kings, numbered; placements that a symmetry makes equal share their
/// number. Without pawns that is a white king in a triangle of ten squares and 462 numbers, with
/// pawns one on the files a to d and 1806.
pub(super) struct KingPairs {
    /// For the white king, then the black one: the number, and the symmetry that leads to the
    /// placement in `pairs`.
    places: Vec<Option<(u16, Symmetry)>>,
    /// The white and the black king of each number.
    pub(super) pairs: Vec<[Square; 2]>,
}

impl KingPairs {
    pub(super) fn get(with_pawns: bool) -> &'static KingPairs {
        static WITHOUT: LazyLock<KingPairs> = LazyLock::new(|| KingPairs::new(false));
        static WITH: LazyLock<KingPairs> = LazyLock::new(|| KingPairs::new(true));
        if with_pawns { &WITH } else { &WITHOUT }
    }

    fn new(with_pawns: bool) -> Self {
        let mut new = KingPairs { places: vec![None; 64 * 64], pairs: Vec::new() };
        for &white in &Square::ALL {
            for &black in &Square::ALL {
                if white == black || get_king_moves(white).has(black) {
                    continue;
                }
                // The first of its kind gets a number, and it comes first here.
                let image = |symmetry: Symmetry| [symmetry.apply(white), symmetry.apply(black)];
                let images = Symmetry::all(with_pawns).map(|symmetry| (image(symmetry), symmetry));
                let (least, symmetry) = images
                    .min_by_key(|&(image, _)| image.map(|square| square as u8))
                    .unwrap_or(([white, black], Symmetry::IDENTITY));
                if least == [white, black] {
                    let number = new.pairs.len() as u16;
                    new.pairs.push(least);
                    new.places[white as usize * 64 + black as usize] =
                        Some((number, Symmetry::IDENTITY));
                } else {
                    let place = new.places[least[0] as usize * 64 + least[1] as usize];
                    new.places[white as usize * 64 + black as usize] =
                        place.map(|(number, _)| (number, symmetry));
                }
            }
        }
        new
    }

    /// The number of a placement and the symmetry that leads to it; `None` for kings side by side.
    #[inline]
    pub(super) fn find(&self, [white, black]: [Square; 2]) -> Option<(usize, Symmetry)> {
        let (number, symmetry) = self.places[white as usize * 64 + black as usize]?;
        Some((number as usize, symmetry))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_placements() {
        assert_eq!(KingPairs::get(false).pairs.len(), 462);
        assert_eq!(KingPairs::get(true).pairs.len(), 1806);
    }

    #[test]
    fn every_placement_is_found() {
        for with_pawns in [false, true] {
            let kings = KingPairs::get(with_pawns);
            let mut placements = 0;
            for &white in &Square::ALL {
                for &black in &Square::ALL {
                    let Some((number, symmetry)) = kings.find([white, black]) else { continue };
                    let image = [symmetry.apply(white), symmetry.apply(black)];
                    assert_eq!(kings.pairs[number], image);
                    placements += 1;
                }
            }
            assert_eq!(placements, 3612);
        }
    }

    #[test]
    fn sets_follow_squares() {
        for symmetry in Symmetry::all(false) {
            for &square in &Square::ALL {
                let image = 1 << symmetry.apply(square) as u64;
                assert_eq!(symmetry.undo(image), 1 << square as u64, "{symmetry:?} {square}");
            }
        }
    }
}
