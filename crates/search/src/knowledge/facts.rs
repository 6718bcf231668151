//! What a solver may take for granted.

use spinney_game::{Game, Symmetric};

use super::NoKnowledge;
use crate::GameValue;

/// A promise of this size or more outweighs what a search learns of a move.
pub const DECISIVE: i32 = 2048;

/// Facts that need no search, and the order in which a solver tries moves.
///
/// Facts must be true of the rules alone: a solver claims what follows from them. The order may be
/// wrong; it only costs time. Positions are not finished.
pub trait Facts<G: Symmetric>: Clone + Send + Sync {
    /// The value for the side to move, where it follows without a search.
    #[inline(always)]
    fn value(&self, _position: &G) -> Option<GameValue> {
        None
    }

    /// Whether [`promise`](Facts::promise) is to be used. Without it a solver tries several orders.
    const PROMISES: bool = false;

    /// How promising a move looks, with `next` the position after it. What the search has learned of the
    /// move is added, from 0 to 1024; [`DECISIVE`] outweighs it.
    #[inline(always)]
    fn promise(&self, _position: &G, _m: G::Move, _next: &G) -> i32 {
        0
    }

    /// A number that positions share only if they have the same value: by default, if they are
    /// images of each other.
    #[inline(always)]
    fn key(&self, position: &G) -> u128 {
        orbit_key(position)
    }

    /// Calls `add` with the keys of the positions after some moves, in their order. Override it where they
    /// share work.
    #[inline(always)]
    fn keys_after(&self, position: &G, moves: &[G::Move], mut add: impl FnMut(u128)) {
        for &m in moves {
            let mut next = position.clone();
            next.play(m);
            add(self.key(&next));
        }
    }
}

impl<G: Game + Symmetric> Facts<G> for NoKnowledge {}

/// A key of a position and its images: the least of their keys, and the sum of all.
#[inline(always)]
pub fn orbit_key<G: Symmetric>(position: &G) -> u128 {
    let key = position.key();
    let (mut least, mut sum) = (key, key);
    for index in 1..position.symmetries() {
        let key = position.transformed_key(index);
        least = least.min(key);
        sum = sum.wrapping_add(key);
    }
    u128::from(least) << 64 | u128::from(sum)
}
