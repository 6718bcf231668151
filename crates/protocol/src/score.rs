//! Scores as UCI writes them, and values from -1 to 1 as searches do.
//!
//! A value v stands for the expected score (1 + v) / 2; centipawns are the difference in strength
//! that would give it on the scale of Elo: `400 log10((1 + v) / (1 - v))`. A pawn is then worth 64 %
//! of the points.

use std::fmt;

use spinney_session::GameValue;

/// The score of a line, as the side to move sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Moves, not plies, to the end of the game; negative if the side to move loses.
    Mate(i32),
}

/// The most centipawns: what is certain but has no known end.
const MOST: i32 = 10_000;

impl Score {
    /// The score of what a search found.
    pub fn new(value: f64, proven: Option<GameValue>, plies: Option<u32>) -> Self {
        let plies = plies.map(|plies| i32::try_from(plies).unwrap_or(i32::MAX));
        match (proven, plies) {
            (Some(GameValue::Win), Some(plies)) => Score::Mate(plies / 2 + plies % 2),
            (Some(GameValue::Loss), Some(plies)) => Score::Mate(-(plies / 2)),
            (Some(GameValue::Draw), _) => Score::Centipawns(0),
            (Some(GameValue::Win), None) => Score::Centipawns(MOST),
            (Some(GameValue::Loss), None) => Score::Centipawns(-MOST),
            (None, _) => {
                let value = value.clamp(-1.0, 1.0);
                let points = 400.0 * ((1.0 + value) / (1.0 - value)).log10();
                let most = f64::from(MOST - 1);
                Score::Centipawns(points.clamp(-most, most).round() as i32)
            }
        }
    }

    /// The value that stands for it, from -1 to 1.
    pub fn value(self) -> f64 {
        match self {
            Score::Centipawns(points) => (f64::from(points) * 10_f64.ln() / 800.0).tanh(),
            Score::Mate(moves) if moves > 0 => 1.0,
            Score::Mate(_) => -1.0,
        }
    }

    /// A claim that the game is decided, with the plies to its end.
    pub fn proven(self) -> Option<(GameValue, u32)> {
        match self {
            Score::Centipawns(_) => None,
            Score::Mate(moves) if moves > 0 => {
                Some((GameValue::Win, moves.unsigned_abs().saturating_mul(2) - 1))
            }
            Score::Mate(moves) => Some((GameValue::Loss, moves.unsigned_abs().saturating_mul(2))),
        }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Score::Centipawns(points) => write!(f, "cp {points}"),
            Score::Mate(moves) => write!(f, "mate {moves}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_centipawns_fit_each_other() {
        for points in [-9999, -800, -100, -1, 0, 3, 64, 100, 300, 1500] {
            let score = Score::Centipawns(points);
            if points.abs() < 2000 {
                assert_eq!(Score::new(score.value(), None, None), score);
            }
            assert!((-1.0..=1.0).contains(&score.value()));
        }
        assert!((Score::Centipawns(100).value() - 0.2801).abs() < 1e-4);
        assert_eq!(Score::new(1.0, None, None), Score::Centipawns(MOST - 1));
        assert_eq!(Score::new(-7.0, None, None), Score::Centipawns(1 - MOST));
    }

    #[test]
    fn mates_are_counted_in_moves() {
        for (value, plies, moves) in [
            (GameValue::Win, 1, 1),
            (GameValue::Win, 3, 2),
            (GameValue::Win, 5, 3),
            (GameValue::Loss, 0, 0),
            (GameValue::Loss, 2, -1),
            (GameValue::Loss, 4, -2),
        ] {
            let score = Score::new(value.score().into(), Some(value), Some(plies));
            assert_eq!(score, Score::Mate(moves));
            assert_eq!(score.proven(), Some((value, plies)));
            assert_eq!(score.value(), f64::from(value.score()));
        }
        assert_eq!(Score::new(0.3, Some(GameValue::Draw), Some(4)), Score::Centipawns(0));
        assert_eq!(Score::new(1.0, Some(GameValue::Win), None), Score::Centipawns(MOST));
        assert_eq!(Score::Mate(i32::MIN).proven(), Some((GameValue::Loss, u32::MAX)));
    }
}
