//! Results that are known without a search.

use spinney_game::Game;

use super::Evaluate;
use crate::GameValue;

/// What is known of a position: by a tablebase, or because a move wins at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// The value for the side to move.
    pub value: GameValue,
    /// Plies to the end of the game.
    pub plies: u16,
}

/// Exact knowledge: moves that win at once, and tablebases. Positions are not finished.
pub trait Oracle<G: Game>: Evaluate<G> {
    /// True if [`winning_move`](Self::winning_move) finds a move whenever one wins at once.
    const FINDS_WINS: bool = false;

    /// A move that wins at once, found faster than by playing all moves.
    #[inline(always)]
    fn winning_move(&mut self, _position: &G, _state: &Self::State) -> Option<G::Move> {
        None
    }

    /// Whether there is such a move, for a position whose state is not at hand.
    #[inline(always)]
    fn wins_at_once(&mut self, position: &G) -> bool {
        let state = self.state(position);
        self.winning_move(position, &state).is_some()
    }

    /// Whether the opponent would win at once if it were its turn.
    #[inline(always)]
    fn is_threatened(&mut self, _position: &G, _state: &Self::State) -> bool {
        false
    }

    /// The same for a position whose state is not at hand.
    #[inline(always)]
    fn must_answer(&mut self, position: &G) -> bool {
        let state = self.state(position);
        self.is_threatened(position, &state)
    }

    /// Where the opponent threatens to win at once: appends every move that may prevent it, at least one
    /// move of all, and returns `true`. Each move left out loses to a winning move of the opponent, unless
    /// it wins at once itself. Returns `false`, with nothing appended, where there is no threat.
    #[inline(always)]
    fn forced_moves(&mut self, _position: &G, _moves: &mut Vec<G::Move>) -> bool {
        false
    }

    /// The result of a position in a tablebase, with its distance.
    #[inline(always)]
    fn known(&mut self, _position: &G) -> Option<Known> {
        None
    }

    /// The value at which a playout ends, for the side to move. Other than
    /// [`known`](Self::known) it may come without a distance.
    #[inline(always)]
    fn adjudicate(&mut self, position: &G) -> Option<GameValue> {
        self.known(position).map(|known| known.value)
    }

    /// Called when a search of this position begins.
    fn begin(&mut self, _root: &G) {}
}
