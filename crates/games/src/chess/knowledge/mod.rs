//! What is known about chess beyond its rules: how good a position is, what an exchange on a square
//! gains, and whether a move mates.
//!
//! `evaluation.rs` has the tapered evaluation, with `tables.rs` for men on squares; `exchange.rs` the
//! static exchange evaluation; `mate.rs` mate in one; `tactics.rs` what follows from them for moves;
//! `adjudicator.rs` tablebases; `search.rs` joins them to what the searches ask.

mod adjudicator;
mod evaluation;
mod exchange;
mod mate;
mod search;
mod tables;
mod tactics;

pub use adjudicator::Adjudicator;
pub use evaluation::evaluate;
pub use exchange::{exchange, man_value};
pub use mate::mate_in_one;
pub use search::{ChessKnowledge, Greedy, Priors};
pub use tactics::{best_exchange, promises, tactical_moves};
