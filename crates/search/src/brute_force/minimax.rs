//! Plain minimax: no table, no cut-offs, no ordering. Slow, and obviously right: what other
//! searches are compared with.

use spinney_game::{History, Outcome, Path, Repetition};

use crate::GameValue;

/// What perfect play comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Perfect {
    /// The value for the side to move.
    pub value: GameValue,
    /// Plies to the end of the game: the fastest win, the slowest loss, the fastest draw.
    pub plies: u32,
}

/// The value of the present position of a game by the full rules, repetition included.
///
/// Time grows exponentially with the length of the game; and the recursion is as deep as the
/// longest game.
pub fn minimax<G: Repetition>(history: &History<G>) -> Perfect {
    value_of(history.position(), &mut history.path().clone())
}

/// `path` leads to the position; it is the same again afterwards.
fn value_of<G: Repetition>(position: &G, path: &mut Path) -> Perfect {
    let repetition = || {
        let is_draw = position.drawn_at().is_some_and(|times| path.repeats(times));
        is_draw.then_some(Outcome::Draw)
    };
    if let Some(outcome) = position.outcome().or_else(repetition) {
        return Perfect { value: GameValue::of(outcome, position.to_move()), plies: 0 };
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let length = path.len();
    let replies = moves.into_iter().map(|m| {
        let mut next = position.clone();
        next.play(m);
        path.push(next.key(), position.is_irreversible(m));
        let Perfect { value, plies } = value_of(&next, path);
        path.truncate(length);
        Perfect { value: value.for_opponent(), plies: plies + 1 }
    });
    // A position without an outcome has a move, by the contract of `Game`.
    let none = Perfect { value: GameValue::Draw, plies: 0 };
    replies.max_by_key(|&perfect| preference(perfect)).unwrap_or(none)
}

/// Larger for what the side to move prefers: the value first, then the distance.
fn preference(Perfect { value, plies }: Perfect) -> (GameValue, i64) {
    let plies = i64::from(plies);
    (value, if value == GameValue::Loss { plies } else { -plies })
}
