//! The table of a depth-first proof-number search: numbers and results by key, in bounded memory.
//!
//! An entry is two words of 64 bits: the whole key, and what is known with the logarithm of the
//! work behind it. A full bucket loses what cost the least. The table begins small and doubles when
//! it is half full, up to its bound: a short search touches little memory.

use std::collections::TryReserveError;

use super::numbers::{Ending, Known, LARGEST};

/// Entries in a bucket: one cache line.
const WAYS: usize = 4;
const WORDS: usize = 2 * WAYS;
/// Buckets at the start: 256 KiB.
const FEWEST_BITS: u32 = 12;
const NUMBER_BITS: u32 = 28;
const WORK_BITS: u32 = 6;

const _: () = assert!(LARGEST < 1 << NUMBER_BITS && Ending::BITS <= NUMBER_BITS);

/// A table that grows up to a bound.
#[derive(Debug)]
pub(super) struct Table {
    /// Buckets of [`WAYS`] entries each, after as many words as bring them to a cache line. The
    /// second word of an empty entry is 0.
    words: Vec<u64>,
    skip: usize,
    /// The buckets are 2 to this power, now and at most.
    bits: u32,
    most_bits: u32,
    used: usize,
}

/// What the table knows of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) known: Known,
    /// Whether there may be other entries for the position, each for one way to it.
    pub(super) has_ways: bool,
}

impl Table {
    /// A table of at most `bytes`, but at least 256 KiB, the smallest there is.
    pub(super) fn new(bytes: usize) -> Result<Table, TryReserveError> {
        let most_bits = (bytes / (8 * WORDS)).max(1).ilog2().max(FEWEST_BITS);
        let mut words = Vec::new();
        // The room is taken once, so that the words never move; memory is used where it is filled.
        words.try_reserve_exact((WORDS << most_bits) + WORDS - 1)?;
        let mut table = Table { words, skip: 0, bits: FEWEST_BITS, most_bits, used: 0 };
        table.words.resize((WORDS << table.bits) + WORDS - 1, 0);
        table.skip = table.words.as_ptr().align_offset(8 * WORDS).min(WORDS - 1);
        Ok(table)
    }

    /// Entries in use.
    pub(super) fn len(&self) -> usize {
        self.used
    }

    /// The place of the bucket of a key.
    #[inline(always)]
    fn place(&self, key: u64) -> usize {
        self.skip + WORDS * (key >> (64 - self.bits)) as usize
    }

    /// What is known of the position with this key.
    #[inline(always)]
    pub(super) fn probe(&self, key: u64) -> Option<Entry> {
        let place = self.place(key);
        self.words[place..place + WORDS]
            .chunks_exact(2)
            .find(|entry| entry[0] == key && entry[1] != 0)
            .map(|entry| decode(entry[1]))
    }

    /// Remembers what is known of the position with this key, in the place of what cost the least.
    #[inline(always)]
    pub(super) fn store(&mut self, key: u64, entry: Entry, nodes: u64) {
        let place = self.place(key);
        let work = u64::from((nodes + 1).ilog2()).min((1 << WORK_BITS) - 1);
        let bucket = &mut self.words[place..place + WORDS];
        let mut victim = 0;
        let mut least = u64::MAX;
        for (way, held) in bucket.chunks_exact(2).enumerate() {
            if held[0] == key && held[1] != 0 {
                victim = way;
                break;
            }
            // An empty entry cost nothing, and comes before one that cost one node.
            let cost = if held[1] == 0 { 0 } else { 1 + held[1] % (1 << WORK_BITS) };
            if cost < least {
                least = cost;
                victim = way;
            }
        }
        self.used += usize::from(bucket[2 * victim + 1] == 0);
        bucket[2 * victim] = key;
        bucket[2 * victim + 1] = encode(entry, work);
        if self.used > (WAYS / 2) << self.bits && self.bits < self.most_bits {
            self.grow();
        }
    }

    /// Twice the buckets: each splits into two neighbours by the next bit of the keys.
    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        let old = 1 << self.bits;
        self.bits += 1;
        self.words.resize((WORDS << self.bits) + WORDS - 1, 0);
        // From the last, so that no bucket is overwritten before it has moved.
        for bucket in (0..old).rev() {
            let place = self.skip + WORDS * bucket;
            let mut entries = [0; WORDS];
            entries.copy_from_slice(&self.words[place..place + WORDS]);
            self.words[place..place + WORDS].fill(0);
            let target = self.skip + 2 * WORDS * bucket;
            self.words[target..target + 2 * WORDS].fill(0);
            let mut ends = [target, target + WORDS];
            for entry in entries.chunks_exact(2).filter(|entry| entry[1] != 0) {
                let end = &mut ends[(entry[0] >> (64 - self.bits)) as usize & 1];
                self.words[*end..*end + 2].copy_from_slice(entry);
                *end += 2;
            }
        }
    }
}

/// One word, never 0: a number of an open position is at least 1, and so is an ending.
#[inline(always)]
fn encode(Entry { known, has_ways }: Entry, work: u64) -> u64 {
    let (phi, delta) = match (known.phi, known.delta) {
        (0, _) => (0, known.ending.number()),
        (_, 0) => (known.ending.number(), 0),
        numbers => numbers,
    };
    let numbers = u64::from(phi) << NUMBER_BITS | u64::from(delta);
    (numbers << 1 | u64::from(has_ways)) << WORK_BITS | work
}

#[inline(always)]
fn decode(word: u64) -> Entry {
    let has_ways = word >> WORK_BITS & 1 == 1;
    let delta = (word >> (WORK_BITS + 1)) as u32 & ((1 << NUMBER_BITS) - 1);
    let phi = (word >> (WORK_BITS + 1 + NUMBER_BITS)) as u32;
    let known = match (phi, delta) {
        (0, ending) => Known::success(Ending::from_number(ending)),
        (ending, 0) => Known::failure(Ending::from_number(ending)),
        (phi, delta) => Known::open(phi, delta),
    };
    Entry { known, has_ways }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use spinney_game::Rng;

    use super::*;

    fn some_entry(rng: &mut Rng) -> Entry {
        let ending = match rng.below(3) {
            0 => Ending::FACT,
            1 => Ending::rests_on(rng.below(1000)),
            _ => Ending::decisive(1 + rng.below(1000)),
        };
        let known = match rng.below(4) {
            0 => Known::success(ending),
            1 => Known::failure(ending),
            2 => Known::open(LARGEST, 1),
            _ => Known::open(1 + rng.below(LARGEST), 1 + rng.below(LARGEST)),
        };
        Entry { known, has_ways: rng.below(2) == 0 }
    }

    #[test]
    fn what_is_found_was_stored() {
        let mut rng = Rng::new(1);
        for (bytes, fewest) in [(0, 10_000), (1 << 20, 30_000), (1 << 24, 95_000)] {
            let mut table = Table::new(bytes).unwrap();
            let mut stored = HashMap::new();
            for round in 0..100_000_u64 {
                let key = if round % 3 == 0 { round } else { rng.next_u64() };
                let entry = some_entry(&mut rng);
                // Those that would all fall into the first bucket are few enough for the others.
                let key = if round % 3 == 0 { key.reverse_bits() } else { key };
                table.store(key, entry, rng.next_u64() >> rng.below(64));
                stored.insert(key, entry);
                assert_eq!(table.probe(key), Some(entry));
            }
            let found = |(&key, &entry): (&u64, &Entry)| match table.probe(key) {
                None => false,
                Some(found) => found == entry || panic!("{key:x}: {found:?}, stored {entry:?}"),
            };
            let count = stored.iter().filter(|&pair| found(pair)).count();
            assert!(count >= fewest, "{count} of {bytes} bytes");
        }
    }

    #[test]
    fn what_cost_most_stays() {
        let mut table = Table::new(0).unwrap();
        let entry = Entry { known: Known::success(Ending::decisive(1)), has_ways: false };
        table.store(1000, entry, 1 << 40);
        (0..100).for_each(|key| table.store(key, entry, 10));
        assert_eq!(table.probe(1000), Some(entry));
    }

    #[test]
    fn too_much_memory_is_an_error() {
        assert!(Table::new(usize::MAX / 2).is_err());
    }
}
