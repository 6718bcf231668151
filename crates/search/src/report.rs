//! What a search found.

use std::time::Duration;

use spinney_game::PackedMove;

use crate::GameValue;

/// The result of a search, or a snapshot of one that is still running. All values are as the side
/// to move at the root sees them; moves are packed.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The move to play; `None` if the game is over.
    pub best: Option<PackedMove>,
    /// The expected result, from -1 (loss) to 1 (win).
    pub value: f64,
    /// The value with perfect play, where the search has proved it.
    pub proven: Option<GameValue>,
    /// Plies to the proven end of the game.
    pub plies: Option<u32>,
    /// The line both sides are expected to play.
    pub pv: Vec<PackedMove>,
    /// The moves of the root, the best first.
    pub candidates: Vec<Candidate>,
    /// Simulations, or searches of growing depth.
    pub simulations: u64,
    /// Positions or nodes, as the search counts them.
    pub nodes: u64,
    /// Plies of all playouts together; 0 if the search does not count them.
    pub playout_plies: u64,
    /// The time it took.
    pub elapsed: Duration,
}

impl Report {
    /// The report on a game that is over, with the value for the side to move.
    pub fn finished(value: GameValue) -> Self {
        Report {
            value: value.score().into(),
            proven: Some(value),
            plies: Some(0),
            ..Report::empty()
        }
    }

    /// The report on moves in their order, the best first.
    pub fn of(candidates: Vec<Candidate>) -> Self {
        let Some(best) = candidates.first() else { return Report::empty() };
        Report {
            best: Some(best.m),
            value: best.value,
            proven: best.proven,
            plies: best.plies,
            pv: best.pv.clone(),
            candidates,
            ..Report::empty()
        }
    }

    /// The report of a search that has found nothing yet.
    pub fn empty() -> Self {
        Report {
            best: None,
            value: 0.0,
            proven: None,
            plies: None,
            pv: Vec::new(),
            candidates: Vec::new(),
            simulations: 0,
            nodes: 0,
            playout_plies: 0,
            elapsed: Duration::ZERO,
        }
    }
}

/// A move of the root, as the side to move at the root sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The move.
    pub m: PackedMove,
    /// Simulations through it.
    pub visits: u64,
    /// Their mean result, from -1 to 1; the proven value where there is one.
    pub value: f64,
    /// The value with perfect play, where proved.
    pub proven: Option<GameValue>,
    /// Plies from the root to the proven end.
    pub plies: Option<u32>,
    /// The line that is expected after it, itself included.
    pub pv: Vec<PackedMove>,
}

impl Candidate {
    /// A move of which no more is known than the mean result of some simulations.
    pub fn unproven(m: PackedMove, visits: u64, value: f64) -> Self {
        Candidate { m, visits, value, proven: None, plies: None, pv: vec![m] }
    }
}
