//! Small operations on 64-bit sets.
//!
//! ```
//! use spinney_game::bits;
//!
//! assert!(bits::iterate(0b1_0110).eq([1, 2, 4]));
//! assert_eq!(bits::select(0b1_0110, 2), 4);
//! ```

/// The squares of a set, lowest first.
#[inline]
pub fn iterate(mut set: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let lowest = set.trailing_zeros();
        set &= set - 1;
        Some(lowest)
    })
}

/// The position of member number `index` of a set, counted from the lowest, which is number 0.
/// `index` must be below the size of the set.
#[inline(always)]
pub fn select(set: u64, index: u32) -> u32 {
    select_bit(set, index).trailing_zeros()
}

/// Member number `index` of a set as a set of its own: see [`select`].
#[inline(always)]
pub fn select_bit(set: u64, index: u32) -> u64 {
    debug_assert!(index < set.count_ones());
    #[cfg(target_arch = "x86_64")]
    if crate::cpu::has_fast_bits() {
        // SAFETY: the processor has BMI2, it was just asked.
        return unsafe { select_bmi2(set, index) };
    }
    1 << select_portable(set, index)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi2")]
#[inline]
fn select_bmi2(set: u64, index: u32) -> u64 {
    std::arch::x86_64::_pdep_u64(1 << index, set)
}

/// Selection by byte sums: the byte that holds the member, then the bit within it.
// Kept apart on x86-64, or the compiler computes its sums ahead for a branch that is never taken.
#[cfg_attr(target_arch = "x86_64", inline(never), cold)]
#[cfg_attr(not(target_arch = "x86_64"), inline)]
fn select_portable(set: u64, index: u32) -> u32 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGHS: u64 = 0x8080_8080_8080_8080;
    // 1. Members in each byte, then in each byte and all below it.
    let pairs = set - ((set >> 1) & 0x5555_5555_5555_5555);
    let nibbles = (pairs & 0x3333_3333_3333_3333) + ((pairs >> 2) & 0x3333_3333_3333_3333);
    let bytes = (nibbles + (nibbles >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    let sums = bytes.wrapping_mul(ONES);
    // 2. The bytes whose sum is at most `index` come before the wanted one.
    let at_most = ((u64::from(index) * ONES) | HIGHS).wrapping_sub(sums) & HIGHS;
    let byte = at_most.count_ones() * 8;
    let before = if byte == 0 { 0 } else { (sums >> (byte - 8)) as u32 & 0xff };
    // 3. Drop the members of the byte below the wanted one.
    let mut rest = (set >> byte) as u8;
    for _ in before..index {
        rest &= rest.wrapping_sub(1);
    }
    byte + rest.trailing_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    #[test]
    fn select_finds_each_member() {
        let mut rng = Rng::new(3);
        for round in 0..2000 {
            let mut set = rng.next_u64();
            for _ in 0..round % 4 {
                set &= rng.next_u64();
            }
            for (index, square) in iterate(set).enumerate() {
                assert_eq!(select(set, index as u32), square);
                assert_eq!(select_portable(set, index as u32), square);
            }
        }
        assert_eq!(select_portable(u64::MAX, 63), 63);
    }
}
