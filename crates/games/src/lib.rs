//! The games: one module each, with rules, notation and key.

pub mod atarigo;
pub mod board;
pub mod chess;
pub mod loa;
pub mod nogo;
mod stones;
