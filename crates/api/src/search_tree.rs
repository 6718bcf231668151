//! The trees of live searches, opened node by node.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use spinney_protocol::AnalysedMove;
use spinney_session::{Branch, NoNode, ProofNumbers, SearchTree, Session};

use crate::Refusal;
use crate::state::MoveText;

/// Longer lines than any tree has.
const LONGEST_PATH: usize = 1000;

/// Which node.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NodeRequest {
    /// The number of the search.
    pub search: u64,
    /// The moves from the searched position to the node.
    #[serde(default)]
    pub path: Vec<String>,
}

/// Which search is to end; its tree stays.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StopRequest {
    /// The number of the search.
    pub search: u64,
}

/// A node of a tree, as a client sees it.
#[derive(Debug, Serialize)]
pub struct OpenedNode {
    /// Whose turn it is there.
    to_move: usize,
    moves: Vec<OpenedMove>,
}

#[derive(Debug, Serialize)]
struct OpenedMove {
    #[serde(flatten)]
    analysed: AnalysedMove,
    label: String,
    squares: Vec<String>,
    /// Moves that the tree has after it.
    children: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    numbers: Option<Numbers>,
}

/// `null` stands for infinity.
#[derive(Debug, Serialize)]
struct Numbers {
    attacker: usize,
    proof: Option<u32>,
    disproof: Option<u32>,
}

/// A tree with the game at its root.
pub struct RootedTree {
    pub(crate) root: Session,
    pub(crate) tree: Arc<dyn SearchTree>,
}

impl RootedTree {
    /// The moves of the node after some moves.
    pub fn open(&self, path: &[String]) -> Result<OpenedNode, Refusal> {
        if path.len() > LONGEST_PATH {
            return Err(Refusal::wrong(format!("more than {LONGEST_PATH} moves")));
        }
        let mut session = self.root.clone();
        let mut moves = Vec::with_capacity(path.len());
        for (index, text) in path.iter().enumerate() {
            let m = session
                .parse_move(text)
                .map_err(|error| Refusal::wrong(format!("ply {}: {error}", index + 1)))?;
            session.play(m);
            moves.push(m);
        }
        let branches = self.tree.moves(&moves).map_err(|problem| match problem {
            NoNode::Missing => Refusal::missing("the tree has not grown to this node"),
            NoNode::Busy => Refusal::busy("this search shows its tree only when it has ended"),
        })?;
        let moves = branches.into_iter().map(|branch| opened(&session, branch)).collect();
        Ok(OpenedNode { to_move: session.to_move().index(), moves })
    }
}

fn opened(session: &Session, branch: Branch) -> OpenedMove {
    let Branch { candidate, children, numbers } = branch;
    let MoveText { label, squares, .. } = MoveText::of(session, candidate.m);
    let numbers = numbers.map(|ProofNumbers { attacker, proof, disproof }| Numbers {
        attacker: attacker.index(),
        proof,
        disproof,
    });
    let analysed = AnalysedMove { pv: Vec::new(), ..AnalysedMove::new(session, &candidate) };
    OpenedMove { analysed, label, squares, children, numbers }
}

impl Refusal {
    /// There is no tree to look into.
    pub fn no_tree(search: u64) -> Self {
        Refusal::missing(format!("there is no tree of a search {search}, or no longer"))
    }
}
