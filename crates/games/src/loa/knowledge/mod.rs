//! What is known about LOA beyond its rules: move categories and how likely each is played, and the
//! evaluation of positions.

pub mod cache;
pub mod categories;
pub mod evaluation;
pub mod lines;
mod mass;

pub use mass::{centre_of_mass, distance};

use crate::board::Square;

/// The steps from a square to the nearest edge, and to the nearer of the two edges across.
const fn steps_to_edges(square: Square) -> (u8, u8) {
    let (file, rank) = (square.file(), square.rank());
    let file = if file < 4 { file } else { 7 - file };
    let rank = if rank < 4 { rank } else { 7 - rank };
    if file < rank { (file, rank) } else { (rank, file) }
}
