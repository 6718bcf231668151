//! Flat Monte Carlo: the same number of playouts for every move, and the best mean wins. The
//! plainest reference there is.
//!
//! ```
//! # mod race { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/race/game.rs")); }
//! # use race::Race;
//! use spinney_game::{History, Rng};
//! use spinney_search::flat::Flat;
//! use spinney_search::{Limits, Stop, policy::Random};
//!
//! let (game, stop) = (History::new(Race::START), Stop::new());
//! let limits = Limits::simulations(3000);
//! let report = Flat::new(&game, &stop).run(&game, &mut Random::default(), &limits, &stop, &mut Rng::new(1));
//! assert!(report.candidates.iter().all(|candidate| candidate.visits == 1000));
//! ```

use std::time::Duration;

use spinney_game::{History, Move, Repetition, Rng, Side};

use crate::policy::{Policy, Simulation};
use crate::tries::Try;
use crate::{Budget, Candidate, GameValue, Limits, Report, Stop};

/// A search of one position, which may be done in slices.
#[derive(Clone, Debug)]
pub struct Flat {
    /// The key of the position.
    root: u64,
    tries: Vec<Try>,
    /// Simulations so far, and positions visited.
    done: u64,
    nodes: u64,
    /// By the clock of the host.
    started: Duration,
}

impl Flat {
    /// Begins to search the present position of a game.
    pub fn new<G: Repetition>(history: &History<G>, stop: &Stop) -> Self {
        let mut moves = Vec::new();
        history.position().legal_moves(&mut moves);
        let tries = moves.into_iter().map(|m| Try::new(m.pack())).collect();
        Flat { root: history.position().key(), tries, done: 0, nodes: 0, started: stop.now() }
    }

    /// Searches until a limit, the flag or a pause ends it. Without any limit every move is played out
    /// once. Limits are the same in every slice; another position begins another search.
    pub fn run<G: Repetition>(
        &mut self,
        history: &History<G>,
        policy: &mut impl Policy<G>,
        limits: &Limits,
        stop: &Stop,
        rng: &mut Rng,
    ) -> Report {
        if history.outcome().is_some() {
            return Report::empty();
        }
        if self.root != history.position().key() {
            *self = Flat::new(history, stop);
        }
        let simulations = match limits {
            Limits { simulations: Some(simulations), .. } => *simulations,
            Limits { time: None, nodes: None, .. } => self.tries.len() as u64,
            _ => u64::MAX,
        };
        let root = history.position();
        let mut budget = Budget::resumed(limits, stop, self.started, self.nodes);
        let mut path = history.path().clone();
        let sign = if root.to_move() == Side::First { 1.0 } else { -1.0 };
        // The moves take turns.
        while self.done < simulations
            && !budget.is_paused()
            && !budget.is_exhausted()
            && !budget.spend(1)
        {
            let index = (self.done % self.tries.len() as u64) as usize;
            let tried = &mut self.tries[index];
            let m = G::Move::unpack(tried.m);
            let mut position = root.clone();
            let length = path.len();
            let irreversible = position.is_irreversible(m);
            position.play(m);
            path.push(position.key(), irreversible);
            let repeats = position.drawn_at().is_some_and(|times| path.repeats(times));
            let result_for_first = match position.outcome() {
                Some(outcome) => Some(outcome.score_for_first()),
                None if repeats => Some(0.0),
                None => {
                    let mut simulation =
                        Simulation { path: &mut path, rng, budget: &mut budget, trace: None };
                    policy.playout(position, &mut simulation)
                }
            };
            path.truncate(length);
            let Some(result_for_first) = result_for_first else { break };
            tried.add((result_for_first * sign).into());
            self.done += 1;
        }
        self.nodes = budget.visited();
        self.report(stop)
    }

    fn report(&self, stop: &Stop) -> Report {
        // The best mean; ties go to the first, since the sort is stable.
        let untried = GameValue::Loss.score().into();
        let mut candidates: Vec<Candidate> =
            self.tries.iter().map(|tried| tried.candidate(untried)).collect();
        candidates.sort_by(|a, b| b.value.total_cmp(&a.value));
        Report {
            simulations: self.done,
            nodes: self.nodes,
            elapsed: stop.now().saturating_sub(self.started),
            ..Report::of(candidates)
        }
    }
}
