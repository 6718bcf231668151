//! The tree of a Monte Carlo search: nodes in a flat arena that many threads may read and write.
//!
//! Every field of a node is atomic, so threads share a tree without locks and a snapshot can be
//! taken at any time. All values in a node are **as the side that moved into it sees them**: the
//! side to move in its parent compares its children without changing signs.
//!
//! The children of a node lie side by side in one chunk of the arena. Chunks are made when they are
//! needed and kept; a tree never holds more nodes than its capacity. What selection compares of a
//! node, its [`Urgency`], stands apart from it, eight bytes a node: looking at all children of a
//! node is most of the work of a search, and so it touches two or three cache lines.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicI64, AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering::*};

use crate::GameValue;

/// The index of a node.
pub(super) type Index = u32;

/// The root of every tree.
pub(super) const ROOT: Index = 0;

/// Results are kept as integers: sums of integers do not depend on the order of threads.
const SCALE: f32 = 65536.0;

/// Nodes in a chunk: some half a mebibyte.
const CHUNK: usize = 1 << 14;

/// A position in the tree, reached by a move.
#[derive(Default)]
pub(super) struct Node {
    /// The sum of results, times [`SCALE`].
    score: AtomicI64,
    visits: AtomicU32,
    /// The move that leads here, packed.
    pub(super) packed_move: AtomicU32,
    /// The first of the children.
    first_child: AtomicU32,
    /// What the game knows of the move, for the bias: the bits of an `f32`.
    prior: AtomicU32,
    proof: AtomicU32,
    child_count: AtomicU16,
    expansion: AtomicU8,
}

/// No children yet; some thread is making them; they are there.
const LEAF: u8 = 0;
const EXPANDING: u8 = 1;
const EXPANDED: u8 = 2;

impl Node {
    fn reset(&self, packed_move: u32, prior: f32) {
        self.score.store(0, Relaxed);
        self.visits.store(0, Relaxed);
        self.packed_move.store(packed_move, Relaxed);
        self.first_child.store(0, Relaxed);
        self.prior.store(prior.to_bits(), Relaxed);
        self.proof.store(Proof::UNKNOWN.0, Relaxed);
        self.child_count.store(0, Relaxed);
        self.expansion.store(LEAF, Relaxed);
    }

    /// Simulations through this node.
    #[inline]
    pub(super) fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    /// The sum of the results of all simulations.
    #[inline]
    pub(super) fn score(&self) -> f32 {
        self.score.load(Relaxed) as f32 * (1.0 / SCALE)
    }

    /// The mean result, from -1 to 1; 0 before the first simulation.
    pub(super) fn mean(&self) -> f64 {
        let visits = self.visits().max(1);
        self.score.load(Relaxed) as f64 / f64::from(SCALE) / f64::from(visits)
    }

    /// The prior that [`Tree::expand`] gave the node.
    #[inline]
    pub(super) fn prior(&self) -> f32 {
        f32::from_bits(self.prior.load(Relaxed))
    }

    /// What is proven about the node.
    #[inline]
    pub(super) fn proof(&self) -> Proof {
        Proof(self.proof.load(Relaxed))
    }

    /// Adds what is proven now to what was proven before. Proofs only grow, so threads may come in
    /// any order.
    fn prove(&self, proof: Proof) {
        // The closure never refuses.
        let _ = self.proof.fetch_update(Relaxed, Relaxed, |old| Some(Proof(old).and(proof).0));
    }

    /// Counts simulations and their results. In a shared tree other threads may do so too.
    #[inline]
    fn add(&self, shared: bool, visits: u32, score: f32) {
        let score = (score * SCALE) as i64;
        if shared {
            self.visits.fetch_add(visits, Relaxed);
            self.score.fetch_add(score, Relaxed);
        } else {
            // Plain loads and stores: a locked instruction costs more than the rest of a step.
            self.visits.store(self.visits.load(Relaxed).wrapping_add(visits), Relaxed);
            self.score.store(self.score.load(Relaxed).wrapping_add(score), Relaxed);
        }
    }

    /// Whether the children are there.
    #[inline]
    pub(super) fn is_expanded(&self) -> bool {
        self.expansion.load(Acquire) == EXPANDED
    }

    /// The number of children.
    #[inline]
    pub(super) fn child_count(&self) -> usize {
        usize::from(self.child_count.load(Relaxed))
    }

    /// The index of the first child.
    #[inline]
    pub(super) fn first_child(&self) -> Index {
        self.first_child.load(Relaxed)
    }
}

/// What the selection formula needs of a node: its mean result, and 1 / sqrt(visits).
///
/// An unvisited node is infinitely urgent, and one that is proven not at all: the formula itself
/// then selects rightly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Urgency {
    pub(super) mean: f32,
    pub(super) width: f32,
}

impl Urgency {
    const UNVISITED: Urgency = Urgency { mean: 0.0, width: f32::INFINITY };
    const PROVEN: Urgency = Urgency { mean: f32::NEG_INFINITY, width: 0.0 };

    #[inline]
    fn pack(self) -> u64 {
        u64::from(self.mean.to_bits()) | u64::from(self.width.to_bits()) << 32
    }

    #[inline]
    pub(super) fn load(cell: &AtomicU64) -> Urgency {
        let bits = cell.load(Relaxed);
        Urgency { mean: f32::from_bits(bits as u32), width: f32::from_bits((bits >> 32) as u32) }
    }
}

/// What is proven about a node, as the side that moved into it sees it: the value is at least
/// `lower` and at most `upper`. Where both agree, also the plies to the end of the game.
///
/// Packed into 32 bits: lower, upper, plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Proof(u32);

impl Proof {
    pub(super) const UNKNOWN: Proof = Proof::new(GameValue::Loss, GameValue::Win, 0);

    /// A value between two bounds.
    #[inline]
    pub(super) const fn new(lower: GameValue, upper: GameValue, plies: u16) -> Proof {
        Proof(lower as u32 | (upper as u32) << 8 | (plies as u32) << 16)
    }

    /// A known value, so many plies before the end.
    #[inline]
    pub(super) const fn exact(value: GameValue, plies: u16) -> Proof {
        Proof::new(value, value, plies)
    }

    /// The least the side gets.
    #[inline]
    pub(super) fn lower(self) -> GameValue {
        value(self.0 as u8)
    }

    /// The most the side can get.
    #[inline]
    pub(super) fn upper(self) -> GameValue {
        value((self.0 >> 8) as u8)
    }

    /// The value, if known.
    #[inline]
    pub(super) fn value(self) -> Option<GameValue> {
        (self.0 as u8 == (self.0 >> 8) as u8).then(|| self.lower())
    }

    /// Plies to the end, where the value is known.
    #[inline]
    pub(super) fn plies(self) -> u16 {
        (self.0 >> 16) as u16
    }

    /// A result that is possible given what is proven.
    #[inline]
    pub(super) fn bound(self, result: f32) -> f32 {
        if self == Proof::UNKNOWN {
            return result;
        }
        result.clamp(self.lower().score(), self.upper().score())
    }

    /// Whether the side that moved here has lost.
    #[inline]
    pub(super) fn is_loss(self) -> bool {
        self.upper() == GameValue::Loss
    }

    /// Both proofs together. The first proof of the value keeps its plies.
    fn and(self, other: Proof) -> Proof {
        if self.value().is_some() {
            return self;
        }
        let lower = self.lower().max(other.lower());
        let upper = self.upper().min(other.upper());
        Proof::new(lower, upper, if lower == upper { other.plies() } else { 0 })
    }
}

#[inline]
fn value(bits: u8) -> GameValue {
    match bits {
        0 => GameValue::Loss,
        1 => GameValue::Draw,
        _ => GameValue::Win,
    }
}

/// A tree that many threads can grow.
pub(super) struct Tree {
    chunks: Box<[OnceLock<Chunk>]>,
    /// Whether proven nodes are not to be selected.
    solver: bool,
    /// The first node that is not used.
    next: AtomicU64,
    /// Nodes in use: those that were visited.
    visited: AtomicU64,
}

/// Nodes, and beside each what selection needs of it.
struct Chunk {
    nodes: Box<[Node; CHUNK]>,
    urgencies: Box<[AtomicU64; CHUNK]>,
}

impl Chunk {
    fn new() -> Chunk {
        Chunk { nodes: boxed(), urgencies: boxed() }
    }
}

/// A chunk of something, never on the stack.
fn boxed<T: Default>() -> Box<[T; CHUNK]> {
    let items: Vec<T> = (0..CHUNK).map(|_| T::default()).collect();
    match items.into_boxed_slice().try_into() {
        Ok(chunk) => chunk,
        Err(_) => unreachable!("exactly as many as a chunk has"),
    }
}

/// The bytes of a node and what stands beside it.
const NODE_BYTES: usize = size_of::<Node>() + size_of::<AtomicU64>();

impl Tree {
    /// The nodes that fit in so many bytes, at least one chunk.
    pub(super) fn capacity(bytes: usize) -> usize {
        (bytes / (CHUNK * NODE_BYTES)).clamp(1, 1 << 18) * CHUNK
    }

    /// A tree of so many bytes at most, with a root. With `solver`, proven nodes are not urgent.
    pub(super) fn new(bytes: usize, solver: bool) -> Tree {
        let chunks = Tree::capacity(bytes) / CHUNK;
        let tree = Tree {
            chunks: (0..chunks).map(|_| OnceLock::new()).collect(),
            solver,
            next: AtomicU64::new(0),
            visited: AtomicU64::new(0),
        };
        tree.clear();
        tree
    }

    /// Forgets everything but an empty root. Memory is kept for the next search.
    pub(super) fn clear(&self) {
        self.next.store(0, Relaxed);
        self.visited.store(0, Relaxed);
        let root = self.allocate(1).expect("every tree has room for a root");
        self.reset(root, 0, 0.0);
    }

    fn reset(&self, index: Index, packed_move: u32, prior: f32) {
        self.node(index).reset(packed_move, prior);
        self.urgency(index).store(Urgency::UNVISITED.pack(), Relaxed);
    }

    #[inline]
    pub(super) fn node(&self, index: Index) -> &Node {
        &self.chunk(index).nodes[index as usize % CHUNK]
    }

    #[inline]
    fn urgency(&self, index: Index) -> &AtomicU64 {
        &self.chunk(index).urgencies[index as usize % CHUNK]
    }

    /// The children of a node; none if it is not expanded.
    #[inline]
    pub(super) fn children(&self, node: &Node) -> &[Node] {
        if !node.is_expanded() {
            return &[];
        }
        let first = node.first_child();
        &self.chunk(first).nodes[first as usize % CHUNK..][..node.child_count()]
    }

    /// The urgencies of the children of a node that is expanded.
    #[inline]
    pub(super) fn urgencies(&self, node: &Node) -> &[AtomicU64] {
        let first = node.first_child();
        &self.chunk(first).urgencies[first as usize % CHUNK..][..node.child_count()]
    }

    #[inline]
    fn chunk(&self, index: Index) -> &Chunk {
        self.chunks[index as usize / CHUNK].get().expect("an index comes from an allocated chunk")
    }

    /// Counts simulations through a node and their results. In a shared tree other threads may do
    /// so too; the urgency is then that of one of them, which is close enough.
    #[inline]
    pub(super) fn add(&self, index: Index, shared: bool, visits: u32, score: f32) {
        let node = self.node(index);
        node.add(shared, visits, score);
        self.refresh(index, node);
    }

    /// Adds what is proven about a node.
    pub(super) fn prove(&self, index: Index, proof: Proof) {
        let node = self.node(index);
        node.prove(proof);
        if node.visits() > 0 || proof.value().is_some() {
            self.refresh(index, node);
        }
    }

    /// Makes the urgency of a node that of its visits, score and proof.
    #[inline]
    fn refresh(&self, index: Index, node: &Node) {
        let visits = node.visits() as f32;
        let urgency = if self.solver && node.proof().value().is_some() {
            Urgency::PROVEN
        } else if visits > 0.0 {
            let inverse = 1.0 / visits;
            Urgency { mean: node.score() * inverse, width: inverse.sqrt() }
        } else {
            Urgency::UNVISITED
        };
        self.urgency(index).store(urgency.pack(), Relaxed);
    }

    /// Nodes in the tree: positions that were visited, the root included.
    pub(super) fn len(&self) -> u64 {
        self.visited.load(Relaxed)
    }

    /// Counts a node that is visited for the first time.
    #[inline]
    pub(super) fn count_visited(&self, shared: bool) {
        if shared {
            self.visited.fetch_add(1, Relaxed);
        } else {
            self.visited.store(self.visited.load(Relaxed) + 1, Relaxed);
        }
    }

    /// Gives a node children: moves with their priors. `false` if another thread is doing it or
    /// the tree is full.
    pub(super) fn expand(
        &self,
        node: &Node,
        children: impl ExactSizeIterator<Item = (u32, f32)>,
    ) -> bool {
        if node.expansion.compare_exchange(LEAF, EXPANDING, Relaxed, Relaxed).is_err() {
            return false;
        }
        let count = children.len();
        let Some(first) = u16::try_from(count).ok().and_then(|_| self.allocate(count)) else {
            node.expansion.store(LEAF, Relaxed);
            return false;
        };
        for (offset, (packed_move, prior)) in children.enumerate() {
            self.reset(first + offset as Index, packed_move, prior);
        }
        node.first_child.store(first, Relaxed);
        node.child_count.store(count as u16, Relaxed);
        node.expansion.store(EXPANDED, Release);
        true
    }

    /// Room for nodes side by side in one chunk.
    fn allocate(&self, count: usize) -> Option<Index> {
        if count > CHUNK {
            return None;
        }
        let capacity = (self.chunks.len() * CHUNK) as u64;
        let mut first = 0;
        self.next
            .fetch_update(Relaxed, Relaxed, |next| {
                let room = CHUNK as u64 - next % CHUNK as u64;
                first = if count as u64 <= room { next } else { next + room };
                let end = first + count as u64;
                (end <= capacity).then_some(end)
            })
            .ok()?;
        self.chunks[first as usize / CHUNK].get_or_init(Chunk::new);
        Some(first as Index)
    }

    /// Makes the subtree below a child of the root the whole tree, as far as `other`, an empty
    /// tree, has room; breadth first, so that what is near the root is kept.
    pub(super) fn copy_subtree(&self, child: Index, other: &Tree) {
        other.clear();
        let mut queue = std::collections::VecDeque::from([(child, ROOT)]);
        while let Some((from, to)) = queue.pop_front() {
            let (old, new) = (self.node(from), other.node(to));
            new.score.store(old.score.load(Relaxed), Relaxed);
            new.visits.store(old.visits(), Relaxed);
            new.proof.store(old.proof().0, Relaxed);
            other.refresh(to, new);
            if old.visits() > 0 {
                other.count_visited(false);
            }
            let children = self.children(old);
            let moves =
                children.iter().map(|child| (child.packed_move.load(Relaxed), child.prior()));
            if !children.is_empty() && other.expand(new, moves) {
                for offset in 0..children.len() as Index {
                    queue.push_back((old.first_child() + offset, new.first_child() + offset));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_is_half_a_cache_line() {
        assert_eq!(size_of::<Node>(), 32);
    }

    #[test]
    fn proofs_grow_in_any_order() {
        use GameValue::*;
        let node = Node::default();
        node.reset(0, 0.0);
        assert_eq!(node.proof(), Proof::UNKNOWN);
        assert_eq!(node.proof().value(), None);
        node.prove(Proof::new(Draw, Win, 0));
        assert_eq!((node.proof().lower(), node.proof().upper()), (Draw, Win));
        node.prove(Proof::new(Loss, Draw, 7));
        assert_eq!(node.proof(), Proof::exact(Draw, 7));
        node.prove(Proof::exact(Draw, 3));
        assert_eq!(node.proof().plies(), 7);
    }

    #[test]
    fn a_full_tree_refuses_children() {
        let tree = Tree::new(0, true);
        let root = tree.node(ROOT);
        assert!(tree.expand(root, (0..100).map(|m| (m, 0.0))));
        assert_eq!(tree.children(root).len(), 100);
        let child = &tree.children(root)[99];
        assert_eq!(child.packed_move.load(Relaxed), 99);
        assert!(!tree.expand(child, (0..CHUNK as u32 - 50).map(|m| (m, 0.0))));
        assert!(tree.children(child).is_empty());
        tree.clear();
        assert!(tree.expand(tree.node(ROOT), (0..CHUNK as u32 - 50).map(|m| (m, 0.0))));
    }
}
