//! Tic-tac-toe: three in a row on a board of 3x3.
//!
//! `x` (first) and `o` take turns to fill an empty square. Three of one's own in a rank, a file or
//! a diagonal win; a full board without is a draw.
//!
//! Positions: `3/1x1/3 o`, with the side to move `x` or `o`. Moves: the square, `b2`.

use spinney_game::{
    BoardInfo, BoardStyle, Game, GameInfo, Hashed, MoveError, Notation, Outcome, PositionError,
    Repetition, Rng, Side, Symmetric, bits,
};

use crate::board::{self, Diagram, Letters, Size, Square, squares, with_constant_side};

/// Tic-tac-toe.
pub const INFO: GameInfo = GameInfo {
    sides: ["Crosses", "Noughts"],
    board: BoardInfo { turn: ['x', 'o'], ..BoardInfo::new(BoardStyle::Marks) },
    ..GameInfo::new("tictactoe", "Tic-tac-toe", "three in a row on 3x3")
};

const LETTERS: Letters = Letters { men: ['x', 'o'], sides: ['x', 'o'] };
const SIZE: Size = Size::square(3);

/// A position of tic-tac-toe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TicTacToe {
    men: [u64; 2],
    to_move: Side,
}

impl TicTacToe {
    /// The empty board.
    pub fn new() -> Self {
        TicTacToe { men: [0; 2], to_move: Side::First }
    }

    /// The squares of a side.
    #[inline]
    pub fn men(&self, side: Side) -> u64 {
        self.men[side.index()]
    }

    /// The empty squares.
    #[inline]
    pub fn empty(&self) -> u64 {
        SIZE.squares() & !(self.men[0] | self.men[1])
    }
}

/// Whether the set holds three squares in a row.
#[inline]
const fn has_line(men: u64) -> bool {
    // Along a rank, a file and both diagonals. The five files beside the board are empty, so no
    // row runs over its edge.
    let along_rank = men & (men >> 1) & (men >> 2);
    let along_file = men & (men >> 8) & (men >> 16);
    let rising = men & (men >> 9) & (men >> 18);
    let falling = men & (men >> 7) & (men >> 14);
    along_rank | along_file | rising | falling != 0
}

impl Default for TicTacToe {
    fn default() -> Self {
        TicTacToe::new()
    }
}

impl Game for TicTacToe {
    type Move = Square;

    #[inline]
    fn to_move(&self) -> Side {
        self.to_move
    }

    fn legal_moves(&self, moves: &mut Vec<Square>) {
        moves.extend(squares(self.empty()));
    }

    #[inline(always)]
    fn play(&mut self, m: Square) {
        with_constant_side(self.to_move, |side| {
            self.men[side.index()] |= m.bit();
            self.to_move = !side;
        });
    }

    /// Only the side that has just moved can have a row: positions read from text are held to that.
    #[inline(always)]
    fn outcome(&self) -> Option<Outcome> {
        if has_line(self.men(!self.to_move)) {
            Some(Outcome::Win(!self.to_move))
        } else {
            (self.empty() == 0).then_some(Outcome::Draw)
        }
    }

    #[inline(always)]
    fn random_move(&self, rng: &mut Rng) -> Square {
        let empty = self.empty();
        Square(bits::select(empty, rng.below(empty.count_ones())) as u8)
    }

    #[inline]
    fn count_moves(&self) -> u64 {
        self.empty().count_ones().into()
    }
}

impl Hashed for TicTacToe {
    #[inline]
    fn key(&self) -> u64 {
        board::key(self.men, self.to_move)
    }
}

impl Repetition for TicTacToe {
    /// The board only fills: nothing repeats.
    #[inline]
    fn drawn_at(&self) -> Option<u32> {
        None
    }

    #[inline]
    fn is_irreversible(&self, _: Square) -> bool {
        true
    }
}

impl Notation for TicTacToe {
    fn parse_position(&self, text: &str) -> Result<Self, PositionError> {
        let error = |problem: String| Err(PositionError::new(text, problem));
        let Diagram { size, men, to_move } = Diagram::parse(text, LETTERS)?;
        if size != SIZE {
            return error(format!("a board of {size}, expected {SIZE}"));
        }
        let [x, o] = men.map(u64::count_ones);
        if x != o + to_move.index() as u32 {
            let side = LETTERS.sides[to_move.index()];
            return error(format!("{x} x and {o} o, so it cannot be the turn of {side}"));
        }
        if has_line(men[to_move.index()]) {
            let side = LETTERS.sides[to_move.index()];
            return error(format!("{side} has three in a row already, so it cannot be its turn"));
        }
        Ok(TicTacToe { men, to_move })
    }

    fn position_text(&self) -> String {
        let TicTacToe { men, to_move } = *self;
        Diagram { size: SIZE, men, to_move }.text(LETTERS)
    }

    fn move_text(&self, m: Square) -> String {
        m.to_string()
    }

    fn ending(&self) -> &'static str {
        match self.outcome() {
            Some(Outcome::Win(_)) => "three in a row",
            Some(Outcome::Draw) => "the board is full",
            None => "",
        }
    }

    fn parse_move(&self, text: &str) -> Result<Square, MoveError> {
        let square = Square::parse(text.trim())
            .ok_or_else(|| MoveError::new(text, "expected a square, such as b2"))?;
        if self.outcome().is_none() && self.empty() & square.bit() != 0 {
            Ok(square)
        } else {
            Err(MoveError::new(text, "not a legal move here"))
        }
    }
}

/// The turns and mirrors of the board.
impl Symmetric for TicTacToe {
    fn symmetries(&self) -> usize {
        SIZE.symmetries()
    }

    fn transformed(&self, index: usize) -> Self {
        TicTacToe { men: self.men.map(|men| SIZE.transform_set(men, index)), ..*self }
    }

    fn transform_move(&self, m: Square, index: usize) -> Square {
        SIZE.transform_square(m, index)
    }
}
