//! What Breakthrough and Knightthrough share: a race of men to the far rank.
//!
//! The games differ in the steps of a man alone, a [`Gait`]. White is the first side and moves up
//! the ranks; Black's steps are White's mirrored. White wins on the last rank, Black on the first;
//! a player without men, or without a legal move, loses.
//!
//! Only the side that has just moved can have won: it alone can have reached the far rank, and it
//! alone can have taken the last man. Positions read from text are held to that, so the outcome
//! costs two tests a ply.

use std::fmt::Debug;
use std::hash::Hash;
use std::hint::select_unpredictable;
use std::marker::PhantomData;

use spinney_game::{
    Game, Hashed, MoveError, Notation, Outcome, PositionError, Repetition, Rng, Side, Symmetric,
    bits,
};

pub use crate::board::Move;
use crate::board::{self, Diagram, FILE_A, Letters, Size, Square, squares, with_constant_side};

/// One way for a man of the first side to move.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Files to the right, from -7 to 7.
    pub files: i8,
    /// Ranks ahead, from 1 to 7.
    pub ranks: i8,
    /// Whether it may end on a man of the opponent. None ends on a man of its own side.
    pub captures: bool,
}

impl Step {
    /// Bits from the origin to the target, up for the first side and down for the second.
    #[inline]
    const fn distance(self, side: Side) -> u32 {
        match side {
            Side::First => (8 * self.ranks + self.files) as u32,
            Side::Second => (8 * self.ranks - self.files) as u32,
        }
    }

    /// Where the step takes the men of a side, squares beyond a narrow board included.
    #[inline]
    const fn targets(self, men: u64, side: Side) -> u64 {
        // Files that the step does not carry past the file a or h.
        let files = match self.files {
            0.. => 0xff_u64 >> self.files,
            _ => (0xff << -self.files) & 0xff,
        };
        let men = men & (files * FILE_A);
        match side {
            Side::First => men << self.distance(side),
            Side::Second => men >> self.distance(side),
        }
    }

    /// The origin of the step to a square.
    #[inline]
    const fn origin(self, to: Square, side: Side) -> Square {
        match side {
            Side::First => Square(to.0 - self.distance(side) as u8),
            Side::Second => Square(to.0 + self.distance(side) as u8),
        }
    }
}

/// How men move: what tells one race from another.
pub trait Gait: Copy + Eq + Hash + Debug + Send + Sync + 'static {
    /// The steps, at most [`MAX_STEPS`].
    const STEPS: &'static [Step];

    /// From this number of files on, an unfinished game always has a move.
    const FREE_WIDTH: u8;

    /// Whether a man one rank short of the goal always reaches it, and men meet as those of
    /// Breakthrough do.
    const WALKS: bool;
}

/// The most steps that a gait has.
pub const MAX_STEPS: usize = 4;

/// A position of a race.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Race<G> {
    men: [u64; 2],
    size: Size,
    to_move: Side,
    pub(crate) misere: bool,
    gait: PhantomData<G>,
}

impl<G: Gait> Race<G> {
    /// The starting position on a board of this size.
    pub fn new(size: Size) -> Self {
        let rows = if size.height() >= 5 { 2 } else { 1 };
        let white = (0..rows).fold(0, |men, rank| men | size.first_rank() << (8 * rank));
        let black = size.transform_set(white, 2);
        Race { men: [white, black], size, to_move: Side::First, misere: false, gait: PhantomData }
    }

    /// The same position under misère rules: who would win loses.
    pub fn misere(self) -> Self {
        Race { misere: true, ..self }
    }

    /// The board.
    #[inline]
    pub fn size(&self) -> Size {
        self.size
    }

    /// The squares of the men of a side.
    #[inline]
    pub fn men(&self, side: Side) -> u64 {
        self.men[side.index()]
    }

    /// The squares where a side wins.
    #[inline]
    pub(crate) fn goal(&self, side: Side) -> u64 {
        match side {
            Side::First => self.size.last_rank(),
            Side::Second => self.size.first_rank(),
        }
    }

    /// The squares that `side`, whose turn it is, can go to by each step.
    #[inline(always)]
    pub(crate) fn targets(&self, side: Side) -> [u64; MAX_STEPS] {
        let own = self.men[side.index()];
        let opposing = self.men[side.opponent().index()];
        let not_own = self.size.squares() & !own;
        let empty = not_own & !opposing;
        let mut targets = [0; MAX_STEPS];
        for (targets, step) in targets.iter_mut().zip(G::STEPS) {
            *targets = step.targets(own, side) & if step.captures { not_own } else { empty };
        }
        targets
    }

    /// A legal move of `side`, whose turn it is, exactly uniformly: one number below the count of
    /// all moves, which tells the step and the target among those of the step.
    #[inline(always)]
    fn random_move_of(&self, side: Side, rng: &mut Rng) -> Move {
        let targets = self.targets(side);
        // 1. Where the numbers of each step's moves end.
        let mut ends = [0; MAX_STEPS];
        let mut total = 0;
        for (end, targets) in ends.iter_mut().zip(targets) {
            total += targets.count_ones();
            *end = total;
        }
        // 2. The step of a random number. Nothing predicts it, so no branch may depend on it.
        let index = rng.below(total);
        let (mut set, mut before, mut distance) = (targets[0], 0, G::STEPS[0].distance(side));
        for (number, step) in G::STEPS.iter().enumerate().skip(1) {
            let beyond = index >= ends[number - 1];
            set = select_unpredictable(beyond, targets[number], set);
            before = select_unpredictable(beyond, ends[number - 1], before);
            distance = select_unpredictable(beyond, step.distance(side), distance);
        }
        // 3. The move.
        let to = bits::select(set, index - before);
        let from = match side {
            Side::First => to - distance,
            Side::Second => to + distance,
        };
        Move { from: Square(from as u8), to: Square(to as u8) }
    }
}

impl<G: Gait> Race<G> {
    #[inline(always)]
    fn play_of(&mut self, side: Side, m: Move) {
        self.men[side.index()] ^= m.from.bit() | m.to.bit();
        self.men[side.opponent().index()] &= !m.to.bit();
        self.to_move = !side;
    }

    #[inline(always)]
    fn play_random_of(&mut self, side: Side, rng: &mut Rng) -> Move {
        let m = self.random_move_of(side, rng);
        self.play_of(side, m);
        m
    }
}

impl<G: Gait> Default for Race<G> {
    fn default() -> Self {
        Race::new(Size::FIVE)
    }
}

impl<G: Gait> Game for Race<G> {
    type Move = Move;

    #[inline]
    fn to_move(&self) -> Side {
        self.to_move
    }

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        let side = self.to_move;
        for (step, targets) in G::STEPS.iter().zip(self.targets(side)) {
            moves.extend(squares(targets).map(|to| Move { from: step.origin(to, side), to }));
        }
    }

    #[inline(always)]
    fn play(&mut self, m: Move) {
        match self.to_move {
            Side::First => self.play_of(Side::First, m),
            Side::Second => self.play_of(Side::Second, m),
        }
    }

    #[inline(always)]
    fn outcome(&self) -> Option<Outcome> {
        with_constant_side(self.to_move, |side| {
            let over = self.men(!side) & self.goal(!side) != 0
                || self.men(side) == 0
                || (self.size.width() < G::FREE_WIDTH && self.targets(side) == [0; MAX_STEPS]);
            over.then(|| board::lost(side, self.misere))
        })
    }

    #[inline(always)]
    fn random_move(&self, rng: &mut Rng) -> Move {
        // Not `with_constant_side`: a closure is not always inlined.
        match self.to_move {
            Side::First => self.random_move_of(Side::First, rng),
            Side::Second => self.random_move_of(Side::Second, rng),
        }
    }

    #[inline(always)]
    fn play_random(&mut self, rng: &mut Rng) -> Move {
        match self.to_move {
            Side::First => self.play_random_of(Side::First, rng),
            Side::Second => self.play_random_of(Side::Second, rng),
        }
    }

    #[inline(always)]
    fn count_moves(&self) -> u64 {
        let targets = with_constant_side(self.to_move, |side| self.targets(side));
        targets.iter().map(|targets| u64::from(targets.count_ones())).sum()
    }
}

impl<G: Gait> Hashed for Race<G> {
    #[inline]
    fn key(&self) -> u64 {
        board::key(self.men, self.to_move)
    }
}

impl<G: Gait> Repetition for Race<G> {
    /// Men only go forward: nothing repeats.
    #[inline]
    fn drawn_at(&self) -> Option<u32> {
        None
    }

    #[inline]
    fn is_irreversible(&self, _: Move) -> bool {
        true
    }
}

impl<G: Gait> Notation for Race<G> {
    fn parse_position(&self, text: &str) -> Result<Self, PositionError> {
        const NAMES: [&str; 2] = ["White", "Black"];
        let error = |problem: String| Err(PositionError::new(text, problem));
        let Diagram { size, men, to_move } = Diagram::parse(text, Letters::WHITE_FIRST)?;
        let position = Race { men, size, to_move, ..*self };
        let [own, opposing] = [to_move, !to_move].map(|side| NAMES[side.index()]);
        if position.men(!to_move) == 0 {
            return error(format!("{opposing} has no men, so it cannot be {own}'s turn"));
        }
        if position.men(to_move) & position.goal(to_move) != 0 {
            return error(format!(
                "{own} is on the far rank already, so it cannot be {own}'s turn"
            ));
        }
        Ok(position)
    }

    fn position_text(&self) -> String {
        let Race { men, size, to_move, .. } = *self;
        Diagram { size, men, to_move }.text(Letters::WHITE_FIRST)
    }

    fn move_text(&self, m: Move) -> String {
        let captures = self.men(!self.to_move) & m.to.bit() != 0;
        format!("{}{}{}", m.from, if captures { 'x' } else { '-' }, m.to)
    }

    fn ending(&self) -> &'static str {
        let side = self.to_move;
        if self.outcome().is_none() {
            ""
        } else if self.men(!side) & self.goal(!side) != 0 {
            "the far rank reached"
        } else if self.men(side) == 0 {
            "all men taken"
        } else {
            "no move left"
        }
    }

    fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        let (from, to) = board::parse_two_squares(text)
            .ok_or_else(|| MoveError::new(text, "expected two squares, such as a2-a3 or a2xb3"))?;
        let mut moves = Vec::new();
        if self.outcome().is_none() {
            self.legal_moves(&mut moves);
        }
        let m = Move { from, to };
        if moves.contains(&m) { Ok(m) } else { Err(MoveError::new(text, "not a legal move here")) }
    }
}

/// The mirror of the files.
impl<G: Gait> Symmetric for Race<G> {
    fn symmetries(&self) -> usize {
        2
    }

    fn transformed(&self, index: usize) -> Self {
        Race { men: self.men.map(|men| self.size.transform_set(men, index)), ..*self }
    }

    fn transform_move(&self, m: Move, index: usize) -> Move {
        let [from, to] = [m.from, m.to].map(|square| self.size.transform_square(square, index));
        Move { from, to }
    }
}
