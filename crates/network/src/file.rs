//! The file of a network.
//!
//! All numbers are little-endian. A text is its length in bytes (u32) and its bytes (UTF-8).
//!
//! | field | type | |
//! |---|---|---|
//! | magic | 8 bytes | `spinnet` and a line feed |
//! | version | u32 | 1 |
//! | game | text | such as `loa` |
//! | feature set | text | names the meaning of inputs and lines |
//! | training record | text | how it was made, as JSON |
//! | inputs, hidden, classes | 3 × u32 | sizes |
//! | first layer | i16 × inputs × hidden | in 1/255; the weights of one input after the other |
//! | first bias | i16 × hidden | in 1/255 |
//! | output | i16 × 2 × hidden | own view, then the other; from -127 to 127 |
//! | factor | u32 | of the sum over hidden units (in 1/255² and output units), in 2⁻³² parts of a point |
//! | output bias | i32 | in parts of a point, 16 to a point |
//! | lines | i16 × classes | in parts of a point |
//! | checksum | u64 | FNV-1a of all bytes before it |
//!
//! The value of a position follows from this and from the features of the game: see `network.rs`.

use spinney_game::file::fnv_1a;
use thiserror::Error;

use crate::network::{MOST_OUTPUT, Network};
use crate::{FeatureSet, Tie};

const MAGIC: &[u8; 8] = b"spinnet\n";
const VERSION: u32 = 1;
/// The greatest bias of the output, in parts of a point.
const MOST_BIAS: i32 = 1 << 20;

/// Why a file is no network for a game.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum FileError {
    /// Something else.
    #[error("not a network")]
    Magic,
    /// Of another time.
    #[error("a network of version {0}; this program reads version {VERSION}")]
    Version(u32),
    /// Bytes were lost, added or changed.
    #[error("damaged: the checksum is wrong")]
    Checksum,
    /// It ends early or late, or a text is none.
    #[error("damaged: {0}")]
    Damaged(&'static str),
    /// Of another game.
    #[error("a network of {found:?}, not of {expected:?}")]
    Game {
        /// In the file.
        found: String,
        /// What was asked for.
        expected: &'static str,
    },
    /// Of other features.
    #[error("features {found:?}; this program has {expected:?}")]
    Features {
        /// In the file.
        found: String,
        /// What was asked for.
        expected: &'static str,
    },
    /// More hidden units than there is room for.
    #[error("{found} hidden units; this program has room for {room}")]
    Hidden {
        /// In the file.
        found: u32,
        /// What was asked for.
        room: usize,
    },
}

impl<const H: usize> Network<H> {
    /// The network as a file.
    pub fn to_bytes(&self, features: &FeatureSet) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let word = |bytes: &mut Vec<u8>, number: usize| bytes.extend((number as u32).to_le_bytes());
        word(&mut bytes, VERSION as usize);
        for text in [features.game, features.name, &self.record] {
            word(&mut bytes, text.len());
            bytes.extend(text.as_bytes());
        }
        for size in [self.first.len(), self.hidden, self.classes.len()] {
            word(&mut bytes, size);
        }
        let rows = self.first.iter().chain([&self.bias]).chain(&self.output);
        let weights = rows.flat_map(|row| &row[..self.hidden]);
        bytes.extend(weights.flat_map(|weight| weight.to_le_bytes()));
        bytes.extend(self.factor.to_le_bytes());
        bytes.extend(self.output_bias.to_le_bytes());
        bytes.extend(self.classes.iter().flat_map(|weight| weight.to_le_bytes()));
        bytes.extend(fnv_1a(&bytes).to_le_bytes());
        bytes
    }

    /// Reads a file that has a network for these features.
    pub fn from_bytes(bytes: &[u8], features: &FeatureSet) -> Result<Self, FileError> {
        // 1. The whole.
        let rest = bytes.strip_prefix(MAGIC).ok_or(FileError::Magic)?;
        let mut reader = Reader(rest);
        let version = reader.word()?;
        if version != VERSION {
            return Err(FileError::Version(version));
        }
        let (content, sum) = bytes.split_last_chunk().ok_or(FileError::Checksum)?;
        if fnv_1a(content) != u64::from_le_bytes(*sum) {
            return Err(FileError::Checksum);
        }
        // 2. What it is for.
        let [game, name, record] = [reader.text()?, reader.text()?, reader.text()?];
        if game != features.game {
            return Err(FileError::Game { found: game, expected: features.game });
        }
        if name != features.name {
            return Err(FileError::Features { found: name, expected: features.name });
        }
        let [inputs, hidden, classes] = [reader.word()?, reader.word()?, reader.word()?];
        if inputs as usize != features.inputs || classes as usize != features.classes {
            return Err(FileError::Damaged("the sizes are not those of its features"));
        }
        if hidden as usize > H {
            return Err(FileError::Hidden { found: hidden, room: H });
        }
        let hidden = hidden as usize;
        // 3. The weights.
        let mut row = |most: i16| -> Result<[i16; H], FileError> {
            let mut row = [0; H];
            for weight in &mut row[..hidden] {
                *weight = reader.weight(most)?;
            }
            Ok(row)
        };
        // So small that no sum of active inputs leaves 16 bits.
        let most = most_first(features);
        let first = (0..features.inputs).map(|_| row(most)).collect::<Result<_, _>>()?;
        let bias = row(most)?;
        let output = [row(MOST_OUTPUT)?, row(MOST_OUTPUT)?];
        let factor = reader.word()?;
        let output_bias = reader.word()? as i32;
        if !(-MOST_BIAS..=MOST_BIAS).contains(&output_bias) {
            return Err(FileError::Damaged("a weight is out of range"));
        }
        let classes: Vec<i16> =
            (0..features.classes).map(|_| reader.weight(i16::MAX)).collect::<Result<_, _>>()?;
        if reader.0.len() != size_of_val(sum) {
            return Err(FileError::Damaged("something follows the weights"));
        }
        let lines = expanded(&classes, &features.ties);
        Ok(Network { hidden, first, bias, output, factor, output_bias, classes, lines, record })
    }
}

/// The greatest weight of the first layer: sums of the active inputs and a bias fit in 16 bits.
pub(crate) fn most_first(features: &FeatureSet) -> i16 {
    (i16::MAX as usize / (features.most_active + 1)) as i16
}

/// The table over lines, from the weights of its classes.
pub(crate) fn expanded(classes: &[i16], ties: &[Tie]) -> Box<[i16; 1 << 16]> {
    let mut lines = Box::new([0; 1 << 16]);
    for (line, tie) in lines.iter_mut().zip(ties) {
        *line = classes[usize::from(tie.class)] * i16::from(tie.sign);
    }
    lines
}

/// What is left to read.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], FileError> {
        let (taken, rest) =
            self.0.split_first_chunk().ok_or(FileError::Damaged("it ends early"))?;
        self.0 = rest;
        Ok(*taken)
    }

    fn word(&mut self) -> Result<u32, FileError> {
        self.take().map(u32::from_le_bytes)
    }

    fn weight(&mut self, most: i16) -> Result<i16, FileError> {
        let weight = i16::from_le_bytes(self.take()?);
        let is_good = (-most..=most).contains(&weight);
        is_good.then_some(weight).ok_or(FileError::Damaged("a weight is out of range"))
    }

    fn text(&mut self) -> Result<String, FileError> {
        let length = self.word()? as usize;
        let (text, rest) =
            self.0.split_at_checked(length).ok_or(FileError::Damaged("it ends early"))?;
        self.0 = rest;
        String::from_utf8(text.to_vec()).map_err(|_| FileError::Damaged("a text is not UTF-8"))
    }
}
