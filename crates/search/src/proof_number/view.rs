//! A look into the tree of PN and PN², between searches. What is below solved positions is gone.

use std::sync::{Mutex, TryLockError};

use spinney_game::{PackedMove, Repetition, Side, Symmetric};

use super::numbers::{INFINITE, Known};
use super::{ProofNumber, Search};
use crate::knowledge::Oracle;
use crate::{Branch, Candidate, GameValue, NoNode, ProofNumbers, SearchTree};

impl<G: Repetition + Symmetric, K: Oracle<G>> ProofNumber<G, K> {
    /// The moves of a node of the tree of the last question; the depth-first searches have none.
    pub fn branches(&self, path: &[PackedMove]) -> Result<Vec<Branch>, NoNode> {
        let Search::BestFirst(search) = &self.search else { return Err(NoNode::Missing) };
        let root = search.first.root().ok_or(NoNode::Missing)?.to_move();
        // Sides alternate.
        let mover = if path.len().is_multiple_of(2) { root } else { !root };
        let moves = search.first.moves(path).ok_or(NoNode::Missing)?;
        let branch = |(m, known, children)| Branch {
            candidate: candidate(m, known),
            children,
            numbers: Some(numbers(known, !mover, self.attacker)),
        };
        let branches = moves.into_iter().map(|found| (found.1, branch(found)));
        Ok(in_order(branches.collect()))
    }
}

/// The one that the search follows comes first.
fn in_order(mut branches: Vec<(Known, Branch)>) -> Vec<Branch> {
    branches.sort_by_key(|(known, _)| (known.delta, std::cmp::Reverse(known.phi)));
    branches.into_iter().map(|(_, branch)| branch).collect()
}

/// A move as the side that plays it sees it. That the attacker does not win is no exact value.
fn candidate(m: PackedMove, known: Known) -> Candidate {
    let plies = known.ending.plies().filter(|_| known.is_solved());
    let proven = plies.map(|_| if known.delta == 0 { GameValue::Win } else { GameValue::Loss });
    Candidate {
        m,
        visits: 0,
        value: proven.map_or(0.0, |value| value.score().into()),
        proven,
        plies: plies.map(|plies| plies + 1),
        pv: vec![m],
    }
}

/// The numbers of a position, as the attacker sees them.
pub(super) fn numbers(known: Known, to_move: Side, attacker: Side) -> ProofNumbers {
    let finite = |number| (number != INFINITE).then_some(number);
    let (phi, delta) = (finite(known.phi), finite(known.delta));
    let (proof, disproof) = if to_move == attacker { (phi, delta) } else { (delta, phi) };
    ProofNumbers { attacker, proof, disproof }
}

/// A solver that is asked by one thread and looked into by others.
impl<G: Repetition + Symmetric, K: Oracle<G>> SearchTree for Mutex<ProofNumber<G, K>> {
    fn moves(&self, path: &[PackedMove]) -> Result<Vec<Branch>, NoNode> {
        match self.try_lock() {
            Ok(solver) => solver.branches(path),
            Err(TryLockError::WouldBlock) => Err(NoNode::Busy),
            Err(TryLockError::Poisoned(solver)) => solver.into_inner().branches(path),
        }
    }
}
