//! The order and the probability of moves.

use spinney_game::Game;

use super::Evaluate;

/// Which moves are tried first, which are probable, and which quiescence search looks at.
pub trait MoveOrder<G: Game>: Evaluate<G> {
    /// The class of a move: a higher class is tried first. Moves of one class are ordered by what the
    /// search has learned.
    #[inline(always)]
    fn order_class(&self, _position: &G, _m: G::Move) -> u8 {
        0
    }

    /// How good a legal move looks. Realisation-probability search and playouts read it as the
    /// probability, above 0 and at most 1, that the move is played where it can be.
    #[inline(always)]
    fn prior(&self, _position: &G, _m: G::Move) -> f32 {
        1.0
    }

    /// Appends the priors of all legal moves. Override it where they share work.
    #[inline(always)]
    fn priors(&mut self, position: &G, moves: &[G::Move], priors: &mut Vec<f32>) {
        for &m in moves {
            priors.push(self.prior(position, m));
        }
    }

    /// Appends all legal moves, in an order that depends on the position alone. Override it where the
    /// state finds them faster.
    #[inline(always)]
    fn legal_moves(&self, position: &G, _state: &Self::State, moves: &mut Vec<G::Move>) {
        position.legal_moves(moves);
    }

    /// Whether a move that was good in another position is legal here; `None` if only the list of all
    /// moves can tell. With an answer such moves are tried before there is a list.
    #[inline(always)]
    fn is_legal(&self, _position: &G, _m: G::Move) -> Option<bool> {
        None
    }

    /// Whether quiescence search looks at a move. Every sequence of such moves must end.
    #[inline(always)]
    fn is_tactical(&self, _position: &G, _m: G::Move) -> bool {
        false
    }

    /// Appends the legal moves that are tactical. Override it where they are found without the list of
    /// all moves.
    #[inline(always)]
    fn tactical_moves(&self, position: &G, _state: &Self::State, moves: &mut Vec<G::Move>) {
        let start = moves.len();
        position.legal_moves(moves);
        let mut kept = start;
        for index in start..moves.len() {
            if self.is_tactical(position, moves[index]) {
                moves[kept] = moves[index];
                kept += 1;
            }
        }
        moves.truncate(kept);
    }

    /// True in endgames, where zugzwang makes null-move pruning risky.
    #[inline(always)]
    fn is_endgame(&self, _position: &G) -> bool {
        false
    }
}
