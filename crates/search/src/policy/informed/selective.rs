//! The selective alpha-beta search of two plies (paper `ab-playouts`, IV and Fig. 3).
//!
//! At each ply the first moves are searched, the next are looked at for the end of the game only, and
//! the rest is left out. First come two killer moves, the last that were best or caused a cut-off at
//! this ply of the search and this level of the play-out; then the likeliest moves by category. The
//! window is that of the threshold which ends the play-out.

use spinney_game::Game;

use super::choice::Choice;
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
pub(super) const PLIES: usize = 2;

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

/// The moves of a ply, one after the other.
struct Source<M> {
    ply: usize,
    killers: [Option<M>; 2],
    /// Killers that were given or found illegal.
    passed: usize,
    /// Whether the list of moves is there.
    listed: bool,
    /// Whether the list is ranked.
    ranked: bool,
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
        // A value on the edge of the window is beyond the threshold, so the play-out ends.
        let bound = self.options.threshold.map_or(WON, |threshold| threshold + 1);
        let (mut best, beta) = (-bound, bound);
        let Selective { searched: [searched, _], looked_at: [looked_at, _], .. } =
            self.options.selective;
        // 1. If all moves are looked at, a win is looked for first.
        self.list_moves(0, position, state);
        let count = self.buffers[0].moves.len();
        if looked_at >= count
            && let Some(m) = self.winning_move(position, state)
        {
            return Choice::wins(m);
        }
        let further = if looked_at < count { looked_at } else { 0 };
        // 2. The first moves are searched, some more looked at.
        let mut best_move = self.buffers[0].moves[0];
        let mut source = self.source(level, 0, true);
        for count in 0..searched.saturating_add(further) {
            let Some(m) = self.next_move(position, state, &mut source) else { break };
            let value = match self.end(position, state, m) {
                Some(score) => score * WON,
                None if count >= searched => continue,
                None => {
                    let (mut next, mut next_state) = (position.clone(), state.clone());
                    self.knowledge.update_for_replies(&mut next_state, position, m);
                    next.play(m);
                    -self.reply(&next, &next_state, level, -beta, -best)
                }
            };
            if count == 0 {
                best_move = m;
            }
            if value > best {
                (best, best_move) = (value, m);
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
        let Selective { searched: [_, searched], looked_at: [_, looked_at], .. } =
            self.options.selective;
        let mut best = alpha;
        let mut source = self.source(level, 1, false);
        for count in 0..searched.saturating_add(looked_at) {
            let Some(m) = self.next_move(position, state, &mut source) else { break };
            let value = match self.end(position, state, m) {
                Some(score) => score * WON,
                None if count >= searched => continue,
                None => self.knowledge.evaluate_after(position, state, m),
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

    /// The moves of a ply of the search; `listed` if their list is there.
    #[inline(always)]
    fn source(&mut self, level: u32, ply: usize, listed: bool) -> Source<G::Move> {
        let killers =
            if self.options.selective.killers { *self.killers.at(level, ply) } else { [None; 2] };
        Source { ply, killers, passed: 0, listed, ranked: false }
    }

    /// The next move: legal killers, then the likeliest. The list is made when it is needed: often a
    /// killer is enough.
    #[inline(always)]
    fn next_move(
        &mut self,
        position: &G,
        state: &K::State,
        source: &mut Source<G::Move>,
    ) -> Option<G::Move> {
        while source.passed < 2 {
            let place = source.passed;
            source.passed += 1;
            let Some(killer) = source.killers[place] else { continue };
            let legal = match self.knowledge.is_legal(position, killer) {
                Some(legal) => legal,
                None => {
                    if !source.listed {
                        self.list_moves(source.ply, position, state);
                        source.listed = true;
                    }
                    self.buffers[source.ply % PLIES].moves.contains(&killer)
                }
            };
            if legal {
                return Some(killer);
            }
        }
        if !source.listed {
            self.list_moves(source.ply, position, state);
            source.listed = true;
        }
        let buffers = &mut self.buffers[source.ply % PLIES];
        if !source.ranked {
            buffers.rank();
            source.ranked = true;
        }
        loop {
            let m = buffers.moves[buffers.ranking.next()?];
            if !source.killers.contains(&Some(m)) {
                return Some(m);
            }
        }
    }
}
