//! How much is left to prove: proof numbers in a Monte Carlo tree.
//!
//! A node has two numbers: at least how many leaves must be proven until the side that moved into it,
//! or the side to move in it, has a forced win. They are those of proof-number search, with a proof for
//! either side, so that a draw is out of reach for both. Selection prefers children that are easily won.
//!
//! Reference: Kowalski, Doe, Winands, Górski, Soemers, "Proof Number-Based Monte-Carlo Tree Search",
//! 2023 (PN-MCTS). *Deviations*: a child is preferred by the least effort among all children over its
//! own, not by its rank; and the more, the clearer the result is at the parent. Where nothing is decided
//! yet, a preference for what is easily proven only misleads.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::node::{Node, Proof};
use super::tree::Tree;
use crate::GameValue;

/// The leaves to prove for a win of each side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Effort {
    /// Of the side that moved into the node.
    pub(super) own: u32,
    /// Of the side to move.
    pub(super) other: u32,
}

/// It cannot be won.
const NEVER: u32 = u32::MAX;

impl Effort {
    const LEAF: Effort = Effort { own: 1, other: 1 };

    /// Nothing is left of a proven node.
    fn of_proof(proof: Proof) -> Option<Effort> {
        Some(match proof.value()? {
            GameValue::Win => Effort { own: 0, other: NEVER },
            GameValue::Loss => Effort { own: NEVER, other: 0 },
            GameValue::Draw => Effort { own: NEVER, other: NEVER },
        })
    }
}

/// The effort of a node that is not proven, kept beside it.
pub(super) struct Entry(AtomicU64);

impl Default for Entry {
    fn default() -> Self {
        let entry = Entry(AtomicU64::new(0));
        entry.store(Effort::LEAF);
        entry
    }
}

impl Entry {
    pub(super) fn reset(&self) {
        self.store(Effort::LEAF);
    }

    pub(super) fn copy(&self, other: &Entry) {
        self.store(other.load());
    }

    fn load(&self) -> Effort {
        let bits = self.0.load(Relaxed);
        Effort { own: (bits >> 32) as u32, other: bits as u32 }
    }

    fn store(&self, Effort { own, other }: Effort) {
        self.0.store(u64::from(own) << 32 | u64::from(other), Relaxed);
    }

    /// The effort of the side that moved into the node that this is beside, unless that is proven.
    #[inline(always)]
    pub(super) fn own(&self) -> u32 {
        self.load().own
    }

    /// The effort of the node that this is beside.
    #[inline(always)]
    pub(super) fn of(&self, node: &Node) -> Effort {
        Effort::of_proof(node.proof()).unwrap_or_else(|| self.load())
    }
}

/// Brings the efforts along a trail up to date, from its end up, as far as something changes.
pub(super) fn update(tree: &Tree, trail: &[&Node]) {
    for pair in trail.windows(2).rev() {
        let [parent, node] = [pair[0], pair[1]];
        if !node.is_expanded() {
            continue; // A leaf stays as it is, or is proven.
        }
        let effort = of_children(tree, node);
        let entry = &tree.efforts(parent)[tree.place(parent, node)];
        if entry.load() == effort && !node.proof().is_exact() {
            return;
        }
        entry.store(effort);
    }
}

/// The side to move wins with any child, its opponent must win them all.
fn of_children(tree: &Tree, node: &Node) -> Effort {
    let mut effort = Effort { own: 0, other: NEVER };
    for (child, entry) in tree.children(node).iter().zip(tree.efforts(node)) {
        let child = entry.of(child);
        effort.other = effort.other.min(child.own);
        effort.own = match (effort.own, child.other) {
            (NEVER, _) | (_, NEVER) => NEVER,
            (sum, more) => sum.saturating_add(more).min(NEVER - 1),
        };
    }
    effort
}

/// The least effort that wins by one of the children that are not proven.
#[inline(always)]
pub(super) fn least(children: &[Node], entries: &[Entry]) -> f32 {
    let open = children.iter().zip(entries).filter(|(child, _)| !child.proof().is_exact());
    open.map(|(_, entry)| entry.own()).min().unwrap_or(NEVER) as f32
}

#[cfg(test)]
mod tests {
    use super::super::node::Score;
    use super::super::tree::{Claim, Options, ROOT};
    use super::*;

    #[test]
    fn efforts_are_proof_numbers() {
        let options = Options {
            solver: true,
            priors: false,
            rave: false,
            efforts: true,
            transpositions: false,
        };
        let tree = Tree::new(0, options);
        let mut claim = Claim::default();
        let root = tree.node(ROOT);
        assert!(tree.expand(root, &mut claim, 0..3, &[]));
        let child = &tree.children(root)[1];
        assert!(tree.expand(child, &mut claim, 0..4, &[]));
        let effort = |node| tree.efforts(root)[tree.place(root, node)].of(node);
        assert_eq!(effort(child), Effort::LEAF);
        let leaf = &tree.children(child)[2];
        tree.add(leaf, false, 1, Score::new(0.0));
        update(&tree, &[root, child, leaf]);
        // Any of four moves may win for the side to move there; the other must win them all.
        assert_eq!(effort(child), Effort { own: 4, other: 1 });
        // The side to move at the child loses by this move: three are left.
        tree.prove(leaf, Proof::exact(GameValue::Loss, 0));
        update(&tree, &[root, child, leaf]);
        assert_eq!(effort(child), Effort { own: 3, other: 1 });
        // It has a draw: the other cannot win any more.
        tree.prove(&tree.children(child)[0], Proof::exact(GameValue::Draw, 0));
        update(&tree, &[root, child, leaf]);
        assert_eq!(effort(child), Effort { own: NEVER, other: 1 });
        assert_eq!(least(tree.children(root), tree.efforts(root)), 1.0);
        tree.prove(child, Proof::exact(GameValue::Loss, 3));
        assert_eq!(effort(child), Effort { own: NEVER, other: 0 });
    }
}
