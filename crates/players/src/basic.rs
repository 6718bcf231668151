//! Players that do not search.

use spinney_game::{Game, History, Move, Repetition, Rng};
use spinney_search::{Limits, Report, Stop};

use crate::Player;

/// Uniformly random moves.
pub(crate) struct RandomPlayer {
    rng: Rng,
}

impl RandomPlayer {
    pub(crate) fn new(seed: u64) -> Self {
        RandomPlayer { rng: Rng::new(seed) }
    }
}

impl<G: Game + Repetition> Player<G> for RandomPlayer {
    fn analyse(
        &mut self,
        history: &History<G>,
        _limits: &Limits,
        _stop: &Stop,
        _progress: &mut dyn FnMut(&Report),
    ) -> Report {
        let m = history.position().random_move(&mut self.rng);
        let m = m.pack();
        Report { best: Some(m), pv: vec![m], ..Report::empty() }
    }

    fn new_game(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
    }
}
