//! NoGo: the game of Go in which nothing may be captured.
//!
//! Black and White in turn put a stone on an empty point. After a move every chain of either side
//! must have a liberty: captures and suicide are both illegal, and there is no passing. A player
//! who has no legal move loses.

use spinney_game::{
    Game, Hashed, MoveError, Notation, Outcome, PositionError, Repetition, Rng, Side, Symmetric,
    bits,
};

use crate::board::{Diagram, Letters, Size, Square, squares};
use crate::stones::Stones;

/// A position of NoGo. A move is the point of the new stone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoGo {
    stones: Stones,
    /// The legal moves, asked for at least twice in a position: is there one, and which?
    legal: u64,
}

impl NoGo {
    /// The empty board.
    pub fn new(size: Size) -> NoGo {
        NoGo::with_stones(Stones::new(size))
    }

    /// The board.
    pub fn size(&self) -> Size {
        self.stones.size()
    }

    #[inline]
    fn with_stones(stones: Stones) -> NoGo {
        NoGo { legal: legal(&stones), stones }
    }
}

/// The points where a stone has a liberty and takes none of the last ones of the opponent.
#[inline]
fn legal(stones: &Stones) -> u64 {
    stones.breathing() & !stones.captures()
}

impl Default for NoGo {
    /// The empty board of the paper `nmcs`, 5x5.
    fn default() -> NoGo {
        NoGo::new(Size::FIVE)
    }
}

impl Game for NoGo {
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
        self.stones.place(m);
        self.legal = legal(&self.stones);
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

impl Hashed for NoGo {
    #[inline]
    fn key(&self) -> u64 {
        self.stones.key()
    }
}

impl Repetition for NoGo {
    /// Stones never leave the board, so no position comes back.
    #[inline]
    fn drawn_at(&self) -> Option<u32> {
        None
    }

    #[inline]
    fn is_irreversible(&self, _: Square) -> bool {
        true
    }
}

impl Notation for NoGo {
    fn parse_position(&self, text: &str) -> Result<NoGo, PositionError> {
        let stones = Stones::read(&Diagram::parse(text, Letters::BLACK_FIRST)?);
        let [mover, opponent] = stones.breathless();
        match squares(mover | opponent).next() {
            Some(stone) => {
                Err(PositionError::new(text, format!("the chain at {stone} has no liberty")))
            }
            None => Ok(NoGo::with_stones(stones)),
        }
    }

    fn position_text(&self) -> String {
        self.stones.diagram().text(Letters::BLACK_FIRST)
    }

    fn move_text(&self, m: Square) -> String {
        m.to_string()
    }

    fn parse_move(&self, text: &str) -> Result<Square, MoveError> {
        let point = self.stones.parse_point(text)?;
        if self.stones.captures() & point.bit() != 0 {
            return Err(MoveError::new(text, "a capture is illegal"));
        }
        if self.legal & point.bit() == 0 {
            return Err(MoveError::new(text, "suicide is illegal"));
        }
        Ok(point)
    }
}

impl Symmetric for NoGo {
    fn symmetries(&self) -> usize {
        self.size().symmetries()
    }

    fn transformed(&self, index: usize) -> NoGo {
        NoGo::with_stones(self.stones.transformed(index))
    }

    #[inline]
    fn transformed_key(&self, index: usize) -> u64 {
        self.stones.transformed_key(index)
    }

    fn transform_move(&self, m: Square, index: usize) -> Square {
        self.size().transform_square(m, index)
    }
}
