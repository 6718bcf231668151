//! Symmetries of a game: what looks different and plays the same.

use crate::Hashed;

/// A game with symmetries that keep the sides: mirrors and turns of the board. By default there is
/// none but the identity.
pub trait Symmetric: Hashed {
    /// The number of symmetries of this position's board, the identity (number 0) included.
    fn symmetries(&self) -> usize {
        1
    }

    /// The image of the position under symmetry number `index`.
    fn transformed(&self, _index: usize) -> Self {
        self.clone()
    }

    /// The key of [`transformed`](Symmetric::transformed). A game may find it without the image:
    /// searches ask at every position.
    #[inline]
    fn transformed_key(&self, index: usize) -> u64 {
        self.transformed(index).key()
    }

    /// The move of [`transformed`](Symmetric::transformed) that corresponds to `m` here.
    fn transform_move(&self, m: Self::Move, _index: usize) -> Self::Move {
        m
    }
}
