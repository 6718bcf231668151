//! Knightthrough: Breakthrough with knights.
//!
//! White (`o`, first) moves up the board, Black (`x`) down; each begins with its two nearest ranks
//! full, or one on a board of fewer than five ranks. A man moves and captures like a knight of
//! chess, forward only: two ranks and one file, or one rank and two files. A player wins with a man
//! on the far rank or when the opponent has no men left. There are no draws.
//!
//! On a board of three files a man in the middle, one rank short of the goal, has nowhere to go. A
//! player whose men are all stuck has no legal move and loses: our choice, since the rules do not
//! say. On wider boards the foremost man of a side can always move.
//!
//! Positions: `xxxxx/xxxxx/5/ooooo/ooooo w`. Moves: `a2-b4`, `a2xb4`; `a2b4` is read too.

use crate::race::{Gait, Race, Step};
use spinney_game::{BoardInfo, BoardStyle, GameInfo, SIZES};

/// Knightthrough.
pub const INFO: GameInfo = GameInfo {
    sides: ["White", "Black"],
    board: BoardInfo::light_first(BoardStyle::Knights),
    options: SIZES,
    ..GameInfo::new("knightthrough", "Knightthrough", "Breakthrough with knights' moves")
};

/// Misère Knightthrough.
pub const MISERE: GameInfo =
    INFO.misere("knightthrough-misere", "Knightthrough misère", "force the other side across");

/// A position of Knightthrough.
pub type Knightthrough = Race<Leap>;

/// The gait of Knightthrough: a knight's move forward.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Leap;

impl Gait for Leap {
    const STEPS: &'static [Step] = &[
        Step { files: -2, ranks: 1, captures: true },
        Step { files: -1, ranks: 2, captures: true },
        Step { files: 1, ranks: 2, captures: true },
        Step { files: 2, ranks: 1, captures: true },
    ];
    const FREE_WIDTH: u8 = 4;
    const WALKS: bool = false;
}
