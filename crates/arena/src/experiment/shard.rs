//! Shards: an experiment cut into pieces that any machine can do in any order.
//!
//! A piece is a range of the games or analyses of a task, with everything they need in one file. Its
//! name is that of the task, a hash of all that decides the results, and the range. Game i is the
//! same wherever it is played, so a piece that was done twice is counted once.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use spinney_game::file;
use spinney_session::{Registry, Stop};

use super::{Piece, Plan, Run, Store, StoreError, TaskError, TaskRecord};
use crate::Journal;

impl Piece {
    /// The name of the task and the range.
    pub fn name(&self) -> String {
        format!("{}-{}-{}", self.task.name(), self.first, self.end)
    }

    /// The games or analyses.
    pub fn range(&self) -> Range<u64> {
        self.first..self.end
    }

    /// Writes it to the file `NAME.json` of a folder.
    pub fn save(&self, folder: &Path) -> Result<PathBuf, StoreError> {
        let path = folder.join(self.name() + ".json");
        let failed = |error| StoreError::Io { path: path.clone(), error };
        let text = serde_json::to_string(self).map_err(|error| failed(error.into()))? + "\n";
        file::replace(&path, text.as_bytes()).map_err(failed)?;
        Ok(path)
    }

    /// The file of its records in a folder, where [`Plan::merge`] finds them.
    pub fn records(&self, folder: &Path) -> PathBuf {
        folder.join(self.name() + ".jsonl")
    }

    /// Does the games or analyses that the journal does not have yet, one at a time.
    pub fn run(
        &self,
        registry: &Registry,
        journal: &Journal,
        stop: &Stop,
        on_done: &mut dyn FnMut(TaskRecord<'_>),
    ) -> Result<(), TaskError> {
        self.task.run(registry, self.range(), Run { journal, concurrency: 1, stop, on_done })
    }
}

impl Plan {
    /// The experiment in pieces of at most `size` games or analyses.
    pub fn pieces(&self, size: u64) -> Vec<Piece> {
        let mut pieces = Vec::new();
        for (task, units) in self.tasks.values() {
            let mut first = 0;
            while first < *units {
                let end = (first + size.max(1)).min(*units);
                pieces.push(Piece { task: task.clone(), first, end });
                first = end;
            }
        }
        pieces
    }

    /// Takes the results of pieces in a folder over into a store, each game once, or nothing if one of
    /// them is damaged. Returns the pieces of this size that are not complete.
    pub fn merge(&self, from: &Path, store: &Store, size: u64) -> Result<Vec<Piece>, MergeError> {
        let files = record_files(from)?;
        let of_task = |name: &str| -> Vec<PathBuf> {
            let prefix = format!("{name}-");
            let is_ours = |path: &&PathBuf| {
                path.file_name().is_some_and(|f| f.to_string_lossy().starts_with(&prefix))
            };
            files.iter().filter(is_ours).cloned().collect()
        };
        // 1. Every record is checked before one is taken over.
        for (name, (task, _)) in &self.tasks {
            for path in of_task(name).iter().chain([&store.path(name)]) {
                task.read(store.registry(), path)?;
            }
        }
        // 2. Take them over.
        let mut missing = Vec::new();
        for (name, (task, _)) in &self.tasks {
            let done: BTreeSet<u64> =
                task.merge(store.registry(), &of_task(name), &store.path(name))?;
            let open = |piece: &Piece| {
                piece.task == *task && piece.range().any(|index| !done.contains(&index))
            };
            missing.extend(self.pieces(size).into_iter().filter(open));
        }
        Ok(missing)
    }
}

/// Pieces that cannot be merged.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// The folder.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file in it.
    #[error(transparent)]
    Task(#[from] TaskError),
}

/// The files of records in a folder, by name.
fn record_files(folder: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let failed = |error: io::Error| StoreError::Io { path: folder.to_owned(), error };
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_some_and(|extension| extension == "jsonl") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
