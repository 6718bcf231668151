//! The games: one module each, with rules, notation and key.
//!
//! [`catalog`] finds a game by its name; [`board`] holds what games on a rectangular board share.

pub mod atarigo;
pub mod board;
pub mod breakthrough;
pub mod catalog;
pub mod chess;
pub mod domineering;
pub mod dummy;
pub mod knightthrough;
pub mod loa;
pub mod misere;
pub mod nogo;
pub mod placement;
pub mod race;
mod stones;
pub mod tictactoe;
