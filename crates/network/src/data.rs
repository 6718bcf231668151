//! The file of positions to learn from.
//!
//! All numbers are little-endian. The file begins with a magic of 8 bytes (`spindata`), a version (u32, 1),
//! the length of a text (u32) and the text (UTF-8), which says how the positions were made. Then come
//! records of 24 bytes, one per position, in the order of their games:
//!
//! | bytes | type | |
//! |---|---|---|
//! | 0..8 | u64 | squares of the side to move: bit 8 × rank + file |
//! | 8..16 | u64 | squares of the other side |
//! | 16..20 | u32 | number of the game |
//! | 20..22 | i16 | value of a search for the side to move: -32767 (loss) to 32767 (win) |
//! | 22 | i8 | result for the side to move: -1, 0, 1; 2 if the position is off the path of its game |
//! | 23 | u8 | plies since the start of the game, at most 255 |
//!
//! A file can be cut after any record. The last game may be incomplete then; those before it are complete.

use thiserror::Error;

const MAGIC: &[u8; 8] = b"spindata";
const VERSION: u32 = 1;
/// The bytes of a position.
pub const RECORD: usize = 24;
/// The value of a win.
const MOST_VALUE: f64 = 32767.0;
/// The result of a position that no game passed through.
const OFF_PATH: i8 = 2;

/// A position to learn from; values are for the side to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Position {
    /// The squares of the side to move, and of the other.
    pub sets: [u64; 2],
    /// The number of the game.
    pub game: u32,
    /// What a search says, from -1 to 1, in steps of 1/32767.
    pub value: f64,
    /// The result of the game: -1, 0 or 1; `None` if the game did not pass through the position.
    pub result: Option<i8>,
    /// Plies since the start of the game.
    pub ply: u8,
}

impl Position {
    /// The bytes of the position.
    pub fn to_bytes(&self) -> [u8; RECORD] {
        let mut bytes = [0; RECORD];
        let value = (self.value.clamp(-1.0, 1.0) * MOST_VALUE).round() as i16;
        bytes[..8].copy_from_slice(&self.sets[0].to_le_bytes());
        bytes[8..16].copy_from_slice(&self.sets[1].to_le_bytes());
        bytes[16..20].copy_from_slice(&self.game.to_le_bytes());
        bytes[20..22].copy_from_slice(&value.to_le_bytes());
        bytes[22] = self.result.unwrap_or(OFF_PATH) as u8;
        bytes[23] = self.ply;
        bytes
    }

    /// The position of some bytes; `None` if they are no position.
    fn from_bytes(bytes: &[u8; RECORD]) -> Option<Position> {
        let (numbers, [v0, v1, result, ply]) = bytes.split_last_chunk::<4>()?;
        let (sets, game) = numbers.split_last_chunk::<4>()?;
        let (own, other) = (sets.first_chunk::<8>()?, sets.last_chunk::<8>()?);
        let sets = [own, other].map(|set| u64::from_le_bytes(*set));
        let result = *result as i8;
        let is_good = sets[0] & sets[1] == 0 && (-1..=OFF_PATH).contains(&result);
        is_good.then(|| Position {
            sets,
            game: u32::from_le_bytes(*game),
            value: f64::from(i16::from_le_bytes([*v0, *v1])) / MOST_VALUE,
            result: (result != OFF_PATH).then_some(result),
            ply: *ply,
        })
    }
}

/// Positions, and the text that says how they were made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Data {
    /// How they were made.
    pub text: String,
    /// In the order of their games.
    pub positions: Vec<Position>,
}

/// Why a file has no positions.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum DataError {
    /// Something else.
    #[error("not a file of positions")]
    Magic,
    /// Of another time.
    #[error("positions of version {0}; this program reads version {VERSION}")]
    Version(u32),
    /// The text is cut off or not UTF-8.
    #[error("damaged: the header")]
    Header,
    /// A position is none.
    #[error("damaged: position {0}")]
    Position(usize),
}

/// The beginning of a file.
pub fn header(text: &str) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((text.len() as u32).to_le_bytes());
    bytes.extend(text.as_bytes());
    bytes
}

impl Data {
    /// Reads a file. A record that was cut off at its end is left out.
    pub fn from_bytes(bytes: &[u8]) -> Result<Data, DataError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(DataError::Magic)?;
        let (version, rest) = word(rest)?;
        if version != VERSION {
            return Err(DataError::Version(version));
        }
        let (length, rest) = word(rest)?;
        let (text, records) = rest.split_at_checked(length as usize).ok_or(DataError::Header)?;
        let text = String::from_utf8(text.to_vec()).map_err(|_| DataError::Header)?;
        let (records, _) = records.as_chunks();
        let positions = (1..)
            .zip(records)
            .map(|(number, bytes)| Position::from_bytes(bytes).ok_or(DataError::Position(number)))
            .collect::<Result<_, _>>()?;
        Ok(Data { text, positions })
    }

    /// The file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = header(&self.text);
        bytes.extend(self.positions.iter().flat_map(Position::to_bytes));
        bytes
    }
}

fn word(bytes: &[u8]) -> Result<(u32, &[u8]), DataError> {
    let (number, rest) = bytes.split_first_chunk().ok_or(DataError::Header)?;
    Ok((u32::from_le_bytes(*number), rest))
}
