//! The games: one module each, with rules, notation and key.

pub mod board;
pub mod breakthrough;
pub mod domineering;
pub mod dummy;
pub mod knightthrough;
pub mod misere;
pub mod race;
pub mod tictactoe;
