//! Breakthrough: the first man on the far rank wins.
//!
//! White (`o`, first) moves up the board, Black (`x`) down; each begins with its two nearest ranks
//! full, or one on a board of fewer than five ranks. A man moves one square forward, straight or
//! diagonally. It captures diagonally only, and is not obliged to. A player wins with a man on the
//! far rank or when the opponent has no men left. There are no draws.
//!
//! The foremost man of a side can always move: no man of its own is ahead of it, so each diagonal
//! step is onto an empty square or captures. So nobody is ever without a move.
//!
//! Positions: `xxxxx/xxxxx/5/ooooo/ooooo w`. Moves: `a2-a3`, `a2xb3`; `a2a3` is read too.

use crate::race::{Gait, Race, Step};
use spinney_game::{BoardInfo, BoardStyle, GameInfo, SIZES};

/// Breakthrough.
pub const INFO: GameInfo = GameInfo {
    sides: ["White", "Black"],
    board: BoardInfo::light_first(BoardStyle::Men),
    options: SIZES,
    ..GameInfo::new("breakthrough", "Breakthrough", "bring a man to the far rank")
};

/// Misère Breakthrough.
pub const MISERE: GameInfo = INFO.misere(
    "breakthrough-misere",
    "Breakthrough misère",
    "force the other side to break through",
);

/// A position of Breakthrough.
pub type Breakthrough = Race<Walk>;

/// The gait of Breakthrough: one square forward, straight ahead without capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Walk;

impl Gait for Walk {
    const STEPS: &'static [Step] = &[
        Step { files: -1, ranks: 1, captures: true },
        Step { files: 0, ranks: 1, captures: false },
        Step { files: 1, ranks: 1, captures: true },
    ];
    const FREE_WIDTH: u8 = 0;
    const WALKS: bool = true;
}
