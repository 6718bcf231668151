//! Endgame tables: what positions with three and four men are worth, and the distance to mate.
//!
//! [`Tablebases`] answers for a position. Its own tables are made by retrograde analysis (`build.rs`)
//! and know the plies to mate; three men are always there, four when they were built and kept in
//! files (`file.rs`). Syzygy tables of a folder add what they have, without distances (`syzygy/`).
//!
//! A table holds every position of an ending once for each side to move, up to symmetry
//! (`symmetry.rs`, `library.rs`). Not in tables: castling, the 50-move rule and repetition. En
//! passant is seen when a position is looked up.

mod build;
mod check;
mod ending;
mod file;
mod library;
mod moves;
mod symmetry;
mod syzygy;
mod value;

use std::convert::Infallible;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::{env, fs, thread};

use cozy_chess::{Color, Piece};
use spinney_game::Game;
use spinney_search::GameValue;

use build::build;
pub use ending::Ending;
use ending::Man;
pub use file::TablebaseError;
use library::{Library, Placement, Table};
use syzygy::Syzygy;
use value::Value;

use super::Chess;

/// What a position is worth to the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Probe {
    /// The result with best play.
    pub value: GameValue,
    /// The plies to the mate with best play, if there is one and the table knows it.
    pub plies: Option<u32>,
}

impl From<Value> for Probe {
    #[inline]
    fn from(value: Value) -> Self {
        if let Some(plies) = value.win_plies() {
            Probe { value: GameValue::Win, plies: Some(plies.into()) }
        } else if let Some(plies) = value.loss_plies() {
            Probe { value: GameValue::Loss, plies: Some(plies.into()) }
        } else {
            Probe { value: GameValue::Draw, plies: None }
        }
    }
}

/// Endgame tables. A clone shares them, also with another thread.
#[derive(Clone)]
pub struct Tablebases {
    library: Arc<Library>,
    syzygy: Option<Arc<Syzygy>>,
}

/// What [`Tablebases::at_hand`] has read.
static AT_HAND: OnceLock<Tablebases> = OnceLock::new();

impl Tablebases {
    /// The tables of three men, made when they are first asked for.
    pub fn three_men() -> Self {
        static THREE: OnceLock<Tablebases> = OnceLock::new();
        let make = |ending, library: &Library| Ok::<_, Infallible>(build(ending, library));
        let all =
            || assemble(&Ending::up_to(3), make, &|_| {}).unwrap_or_else(|never| match never {});
        THREE.get_or_init(all).clone()
    }

    /// The tables of up to `men` men (3 or 4) in a folder, which is made if need be. Tables that
    /// are there are read; those that are not, or that are damaged, are made, on all processors,
    /// and written. `done` is told of each; [`Ending::up_to`] lists them.
    pub fn build(
        men: u32,
        folder: &Path,
        done: &(impl Fn(Ending) + Sync),
    ) -> Result<Self, TablebaseError> {
        fs::create_dir_all(folder).map_err(TablebaseError::io(folder))?;
        let make = |ending, library: &Library| match file::read(folder, ending) {
            Ok(table) => Ok(table),
            Err(_) => {
                let table = build(ending, library);
                file::write(folder, &table)?;
                Ok(table)
            }
        };
        assemble(&Ending::up_to(men), make, done)
    }

    /// The tables in a folder: all with three men, and if it has any with four, all of those.
    pub fn load(folder: &Path) -> Result<Self, TablebaseError> {
        fs::read_dir(folder).map_err(TablebaseError::io(folder))?;
        let is_there = |ending: &Ending| file::path(folder, *ending).exists();
        let Some(largest) = Ending::up_to(4).into_iter().rfind(is_there) else {
            return Err(TablebaseError::folder(folder, "no endgame tables here"));
        };
        let endings = Ending::up_to(largest.men());
        if let Some(missing) = endings.iter().find(|ending| !is_there(ending)) {
            let problem = format!("the table of {missing} is missing: build the tables again");
            return Err(TablebaseError::folder(folder, problem));
        }
        assemble(&endings, |ending, _| file::read(folder, ending), &|_| {})
    }

    /// The tables in [`Tablebases::default_folder`], or those of three men if there is none. They
    /// are read once.
    pub fn at_hand() -> Result<Self, TablebaseError> {
        if let Some(tables) = Self::loaded() {
            return Ok(tables);
        }
        let tables = match Self::default_folder().filter(|folder| folder.exists()) {
            Some(folder) => Self::load(&folder)?,
            None => Self::three_men(),
        };
        Ok(AT_HAND.get_or_init(|| tables).clone())
    }

    /// The tables that [`Tablebases::at_hand`] has read already; reads nothing itself.
    pub fn loaded() -> Option<Self> {
        AT_HAND.get().cloned()
    }

    /// Where tables are kept unless the user says otherwise: `spinney/tablebase` in the folder for
    /// caches, `$XDG_CACHE_HOME` or `~/.cache`. `None` if there is no such folder.
    pub fn default_folder() -> Option<PathBuf> {
        let absolute =
            |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let cache = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")));
        Some(cache?.join("spinney").join("tablebase"))
    }

    /// The endings at hand.
    pub fn endings(&self) -> impl Iterator<Item = Ending> {
        self.library.tables.iter().filter_map(OnceLock::get).map(|table| table.layout.ending)
    }

    /// The same tables and the Syzygy tables of a folder, which are asked for what the others do
    /// not have: a result without a distance.
    pub fn with_syzygy(self, folder: &Path) -> Result<Self, TablebaseError> {
        Ok(Tablebases { syzygy: Some(Arc::new(Syzygy::open(folder)?)), ..self })
    }

    /// Only the Syzygy tables of a folder.
    pub fn syzygy(folder: &Path) -> Result<Self, TablebaseError> {
        Tablebases { library: Arc::new(Library::new()), syzygy: None }.with_syzygy(folder)
    }

    /// The most men, kings included, for which all tables are at hand.
    pub fn men(&self) -> u32 {
        let own = self.endings().map(Ending::men).max().unwrap_or(2);
        own.max(self.syzygy.as_ref().map_or(2, |syzygy| syzygy.men()))
    }

    /// What a position is worth, if a table has it. Allocates nothing but, once, the table.
    #[inline]
    pub fn probe(&self, position: &Chess) -> Option<Probe> {
        match (self.value(position), &self.syzygy) {
            (Some(value), _) => Some(value.into()),
            (None, Some(syzygy)) if !can_castle(position) => {
                syzygy.probe(position.board()).map(|value| Probe { value, plies: None })
            }
            _ => None,
        }
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
                    after.play(m.into());
                    let value = self.value(&after).map(Value::before);
                    best = best.zip(value).map(|(best, value)| best.max(value));
                }
            }
            false
        });
        best
    }
}

/// Fills a library with the tables of the endings, which begin with the smallest, each made by
/// `make` from those before it, on all processors.
fn assemble<E: Send>(
    endings: &[Ending],
    make: impl Fn(Ending, &Library) -> Result<Table, E> + Sync,
    done: &(impl Fn(Ending) + Sync),
) -> Result<Tablebases, E> {
    let library = Library::new();
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let failure = Mutex::new(None);
    let mut start = 0;
    // Endings of one rank do not need each other.
    for group in endings.chunk_by(|one, other| one.rank() == other.rank()) {
        let next = AtomicUsize::new(0);
        let work = || {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(&ending) = group.get(number) else { break };
                match make(ending, &library) {
                    Ok(table) => library.tables[start + number].get_or_init(|| table),
                    Err(error) => {
                        next.store(group.len(), Ordering::Relaxed);
                        *failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                        break;
                    }
                };
                done(ending);
            }
        };
        thread::scope(|scope| {
            for _ in 1..threads.min(group.len()) {
                scope.spawn(work);
            }
            work();
        });
        if let Some(error) = failure.lock().unwrap_or_else(PoisonError::into_inner).take() {
            return Err(error);
        }
        start += group.len();
    }
    Ok(Tablebases { library: Arc::new(library), syzygy: None })
}

/// The men of a position that a table can have.
#[inline]
fn placement(position: &Chess) -> Option<Placement> {
    let board = position.board();
    if board.occupied().len() > 4 || can_castle(position) {
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

#[inline]
fn can_castle(position: &Chess) -> bool {
    Color::ALL.iter().any(|&color| {
        let rights = position.board().castle_rights(color);
        rights.short.is_some() || rights.long.is_some()
    })
}
