//! What the searches ask of chess (`spinney_search::knowledge`).
//!
//! Nothing is kept beside a position: the evaluation is from scratch.

use spinney_game::{Game, Outcome};
use spinney_search::GameValue;
use spinney_search::knowledge::{Evaluate, Known, LeafValue, MoveOrder, Oracle, PlayoutModel};
use spinney_search::real::exp;

use super::{Adjudicator, best_exchange, evaluate, mate_in_one, promises, tactical_moves};
use crate::chess::{Chess, Move};

/// What the greedy move of a playout is best for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Greedy {
    /// The evaluation of the position after it.
    Evaluation,
    /// Its static exchange; the evaluation if no exchange gains.
    Exchange,
}

/// What the prior of a move is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Priors {
    /// The value after the move for the mover, in centipawns: H of `mcc`, formula 4.
    Evaluation,
    /// The probability that the move is best, by what it captures, threatens and risks. They add up to 1.
    Promise {
        /// A move that promises this many centipawns more is e times as likely.
        temperature: f32,
        /// The share of the probability that all moves have alike.
        evenness: f32,
    },
}

/// The knowledge of MCC and `mcc-plus`.
#[derive(Clone)]
pub struct ChessKnowledge {
    greedy: Greedy,
    priors: Priors,
    adjudicator: Adjudicator,
    moves: Vec<Move>,
    promises: Vec<i32>,
}

/// Promises are capped at this value, in centipawns.
const MAX_PROMISE: i32 = 600;

/// The value of a position that a table says is won, in centipawns. Half of the evaluation is added, which
/// leads to the mate.
const TABLE_WIN: i32 = 2000;

impl ChessKnowledge {
    /// Knowledge for playouts and trees.
    pub fn new(greedy: Greedy, priors: Priors, adjudicator: Adjudicator) -> Self {
        let (moves, promises) = (Vec::with_capacity(256), Vec::with_capacity(256));
        ChessKnowledge { greedy, priors, adjudicator, moves, promises }
    }
}

/// The value of the position after a move for its mover, in centipawns.
fn evaluate_after(position: &Chess, m: Move) -> i32 {
    let mut next = position.clone();
    next.play(m);
    -evaluate(&next)
}

impl Evaluate<Chess> for ChessKnowledge {
    type State = ();

    #[inline(always)]
    fn state(&mut self, _: &Chess) {}

    #[inline(always)]
    fn update(&mut self, (): &mut (), _: &Chess, _: Move) {}

    #[inline]
    fn evaluate(&mut self, position: &Chess, (): &()) -> i32 {
        let value = evaluate(position);
        match self.adjudicator.value(position) {
            None => value,
            Some(GameValue::Win) => TABLE_WIN + value / 2,
            Some(GameValue::Draw) => 0,
            Some(GameValue::Loss) => value / 2 - TABLE_WIN,
        }
    }
}

impl MoveOrder<Chess> for ChessKnowledge {
    fn prior(&self, position: &Chess, m: Move) -> f32 {
        evaluate_after(position, m) as f32
    }

    fn priors(&mut self, position: &Chess, moves: &[Move], priors: &mut Vec<f32>) {
        let Priors::Promise { temperature, evenness } = self.priors else {
            priors.extend(moves.iter().map(|&m| self.prior(position, m)));
            return;
        };
        self.promises.clear();
        promises(position, moves, &mut self.promises);
        let start = priors.len();
        let mut sum = 0.0;
        for &promise in &self.promises {
            let weight = exp(promise.clamp(-MAX_PROMISE, MAX_PROMISE) as f32 / temperature);
            sum += weight;
            priors.push(weight);
        }
        let even = evenness / moves.len() as f32;
        for prior in &mut priors[start..] {
            *prior = *prior / sum * (1.0 - evenness) + even;
        }
    }
}

impl PlayoutModel<Chess> for ChessKnowledge {
    fn best_move(&mut self, position: &Chess) -> Option<Move> {
        if self.greedy == Greedy::Exchange
            && let Some(m) = best_exchange(position)
        {
            return Some(m);
        }
        self.moves.clear();
        position.legal_moves(&mut self.moves);
        let mut best = None;
        let mut best_value = i32::MIN;
        for &m in &self.moves {
            let value = evaluate_after(position, m);
            if value > best_value {
                (best, best_value) = (Some(m), value);
            }
        }
        best
    }
}

impl Oracle<Chess> for ChessKnowledge {
    const FINDS_WINS: bool = true;

    #[inline]
    fn winning_move(&mut self, position: &Chess, (): &()) -> Option<Move> {
        mate_in_one(position)
    }

    #[inline]
    fn known(&mut self, position: &Chess) -> Option<Known> {
        self.adjudicator.known(position)
    }

    #[inline]
    fn adjudicate(&mut self, position: &Chess) -> Option<GameValue> {
        self.adjudicator.value(position)
    }

    fn begin(&mut self, root: &Chess) {
        self.adjudicator.begin(root);
    }
}

impl LeafValue<Chess> for ChessKnowledge {
    #[inline]
    fn is_in_danger(&self, position: &Chess) -> bool {
        !position.board().checkers().is_empty()
    }

    #[inline]
    fn forcing_moves(&mut self, position: &Chess, (): &(), moves: &mut Vec<(Move, i32)>) {
        tactical_moves(position, moves);
    }

    /// A side that is in check and has no move is lost without asking; stalemates are not seen.
    #[inline]
    fn outcome(&self, _: &Chess) -> Option<Outcome> {
        None
    }
}
