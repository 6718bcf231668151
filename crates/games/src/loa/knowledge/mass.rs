//! The centre of mass of a side's men, and the values of their squares (paper `mia`, 4.1 and 4.2).

use crate::board::Square;

/// Sums over the men of a side, kept move by move: of their files (8 bits), of their ranks (8 bits)
/// and of the values of their squares (11 bits). The fields have room for a full board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Sums(u32);

/// Values of squares are multiples of this.
pub(super) const VALUE_UNIT: i32 = 5;
/// What is added to the value of a square, so that none is negative.
pub(super) const VALUE_SHIFT: i32 = 80;

impl Sums {
    /// The sums of a set of men.
    #[inline(always)]
    pub(super) fn of_men(men: u64) -> Sums {
        let (files, ranks) = coordinates(men);
        let mut values = men.count_ones() as i32 * (50 + VALUE_SHIFT);
        for (outside, lack) in OUTSIDE {
            values -= (men & outside).count_ones() as i32 * lack;
        }
        Sums(files | ranks << 8 | ((values / VALUE_UNIT) as u32) << 16)
    }

    /// The sums after a man has gone from one square to another.
    #[inline(always)]
    pub(super) fn moved(self, from: Square, to: Square) -> Sums {
        Sums(self.0.wrapping_add(SHARES[to.index()]).wrapping_sub(SHARES[from.index()]))
    }

    /// The sums without the man on a square.
    #[inline(always)]
    pub(super) fn without(self, square: Square) -> Sums {
        Sums(self.0.wrapping_sub(SHARES[square.index()]))
    }

    /// The square nearest to the mean file and the mean rank of so many men, at least one. Halves are
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

/// What a man on each square adds to the sums.
static SHARES: [u32; 64] = {
    let mut shares = [0; 64];
    let mut index = 0;
    while index < 64 {
        let square = Square(index as u8);
        let value = (SQUARE_VALUES[index] as i32 + VALUE_SHIFT) / VALUE_UNIT;
        shares[index] = square.file() as u32 | (square.rank() as u32) << 8 | (value as u32) << 16;
        index += 1;
    }
    shares
};

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

/// The value of a square (`mia`, 4.2): corner, beside a corner, edge, rims of 6x6, 4x4, 2x2.
pub(super) const SQUARE_VALUES: [i8; 64] = {
    let mut values = [0; 64];
    let mut index = 0;
    while index < 64 {
        values[index] = match super::steps_to_edges(Square(index as u8)) {
            (0, 0) => -80,
            (0, 1) => -25,
            (0, _) => -20,
            (1, _) => 10,
            (2, _) => 25,
            _ => 50,
        };
        index += 1;
    }
    values
};

/// The squares worth less than the centre, nested, and how much less each set is worth than the one
/// around which it lies: sums are counts of bits.
const OUTSIDE: [(u64, i32); 5] = {
    // Below 50, 25, 10, -20, -25.
    let mut sets = [(0, 25), (0, 15), (0, 30), (0, 5), (0, 55)];
    let mut index = 0;
    while index < 64 {
        let mut value = 50;
        let mut set = 0;
        while set < 5 {
            if (SQUARE_VALUES[index] as i32) < value {
                sets[set].0 |= 1 << index;
            }
            value -= sets[set].1;
            set += 1;
        }
        index += 1;
    }
    sets
};

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

    #[test]
    fn sums_follow_moves_and_captures() {
        let men = 0x8100_0000_2418_0103_u64;
        let mut sums = Sums::of_men(0);
        let mut values = 0;
        for index in bits::iterate(men) {
            sums.0 += SHARES[index as usize];
            values += i32::from(SQUARE_VALUES[index as usize]) + VALUE_SHIFT;
        }
        assert_eq!(sums, Sums::of_men(men));
        assert_eq!(sums.shifted_values() as i32 * VALUE_UNIT, values);
        assert_eq!(sums.centre(men.count_ones()), centre_of_mass(men));
        assert_eq!(sums.moved(Square(0), Square(9)), Sums::of_men(men & !1 | 1 << 9));
        assert_eq!(sums.without(Square(63)), Sums::of_men(men & !(1 << 63)));
        // A full board fits.
        assert_eq!(Sums::of_men(u64::MAX).centre(64), Square::at(4, 4));
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
