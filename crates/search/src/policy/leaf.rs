//! Evaluation at the leaf in place of a playout: a quiescence search, whose value is turned into the
//! expected result by the logistic function.
//!
//! Quiescence search (fail-soft alpha-beta) looks at tactical moves only; the side to move may decline
//! them all and stand where it is, unless it is in danger: then it has to find a way out among all its
//! moves. A move that cannot lift the value to the window is left out (delta pruning).
//!
//! A position in which the side to move wins at once is known, so the solver gets a proof.

use spinney_game::{Game, Repetition, Rng, Side};

use super::{Policy, Simulation};
use crate::knowledge::{Known, LeafValue, Oracle, UNBOUNDED_GAIN};
use crate::real::exp;
use crate::{Budget, GameValue};

/// The options of the search at the leaves.
#[derive(Clone, Debug, PartialEq)]
pub struct LeafSearchConfig {
    /// Searches captures and the like; without, the static value counts.
    pub quiescence: bool,
    /// What a move may gain beyond its prize, in points.
    pub margin: i32,
    /// The expected result of a value v is 2 / (1 + exp(-v / scale)) - 1.
    pub scale: f32,
    /// Looks for a move that wins at once.
    pub detect_mate: bool,
}

/// A lost position, for its loser: beyond every evaluation.
const LOST: i32 = -UNBOUNDED_GAIN;

/// Evaluation at the leaf.
#[derive(Clone, Debug)]
pub struct LeafSearch<G: Game, K> {
    options: LeafSearchConfig,
    knowledge: K,
    /// The lists of moves of all plies, one after the other.
    moves: Vec<(G::Move, i32)>,
}

impl<G: Repetition, K: LeafValue<G> + Oracle<G>> LeafSearch<G, K> {
    /// Evaluation with these options.
    pub fn new(options: LeafSearchConfig, knowledge: K) -> Self {
        LeafSearch { options, knowledge, moves: Vec::with_capacity(512) }
    }

    /// The value of a position for the side to move, exact within the window; meaningless if the search
    /// was interrupted.
    fn quiesce(
        &mut self,
        position: &G,
        state: &K::State,
        mut alpha: i32,
        beta: i32,
        budget: &mut Budget,
    ) -> i32 {
        budget.spend(1);
        // 1. Stand pat.
        let in_danger = self.knowledge.is_in_danger(position);
        let stand = if in_danger { LOST } else { self.knowledge.evaluate(position, state) };
        if stand >= beta {
            return stand;
        }
        alpha = alpha.max(stand);
        let mut best = stand;
        // 2. Forcing moves.
        let start = self.moves.len();
        self.knowledge.forcing_moves(position, state, &mut self.moves);
        for index in start..self.moves.len() {
            let (m, gain) = self.moves[index];
            let hope = stand.saturating_add(gain + self.options.margin);
            if !in_danger && hope <= alpha {
                best = best.max(hope);
                continue;
            }
            let (mut next, mut next_state) = (position.clone(), state.clone());
            self.knowledge.update(&mut next_state, position, m);
            next.play(m);
            let value = match self.knowledge.outcome(&next) {
                Some(outcome) => -LOST * outcome.score_for(position.to_move()),
                None => -self.quiesce(&next, &next_state, -beta, -alpha, budget),
            };
            if value > best {
                best = value;
                alpha = alpha.max(value);
                if value >= beta {
                    break;
                }
            }
            if budget.is_interrupted() {
                break;
            }
        }
        self.moves.truncate(start);
        best
    }
}

impl<G: Repetition, K: LeafValue<G> + Oracle<G>> Policy<G> for LeafSearch<G, K> {
    fn playout(&mut self, position: G, simulation: &mut Simulation<'_, G>) -> Option<f32> {
        let state = self.knowledge.state(&position);
        let value = if self.options.quiescence {
            self.quiesce(&position, &state, LOST, -LOST, simulation.budget)
        } else {
            self.knowledge.evaluate(&position, &state)
        };
        if simulation.budget.is_interrupted() {
            return None;
        }
        let result = 2.0 / (1.0 + exp(-value as f32 / self.options.scale)) - 1.0;
        Some(if position.to_move() == Side::First { result } else { -result })
    }

    fn choose(&mut self, position: &G, rng: &mut Rng, _budget: &mut Budget) -> G::Move {
        position.random_move(rng)
    }

    fn priors(&mut self, position: &G, moves: &[G::Move], priors: &mut Vec<f32>) {
        self.knowledge.priors(position, moves, priors);
    }

    fn known(&mut self, position: &G) -> Option<Known> {
        if self.options.detect_mate && self.knowledge.wins_at_once(position) {
            return Some(Known { value: GameValue::Win, plies: 1 });
        }
        self.knowledge.known(position)
    }

    fn begin(&mut self, root: &G) {
        self.knowledge.begin(root);
    }
}
