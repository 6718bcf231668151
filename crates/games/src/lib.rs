//! The games: one module each, with rules, notation and key.
//!
//! Every module has the facts that are no rules in its `INFO`; [`board`] holds what games on a
//! rectangular board share.

pub mod atarigo;
pub mod board;
pub mod breakthrough;
pub mod chess;
pub mod domineering;
pub mod dummy;
pub mod facts;
pub mod knightthrough;
pub mod loa;
pub mod nogo;
pub mod placement;
pub mod race;
mod stones;
pub mod tictactoe;
