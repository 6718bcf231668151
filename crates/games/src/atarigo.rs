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

use spinney_game::{
    Game, Hashed, MoveError, Notation, Outcome, PositionError, Repetition, Rng, Side, Symmetric,
    bits,
};

use crate::board::{Diagram, Letters, Size, Square, squares};
use crate::stones::Stones;

/// A position of AtariGo. A move is the point of the new stone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AtariGo {
    stones: Stones,
    /// The legal moves, asked for at least twice in a position: is there one, and which? None
    /// after a capture, so that either way to lose looks the same.
    legal: u64,
}

impl AtariGo {
    /// The empty board.
    pub fn new(size: Size) -> AtariGo {
        AtariGo::with_stones(Stones::new(size))
    }

    /// The board.
    pub fn size(&self) -> Size {
        self.stones.size()
    }

    fn with_stones(stones: Stones) -> AtariGo {
        let [captured, _] = stones.breathless();
        AtariGo { legal: if captured == 0 { legal(&stones) } else { 0 }, stones }
    }
}

/// The points where a stone captures or has a liberty, if nothing is captured yet.
#[inline]
fn legal(stones: &Stones) -> u64 {
    stones.captures() | stones.breathing()
}

impl Default for AtariGo {
    /// The empty board of the paper `nmcs`, 5x5.
    fn default() -> AtariGo {
        AtariGo::new(Size::FIVE)
    }
}

impl Game for AtariGo {
    type Move = Square;

    #[inline]
    fn to_move(&self) -> Side {
        self.stones.to_move()
    }

    #[inline]
    fn legal_moves(&self, moves: &mut Vec<Square>) {
        moves.extend(squares(self.legal));
    }

    #[inline(always)]
    fn play(&mut self, m: Square) {
        let captures = self.stones.captures() & m.bit() != 0;
        self.stones.place(m);
        self.legal = if captures { 0 } else { legal(&self.stones) };
    }

    #[inline(always)]
    fn outcome(&self) -> Option<Outcome> {
        (self.legal == 0).then_some(Outcome::Win(!self.to_move()))
    }

    #[inline(always)]
    fn random_move(&self, rng: &mut Rng) -> Square {
        Square(bits::select(self.legal, rng.below(self.legal.count_ones())) as u8)
    }

    #[inline]
    fn pack(m: Square) -> u32 {
        u32::from(m.0)
    }

    #[inline]
    fn unpack(number: u32) -> Square {
        Square(number as u8)
    }

    #[inline(always)]
    fn count_moves(&self) -> u64 {
        u64::from(self.legal.count_ones())
    }
}

impl Hashed for AtariGo {
    #[inline]
    fn key(&self) -> u64 {
        self.stones.key()
    }
}

impl Repetition for AtariGo {
    /// The first capture ends the game, so no position comes back.
    #[inline]
    fn drawn_at(&self) -> Option<u32> {
        None
    }

    #[inline]
    fn is_irreversible(&self, _: Square) -> bool {
        true
    }
}

impl Notation for AtariGo {
    /// Reads a diagram. A chain without liberties is accepted only where one last move of the
    /// opponent explains them all.
    fn parse_position(&self, text: &str) -> Result<AtariGo, PositionError> {
        let diagram = Diagram::parse(text, Letters::BLACK_FIRST)?;
        let stones = Stones::read(&diagram);
        let [captured, others] = stones.breathless();
        let Some(stone) = squares(captured | others).next() else {
            return Ok(AtariGo::with_stones(stones));
        };
        if captured != 0 && ends_by_a_capture(&diagram) {
            return Ok(AtariGo::with_stones(stones));
        }
        Err(PositionError::new(
            text,
            format!(
                "the chain at {stone} has no liberty, and no capture by the last move explains it"
            ),
        ))
    }

    fn position_text(&self) -> String {
        self.stones.diagram().text(Letters::BLACK_FIRST)
    }

    fn move_text(&self, m: Square) -> String {
        m.to_string()
    }

    fn parse_move(&self, text: &str) -> Result<Square, MoveError> {
        let point = self.stones.parse_point(text)?;
        if self.outcome().is_some() {
            return Err(MoveError::new(text, "the game is over"));
        }
        if self.legal & point.bit() == 0 {
            return Err(MoveError::new(text, "suicide is illegal"));
        }
        Ok(point)
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

impl Symmetric for AtariGo {
    fn symmetries(&self) -> usize {
        self.size().symmetries()
    }

    fn transformed(&self, index: usize) -> AtariGo {
        AtariGo::with_stones(self.stones.transformed(index))
    }

    #[inline]
    fn transformed_key(&self, index: usize) -> u64 {
        self.stones.transformed_key(index)
    }

    fn transform_move(&self, m: Square, index: usize) -> Square {
        self.size().transform_square(m, index)
    }
}
