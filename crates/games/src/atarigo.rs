//! AtariGo, also called the capture game: the first player to capture wins.
//!
//! Black and White in turn put a stone on an empty point. A move that takes the last liberty of an
//! opponent's chain captures it and wins. Suicide, a move that captures nothing and leaves its own
//! chain without a liberty, is illegal. There is no passing: a player who has no legal move loses.
//! The paper `nmcs` says nothing of this case; with passes, a game in which the chains of both
//! sides live would never end.
//!
//! A finished game shows how it ended: the capturing stone is on the board and the captured stones
//! still stand, without a liberty. So the side to move has lost if a chain of its own has no
//! liberty.

use crate::board::{Diagram, squares};
use crate::placement::{Placement, Rule};
use crate::stones::Stones;
use spinney_game::{BoardInfo, BoardStyle, GameInfo, SIZES};

/// AtariGo.
pub const INFO: GameInfo = GameInfo {
    sides: ["Black", "White"],
    board: BoardInfo::new(BoardStyle::Stones),
    options: SIZES,
    ..GameInfo::new("atarigo", "AtariGo", "Go in which the first capture wins")
};

/// Misère AtariGo.
pub const MISERE: GameInfo =
    INFO.misere("atarigo-misere", "AtariGo misère", "Go in which the first capture loses");

/// A position of AtariGo. A move is the point of the new stone.
pub type AtariGo = Placement<CaptureWins>;

/// The rule of AtariGo: a stone captures or has a liberty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CaptureWins;

impl Rule for CaptureWins {
    const CAPTURES: bool = true;

    #[inline(always)]
    fn legal(breathing: u64, captures: u64) -> u64 {
        breathing | captures
    }

    /// A chain without liberties is accepted only where one last move of the opponent explains
    /// them all.
    fn problem(diagram: &Diagram) -> Option<String> {
        let [captured, others] = Stones::read(diagram).breathless();
        let stone = squares(captured | others).next()?;
        (captured == 0 || !ends_by_a_capture(diagram)).then(|| {
            format!(
                "the chain at {stone} has no liberty, and no capture by the last move explains it"
            )
        })
    }
}

/// Whether there is a stone of the side that moved last without which every chain has a liberty.
fn ends_by_a_capture(diagram: &Diagram) -> bool {
    let mover = (!diagram.to_move).index();
    squares(diagram.men[mover]).any(|last| {
        let mut before = *diagram;
        before.men[mover] &= !last.bit();
        Stones::read(&before).breathless() == [0, 0]
    })
}
