//! A folder of LOA game records: every game once, in an order that does not depend on the machine.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use spinney_games::loa::Rules;
use thiserror::Error;

use crate::loa_record::{self, Replay};
use crate::sgf::SgfError;

/// A folder that cannot be read.
#[derive(Debug, Error)]
pub enum ArchiveError {
    /// A file or folder is not there, or not ours to read.
    #[error("{}: {error}", path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A file is not SGF.
    #[error("{}: {error}", path.display())]
    Sgf {
        /// Which.
        path: PathBuf,
        /// Where it stops being so.
        error: SgfError,
    },
    /// No file, or no game in any file.
    #[error("{}: no games", .0.display())]
    Empty(PathBuf),
}

/// The games from the standard start in all `.sgf` files of a folder, under the default rules.
/// Games that stand in two files count once; records that do not replay, and games without a move,
/// are left out.
pub fn read(folder: &Path) -> Result<Vec<Replay>, ArchiveError> {
    let io_error = |path: &Path| {
        let path = path.to_owned();
        move |error| ArchiveError::Io { path, error }
    };
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(io_error(folder))? {
        let path = entry.map_err(io_error(folder))?.path();
        if path.extension().is_some_and(|extension| extension == "sgf") {
            files.push(path);
        }
    }
    files.sort();
    let mut seen = HashSet::new();
    let mut games = Vec::new();
    for path in files {
        let bytes = fs::read(&path).map_err(io_error(&path))?;
        let records = loa_record::parse(&String::from_utf8_lossy(&bytes))
            .map_err(|error| ArchiveError::Sgf { path: path.clone(), error })?;
        for record in records.iter().filter(|record| record.is_standard()) {
            let Ok(replay) = record.replay(Rules::default()) else { continue };
            if !replay.moves.is_empty() && seen.insert(replay.moves.clone()) {
                games.push(replay);
            }
        }
    }
    if games.is_empty() { Err(ArchiveError::Empty(folder.to_owned())) } else { Ok(games) }
}
