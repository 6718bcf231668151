//! The file of a match: a line of JSON a game, appended as games end; the same for analyses.
//!
//! A run can be killed at any moment and go on later: every line is written at once, a torn last line
//! is removed when the match goes on, and games in the file are not played again. What cannot be
//! written is found before a game is played, and a write that fails leaves whole lines. One run at a
//! time writes to a file.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

/// More than the record of a game takes, in bytes: what must fit on the disk before the first game.
const ROOM: usize = 1 << 16;
/// How every line begins.
const LINE_START: &[u8] = b"{\"game\":\"";

/// One line of such a file; its first field is the name of the game.
pub trait Record: Serialize + DeserializeOwned {
    /// Its number; no two lines have the same.
    fn index(&self) -> u64;
}

/// Where the records of a run are kept.
#[derive(Clone, Debug)]
pub enum Journal {
    /// In a file, which also tells what is done already.
    File(PathBuf),
    /// Whoever started this program reads them from its standard output; this is what they have.
    Output(String),
}

impl Journal {
    /// Opens it for more, and reads what is done. `claim` says whether a record is one of this run;
    /// a journal with another is refused as it is.
    pub fn resume<R: Record>(
        &self,
        claim: impl Fn(&R) -> Result<(), String>,
    ) -> Result<(RecordFile, Vec<R>), RecordFileError> {
        match self {
            Journal::File(path) => RecordFile::resume(path, claim),
            Journal::Output(done) => {
                let path = PathBuf::from("standard output");
                let (done, _) = parse(&path, done.as_bytes(), claim)?;
                match standard_output() {
                    Ok(file) => Ok((RecordFile { path, file, length: None }, done)),
                    Err(error) => Err(RecordFileError::File { path, error }),
                }
            }
        }
    }
}

/// The standard output without a buffer, so that every record is seen at once.
fn standard_output() -> io::Result<File> {
    #[cfg(unix)]
    let output = std::os::fd::AsFd::as_fd(&io::stdout()).try_clone_to_owned();
    #[cfg(windows)]
    let output = std::os::windows::io::AsHandle::as_handle(&io::stdout()).try_clone_to_owned();
    output.map(File::from)
}

/// A file of games, open for more.
#[derive(Debug)]
pub struct RecordFile {
    path: PathBuf,
    file: File,
    /// The length up to the last whole line; `None` if it is no regular file.
    length: Option<u64>,
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
    /// Opens a file to append to, whatever is in it.
    pub fn append_to(path: &Path) -> Result<RecordFile, RecordFileError> {
        let mut records = Self::open(path)?;
        // A run that was killed may have left half a line; ours is not to be glued to it.
        let finished = records.ends_a_line().map_err(|error| records.failed(error))?;
        if !finished {
            records.write(b"\n")?;
        }
        records.claim_room()?;
        Ok(records)
    }

    /// Opens the file of a run that goes on, and reads what is done. `claim` says whether a record is
    /// one of this run; a file with another is refused as it is.
    pub fn resume<R: Record>(
        path: &Path,
        claim: impl Fn(&R) -> Result<(), String>,
    ) -> Result<(RecordFile, Vec<R>), RecordFileError> {
        let mut records = Self::open(path)?;
        let mut text = Vec::new();
        if records.length.is_some() {
            records.file.read_to_end(&mut text).map_err(|error| records.failed(error))?;
        }
        let (done, whole) = parse(path, &text, claim)?;
        if records.length.is_some() && whole < text.len() {
            records.length = Some(whole as u64);
            records.cut().map_err(|error| records.failed(error))?;
        }
        records.claim_room()?;
        Ok((records, done))
    }

    /// The records of a file that is only read; none if there is no such file.
    pub fn read<R: Record>(
        path: &Path,
        claim: impl Fn(&R) -> Result<(), String>,
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
        self.write(&line)
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
            Ok(RecordFile { path: path.to_owned(), file, length })
        };
        open().map_err(|error| RecordFileError::File { path: path.to_owned(), error })
    }

    fn ends_a_line(&mut self) -> io::Result<bool> {
        if self.length.is_none_or(|length| length == 0) {
            return Ok(true);
        }
        let mut last = [0];
        self.file.seek(SeekFrom::End(-1))?;
        self.file.read_exact(&mut last)?;
        Ok(last == *b"\n")
    }

    /// Fails if the next game could not be written.
    fn claim_room(&mut self) -> Result<(), RecordFileError> {
        if self.length.is_some() {
            let room = vec![b' '; ROOM];
            let claimed = self.file.write_all(&room).and_then(|()| self.file.sync_data());
            claimed.and(self.cut()).map_err(|error| self.failed(error))?;
        }
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), RecordFileError> {
        if let Err(error) = self.file.write_all(bytes).and_then(|()| self.file.flush()) {
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
    claim: impl Fn(&R) -> Result<(), String>,
) -> Result<(Vec<R>, usize), RecordFileError> {
    let refuse =
        |line, problem| Err(RecordFileError::Line { path: path.to_owned(), line, problem });
    // 1. Every whole line is a record of this run, and none is there twice.
    let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
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
    // 2. What follows is the beginning of such a line, or room that was claimed.
    let torn = &text[whole..];
    let is_ours = LINE_START.starts_with(torn)
        || torn.starts_with(LINE_START)
        || torn.iter().all(|&byte| byte == b' ');
    if !is_ours {
        return refuse(done.len() + 1, "no record".to_owned());
    }
    Ok((done, whole))
}
