//! Positions that are reached in several ways: transpositions.
//!
//! The tree stays a tree, and what a node knows is its own. But a node that is visited for the first
//! time may take the mean of a transposition, a node with the same position, in place of a playout.
//! Proofs are not taken over: they may rest on the path to the other node, since repetition does.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::tree::Index;

/// Nodes by the keys of their positions: one in a place, the last that was entered.
pub(super) struct Transpositions {
    /// The upper half of the key, then the index of the node; 0 where there is none. The root is never
    /// entered.
    entries: Box<[AtomicU64]>,
}

/// The least and the most places, as powers of two.
const LEAST: usize = 1 << 10;
const MOST: usize = 1 << 22;

impl Transpositions {
    /// No table.
    pub(super) fn none() -> Transpositions {
        Transpositions { entries: Box::new([]) }
    }

    /// A table of about `bytes`.
    pub(super) fn new(bytes: usize) -> Transpositions {
        let places = (bytes / size_of::<AtomicU64>()).clamp(LEAST, MOST);
        let places = 1 << places.ilog2();
        Transpositions { entries: (0..places).map(|_| AtomicU64::new(0)).collect() }
    }

    /// A table like this one, but empty.
    pub(super) fn like(&self) -> Transpositions {
        Transpositions { entries: self.entries.iter().map(|_| AtomicU64::new(0)).collect() }
    }

    pub(super) fn bytes(&self) -> usize {
        self.entries.len() * size_of::<AtomicU64>()
    }

    pub(super) fn clear(&mut self) {
        self.entries.iter_mut().for_each(|entry| *entry.get_mut() = 0);
    }

    /// Enters a node that is not the root.
    pub(super) fn enter(&self, key: u64, node: Index) {
        self.place(key).store(key & FRAGMENT | u64::from(node), Relaxed);
    }

    /// A node with the position of this key.
    pub(super) fn find(&self, key: u64) -> Option<Index> {
        let entry = self.place(key).load(Relaxed);
        let node = (entry & !FRAGMENT) as Index;
        (node != 0 && entry & FRAGMENT == key & FRAGMENT).then_some(node)
    }

    fn place(&self, key: u64) -> &AtomicU64 {
        &self.entries[key as usize & (self.entries.len() - 1)]
    }
}

/// The part of a key that an entry has.
const FRAGMENT: u64 = !0 << 32;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_is_found_by_its_key_until_another_takes_its_place() {
        let mut twins = Transpositions::new(0);
        let key = 7 << 40 | 5;
        assert_eq!(twins.find(key), None);
        twins.enter(key, 9);
        assert_eq!(twins.find(key), Some(9));
        assert_eq!(twins.find(key ^ 1 << 40), None);
        assert_eq!(twins.find(key ^ 1), None);
        twins.enter(key ^ 1 << 40, 3);
        assert_eq!((twins.find(key), twins.find(key ^ 1 << 40)), (None, Some(3)));
        twins.clear();
        assert_eq!(twins.find(key ^ 1 << 40), None);
    }
}
