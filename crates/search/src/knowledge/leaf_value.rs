//! What is seen before a leaf is evaluated.

use spinney_game::{Game, Outcome};

use super::MoveOrder;

/// The gain of a move of which no bound is known.
pub const UNBOUNDED_GAIN: i32 = 1_000_000;

/// The moves of a quiescence search at the leaves of a tree.
pub trait LeafValue<G: Game>: MoveOrder<G> {
    /// True if the side to move must react, so that its static value means nothing: it is in check.
    #[inline(always)]
    fn is_in_danger(&self, _position: &G) -> bool {
        false
    }

    /// Appends the moves to look at, each with a bound of what it gains, in the order in which they are
    /// tried; in danger, all legal moves. Every sequence of such moves must end.
    #[inline(always)]
    fn forcing_moves(
        &mut self,
        position: &G,
        state: &Self::State,
        moves: &mut Vec<(G::Move, i32)>,
    ) {
        let mut tactical = Vec::new();
        self.tactical_moves(position, state, &mut tactical);
        moves.extend(tactical.into_iter().map(|m| (m, UNBOUNDED_GAIN)));
    }

    /// How the game has ended after a forcing move. Override it with `None` where that takes long to tell
    /// and a wrong value does little harm.
    #[inline(always)]
    fn outcome(&self, position: &G) -> Option<Outcome> {
        position.outcome()
    }
}
