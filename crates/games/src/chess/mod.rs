//! Chess, with the rules of FIDE as far as a position can know them.
//!
//! The board, the generation of moves and the tables behind it are those of the crate cozy-chess.
//! This module adds what it leaves out (insufficient material, repetition, standard notation) and
//! what random playouts need: the end of the game and a random move without a list of moves.
//!
//! Three notions of "the same position" matter:
//! - [`Hashed::key`] and [`Hashed::same_position`] are those of the repetition rule: men, side to
//!   move, castling rights and, only where such a capture is legal, the en passant square.
//! - `==` also compares the two counters of FEN, because the 50-move rule makes the first of them
//!   part of the future.
//! - Repetition itself needs the past: [`Repetition`] tells what a [`Path`](spinney_game::Path)
//!   must know.
//!
//! A draw that a player would have to claim (50 moves, third occurrence) ends the game at once.

pub mod knowledge;
mod notation;
mod random;
pub mod tablebase;

use cozy_chess::{
    BitBoard, Board, BoardBuilder, CastleRights, Color, File, Piece, Rank, Square,
    get_bishop_moves, get_king_moves, get_knight_moves, get_pawn_attacks, get_rook_moves,
};
use std::fmt;
use std::hash::{Hash, Hasher};

use spinney_game::{
    BoardInfo, BoardStyle, Game, GameInfo, Hashed, Outcome, PackedMove, Protocol, RecordFormat,
    Repetition, Rng, Side, Symmetric,
};

use crate::board::{FILE_A, FILE_H, orthogonal_neighbours};

/// Chess.
pub const INFO: GameInfo = GameInfo {
    sides: ["White", "Black"],
    board: BoardInfo::light_first(BoardStyle::Chess),
    default_player: "mcc-plus",
    record: RecordFormat::Pgn,
    protocol: Protocol::Uci,
    ..GameInfo::new("chess", "Chess", "chess")
};

/// Half-moves without a capture or a pawn move that make a draw.
const DRAWN_AT_HALFMOVES: u8 = 100;
/// Occurrences of a position that make a draw.
const DRAWN_AT_OCCURRENCES: u32 = 3;

/// A position of chess.
#[derive(Clone, Debug)]
pub struct Chess {
    board: Board,
}

impl Chess {
    /// The start position.
    pub fn start() -> Self {
        Chess { board: Board::startpos() }
    }

    /// The board, for evaluations and other knowledge of chess.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Whether no sequence of moves mates: king against king, with one knight at most, or with
    /// bishops (of any side and number) on squares of one colour only.
    #[inline]
    fn material_is_insufficient(&self) -> bool {
        let men = |piece| self.board.pieces(piece);
        if !(men(Piece::Pawn) | men(Piece::Rook) | men(Piece::Queen)).is_empty() {
            return false;
        }
        let (knights, bishops) = (men(Piece::Knight), men(Piece::Bishop));
        if knights.is_empty() {
            bishops.is_subset(BitBoard::LIGHT_SQUARES) || bishops.is_subset(BitBoard::DARK_SQUARES)
        } else {
            bishops.is_empty() && knights.len() == 1
        }
    }

    /// Where the king of the side to move stands, if it is in check.
    pub fn checked_king(&self) -> Option<Square> {
        let board = &self.board;
        (!board.checkers().is_empty()).then(|| board.king(board.side_to_move()))
    }

    /// Whether the side to move has a legal move. Asked before every move of a playout, so it
    /// tries what is cheap and almost always enough before it generates moves.
    #[inline]
    fn has_move(&self) -> bool {
        let board = &self.board;
        let us = board.side_to_move();
        let room = !board.colors(us).0;
        // 1. Not in check, a man that is not pinned can move if it has room for one step.
        if board.checkers().is_empty() {
            let free = board.colors(us) & !board.pinned();
            let free_men = |piece| (free & board.pieces(piece)).0;
            let pawns = free_men(Piece::Pawn);
            let steps = if us == Color::White { pawns << 8 } else { pawns >> 8 };
            if steps & !board.occupied().0 != 0 {
                return true;
            }
            let (bishops, rooks) = (free_men(Piece::Bishop), free_men(Piece::Rook));
            let queens = free_men(Piece::Queen);
            let (diagonal, straight) = (bishops | queens, rooks | queens);
            let (east, west) = ((diagonal & !FILE_H) << 1, (diagonal & !FILE_A) >> 1);
            let diagonal_steps = east << 8 | east >> 8 | west << 8 | west >> 8;
            if (orthogonal_neighbours(straight) | diagonal_steps) & room != 0 {
                return true;
            }
        }
        // 2. The king steps to a safe square; 3. or anything else.
        let king_steps = get_king_moves(board.king(us)) & BitBoard(room);
        king_steps.into_iter().any(|to| king_is_safe_on(board, to))
            || board.generate_moves(|_| true)
    }

    /// The file of a legal en passant capture. The board itself notes every double step of a pawn.
    #[inline]
    fn en_passant(&self) -> Option<File> {
        let file = self.board.en_passant()?;
        let us = self.board.side_to_move();
        let to = Square::new(file, Rank::Sixth.relative_to(us));
        let pawns = get_pawn_attacks(to, !us) & self.board.colored_pieces(us, Piece::Pawn);
        let is_legal = |from| self.board.is_legal(Move { from, to, promotion: None }.into());
        pawns.into_iter().any(is_legal).then_some(file)
    }

    /// Whether 50 moves went by without progress or the men to mate are missing: a draw, unless the
    /// side to move is mated.
    #[inline]
    fn is_exhausted(&self) -> bool {
        self.board.halfmove_clock() >= DRAWN_AT_HALFMOVES || self.material_is_insufficient()
    }
}

/// Whether no enemy man attacks the square once the king of the side to move stands there.
#[inline]
fn king_is_safe_on(board: &Board, square: Square) -> bool {
    let us = board.side_to_move();
    let occupied = board.occupied() ^ board.king(us).bitboard();
    attackers(board, square, !us, occupied).is_empty()
}

/// The men of one side that attack a square, if these squares are occupied.
#[inline]
fn attackers(board: &Board, square: Square, side: Color, occupied: BitBoard) -> BitBoard {
    let (queens, men) = (board.pieces(Piece::Queen), |piece| board.pieces(piece));
    let attackers = get_bishop_moves(square, occupied) & (men(Piece::Bishop) | queens)
        | get_rook_moves(square, occupied) & (men(Piece::Rook) | queens)
        | get_knight_moves(square) & men(Piece::Knight)
        | get_king_moves(square) & men(Piece::King)
        | get_pawn_attacks(square, !side) & men(Piece::Pawn);
    attackers & board.colors(side)
}

/// The same position with the same counters.
impl PartialEq for Chess {
    fn eq(&self, other: &Self) -> bool {
        self.same_position(other)
            && self.board.halfmove_clock() == other.board.halfmove_clock()
            && self.board.fullmove_number() == other.board.fullmove_number()
    }
}

impl Eq for Chess {}

impl Hash for Chess {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

/// A move. Castling is the king taking its own rook, as inside cozy-chess; text has the usual form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// Where the man stands.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
    /// What a pawn becomes.
    pub promotion: Option<Piece>,
}

/// As inside cozy-chess: castling is the king taking its rook.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        cozy_chess::Move::from(*self).fmt(f)
    }
}

impl From<cozy_chess::Move> for Move {
    #[inline]
    fn from(m: cozy_chess::Move) -> Self {
        let cozy_chess::Move { from, to, promotion } = m;
        Move { from, to, promotion }
    }
}

impl From<Move> for cozy_chess::Move {
    #[inline]
    fn from(m: Move) -> Self {
        let Move { from, to, promotion } = m;
        cozy_chess::Move { from, to, promotion }
    }
}

impl spinney_game::Move for Move {
    #[inline]
    fn pack(self) -> PackedMove {
        let promotion = self.promotion.map_or(0, |piece| 1 + piece as u32);
        self.from as u32 | (self.to as u32) << 6 | promotion << 12
    }

    #[inline]
    fn unpack(number: PackedMove) -> Self {
        Move {
            from: Square::index(number as usize & 63),
            to: Square::index((number >> 6) as usize & 63),
            promotion: Piece::try_index((number >> 12).wrapping_sub(1) as usize),
        }
    }
}

impl Game for Chess {
    type Move = Move;

    #[inline]
    fn to_move(&self) -> Side {
        match self.board.side_to_move() {
            Color::White => Side::First,
            Color::Black => Side::Second,
        }
    }

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        self.board.generate_moves(|piece_moves| {
            moves.extend(piece_moves.into_iter().map(Move::from));
            false
        });
    }

    #[inline]
    fn play(&mut self, m: Move) {
        self.board.play_unchecked(m.into());
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if !self.has_move() {
            let mated = !self.board.checkers().is_empty();
            return Some(if mated { Outcome::Win(!self.to_move()) } else { Outcome::Draw });
        }
        self.is_exhausted().then_some(Outcome::Draw)
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng) -> Move {
        random::random_move(&self.board, rng)
    }

    fn count_moves(&self) -> u64 {
        let mut count = 0;
        self.board.generate_moves(|piece_moves| {
            count += piece_moves.len() as u64;
            false
        });
        count
    }

    fn perft(&self, plies: u32) -> u64 {
        // A mate or stalemate has no moves to count, so only the other ends must be asked for.
        match plies {
            0 => 1,
            _ if self.is_exhausted() => 0,
            1 => self.count_moves(),
            _ => {
                let mut leaves = 0;
                self.board.generate_moves(|piece_moves| {
                    for m in piece_moves {
                        let mut child = self.clone();
                        child.play(m.into());
                        leaves += child.perft(plies - 1);
                    }
                    false
                });
                leaves
            }
        }
    }
}

impl Hashed for Chess {
    #[inline]
    fn key(&self) -> u64 {
        if self.board.en_passant() == self.en_passant() {
            self.board.hash()
        } else {
            self.board.hash_without_ep()
        }
    }

    fn same_position(&self, other: &Self) -> bool {
        // Not `Board::same_position`: it takes any man that can go there for a pawn that captures.
        let (this, that) = (&self.board, &other.board);
        this.side_to_move() == that.side_to_move()
            && Piece::ALL.iter().all(|&piece| this.pieces(piece) == that.pieces(piece))
            && Color::ALL.iter().all(|&color| {
                this.colors(color) == that.colors(color)
                    && this.castle_rights(color) == that.castle_rights(color)
            })
            && self.en_passant() == other.en_passant()
    }
}

impl Repetition for Chess {
    #[inline]
    fn drawn_at(&self) -> Option<u32> {
        Some(DRAWN_AT_OCCURRENCES)
    }

    /// A capture, a move of a pawn, or one that gives up a right to castle.
    #[inline]
    fn is_irreversible(&self, m: Move) -> bool {
        let board = &self.board;
        let us = board.side_to_move();
        if board.pieces(Piece::Pawn).has(m.from) || board.colors(!us).has(m.to) {
            return true;
        }
        let CastleRights { short, long } = *board.castle_rights(us);
        if short.is_none() && long.is_none() {
            return false;
        }
        let home_rank = Rank::First.relative_to(us);
        let leaves = |file| m.from == Square::new(file, home_rank);
        board.king(us) == m.from || short.is_some_and(leaves) || long.is_some_and(leaves)
    }
}

/// Without castling rights, left and right are alike.
impl Symmetric for Chess {
    fn symmetries(&self) -> usize {
        let can_castle = Color::ALL.iter().any(|&color| {
            let rights = self.board.castle_rights(color);
            rights.short.is_some() || rights.long.is_some()
        });
        if can_castle { 1 } else { 2 }
    }

    fn transformed(&self, index: usize) -> Self {
        if index == 0 {
            return self.clone();
        }
        let mut builder = BoardBuilder::from_board(&self.board);
        for &square in &Square::ALL {
            let man = self.board.piece_on(square).zip(self.board.color_on(square));
            *builder.square_mut(square.flip_file()) = man;
        }
        builder.en_passant = builder.en_passant.map(Square::flip_file);
        let board = builder.build().expect("the mirror image of a valid board is valid");
        Chess { board }
    }

    fn transform_move(&self, m: Move, index: usize) -> Move {
        if index == 0 {
            return m;
        }
        Move { from: m.from.flip_file(), to: m.to.flip_file(), ..m }
    }
}
