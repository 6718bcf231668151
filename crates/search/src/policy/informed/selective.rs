//! The selective alpha-beta search of two plies (paper `ab-playouts`, IV and Fig. 3).
//!
//! At each ply the first moves are searched, the next are looked at for the end of the game only, and
//! the rest is left out. First come two killer moves, the last that were best or caused a cut-off at
//! this ply of the search and this level of the play-out; then the likeliest moves by category. The
//! window is that of the threshold which ends the play-out.

use spinney_game::Game;

use super::choice::{Choice, end_for_mover};
use super::{Informed, WON};
use crate::alpha_beta::Knowledge;

/// How much the search looks at, at its first and its second ply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selective {
    /// Moves that are searched: `n_eval` of Fig. 3.
    pub searched: [usize; 2],
    /// Further moves that are looked at for the end of the game: `n_look`.
    pub looked_at: [usize; 2],
    /// Whether killer moves come first.
    pub killers: bool,
}

impl Default for Selective {
    /// The values of the paper.
    fn default() -> Self {
        Selective { searched: [7, 5], looked_at: [usize::MAX, 0], killers: true }
    }
}

/// Plies of the search.
const PLIES: usize = 2;

/// Killer moves: for each level of the play-out and each ply of the search the last two.
#[derive(Clone, Debug)]
pub(super) struct Killers<M> {
    levels: Vec<[[Option<M>; 2]; PLIES]>,
}

/// Levels with killers of their own; what is deeper shares those of the last.
const MOST_LEVELS: u32 = 256;

impl<M: Copy + Eq> Killers<M> {
    pub(super) fn new(max_plies: u32) -> Self {
        Killers { levels: vec![[[None; 2]; PLIES]; max_plies.clamp(1, MOST_LEVELS) as usize] }
    }

    #[inline(always)]
    fn at(&mut self, level: u32, ply: usize) -> &mut [Option<M>; 2] {
        let last = self.levels.len() - 1;
        &mut self.levels[(level as usize).min(last)][ply % PLIES]
    }

    #[inline(always)]
    fn add(&mut self, level: u32, ply: usize, m: M) {
        let killers = self.at(level, ply);
        if killers[0] != Some(m) {
            killers[1] = killers[0];
            killers[0] = Some(m);
        }
    }
}

impl<G: Game, K: Knowledge<G>> Informed<G, K> {
    /// The best move by the search, at this level of the play-out.
    #[inline(always)]
    pub(super) fn two_plies(
        &mut self,
        position: &G,
        state: &K::State,
        level: u32,
    ) -> Choice<G::Move> {
        // 1. The moves, and one that wins at once: all are looked at, or some.
        //    A value on the edge of the window is beyond the threshold, so the play-out ends.
        let bound = self.options.threshold.map_or(WON, |threshold| threshold + 1);
        let (mut best, beta) = (-bound, bound);
        self.list_moves(position, state);
        let count = self.order(level, 0);
        let looked_at = self.options.selective.looked_at[0];
        let most = count.saturating_add(looked_at).min(self.buffers.moves.len());
        for place in 0..most {
            let m = self.ranked(place);
            if end_for_mover(position, m) == Some(1) {
                return Choice::wins(m);
            }
        }
        // 2. The search of the first moves. Their list is kept apart from those of the replies.
        let mut best_move = self.ranked(0);
        for place in 0..count {
            let m = self.ranked(place);
            let mut next = position.clone();
            next.play(m);
            let value = match next.outcome() {
                Some(outcome) => outcome.score_for(position.to_move()) * WON,
                None => {
                    let mut next_state = state.clone();
                    self.knowledge.update(&mut next_state, position, m);
                    std::mem::swap(&mut self.buffers, &mut self.reply_buffers);
                    let value = -self.reply(&next, &next_state, level, -beta, -best);
                    std::mem::swap(&mut self.buffers, &mut self.reply_buffers);
                    value
                }
            };
            if value > best {
                best = value;
                best_move = m;
                if best >= beta {
                    break;
                }
            }
        }
        self.killers.add(level, 0, best_move);
        Choice { m: best_move, value: Some(best), decides: true }
    }

    /// The value of a position for its side to move, by one ply.
    #[inline(always)]
    fn reply(&mut self, position: &G, state: &K::State, level: u32, alpha: i32, beta: i32) -> i32 {
        self.list_moves(position, state);
        let count = self.order(level, 1);
        let looked_at = self.options.selective.looked_at[1];
        let most = count.saturating_add(looked_at).min(self.buffers.moves.len());
        let mut best = alpha;
        for place in 0..most {
            let m = self.ranked(place);
            let value = match end_for_mover(position, m) {
                Some(score) => score * WON,
                None if place < count => self.knowledge.evaluate_after(position, state, m),
                None => continue,
            };
            if value > best {
                best = value;
                self.killers.add(level, 1, m);
                if best >= beta {
                    break;
                }
            }
        }
        best
    }

    /// Puts the moves that are searched at a ply in the first places, and returns their number:
    /// killers that are in the list, then the likeliest.
    #[inline(always)]
    fn order(&mut self, level: u32, ply: usize) -> usize {
        if self.options.selective.killers {
            // The last killer comes first.
            let killers = *self.killers.at(level, ply);
            for (weight, killer) in [KILLER, KILLER / 2.0].into_iter().zip(killers) {
                if let Some(killer) = killer {
                    for index in 0..self.buffers.moves.len() {
                        if self.buffers.moves[index] == killer {
                            self.buffers.weights[index] = weight;
                        }
                    }
                }
            }
        }
        let count = self.rank(self.options.selective.searched[ply]);
        self.buffers.order[..count].sort_unstable();
        count
    }
}

/// The weight of a killer move: above every probability.
const KILLER: f32 = 4.0;
