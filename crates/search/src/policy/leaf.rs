//! Evaluation at the leaf in place of a play-out: a quiescence search, whose value is turned into the
//! expected result by the logistic function.
//!
//! Quiescence search (fail-soft alpha-beta) looks at tactical moves only; the side to move may decline
//! them all and stand where it is, unless it is in danger: then it has to find a way out among all its
//! moves. A move that cannot lift the value to the window is left out (delta pruning).
//!
//! A position in which the side to move wins at once is known, so the solver gets a proof.

use spinney_game::{Game, Repetition, Rng, Side};

use super::{Known, Policy, Simulation};
use crate::real::exp;
use crate::{Budget, GameValue};

/// What a search at the leaves asks of a game. Values are for the side to move, in points.
pub trait Tactics<G: Game>: Clone + Send + 'static {
    /// The static value of a position that is not finished.
    fn evaluate(&mut self, position: &G) -> i32;

    /// Whether the side to move must react, so that its static value means nothing: check.
    fn is_in_danger(&self, position: &G) -> bool;

    /// Appends the moves that quiescence search looks at, each with what it gains at most, in the order
    /// in which they are tried; in danger, all legal moves. No sequence may go on for ever.
    fn tactical_moves(&mut self, position: &G, moves: &mut Vec<(G::Move, i32)>);

    /// A move that wins at once.
    fn winning_move(&mut self, position: &G) -> Option<G::Move>;

    /// Appends the probabilities that the moves are the best one, as far as it shows. They add up to 1.
    fn priors(&mut self, position: &G, moves: &[G::Move], priors: &mut Vec<f32>);

    /// What is known of a position that is not finished, other than by a winning move.
    fn known(&mut self, _position: &G) -> Option<Known> {
        None
    }

    /// A search of this position begins.
    fn begin(&mut self, _root: &G) {}
}

/// The options of the search at the leaves.
#[derive(Clone, Debug, PartialEq)]
pub struct Leaves {
    /// Searches captures and the like; without, the static value counts.
    pub quiescence: bool,
    /// What a move may gain beyond its prize, in points.
    pub margin: i32,
    /// The expected result of a value v is 2 / (1 + exp(-v / scale)) - 1.
    pub scale: f32,
    /// Looks for a move that wins at once.
    pub look: bool,
}

/// A lost position, for its loser: beyond every evaluation.
const LOST: i32 = -1_000_000;

/// Evaluation at the leaf.
#[derive(Clone, Debug)]
pub struct LeafSearch<G: Game, K> {
    options: Leaves,
    knowledge: K,
    /// The lists of moves of all plies, one after the other.
    moves: Vec<(G::Move, i32)>,
}

impl<G: Repetition, K: Tactics<G>> LeafSearch<G, K> {
    /// Evaluation with these options.
    pub fn new(options: Leaves, knowledge: K) -> Self {
        LeafSearch { options, knowledge, moves: Vec::with_capacity(512) }
    }

    /// The value of a position for the side to move, seen through a window. It means nothing if the
    /// search was interrupted.
    fn quiesce(&mut self, position: &G, mut alpha: i32, beta: i32, budget: &mut Budget) -> i32 {
        budget.spend(1);
        // 1. Standing where it is.
        let in_danger = self.knowledge.is_in_danger(position);
        let stand = if in_danger { LOST } else { self.knowledge.evaluate(position) };
        if stand >= beta {
            return stand;
        }
        alpha = alpha.max(stand);
        let mut best = stand;
        // 2. Tactical moves.
        let start = self.moves.len();
        self.knowledge.tactical_moves(position, &mut self.moves);
        for index in start..self.moves.len() {
            let (m, gain) = self.moves[index];
            let hope = stand.saturating_add(gain + self.options.margin);
            if !in_danger && hope <= alpha {
                best = best.max(hope);
                continue;
            }
            let mut next = position.clone();
            next.play(m);
            let value = -self.quiesce(&next, -beta, -alpha, budget);
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

impl<G: Repetition, K: Tactics<G>> Policy<G> for LeafSearch<G, K> {
    fn playout(&mut self, position: G, simulation: &mut Simulation<'_, G>) -> Option<f32> {
        let value = if self.options.quiescence {
            self.quiesce(&position, LOST, -LOST, simulation.budget)
        } else {
            self.knowledge.evaluate(&position)
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
        if self.options.look && self.knowledge.winning_move(position).is_some() {
            return Some(Known { value: GameValue::Win, plies: 1 });
        }
        self.knowledge.known(position)
    }

    fn begin(&mut self, root: &G) {
        self.knowledge.begin(root);
    }
}
