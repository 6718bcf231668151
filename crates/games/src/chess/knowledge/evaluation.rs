//! The static evaluation: material, squares, mobility, the safety of the king and the structure of the
//! pawns, each for the middlegame and for the endgame, mixed by the men that are left.
//!
//! Published values: men and squares from PeSTO (see `tables.rs`); mobility, attacks on the king, the
//! pair of bishops and the worth of the turn from CPW-Engine (P. Koziol and E. Moshammer); the drive of
//! a bare king to the edge from Chess 4.x (D. Slate and L. Atkin). Values of pawns are guesses.

use std::ops::{Add, AddAssign, Mul, Sub};

use cozy_chess::{
    BitBoard, Board, Color, Piece, Square, get_bishop_moves, get_king_moves, get_knight_moves,
    get_rook_moves,
};
use spinney_game::cpu::{self, Kernel};

use super::super::Chess;
use super::tables::man_on;
use crate::board::{FILE_A, FILE_H};

/// A value for the middlegame and one for the endgame, in one number: the upper and the lower half.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tapered(i32);

impl Tapered {
    #[inline(always)]
    pub(super) const fn new(middlegame: i32, endgame: i32) -> Self {
        Tapered((middlegame << 16) + endgame)
    }

    #[inline(always)]
    pub(super) fn middlegame(self) -> i32 {
        // What the lower half borrowed from the upper, if it is negative, comes back.
        (self.0 + 0x8000) >> 16
    }

    #[inline(always)]
    fn endgame(self) -> i32 {
        i32::from(self.0 as i16)
    }

    /// The value for a phase of the game: the part of [`ALL_MEN`] that is on the board.
    #[inline(always)]
    fn mixed(self, phase: i32) -> i32 {
        let phase = phase.min(ALL_MEN);
        (self.middlegame() * phase + self.endgame() * (ALL_MEN - phase)) / ALL_MEN
    }
}

impl Add for Tapered {
    type Output = Tapered;

    #[inline(always)]
    fn add(self, other: Tapered) -> Tapered {
        Tapered(self.0 + other.0)
    }
}

impl AddAssign for Tapered {
    #[inline(always)]
    fn add_assign(&mut self, other: Tapered) {
        *self = *self + other;
    }
}

impl Sub for Tapered {
    type Output = Tapered;

    #[inline(always)]
    fn sub(self, other: Tapered) -> Tapered {
        Tapered(self.0 - other.0)
    }
}

impl Mul<i32> for Tapered {
    type Output = Tapered;

    #[inline(always)]
    fn mul(self, factor: i32) -> Tapered {
        Tapered(self.0 * factor)
    }
}

/// How much a man counts for the phase of the game, and all men of the start position (PeSTO).
const PHASE: [i32; Piece::NUM] = [0, 1, 1, 2, 4, 0];
const ALL_MEN: i32 = 24;

/// Men that move along lines or jump: what a square within reach is worth, the squares that a man is
/// expected to reach, and how heavy its attack on a square near the king is (CPW-Engine).
const OFFICERS: [(Piece, Tapered, i32, usize); 4] = [
    (Piece::Knight, Tapered::new(4, 4), 4, 2),
    (Piece::Bishop, Tapered::new(3, 3), 7, 2),
    (Piece::Rook, Tapered::new(2, 4), 7, 3),
    (Piece::Queen, Tapered::new(1, 2), 14, 4),
];

/// What the weight of all attacks near the king is worth (CPW-Engine, after Glaurung).
#[rustfmt::skip]
const ATTACK: [i32; 62] = [
      0,   0,   1,   2,   3,   5,   7,   9,  12,  15,  18,  22,  26,  30,  35,  39,  44,  50,  56,  62,
     68,  75,  82,  85,  89,  97, 105, 113, 122, 131, 140, 150, 169, 180, 191, 202, 213, 225, 237, 248,
    260, 272, 283, 295, 307, 319, 330, 342, 354, 366, 377, 389, 401, 412, 424, 436, 448, 459, 471, 483,
    494, 500,
];

/// CPW-Engine.
const BISHOP_PAIR: Tapered = Tapered::new(30, 30);
const TURN: i32 = 10;

/// Guesses. The tables have most of what a passed pawn is worth.
const PASSED: [Tapered; 8] = [
    Tapered::new(0, 0),
    Tapered::new(0, 5),
    Tapered::new(0, 10),
    Tapered::new(5, 20),
    Tapered::new(15, 35),
    Tapered::new(30, 55),
    Tapered::new(45, 70),
    Tapered::new(0, 0),
];
const DOUBLED: Tapered = Tapered::new(-6, -12);
const ISOLATED: Tapered = Tapered::new(-8, -8);

/// The static value for the side to move, in centipawns.
#[inline]
pub fn evaluate(position: &Chess) -> i32 {
    cpu::run(Evaluate { position })
}

struct Evaluate<'a> {
    position: &'a Chess,
}

impl Kernel for Evaluate<'_> {
    type Output = i32;

    #[inline(always)]
    fn run(self) -> i32 {
        let Evaluate { position } = self;
        if position.material_is_insufficient() {
            return 0;
        }
        let board = position.board();
        let (us, them) = (board.side_to_move(), !board.side_to_move());
        let (ours, our_phase) = side(board, us);
        let (theirs, their_phase) = side(board, them);
        let value = (ours - theirs).mixed(our_phase + their_phase) + TURN;
        value + drive(board, us) - drive(board, them)
    }
}

/// What one side has, and what its men count for the phase.
#[inline(always)]
fn side(board: &Board, color: Color) -> (Tapered, i32) {
    let (own, occupied) = (board.colors(color), board.occupied());
    let pawns = board.colored_pieces(color, Piece::Pawn);
    let enemy_pawns = board.colored_pieces(!color, Piece::Pawn);
    // 1. Pawns and the king on their squares.
    let king = board.king(color);
    let mut value = man_on(Piece::King, color, king) + structure(color, pawns, enemy_pawns);
    for square in pawns {
        value += man_on(Piece::Pawn, color, square);
    }
    // 2. The other men, what they reach and what they attack near the enemy king.
    let near_king = king_zone(board.king(!color), !color);
    let room = !own & !pawn_attacks(!color, enemy_pawns);
    let (mut phase, mut attackers, mut weight) = (0, 0, 0);
    for (piece, mobility, expected, attack) in OFFICERS {
        for square in own & board.pieces(piece) {
            let reach = match piece {
                Piece::Knight => get_knight_moves(square),
                Piece::Bishop => get_bishop_moves(square, occupied),
                Piece::Rook => get_rook_moves(square, occupied),
                _ => get_bishop_moves(square, occupied) | get_rook_moves(square, occupied),
            };
            value += man_on(piece, color, square);
            value += mobility * ((reach & room).len() as i32 - expected);
            phase += PHASE[piece as usize];
            let attacked = (reach & near_king).len() as usize;
            attackers += usize::from(attacked > 0);
            weight += attack * attacked;
        }
    }
    // 3. One man alone, or an attack without the queen, is no danger.
    if attackers >= 2 && !board.colored_pieces(color, Piece::Queen).is_empty() {
        value += Tapered::new(ATTACK[weight.min(ATTACK.len() - 1)], 0);
    }
    if board.colored_pieces(color, Piece::Bishop).len() >= 2 {
        value += BISHOP_PAIR;
    }
    (value, phase)
}

/// The squares around a king, and those beyond them towards the enemy.
#[inline(always)]
fn king_zone(king: Square, color: Color) -> BitBoard {
    let around = get_king_moves(king) | king.bitboard();
    around | BitBoard(forward(color, around.0))
}

/// A set moved one rank ahead.
#[inline(always)]
fn forward(color: Color, set: u64) -> u64 {
    match color {
        Color::White => set << 8,
        Color::Black => set >> 8,
    }
}

/// The squares that pawns of a side attack.
#[inline(always)]
fn pawn_attacks(color: Color, pawns: BitBoard) -> BitBoard {
    BitBoard(beside(forward(color, pawns.0)))
}

/// The squares to the left and to the right of a set.
#[inline(always)]
fn beside(set: u64) -> u64 {
    (set & !FILE_A) >> 1 | (set & !FILE_H) << 1
}

/// Doubled, isolated and passed pawns.
#[inline(always)]
fn structure(color: Color, pawns: BitBoard, enemy_pawns: BitBoard) -> Tapered {
    // 1. A pawn behind another is doubled; without one on the next files it is isolated.
    let rear = pawns.0 & fill(!color, forward(!color, pawns.0));
    let files = fill(Color::White, fill(Color::Black, pawns.0));
    let isolated = pawns.0 & !beside(files);
    // 2. The foremost pawn of a file is passed if no enemy pawn is ahead of it, there or beside.
    let enemy_ahead = fill(!color, forward(!color, enemy_pawns.0));
    let passed = pawns.0 & !rear & !(enemy_ahead | beside(enemy_ahead));
    let count = |set: u64| set.count_ones() as i32;
    let mut value = DOUBLED * count(rear) + ISOLATED * count(isolated);
    for square in BitBoard(passed) {
        value += PASSED[square.relative_to(color).rank() as usize];
    }
    value
}

/// A set and all squares ahead of it.
#[inline(always)]
fn fill(color: Color, mut set: u64) -> u64 {
    match color {
        Color::White => {
            set |= set << 8;
            set |= set << 16;
            set | set << 32
        }
        Color::Black => {
            set |= set >> 8;
            set |= set >> 16;
            set | set >> 32
        }
    }
}

/// Against a bare king: driving it to the edge, and our king near it. 4.7 for each step of the enemy
/// king from the centre and 1.6 for each step the kings are nearer than 14 (Chess 4.x).
#[inline(always)]
fn drive(board: &Board, color: Color) -> i32 {
    if board.colors(!color).len() > 1 {
        return 0;
    }
    let (king, enemy) = (board.king(color), board.king(!color));
    let from_centre = |line: usize| line.abs_diff(3).min(line.abs_diff(4)) as i32;
    let (file, rank) = (enemy.file() as usize, enemy.rank() as usize);
    let edge = from_centre(file) + from_centre(rank);
    let steps = file.abs_diff(king.file() as usize) + rank.abs_diff(king.rank() as usize);
    (47 * edge + 16 * (14 - steps as i32)) / 10
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tapered_value_keeps_both_halves() {
        for (middlegame, endgame) in [(0, 0), (5, -7), (-5, 7), (-300, -1), (1200, -1200)] {
            let value = Tapered::new(middlegame, endgame);
            assert_eq!((value.middlegame(), value.endgame()), (middlegame, endgame));
            let more = value * -3 + Tapered::new(1, 2) - Tapered::new(4, 8);
            assert_eq!(
                (more.middlegame(), more.endgame()),
                (-3 * middlegame - 3, -3 * endgame - 6)
            );
        }
        assert_eq!(Tapered::new(100, 0).mixed(ALL_MEN), 100);
        assert_eq!(Tapered::new(100, 0).mixed(0), 0);
    }
}
