//! Heavy playouts: the simulation strategies of MCC (paper `mcc`, 4.2.1), for any game and what is
//! known about it.
//!
//! - ε-greedy: the move that looks best with probability 1 - ε, else a random one.
//! - decisive moves: a move that wins at once is always played; anti-decisive: none that lets the
//!   opponent win at once, if another is there (2.2.5).
//! - known positions: a playout ends where a tablebase has the value.
//! - repeated draws: a playout that ends in a draw is tried again, up to a number of tries (5.1.1).
//!
//! A playout whose next move wins is over: the move need not be made.

use spinney_game::{Game, Outcome, Repetition, Rng};

use super::{Policy, Simulation};
use crate::Budget;
use crate::knowledge::{Known, Oracle, PlayoutModel};

/// How the moves of playouts are chosen. The default is plain random play.
#[derive(Clone, Debug, PartialEq)]
pub struct EpsilonGreedyConfig {
    /// The probability of a random move instead of the best one.
    pub epsilon: f32,
    /// Plays a move that wins at once.
    pub decisive: bool,
    /// Plays no move that lets the opponent win at once, if there is another.
    pub anti_decisive: bool,
    /// Playouts for a result that is no draw; 1: a draw counts at once.
    pub tries: u32,
    /// Plies after which a playout is a draw.
    pub max_plies: u32,
}

impl Default for EpsilonGreedyConfig {
    fn default() -> Self {
        EpsilonGreedyConfig {
            epsilon: 1.0,
            decisive: false,
            anti_decisive: false,
            tries: 1,
            max_plies: u32::MAX,
        }
    }
}

/// What a move of a playout costs beside its position, in positions: a greedy move looks at all
/// others, an anti-decisive one at their replies.
const MOVE_WORK: u64 = 8;

/// Playouts by what is known about the game.
#[derive(Clone, Debug)]
pub struct EpsilonGreedy<G: Game, K> {
    options: EpsilonGreedyConfig,
    knowledge: K,
    moves: Vec<G::Move>,
}

impl<G: Repetition, K: PlayoutModel<G> + Oracle<G>> EpsilonGreedy<G, K> {
    /// Playouts with these options.
    pub fn new(options: EpsilonGreedyConfig, knowledge: K) -> Self {
        EpsilonGreedy { options, knowledge, moves: Vec::with_capacity(128) }
    }

    fn best_or_random(&mut self, position: &G, rng: &mut Rng) -> G::Move {
        let EpsilonGreedyConfig { epsilon, .. } = self.options;
        let greedy = epsilon < 1.0 && (epsilon <= 0.0 || rng.unit() >= f64::from(epsilon));
        let best = if greedy { self.knowledge.best_move(position) } else { None };
        best.unwrap_or_else(|| position.random_move(rng))
    }

    fn winning_move(&mut self, position: &G) -> Option<G::Move> {
        if self.options.decisive || self.options.anti_decisive {
            let state = self.knowledge.state(position);
            self.knowledge.winning_move(position, &state)
        } else {
            None
        }
    }

    /// A random move after which the opponent does not win at once.
    fn refuge(&mut self, position: &G, rng: &mut Rng) -> Option<(G::Move, G)> {
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        position.legal_moves(&mut moves);
        rng.shuffle(&mut moves);
        let refuge = moves.iter().find_map(|&m| {
            let mut next = position.clone();
            next.play(m);
            let safe = next.outcome().is_some() || !self.knowledge.wins_at_once(&next);
            safe.then_some((m, next))
        });
        self.moves = moves;
        refuge
    }

    /// The result of one playout as the first side sees it; `None` if it was interrupted. Leaves its
    /// positions on the path.
    fn play(&mut self, mut position: G, simulation: &mut Simulation<'_, G>) -> Option<f32> {
        let Simulation { path, rng, budget, trace } = simulation;
        let drawn_at = position.drawn_at();
        let mut winning = self.winning_move(&position);
        for _ in 0..self.options.max_plies {
            budget.spend(1);
            budget.spend_uncounted(MOVE_WORK);
            if budget.is_interrupted() {
                return None;
            }
            budget.note_playout(1);
            // 1. Nothing is left to decide.
            if let Some(value) = self.knowledge.adjudicate(&position) {
                return Some(value.score_for_first(position.to_move()));
            }
            if let Some(m) = winning.filter(|_| self.options.decisive) {
                if let Some(trace) = trace {
                    trace.push(m);
                }
                return Some(Outcome::Win(position.to_move()).score_for_first());
            }
            // 2. The move, and whether the opponent has a winning one after it.
            let mut m = self.best_or_random(&position, rng);
            let mut next = position.clone();
            next.play(m);
            let mut outcome = next.outcome();
            winning = if outcome.is_none() { self.winning_move(&next) } else { None };
            if self.options.anti_decisive
                && winning.is_some()
                && let Some(refuge) = self.refuge(&position, rng)
            {
                (m, next) = refuge;
                outcome = next.outcome();
                winning = None;
            }
            // 3. It is made.
            if let Some(trace) = trace {
                trace.push(m);
            }
            if let Some(outcome) = outcome {
                return Some(outcome.score_for_first());
            }
            if let Some(times) = drawn_at {
                path.push(next.key(), position.is_irreversible(m));
                if path.repeats(times) {
                    return Some(Outcome::Draw.score_for_first());
                }
            }
            position = next;
        }
        Some(Outcome::Draw.score_for_first())
    }
}

impl<G: Repetition, K: PlayoutModel<G> + Oracle<G>> Policy<G> for EpsilonGreedy<G, K> {
    fn playout(&mut self, position: G, simulation: &mut Simulation<'_, G>) -> Option<f32> {
        let length = simulation.path.len();
        let mut result = Outcome::Draw.score_for_first();
        for _ in 0..self.options.tries.max(1) {
            if let Some(trace) = &mut simulation.trace {
                trace.clear();
            }
            let end = self.play(position.clone(), simulation);
            simulation.path.truncate(length);
            result = end?;
            let is_decided = result != Outcome::Draw.score_for_first();
            // A playout of no plies takes time as well.
            if is_decided || simulation.budget.spend_uncounted(1) {
                break;
            }
        }
        Some(result)
    }

    fn choose(&mut self, position: &G, rng: &mut Rng, _budget: &mut Budget) -> G::Move {
        match self.winning_move(position).filter(|_| self.options.decisive) {
            Some(m) => m,
            None => self.best_or_random(position, rng),
        }
    }

    fn prior(&mut self, position: &G, m: G::Move) -> f32 {
        self.knowledge.prior(position, m)
    }

    fn known(&mut self, position: &G) -> Option<Known> {
        self.knowledge.known(position)
    }

    fn begin(&mut self, root: &G) {
        self.knowledge.begin(root);
    }
}
