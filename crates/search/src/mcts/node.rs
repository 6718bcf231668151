//! A node of the tree: what is known about a position and the move that led to it.
//!
//! Every field is atomic, so threads share a tree without locks and a snapshot can be taken at any
//! time. All values in a node are **as the side that moved into it sees them**: the side to move in
//! its parent compares its children without changing signs.
//!
//! A node is half a cache line and holds all that a simulation needs on its way.

use std::ops::Add;
use std::sync::atomic::{AtomicI64, AtomicU16, AtomicU32, AtomicU64, Ordering::*};

use super::tree::Index;
use crate::GameValue;

/// A result, or a sum of results, as a multiple of 2^-16: sums of integers do not depend on the
/// order of threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Score(i64);

impl Score {
    const ONE: i64 = 1 << 16;

    /// From -1, a loss, to 1, a win.
    #[inline(always)]
    pub(super) fn new(result: f32) -> Score {
        Score((result * Score::ONE as f32) as i64)
    }

    #[inline(always)]
    pub(super) fn of(value: GameValue) -> Score {
        Score((value as i64 - GameValue::Draw as i64) * Score::ONE)
    }

    #[inline(always)]
    pub(super) fn for_opponent(self) -> Score {
        Score(-self.0)
    }

    #[inline(always)]
    pub(super) fn after_losses(self, losses: u32) -> Score {
        Score(self.0 - i64::from(losses) * Score::ONE)
    }

    #[inline(always)]
    fn to_f32(self) -> f32 {
        self.0 as f32 * (1.0 / Score::ONE as f32)
    }
}

impl Add for Score {
    type Output = Score;

    #[inline(always)]
    fn add(self, other: Score) -> Score {
        Score(self.0.wrapping_add(other.0))
    }
}

/// A position in the tree, reached by a move.
#[derive(Default)]
pub(super) struct Node {
    /// What selection compares, an [`Urgency`]: the bits of its two numbers. In a shared tree they may
    /// for a moment be of two threads, which is close enough.
    merit: AtomicU32,
    width: AtomicU32,
    /// The sum of results: a [`Score`].
    score: AtomicI64,
    visits: AtomicU32,
    /// The move that leads here, packed.
    packed_move: AtomicU32,
    /// The first of the children.
    first_child: AtomicU32,
    proof: AtomicU16,
    /// The number of children, plus [`EXPANDED`] if they are there.
    family: AtomicU16,
}

/// No children yet; some thread is making them; they are there.
const LEAF: u16 = 0;
const EXPANDING: u16 = 1;
const EXPANDED: u16 = 1 << 15;

impl Node {
    #[inline(always)]
    pub(super) fn reset(&self, packed_move: u32) {
        self.store_urgency(Urgency::UNVISITED);
        self.score.store(0, Relaxed);
        self.visits.store(0, Relaxed);
        self.packed_move.store(packed_move, Relaxed);
        self.first_child.store(0, Relaxed);
        self.proof.store(Proof::UNKNOWN.0, Relaxed);
        self.family.store(LEAF, Relaxed);
    }

    /// Simulations through this node.
    #[inline(always)]
    pub(super) fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    /// The sum of the results of all simulations.
    #[inline(always)]
    pub(super) fn score(&self) -> Score {
        Score(self.score.load(Relaxed))
    }

    /// The mean result, from -1 to 1; 0 before the first simulation.
    pub(super) fn mean(&self) -> f64 {
        let visits = self.visits().max(1);
        self.score().0 as f64 / Score::ONE as f64 / f64::from(visits)
    }

    /// The move that leads here, packed.
    #[inline(always)]
    pub(super) fn packed_move(&self) -> u32 {
        self.packed_move.load(Relaxed)
    }

    /// What selection compares.
    #[inline(always)]
    pub(super) fn urgency(&self) -> Urgency {
        let [merit, width] =
            [&self.merit, &self.width].map(|bits| f32::from_bits(bits.load(Relaxed)));
        Urgency { merit, width }
    }

    #[inline(always)]
    fn store_urgency(&self, Urgency { merit, width }: Urgency) {
        self.merit.store(merit.to_bits(), Relaxed);
        self.width.store(width.to_bits(), Relaxed);
    }

    /// What is proven about the node.
    #[inline(always)]
    pub(super) fn proof(&self) -> Proof {
        Proof(self.proof.load(Relaxed))
    }

    /// Adds what is proven now to what was proven before. Proofs only grow, so threads may come in
    /// any order.
    pub(super) fn prove(&self, proof: Proof) {
        // The closure never refuses.
        let _ = self.proof.fetch_update(Relaxed, Relaxed, |old| Some(Proof(old).and(proof).0));
    }

    /// Counts simulations and their results. In a shared tree other threads may do so too. Returns
    /// the visits and the score after it.
    #[inline(always)]
    pub(super) fn add(&self, shared: bool, visits: u32, score: Score) -> (u32, Score) {
        if shared {
            let old_visits = self.visits.fetch_add(visits, Relaxed);
            let old_score = Score(self.score.fetch_add(score.0, Relaxed));
            return (old_visits.wrapping_add(visits), old_score + score);
        }
        // Plain loads and stores: a locked instruction costs more than the rest of a step.
        let (visits, score) = (self.visits().wrapping_add(visits), self.score() + score);
        self.visits.store(visits, Relaxed);
        self.score.store(score.0, Relaxed);
        (visits, score)
    }

    /// Whether the children are there.
    #[inline(always)]
    pub(super) fn is_expanded(&self) -> bool {
        self.family.load(Acquire) >= EXPANDED
    }

    /// Takes the right to make the children; `false` if they are there or somebody has it.
    pub(super) fn begin_expansion(&self) -> bool {
        self.family.compare_exchange(LEAF, EXPANDING, Relaxed, Relaxed).is_ok()
    }

    /// Gives the node its children, or gives the right to make them back.
    pub(super) fn end_expansion(&self, children: Option<(Index, usize)>) {
        match children {
            Some((first, count)) => {
                self.first_child.store(first, Relaxed);
                self.family.store(EXPANDED | count as u16, Release);
            }
            None => self.family.store(LEAF, Relaxed),
        }
    }

    /// Makes this node one with what is known about another, but for its move and its children.
    pub(super) fn learn(&self, other: &Node) {
        self.score.store(other.score().0, Relaxed);
        self.visits.store(other.visits(), Relaxed);
        self.proof.store(other.proof().0, Relaxed);
    }

    /// Sets the urgency for this number of visits and score, or for a proven node.
    #[inline(always)]
    pub(super) fn set_urgency(&self, visits: u32, score: Score, proven: bool) {
        let urgency = if proven { Urgency::PROVEN } else { Urgency::new(visits, score) };
        self.store_urgency(urgency);
    }

    /// The number of children.
    #[inline(always)]
    pub(super) fn child_count(&self) -> usize {
        usize::from(self.family.load(Relaxed) % EXPANDED)
    }

    /// The index of the first child.
    #[inline(always)]
    pub(super) fn first_child(&self) -> Index {
        self.first_child.load(Relaxed)
    }
}

/// What the selection formula needs of a node: how good it is, and 1 / sqrt(visits).
///
/// An unvisited node is infinitely urgent, and one that is proven less than any other: the formula
/// itself then selects rightly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Urgency {
    /// The mean result plus one, from 0 to 2; not negative, so that urgencies compare as integers.
    merit: f32,
    pub(super) width: f32,
}

impl Urgency {
    const UNVISITED: Urgency = Urgency { merit: 0.0, width: f32::INFINITY };
    const PROVEN: Urgency = Urgency { merit: f32::NEG_INFINITY, width: 0.0 };

    #[inline(always)]
    fn new(visits: u32, score: Score) -> Urgency {
        if visits == 0 {
            return Urgency::UNVISITED;
        }
        let inverse = 1.0 / visits as f32;
        Urgency { merit: (score.to_f32() * inverse + 1.0).max(0.0), width: inverse.sqrt() }
    }

    /// The mean result.
    #[inline(always)]
    pub(super) fn mean(self) -> f32 {
        self.merit - 1.0
    }

    /// `1 + mean + exploration / sqrt(visits)`, as an integer of the same order; negative if the
    /// node is proven.
    #[inline(always)]
    pub(super) fn rank(self, exploration: f32) -> i32 {
        (self.merit + exploration * self.width).to_bits().cast_signed()
    }

    #[inline(always)]
    pub(super) fn is_unvisited(self) -> bool {
        self.width == f32::INFINITY
    }

    #[inline(always)]
    pub(super) fn is_proven(self) -> bool {
        self.merit == f32::NEG_INFINITY
    }
}

/// What is proven about a node, as the side that moved into it sees it: the value is at least
/// `lower` and at most `upper`. Where both agree, also the plies to the end of the game, up to
/// [`Proof::MOST_PLIES`].
///
/// Packed into 16 bits: lower, upper, plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Proof(u16);

impl Proof {
    pub(super) const UNKNOWN: Proof = Proof::new(GameValue::Loss, GameValue::Win, 0);
    const MOST_PLIES: u16 = (1 << 12) - 1;

    /// A value between two bounds.
    #[inline(always)]
    pub(super) const fn new(lower: GameValue, upper: GameValue, plies: u16) -> Proof {
        let plies = if plies < Proof::MOST_PLIES { plies } else { Proof::MOST_PLIES };
        Proof(lower as u16 | (upper as u16) << 2 | plies << 4)
    }

    /// A known value, `plies` before the end.
    #[inline(always)]
    pub(super) const fn exact(value: GameValue, plies: u16) -> Proof {
        Proof::new(value, value, plies)
    }

    /// The least the side gets.
    #[inline(always)]
    pub(super) fn lower(self) -> GameValue {
        value(self.0 & 3)
    }

    /// The most the side can get.
    #[inline(always)]
    pub(super) fn upper(self) -> GameValue {
        value(self.0 >> 2 & 3)
    }

    /// Whether the value is known.
    #[inline(always)]
    pub(super) fn is_exact(self) -> bool {
        self.0 & 3 == self.0 >> 2 & 3
    }

    /// The value, if known.
    #[inline(always)]
    pub(super) fn value(self) -> Option<GameValue> {
        self.is_exact().then(|| self.lower())
    }

    /// Plies to the end, where the value is known.
    #[inline(always)]
    pub(super) fn plies(self) -> u16 {
        self.0 >> 4
    }

    /// A result that is possible given what is proven.
    #[inline(always)]
    pub(super) fn bound(self, result: Score) -> Score {
        if self == Proof::UNKNOWN {
            return result;
        }
        result.clamp(Score::of(self.lower()), Score::of(self.upper()))
    }

    /// Whether the side that moved here has lost.
    #[inline(always)]
    pub(super) fn is_loss(self) -> bool {
        self.upper() == GameValue::Loss
    }

    /// Both proofs together. Of two ways to win the shorter counts; a draw keeps its plies.
    fn and(self, other: Proof) -> Proof {
        if self.is_exact() {
            let decided = self.value() != Some(GameValue::Draw);
            let shorter = other.value() == self.value() && other.plies() < self.plies();
            return if decided && shorter { other } else { self };
        }
        let lower = self.lower().max(other.lower());
        let upper = self.upper().min(other.upper());
        Proof::new(lower, upper, if lower == upper { other.plies() } else { 0 })
    }
}

#[inline(always)]
fn value(bits: u16) -> GameValue {
    match bits {
        0 => GameValue::Loss,
        1 => GameValue::Draw,
        _ => GameValue::Win,
    }
}

/// Results of a move wherever in a simulation it was played (AMAF). Visits in the high half, the sum
/// of results plus visits in the low half, which is never negative.
#[derive(Default)]
pub(super) struct Rave(AtomicU64);

impl Rave {
    pub(super) fn reset(&self) {
        self.0.store(0, Relaxed);
    }

    pub(super) fn copy(&self, other: &Rave) {
        self.0.store(other.0.load(Relaxed), Relaxed);
    }

    pub(super) fn add(&self, result: Score) {
        let gain = (result.0 + Score::ONE / 2).div_euclid(Score::ONE) + 1;
        self.0.fetch_add((1 << 32) + gain.clamp(0, 2) as u64, Relaxed);
    }

    /// The mean result, if there is one.
    #[inline]
    pub(super) fn mean(&self) -> Option<f32> {
        let entry = self.0.load(Relaxed);
        let (visits, gains) = ((entry >> 32) as f32, entry as u32 as f32);
        (visits > 0.0).then(|| gains / visits - 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_is_half_a_cache_line() {
        assert_eq!(size_of::<Node>(), 32);
    }

    #[test]
    fn proofs_grow_in_any_order() {
        use GameValue::*;
        let node = Node::default();
        node.reset(0);
        assert_eq!(node.proof(), Proof::UNKNOWN);
        assert_eq!(node.proof().value(), None);
        node.prove(Proof::new(Draw, Win, 0));
        assert_eq!((node.proof().lower(), node.proof().upper()), (Draw, Win));
        node.prove(Proof::new(Loss, Draw, 7));
        assert_eq!(node.proof(), Proof::exact(Draw, 7));
        node.prove(Proof::exact(Draw, 3));
        assert_eq!(node.proof().plies(), 7);
        assert_eq!(Proof::exact(Win, u16::MAX).value(), Some(Win));
        node.reset(0);
        for (plies, shortest) in [(5, 5), (7, 5), (3, 3)] {
            node.prove(Proof::exact(Loss, plies));
            assert_eq!(node.proof(), Proof::exact(Loss, shortest));
        }
    }

    #[test]
    fn bounds_clamp_results() {
        use GameValue::*;
        assert_eq!(Proof::UNKNOWN.bound(Score::new(0.3)), Score::new(0.3));
        assert_eq!(Proof::new(Draw, Win, 0).bound(Score::new(-0.3)), Score(0));
        assert_eq!(Proof::exact(Loss, 1).bound(Score(0)), Score::new(-1.0));
    }

    #[test]
    fn rave_counts_wins_draws_and_losses() {
        let rave = Rave::default();
        assert_eq!(rave.mean(), None);
        for result in [1.0, 1.0, 0.0, -1.0] {
            rave.add(Score::new(result));
        }
        assert_eq!(rave.mean(), Some(0.25));
    }
}
