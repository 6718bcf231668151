//! Players and solvers, compiled once for every game of the catalog.
//!
//! Generic code is compiled in the crate that names its types. If that were left to the crates that
//! have players made, each of them would compile all searches for all games again; so this one
//! does, and hands out pointers to what it has compiled.

use std::any::Any;
use std::sync::OnceLock;

use spinney_game::Game;
use spinney_games::catalog::{CATALOG, GameSpec, Playable, Visitor};
use spinney_search::{Limits, Report, Stop};

use crate::{Algorithm, OptionList, Player, PlayerError, PlayerSpec, algorithm, make};

/// What is compiled for a game.
pub(crate) struct Compiled<G: Playable> {
    /// Makes a player, and tells which options it took.
    pub(crate) make: Make<G>,
    /// Solves a position.
    pub(crate) solve: Solve<G>,
}

type Make<G> = fn(&PlayerSpec, u64) -> Result<(Box<dyn Player<G>>, OptionList), PlayerError>;
type Solve<G> =
    fn(&Algorithm, &G, usize, &Limits, &Stop) -> Result<Report<<G as Game>::Move>, String>;

/// What is compiled for `G`; nothing if that is no game of the catalog.
pub(crate) fn compiled<G: Playable>() -> Option<&'static Compiled<G>> {
    all().iter().find_map(|compiled| compiled.downcast_ref())
}

/// A [`Compiled`] for every game. Neither generic nor inlined, or callers would compile it.
#[inline(never)]
fn all() -> &'static [Box<dyn Any + Send + Sync>] {
    static ALL: OnceLock<Vec<Box<dyn Any + Send + Sync>>> = OnceLock::new();
    ALL.get_or_init(|| {
        let games = CATALOG.iter().filter_map(|entry| entry.name.parse::<GameSpec>().ok());
        games.map(|game| game.visit(Compile)).collect()
    })
}

struct Compile;

impl Visitor for Compile {
    type Output = Box<dyn Any + Send + Sync>;

    fn visit<G: Playable>(self, _start: G) -> Self::Output {
        Box::new(Compiled::<G> { make: make::<G>, solve: algorithm::solve::<G> })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every game of the catalog has its players: none is left to the fallback.
    #[test]
    fn every_game_is_compiled() {
        struct IsCompiled;
        impl Visitor for IsCompiled {
            type Output = bool;
            fn visit<G: Playable>(self, _start: G) -> bool {
                compiled::<G>().is_some()
            }
        }
        for entry in CATALOG {
            let game: GameSpec = entry.name.parse().unwrap();
            assert!(game.visit(IsCompiled), "{}", entry.name);
        }
    }
}
