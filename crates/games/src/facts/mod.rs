//! What solvers know of the small games: values that need no search, and which moves to try first.

mod domineering;
mod placement;
mod race;

/// All that is known of each of the small games.
#[derive(Clone, Copy, Debug, Default)]
pub struct Known;
