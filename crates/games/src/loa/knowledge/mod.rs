//! What is known about LOA beyond its rules: move categories and how likely each is played, and the
//! evaluation of positions.

pub mod cache;
pub mod categories;
pub mod evaluation;
pub mod lines;
mod mass;
pub mod network;
mod search;

pub use mass::{centre_of_mass, distance};
pub use search::{LoaEvaluation, LoaKnowledge};

use crate::board::Square;

/// The steps from a square to the nearest edge, and to the nearer of the two edges across; `None` outside
/// the board.
const fn steps_to_edges(square: Square, length: usize) -> Option<(u8, u8)> {
    let last = length as u8 - 1;
    let (file, rank) = (square.file(), square.rank());
    if file > last || rank > last {
        return None;
    }
    let file = if file < last - file { file } else { last - file };
    let rank = if rank < last - rank { rank } else { last - rank };
    Some(if file < rank { (file, rank) } else { (rank, file) })
}

/// The steps from a ring of the board, counted from the edge, to the inner 2x2 board.
const fn steps_to_centre(ring: u8, length: usize) -> u8 {
    length as u8 / 2 - 1 - ring
}

/// The squares of the inner board of `inner` times `inner` squares.
const fn inner_board(length: usize, inner: usize) -> u64 {
    let mut set = 0;
    let mut index = 0;
    while index < 64 {
        let square = Square(index);
        if let Some((ring, _)) = steps_to_edges(square, length)
            && 2 * (steps_to_centre(ring, length) as usize + 1) <= inner
        {
            set |= square.bit();
        }
        index += 1;
    }
    set
}
