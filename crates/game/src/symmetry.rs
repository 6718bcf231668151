//! Symmetries of a game: what looks different and plays the same.

use crate::Game;

/// A game with symmetries that keep the sides: mirrors and turns of the board.
pub trait Symmetric: Game {
    /// The number of symmetries of this position's board, the identity (number 0) included.
    fn symmetries(&self) -> usize;

    /// The image of the position under symmetry number `index`.
    fn transformed(&self, index: usize) -> Self;

    /// The move of [`transformed`](Symmetric::transformed) that corresponds to `m` here.
    fn transform_move(&self, m: Self::Move, index: usize) -> Self::Move;
}
