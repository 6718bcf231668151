//! The file of a match: one line of JSON per game, appended as games end; the same for analyses.
//!
//! A run can be killed at any moment and resumed later: every line is written at once, a torn last
//! line is removed by the next run, and games in the file are not played again. Every other line must
//! pass the check of its reader, or the file is refused and left unchanged. What cannot be written is found
//! before a game is played, and a write that fails leaves whole lines. One run at a time writes to a
//! file.
//!
//! Games with limits on time cannot be played again, so each is synced to disk as it ends. Others
//! are synced once a second.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Serialize;
use serde::de::DeserializeOwned;
use spinney_game::file::uninterrupted;
use thiserror::Error;

/// More than the record of a game takes, in bytes: what must fit on the disk before the first game.
const ROOM: usize = 1 << 16;
/// Time between two syncs of records that can be made again.
const SYNC_INTERVAL: Duration = Duration::from_secs(1);
/// How every line begins.
const LINE_START: &[u8] = b"{\"game\":\"";

/// One line of such a file; its first field is the name of the game.
pub trait Record: Serialize + DeserializeOwned {
    /// Its number; no two lines have the same.
    fn index(&self) -> u64;

    /// Whether it depends on the clock, so that doing it again gives another.
    fn is_timed(&self) -> bool;
}

/// Where the records of a run are kept.
#[derive(Clone, Debug)]
pub enum Journal {
    /// In a file, which also tells what is done already.
    File(PathBuf),
    /// By the caller, who gets each as it is done; these are the lines that the caller has.
    Caller(String),
}

impl Journal {
    /// Opens its file for more, if it has one, and reads what is done. `claim` checks that a record is
    /// one of this run; a journal with another is refused and left unchanged.
    pub fn resume<R: Record>(
        &self,
        claim: impl FnMut(&R) -> Result<(), String>,
    ) -> Result<(Option<RecordFile>, Vec<R>), RecordFileError> {
        match self {
            Journal::File(path) => {
                RecordFile::resume(path, claim).map(|(file, done)| (Some(file), done))
            }
            Journal::Caller(lines) => {
                parse(Path::new("records"), lines.as_bytes(), claim).map(|(done, _)| (None, done))
            }
        }
    }
}

/// A file of games, open for more.
#[derive(Debug)]
pub struct RecordFile {
    path: PathBuf,
    file: File,
    /// The length up to the last whole line; `None` if it is no regular file.
    length: Option<u64>,
    /// When it was last synced.
    synced: Instant,
}

/// What is wrong with a file of games.
#[derive(Debug, Error)]
pub enum RecordFileError {
    /// It cannot be read or written.
    #[error("{}", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// Why not.
        #[source]
        error: io::Error,
    },
    /// It has a line that is not ours.
    #[error("{}: line {line}: {problem}; nothing was changed", path.display())]
    Line {
        /// Which file.
        path: PathBuf,
        /// Which line, from 1.
        line: usize,
        /// What is wrong with it.
        problem: String,
    },
}

impl RecordFile {
    fn new(path: PathBuf, file: File, length: Option<u64>) -> RecordFile {
        RecordFile { path, file, length, synced: Instant::now() }
    }

    /// Opens a file to append to, whatever is in it.
    pub fn append_to(path: &Path) -> Result<RecordFile, RecordFileError> {
        let mut records = Self::open(path)?;
        let text = records.contents()?;
        let whole = whole_lines(&text);
        // Half a line must not be joined with ours: one of a killed run is removed, another is ended.
        if is_torn(&text[whole..]) {
            records.cut_to(whole)?;
        } else {
            records.write(b"\n")?;
        }
        records.claim_room()?;
        Ok(records)
    }

    /// Opens the file of a run that is resumed, and reads what is done. `claim` checks that a record
    /// is one of this run; a file with another is refused and left unchanged.
    pub fn resume<R: Record>(
        path: &Path,
        claim: impl FnMut(&R) -> Result<(), String>,
    ) -> Result<(RecordFile, Vec<R>), RecordFileError> {
        let mut records = Self::open(path)?;
        let text = records.contents()?;
        let (done, whole) = parse(path, &text, claim)?;
        records.cut_to(whole)?;
        records.claim_room()?;
        Ok((records, done))
    }

    /// The records of a file that is only read; none if there is no such file. `claim` checks each;
    /// without a torn last line, which is what a run that is being written or was killed has.
    pub fn read<R: Record>(
        path: &Path,
        claim: impl FnMut(&R) -> Result<(), String>,
    ) -> Result<Vec<R>, RecordFileError> {
        match std::fs::read(path) {
            Ok(text) => Ok(parse(path, &text, claim)?.0),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(RecordFileError::File { path: path.to_owned(), error }),
        }
    }

    /// Appends a game: one write, so that whoever reads the file meanwhile sees whole lines.
    pub fn append<R: Record>(&mut self, record: &R) -> Result<(), RecordFileError> {
        let mut line =
            serde_json::to_vec(record).map_err(|error| self.failed(io::Error::from(error)))?;
        line.push(b'\n');
        self.write(&line)?;
        if record.is_timed() || self.synced.elapsed() >= SYNC_INTERVAL {
            self.sync()?;
        }
        Ok(())
    }

    /// Makes sure that the games are on the disk.
    pub fn sync(&mut self) -> Result<(), RecordFileError> {
        if self.length.is_some() {
            self.file.sync_data().map_err(|error| self.failed(error))?;
        }
        self.synced = Instant::now();
        Ok(())
    }

    fn open(path: &Path) -> Result<RecordFile, RecordFileError> {
        let open = || -> io::Result<RecordFile> {
            let file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
            let metadata = file.metadata()?;
            let length = metadata.is_file().then_some(metadata.len());
            if length.is_some() {
                file.try_lock().map_err(|error| match error {
                    TryLockError::WouldBlock => io::Error::other("another run is writing to it"),
                    TryLockError::Error(error) => error,
                })?;
            }
            Ok(RecordFile::new(path.to_owned(), file, length))
        };
        open().map_err(|error| RecordFileError::File { path: path.to_owned(), error })
    }

    /// What is in the file; nothing if it is no regular file.
    fn contents(&mut self) -> Result<Vec<u8>, RecordFileError> {
        let mut text = Vec::new();
        if self.length.is_some() {
            self.file.read_to_end(&mut text).map_err(|error| self.failed(error))?;
        }
        Ok(text)
    }

    /// Removes what follows the first `whole` bytes.
    fn cut_to(&mut self, whole: usize) -> Result<(), RecordFileError> {
        if self.length.is_some_and(|length| whole as u64 != length) {
            self.length = Some(whole as u64);
            self.cut().map_err(|error| self.failed(error))?;
        }
        Ok(())
    }

    /// Fails if the next game could not be written.
    fn claim_room(&mut self) -> Result<(), RecordFileError> {
        if self.length.is_some() {
            let room = vec![b' '; ROOM];
            let claimed = uninterrupted(|| {
                let claimed = self.file.write_all(&room).and_then(|()| self.file.sync_data());
                claimed.and(self.cut())
            });
            claimed.map_err(|error| self.failed(error))?;
        }
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), RecordFileError> {
        // A pipe may block for as long as its reader likes; Ctrl-C does not wait for that.
        let written = match self.length {
            Some(_) => uninterrupted(|| self.file.write_all(bytes)),
            None => self.file.write_all(bytes),
        };
        if let Err(error) = written {
            // Half a line would be worse than none; the first error is the one to tell.
            let _ = self.cut();
            return Err(self.failed(error));
        }
        self.length = self.length.map(|length| length + bytes.len() as u64);
        Ok(())
    }

    /// Removes what follows the last whole line.
    fn cut(&self) -> io::Result<()> {
        self.length.map_or(Ok(()), |length| self.file.set_len(length))
    }

    fn failed(&self, error: io::Error) -> RecordFileError {
        RecordFileError::File { path: self.path.clone(), error }
    }
}

/// The records of a text, and the length of their lines without a torn one.
fn parse<R: Record>(
    path: &Path,
    text: &[u8],
    mut claim: impl FnMut(&R) -> Result<(), String>,
) -> Result<(Vec<R>, usize), RecordFileError> {
    let refuse =
        |line, problem| Err(RecordFileError::Line { path: path.to_owned(), line, problem });
    // 1. Every whole line is a record of this run, and none is there twice.
    let whole = whole_lines(text);
    let mut done: Vec<R> = Vec::new();
    let mut seen = BTreeSet::new();
    for (line, text) in (1..).zip(text[..whole].split_inclusive(|&byte| byte == b'\n')) {
        let record: R = match serde_json::from_slice(text) {
            Ok(record) => record,
            Err(error) => return refuse(line, format!("no record ({error})")),
        };
        if let Err(problem) = claim(&record) {
            return refuse(line, problem);
        }
        if !seen.insert(record.index()) {
            return refuse(line, format!("number {} is there twice", record.index()));
        }
        done.push(record);
    }
    // 2. What follows is what a killed run may leave.
    if !is_torn(&text[whole..]) {
        return refuse(done.len() + 1, "no record".to_owned());
    }
    Ok((done, whole))
}

/// The length of all lines that have an end.
fn whole_lines(text: &[u8]) -> usize {
    text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1)
}

/// Whether a text without a line end is what a killed run may leave: nothing, the beginning of a
/// line, or room that was claimed.
fn is_torn(text: &[u8]) -> bool {
    LINE_START.starts_with(text)
        || text.starts_with(LINE_START)
        || text.iter().all(|&byte| byte == b' ')
}
