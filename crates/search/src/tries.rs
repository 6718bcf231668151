//! Moves of the root that are tried in turn, for searches without a tree.

use spinney_game::PackedMove;

use crate::Candidate;

/// A move of the root with its simulations, as the side to move at the root sees them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Try {
    pub(crate) m: PackedMove,
    pub(crate) visits: u64,
    pub(crate) sum: f64,
}

impl Try {
    pub(crate) fn new(m: PackedMove) -> Self {
        Try { m, visits: 0, sum: 0.0 }
    }

    pub(crate) fn add(&mut self, result: f64) {
        self.visits += 1;
        self.sum += result;
    }

    /// The mean result, or what a move without a simulation is worth.
    pub(crate) fn mean_or(&self, untried: f64) -> f64 {
        if self.visits == 0 { untried } else { self.sum / self.visits as f64 }
    }

    pub(crate) fn candidate(&self, untried: f64) -> Candidate {
        Candidate::unproven(self.m, self.visits, self.mean_or(untried))
    }
}
