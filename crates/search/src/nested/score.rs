//! What a playout is worth: a result and the depth at which it comes.

use spinney_game::{Outcome, Side};

/// The worth of a playout as one side sees it; the name of a variable says which.
///
/// Ordered as the paper's v / d, which it stands for: a win at depth d as `FAR - d`, a loss as its
/// negative, a draw as 0. Whole numbers need no division, and turn back into a depth exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Score(i32);

/// Beyond every depth.
const FAR: i32 = 1 << 30;

impl Score {
    /// Worse than every playout.
    pub(crate) const WORST: Score = Score(-FAR);

    /// A win at this depth.
    #[inline]
    pub(crate) fn win(depth: u32) -> Score {
        Score(FAR - depth.min(FAR as u32 - 1) as i32)
    }

    /// A loss at this depth.
    #[inline]
    pub(crate) fn loss(depth: u32) -> Score {
        Score::win(depth).for_opponent()
    }

    /// An outcome at this depth, as `side` sees it.
    #[inline]
    pub(crate) fn of(outcome: Outcome, depth: u32, side: Side) -> Score {
        match outcome {
            Outcome::Draw => Score(0),
            Outcome::Win(winner) if winner == side => Score::win(depth),
            Outcome::Win(_) => Score::loss(depth),
        }
    }

    /// The same playout as the other side sees it.
    #[inline]
    pub(crate) fn for_opponent(self) -> Score {
        Score(-self.0)
    }

    #[inline]
    pub(crate) fn is_win(self) -> bool {
        self.0 > 0
    }

    /// The depth from which on not even the earliest win, one ply later, would be better.
    #[inline]
    pub(crate) fn unbeatable_from(self) -> u32 {
        match self.0 {
            win if win > 0 => (FAR - win) as u32 - 1,
            _ => u32::MAX,
        }
    }

    /// The paper's v / d, from -1 to 1.
    pub(crate) fn value(self) -> f64 {
        match self.0 {
            0 => 0.0,
            score => f64::from(score.signum()) / f64::from(FAR - score.abs()).max(1.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_ordered_as_the_values_they_stand_for() {
        let mut scores = vec![Score(0)];
        for depth in [1, 2, 3, 200, 1_000_000] {
            scores.extend([Score::win(depth), Score::loss(depth)]);
            assert_eq!(Score::win(depth).value(), 1.0 / f64::from(depth));
            assert_eq!(Score::loss(depth).value(), -1.0 / f64::from(depth));
        }
        scores.sort();
        assert!(scores.is_sorted_by(|a, b| a.value() < b.value()));
        assert!(scores.iter().all(|&score| score > Score::WORST));
    }

    #[test]
    fn a_win_at_a_depth_is_unbeatable_from_the_ply_before() {
        assert_eq!(Score::win(5).unbeatable_from(), 4);
        assert_eq!(Score::win(1).unbeatable_from(), 0);
        for score in [Score(0), Score::loss(1), Score::WORST] {
            assert_eq!(score.unbeatable_from(), u32::MAX);
        }
    }
}
