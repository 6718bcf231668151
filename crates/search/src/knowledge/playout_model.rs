//! What playouts choose their moves by.

use spinney_game::Game;

use super::MoveOrder;

/// The moves of playouts.
///
/// A playout that searches two plies lists the replies to many moves of one position. Most replies are
/// the same after each of them. A game can divide its moves into up to 64 *groups* (in a game of lines,
/// one for each line of the board) and say which groups a move touches; the others are listed once.
pub trait PlayoutModel<G: Game>: MoveOrder<G> {
    /// The legal move that looks best in a position that is not finished; the first of equals.
    fn best_move(&mut self, position: &G) -> Option<G::Move> {
        let state = self.state(position);
        let mut moves = Vec::new();
        self.legal_moves(position, &state, &mut moves);
        let value = |m: &G::Move| self.evaluate_after(position, &state, *m);
        let values: Vec<i32> = moves.iter().map(value).collect();
        let best = values.iter().copied().max()?;
        moves.into_iter().zip(values).find(|&(_, value)| value == best).map(|(m, _)| m)
    }

    /// False only if the move does not end the game.
    #[inline(always)]
    fn may_end(&self, _position: &G, _state: &Self::State, _m: G::Move) -> bool {
        true
    }

    /// Bit mask of the groups whose opponent moves may change when `m` is played, or in which some may
    /// appear; moves of other groups stay, with their priors. `None`: any group may change.
    #[inline(always)]
    fn touched_groups(&self, _position: &G, _state: &Self::State, _m: G::Move) -> Option<u64> {
        None
    }

    /// The group of a move, below 64.
    #[inline(always)]
    fn group(&self, _m: G::Move) -> u32 {
        0
    }

    /// Appends the legal moves of some groups, and their priors. The default is for games without
    /// groups: those that override [`touched_groups`](Self::touched_groups) override this too.
    #[inline(always)]
    fn moves_of_groups(
        &mut self,
        position: &G,
        state: &Self::State,
        _groups: u64,
        moves: &mut Vec<G::Move>,
        priors: &mut Vec<f32>,
    ) {
        self.legal_moves(position, state, moves);
        self.priors(position, moves, priors);
    }
}
