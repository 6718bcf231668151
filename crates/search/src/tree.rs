//! The tree of a search, for those who want to look into it.

use spinney_game::{PackedMove, Side};

use crate::Candidate;

/// A tree that can be looked into from other threads. Nothing is done for it until somebody looks.
///
/// ```
/// # mod race { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/race/game.rs")); }
/// # use race::Race;
/// # use spinney_game::History;
/// # use spinney_search::{Limits, Stop, SearchTree, mcts::{self, Mcts}, policy::Random};
/// let mut uct = Mcts::new(mcts::Config::default(), Random::default(), 1);
/// let game = History::new(Race::START);
/// uct.search(&game, &Limits::simulations(100), &Stop::new(), &mut |_| ());
/// for branch in uct.tree().moves(&[]).expect("the root") {
///     println!("{}: {} visits", branch.candidate.m, branch.candidate.visits);
/// }
/// ```
pub trait SearchTree: Send + Sync {
    /// The moves of the node that a line leads to from the root, the most promising first; none if
    /// nothing has grown there yet.
    fn moves(&self, path: &[PackedMove]) -> Result<Vec<Branch>, NoNode>;
}

/// A move of a node. Everything is as an analysis of the node's own position would say it: for the
/// side to move there, and in plies from there.
#[derive(Clone, Debug, PartialEq)]
pub struct Branch {
    /// What is known of the move.
    pub candidate: Candidate,
    /// How many moves the tree has after it.
    pub children: usize,
    /// What proof-number search knows of it.
    pub numbers: Option<ProofNumbers>,
}

/// How many open positions must at least be decided to settle whether one side wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProofNumbers {
    /// The side; the same in the whole tree.
    pub attacker: Side,
    /// To prove it; `None` if that is impossible.
    pub proof: Option<u32>,
    /// To disprove it; `None` if that is impossible.
    pub disproof: Option<u32>,
}

/// Why there is no node to look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoNode {
    /// The tree has not grown there.
    Missing,
    /// The search must end first.
    Busy,
}
