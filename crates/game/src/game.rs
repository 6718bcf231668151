//! The game contract: a position that can list, play and judge.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::Not;

use crate::Rng;
use crate::cpu::{self, Kernel};

/// One of the two players. `First` moves first in the game's start position: Black in LOA, White
/// in chess.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// The player who moves first in the start position.
    First,
    /// The other player.
    Second,
}

impl Side {
    /// Both sides, in order of [`Side::index`].
    pub const BOTH: [Side; 2] = [Side::First, Side::Second];

    /// 0 for `First`, 1 for `Second`.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The other side.
    #[inline]
    pub const fn opponent(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }
}

impl Not for Side {
    type Output = Side;

    #[inline]
    fn not(self) -> Side {
        self.opponent()
    }
}

/// How a game ended. The winner is absolute, never relative to the mover: in LOA a move can lose
/// for the side that makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// This side won.
    Win(Side),
    /// Nobody won.
    Draw,
}

impl Outcome {
    /// The outcome as `side` sees it: 1 for its win, 0 for a draw, -1 for its loss.
    #[inline]
    pub fn score_for(self, side: Side) -> i32 {
        match self {
            Outcome::Win(winner) if winner == side => 1,
            Outcome::Win(_) => -1,
            Outcome::Draw => 0,
        }
    }

    /// The outcome as the first side sees it: 1, 0 or -1.
    #[inline]
    pub fn score_for_first(self) -> f32 {
        self.score_for(Side::First) as f32
    }

    /// The outcome of the same end under misère rules, where the winner loses.
    #[inline]
    pub fn misere(self) -> Outcome {
        match self {
            Outcome::Win(side) => Outcome::Win(!side),
            Outcome::Draw => Outcome::Draw,
        }
    }
}

/// A position of a two-player game of perfect information.
///
/// Invariants, checked by [`crate::conformance`]:
/// - a position without an [`outcome`](Game::outcome) has at least one legal move (a pass is a move);
/// - sides alternate: every [`play`](Game::play) hands the turn to the other side;
/// - [`legal_moves`](Game::legal_moves) appends distinct moves, in an order that depends on the
///   position alone.
///
/// Repetition is no part of a position: see [`crate::Repetition`].
pub trait Game: Clone + Eq + Debug + Send + Sync + 'static {
    /// A move. Cheap to copy; its meaning may depend on the position.
    type Move: Copy + Eq + Hash + Debug + Send + Sync + 'static;

    /// The side whose turn it is.
    fn to_move(&self) -> Side;

    /// Appends every legal move. In a finished game the result is unspecified.
    fn legal_moves(&self, moves: &mut Vec<Self::Move>);

    /// Plays a move. The caller guarantees that it is legal here.
    fn play(&mut self, m: Self::Move);

    /// The result, if the game is over: the only authority on the end, repetition aside.
    fn outcome(&self) -> Option<Outcome>;

    /// A legal move drawn exactly uniformly. The position must not be finished.
    fn random_move(&self, rng: &mut Rng) -> Self::Move;

    /// Plays a [`random_move`](Game::random_move) and tells which. Games override it where both
    /// together cost less.
    #[inline(always)]
    fn play_random(&mut self, rng: &mut Rng) -> Self::Move {
        let m = self.random_move(rng);
        self.play(m);
        m
    }

    /// The move as a number, so that search trees can keep it in an atomic word.
    fn pack(m: Self::Move) -> u32;

    /// The move that [`pack`](Game::pack) made a number of.
    fn unpack(number: u32) -> Self::Move;

    /// The number of legal moves.
    fn count_moves(&self) -> u64 {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        moves.len() as u64
    }

    /// The number of positions after exactly `plies` plies. A finished game is not expanded, a
    /// pass is a ply, repetition is ignored.
    fn perft(&self, plies: u32) -> u64 {
        perft(self, plies, &mut Vec::new())
    }
}

/// `moves` is a stack of lists: those above this node are as they were again afterwards.
fn perft<G: Game>(position: &G, plies: u32, moves: &mut Vec<G::Move>) -> u64 {
    if plies == 0 {
        return 1;
    }
    if position.outcome().is_some() {
        return 0;
    }
    if plies == 1 {
        return position.count_moves();
    }
    cpu::run(Expand { position, plies, moves })
}

/// The leaves below a position that is not finished, two plies or more above them.
struct Expand<'a, G: Game> {
    position: &'a G,
    plies: u32,
    moves: &'a mut Vec<G::Move>,
}

impl<G: Game> Kernel for Expand<'_, G> {
    type Output = u64;

    #[inline(always)]
    fn run(self) -> u64 {
        let Expand { position, plies, moves } = self;
        let start = moves.len();
        position.legal_moves(moves);
        let mut leaves = 0;
        for index in start..moves.len() {
            let mut child = position.clone();
            child.play(moves[index]);
            leaves += match plies {
                // Nearly all the work, so it is counted here, with the fast instructions.
                2 if child.outcome().is_some() => 0,
                2 => child.count_moves(),
                _ => perft(&child, plies - 1, moves),
            };
        }
        moves.truncate(start);
        leaves
    }
}

/// A position with a 64-bit key.
pub trait Hashed: Game {
    /// A hash of everything that decides the future of the game, repetition aside: the board, the
    /// side to move, rights. Equal positions have equal keys.
    fn key(&self) -> u64;

    /// Whether the two are one position to [`key`](Hashed::key): equal, up to counters that the
    /// key leaves out because they would hide repetitions (the 50-move counter of chess).
    fn same_position(&self, other: &Self) -> bool {
        self == other
    }
}
