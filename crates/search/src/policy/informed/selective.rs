//! The selective alpha-beta search of two plies (paper `ab-playouts`, IV and Fig. 3).
//!
//! At each ply the first moves are searched, the next are looked at for the end of the game only, and
//! the rest is left out. First come two killer moves, the last that were best or caused a cut-off at
//! this ply of the search and this level of the playout; then the likeliest moves by category. The
//! window is that of the threshold which ends the playout.
//!
//! Most of what the opponent can reply is the same after every move. So its moves are listed and ranked
//! once, as if it were its turn, and after a move only those are found anew that the move touches. The
//! same list serves the opponent when it is really its turn, one level later.

use spinney_game::Game;

use super::choice::Choice;
use super::{Buffers, Informed, WON};
use crate::knowledge::{Oracle, PlayoutModel};

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

/// Moves ranked eagerly; most nodes need this many.
const AT_ONCE: usize = 3;

/// Plies of the search.
pub(super) const PLIES: usize = 2;

/// Killer moves: for each level of the playout and each ply of the search the last two.
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
        let is_new = killers[0] != Some(m);
        killers[1] = killers[usize::from(!is_new)];
        killers[0] = Some(m);
    }
}

/// A list that is shared by several positions, less what was touched since it was made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Base {
    /// The level of the playout where it was made.
    level: u32,
    /// The parts of its moves that do not count any more.
    touched: u64,
    /// How many of its moves were given or found touched.
    place: usize,
}

/// The moves of a ply, one after the other.
struct Source<M> {
    ply: usize,
    killers: [Option<M>; 2],
    /// Killers that were given or found illegal.
    passed: usize,
    /// The list with the moves that are not in that of the ply, if there is one.
    base: Option<Base>,
    /// Whether the list of the ply is there and ranked.
    listed: bool,
    /// How many of its moves were given.
    place: usize,
}

impl<G: Game, K: PlayoutModel<G> + Oracle<G>> Informed<G, K> {
    /// The best move by the search, at this level of the playout.
    #[inline(always)]
    pub(super) fn two_plies(
        &mut self,
        position: &G,
        state: &K::State,
        level: u32,
    ) -> Choice<G::Move> {
        // A value on the edge of the window is beyond the threshold, so the playout ends.
        let bound = self.options.threshold.map_or(WON, |threshold| threshold + 1);
        let (mut best, beta) = (-bound, bound);
        let Selective { searched: [searched, _], looked_at: [looked_at, _], .. } =
            self.options.selective;
        // 1. If all moves are looked at, a win is looked for first.
        let mut source = self.source(level, 0, self.base_of_last_level(level));
        let mut further = 0;
        if !K::FINDS_WINS || looked_at != usize::MAX {
            self.list_moves(0, position, state);
            (source.base, source.listed) = (None, true);
            self.buffers[0].rank(searched);
            if looked_at < self.buffers[0].moves.len() {
                further = looked_at;
            }
        }
        if further == 0
            && looked_at > 0
            && let Some(m) = self.winning_move(position, state)
        {
            return Choice::wins(m);
        }
        // 2. The first moves are searched, some more looked at.
        let has_base = self.list_base(level, position, state);
        let mut best_move = None;
        for count in 0..searched.saturating_add(further) {
            let Some(m) = self.next_move(position, state, &mut source) else { break };
            let value = match self.end(position, state, m) {
                Some(score) => score * WON,
                None if count >= searched => continue,
                None => {
                    let (mut next, mut next_state) = (position.clone(), state.clone());
                    self.knowledge.update_for_replies(&mut next_state, position, m);
                    next.play(m);
                    let base = if has_base { self.base(level, position, state, m) } else { None };
                    -self.reply(&next, &next_state, level, base, -beta, -best)
                }
            };
            if value > best || best_move.is_none() {
                (best, best_move) = (best.max(value), Some(m));
                if best >= beta {
                    break;
                }
            }
        }
        let m = best_move.expect("an unfinished position has a move");
        self.killers.add(level, 0, m);
        self.last_base = if has_base { self.base(level, position, state, m) } else { None };
        Choice { m, value: Some(best), decides: true }
    }

    /// The value of a position for its side to move, by one ply.
    #[inline(always)]
    fn reply(
        &mut self,
        position: &G,
        state: &K::State,
        level: u32,
        base: Option<Base>,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        let Selective { searched: [_, searched], looked_at: [_, looked_at], .. } =
            self.options.selective;
        let mut best = alpha;
        let mut source = self.source(level, 1, base);
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

    /// Lists and ranks the moves that the other side would have if it were its turn; `false` if the game
    /// knows no such moves.
    #[inline(always)]
    fn list_base(&mut self, level: u32, position: &G, state: &K::State) -> bool {
        let Some((passed, state)) = self.knowledge.null_move(position, state) else { return false };
        let base = &mut self.bases[level as usize % 2];
        base.list(&mut self.knowledge, &passed, &state);
        base.rank(2 * AT_ONCE);
        true
    }

    /// What is left of the list made at this level after a move; `None` if nothing is.
    #[inline(always)]
    fn base(&self, level: u32, position: &G, state: &K::State, m: G::Move) -> Option<Base> {
        let touched = self.knowledge.touched_groups(position, state, m)?;
        Some(Base { level, touched, place: 0 })
    }

    /// What is left of the list made one level before: playouts go on level by level.
    #[inline(always)]
    fn base_of_last_level(&self, level: u32) -> Option<Base> {
        self.last_base.filter(|base| base.level + 1 == level)
    }

    /// The moves of a ply of the search.
    #[inline(always)]
    fn source(&mut self, level: u32, ply: usize, base: Option<Base>) -> Source<G::Move> {
        let killers =
            if self.options.selective.killers { *self.killers.at(level, ply) } else { [None; 2] };
        Source { ply, killers, passed: 0, base, listed: false, place: 0 }
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
                    // The list of all moves is needed to know.
                    if !source.listed {
                        source.base = None;
                        self.list_source(position, state, source);
                    }
                    self.buffers[source.ply % PLIES].moves.contains(&killer)
                }
            };
            if legal {
                return Some(killer);
            }
        }
        if !source.listed {
            self.list_source(position, state, source);
        }
        loop {
            let m = self.next_listed(source)?;
            let [first, second] = source.killers.map(|killer| killer == Some(m));
            if !(first | second) {
                return Some(m);
            }
        }
    }

    /// Makes the list of a ply: all moves, or those that are not left in the base.
    #[inline(always)]
    fn list_source(&mut self, position: &G, state: &K::State, source: &mut Source<G::Move>) {
        source.listed = true;
        let searched = self.options.selective.searched[source.ply % PLIES];
        let buffers = &mut self.buffers[source.ply % PLIES];
        if let Some(base) = source.base {
            buffers.moves.clear();
            buffers.weights.clear();
            let Buffers { moves, weights, .. } = buffers;
            self.knowledge.moves_of_groups(position, state, base.touched, moves, weights);
            buffers.rank(AT_ONCE);
            if !buffers.moves.is_empty() || self.next_left(source).is_some() {
                return;
            }
            // Neither are there moves left nor new ones: all that can be is a pass.
            source.base = None;
        }
        let buffers = &mut self.buffers[source.ply % PLIES];
        buffers.list(&mut self.knowledge, position, state);
        buffers.rank(searched);
    }

    /// The likeliest move that was not given yet.
    #[inline(always)]
    fn next_listed(&mut self, source: &mut Source<G::Move>) -> Option<G::Move> {
        let left = self.next_left(source);
        let listed = self.buffers[source.ply % PLIES].nth(source.place);
        match (left, listed) {
            (Some((m, weight)), listed) if listed.is_none_or(|(_, other)| other <= weight) => {
                source.base.iter_mut().for_each(|base| base.place += 1);
                Some(m)
            }
            (_, Some((m, _))) => {
                source.place += 1;
                Some(m)
            }
            (_, None) => None,
        }
    }

    /// The likeliest move that is left in the base and was not given yet, and its probability.
    #[inline(always)]
    fn next_left(&mut self, source: &mut Source<G::Move>) -> Option<(G::Move, f32)> {
        let base = source.base.as_mut()?;
        let list = &mut self.bases[base.level as usize % 2];
        loop {
            let (m, weight) = list.nth(base.place)?;
            if base.touched >> self.knowledge.group(m) & 1 == 0 {
                return Some((m, weight));
            }
            base.place += 1;
        }
    }
}
