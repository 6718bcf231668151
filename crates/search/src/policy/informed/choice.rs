//! The strategies that look one ply ahead.

use spinney_game::{Game, Rng};

use super::{Buffers, Informed, PLIES, WON};
use crate::knowledge::{Oracle, PlayoutModel};

/// A move, and what is known about the position after it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Choice<M> {
    pub(super) m: M,
    /// The value for the mover, if it was looked at.
    pub(super) value: Option<i32>,
    /// Whether the playout ends if this value is beyond the threshold, whatever the ply.
    pub(super) decides: bool,
}

impl<M> Choice<M> {
    /// A move that ends the game, or nearly: the playout sees how.
    #[inline(always)]
    pub(super) fn wins(m: M) -> Self {
        Choice { m, value: Some(WON), decides: true }
    }
}

impl<G: Game, K: PlayoutModel<G> + Oracle<G>> Informed<G, K> {
    /// Makes the list of moves and their weights, at a ply of the search.
    #[inline(always)]
    pub(super) fn list_moves(&mut self, ply: usize, position: &G, state: &K::State) {
        self.buffers[ply % PLIES].list(&mut self.knowledge, position, state);
    }

    /// A move drawn by its category.
    #[inline(always)]
    pub(super) fn by_category(
        &mut self,
        position: &G,
        state: &K::State,
        rng: &mut Rng,
    ) -> Choice<G::Move> {
        self.list_moves(0, position, state);
        let sum = self.buffers[0].weights.iter().sum();
        let index = roulette(&self.buffers[0].weights, sum, rng);
        Choice { m: self.buffers[0].moves[index], value: None, decides: false }
    }

    /// The corrective strategy (`mcts-loa`, Fig. 7).
    ///
    /// Few moves are evaluated: moves are drawn by category until one is accepted. With weight q of a
    /// move in the draw and its weight t by Fig. 7, known when it is drawn, it is accepted with
    /// probability t / q, and otherwise drawn with t from then on. So at every draw a move is accepted
    /// with a probability proportional to its t: the moves come as often as if all were evaluated.
    #[inline(always)]
    pub(super) fn corrective(
        &mut self,
        position: &G,
        state: &K::State,
        rng: &mut Rng,
    ) -> Choice<G::Move> {
        self.list_moves(0, position, state);
        if let Some(m) = self.winning_move(position, state) {
            return Choice::wins(m);
        }
        let before = self.value_of_turn_passed(position, state);
        let least = self.options.min_weight;
        let Buffers { weights, drawn, .. } = &mut self.buffers[0];
        // A weight in the draw is at least that by Fig. 7.
        drawn.clear();
        drawn.extend(weights.iter().map(|weight| weight.max(least)));
        let mut sum: f32 = drawn.iter().sum();
        // The draws end: a move that was rejected once is accepted the next time.
        loop {
            let index = roulette(&self.buffers[0].drawn, sum, rng);
            let m = self.buffers[0].moves[index];
            let improves = self.value(position, state, m) > before;
            let weight = if improves { self.buffers[0].weights[index] } else { least };
            let drawn = &mut self.buffers[0].drawn[index];
            if rng.unit() as f32 * *drawn <= weight {
                return Choice { m, value: None, decides: false };
            }
            sum -= *drawn - weight;
            *drawn = weight;
        }
    }

    /// A move that wins at once; the list of moves is there.
    #[inline(always)]
    pub(super) fn winning_move(&mut self, position: &G, state: &K::State) -> Option<G::Move> {
        if K::FINDS_WINS {
            return self.knowledge.winning_move(position, state);
        }
        self.buffers[0].moves.iter().copied().find(|&m| end_for_mover(position, m) == Some(1))
    }

    /// What a move must surpass to be an improvement: the value of the same position for the mover
    /// with the other side to move. The turn itself is worth something, which every move gives away.
    #[inline(always)]
    fn value_of_turn_passed(&mut self, position: &G, state: &K::State) -> i32 {
        match self.knowledge.null_move(position, state) {
            Some((passed, state)) => -self.knowledge.evaluate(&passed, &state),
            None => self.knowledge.evaluate(position, state),
        }
    }

    /// The greedy strategy (`mcts-loa`, Fig. 8).
    #[inline(always)]
    pub(super) fn greedy(&mut self, position: &G, state: &K::State) -> Choice<G::Move> {
        self.list_moves(0, position, state);
        if let Some(m) = self.winning_move(position, state) {
            return Choice::wins(m);
        }
        self.buffers[0].rank(0);
        let mut best = Choice { m: self.buffers[0].moves[0], value: None, decides: true };
        let mut best_value = i32::MIN;
        for place in 0..self.options.candidates {
            let Some((m, _)) = self.buffers[0].nth(place) else { break };
            let value = self.value(position, state, m);
            if value > best_value {
                best_value = value;
                best = Choice { m, value: Some(value), decides: true };
            }
        }
        best
    }

    /// The value of a move for its mover.
    #[inline(always)]
    pub(super) fn value(&mut self, position: &G, state: &K::State, m: G::Move) -> i32 {
        match self.end(position, state, m) {
            Some(score) => score * WON,
            None => self.knowledge.evaluate_after(position, state, m),
        }
    }

    /// How the game ends with a move, as its mover sees it; `None` if it does not end.
    #[inline(always)]
    pub(super) fn end(&self, position: &G, state: &K::State, m: G::Move) -> Option<i32> {
        if self.knowledge.may_end(position, state, m) { end_for_mover(position, m) } else { None }
    }
}

#[inline(always)]
fn end_for_mover<G: Game>(position: &G, m: G::Move) -> Option<i32> {
    let mut next = position.clone();
    next.play(m);
    let outcome = next.outcome()?;
    Some(outcome.score_for(position.to_move()))
}

/// An index, drawn with a probability proportional to its weight; `sum` is that of the weights.
#[inline(always)]
fn roulette(weights: &[f32], sum: f32, rng: &mut Rng) -> usize {
    let mut rest = sum * rng.unit() as f32;
    for (index, &weight) in weights.iter().enumerate() {
        rest -= weight;
        if rest < 0.0 {
            return index;
        }
    }
    // Only if all weights are 0, or by rounding.
    weights.len() - 1
}
