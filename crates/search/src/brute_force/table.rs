//! The table of what is known: bounds on the value of positions, by key, in bounded memory.
//!
//! An entry is one word of 64 bits: what its place does not tell of the key, the logarithm of
//! the work behind it, and the bounds. Place and entry together tell the first 64 bits of a key and ten of
//! the others, so that an entry can move to a larger table. The chance that a probe finds the entry of another
//! position is 2^-51 in a table of 64 MiB and 2^-45 in one of 4 GiB, where the bits of a key are
//! independent. Without symmetry the ten bits are not; the chance is then 2^-41 and 2^-35.

use std::collections::TryReserveError;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};

use spinney_game::cpu;

use crate::GameValue;
use crate::memory::zeroed_words;

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

    /// Whether the value is known, or which side of the window from `alpha` to `beta` it is on.
    #[inline]
    pub(super) fn decides(self, alpha: GameValue, beta: GameValue) -> bool {
        self.lower >= beta || self.upper <= alpha || self.value().is_some()
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
/// A table that may be larger begins with fewer buckets than twice this, 128 MiB: small searches need not
/// wait for memory.
const FIRST_BUCKETS: usize = 1 << 20;
/// An odd number, 2^64 over the golden ratio.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
const BOUNDS_BITS: u32 = 4;
const WORK_BITS: u32 = 6;
/// The rest of an entry: what it says of the key.
const TAG: u64 = u64::MAX << (BOUNDS_BITS + WORK_BITS);

/// The words of a table: a bucket more would not begin with a cache line.
fn words_for(buckets: usize) -> usize {
    WAYS * buckets + WAYS - 1
}

/// A table that threads share. An entry is one word, so none is ever read in halves.
#[derive(Debug)]
pub(super) struct Table {
    /// Buckets of [`WAYS`] entries each, after as many words as bring them to a cache line; 0 is an
    /// empty entry.
    words: Vec<AtomicU64>,
    skip: usize,
    buckets: u64,
    /// How often the number of buckets may still double.
    doublings: u32,
    /// The low bits of a key's first half that its bucket does not tell.
    untold: u32,
}

impl Table {
    /// A table that grows to at most `bytes`, but at least 64 KiB, the smallest there is; while it grows, to
    /// an eighth more. An error if it cannot grow that far.
    pub(super) fn new(bytes: usize) -> Result<Table, TryReserveError> {
        let most = (bytes / (8 * WAYS)).max(FEWEST_BUCKETS);
        Vec::<u64>::new().try_reserve_exact(words_for(most))?;
        let doublings = most.ilog2().saturating_sub(FIRST_BUCKETS.ilog2());
        let buckets = most >> doublings;
        // The keys of one bucket are consecutive numbers, 2^64 / buckets of them: this number of low bits
        // tells them apart, here and in a larger table.
        Ok(Table { doublings, untold: 64 - buckets.ilog2(), ..Table::empty(buckets)? })
    }

    fn empty(buckets: usize) -> Result<Table, TryReserveError> {
        let words = zeroed_words(words_for(buckets))?;
        let skip = words.as_ptr().align_offset(8 * WAYS).min(WAYS - 1);
        Ok(Table { words, skip, buckets: buckets as u64, doublings: 0, untold: 0 })
    }

    /// The number of entries.
    pub(super) fn capacity(&self) -> u64 {
        WAYS as u64 * self.buckets
    }

    pub(super) fn can_grow(&self) -> bool {
        self.doublings > 0
    }

    /// Makes the table four times as large, or as large as it may be, with all it holds. Without memory for
    /// that it stays as it is for good.
    pub(super) fn grow(&mut self) {
        let step = self.doublings.min(2);
        let Ok(larger) = Table::empty((self.buckets as usize) << step) else {
            self.doublings = 0;
            return;
        };
        let larger = Table { doublings: self.doublings - step, untold: self.untold, ..larger };
        let mask = u64::MAX >> (64 - self.untold);
        for (bucket, words) in (0..self.buckets).zip(self.words[self.skip..].chunks_exact(WAYS)) {
            // The least key of the bucket; those of the entries follow it.
            let least = ((u128::from(bucket) << 64).div_ceil(u128::from(self.buckets))) as u64;
            for word in words.iter().map(|word| word.load(Relaxed)).filter(|&word| word != 0) {
                let untold = (word >> (BOUNDS_BITS + WORK_BITS)) & mask;
                let first = least + (untold.wrapping_sub(least) & mask);
                larger.put(larger.bucket(first), word);
            }
        }
        *self = larger;
    }

    /// The bucket of a key that has this first half.
    #[inline(always)]
    fn bucket(&self, first: u64) -> &[AtomicU64] {
        let bucket = (u128::from(first) * u128::from(self.buckets)) >> 64;
        let start = self.skip + WAYS * bucket as usize;
        &self.words[start..start + WAYS]
    }

    /// The bucket of a key, and what an entry there says of it.
    #[inline(always)]
    fn place(&self, key: u128) -> (&[AtomicU64], u64) {
        // Least keys are small: the product spreads them evenly, and no two have the same.
        let (first, second) = (((key >> 64) as u64).wrapping_mul(SPREAD), key as u64);
        let rest = first & (u64::MAX >> (64 - self.untold)) | second << self.untold;
        (self.bucket(first), rest << (BOUNDS_BITS + WORK_BITS))
    }

    /// Asks for the bucket of a key that is probed soon.
    #[inline(always)]
    pub(super) fn prefetch(&self, key: u128) {
        cpu::prefetch(&self.place(key).0[0]);
    }

    /// What is known of the position with this key.
    #[inline(always)]
    pub(super) fn probe(&self, key: u128) -> Bounds {
        let (bucket, tag) = self.place(key);
        for entry in bucket {
            let word = entry.load(Relaxed);
            if word & TAG == tag && word != 0 {
                return decode(word);
            }
        }
        Bounds::UNKNOWN
    }

    /// Remembers what is known of the position with this key, in the place of what cost the least.
    #[inline(always)]
    pub(super) fn store(&self, key: u128, bounds: Bounds, nodes: u64) {
        let (bucket, tag) = self.place(key);
        let work = u64::from((nodes + 1).ilog2()).min((1 << WORK_BITS) - 1);
        let word = tag | work << BOUNDS_BITS | encode(bounds);
        self.put(bucket, word);
    }

    /// Puts an entry into its bucket.
    #[inline(always)]
    fn put(&self, bucket: &[AtomicU64], word: u64) {
        let tag = word & TAG;
        let mut victim = 0;
        let mut least = u64::MAX;
        for (way, entry) in bucket.iter().enumerate() {
            let held = entry.load(Relaxed);
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
        bucket[victim].store(word, Relaxed);
    }
}

/// The positions that threads are searching now, as far as slots do not collide; it only directs
/// work. And whether the search is over for all of them.
#[derive(Debug)]
pub(super) struct Busy {
    keys: Vec<AtomicU64>,
    over: AtomicBool,
}

impl Busy {
    const SLOTS: usize = 1 << 14;

    pub(super) fn new() -> Self {
        let keys = (0..Busy::SLOTS).map(|_| AtomicU64::new(0)).collect();
        Busy { keys, over: AtomicBool::new(false) }
    }

    /// Forgets all, for a new search.
    pub(super) fn clear(&mut self) {
        self.keys.iter_mut().for_each(|key| *key.get_mut() = 0);
        *self.over.get_mut() = false;
    }

    #[inline]
    fn slot(&self, key: u128) -> (&AtomicU64, u64) {
        let key = (key >> 64) as u64;
        (&self.keys[key as usize % Busy::SLOTS], key)
    }

    #[inline]
    pub(super) fn insert(&self, key: u128) {
        let (slot, key) = self.slot(key);
        slot.store(key, Relaxed);
    }

    #[inline]
    pub(super) fn remove(&self, key: u128) {
        let (slot, key) = self.slot(key);
        if slot.load(Relaxed) == key {
            slot.store(0, Relaxed);
        }
    }

    #[inline]
    pub(super) fn contains(&self, key: u128) -> bool {
        let (slot, key) = self.slot(key);
        slot.load(Relaxed) == key
    }

    /// Ends the search of all threads.
    pub(super) fn end(&self) {
        self.over.store(true, Relaxed);
    }

    #[inline]
    pub(super) fn is_over(&self) -> bool {
        self.over.load(Relaxed)
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
            let table = Table::new(bytes).unwrap();
            let mut stored = std::collections::HashMap::new();
            // Keys that differ in few bits, at either end, and keys at random.
            for round in 0..20_000_u64 {
                let key = match round % 3 {
                    0 => round,
                    1 => round.reverse_bits(),
                    _ => rng.next_u64(),
                };
                let key = u128::from(key) << 64 | u128::from(key % 3);
                let bounds = some_bounds(&mut rng);
                table.store(key, bounds, rng.next_u64() >> rng.below(64));
                stored.insert(key, bounds);
                assert_eq!(table.probe(key), bounds);
            }
            let found = |(key, bounds): (&u128, &Bounds)| match table.probe(*key) {
                Bounds::UNKNOWN => false,
                found => found == *bounds || panic!("{key:?}: {found:?}, stored {bounds:?}"),
            };
            assert!(stored.iter().filter(|&(k, b)| found((k, b))).count() > 5000);
            for _ in 0..100_000 {
                let key = u128::from(rng.next_u64()) << 64;
                assert!(stored.contains_key(&key) || table.probe(key) == Bounds::UNKNOWN);
            }
        }
    }

    #[test]
    fn what_cost_most_stays() {
        let table = Table::new(0).unwrap();
        let fact = Bounds::exactly(GameValue::Win);
        let bucket = |key: &u128| table.place(*key).0.as_ptr();
        let costly = 1000 << 64;
        let cheap = (0..200_000_u128).map(|first| first << 64);
        let beside = cheap.filter(|key| *key != costly && bucket(key) == bucket(&costly));
        table.store(costly, fact, 1 << 40);
        let count = beside.map(|key| table.store(key, fact, 10)).count();
        assert!(count > 2 * WAYS, "{count}");
        assert_eq!(table.probe(costly), fact);
    }

    #[test]
    fn too_much_memory_is_an_error() {
        assert!(Table::new(usize::MAX / 2).is_err());
    }
}
