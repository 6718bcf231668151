//! The Python package's native half: games, players, solvers, matches, experiments and the command line.
//!
//! - `state.rs`: games and their states. `own_game.rs`: games whose rules are in Python. `openspiel.rs`: games of
//!   OpenSpiel. `failure.rs`: exceptions in their rules.
//! - `player.rs`: players. `bot.rs`: Python objects as players. `matches.rs`: matches, solvers, statistics.
//! - `experiment.rs`: experiments and their pieces.
//! - `observation.rs`: positions as numbers. `batch.rs`: many positions at once.
//! - `wait.rs`: long work without the interpreter's lock, ended by Ctrl-C.
//!
//! What Python users see is in `python/spinney`: it takes the JSON of this module apart into classes.

mod batch;
mod bot;
mod errors;
mod experiment;
mod failure;
mod matches;
mod observation;
mod openspiel;
mod own_game;
mod player;
mod state;
mod wait;

use pyo3::prelude::*;

/// The native half of the package `spinney`.
#[pymodule]
mod _native {
    use std::ffi::OsString;

    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::batch::{playouts, self_play};
    #[pymodule_export]
    use crate::errors::{GameError, MoveError, PlayerError, PositionError, SpinneyError};
    #[pymodule_export]
    use crate::experiment::{Experiment, Piece, experiments, write_reports};
    #[pymodule_export]
    use crate::matches::{play_match, solve, statistics};
    #[pymodule_export]
    use crate::own_game::add_game;
    #[pymodule_export]
    use crate::player::{Player, players};
    #[pymodule_export]
    use crate::state::{Game, State};

    /// The games, each with one line on what it is.
    #[pyfunction]
    fn games() -> Vec<(&'static str, &'static str)> {
        crate::state::registry().games().map(|info| (info.name, info.summary)).collect()
    }

    /// Runs a command of the program `spinney`, its name in front, and returns the exit code.
    #[pyfunction]
    fn main(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
        py.detach(|| spinney_cli::run(&crate::state::registry(), arguments))
    }
}
