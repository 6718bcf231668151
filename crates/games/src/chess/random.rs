//! One random legal move, exactly uniform, without a list of legal moves.
//!
//! Candidates are counted as sets of target squares: one set for each kind of pawn move, one for
//! each other man. Checks and pins already bound the sets, so nearly every candidate is legal.
//! What is dear to verify, a move of the king or an en passant capture, is verified only when it
//! is drawn; an illegal candidate is thrown back and the draw repeated. Every legal move is a
//! candidate exactly once, so all are equally likely.

use cozy_chess::{
    BitBoard, Board, Color, Piece, Rank, Square, get_between_rays, get_bishop_moves,
    get_king_moves, get_knight_moves, get_line_rays, get_rook_moves,
};
use spinney_game::cpu::{self, Kernel};
use spinney_game::{Rng, bits};

use super::{Move, king_is_safe_on};
use crate::board::{FILE_A, FILE_H};

/// The first and the last rank, where pawns promote.
pub(super) const PROMOTION_RANKS: u64 = 0xff00_0000_0000_00ff;
/// What a pawn can become.
pub(super) const PROMOTIONS: [Piece; 4] = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];

/// The kinds of pawn moves: one step, two steps, captures towards the a-file and the h-file.
const PAWN_SETS: usize = 4;
/// Knights, bishops, rooks and queens: at most all men but the king.
const OFFICERS: usize = 15;

/// A legal move drawn exactly uniformly; there must be one.
#[inline]
pub(super) fn random_move(board: &Board, rng: &mut Rng) -> Move {
    cpu::run(Draw { board, rng })
}

struct Draw<'a> {
    board: &'a Board,
    rng: &'a mut Rng,
}

impl Kernel for Draw<'_> {
    type Output = Move;

    // Plain local variables throughout: gathered in a structure, they would not stay in registers.
    #[inline(always)]
    fn run(self) -> Move {
        let Draw { board, rng } = self;
        let us = board.side_to_move();
        let king = board.king(us);
        let own = board.colors(us).0;
        let occupied = board.occupied();
        let pinned = board.pinned();
        let checkers = board.checkers().0;

        // 1. Who may move where. In check by one man, others than the king must take it or step
        //    between, and the pinned cannot; in check by two, only the king moves.
        let mut movers = own;
        let mut targets = !own;
        if checkers != 0 {
            let checker = Square::index(checkers.trailing_zeros() as usize);
            targets &= get_between_rays(checker, king).0 | checkers;
            movers &= if checkers.is_power_of_two() { !pinned.0 } else { 0 };
        }
        let movers_of = |piece| BitBoard(movers) & board.pieces(piece);

        // 2. Candidates of knights, bishops, rooks and queens.
        let mut sets = [0; OFFICERS];
        let mut origins = [king; OFFICERS];
        let mut length = 0;
        let mut officer_moves = 0;
        let mut add = |square: Square, reach: BitBoard| {
            let line = if pinned.has(square) { get_line_rays(king, square).0 } else { !0 };
            let set = reach.0 & targets & line;
            officer_moves += set.count_ones();
            sets[length] = set;
            origins[length] = square;
            length += 1;
        };
        for square in movers_of(Piece::Knight) {
            add(square, get_knight_moves(square));
        }
        for square in movers_of(Piece::Bishop) {
            add(square, get_bishop_moves(square, occupied));
        }
        for square in movers_of(Piece::Rook) {
            add(square, get_rook_moves(square, occupied));
        }
        for square in movers_of(Piece::Queen) {
            add(square, get_bishop_moves(square, occupied) | get_rook_moves(square, occupied));
        }

        // 3. Candidates of the king and of pawns.
        let castling = if checkers == 0 { castling_targets(board, king) } else { 0 };
        let king_set = get_king_moves(king).0 & !own | castling;
        let king_moves = king_set.count_ones();
        let en_passant = board
            .en_passant()
            .map_or(0, |file| Square::new(file, Rank::Sixth.relative_to(us)).bitboard().0);
        let pawns = movers_of(Piece::Pawn);
        let forward = if us == Color::White { 8 } else { -8 };
        let pawn_sets = pawn_targets(board, pawns, forward, targets, en_passant);
        let pawn_moves: u32 = pawn_sets.iter().map(|&set| count_pawn_moves(set)).sum();

        // 4. Draw until the candidate is legal.
        let total = officer_moves + king_moves + pawn_moves;
        loop {
            let mut index = rng.below(total);
            if index < officer_moves {
                let mut officer = 0;
                while index >= sets[officer].count_ones() {
                    index -= sets[officer].count_ones();
                    officer += 1;
                }
                let to = Square::index(bits::select(sets[officer], index) as usize);
                return Move { from: origins[officer], to, promotion: None };
            }
            index -= officer_moves;
            if index < king_moves {
                let to = Square::index(bits::select(king_set, index) as usize);
                let m = Move { from: king, to, promotion: None };
                let castles = BitBoard(castling).has(to);
                let legal =
                    if castles { board.is_legal(m.into()) } else { king_is_safe_on(board, to) };
                if legal {
                    return m;
                }
            } else {
                let m = pawn_move(&pawn_sets, forward, index - king_moves);
                if !BitBoard(en_passant).has(m.to) || board.is_legal(m.into()) {
                    return m;
                }
            }
        }
    }
}

/// The target squares of the pawns for each kind of move, en passant captures unverified.
#[inline(always)]
fn pawn_targets(
    board: &Board,
    pawns: BitBoard,
    forward: i32,
    targets: u64,
    en_passant: u64,
) -> [u64; PAWN_SETS] {
    let us = board.side_to_move();
    // 1. A pinned pawn keeps to the line of the pin.
    let [mut steppers, mut westward, mut eastward] = [pawns.0; 3];
    for square in pawns & board.pinned() {
        let pawn = square.bitboard().0;
        let line = get_line_rays(board.king(us), square).0;
        let unless_on_line = |stride| if line & shifted(pawn, stride) == 0 { pawn } else { 0 };
        steppers ^= unless_on_line(forward);
        westward ^= unless_on_line(forward - 1);
        eastward ^= unless_on_line(forward + 1);
    }
    // 2. All pawns at once.
    let empty = !board.occupied().0;
    let prey = board.colors(!us).0 & targets | en_passant;
    let steps = shifted(steppers, forward) & empty;
    let third_rank = Rank::Third.relative_to(us).bitboard().0;
    [
        steps & targets,
        shifted(steps & third_rank, forward) & empty & targets,
        shifted(westward & !FILE_A, forward - 1) & prey,
        shifted(eastward & !FILE_H, forward + 1) & prey,
    ]
}

/// Moves of pawns to the squares of a set: a promotion is four moves.
#[inline(always)]
fn count_pawn_moves(set: u64) -> u32 {
    set.count_ones() + (PROMOTIONS.len() as u32 - 1) * (set & PROMOTION_RANKS).count_ones()
}

/// Move number `index` of the pawns.
#[inline(always)]
fn pawn_move(sets: &[u64; PAWN_SETS], forward: i32, mut index: u32) -> Move {
    let mut kind = 0;
    while index >= count_pawn_moves(sets[kind]) {
        index -= count_pawn_moves(sets[kind]);
        kind += 1;
    }
    // Promotions come first, four on each square.
    let promoting = sets[kind] & PROMOTION_RANKS;
    let promotions = PROMOTIONS.len() as u32 * promoting.count_ones();
    let (to, promotion) = if index < promotions {
        let [square, choice] = [index / 4, index % 4];
        (bits::select(promoting, square), Some(PROMOTIONS[choice as usize]))
    } else {
        (bits::select(sets[kind] ^ promoting, index - promotions), None)
    };
    let stride = [forward, 2 * forward, forward - 1, forward + 1][kind];
    let from = Square::index((to as i32 - stride) as usize);
    Move { from, to: Square::index(to as usize), promotion }
}

/// The rooks with which the king may castle as far as rights and empty squares go.
#[inline(always)]
fn castling_targets(board: &Board, king: Square) -> u64 {
    let us = board.side_to_move();
    let rights = board.castle_rights(us);
    let target = |file| {
        let rook = Square::new(file, Rank::First.relative_to(us));
        let way_is_free = get_between_rays(king, rook).is_disjoint(board.occupied());
        if way_is_free { rook.bitboard().0 } else { 0 }
    };
    rights.short.map_or(0, target) | rights.long.map_or(0, target)
}

/// The set moved by `stride` squares; what leaves the board beyond the first or last rank is lost.
#[inline(always)]
pub(super) fn shifted(set: u64, stride: i32) -> u64 {
    if stride >= 0 { set << stride } else { set >> -stride }
}
