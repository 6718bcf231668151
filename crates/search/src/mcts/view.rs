//! What the trees say of a move: for reports, and for those who look into a tree while it grows or
//! afterwards.

use std::marker::PhantomData;
use std::sync::Arc;

use spinney_game::Repetition;

use super::node::Node;
use super::tree::{ROOT, Tree};
use super::{move_to, root};
use crate::{Branch, Candidate, GameValue, NoNode, SearchTree};

/// A node, with the tree that it is in.
type Place<'a> = (&'a Tree, &'a Node);

/// The roots of all trees.
fn roots(trees: &[Arc<Tree>]) -> Vec<Place<'_>> {
    trees.iter().map(|tree| (&**tree, tree.node(ROOT))).collect()
}

/// Where a move leads from one position, in those trees that have it.
fn after<'a, G: Repetition>(places: &[Place<'a>], m: G::Move) -> Vec<Place<'a>> {
    let packed = G::pack(m);
    let child = |&(tree, node): &Place<'a>| {
        let mut children = tree.children(node).iter();
        children.find(|child| child.packed_move() == packed).map(|child| (tree, child))
    };
    places.iter().filter_map(child).collect()
}

/// The move that leads to a node, as its tree sees it.
fn candidate<G: Repetition>(tree: &Tree, node: &Node) -> Candidate<G::Move> {
    let m = move_to::<G>(node);
    let mut pv = vec![m];
    extend_line::<G>(tree, node, &mut pv);
    let proven = node.proof().value();
    Candidate {
        m,
        visits: u64::from(node.visits()),
        value: node.mean(),
        proven,
        plies: proven.map(|_| u32::from(node.proof().plies()) + 1),
        pv,
    }
}

/// The moves of the root that a tree knows.
pub(super) fn candidates<G: Repetition>(tree: &Tree) -> Vec<Candidate<G::Move>> {
    tree.children(tree.node(ROOT)).iter().map(|child| candidate::<G>(tree, child)).collect()
}

/// Follows the likeliest moves below a node.
fn extend_line<'a, G: Repetition>(tree: &'a Tree, mut node: &'a Node, line: &mut Vec<G::Move>) {
    /// Longer lines say nothing; the limit also ends lines that other threads extend meanwhile.
    const LONGEST: usize = 64;
    while line.len() < LONGEST {
        let known = node.proof().value().map(GameValue::for_opponent);
        let next = tree.children(node).iter().max_by_key(|child| {
            let proof = child.proof();
            // In a proven node, a child that keeps the value: the quickest win, the longest loss.
            let keeps = known.is_some() && proof.value() == known;
            let plies = i64::from(proof.plies());
            let length = if known == Some(GameValue::Win) { -plies } else { plies };
            (keeps, if keeps { length } else { 0 }, child.visits())
        });
        let Some(child) = next.filter(|child| child.visits() > 0 || child.proof().is_exact())
        else {
            return;
        };
        line.push(move_to::<G>(child));
        node = child;
    }
}

/// A look into the trees of one search.
pub(super) struct View<G> {
    trees: Vec<Arc<Tree>>,
    game: PhantomData<fn() -> G>,
}

impl<G> View<G> {
    pub(super) fn new(trees: Vec<Arc<Tree>>) -> Self {
        View { trees, game: PhantomData }
    }
}

impl<G: Repetition> SearchTree<G::Move> for View<G> {
    fn moves(&self, path: &[G::Move]) -> Result<Vec<Branch<G::Move>>, NoNode> {
        let mut places = roots(&self.trees);
        for &m in path {
            places = after::<G>(&places, m);
        }
        if places.is_empty() {
            return Err(NoNode::Missing);
        }
        let children = places.iter().flat_map(|(tree, node)| tree.children(node));
        let mut moves: Vec<u32> = children.map(Node::packed_move).collect();
        moves.sort_unstable();
        moves.dedup();
        let mut branches: Vec<_> = moves
            .into_iter()
            .map(G::unpack)
            .map(|m| {
                let places = after::<G>(&places, m);
                let parts: Vec<_> =
                    places.iter().map(|(tree, node)| candidate::<G>(tree, node)).collect();
                let sizes = places.iter().map(|(tree, node)| tree.children(node).len());
                Branch {
                    children: sizes.max().unwrap_or(0),
                    candidate: root::sum(m, parts.iter()),
                    numbers: None,
                }
            })
            .collect();
        branches.sort_by_key(|branch| {
            let wins = branch.candidate.proven == Some(GameValue::Win);
            std::cmp::Reverse((wins, branch.candidate.visits))
        });
        Ok(branches)
    }
}
