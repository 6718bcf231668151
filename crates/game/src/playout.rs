//! Uniformly random playouts.

use crate::{Game, Outcome, Path, Repetition, Rng};

/// How a playout went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Playout {
    /// The result; `None` if the limit on plies came first.
    pub outcome: Option<Outcome>,
    /// Plies played.
    pub plies: u32,
}

/// Chooses the moves of a playout. Not a closure: those cannot be marked `#[inline(always)]`, and
/// a playout that is not inlined whole is not compiled for the processor (see `cpu::Kernel`).
pub trait Chooser<G: Game> {
    /// A legal move in a position that is not finished.
    fn choose(&mut self, position: &G) -> G::Move;

    /// Plays that move.
    #[inline(always)]
    fn advance(&mut self, position: &mut G) {
        position.play(self.choose(position));
    }
}

/// Uniformly random moves.
impl<G: Game> Chooser<G> for &mut Rng {
    #[inline(always)]
    fn choose(&mut self, position: &G) -> G::Move {
        position.random_move(self)
    }

    #[inline(always)]
    fn advance(&mut self, position: &mut G) {
        position.play_random(self);
    }
}

/// Plays uniformly random moves from `position`: see [`playout`].
#[inline(always)]
pub fn random_playout<G: Repetition>(
    position: G,
    path: &mut Path,
    max_plies: u32,
    rng: &mut Rng,
) -> Playout {
    match position.whole_playout(max_plies, rng) {
        Some(playout) => playout,
        None => playout(position, path, max_plies, rng),
    }
}

/// Plays chosen moves from `position`, with the full rules of the game, until the game is over or
/// `max_plies` are played.
///
/// `path` leads to `position`; it is used to find repetitions and is the same again afterwards.
#[inline(always)]
pub fn playout<G: Repetition>(
    mut position: G,
    path: &mut Path,
    max_plies: u32,
    mut chooser: impl Chooser<G>,
) -> Playout {
    let drawn_at = position.drawn_at();
    let length = path.len();
    let mut plies = 0;
    let outcome = loop {
        if let Some(outcome) = position.outcome() {
            break Some(outcome);
        }
        if let Some(times) = drawn_at
            && path.repeats(times)
        {
            break Some(Outcome::Draw);
        }
        if plies == max_plies {
            break None;
        }
        if drawn_at.is_some() {
            let m = chooser.choose(&position);
            let irreversible = position.is_irreversible(m);
            position.play(m);
            path.push(position.key(), irreversible);
        } else {
            chooser.advance(&mut position);
        }
        plies += 1;
    };
    if drawn_at.is_some() {
        path.truncate(length);
    }
    Playout { outcome, plies }
}
