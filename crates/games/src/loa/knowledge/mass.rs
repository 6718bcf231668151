//! The centre of mass of a side's men (paper `mia`, 4.1).

use crate::board::Square;

/// Sums over some men: of their files, their ranks, and their number, 16 bits each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Sums(u64);

impl Sums {
    /// The sums of a set of men.
    #[inline(always)]
    pub(super) fn of_men(men: u64) -> Sums {
        // The sum of the files is the number of men on the odd files, plus twice that on the files 2,
        // 3, 6 and 7, and so on.
        let files = (men & FILE_BITS[0]).count_ones()
            + 2 * (men & FILE_BITS[1]).count_ones()
            + 4 * (men & FILE_BITS[2]).count_ones();
        let ranks = (men & RANK_BITS[0]).count_ones()
            + 2 * (men & RANK_BITS[1]).count_ones()
            + 4 * (men & RANK_BITS[2]).count_ones();
        Sums(u64::from(files) | u64::from(ranks) << 16 | u64::from(men.count_ones()) << 32)
    }

    /// The number of men.
    #[inline(always)]
    pub(super) fn count(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// The square nearest to the mean file and the mean rank of the men, of which there is at least
    /// one. Halves are rounded up.
    #[inline(always)]
    pub(super) fn centre(self) -> Square {
        // (2 sum + count) / (2 count), rounded down: exact, since the dividend is below 2^10.
        let count = self.count();
        let inverse = INVERSES[count as usize % 65];
        let file = ((2 * (self.0 as u32 & 0xffff) + count) * inverse) >> 20;
        let rank = ((2 * (self.0 as u32 >> 16) + count) * inverse) >> 20;
        Square::at(file as u8, rank as u8)
    }
}

/// Files whose number has a bit set; ranks likewise.
const FILE_BITS: [u64; 3] = [0xaaaa_aaaa_aaaa_aaaa, 0xcccc_cccc_cccc_cccc, 0xf0f0_f0f0_f0f0_f0f0];
const RANK_BITS: [u64; 3] = [0xff00_ff00_ff00_ff00, 0xffff_0000_ffff_0000, 0xffff_ffff_0000_0000];

/// The centre of mass of some men, of which there is at least one: the square nearest to their mean
/// file and mean rank. Halves are rounded up.
#[inline(always)]
pub fn centre_of_mass(men: u64) -> Square {
    Sums::of_men(men).centre()
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
