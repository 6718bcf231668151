//! The games: one module each, with rules, notation and key.

pub mod board;
pub mod chess;
