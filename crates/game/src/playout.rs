//! Uniformly random play-outs.

use crate::{Outcome, Path, Repetition, Rng};

/// How a play-out went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Playout {
    /// The result; `None` if the limit on plies came first.
    pub outcome: Option<Outcome>,
    /// Plies played.
    pub plies: u32,
}

/// Plays uniformly random moves from `position`, with the full rules of the game, until the game
/// is over or `max_plies` are played.
///
/// `path` leads to `position`; it is used to find repetitions and is the same again afterwards.
#[inline(always)] // Into the kernel that calls it: see `cpu::Kernel`.
pub fn random_playout<G: Repetition>(
    mut position: G,
    path: &mut Path,
    max_plies: u32,
    rng: &mut Rng,
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
        let m = position.random_move(rng);
        let irreversible = drawn_at.is_some() && position.is_irreversible(m);
        position.play(m);
        plies += 1;
        if drawn_at.is_some() {
            path.push(position.key(), irreversible);
        }
    };
    path.truncate(length);
    Playout { outcome, plies }
}
