//! What is known about chess beyond its rules: how good a position is, what an exchange on a square
//! gains, and whether a move mates.
//!
//! `evaluation.rs` has the tapered evaluation, with `tables.rs` for men on squares; `exchange.rs` the
//! static exchange evaluation; `mate.rs` mate in one; `tactics.rs` what follows from them for moves.

mod evaluation;
mod exchange;
mod mate;
mod tables;
mod tactics;

pub use evaluation::evaluate;
pub use exchange::{exchange, man_value};
pub use mate::mate_in_one;
pub use tactics::{best_exchange, promises, tactical_moves};
