//! The table of the depth-first searches: numbers and results by key, in bounded memory, shared by
//! all threads without locks.
//!
//! An entry is two words of 64 bits: the data (φ, δ, whether there are entries by way, and the logarithm
//! of the work behind it), and the whole key XOR the data. Threads load and store the words separately; an
//! entry whose halves are of two different writes does not match any key that is asked for (Hyatt and
//! Mann 2002, "A lockless transposition-table implementation for parallel search"). A full bucket loses
//! what cost the least work. As long as the table can grow, results that lose their place are kept aside and
//! return when it does: then a proof can be followed to its end ([`Table::recall`]).
//!
//! The table begins small and doubles when it is half full, up to its bound: a short search touches
//! little memory. No thread may use it meanwhile, so the search ends a round first (`depth_first.rs`).

use std::collections::{BTreeMap, TryReserveError};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use spinney_game::cpu;

use super::numbers::{Ending, Known, LARGEST};

/// Entries in a bucket: one cache line.
const WAYS: usize = 4;
const WORDS: usize = 2 * WAYS;
/// Buckets at the start: 256 KiB.
const FEWEST_BITS: u32 = 12;
const NUMBER_BITS: u32 = 28;
const WORK_BITS: u32 = 6;
/// The bits of an entry that tell its work.
const WORK: u64 = (1 << WORK_BITS) - 1;

const _: () = assert!(LARGEST < 1 << NUMBER_BITS && Ending::BITS <= NUMBER_BITS);

/// A table that grows up to a bound.
#[derive(Debug)]
pub(super) struct Table {
    /// Buckets of [`WAYS`] entries each, after as many words as bring them to a cache line. Both words
    /// of an empty entry are 0.
    words: Vec<AtomicU64>,
    skip: usize,
    /// The buckets are 2 to this power, now and at most.
    bits: u32,
    most_bits: u32,
    used: AtomicUsize,
    /// Results without a place, by key. In order, so that a search on one thread is always the same.
    aside: Mutex<BTreeMap<u64, u64>>,
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
        let (used, aside) = (0.into(), Mutex::default());
        let mut table = Table { words, skip: 0, bits: FEWEST_BITS, most_bits, used, aside };
        table.resize();
        table.skip = table.words.as_ptr().align_offset(8 * WORDS).min(WORDS - 1);
        Ok(table)
    }

    fn resize(&mut self) {
        self.words.resize_with((WORDS << self.bits) + WORDS - 1, AtomicU64::default);
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.words.clear();
        self.bits = FEWEST_BITS;
        self.used = 0.into();
        self.aside = Mutex::default();
        self.resize();
    }

    /// Entries in use.
    pub(super) fn len(&self) -> usize {
        self.used.load(Relaxed)
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> usize {
        8 * self.words.len()
    }

    /// The bucket of a key.
    #[inline(always)]
    fn bucket(&self, key: u64) -> &[AtomicU64] {
        let place = self.skip + WORDS * (key >> (64 - self.bits)) as usize;
        &self.words[place..place + WORDS]
    }

    /// Asks for the entry of a key that is probed soon.
    #[inline(always)]
    pub(super) fn prefetch(&self, key: u64) {
        cpu::prefetch(&self.bucket(key)[0]);
    }

    /// The data of a key; 0 if it has none.
    #[inline(always)]
    fn data(&self, key: u64) -> u64 {
        let entries = self.bucket(key).chunks_exact(2);
        let mut data = entries.map(|entry| (entry[0].load(Relaxed), entry[1].load(Relaxed)));
        data.find(|&(check, data)| check ^ data == key && data != 0).map_or(0, |(_, data)| data)
    }

    /// What is known of the position with this key.
    #[inline(always)]
    pub(super) fn probe(&self, key: u64) -> Option<Entry> {
        Some(self.data(key)).filter(|&data| data != 0).map(decode)
    }

    /// The same, with results that have no place. Slower.
    pub(super) fn recall(&self, key: u64) -> Option<Entry> {
        let aside = || self.aside().get(&key).copied().map(decode);
        self.probe(key).filter(|entry| entry.known.is_solved()).or_else(aside)
    }

    fn aside(&self) -> MutexGuard<'_, BTreeMap<u64, u64>> {
        self.aside.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Remembers what is known of the position with this key, in the place of what cost the least. The
    /// work of an entry is that of all its stores.
    #[inline(always)]
    pub(super) fn store(&self, key: u64, entry: Entry, nodes: u64) {
        self.store_data(key, encode(entry), nodes);
    }

    #[inline(always)]
    fn store_data(&self, key: u64, data: u64, nodes: u64) {
        let bucket = self.bucket(key);
        let mut victim = 0;
        let mut least = u64::MAX;
        let mut work = nodes;
        for (way, entry) in bucket.chunks_exact(2).enumerate() {
            let held = entry[1].load(Relaxed);
            if entry[0].load(Relaxed) ^ held == key && held != 0 {
                victim = way;
                least = u64::MAX;
                work = work.saturating_add(work_of(held));
                break;
            }
            // An empty entry cost nothing, and comes before one that cost one node.
            let cost = if held == 0 { 0 } else { 1 + held % (1 << WORK_BITS) };
            if cost < least {
                least = cost;
                victim = way;
            }
        }
        if least == 0 {
            self.used.fetch_add(1, Relaxed);
        }
        let data = data | u64::from(work.saturating_add(1).ilog2()).min(WORK);
        let entry = &bucket[2 * victim..2 * victim + 2];
        if least != 0 && least != u64::MAX && self.bits < self.most_bits {
            self.keep_aside(entry[0].load(Relaxed), entry[1].load(Relaxed));
        }
        entry[0].store(key ^ data, Relaxed);
        entry[1].store(data, Relaxed);
    }

    #[cold]
    fn keep_aside(&self, check: u64, data: u64) {
        if data != 0 && is_result(data) {
            self.aside().insert(check ^ data, data);
        }
    }

    /// Keys and data of all entries. Other threads may write meanwhile.
    pub(super) fn entries(&self) -> impl Iterator<Item = (u64, u64)> {
        let words = &self.words[self.skip..self.skip + (WORDS << self.bits)];
        let entries = words.chunks_exact(2).enumerate().map(|(place, entry)| {
            let data = entry[1].load(Relaxed);
            (place / WAYS, entry[0].load(Relaxed) ^ data, data)
        });
        // A key that belongs elsewhere is torn between two writes.
        let here = |&(bucket, key, data): &(usize, u64, u64)| {
            data != 0 && (key >> (64 - self.bits)) as usize == bucket
        };
        let aside: Vec<(u64, u64)> = self.aside().iter().map(|(&key, &data)| (key, data)).collect();
        entries.filter(here).map(|(_, key, data)| (key, data)).chain(aside)
    }

    /// Keys and data of at most `most` results that hold whatever the way, those that cost most work.
    pub(super) fn proofs(&self, most: usize) -> Vec<(u64, u64)> {
        let is_proof = |&(_, data): &(u64, u64)| is_result(data);
        // 1. How many there are for each amount of work, and the least that is taken.
        let mut counts = [0; 1 << WORK_BITS];
        self.entries().filter(is_proof).for_each(|(_, data)| counts[(data & WORK) as usize] += 1);
        let mut least = WORK;
        let mut count = counts[least as usize];
        while least > 0 && count < most {
            least -= 1;
            count += counts[least as usize];
        }
        // 2. These, the most costly first.
        let is_costly = |&(_, data): &(u64, u64)| data & WORK >= least;
        let mut proofs: Vec<_> = self.entries().filter(is_proof).filter(is_costly).collect();
        proofs.sort_unstable_by_key(|&(key, data)| (std::cmp::Reverse(data & WORK), key));
        proofs.truncate(most);
        proofs
    }

    /// Takes in an entry of another table; `false` if no search makes such an entry.
    pub(super) fn adopt(&self, key: u64, data: u64) -> bool {
        let (phi, delta) = (data >> (64 - 1 - NUMBER_BITS), data >> (WORK_BITS + 1));
        let delta = delta & ((1 << NUMBER_BITS) - 1);
        let is_possible = phi < 1 << NUMBER_BITS && (phi != 0 || delta != 0);
        if is_possible {
            self.store_data(key, data & !WORK, work_of(data));
        }
        is_possible
    }

    /// Whether the table is to grow.
    #[inline(always)]
    pub(super) fn is_crowded(&self) -> bool {
        self.bits < self.most_bits && self.len() > (WAYS / 2) << self.bits
    }

    /// Grows until that many more entries fit, or up to its bound.
    pub(super) fn make_room(&mut self, entries: u64) {
        let wanted = entries.saturating_add(self.len() as u64);
        while self.bits < self.most_bits && wanted > (WAYS as u64 / 2) << self.bits {
            self.grow();
        }
    }

    /// Twice the buckets: each splits into two neighbours by the next bit of the keys.
    pub(super) fn grow(&mut self) {
        let old = 1 << self.bits;
        self.bits += 1;
        self.resize();
        // From the last, so that no bucket is overwritten before it has moved.
        for bucket in (0..old).rev() {
            let place = self.skip + WORDS * bucket;
            let mut entries = [0; WORDS];
            for (entry, word) in entries.iter_mut().zip(&mut self.words[place..place + WORDS]) {
                *entry = std::mem::take(word.get_mut());
            }
            let target = self.skip + 2 * WORDS * bucket;
            let mut ends = [target, target + WORDS];
            self.words[target..target + 2 * WORDS].fill_with(AtomicU64::default);
            for entry in entries.chunks_exact(2).filter(|entry| entry[1] != 0) {
                let key = entry[0] ^ entry[1];
                let end = &mut ends[(key >> (64 - self.bits)) as usize & 1];
                *self.words[*end].get_mut() = entry[0];
                *self.words[*end + 1].get_mut() = entry[1];
                *end += 2;
            }
        }
        // Whoever was found again meanwhile has the better of both results.
        let aside = std::mem::take(self.aside.get_mut().unwrap_or_else(PoisonError::into_inner));
        for (key, data) in aside {
            let held = self.probe(key).map(|entry| entry.known).filter(|known| known.is_solved());
            if held.is_none_or(|held| held.ending < decode(data).known.ending) {
                self.store_data(key, data & !WORK, work_of(data));
            }
        }
    }
}

/// Whether an entry is a result that holds whatever the way.
pub(super) fn is_result(data: u64) -> bool {
    let known = decode(data).known;
    known.is_solved() && known.ending.repeated_ply().is_none()
}

/// The nodes behind an entry, at least.
#[inline(always)]
fn work_of(data: u64) -> u64 {
    (1 << (data & WORK)) - 1
}

/// The data of an entry without its work, never 0: a number of an open position is at least 1, and so is an ending.
#[inline(always)]
fn encode(Entry { known, has_ways }: Entry) -> u64 {
    let (phi, delta) = match (known.phi, known.delta) {
        (0, _) => (0, known.ending.number()),
        (_, 0) => (known.ending.number(), 0),
        numbers => numbers,
    };
    let numbers = u64::from(phi) << NUMBER_BITS | u64::from(delta);
    (numbers << 1 | u64::from(has_ways)) << WORK_BITS
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
    use std::collections::BTreeMap;

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
            let mut stored = BTreeMap::new();
            for round in 0..100_000_u64 {
                let key = if round % 3 == 0 { round } else { rng.next_u64() };
                let entry = some_entry(&mut rng);
                // Those that would all fall into the first bucket are few enough for the others.
                let key = if round % 3 == 0 { key.reverse_bits() } else { key };
                table.store(key, entry, rng.next_u64() >> rng.below(64));
                if table.is_crowded() {
                    table.grow();
                }
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
        let table = Table::new(0).unwrap();
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
