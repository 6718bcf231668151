//! The game contract: a position that can list, play and judge.

use std::fmt::Debug;
use std::hash::{Hash, Hasher};
use std::ops::Not;

use crate::cpu::{self, Kernel};
use crate::{Notation, Playout, Repetition, Rng, Symmetric};

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

/// A move as a number: see [`Move`].
pub type PackedMove = u32;

/// A move: cheap to copy, and a number for those who do not know its type. Search trees keep the
/// number in an atomic word; everything above the searches knows moves by their numbers only.
pub trait Move: Copy + Eq + Hash + Debug + Send + Sync + 'static {
    /// The move as a number.
    fn pack(self) -> PackedMove;

    /// The move that [`pack`](Move::pack) made a number of. Other numbers give any move.
    fn unpack(number: PackedMove) -> Self;
}

macro_rules! moves_that_are_numbers {
    ($($number:ty),*) => {$(
        impl Move for $number {
            #[inline]
            fn pack(self) -> PackedMove {
                self.into()
            }

            #[inline]
            fn unpack(number: PackedMove) -> Self {
                number as $number
            }
        }
    )*};
}
moves_that_are_numbers!(u8, u16, u32);

/// A position of a two-player game of perfect information.
///
/// Invariants, checked by [`crate::conformance`]:
/// - a position without an [`outcome`](Game::outcome) has at least one legal move (a pass is a move);
/// - sides alternate: every [`play`](Game::play) hands the turn to the other side;
/// - [`legal_moves`](Game::legal_moves) appends distinct moves, in an order that depends on the
///   position alone.
///
/// Repetition is no part of a position: see [`crate::Repetition`].
pub trait Game: Clone + Eq + Hash + Debug + Send + Sync + 'static {
    /// A move. Its meaning may depend on the position.
    type Move: Move;

    /// The side whose turn it is.
    fn to_move(&self) -> Side;

    /// Appends every legal move. In a finished game the result is unspecified.
    fn legal_moves(&self, moves: &mut Vec<Self::Move>);

    /// Plays a move. The caller guarantees that it is legal here.
    fn play(&mut self, m: Self::Move);

    /// The result, if the game is over: the only authority on the end, repetition aside.
    fn outcome(&self) -> Option<Outcome>;

    /// A legal move drawn exactly uniformly. The position must not be finished. Games override it
    /// where they can draw without a list.
    ///
    /// # Panics
    /// In a finished position without moves, as the default does.
    fn random_move(&self, rng: &mut Rng) -> Self::Move {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        moves[rng.below(moves.len() as u32) as usize]
    }

    /// Plays a [`random_move`](Game::random_move) and tells which. Games override it where both
    /// together cost less.
    #[inline(always)]
    fn play_random(&mut self, rng: &mut Rng) -> Self::Move {
        let m = self.random_move(rng);
        self.play(m);
        m
    }

    /// A uniformly random playout from here, in games that have a faster way to it than move by move;
    /// `None`, the default, in others. After `max_plies` it has no outcome.
    #[inline(always)]
    fn whole_playout(&self, _max_plies: u32, _rng: &mut Rng) -> Option<Playout> {
        None
    }

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
    /// side to move, rights. Equal positions have equal keys. By default the hash of the position,
    /// the same on every machine with little-endian numbers: lists of numbers are hashed by their
    /// bytes.
    fn key(&self) -> u64 {
        let mut hasher = KeyHasher::default();
        self.hash(&mut hasher);
        hasher.finish()
    }

    /// Whether the two are one position to [`key`](Hashed::key): equal, up to counters that the
    /// key leaves out because they would hide repetitions (the 50-move counter of chess).
    fn same_position(&self, other: &Self) -> bool {
        self == other
    }
}

/// Everything that searches, players and front ends ask of a game.
pub trait Playable: Repetition + Notation + Symmetric {}

impl<G: Repetition + Notation + Symmetric> Playable for G {}

/// The hasher of the default [`Hashed::key`]: one multiplication per word, folded to 64 bits
/// (wyhash, Wang Yi 2019).
#[derive(Default)]
pub(crate) struct KeyHasher(u64);

impl KeyHasher {
    fn mix(&mut self, word: u64) {
        const SECRETS: [u64; 2] = [0xa076_1d64_78bd_642f, 0xe703_7ed1_a0b4_28db];
        let product = u128::from(self.0 ^ word ^ SECRETS[0]) * u128::from(SECRETS[1]);
        self.0 = product as u64 ^ (product >> 64) as u64;
    }
}

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        let mut last = KeyHasher(self.0);
        last.mix(0);
        last.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.mix(u64::from_le_bytes(word));
        }
        self.mix(bytes.len() as u64);
    }

    // Numbers as such: their bytes differ between machines.
    fn write_u8(&mut self, number: u8) {
        self.mix(number.into());
    }

    fn write_u16(&mut self, number: u16) {
        self.mix(number.into());
    }

    fn write_u32(&mut self, number: u32) {
        self.mix(number.into());
    }

    fn write_u64(&mut self, number: u64) {
        self.mix(number);
    }

    fn write_u128(&mut self, number: u128) {
        self.mix(number as u64);
        self.mix((number >> 64) as u64);
    }

    fn write_usize(&mut self, number: usize) {
        self.mix(number as u64);
    }

    fn write_isize(&mut self, number: isize) {
        self.mix(number as u64);
    }
}
