//! The centre of mass of a side's men, and the values of their squares (paper `mia`, 4.1 and 4.2).

use crate::board::Square;

/// Sums over the men of a side on a board of `N` times `N` squares, kept move by move: of their files
/// (8 bits), of their ranks (8 bits) and of the values of their squares (11 bits). The fields have room
/// for a full board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Sums<const N: usize>(u32);

/// Values of squares are multiples of this.
pub(super) const VALUE_UNIT: i32 = 5;
/// What is added to the value of a square, so that none is negative.
pub(super) const VALUE_SHIFT: i32 = 80;

impl<const N: usize> Sums<N> {
    /// What a man on each square adds to the sums.
    const SHARES: &'static [u32; 64] = &const { shares(N) };
    const OUTSIDE: [(u64, i32); 5] = outside(N);

    /// The sums of a set of men.
    #[inline(always)]
    pub(super) fn of_men(men: u64) -> Self {
        let (files, ranks) = coordinates(men);
        let mut values = men.count_ones() as i32 * (50 + VALUE_SHIFT);
        for (outside, lack) in Self::OUTSIDE {
            values -= (men & outside).count_ones() as i32 * lack;
        }
        Sums(files | ranks << 8 | ((values / VALUE_UNIT) as u32) << 16)
    }

    /// The sums after a man has gone from one square to another.
    #[inline(always)]
    pub(super) fn moved(self, from: Square, to: Square) -> Self {
        let shares = Self::SHARES;
        Sums(self.0.wrapping_add(shares[to.index()]).wrapping_sub(shares[from.index()]))
    }

    /// The sums without the man on a square.
    #[inline(always)]
    pub(super) fn without(self, square: Square) -> Self {
        Sums(self.0.wrapping_sub(Self::SHARES[square.index()]))
    }

    /// The square nearest to the mean file and the mean rank of `count` men, at least one. Halves are
    /// rounded up.
    #[inline(always)]
    pub(super) fn centre(self, count: u32) -> Square {
        centre(self.0 & 0xff, self.0 >> 8 & 0xff, count)
    }

    /// The sum of the values of the squares, in [`VALUE_UNIT`]s, each more by [`VALUE_SHIFT`].
    #[inline(always)]
    pub(super) fn shifted_values(self) -> u32 {
        self.0 >> 16
    }
}

const fn shares(length: usize) -> [u32; 64] {
    let values = square_values(length);
    let mut shares = [0; 64];
    let mut index = 0;
    while index < 64 {
        let square = Square(index as u8);
        let value = (values[index] as i32 + VALUE_SHIFT) / VALUE_UNIT;
        shares[index] = square.file() as u32 | (square.rank() as u32) << 8 | (value as u32) << 16;
        index += 1;
    }
    shares
}

/// The sums of the files and of the ranks of some men.
#[inline(always)]
fn coordinates(men: u64) -> (u32, u32) {
    // The sum of the files is the number of men on the odd files, plus twice that on the files 2, 3, 6
    // and 7, and so on.
    let files = (men & FILE_BITS[0]).count_ones()
        + 2 * (men & FILE_BITS[1]).count_ones()
        + 4 * (men & FILE_BITS[2]).count_ones();
    let ranks = (men & RANK_BITS[0]).count_ones()
        + 2 * (men & RANK_BITS[1]).count_ones()
        + 4 * (men & RANK_BITS[2]).count_ones();
    (files, ranks)
}

#[inline(always)]
fn centre(files: u32, ranks: u32, count: u32) -> Square {
    // (2 sum + count) / (2 count), rounded down: exact, since the dividend is below 2^10.
    let inverse = INVERSES[count as usize % 65];
    let file = ((2 * files + count) * inverse) >> 20;
    let rank = ((2 * ranks + count) * inverse) >> 20;
    Square::at(file as u8, rank as u8)
}

/// Files whose number has a bit set; ranks likewise.
const FILE_BITS: [u64; 3] = [0xaaaa_aaaa_aaaa_aaaa, 0xcccc_cccc_cccc_cccc, 0xf0f0_f0f0_f0f0_f0f0];
const RANK_BITS: [u64; 3] = [0xff00_ff00_ff00_ff00, 0xffff_0000_ffff_0000, 0xffff_ffff_0000_0000];

/// The value of a square (`mia`, 4.2): corner, beside a corner, edge, rims of the inner 6x6, 4x4 and 2x2
/// boards.
pub(super) const fn square_values(length: usize) -> [i8; 64] {
    let mut values = [0; 64];
    let mut index = 0;
    while index < 64 {
        if let Some((ring, along)) = super::steps_to_edges(Square(index as u8), length) {
            values[index] = match (ring, along) {
                (0, 0) => -80,
                (0, 1) => -25,
                (0, _) => -20,
                _ => match super::steps_to_centre(ring, length) {
                    0 => 50,
                    1 => 25,
                    _ => 10,
                },
            };
        }
        index += 1;
    }
    values
}

/// The squares worth less than the centre, nested, and how much less each set is worth than the one
/// around which it lies: sums are counts of bits.
const fn outside(length: usize) -> [(u64, i32); 5] {
    let values = square_values(length);
    // Below 50, 25, 10, -20, -25.
    let mut sets = [(0, 25), (0, 15), (0, 30), (0, 5), (0, 55)];
    let mut index = 0;
    while index < 64 {
        let mut value = 50;
        let mut set = 0;
        while set < 5 {
            if (values[index] as i32) < value {
                sets[set].0 |= 1 << index;
            }
            value -= sets[set].1;
            set += 1;
        }
        index += 1;
    }
    sets
}

/// The centre of mass of some men, of which there is at least one: the square nearest to their mean
/// file and mean rank. Halves are rounded up.
#[inline(always)]
pub fn centre_of_mass(men: u64) -> Square {
    let (files, ranks) = coordinates(men);
    centre(files, ranks, men.count_ones())
}

/// 2^20 / 2n for a number of men, rounded up.
static INVERSES: [u32; 65] = {
    let mut inverses = [0; 65];
    let mut count = 1;
    while count <= 64 {
        inverses[count] = (1u32 << 20).div_ceil(2 * count as u32);
        count += 1;
    }
    inverses
};

/// The number of king's steps between two squares.
#[inline]
pub const fn distance(a: Square, b: Square) -> u8 {
    let files = a.file().abs_diff(b.file());
    let ranks = a.rank().abs_diff(b.rank());
    if files > ranks { files } else { ranks }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spinney_game::bits;

    fn check_sums<const N: usize>(men: u64) {
        let mut sums = Sums::<N>::of_men(0);
        let mut values = 0;
        for index in bits::iterate(men) {
            sums.0 += Sums::<N>::SHARES[index as usize];
            values += i32::from(square_values(N)[index as usize]) + VALUE_SHIFT;
        }
        assert_eq!(sums, Sums::of_men(men));
        assert_eq!(sums.shifted_values() as i32 * VALUE_UNIT, values);
        assert_eq!(sums.centre(men.count_ones()), centre_of_mass(men));
        assert_eq!(sums.moved(Square(0), Square(9)), Sums::of_men(men & !1 | 1 << 9));
        let last = Square(63 - men.leading_zeros() as u8);
        assert_eq!(sums.without(last), Sums::of_men(men & !last.bit()));
    }

    #[test]
    fn sums_follow_moves_and_captures() {
        check_sums::<8>(0x8100_0000_2418_0103);
        check_sums::<6>(0x0000_2100_0418_0103);
        // A full board fits.
        assert_eq!(Sums::<8>::of_men(u64::MAX).centre(64), Square::at(4, 4));
    }

    #[test]
    fn squares_are_worth_what_their_ring_is() {
        let value = |length, name| square_values(length)[Square::parse(name).unwrap().index()];
        assert_eq!(
            ["a1", "b1", "c1", "b2", "c3", "d4"].map(|name| value(8, name)),
            [-80, -25, -20, 10, 25, 50]
        );
        assert_eq!(
            ["f6", "a5", "d6", "b2", "e3", "d3"].map(|name| value(6, name)),
            [-80, -25, -20, 25, 25, 50]
        );
    }

    #[test]
    fn multiplication_divides_exactly() {
        for count in 1..=64u32 {
            for sum in 0..=7 * count {
                let dividend = 2 * sum + count;
                let quotient = (dividend * INVERSES[count as usize]) >> 20;
                assert_eq!(quotient, dividend / (2 * count), "{sum} / {count}");
            }
        }
    }

    #[test]
    fn the_centre_is_the_rounded_mean() {
        let set = |names: &[&str]| {
            names.iter().fold(0, |set, name| set | Square::parse(name).expect("a square").bit())
        };
        let centre = |names| centre_of_mass(set(names)).to_string();
        assert_eq!(centre(&["e2"]), "e2");
        assert_eq!(centre(&["a1", "h8"]), "e5"); // 3.5 is rounded up
        assert_eq!(centre(&["a1", "b1", "b1", "c3"]), "b2"); // ranks 0, 0, 2
        assert_eq!(centre(&["a8", "c8", "d7"]), "c8");
    }
}
