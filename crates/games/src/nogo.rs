//! NoGo: the game of Go in which nothing may be captured.
//!
//! Black and White in turn put a stone on an empty point. After a move every chain of either side
//! must have a liberty: captures and suicide are both illegal, and there is no passing. A player
//! who has no legal move loses.

use crate::board::{Diagram, squares};
use crate::placement::{Placement, Rule};
use crate::stones::Stones;
use spinney_game::{BoardInfo, BoardStyle, GameInfo, SIZES};

/// NoGo.
pub const INFO: GameInfo = GameInfo {
    sides: ["Black", "White"],
    board: BoardInfo::new(BoardStyle::Stones),
    options: SIZES,
    ..GameInfo::new("nogo", "NoGo", "place stones, never capture; who cannot move loses")
};

/// Misère NoGo.
pub const MISERE: GameInfo =
    INFO.misere("nogo-misere", "NoGo misère", "place stones, never capture; who cannot move wins");

/// A position of NoGo. A move is the point of the new stone.
pub type NoGo = Placement<CapturesNothing>;

/// The rule of NoGo: a stone has a liberty and takes none of the last ones of the opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CapturesNothing;

impl Rule for CapturesNothing {
    const CAPTURES: bool = false;

    #[inline(always)]
    fn legal(breathing: u64, captures: u64) -> u64 {
        breathing & !captures
    }

    fn problem(diagram: &Diagram) -> Option<String> {
        let [mover, opponent] = Stones::read(diagram).breathless();
        let stone = squares(mover | opponent).next()?;
        Some(format!("the chain at {stone} has no liberty"))
    }
}
