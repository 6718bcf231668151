//! Moves that matter at once: those of a quiescence search, the best exchange, and how promising each
//! move looks.

use cozy_chess::{
    BitBoard, Board, Color, Piece, PieceMoves, Rank, Square, get_bishop_moves, get_king_moves,
    get_knight_moves, get_pawn_attacks, get_rook_moves,
};
use spinney_game::Move as _;

use super::super::{Chess, Move, attackers};
use super::exchange::{exchange, man_value};
use super::tables::man_on;

/// Appends captures that lose nothing and promotions to a queen, each with its prize in centipawns,
/// the greatest prize and then the least man first; in check, all legal moves. Captures are finite, and
/// a check in a sequence of them comes from a capture, so every sequence ends.
pub fn tactical_moves(position: &Chess, moves: &mut Vec<(Move, i32)>) {
    let board = position.board();
    let in_check = !board.checkers().is_empty();
    let start = moves.len();
    board.generate_moves(|piece_moves| {
        let targets =
            if in_check { !BitBoard::EMPTY } else { tactical_targets(board, &piece_moves) };
        let tactical = PieceMoves { to: piece_moves.to & targets, ..piece_moves };
        for m in tactical.into_iter().map(Move::from) {
            let prize = prize(board, piece_moves.piece, m);
            let becomes_less = m.promotion.is_some_and(|piece| piece != Piece::Queen);
            // Winning as much as is put at stake cannot lose.
            let at_stake = man_value(m.promotion.unwrap_or(piece_moves.piece));
            let is_sound =
                in_check || !becomes_less && (prize >= at_stake || exchange(board, m) >= 0);
            if is_sound {
                moves.push((m, prize));
            }
        }
        false
    });
    let rank = |&(m, prize): &(Move, i32)| {
        -16 * prize + board.piece_on(m.from).map_or(0, |piece| piece as i32)
    };
    moves[start..].sort_unstable_by_key(|entry| (rank(entry), entry.0.pack()));
}

/// The squares where a man takes something or promotes.
#[inline(always)]
fn tactical_targets(board: &Board, moves: &PieceMoves) -> BitBoard {
    let us = board.side_to_move();
    let enemy = board.colors(!us);
    if moves.piece != Piece::Pawn {
        return enemy;
    }
    let en_passant = board.en_passant().map_or(BitBoard::EMPTY, |file| {
        let to = Square::new(file, Rank::Sixth.relative_to(us));
        if moves.from.file() == file { BitBoard::EMPTY } else { to.bitboard() }
    });
    enemy | en_passant | Rank::Eighth.relative_to(us).bitboard()
}

/// What a move wins if nothing is taken back.
#[inline(always)]
fn prize(board: &Board, piece: Piece, m: Move) -> i32 {
    let us = board.side_to_move();
    let taken = match board.piece_on(m.to) {
        Some(victim) if board.colors(!us).has(m.to) => man_value(victim),
        None if piece == Piece::Pawn && m.from.file() != m.to.file() => man_value(Piece::Pawn),
        _ => 0,
    };
    taken + m.promotion.map_or(0, |becomes| man_value(becomes) - man_value(Piece::Pawn))
}

/// The first of the legal moves with the highest [`exchange`]; `None` without a legal move.
pub fn best_exchange(position: &Chess) -> Option<Move> {
    let board = position.board();
    let mut best = None;
    let mut best_gain = i32::MIN;
    board.generate_moves(|piece_moves| {
        for m in piece_moves.into_iter().map(Move::from) {
            // An exchange gains no more than its first prize.
            if prize(board, piece_moves.piece, m) > best_gain {
                let gain = exchange(board, m);
                if gain > best_gain {
                    (best, best_gain) = (Some(m), gain);
                }
            }
        }
        false
    });
    best
}

/// What a check may be worth. Guess.
const CHECK: i32 = 50;

/// Appends, for each of the legal moves, how promising it looks, in centipawns: what its exchange gains,
/// what it saves from being taken, better squares, and something for a check.
pub fn promises(position: &Chess, moves: &[Move], promises: &mut Vec<i32>) {
    let board = position.board();
    let us = board.side_to_move();
    let danger = attacked_squares(board, !us);
    let (king, occupied) = (board.king(!us), board.occupied());
    let diagonals = get_bishop_moves(king, occupied);
    let straights = get_rook_moves(king, occupied);
    let mut saved = (None, 0);
    for &m in moves {
        let Some(piece) = board.piece_on(m.from) else { continue };
        let mut promise = prize(board, piece, m);
        if danger.has(m.to) {
            promise = exchange(board, m);
        }
        if saved.0 != Some(m.from) {
            let at_risk = if danger.has(m.from) { risk(board, m.from, piece) } else { 0 };
            saved = (Some(m.from), at_risk);
        }
        promise += saved.1;
        let castles = board.colors(us).has(m.to);
        if !castles {
            let (to, from) = (man_on(piece, us, m.to), man_on(piece, us, m.from));
            promise += (to - from).middlegame();
        }
        let checks = match m.promotion.unwrap_or(piece) {
            Piece::Pawn => get_pawn_attacks(king, !us).has(m.to),
            Piece::Knight => get_knight_moves(king).has(m.to),
            Piece::Bishop => diagonals.has(m.to),
            Piece::Rook => straights.has(m.to),
            Piece::Queen => (diagonals | straights).has(m.to),
            Piece::King => false,
        };
        promises.push(promise + if checks { CHECK } else { 0 });
    }
}

/// What the side to move may lose on a square that the enemy attacks.
fn risk(board: &Board, square: Square, piece: Piece) -> i32 {
    let us = board.side_to_move();
    if piece == Piece::King {
        return 0;
    }
    let occupied = board.occupied();
    let enemies = attackers(board, square, !us, occupied);
    let least = Piece::ALL.iter().find(|&&piece| !enemies.is_disjoint(board.pieces(piece)));
    let Some(&least) = least else { return 0 };
    if attackers(board, square, us, occupied).is_empty() {
        return man_value(piece);
    }
    (man_value(piece) - man_value(least)).max(0)
}

/// Every square that a side attacks.
fn attacked_squares(board: &Board, side: Color) -> BitBoard {
    let occupied = board.occupied();
    let men = |piece| board.colored_pieces(side, piece);
    let queens = men(Piece::Queen);
    let mut attacked = get_king_moves(board.king(side));
    for square in men(Piece::Pawn) {
        attacked |= get_pawn_attacks(square, side);
    }
    for square in men(Piece::Knight) {
        attacked |= get_knight_moves(square);
    }
    for square in men(Piece::Bishop) | queens {
        attacked |= get_bishop_moves(square, occupied);
    }
    for square in men(Piece::Rook) | queens {
        attacked |= get_rook_moves(square, occupied);
    }
    attacked
}
