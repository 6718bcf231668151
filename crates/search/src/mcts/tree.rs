//! The tree of a Monte Carlo search: nodes in a flat arena that many threads may read and write.
//!
//! The children of a node lie side by side in one chunk of the arena. Chunks are made when they are
//! needed and kept; a tree never holds more nodes than its capacity. Going down a level costs one
//! access to memory that waits for the one before.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

use super::effort::Entry;
use super::node::{Node, Proof, Rave, Score};
use super::transpositions::Transpositions;

/// The index of a node.
pub(super) type Index = u32;

/// The root of every tree.
pub(super) const ROOT: Index = 0;

/// Nodes in a chunk: half a mebibyte.
const CHUNK: usize = 1 << 14;

/// Nodes that a thread claims at once, so that threads seldom meet; also the most children a node may
/// have.
const CLAIM: usize = 1 << 10;

/// A tree that many threads can grow.
pub(super) struct Tree {
    chunks: Box<[OnceLock<Chunk>]>,
    options: Options,
    /// The first node that nobody has claimed.
    next: AtomicU64,
    /// Nodes by position, in a tree that has transpositions.
    transpositions: Transpositions,
}

/// What a tree is for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Options {
    /// Proven nodes are not to be selected.
    pub(super) solver: bool,
    /// Nodes have priors.
    pub(super) priors: bool,
    /// Nodes have values of RAVE.
    pub(super) rave: bool,
    /// Nodes have proof numbers.
    pub(super) efforts: bool,
    /// Nodes are found by their positions.
    pub(super) transpositions: bool,
}

impl Options {
    fn chunk_bytes(self) -> usize {
        let node = size_of::<Node>()
            + usize::from(self.priors) * size_of::<AtomicU32>()
            + usize::from(self.rave) * size_of::<Rave>()
            + usize::from(self.efforts) * size_of::<Entry>();
        CHUNK * node
    }
}

/// Nodes, and beside each what only some searches need.
struct Chunk {
    nodes: Box<[Node]>,
    /// What the game knows of the moves, for the bias: the bits of `f32`.
    priors: Box<[AtomicU32]>,
    raves: Box<[Rave]>,
    efforts: Box<[Entry]>,
}

impl Chunk {
    fn new(options: Options) -> Chunk {
        fn many<T: Default>(wanted: bool) -> Box<[T]> {
            (0..if wanted { CHUNK } else { 0 }).map(|_| T::default()).collect()
        }
        Chunk {
            nodes: many(true),
            priors: many(options.priors),
            raves: many(options.rave),
            efforts: many(options.efforts),
        }
    }
}

/// Nodes that a thread has claimed and not used yet, in one chunk.
#[derive(Default)]
pub(super) struct Claim {
    next: Index,
    end: Index,
}

impl Tree {
    /// A tree of at most `bytes`, but at least one chunk, with a root.
    pub(super) fn new(bytes: usize, options: Options) -> Tree {
        let transpositions = if options.transpositions {
            Transpositions::new(bytes / 32)
        } else {
            Transpositions::none()
        };
        let chunks = bytes.saturating_sub(transpositions.bytes()) / options.chunk_bytes();
        Tree::with_chunks(chunks.clamp(1, 1 << 18), options, transpositions)
    }

    fn with_chunks(chunks: usize, options: Options, transpositions: Transpositions) -> Tree {
        let mut tree = Tree {
            chunks: (0..chunks).map(|_| OnceLock::new()).collect(),
            options,
            next: AtomicU64::new(0),
            transpositions,
        };
        tree.clear();
        tree
    }

    /// Makes a tree empty for the next search. One that somebody looks at stays with them as it is,
    /// and another takes its place, unless nothing has grown in it yet.
    pub(super) fn renew(tree: &mut Arc<Tree>) {
        let root = tree.node(ROOT);
        if root.visits() == 0 && !root.is_expanded() {
            return;
        }
        match Arc::get_mut(tree) {
            Some(tree) => tree.clear(),
            None => {
                let transpositions = tree.transpositions.like();
                *tree =
                    Arc::new(Tree::with_chunks(tree.chunks.len(), tree.options, transpositions));
            }
        }
    }

    /// Forgets everything but an empty root. Memory is kept for the next search; claims are void.
    fn clear(&mut self) {
        self.next.store(CLAIM as u64, Relaxed);
        self.chunks[0].get_or_init(|| Chunk::new(self.options)).nodes[0].reset(0);
        self.transpositions.clear();
    }

    /// Enters a child of a node as one with the position of this key.
    pub(super) fn enter(&self, key: u64, parent: &Node, child: usize) {
        self.transpositions.enter(key, parent.first_child() + child as Index);
    }

    /// A node with the position of this key.
    pub(super) fn twin(&self, key: u64) -> Option<&Node> {
        self.transpositions.find(key).map(|index| self.node(index))
    }

    #[inline(always)]
    pub(super) fn node(&self, index: Index) -> &Node {
        &self.chunk(index).nodes[index as usize % CHUNK]
    }

    /// The children of a node; none if it is not expanded.
    #[inline(always)]
    pub(super) fn children(&self, node: &Node) -> &[Node] {
        if !node.is_expanded() {
            return &[];
        }
        &self.chunk(node.first_child()).nodes[range(node)]
    }

    /// The priors of the children of a node that is expanded, in a tree that has them.
    #[inline(always)]
    pub(super) fn priors(&self, node: &Node) -> &[AtomicU32] {
        &self.chunk(node.first_child()).priors[range(node)]
    }

    /// The values of RAVE of the children of a node that is expanded, in a tree that has them.
    #[inline(always)]
    pub(super) fn raves(&self, node: &Node) -> &[Rave] {
        &self.chunk(node.first_child()).raves[range(node)]
    }

    /// The proof numbers of the children of a node that is expanded, in a tree that has them.
    #[inline(always)]
    pub(super) fn efforts(&self, node: &Node) -> &[Entry] {
        &self.chunk(node.first_child()).efforts[range(node)]
    }

    /// Which child of its parent a node is.
    #[inline(always)]
    pub(super) fn place(&self, parent: &Node, child: &Node) -> usize {
        let first = self.children(parent).as_ptr().addr();
        (std::ptr::from_ref(child).addr() - first) / size_of::<Node>()
    }

    #[inline(always)]
    fn chunk(&self, index: Index) -> &Chunk {
        self.chunks[index as usize / CHUNK].get().expect("an index comes from an allocated chunk")
    }

    /// Counts simulations through a node and their results. In a shared tree other threads may do so
    /// too; the urgency is then that of one of them, which is close enough.
    #[inline(always)]
    pub(super) fn add(&self, node: &Node, shared: bool, visits: u32, score: Score) {
        let (visits, score) = node.add(shared, visits, score);
        node.set_urgency(visits, score, self.is_settled(node));
    }

    /// Makes a node less urgent while a thread is below it, as if it had `losses` more losses. The next
    /// [`Tree::add`], of any thread, takes the losses away: they are never counted.
    #[inline(always)]
    pub(super) fn assume_losses(&self, node: &Node, losses: u32) {
        let visits = node.visits().saturating_add(losses);
        node.set_urgency(visits, node.score().after_losses(losses), self.is_settled(node));
    }

    /// Makes the urgency of a node that of its visits and score alone.
    pub(super) fn forget_losses(&self, node: &Node) {
        node.set_urgency(node.visits(), node.score(), self.is_settled(node));
    }

    /// Whether there is nothing left to find out about a node.
    #[inline(always)]
    fn is_settled(&self, node: &Node) -> bool {
        self.options.solver && node.proof().is_exact()
    }

    /// Adds what is proven about a node.
    pub(super) fn prove(&self, node: &Node, proof: Proof) {
        node.prove(proof);
        if node.proof().is_exact() {
            self.forget_losses(node);
        }
    }

    /// Gives a node children, by their moves. `false` if another thread is doing it or the tree is
    /// full.
    pub(super) fn expand(
        &self,
        node: &Node,
        claim: &mut Claim,
        moves: impl ExactSizeIterator<Item = u32>,
        priors: &[f32],
    ) -> bool {
        if !node.begin_expansion() {
            return false;
        }
        let count = moves.len();
        let Some(first) = self.allocate(count, claim) else {
            node.end_expansion(None);
            return false;
        };
        let chunk = self.chunk(first);
        let begin = first as usize % CHUNK;
        for (child, packed_move) in chunk.nodes[begin..][..count].iter().zip(moves) {
            child.reset(packed_move);
        }
        if self.options.priors {
            for (place, prior) in chunk.priors[begin..][..count].iter().zip(priors) {
                place.store(prior.to_bits(), Relaxed);
            }
        }
        if self.options.rave {
            chunk.raves[begin..][..count].iter().for_each(Rave::reset);
        }
        if self.options.efforts {
            chunk.efforts[begin..][..count].iter().for_each(Entry::reset);
        }
        node.end_expansion(Some((first, count)));
        true
    }

    /// Room for nodes side by side.
    #[inline(always)]
    fn allocate(&self, count: usize, claim: &mut Claim) -> Option<Index> {
        if ((claim.end - claim.next) as usize) < count {
            *claim = self.claim(count)?;
        }
        let first = claim.next;
        claim.next += count as Index;
        Some(first)
    }

    /// Claims nodes; `None` if the tree is full, or for more children than any node may have. What
    /// was left of the thread's last claim is lost: a few in a thousand.
    #[cold]
    #[inline(never)]
    fn claim(&self, count: usize) -> Option<Claim> {
        let capacity = self.chunks.len() * CHUNK;
        let fits = |next| (count <= CLAIM && next < capacity as u64).then_some(next + CLAIM as u64);
        let next = self.next.fetch_update(Relaxed, Relaxed, fits).ok()? as Index;
        self.chunks[next as usize / CHUNK].get_or_init(|| Chunk::new(self.options));
        Some(Claim { next, end: next + CLAIM as Index })
    }

    /// Makes the subtree below a child of the root the whole tree, as far as `other`, an empty
    /// tree of the same kind, has room; breadth first, so that what is near the root is kept.
    pub(super) fn copy_subtree(&self, child: Index, other: &Tree) {
        let mut claim = Claim::default();
        let mut priors = Vec::new();
        let mut queue = VecDeque::from([(self.node(child), other.node(ROOT))]);
        while let Some((old, new)) = queue.pop_front() {
            new.learn(old);
            other.forget_losses(new);
            let children = self.children(old);
            if children.is_empty() {
                continue;
            }
            priors.clear();
            if self.options.priors {
                let bits = self.priors(old).iter().map(|prior| prior.load(Relaxed));
                priors.extend(bits.map(f32::from_bits));
            }
            if !other.expand(new, &mut claim, children.iter().map(Node::packed_move), &priors) {
                continue;
            }
            if self.options.rave {
                for (old, new) in self.raves(old).iter().zip(other.raves(new)) {
                    new.copy(old);
                }
            }
            if self.options.efforts {
                for (old, new) in self.efforts(old).iter().zip(other.efforts(new)) {
                    new.copy(old);
                }
            }
            queue.extend(children.iter().zip(other.children(new)));
        }
    }
}

/// Where in their chunk the children of a node are.
#[inline(always)]
fn range(node: &Node) -> std::ops::Range<usize> {
    let begin = node.first_child() as usize % CHUNK;
    begin..begin + node.child_count()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Options =
        Options { solver: true, priors: false, rave: false, efforts: false, transpositions: false };

    #[test]
    fn a_full_tree_refuses_children() {
        let mut tree = Tree::new(0, PLAIN);
        let mut claim = Claim::default();
        let mut node = tree.node(ROOT);
        let most = CHUNK / CLAIM - 1;
        for _ in 0..most {
            assert!(tree.expand(node, &mut claim, 0..CLAIM as u32, &[]));
            node = &tree.children(node)[CLAIM - 1];
            assert_eq!(node.packed_move(), CLAIM as u32 - 1);
        }
        assert!(!tree.expand(node, &mut claim, 0..1, &[]));
        assert!(tree.children(node).is_empty());
        tree.clear();
        assert!(tree.expand(tree.node(ROOT), &mut Claim::default(), 0..1, &[]));
    }

    #[test]
    fn assumed_losses_are_not_counted() {
        let tree = Tree::new(0, PLAIN);
        let node = tree.node(ROOT);
        tree.add(node, true, 1, Score::new(1.0));
        let before = node.urgency();
        tree.assume_losses(node, 2);
        assert!(node.urgency().mean() < before.mean() && node.urgency().width < before.width);
        assert_eq!((node.visits(), node.mean()), (1, 1.0));
        tree.forget_losses(node);
        assert_eq!(node.urgency(), before);
    }
}
