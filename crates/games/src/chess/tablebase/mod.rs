//! Endgame tables: what positions with three and four men are worth, and the distance to mate.
//!
//! [`Tablebases`] answers for a position. Its own tables are made by retrograde analysis (`build.rs`)
//! and know the plies to mate; three men are always there, four when they were built and kept in
//! files (`file.rs`). Syzygy tables of a folder add what they have, without distances (`syzygy.rs`).
//!
//! A table holds every position of an ending once for each side to move, up to symmetry
//! (`symmetry.rs`, `library.rs`). Not in tables: castling, the 50-move rule and repetition. En
//! passant is seen when a position is looked up.

mod build;
mod ending;
mod library;
mod moves;
mod symmetry;
mod value;

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;

use cozy_chess::{Color, Piece};
use spinney_game::Game;

pub use ending::Ending;
use ending::Man;
use library::{Library, Placement};
use value::Value;

use super::Chess;

/// What a position is worth to the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Probe {
    /// The result with best play.
    pub result: GameResult,
    /// The plies to the mate with best play, if there is one and the table knows it.
    pub plies: Option<u32>,
}

/// A result as the side to move sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum GameResult {
    /// The side to move is mated.
    Loss,
    /// Neither side can force mate.
    Draw,
    /// The side to move mates.
    Win,
}

impl From<Value> for Probe {
    #[inline]
    fn from(value: Value) -> Self {
        if let Some(plies) = value.win_plies() {
            Probe { result: GameResult::Win, plies: Some(plies.into()) }
        } else if let Some(plies) = value.loss_plies() {
            Probe { result: GameResult::Loss, plies: Some(plies.into()) }
        } else {
            Probe { result: GameResult::Draw, plies: None }
        }
    }
}

/// Endgame tables. A clone shares them.
#[derive(Clone)]
pub struct Tablebases {
    library: Arc<Library>,
}

impl Tablebases {
    /// The tables of three men, made when they are first asked for.
    pub fn three_men() -> Self {
        static THREE: OnceLock<Tablebases> = OnceLock::new();
        THREE.get_or_init(|| Tablebases::build(3, |_| {})).clone()
    }

    /// Makes the tables of up to so many men (3 or 4), on all processors. Tells of each ending that
    /// is done; [`Ending::up_to`] lists them.
    pub fn build(men: u32, done: impl Fn(Ending) + Sync) -> Self {
        let library = Library::new();
        let endings = Ending::up_to(men);
        let threads = thread::available_parallelism().map_or(1, NonZero::get);
        // Endings of one rank do not need each other.
        let mut start = 0;
        for group in endings.chunk_by(|one, other| one.rank() == other.rank()) {
            let next = AtomicUsize::new(0);
            let work = || {
                while let Some(&ending) = group.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let index = endings.iter().position(|&other| other == ending);
                    let table = build::build(ending, &library);
                    library.tables[index.unwrap_or(start)].get_or_init(|| table);
                    done(ending);
                }
            };
            thread::scope(|scope| {
                for _ in 1..threads.min(group.len()) {
                    scope.spawn(work);
                }
                work();
            });
            start += group.len();
        }
        Tablebases { library: Arc::new(library) }
    }

    /// What a position is worth, if a table has it. Allocates nothing.
    #[inline]
    pub fn probe(&self, position: &Chess) -> Option<Probe> {
        self.value(position).map(Probe::from)
    }

    /// The longest win in a table, in plies; `None` if the table is not at hand or has no wins.
    pub fn longest(&self, ending: Ending) -> Option<u32> {
        let tables = self.library.tables.iter().filter_map(OnceLock::get);
        let mut of_ending = tables.filter(|table| table.layout.ending == ending);
        of_ending.next().and_then(|table| table.longest()).map(u32::from)
    }

    #[inline]
    fn value(&self, position: &Chess) -> Option<Value> {
        let value = self.library.value(&placement(position)?)?;
        if position.en_passant().is_none() {
            return Some(value);
        }
        self.with_en_passant(position, value)
    }

    /// The value of a position with a legal capture en passant, from that without it.
    #[cold]
    fn with_en_passant(&self, position: &Chess, without: Value) -> Option<Value> {
        let mut best = Some(without);
        let board = position.board();
        let pawns = board.colored_pieces(board.side_to_move(), Piece::Pawn);
        board.generate_moves_for(pawns, |moves| {
            for m in moves {
                // A pawn that changes its file without a man on its target.
                if m.from.file() != m.to.file() && !board.occupied().has(m.to) {
                    let mut after = position.clone();
                    after.play(m);
                    let value = self.value(&after).map(Value::before);
                    best = best.zip(value).map(|(best, value)| best.max(value));
                }
            }
            false
        });
        best
    }
}

/// The men of a position that a table can have.
#[inline]
fn placement(position: &Chess) -> Option<Placement> {
    let board = position.board();
    if board.occupied().len() > 4 {
        return None;
    }
    let can_castle = |color| {
        let rights = board.castle_rights(color);
        rights.short.is_some() || rights.long.is_some()
    };
    if Color::ALL.into_iter().any(can_castle) {
        return None;
    }
    let mut men = [None; 2];
    let others = board.occupied() & !board.pieces(Piece::King);
    for (slot, square) in men.iter_mut().zip(others) {
        let (piece, color) = (board.piece_on(square)?, board.color_on(square)?);
        *slot = Some((Man { color, piece }, square));
    }
    let kings = [board.king(Color::White), board.king(Color::Black)];
    Some(Placement { kings, men, to_move: board.side_to_move() })
}
