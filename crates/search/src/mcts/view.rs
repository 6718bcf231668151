//! What the trees say of a move: for reports, and for those who look into a tree while it grows or
//! afterwards.

use std::sync::Arc;

use spinney_game::PackedMove;

use super::node::Node;
use super::root;
use super::tree::{ROOT, Tree};
use crate::{Branch, Candidate, GameValue, NoNode, SearchTree};

/// A node, with the tree that it is in.
type Place<'a> = (&'a Tree, &'a Node);

/// The roots of all trees.
fn roots(trees: &[Arc<Tree>]) -> Vec<Place<'_>> {
    trees.iter().map(|tree| (&**tree, tree.node(ROOT))).collect()
}

/// Where a move leads from one position, in those trees that have it.
fn after<'a>(places: &[Place<'a>], m: PackedMove) -> Vec<Place<'a>> {
    let child = |&(tree, node): &Place<'a>| {
        let mut children = tree.children(node).iter();
        children.find(|child| child.packed_move() == m).map(|child| (tree, child))
    };
    places.iter().filter_map(child).collect()
}

/// The move that leads to a node, as its tree sees it.
fn candidate(tree: &Tree, node: &Node) -> Candidate {
    let m = node.packed_move();
    let mut pv = vec![m];
    extend_line(tree, node, &mut pv);
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
pub(super) fn candidates(tree: &Tree) -> Vec<Candidate> {
    tree.children(tree.node(ROOT)).iter().map(|child| candidate(tree, child)).collect()
}

/// Follows the likeliest moves below a node.
fn extend_line<'a>(tree: &'a Tree, mut node: &'a Node, line: &mut Vec<PackedMove>) {
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
        line.push(child.packed_move());
        node = child;
    }
}

/// A look into the trees of one search.
pub(super) struct View(pub(super) Vec<Arc<Tree>>);

impl SearchTree for View {
    fn moves(&self, path: &[PackedMove]) -> Result<Vec<Branch>, NoNode> {
        let mut places = roots(&self.0);
        for &m in path {
            places = after(&places, m);
        }
        if places.is_empty() {
            return Err(NoNode::Missing);
        }
        let children = places.iter().flat_map(|(tree, node)| tree.children(node));
        let mut moves: Vec<PackedMove> = children.map(Node::packed_move).collect();
        moves.sort_unstable();
        moves.dedup();
        let mut branches: Vec<_> = moves
            .into_iter()
            .map(|m| {
                let places = after(&places, m);
                let parts: Vec<_> =
                    places.iter().map(|(tree, node)| candidate(tree, node)).collect();
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
