//! The contract between games and searches.
//!
//! A game is a position type that implements [`Game`]; what not every search needs lives in small
//! traits beside it: [`Hashed`], [`Repetition`], [`Notation`], [`Symmetric`]. The crate also holds
//! what is the same for every game: the random number generator [`Rng`], random play-outs, perft,
//! the path of positions that decides repetition, the [`conformance`] suite that every game passes,
//! and the way to write a [`file`].

pub mod bits;
pub mod conformance;
pub mod cpu;
pub mod file;
mod game;
mod notation;
mod playout;
mod repetition;
mod rng;
mod symmetry;

pub use game::{Game, Hashed, Outcome, Side};
pub use notation::{MoveError, Notation, PositionError};
pub use playout::{Chooser, Playout, playout, random_playout};
pub use repetition::{History, Path, Repetition};
pub use rng::Rng;
pub use symmetry::Symmetric;
