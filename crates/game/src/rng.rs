//! The random number generator of every playout, search and experiment.

use rand_core::{Rng as _, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// xoshiro256++ (Blackman and Vigna), named so that a seed means the same on every machine and in
/// every version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// The generator for a seed; the state is filled by SplitMix64.
    pub fn new(seed: u64) -> Self {
        Rng(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// The generator number `index` for a seed: one for each thread, game or run. Different
    /// indices give unrelated sequences.
    pub fn stream(seed: u64, index: u64) -> Self {
        let mut base = Rng::new(seed);
        let offset = base.next_u64();
        Rng::new(offset ^ index.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// 64 random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `bound`, exactly uniform (Lemire 2019, "Fast random integer generation in
    /// an interval"). `bound` must not be 0.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        loop {
            if let Some(number) = scaled((self.next_u64() >> 32) as u32, bound) {
                return number;
            }
        }
    }

    /// Two independent numbers below `bound` for the price of one, each exactly uniform.
    #[inline]
    pub fn two_below(&mut self, bound: u32) -> [u32; 2] {
        loop {
            let bits = self.next_u64();
            if let (Some(a), Some(b)) =
                (scaled((bits >> 32) as u32, bound), scaled(bits as u32, bound))
            {
                return [a, b];
            }
        }
    }

    /// Puts the items in a random order, every order equally likely (Fisher and Yates; two steps for
    /// the price of one number).
    #[inline]
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        let mut open = items.len();
        while open > 1 {
            let bits = self.next_u64();
            let last = scaled((bits >> 32) as u32, open as u32);
            let last_but_one = scaled(bits as u32, open as u32 - 1);
            if let (Some(last), Some(last_but_one)) = (last, last_but_one) {
                items.swap(open - 1, last as usize);
                items.swap(open - 2, last_but_one as usize);
                open -= 2;
            }
        }
    }

    /// A number in [0, 1), with 53 random bits.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// One of the items, exactly uniformly; `None` if there are none.
    #[inline]
    pub fn choose<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        if items.is_empty() { None } else { Some(items[self.below(items.len() as u32) as usize]) }
    }
}

/// 32 random bits scaled to a number below `bound`; `None` for the few values that would make some
/// numbers likelier than others.
#[inline]
fn scaled(bits: u32, bound: u32) -> Option<u32> {
    debug_assert!(bound > 0);
    let product = u64::from(bits) * u64::from(bound);
    let low = product as u32;
    // Almost always the first comparison settles it, and no division is needed.
    (low >= bound || low >= bound.wrapping_neg() % bound).then_some((product >> 32) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_means_the_same_for_ever() {
        let mut rng = Rng::new(1);
        let first: Vec<u64> = (0..3).map(|_| rng.next_u64()).collect();
        assert_eq!(
            first,
            [0xcfc5d07f6f03c29b, 0xbf424132963fe08d, 0x19a37d5757aaf520],
            "the sequence changed: every recorded result would change with it"
        );
    }

    #[test]
    fn every_order_is_equally_likely() {
        for size in 0..5_usize {
            let mut rng = Rng::new(3);
            let mut counts = std::collections::BTreeMap::new();
            for _ in 0..24_000 {
                let mut items: Vec<usize> = (0..size).collect();
                rng.shuffle(&mut items);
                *counts.entry(items).or_insert(0) += 1;
            }
            let orders: usize = (1..=size).product();
            assert_eq!(counts.len(), orders);
            let expected = 24_000 / orders as i32;
            assert!(counts.values().all(|count: &i32| (count - expected).abs() < expected / 8));
        }
    }

    #[test]
    fn below_reaches_every_number_equally_often() {
        let mut rng = Rng::new(7);
        let mut counts = [0u32; 7];
        for _ in 0..70_000 {
            counts[rng.below(7) as usize] += 1;
        }
        let chi_square: f64 =
            counts.iter().map(|&c| (f64::from(c) - 10_000.0).powi(2) / 10_000.0).sum();
        assert!(chi_square < 25.0, "{counts:?}"); // 6 degrees of freedom: p < 0.0004 above 25
    }

    #[test]
    fn streams_differ() {
        let mut seen = std::collections::HashSet::new();
        for index in 0..1000 {
            assert!(seen.insert(Rng::stream(5, index).next_u64()));
        }
    }
}
