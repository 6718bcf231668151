//! Mate in one, without making every move: the decisive moves of paper `mcc`, 4.2.1.
//!
//! Only a check can mate. The squares from which each kind of man would give check are known at once,
//! and so are the men that would uncover a check. Of these few moves, those that leave the king a
//! square to flee to are thrown out without making them; the rest, hardly ever more than one, are
//! made.

use cozy_chess::{
    BitBoard, Board, Color, File, Piece, Rank, Square, get_between_rays, get_bishop_moves,
    get_king_moves, get_knight_moves, get_pawn_attacks, get_rook_moves,
};
use spinney_game::Game;

use super::super::{Chess, Move, attackers};

/// A move that mates at once, if there is one; which of several depends on the position alone.
#[inline]
pub fn mate_in_one(position: &Chess) -> Option<Move> {
    let hunt = Hunt::new(position);
    hunt.by_officers()
        .or_else(|| hunt.by_pawns())
        .or_else(|| hunt.by_uncovering())
        .or_else(|| hunt.by_castling())
}

/// A look for mate.
struct Hunt<'a> {
    position: &'a Chess,
    board: &'a Board,
    own: BitBoard,
    occupied: BitBoard,
    /// The enemy king.
    king: Square,
    /// The squares from which the king would be attacked along a line.
    diagonals: BitBoard,
    straights: BitBoard,
}

impl<'a> Hunt<'a> {
    #[inline(always)]
    fn new(position: &'a Chess) -> Self {
        let board = position.board();
        let us = board.side_to_move();
        let (king, occupied) = (board.king(!us), board.occupied());
        Hunt {
            position,
            board,
            own: board.colors(us),
            occupied,
            king,
            diagonals: get_bishop_moves(king, occupied),
            straights: get_rook_moves(king, occupied),
        }
    }

    #[inline(always)]
    fn own(&self, piece: Piece) -> BitBoard {
        self.own & self.board.pieces(piece)
    }

    /// Checks by a queen, rook, bishop or knight that moves.
    #[inline(always)]
    fn by_officers(&self) -> Option<Move> {
        let room = !self.own;
        let (diagonals, straights) = (self.diagonals & room, self.straights & room);
        let knight_checks = get_knight_moves(self.king) & room;
        for from in self.own(Piece::Queen) {
            let to = reach(Piece::Queen, from, self.occupied) & (diagonals | straights);
            if let Some(m) = self.try_all(Piece::Queen, from, to) {
                return Some(m);
            }
        }
        for (piece, checks) in
            [(Piece::Rook, straights), (Piece::Bishop, diagonals), (Piece::Knight, knight_checks)]
        {
            for from in self.own(piece) {
                let to = reach(piece, from, self.occupied) & checks;
                if let Some(m) = self.try_all(piece, from, to) {
                    return Some(m);
                }
            }
        }
        None
    }

    #[inline(always)]
    fn try_all(&self, piece: Piece, from: Square, targets: BitBoard) -> Option<Move> {
        targets
            .into_iter()
            .map(|to| Move { from, to, promotion: None })
            .find(|&m| self.catches(piece, m) && self.mates(m))
    }

    /// Checks by a pawn that moves, or by what it becomes.
    #[inline(always)]
    fn by_pawns(&self) -> Option<Move> {
        let us = self.board.side_to_move();
        let pawns = self.own(Piece::Pawn);
        let enemy = self.board.colors(!us);
        // 1. A pawn attacks the king from at most two squares.
        for to in get_pawn_attacks(self.king, !us) & !self.own {
            let promotes = to.rank() == Rank::Eighth.relative_to(us);
            let from = if enemy.has(to) {
                get_pawn_attacks(to, !us) & pawns
            } else {
                self.steps_to(to) & pawns
            };
            for from in from.into_iter().filter(|_| !promotes) {
                let m = Move { from, to, promotion: None };
                if self.catches(Piece::Pawn, m) && self.mates(m) {
                    return Some(m);
                }
            }
        }
        // 2. Promotions. A rook or a bishop mates only where a queen does.
        for from in pawns & Rank::Seventh.relative_to(us).bitboard() {
            let last = Rank::Eighth.relative_to(us);
            let ahead = Square::new(from.file(), last).bitboard() & !self.occupied;
            for to in ahead | get_pawn_attacks(from, us) & enemy {
                let occupied = self.occupied ^ from.bitboard();
                for piece in [Piece::Queen, Piece::Knight] {
                    let m = Move { from, to, promotion: Some(piece) };
                    let checks = reach(piece, to, occupied).has(self.king);
                    if checks && self.catches(piece, m) && self.mates(m) {
                        return Some(m);
                    }
                }
            }
        }
        // 3. En passant, which may open lines of all kinds.
        let to = Square::new(self.board.en_passant()?, Rank::Sixth.relative_to(us));
        (get_pawn_attacks(to, !us) & pawns)
            .into_iter()
            .map(|from| Move { from, to, promotion: None })
            .find(|&m| self.mates(m))
    }

    /// The squares from which a pawn steps to an empty square.
    #[inline(always)]
    fn steps_to(&self, to: Square) -> BitBoard {
        let us = self.board.side_to_move();
        let back = |steps: i8| match us {
            Color::White => to.try_offset(0, -steps),
            Color::Black => to.try_offset(0, steps),
        };
        let Some(one) = back(1) else { return BitBoard::EMPTY };
        let two = back(2)
            .filter(|_| to.rank() == Rank::Fourth.relative_to(us) && !self.occupied.has(one));
        one.bitboard() | two.map_or(BitBoard::EMPTY, Square::bitboard)
    }

    /// Checks by a man that was behind the one that moves.
    #[inline(always)]
    fn by_uncovering(&self) -> Option<Move> {
        let queens = self.own(Piece::Queen);
        let behind = |seen: BitBoard, reach: fn(Square, BitBoard) -> BitBoard, men: BitBoard| {
            let blockers = seen & self.own;
            let attackers = reach(self.king, self.occupied ^ blockers) & men & !seen;
            attackers.into_iter().fold(BitBoard::EMPTY, |all, attacker| {
                all | get_between_rays(self.king, attacker) & blockers
            })
        };
        let diagonal = behind(self.diagonals, get_bishop_moves, self.own(Piece::Bishop) | queens);
        let straight = behind(self.straights, get_rook_moves, self.own(Piece::Rook) | queens);
        let movers = diagonal | straight;
        if movers.is_empty() {
            return None;
        }
        let mut mate = None;
        self.board.generate_moves_for(movers, |moves| {
            mate = moves.into_iter().map(Move::from).find(|&m| self.mates(m));
            mate.is_some()
        });
        mate
    }

    /// Check by the rook of a castling.
    #[inline(always)]
    fn by_castling(&self) -> Option<Move> {
        let us = self.board.side_to_move();
        let home = Rank::First.relative_to(us);
        let rights = self.board.castle_rights(us);
        [(rights.short, File::F), (rights.long, File::D)].into_iter().find_map(|(rook, lands)| {
            let to = Square::new(rook?, home);
            let m = Move { from: self.board.king(us), to, promotion: None };
            let may_check = self.king.file() == lands || self.king.rank() == home;
            (may_check && self.mates(m)).then_some(m)
        })
    }

    /// Whether the king has no square to flee to, as far as is seen without making the move: `false`
    /// only if it surely has one. The move is a check by `piece`, standing on its target.
    #[inline(always)]
    fn catches(&self, piece: Piece, m: Move) -> bool {
        let us = self.board.side_to_move();
        let occupied = (self.occupied ^ m.from.bitboard() ^ self.king.bitboard()) | m.to.bitboard();
        let flights = get_king_moves(self.king) & (!self.board.colors(!us) | m.to.bitboard());
        let flights = flights & !reach(piece, m.to, occupied);
        let guarded =
            |square| !attackers(self.board, square, us, occupied).is_subset(m.from.bitboard());
        flights.into_iter().all(guarded)
    }

    /// Whether the move is legal and mates.
    #[inline(never)]
    fn mates(&self, m: Move) -> bool {
        if !self.board.is_legal(m.into()) {
            return false;
        }
        let mut next = self.position.clone();
        next.play(m);
        !next.board.checkers().is_empty() && !next.has_move()
    }
}

/// The squares that a man attacks, as far as they matter for mate.
#[inline(always)]
fn reach(piece: Piece, from: Square, occupied: BitBoard) -> BitBoard {
    match piece {
        Piece::Knight => get_knight_moves(from),
        Piece::Bishop => get_bishop_moves(from, occupied),
        Piece::Rook => get_rook_moves(from, occupied),
        Piece::Queen => get_bishop_moves(from, occupied) | get_rook_moves(from, occupied),
        // Asked for next to a king that is in check by it: the other square that a pawn attacks is two
        // files from the king, and kings give no check.
        Piece::Pawn | Piece::King => BitBoard::EMPTY,
    }
}
