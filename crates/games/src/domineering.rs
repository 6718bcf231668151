//! Domineering: two players cover a board with dominoes; who cannot move loses.
//!
//! Vertical (first) places dominoes on two free squares of a file, Horizontal on two of a rank.
//! There are no draws.
//!
//! What is covered decides the rest of the game, not who covered it: positions that differ in that
//! alone are equal and have the same key. Any set of covered squares is a position, so that parts
//! of a board can be studied.
//!
//! Positions: `5/5/2x2/oox2/5 v`, with `x` covered by Vertical, `o` by Horizontal, and the side to
//! move `v` or `h`. Moves: the two squares, `a1-a2`; `a1a2` and `a2-a1` are read too.

use std::hash::{Hash, Hasher};

use spinney_game::{
    BoardInfo, BoardStyle, Game, GameInfo, Hashed, MoveError, Notation, Outcome, PackedMove,
    PositionError, Repetition, Rng, SIZES, Side, Symmetric, bits,
};

use crate::board::{self, Diagram, FILE_H, Letters, Size, Square, squares, with_constant_side};

/// Domineering.
pub const INFO: GameInfo = GameInfo {
    sides: ["Vertical", "Horizontal"],
    board: BoardInfo { turn: ['v', 'h'], ..BoardInfo::new(BoardStyle::Dominoes) },
    options: SIZES,
    ..GameInfo::new("domineering", "Domineering", "place dominoes; who cannot move loses")
};

/// Misère Domineering.
pub const MISERE: GameInfo =
    INFO.misere("domineering-misere", "Domineering misère", "place dominoes; who cannot move wins");

/// Vertical `x` moves first, against Horizontal `o`.
const LETTERS: Letters = Letters { men: ['x', 'o'], sides: ['v', 'h'] };

/// A domino: the lower or left square, and the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Domino {
    /// The lower or left square.
    pub low: Square,
    /// The upper or right square.
    pub high: Square,
}

impl spinney_game::Move for Domino {
    #[inline]
    fn pack(self) -> PackedMove {
        u32::from(self.low.0) | u32::from(self.high.0) << 8
    }

    #[inline]
    fn unpack(number: PackedMove) -> Self {
        Domino { low: Square(number as u8), high: Square((number >> 8) as u8) }
    }
}

/// A position of Domineering.
#[derive(Clone, Copy, Debug)]
pub struct Domineering {
    covered: [u64; 2],
    size: Size,
    to_move: Side,
    pub(crate) misere: bool,
}

impl Domineering {
    /// An empty board of this size.
    pub fn new(size: Size) -> Self {
        Domineering { covered: [0; 2], size, to_move: Side::First, misere: false }
    }

    /// The same position under misère rules: who would win loses.
    pub fn misere(self) -> Self {
        Domineering { misere: true, ..self }
    }

    /// The board.
    #[inline]
    pub fn size(&self) -> Size {
        self.size
    }

    /// The squares covered by a side.
    #[inline]
    pub fn covered(&self, side: Side) -> u64 {
        self.covered[side.index()]
    }

    /// The squares that nobody has covered.
    #[inline]
    pub fn free(&self) -> u64 {
        self.size.squares() & !(self.covered[0] | self.covered[1])
    }

    /// The lower or left squares of the places for a domino of a side.
    #[inline(always)]
    pub fn places(&self, side: Side) -> u64 {
        let free = self.free();
        match side {
            Side::First => free & (free >> 8),
            Side::Second => free & (free >> 1) & !FILE_H,
        }
    }

    /// What tells positions apart: not whose dominoes cover a square.
    #[inline]
    fn identity(&self) -> (u64, Size, Side, bool) {
        (self.free(), self.size, self.to_move, self.misere)
    }

    /// The domino of the side to move whose lower or left square this is.
    #[inline]
    fn domino(&self, low: Square) -> Domino {
        Domino { low, high: Square(low.0 + distance(self.to_move)) }
    }
}

impl Default for Domineering {
    fn default() -> Self {
        Domineering::new(Size::FIVE)
    }
}

impl PartialEq for Domineering {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.identity() == other.identity()
    }
}

impl Eq for Domineering {}

impl Hash for Domineering {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.identity().hash(state);
    }
}

impl Game for Domineering {
    type Move = Domino;

    #[inline]
    fn to_move(&self) -> Side {
        self.to_move
    }

    fn legal_moves(&self, moves: &mut Vec<Domino>) {
        moves.extend(squares(self.places(self.to_move)).map(|low| self.domino(low)));
    }

    #[inline(always)]
    fn play(&mut self, m: Domino) {
        with_constant_side(self.to_move, |side| {
            self.covered[side.index()] |= m.low.bit() | m.high.bit();
            self.to_move = !side;
        });
    }

    #[inline(always)]
    fn outcome(&self) -> Option<Outcome> {
        (self.places(self.to_move) == 0).then(|| board::lost(self.to_move, self.misere))
    }

    #[inline(always)]
    fn random_move(&self, rng: &mut Rng) -> Domino {
        let places = self.places(self.to_move);
        let index = rng.below(places.count_ones());
        self.domino(Square(bits::select(places, index) as u8))
    }

    #[inline(always)]
    fn play_random(&mut self, rng: &mut Rng) -> Domino {
        with_constant_side(self.to_move, |side| {
            let places = self.places(side);
            let bit = bits::select_bit(places, rng.below(places.count_ones()));
            self.covered[side.index()] |= bit | bit << distance(side);
            self.to_move = !side;
            let low = Square(bit.trailing_zeros() as u8);
            Domino { low, high: Square(low.0 + distance(side)) }
        })
    }

    #[inline(always)]
    fn count_moves(&self) -> u64 {
        self.places(self.to_move).count_ones().into()
    }
}

/// How far apart the squares of a domino of a side are.
#[inline(always)]
fn distance(side: Side) -> u8 {
    match side {
        Side::First => 8,
        Side::Second => 1,
    }
}

impl Hashed for Domineering {
    #[inline]
    fn key(&self) -> u64 {
        board::key([self.free(), 0], self.to_move)
    }
}

impl Repetition for Domineering {
    /// The board only fills: nothing repeats.
    #[inline]
    fn drawn_at(&self) -> Option<u32> {
        None
    }

    #[inline]
    fn is_irreversible(&self, _: Domino) -> bool {
        true
    }
}

impl Notation for Domineering {
    fn parse_position(&self, text: &str) -> Result<Self, PositionError> {
        let Diagram { size, men, to_move } = Diagram::parse(text, LETTERS)?;
        Ok(Domineering { covered: men, size, to_move, ..*self })
    }

    fn position_text(&self) -> String {
        let Domineering { covered, size, to_move, .. } = *self;
        Diagram { size, men: covered, to_move }.text(LETTERS)
    }

    fn move_text(&self, m: Domino) -> String {
        format!("{}-{}", m.low, m.high)
    }

    fn ending(&self) -> &'static str {
        if self.outcome().is_some() { "no move left" } else { "" }
    }

    fn parse_move(&self, text: &str) -> Result<Domino, MoveError> {
        let (one, other) = board::parse_two_squares(text)
            .ok_or_else(|| MoveError::new(text, "expected two squares, such as a1-a2"))?;
        let m = Domino { low: one.min(other), high: one.max(other) };
        let places = self.places(self.to_move);
        if places & m.low.bit() != 0 && self.domino(m.low) == m {
            Ok(m)
        } else {
            Err(MoveError::new(text, "not a legal move here"))
        }
    }
}

/// The mirrors of files and ranks, and both together: a quarter turn would swap the sides.
impl Symmetric for Domineering {
    fn symmetries(&self) -> usize {
        4
    }

    fn transformed(&self, index: usize) -> Self {
        let covered = self.covered.map(|set| self.size.transform_set(set, index));
        Domineering { covered, ..*self }
    }

    fn transform_move(&self, m: Domino, index: usize) -> Domino {
        let [one, other] = [m.low, m.high].map(|s| self.size.transform_square(s, index));
        Domino { low: one.min(other), high: one.max(other) }
    }
}
