//! Static exchange evaluation (paper `mcc`, 2.3): what a move gains in material if afterwards both
//! sides only capture on its target square, each as long as it pays and always with the least
//! valuable man.
//!
//! *Deviations* from the rules of chess, as usual: pins do not count, and a pawn that recaptures on
//! the last rank does not promote. A king never captures what is still defended.

use cozy_chess::{BitBoard, Board, Piece, Rank, Square, get_bishop_moves, get_rook_moves};

use super::super::{Move, attackers};

/// Values of the Simplified Evaluation Function (T. Michniewski), in centipawns. That of the king is
/// beyond any sum of others.
const VALUES: [i32; Piece::NUM] = [100, 320, 330, 500, 900, 20_000];

/// What a man is worth in an exchange, in centipawns.
#[inline(always)]
pub fn man_value(piece: Piece) -> i32 {
    VALUES[piece as usize]
}

/// The most captures on one square: every man of both sides but the one that stands there.
const LONGEST: usize = 32;

/// What a legal move gains for its mover, in centipawns. At most 0 if it takes nothing and does not
/// promote.
#[inline]
pub fn exchange(board: &Board, m: Move) -> i32 {
    let us = board.side_to_move();
    // 1. The move itself. Castling, the king taking its own rook, exchanges nothing.
    if board.colors(us).has(m.to) {
        return 0;
    }
    let Some(mover) = board.piece_on(m.from) else { return 0 };
    let mut occupied = board.occupied() ^ m.from.bitboard();
    let mut gains = [0; LONGEST];
    if let Some(victim) = board.piece_on(m.to) {
        gains[0] = man_value(victim);
    } else if mover == Piece::Pawn && m.from.file() != m.to.file() {
        gains[0] = man_value(Piece::Pawn);
        occupied ^= Square::new(m.to.file(), Rank::Fifth.relative_to(us)).bitboard();
    }
    let mut at_stake = man_value(m.promotion.unwrap_or(mover));
    gains[0] += at_stake - man_value(mover);
    // 2. Captures by turns. What a man uncovers joins in.
    let lines = Lines::new(board, m.to);
    let mut side = !us;
    let both = attackers(board, m.to, us, occupied) | attackers(board, m.to, side, occupied);
    let mut open = both & occupied;
    let mut captures = 0;
    while let Some((piece, square)) = least_valuable(board, open & board.colors(side)) {
        occupied ^= square.bitboard();
        open = (open | lines.uncovered(occupied)) & occupied;
        if piece == Piece::King && !open.is_disjoint(board.colors(!side)) {
            break;
        }
        captures += 1;
        gains[captures] = at_stake - gains[captures - 1];
        at_stake = man_value(piece);
        side = !side;
    }
    // 3. From the end: who captures could have stopped before.
    while captures > 0 {
        gains[captures - 1] = -gains[captures].max(-gains[captures - 1]);
        captures -= 1;
    }
    gains[0]
}

/// The men of both sides that move along lines, seen from a square.
struct Lines {
    to: Square,
    diagonal: BitBoard,
    straight: BitBoard,
}

impl Lines {
    #[inline(always)]
    fn new(board: &Board, to: Square) -> Self {
        let queens = board.pieces(Piece::Queen);
        Lines {
            to,
            diagonal: board.pieces(Piece::Bishop) | queens,
            straight: board.pieces(Piece::Rook) | queens,
        }
    }

    /// Those of them that attack the square.
    #[inline(always)]
    fn uncovered(&self, occupied: BitBoard) -> BitBoard {
        get_bishop_moves(self.to, occupied) & self.diagonal
            | get_rook_moves(self.to, occupied) & self.straight
    }
}

/// The least valuable man of a set.
#[inline(always)]
fn least_valuable(board: &Board, men: BitBoard) -> Option<(Piece, Square)> {
    if men.is_empty() {
        return None;
    }
    Piece::ALL.iter().find_map(|&piece| {
        let square = (men & board.pieces(piece)).next_square()?;
        Some((piece, square))
    })
}
