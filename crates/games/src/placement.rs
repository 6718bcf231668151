//! What NoGo and AtariGo share: in turn a stone is put on a point, and none leaves the board.
//!
//! The games differ in where a stone may be put and in what a capture means, a [`Rule`]. Black is
//! the first side. There is no passing: a player who has no legal move loses.

use std::fmt::Debug;
use std::hash::Hash;
use std::marker::PhantomData;

use spinney_game::{
    Game, Hashed, MoveError, Notation, Outcome, PositionError, Repetition, Rng, Side, Symmetric,
    bits,
};

use crate::board::{self, Diagram, Letters, Size, Square, squares};
use crate::stones::Stones;

/// What tells one game of stones from another.
pub trait Rule: Copy + Eq + Hash + Debug + Send + Sync + 'static {
    /// Whether a legal move may capture.
    const CAPTURES: bool;

    /// The points where the side to move may put a stone, if nothing is captured yet. Given are
    /// the empty points where the stone would have a liberty, captures aside, and those where it
    /// would capture.
    fn legal(breathing: u64, captures: u64) -> u64;

    /// Why the stones of a diagram cannot stand so, if they cannot.
    fn problem(diagram: &Diagram) -> Option<String>;
}

/// A position of a game of stones. A move is the point of the new stone.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Placement<R> {
    pub(crate) stones: Stones,
    /// The legal moves, asked for at least twice in a position: is there one, and which? None
    /// after a capture, so that either way to lose looks the same.
    pub(crate) legal: u64,
    rule: PhantomData<R>,
}

impl<R: Rule> Placement<R> {
    /// The empty board.
    pub fn new(size: Size) -> Self {
        Placement::with_stones(Stones::new(size))
    }

    /// The board.
    pub fn size(&self) -> Size {
        self.stones.size()
    }

    /// Other stones under the same rules.
    fn with(&self, mut stones: Stones) -> Self {
        stones.misere = self.stones.misere;
        Placement::with_stones(stones)
    }

    fn with_stones(stones: Stones) -> Self {
        let [captured, _] = stones.breathless();
        let legal = legal::<R>(&stones, captured != 0);
        Placement { legal, stones, rule: PhantomData }
    }

    /// The side to move puts a stone on a legal point.
    #[inline(always)]
    fn place(&mut self, stone: u64) {
        let captures = R::CAPTURES && self.stones.captures() & stone != 0;
        self.stones.place(stone);
        self.legal = legal::<R>(&self.stones, captures);
    }

    /// The same position under misère rules: who would win loses.
    pub fn misere(mut self) -> Self {
        self.stones.misere = true;
        self
    }
}

/// The legal moves, now or after a capture.
#[inline(always)]
fn legal<R: Rule>(stones: &Stones, captured: bool) -> u64 {
    if captured { 0 } else { R::legal(stones.breathing(), stones.captures()) }
}

impl<R: Rule> Default for Placement<R> {
    /// The empty board of the paper `nmcs`, 5x5.
    fn default() -> Self {
        Placement::new(Size::FIVE)
    }
}

impl<R: Rule> Game for Placement<R> {
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
        self.place(m.bit());
    }

    #[inline(always)]
    fn outcome(&self) -> Option<Outcome> {
        (self.legal == 0).then(|| board::lost(self.to_move(), self.stones.misere))
    }

    #[inline(always)]
    fn random_move(&self, rng: &mut Rng) -> Square {
        Square(bits::select(self.legal, rng.below(self.legal.count_ones())) as u8)
    }

    #[inline(always)]
    fn play_random(&mut self, rng: &mut Rng) -> Square {
        let stone = bits::select_bit(self.legal, rng.below(self.legal.count_ones()));
        self.place(stone);
        Square(stone.trailing_zeros() as u8)
    }

    #[inline(always)]
    fn count_moves(&self) -> u64 {
        u64::from(self.legal.count_ones())
    }
}

impl<R: Rule> Hashed for Placement<R> {
    #[inline]
    fn key(&self) -> u64 {
        self.stones.key()
    }
}

impl<R: Rule> Repetition for Placement<R> {
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

impl<R: Rule> Notation for Placement<R> {
    fn parse_position(&self, text: &str) -> Result<Self, PositionError> {
        let diagram = Diagram::parse(text, Letters::BLACK_FIRST)?;
        match R::problem(&diagram) {
            Some(problem) => Err(PositionError::new(text, problem)),
            None => Ok(self.with(Stones::read(&diagram))),
        }
    }

    fn position_text(&self) -> String {
        self.stones.diagram().text(Letters::BLACK_FIRST)
    }

    fn move_text(&self, m: Square) -> String {
        m.to_string()
    }

    fn ending(&self) -> &'static str {
        let [captured, _] = self.stones.breathless();
        match self.outcome() {
            Some(_) if captured != 0 => "a capture",
            Some(_) => "no move left",
            None => "",
        }
    }

    fn parse_move(&self, text: &str) -> Result<Square, MoveError> {
        let point = self.stones.parse_point(text)?;
        if self.legal & point.bit() != 0 {
            return Ok(point);
        }
        let problem = if self.stones.breathless() != [0, 0] {
            "the game is over"
        } else if self.stones.captures() & point.bit() != 0 {
            "a capture is illegal"
        } else {
            "suicide is illegal"
        };
        Err(MoveError::new(text, problem))
    }
}

impl<R: Rule> Symmetric for Placement<R> {
    fn symmetries(&self) -> usize {
        self.size().symmetries()
    }

    fn transformed(&self, index: usize) -> Self {
        self.with(self.stones.transformed(index))
    }

    #[inline]
    fn transformed_key(&self, index: usize) -> u64 {
        self.stones.transformed_key(index)
    }

    fn transform_move(&self, m: Square, index: usize) -> Square {
        self.size().transform_square(m, index)
    }
}
