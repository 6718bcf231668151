//! What depends on the men of one side only, remembered (paper `mia`, 4.10).
//!
//! A move changes the men of its side, and those of the other side only if it captures. So both
//! summaries are kept beside a position, and a move needs one new summary, or two. The same men come up
//! again and again with other men against them: a small table remembers their summaries.

use spinney_game::cpu::{self, Kernel};
use spinney_game::{Game, Side};

use super::LoaEvaluation;
use super::evaluation::Evaluation;
use super::lines::{Lines, Mobility};
use super::mass::Sums;
use crate::board::Square;
use crate::loa::{Loa, Move, joints};

/// What is known of the men of one side.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SideSummary {
    /// Six of the nine features, weighted: see `Evaluation::one_sided`.
    pub value: i32,
    /// The squares by which a move may connect the men: see [`joints`].
    pub joints: u64,
}

/// What the evaluation keeps beside a position.
#[derive(Clone, Debug, PartialEq)]
pub struct State<const N: usize = 8> {
    /// The lines.
    pub lines: Lines<N>,
    mobility: Mobility,
    /// What the men of each side are worth alone.
    values: [i32; 2],
    /// The sums over the men of each side.
    sums: [Sums<N>; 2],
    /// The joints of the men of each side.
    pub joints: [u64; 2],
}

/// An evaluation that remembers summaries.
#[derive(Clone, Debug)]
pub struct CachedEvaluation<const N: usize = 8> {
    evaluation: Evaluation<N>,
    /// Men and their summary, by a hash of the men; no men where there is none yet.
    entries: Vec<(u64, SideSummary)>,
}

/// 2^14 summaries. Guess: half a megabyte.
const BITS: u32 = 14;

impl<const N: usize> CachedEvaluation<N> {
    /// An evaluation that remembers, or one that does not.
    pub fn new(evaluation: Evaluation<N>, remembers: bool) -> Self {
        let entries =
            if remembers { vec![(0, SideSummary::default()); 1 << BITS] } else { Vec::new() };
        CachedEvaluation { evaluation, entries }
    }

    /// The state of a position, from scratch.
    pub fn state(&mut self, position: &Loa<N>) -> State<N> {
        let sums = Side::BOTH.map(|side| Sums::of_men(position.men(side)));
        let summaries = Side::BOTH.map(|side| self.summary(position.men(side), sums[side.index()]));
        let lines = Lines::new(position);
        State {
            sums,
            mobility: lines.mobility(),
            lines,
            values: summaries.map(|summary| summary.value),
            joints: summaries.map(|summary| summary.joints),
        }
    }

    /// Plays a legal move; `position` is that before it.
    #[inline(always)]
    pub fn play(&mut self, state: &mut State<N>, position: &Loa<N>, m: Move) {
        if m.is_pass() {
            return;
        }
        let own = self.play_but_for_own_summary(state, position, m);
        let mine = position.to_move().index();
        SideSummary { value: state.values[mine], joints: state.joints[mine] } =
            self.summary(own, state.sums[mine]);
    }

    /// The same, but the joints of the mover are not kept: the state is good until the other side has
    /// moved.
    #[inline(always)]
    pub fn play_for_replies(&mut self, state: &mut State<N>, position: &Loa<N>, m: Move) {
        if m.is_pass() {
            return;
        }
        let own = self.play_but_for_own_summary(state, position, m);
        let mine = position.to_move().index();
        state.values[mine] = match self.entries.get(place(own)) {
            Some((known, summary)) if *known == own => summary.value,
            _ => self.evaluation.one_sided(own, state.sums[mine]),
        };
    }

    /// Plays a move that is no pass, but leaves out what the men of the mover are worth. Returns them.
    #[inline(always)]
    fn play_but_for_own_summary(
        &mut self,
        state: &mut State<N>,
        position: &Loa<N>,
        m: Move,
    ) -> u64 {
        let State { lines, mobility, .. } = state;
        lines.play_noting(position, m, |_, before, after| {
            *mobility = mobility.changed(before, after)
        });
        let (own, enemy) = position.men_after(m);
        let [mine, theirs] = [position.to_move().index(), (!position.to_move()).index()];
        state.sums[mine] = state.sums[mine].moved(m.from, m.to);
        if position.is_capture(m) {
            state.sums[theirs] = state.sums[theirs].without(m.to);
            SideSummary { value: state.values[theirs], joints: state.joints[theirs] } =
                self.summary(enemy, state.sums[theirs]);
        }
        own
    }

    /// The value of a position for the side to move.
    #[inline(always)]
    pub fn evaluate(&self, position: &Loa<N>, state: &State<N>) -> i32 {
        let side = position.to_move();
        let alone = [side, !side].map(|side| state.values[side.index()]);
        let men = [side, !side].map(|side| position.men(side));
        self.evaluation.join(alone, men, state.mobility.of(side))
    }

    /// The value, for its mover, of the position after a legal move, without making it. Nothing is
    /// remembered: most moves that are looked at are not made.
    #[inline(always)]
    pub fn evaluate_after(&self, position: &Loa<N>, state: &State<N>, m: Move) -> i32 {
        if m.is_pass() {
            return -self.evaluate(&position.with_turn_passed(), state);
        }
        let side = position.to_move();
        let captures = position.is_capture(m);
        let mut mobility = state.mobility;
        state.lines.changes_after(side, m, captures, |_, before, after| {
            mobility = mobility.changed(before, after);
        });
        let (own, enemy) = position.men_after(m);
        let sums = state.sums[side.index()].moved(m.from, m.to);
        let mine = self.evaluation.one_sided(own, sums);
        let theirs = if captures {
            self.evaluation.one_sided(enemy, state.sums[(!side).index()].without(m.to))
        } else {
            state.values[(!side).index()]
        };
        // The other side is to move then.
        -self.evaluation.join([theirs, mine], [enemy, own], mobility.of(!side))
    }

    /// What is known of some men; `sums` are theirs.
    #[inline(always)]
    fn summary(&mut self, men: u64, sums: Sums<N>) -> SideSummary {
        match self.entries.get_mut(place(men)) {
            Some((known, summary)) if *known == men => *summary,
            entry => {
                let summary = cpu::run(Compute { evaluation: &self.evaluation, men, sums });
                if let Some(entry) = entry {
                    *entry = (men, summary);
                }
                summary
            }
        }
    }
}

impl<const N: usize> LoaEvaluation<N> for CachedEvaluation<N> {
    type State = State<N>;

    #[inline(always)]
    fn lines(state: &State<N>) -> &Lines<N> {
        &state.lines
    }

    #[inline(always)]
    fn joints(_: &Loa<N>, state: &State<N>, side: Side) -> u64 {
        state.joints[side.index()]
    }

    #[inline(always)]
    fn centre_of_mass(position: &Loa<N>, state: &State<N>, side: Side) -> Square {
        state.sums[side.index()].centre(position.men(side).count_ones())
    }

    #[inline(always)]
    fn keeps_centre(position: &Loa<N>, state: &State<N>, side: Side, taken: Square) -> bool {
        let men = position.men(side).count_ones();
        let sums = state.sums[side.index()];
        men > 1 && sums.without(taken).centre(men - 1) == sums.centre(men)
    }

    fn state(&mut self, position: &Loa<N>) -> State<N> {
        CachedEvaluation::state(self, position)
    }

    #[inline(always)]
    fn play(&mut self, state: &mut State<N>, position: &Loa<N>, m: Move) {
        CachedEvaluation::play(self, state, position, m);
    }

    #[inline(always)]
    fn play_for_replies(&mut self, state: &mut State<N>, position: &Loa<N>, m: Move) {
        CachedEvaluation::play_for_replies(self, state, position, m);
    }

    #[inline(always)]
    fn evaluate(&self, position: &Loa<N>, state: &State<N>) -> i32 {
        CachedEvaluation::evaluate(self, position, state)
    }

    #[inline(always)]
    fn evaluate_after(&self, position: &Loa<N>, state: &State<N>, m: Move) -> i32 {
        CachedEvaluation::evaluate_after(self, position, state, m)
    }
}

impl CachedEvaluation<8> {
    /// The values after some moves, as [`evaluate_after`](Self::evaluate_after) has them, added up. Not
    /// for every board, so that it is compiled here, with all that it calls.
    pub fn sum_after(&self, position: &Loa, state: &State, moves: &[Move]) -> i64 {
        cpu::run(SumAfter { evaluation: self, position, state, moves })
    }
}

/// The place of some men in the table.
#[inline(always)]
fn place(men: u64) -> usize {
    (men.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - BITS)) as usize
}

/// The sum of the values after some moves.
struct SumAfter<'a> {
    evaluation: &'a CachedEvaluation,
    position: &'a Loa,
    state: &'a State,
    moves: &'a [Move],
}

impl Kernel for SumAfter<'_> {
    type Output = i64;

    #[inline(always)]
    fn run(self) -> i64 {
        let mut sum = 0;
        for &m in self.moves {
            sum += i64::from(self.evaluation.evaluate_after(self.position, self.state, m));
        }
        sum
    }
}

/// A summary from scratch.
struct Compute<'a, const N: usize> {
    evaluation: &'a Evaluation<N>,
    men: u64,
    sums: Sums<N>,
}

impl<const N: usize> Kernel for Compute<'_, N> {
    type Output = SideSummary;

    #[inline(always)]
    fn run(self) -> SideSummary {
        let value = self.evaluation.one_sided(self.men, self.sums);
        SideSummary { value, joints: joints(self.men) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spinney_game::Rng;

    #[test]
    fn a_state_is_copied_without_a_call() {
        // Up to 128 bytes the compiler moves them itself; it is done at every node.
        assert_eq!(size_of::<State<8>>(), 128);
    }

    #[test]
    fn what_is_remembered_is_true() {
        check_memory::<8>();
        check_memory::<6>();
    }

    fn check_memory<const N: usize>() {
        let evaluation = Evaluation::default();
        let mut cached = CachedEvaluation::new(evaluation.clone(), true);
        let mut plain = CachedEvaluation::new(evaluation, false);
        let mut rng = Rng::new(1);
        for _ in 0..200 {
            let mut position = Loa::<N>::default();
            let mut state = cached.state(&position);
            while position.outcome().is_none() {
                assert_eq!(state, plain.state(&position));
                let value = plain.evaluation.evaluate(&position, &state.lines);
                assert_eq!(cached.evaluate(&position, &state), value);
                let mut moves = Vec::new();
                position.legal_moves(&mut moves);
                for m in moves.into_iter().chain([Move::PASS]) {
                    let mut next = position.clone();
                    next.play(m);
                    let value = -plain.evaluation.evaluate(&next, &Lines::new(&next));
                    assert_eq!(cached.evaluate_after(&position, &state, m), value, "{m:?}");
                }
                let m = position.random_move(&mut rng);
                let mut for_replies = state.clone();
                cached.play_for_replies(&mut for_replies, &position, m);
                cached.play(&mut state, &position, m);
                for_replies.joints[position.to_move().index()] =
                    state.joints[position.to_move().index()];
                assert_eq!(for_replies, state);
                position.play(m);
            }
        }
        let used =
            |cache: &CachedEvaluation<N>| cache.entries.iter().filter(|entry| entry.0 != 0).count();
        assert!(used(&cached) > 1000);
        assert_eq!(used(&plain), 0);
    }
}
