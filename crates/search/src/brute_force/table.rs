//! The table of what is known: bounds on the value of positions, by key, in bounded memory.
//!
//! An entry is one word of 64 bits: what its place does not tell of the [`Key`], the logarithm of
//! the work behind it, and the bounds. Place and entry together tell all 64 bits of the least key
//! of a position's images, and of their sum as many as there is room for: 11 in a table of 128 MiB,
//! 17 in 8 GiB. So the chance that a probe finds the entry of another position is 2^-51 with
//! symmetry, and without it 2^-40 and 2^-34. Searches that fill such tables take 10^8 and 10^10
//! probes: one wrong entry in 10^7 or 10^5 searches with symmetry, in 10^4 and in 2 without.

use std::collections::TryReserveError;

use spinney_game::Symmetric;

use crate::GameValue;

/// The key of a position and all its images.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    least: u64,
    sum: u64,
}

impl Key {
    #[inline(always)]
    pub(super) fn of<G: Symmetric>(position: &G) -> Key {
        let key = position.key();
        let mut all = Key { least: key, sum: 0 };
        for index in 1..position.symmetries() {
            let key = position.transformed_key(index);
            all.least = all.least.min(key);
            all.sum = all.sum.wrapping_add(key);
        }
        // With the position itself: the sum is the same for all images.
        Key { sum: all.sum.wrapping_add(key), ..all }
    }
}

/// What is known of a position: its value for the side to move lies between the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) lower: GameValue,
    pub(super) upper: GameValue,
}

impl Bounds {
    pub(super) const UNKNOWN: Bounds = Bounds { lower: GameValue::Loss, upper: GameValue::Win };

    pub(super) const fn exactly(value: GameValue) -> Bounds {
        Bounds { lower: value, upper: value }
    }

    /// The value, if there is no doubt left.
    #[inline]
    pub(super) fn value(self) -> Option<GameValue> {
        (self.lower == self.upper).then_some(self.lower)
    }

    /// The same as the other side sees it.
    #[inline]
    pub(super) fn for_opponent(self) -> Bounds {
        Bounds { lower: self.upper.for_opponent(), upper: self.lower.for_opponent() }
    }

    /// What follows from both.
    #[inline]
    pub(super) fn and(self, other: Bounds) -> Bounds {
        Bounds { lower: self.lower.max(other.lower), upper: self.upper.min(other.upper) }
    }
}

/// Entries in a bucket: one cache line.
const WAYS: usize = 8;
/// The smallest table in buckets: with fewer, key, work and bounds do not fit in an entry.
const FEWEST_BUCKETS: usize = 1 << (BOUNDS_BITS + WORK_BITS);
const BOUNDS_BITS: u32 = 4;
const WORK_BITS: u32 = 6;
/// The rest of an entry: what it says of the key.
const TAG: u64 = u64::MAX << (BOUNDS_BITS + WORK_BITS);

/// A table of fixed size.
#[derive(Debug)]
pub(super) struct Table {
    /// Buckets of [`WAYS`] entries each, after as many words as bring them to a cache line; 0 is an
    /// empty entry.
    words: Vec<u64>,
    skip: usize,
    buckets: u64,
    /// The low bits of the least key that its bucket does not tell.
    untold: u32,
}

impl Table {
    /// A table of at most `bytes`, but at least 64 KiB, the smallest there is.
    pub(super) fn new(bytes: usize) -> Result<Table, TryReserveError> {
        let buckets = (bytes / (8 * WAYS)).max(FEWEST_BUCKETS);
        let length = WAYS * buckets + WAYS - 1;
        // Asking first turns a lack of memory into an error; the words below then come zeroed
        // from the system, and take memory only where they are used.
        Vec::<u64>::new().try_reserve_exact(length)?;
        let words = vec![0; length];
        let skip = words.as_ptr().align_offset(8 * WAYS).min(WAYS - 1);
        let buckets = buckets as u64;
        // The keys of one bucket are consecutive numbers, 2^64 / buckets of them: so many low bits
        // tell them apart.
        Ok(Table { words, skip, buckets, untold: 64 - buckets.ilog2() })
    }

    /// The place of the bucket of a key, and what an entry there says of it.
    #[inline]
    fn place(&self, key: Key) -> (usize, u64) {
        let bucket = (u128::from(key.least) * u128::from(self.buckets)) >> 64;
        let rest = key.least & (u64::MAX >> (64 - self.untold)) | key.sum << self.untold;
        (self.skip + WAYS * bucket as usize, rest << (BOUNDS_BITS + WORK_BITS))
    }

    /// What is known of the position with this key.
    #[inline]
    pub(super) fn probe(&self, key: Key) -> Bounds {
        let (place, tag) = self.place(key);
        self.words[place..place + WAYS]
            .iter()
            .find(|&&word| word & TAG == tag && word != 0)
            .map_or(Bounds::UNKNOWN, |&word| decode(word))
    }

    /// Remembers what is known of the position with this key, in the place of what cost the least.
    #[inline]
    pub(super) fn store(&mut self, key: Key, bounds: Bounds, nodes: u64) {
        let (place, tag) = self.place(key);
        let work = u64::from((nodes + 1).ilog2()).min((1 << WORK_BITS) - 1);
        let word = tag | work << BOUNDS_BITS | encode(bounds);
        let bucket = &mut self.words[place..place + WAYS];
        let mut victim = 0;
        let mut least = u64::MAX;
        for (way, &held) in bucket.iter().enumerate() {
            if held & TAG == tag && held != 0 {
                victim = way;
                break;
            }
            // An empty entry cost nothing, and comes before one that cost one node.
            let cost = if held == 0 { 0 } else { 1 + (held >> BOUNDS_BITS) % (1 << WORK_BITS) };
            if cost < least {
                least = cost;
                victim = way;
            }
        }
        bucket[victim] = word;
    }
}

/// Bounds as a number from 1 to 9.
#[inline]
fn encode(bounds: Bounds) -> u64 {
    1 + 3 * bounds.lower as u64 + bounds.upper as u64
}

#[inline]
fn decode(word: u64) -> Bounds {
    const VALUES: [GameValue; 3] = [GameValue::Loss, GameValue::Draw, GameValue::Win];
    let number = (word % (1 << BOUNDS_BITS)).wrapping_sub(1) as usize;
    Bounds { lower: VALUES[number / 3 % 3], upper: VALUES[number % 3] }
}

#[cfg(test)]
mod tests {
    use spinney_game::Rng;

    use super::*;

    fn some_bounds(rng: &mut Rng) -> Bounds {
        let values = [GameValue::Loss, GameValue::Draw, GameValue::Win];
        let lower = rng.below(3) as usize;
        let upper = lower + rng.below(3 - lower as u32) as usize;
        Bounds { lower: values[lower], upper: values[upper] }
    }

    #[test]
    fn what_is_found_was_stored() {
        let mut rng = Rng::new(1);
        for bytes in [0, 100_000, 1 << 20] {
            let mut table = Table::new(bytes).unwrap();
            let mut stored = std::collections::HashMap::new();
            // Keys that differ in few bits, at either end, and keys at random.
            for round in 0..20_000_u64 {
                let key = match round % 3 {
                    0 => round,
                    1 => round.reverse_bits(),
                    _ => rng.next_u64(),
                };
                let key = Key { least: key, sum: key % 3 };
                let bounds = some_bounds(&mut rng);
                table.store(key, bounds, rng.next_u64() >> rng.below(64));
                stored.insert(key, bounds);
                assert_eq!(table.probe(key), bounds);
            }
            let found = |(key, bounds): (&Key, &Bounds)| match table.probe(*key) {
                Bounds::UNKNOWN => false,
                found => found == *bounds || panic!("{key:?}: {found:?}, stored {bounds:?}"),
            };
            assert!(stored.iter().filter(|&(k, b)| found((k, b))).count() > 5000);
            for _ in 0..100_000 {
                let key = Key { least: rng.next_u64(), sum: 0 };
                assert!(stored.contains_key(&key) || table.probe(key) == Bounds::UNKNOWN);
            }
        }
    }

    #[test]
    fn what_cost_most_stays() {
        let mut table = Table::new(0).unwrap();
        let fact = Bounds::exactly(GameValue::Win);
        // All in the first bucket.
        let key = |least| Key { least, sum: 0 };
        table.store(key(1000), fact, 1 << 40);
        (0..100).for_each(|least| table.store(key(least), fact, 10));
        assert_eq!(table.probe(key(1000)), fact);
    }

    #[test]
    fn too_much_memory_is_an_error() {
        assert!(Table::new(usize::MAX / 2).is_err());
    }
}
