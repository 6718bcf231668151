//! The transposition table, shared by all threads.
//!
//! A bucket holds two entries (paper `mia`, 3: two-deep; Breuker et al. 1996, "Replacement schemes
//! and information about transpositions"): the first keeps the deepest search, and what it loses
//! goes to the second, which is always replaced. Searches of earlier moves count as shallow.
//!
//! Threads use it without locks: an entry is two words, the data and the key XOR the data (Hyatt
//! and Mann 2002, "A lock-less transposition-table implementation"). An entry torn between two
//! threads has the key of no position, but for a chance of 2^-64.

use std::collections::TryReserveError;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use spinney_game::cpu;

/// Depths are in units of 1 / `PLY` ply.
pub(super) const PLY: i32 = 16;
/// The depth of a value that no deeper search can change: the lines below end with the game.
pub(super) const FACT: i32 = (1 << DEPTH_BITS) - 1;

/// What a value says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// The true value is at most this.
    Upper = 1,
    /// At least this.
    Lower = 2,
    /// Exactly this.
    Exact = 3,
}

/// What is known of a position, as the side to move there sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// Wins and losses are counted from the position.
    pub(super) value: i32,
    pub(super) bound: Bound,
    /// In parts of a ply.
    pub(super) depth: i32,
    /// The best move, packed.
    pub(super) m: u32,
    /// Whether the present search stored it.
    pub(super) is_fresh: bool,
}

impl Entry {
    /// Whether the true value is at least `value`, as far as the depth goes.
    #[inline]
    pub(super) fn is_lower(self) -> bool {
        self.bound as u8 & Bound::Lower as u8 != 0
    }

    /// Whether the true value is at most `value`.
    #[inline]
    pub(super) fn is_upper(self) -> bool {
        self.bound as u8 & Bound::Upper as u8 != 0
    }
}

// An entry, from the lowest bit: move, value, depth, bound, generation. A bound is never 0, so
// neither is an entry.
const VALUE_SHIFT: u32 = 32;
const DEPTH_SHIFT: u32 = 48;
const DEPTH_BITS: u32 = 11;
const BOUND_SHIFT: u32 = 59;
const GENERATION_SHIFT: u32 = 61;
const GENERATIONS: u64 = 8;

/// Words of a bucket: two entries of two words.
const BUCKET: usize = 4;

/// A table of fixed size.
#[derive(Debug)]
pub(super) struct Table {
    /// Buckets, after as many words as keep each within a cache line.
    words: Vec<AtomicU64>,
    skip: usize,
    buckets: u64,
    /// The number of the present search.
    generation: AtomicU64,
}

impl Table {
    /// A table of at most `bytes`, or none.
    pub(super) fn new(bytes: usize) -> Result<Table, TryReserveError> {
        let buckets = bytes / (8 * BUCKET);
        let length = if buckets > 0 { BUCKET * buckets + BUCKET - 1 } else { 0 };
        Vec::<u64>::new().try_reserve_exact(length)?;
        // Collected in place: the words come zeroed from the system, and take memory only where
        // they are used.
        let words: Vec<AtomicU64> = vec![0; length].into_iter().map(AtomicU64::new).collect();
        let skip = words.as_ptr().align_offset(8 * BUCKET).min(BUCKET - 1);
        Ok(Table { words, skip, buckets: buckets as u64, generation: AtomicU64::new(0) })
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.words.iter_mut().for_each(|word| *word.get_mut() = 0);
        *self.generation.get_mut() = 0;
    }

    /// Begins another search: what earlier ones found is not fresh any more, and the first to go.
    pub(super) fn begin_search(&self) {
        let last = self.generation.load(Relaxed);
        self.generation.store((last + 1) % GENERATIONS, Relaxed);
    }

    #[inline]
    fn bucket(&self, key: u64) -> Option<&[AtomicU64; BUCKET]> {
        let number = (u128::from(key) * u128::from(self.buckets)) >> 64;
        let place = self.skip + BUCKET * number as usize;
        self.words.get(place..)?.first_chunk()
    }

    /// Brings the entries of a key nearer to the processor, which takes long: they are asked for
    /// after some other work.
    #[inline]
    pub(super) fn touch(&self, key: u64) {
        if let Some(bucket) = self.bucket(key) {
            cpu::prefetch(bucket);
        }
    }

    /// What is known of the position with this key.
    #[inline]
    pub(super) fn probe(&self, key: u64) -> Option<Entry> {
        let bucket = self.bucket(key)?;
        [0, 2].into_iter().find_map(|at| {
            let data = bucket[at + 1].load(Relaxed);
            (bucket[at].load(Relaxed) ^ data == key).then(|| self.decode(data)).flatten()
        })
    }

    /// Remembers what is known of the position with this key.
    #[inline]
    pub(super) fn store(&self, key: u64, entry: Entry) {
        let Some(bucket) = self.bucket(key) else { return };
        let generation = self.generation.load(Relaxed);
        let new = encode(entry, generation);
        let old = bucket[1].load(Relaxed);
        let old_key = bucket[0].load(Relaxed) ^ old;
        let is_shallower = entry.depth < depth_of(old) && old >> GENERATION_SHIFT == generation;
        let at = match old_key == key {
            true => 0,
            false if is_shallower => 2,
            false => {
                bucket[2].store(old_key ^ old, Relaxed);
                bucket[3].store(old, Relaxed);
                0
            }
        };
        bucket[at].store(key ^ new, Relaxed);
        bucket[at + 1].store(new, Relaxed);
    }

    /// The entry, unless it is empty.
    #[inline]
    fn decode(&self, data: u64) -> Option<Entry> {
        let bound = match data >> BOUND_SHIFT & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            3 => Bound::Exact,
            _ => return None,
        };
        let value = i32::from((data >> VALUE_SHIFT) as u16 as i16);
        let is_fresh = data >> GENERATION_SHIFT == self.generation.load(Relaxed);
        Some(Entry { value, bound, depth: depth_of(data), m: data as u32, is_fresh })
    }
}

#[inline]
fn encode(entry: Entry, generation: u64) -> u64 {
    u64::from(entry.m)
        | u64::from(entry.value as i16 as u16) << VALUE_SHIFT
        | (entry.depth.clamp(0, FACT) as u64) << DEPTH_SHIFT
        | (entry.bound as u64) << BOUND_SHIFT
        | generation << GENERATION_SHIFT
}

#[inline]
fn depth_of(data: u64) -> i32 {
    (data >> DEPTH_SHIFT) as i32 & FACT
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: i32) -> Entry {
        Entry { value: -321, bound: Bound::Lower, depth, m: 0xdead_beef, is_fresh: true }
    }

    #[test]
    fn what_is_stored_is_found() {
        let table = Table::new(1 << 16).unwrap();
        for (number, bound) in [Bound::Upper, Bound::Lower, Bound::Exact].into_iter().enumerate() {
            for value in [-32_000, -1, 0, 1, 32_000] {
                let key = (number as u64) << 60 | value as u32 as u64;
                let entry = Entry { value, bound, depth: FACT, m: u32::MAX, is_fresh: true };
                assert_eq!(table.probe(key), None);
                table.store(key, entry);
                assert_eq!(table.probe(key), Some(entry));
            }
        }
    }

    #[test]
    fn a_table_without_memory_forgets() {
        let table = Table::new(0).unwrap();
        table.store(5, entry(1));
        assert_eq!(table.probe(5), None);
        assert_eq!(table.probe(0), None);
        assert!(Table::new(usize::MAX / 2).is_err());
    }

    #[test]
    fn the_deepest_stays_and_the_last_is_found() {
        // One bucket.
        let mut table = Table::new(8 * BUCKET).unwrap();
        table.store(1, entry(9));
        table.store(2, entry(3));
        table.store(3, entry(4));
        assert_eq!([1, 2, 3].map(|key| table.probe(key).is_some()), [true, false, true]);
        table.store(4, entry(9));
        assert_eq!([1, 3, 4].map(|key| table.probe(key).is_some()), [true, false, true]);
        // In the next search all of that counts as shallow.
        assert!(table.probe(4).unwrap().is_fresh);
        table.begin_search();
        assert!(!table.probe(4).unwrap().is_fresh);
        table.store(5, entry(0));
        table.store(6, entry(0));
        assert_eq!([4, 5, 6].map(|key| table.probe(key).is_some()), [false, true, true]);
        table.clear();
        assert_eq!(table.probe(5), None);
    }

    #[test]
    fn a_torn_entry_is_not_found() {
        let table = Table::new(8 * BUCKET).unwrap();
        table.store(1, entry(1));
        table.words[table.skip + 1].fetch_add(1, Relaxed);
        assert_eq!(table.probe(1), None);
    }
}
