//! The game-theoretic value of a position, and what is known of it.

use spinney_game::{Outcome, Side};

/// The value of a position with perfect play, as one side sees it; the name of a variable or
/// function says which. Ordered from worst to best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GameValue {
    /// The side loses.
    Loss,
    /// Nobody wins.
    Draw,
    /// The side wins.
    Win,
}

impl GameValue {
    /// The value of a finished game as `side` sees it.
    #[inline]
    pub fn of(outcome: Outcome, side: Side) -> GameValue {
        match outcome {
            Outcome::Draw => GameValue::Draw,
            Outcome::Win(winner) if winner == side => GameValue::Win,
            Outcome::Win(_) => GameValue::Loss,
        }
    }

    /// The same value as the other side sees it.
    #[inline]
    pub fn for_opponent(self) -> GameValue {
        match self {
            GameValue::Loss => GameValue::Win,
            GameValue::Draw => GameValue::Draw,
            GameValue::Win => GameValue::Loss,
        }
    }

    /// 1 for a win, 0 for a draw, -1 for a loss.
    #[inline]
    pub fn score(self) -> f32 {
        match self {
            GameValue::Loss => -1.0,
            GameValue::Draw => 0.0,
            GameValue::Win => 1.0,
        }
    }

    /// The score of a value that `side` sees, as the first side sees it.
    #[inline]
    pub fn score_for_first(self, side: Side) -> f32 {
        if side == Side::First { self.score() } else { -self.score() }
    }

    /// The value with this name.
    pub fn named(name: &str) -> Option<GameValue> {
        use GameValue::{Draw, Loss, Win};
        [Win, Draw, Loss].into_iter().find(|value| value.name() == name)
    }

    /// `win`, `draw` or `loss`.
    pub fn name(self) -> &'static str {
        match self {
            GameValue::Loss => "loss",
            GameValue::Draw => "draw",
            GameValue::Win => "win",
        }
    }
}
