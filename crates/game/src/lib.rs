//! The contract between games and searches.
//!
//! A game is a position type that implements [`Game`]; what not every search needs lives in small
//! traits beside it: [`Hashed`], [`Repetition`], [`Notation`], [`Symmetric`]. The crate also holds
//! what is the same for every game: the random number generator [`Rng`], random playouts, perft,
//! the path of positions that decides repetition, the [`conformance`] suite that every game passes,
//! and the way to write a [`file`](mod@file).

pub mod bits;
pub mod certificate;
pub mod conformance;
pub mod cpu;
pub mod file;
mod game;
mod info;
mod notation;
mod playout;
mod repetition;
mod rng;
mod symmetry;
mod words;

pub use game::{Game, Hashed, Move, Outcome, PackedMove, Playable, Side};
pub use info::{
    BoardInfo, BoardStyle, GameInfo, GameOption, GameOptionKind, GameSettings, Protocol,
    RecordFormat, SIZES,
};
pub use notation::{MoveError, Notation, PositionError};
pub use playout::{Chooser, Playout, playout, random_playout};
pub use repetition::{History, Path, Repetition};
pub use rng::Rng;
pub use symmetry::Symmetric;
pub use words::closest;
