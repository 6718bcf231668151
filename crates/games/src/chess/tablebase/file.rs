//! Tables in files.
//!
//! A file is a line of text, `spinney-dtm <format> <ending> <bytes> <checksum>`, and then that
//! number of bytes: the values of all positions with White to move and then with Black to move, compressed by
//! DEFLATE. The checksum is FNV-1a (64 bits) of the compressed bytes. Positions that are not legal
//! hold the value before them, which compresses best; reading puts [`Value::NONE`] back.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use cozy_chess::Color;
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;
use spinney_game::file::fnv_1a;
use thiserror::Error;

use super::build::legal;
use super::ending::Ending;
use super::library::{Layout, Table};
use super::value::Value;

const MAGIC: &str = "spinney-dtm";
/// Changes with the layout of tables, the meaning of values and the compression.
const FORMAT: &str = "1";
/// A first line is not longer.
const LONGEST_LINE: usize = 100;
/// Of 1 to 10: beyond this the files hardly shrink.
const COMPRESSION: u8 = 6;

/// Why tables could not be read or written.
#[derive(Debug, Error)]
pub enum TablebaseError {
    /// The system refused.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file that cannot be trusted.
    #[error("{}: {problem}", path.display())]
    BadFile {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// A folder without the tables that were looked for.
    #[error("{}: {problem}", path.display())]
    BadFolder {
        /// The folder.
        path: PathBuf,
        /// What is missing.
        problem: String,
    },
}

impl TablebaseError {
    pub(super) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| TablebaseError::Io { path: path.to_owned(), source }
    }

    pub(super) fn folder(path: &Path, problem: impl Into<String>) -> Self {
        TablebaseError::BadFolder { path: path.to_owned(), problem: problem.into() }
    }
}

/// The file of an ending.
pub(super) fn path(folder: &Path, ending: Ending) -> PathBuf {
    folder.join(format!("{ending}.dtm"))
}

/// Reads a table and refuses anything but the bytes that were written.
pub(super) fn read(folder: &Path, ending: Ending) -> Result<Table, TablebaseError> {
    let path = path(folder, ending);
    let bytes = fs::read(&path).map_err(TablebaseError::io(&path))?;
    decode(&bytes, ending).map_err(|problem| TablebaseError::BadFile { path, problem })
}

/// Writes a table. No reader sees half of it, whatever ends the program.
pub(super) fn write(folder: &Path, table: &Table) -> Result<(), TablebaseError> {
    let path = path(folder, table.layout.ending);
    spinney_game::file::replace(&path, &encode(table)).map_err(TablebaseError::io(&path))
}

fn encode(table: &Table) -> Vec<u8> {
    let mut last = Value::DRAW.0;
    let values = table.values.iter().flatten().map(|&byte| {
        last = if byte == Value::NONE.0 { last } else { byte };
        last
    });
    let payload = compress_to_vec(&values.collect::<Vec<u8>>(), COMPRESSION);
    let (ending, length, sum) = (table.layout.ending, payload.len(), fnv_1a(&payload));
    let mut file = format!("{MAGIC} {FORMAT} {ending} {length} {sum:016x}\n").into_bytes();
    file.extend(payload);
    file
}

fn decode(file: &[u8], ending: Ending) -> Result<Table, String> {
    // 1. The first line.
    let line_end = file.iter().take(LONGEST_LINE).position(|&byte| byte == b'\n');
    let line = line_end.and_then(|end| str::from_utf8(&file[..end]).ok()).unwrap_or("");
    let fields: Vec<&str> = line.split(' ').collect();
    let (length, sum) = match (fields.as_slice(), line_end) {
        (&[MAGIC, FORMAT, name, length, sum], Some(_)) if name == ending.to_string() => {
            (length, sum)
        }
        (&[MAGIC, FORMAT, name, _, _], _) => return Err(format!("this is the table of {name}")),
        (&[MAGIC, format, ..], _) if format != FORMAT => {
            return Err(format!("format {format}, not {FORMAT}: build the tables again"));
        }
        _ => return Err("this is no endgame table".to_owned()),
    };
    // 2. The bytes after it.
    let payload = &file[line_end.map_or(0, |end| end + 1)..];
    if length != payload.len().to_string() {
        return Err(format!(
            "the file is cut off or too long: {} bytes, not {length}",
            payload.len()
        ));
    }
    if sum != format!("{:016x}", fnv_1a(payload)) {
        return Err("the checksum is wrong: the file has changed".to_owned());
    }
    // 3. The values.
    let layout = Layout::new(ending);
    let mut values = decompress_to_vec_with_limit(payload, 2 * layout.positions())
        .ok()
        .filter(|values| values.len() == 2 * layout.positions())
        .ok_or("the number of positions is wrong")?;
    let black = values.split_off(layout.positions());
    let mut table = Table { layout, values: [values, black] };
    for side in Color::ALL {
        for row in layout.rows() {
            let legal = legal(&layout, &row, side);
            let values = &mut table.values[side as usize][row.number * 64..][..64];
            for (second, value) in values.iter_mut().enumerate() {
                if legal & 1 << second == 0 {
                    *value = Value::NONE.0;
                }
            }
        }
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::tablebase::build::build;
    use crate::chess::tablebase::library::Library;

    /// King and queen against king: needs no other table.
    fn queen() -> (Ending, Table) {
        let ending = Ending::up_to(3)[0];
        (ending, build(ending, &Library::new()))
    }

    #[test]
    fn tables_come_back() {
        let (ending, table) = queen();
        let read = decode(&encode(&table), ending).unwrap();
        assert_eq!(read.values, table.values);
    }

    #[test]
    fn other_files_are_refused() {
        let (ending, table) = queen();
        let good = encode(&table);
        let refused = |file: &[u8], expected: &str| {
            let problem = decode(file, ending).err().expect(expected);
            assert!(problem.contains(expected), "{problem:?}, not {expected:?}");
        };
        // 1. Every cut, and something at the end.
        for length in 0..good.len() {
            assert!(decode(&good[..length], ending).is_err(), "{length}");
        }
        refused(&good[..good.len() - 1], "cut off");
        refused(&[&good[..], b"x"].concat(), "too long");
        // 2. Every byte changed.
        for index in 0..good.len() {
            let mut file = good.clone();
            file[index] ^= 1;
            assert!(decode(&file, ending).is_err(), "{index}");
        }
        // 3. Other contents.
        refused(b"", "no endgame table");
        refused(&[0xff; 1000], "no endgame table");
        refused(b"spinney-dtm 2 KQvK 0 0\n", "format 2");
        let other = decode(&good, Ending::up_to(3)[1]).err().unwrap();
        assert!(other.contains("table of KQvK"), "{other}");
        // 4. Too few positions, well signed.
        let payload = compress_to_vec(&[128; 100], COMPRESSION);
        let line = format!("spinney-dtm 1 KQvK {} {:016x}\n", payload.len(), fnv_1a(&payload));
        refused(&[line.as_bytes(), &payload].concat(), "number of positions");
    }
}
