//! What games on a rectangular board share: sizes, squares, sets of squares, diagrams.
//!
//! A set of squares is a `u64` with eight bits a rank whatever the width of the board: bit
//! `8 * rank + file`, a1 lowest. So neighbours are the same shifts apart on every board, and on
//! boards narrower than eight files the spare bits keep shifts from wrapping around.

use std::fmt;
use std::str::FromStr;

use spinney_game::{Outcome, PackedMove, PositionError, Side, bits};
use thiserror::Error;

/// All squares of the file a.
pub const FILE_A: u64 = 0x0101_0101_0101_0101;
/// All squares of the file h.
pub const FILE_H: u64 = FILE_A << 7;

/// A square: `8 * rank + file`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(pub u8);

/// A move that puts a man on a square.
impl spinney_game::Move for Square {
    #[inline]
    fn pack(self) -> PackedMove {
        self.0.into()
    }

    #[inline]
    fn unpack(number: PackedMove) -> Self {
        Square(number as u8)
    }
}

impl Square {
    /// The square at a file and a rank, both counted from 0.
    #[inline]
    pub const fn at(file: u8, rank: u8) -> Square {
        Square(8 * rank + file)
    }

    /// The file, 0 for a.
    #[inline]
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// The rank, 0 for the first.
    #[inline]
    pub const fn rank(self) -> u8 {
        self.0 >> 3
    }

    /// The number of the square as an index below 64.
    #[inline]
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// The set of this square alone.
    #[inline]
    pub const fn bit(self) -> u64 {
        1 << (self.0 & 63)
    }

    /// Reads a name such as `b7`, in lower or upper case.
    pub fn parse(text: &str) -> Option<Square> {
        let mut bytes = text.bytes();
        let file = bytes.next()?.to_ascii_lowercase().wrapping_sub(b'a');
        let rank = bytes.next()?.wrapping_sub(b'1');
        (file < 8 && rank < 8 && bytes.next().is_none()).then(|| Square::at(file, rank))
    }
}

/// A move of a man from one square to another; both are a1 for a pass, in games that have one.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move {
    /// Where the man stands.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
}

impl spinney_game::Move for Move {
    #[inline]
    fn pack(self) -> PackedMove {
        u32::from(self.from.0) | u32::from(self.to.0) << 8
    }

    #[inline]
    fn unpack(number: PackedMove) -> Self {
        Move { from: Square(number as u8), to: Square((number >> 8) as u8) }
    }
}

impl Move {
    /// The move of a side that has no other.
    pub const PASS: Move = Move { from: Square(0), to: Square(0) };

    /// Whether this is a pass.
    #[inline(always)]
    pub fn is_pass(self) -> bool {
        self.from == self.to
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_pass() { f.write_str("pass") } else { write!(f, "{}-{}", self.from, self.to) }
    }
}

/// Reads two squares: `a5-a6`, `a5xa6`, `a5:a6`, `a5 a6` or `a5a6`, in lower or upper case.
pub fn parse_two_squares(text: &str) -> Option<(Square, Square)> {
    let (from, rest) = text.trim().split_at_checked(2)?;
    let to = rest.strip_prefix(['-', 'x', 'X', ':', ' ']).unwrap_or(rest);
    Some((Square::parse(from)?, Square::parse(to)?))
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file()), self.rank() + 1)
    }
}

/// The squares of a set, lowest first.
#[inline]
pub fn squares(set: u64) -> impl Iterator<Item = Square> {
    bits::iterate(set).map(|index| Square(index as u8))
}

/// The four orthogonal neighbours of a set; they may lie outside a board narrower than eight
/// files, so intersect with [`Size::squares`].
#[inline]
pub const fn orthogonal_neighbours(set: u64) -> u64 {
    (set << 8) | (set >> 8) | ((set & !FILE_H) << 1) | ((set & !FILE_A) >> 1)
}

/// Swaps files and ranks: two corners of each 2x2 block, then of each 4x4, then of the board
/// (Warren, "Hacker's Delight", 7-3).
#[inline]
const fn transpose(mut set: u64) -> u64 {
    let swapped = (set ^ (set >> 7)) & 0x00aa_00aa_00aa_00aa;
    set ^= swapped ^ (swapped << 7);
    let swapped = (set ^ (set >> 14)) & 0x0000_cccc_0000_cccc;
    set ^= swapped ^ (swapped << 14);
    let swapped = (set ^ (set >> 28)) & 0x0000_0000_f0f0_f0f0;
    set ^ swapped ^ (swapped << 28)
}

/// The outcome where `side` has lost by the rules of a game, or by its misère rules has won.
#[inline(always)]
pub(crate) fn lost(side: Side, misere: bool) -> Outcome {
    Outcome::Win(if misere { side } else { !side })
}

/// The width and height of a board, from 3x3 to 8x8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    width: u8,
    height: u8,
}

/// A board size that is not one.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("board size {0:?}: expected WIDTHxHEIGHT, each from 3 to 8, such as 5x5 or 4x6")]
pub struct SizeError(String);

impl Size {
    /// The board of most games of the paper `nmcs`.
    pub const FIVE: Size = Size { width: 5, height: 5 };
    /// The board of chess and LOA.
    pub const EIGHT: Size = Size { width: 8, height: 8 };

    /// A board with this number of files and ranks.
    pub fn new(width: usize, height: usize) -> Result<Size, SizeError> {
        if (3..=8).contains(&width) && (3..=8).contains(&height) {
            Ok(Size { width: width as u8, height: height as u8 })
        } else {
            Err(SizeError(format!("{width}x{height}")))
        }
    }

    /// A square board; the length must be from 3 to 8.
    pub(crate) const fn square(length: usize) -> Size {
        assert!(3 <= length && length <= 8);
        Size { width: length as u8, height: length as u8 }
    }

    /// The number of files.
    #[inline]
    pub const fn width(self) -> u8 {
        self.width
    }

    /// The number of ranks.
    #[inline]
    pub const fn height(self) -> u8 {
        self.height
    }

    /// The set of all squares.
    #[inline]
    pub const fn squares(self) -> u64 {
        self.first_rank() * (FILE_A >> (8 * (8 - self.height)))
    }

    /// The squares of the first rank.
    #[inline]
    pub const fn first_rank(self) -> u64 {
        (1 << self.width) - 1
    }

    /// The squares of the last rank.
    #[inline]
    pub const fn last_rank(self) -> u64 {
        self.first_rank() << (8 * (self.height - 1))
    }

    /// Whether the square is on the board.
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        square.file() < self.width && square.rank() < self.height
    }

    /// The number of symmetries of the board: turns and mirrors.
    pub const fn symmetries(self) -> usize {
        if self.width == self.height { 8 } else { 4 }
    }

    /// The image of a square under symmetry number `index`: bit 0 of the index mirrors the files,
    /// bit 1 the ranks, bit 2 then swaps files and ranks.
    pub const fn transform_square(self, square: Square, index: usize) -> Square {
        let file = if index & 1 != 0 { self.width - 1 - square.file() } else { square.file() };
        let rank = if index & 2 != 0 { self.height - 1 - square.rank() } else { square.rank() };
        if index & 4 != 0 { Square::at(rank, file) } else { Square::at(file, rank) }
    }

    /// The image of a set of squares under symmetry number `index`.
    #[inline]
    pub const fn transform_set(self, mut set: u64, index: usize) -> u64 {
        if index & 1 != 0 {
            // The bits of each byte, turned around.
            set = set.reverse_bits().swap_bytes() >> (8 - self.width);
        }
        if index & 2 != 0 {
            set = set.swap_bytes() >> (8 * (8 - self.height));
        }
        if index & 4 != 0 {
            set = transpose(set);
        }
        set
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

impl FromStr for Size {
    type Err = SizeError;

    fn from_str(text: &str) -> Result<Size, SizeError> {
        let error = || SizeError(text.chars().take(40).collect());
        let (width, height) = text.split_once('x').ok_or_else(error)?;
        let width = width.parse().map_err(|_| error())?;
        let height = height.parse().map_err(|_| error())?;
        Size::new(width, height).map_err(|_| error())
    }
}

/// Calls `f` with the side as a constant in either branch. The branch alternates from ply to ply,
/// so it is predicted; in return shifts are by constants and the men of both sides stay in
/// registers, which an index that varies would prevent.
#[inline(always)]
pub fn with_constant_side<T>(side: Side, f: impl FnOnce(Side) -> T) -> T {
    match side {
        Side::First => f(Side::First),
        Side::Second => f(Side::Second),
    }
}

/// The letters of a game's diagrams, for the first and the second side.
#[derive(Clone, Copy, Debug)]
pub struct Letters {
    /// A man, a stone, a covered square.
    pub men: [char; 2],
    /// The side to move.
    pub sides: [char; 2],
}

impl Letters {
    /// Black `x` moves first, against White `o`: LOA, NoGo, AtariGo.
    pub const BLACK_FIRST: Letters = Letters { men: ['x', 'o'], sides: ['b', 'w'] };
    /// White `o` moves first, against Black `x`: Breakthrough, Knightthrough.
    pub const WHITE_FIRST: Letters = Letters { men: ['o', 'x'], sides: ['w', 'b'] };
}

/// A position as text: ranks from the highest to the lowest, `/` between them, a digit for as many
/// empty squares, a letter for a man; then a blank and the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Diagram {
    /// The board.
    pub size: Size,
    /// The squares of the men of each side.
    pub men: [u64; 2],
    /// Whose turn it is.
    pub to_move: Side,
}

impl Diagram {
    /// Reads a diagram of any size.
    pub fn parse(text: &str, letters: Letters) -> Result<Diagram, PositionError> {
        let error = |problem: String| PositionError::new(text, problem);
        let fields: Vec<&str> = text.split_whitespace().collect();
        let [board, side] = fields[..] else {
            return Err(error(format!(
                "expected the board and the side to move ({} or {}), found {} fields",
                letters.sides[0],
                letters.sides[1],
                fields.len()
            )));
        };
        // 1. The board, rank by rank, the highest first.
        let ranks: Vec<&str> = board.split('/').collect();
        let height = ranks.len();
        let mut width = None;
        let mut men = [0u64; 2];
        if !(3..=8).contains(&height) {
            return Err(error(format!("{height} ranks, expected 3 to 8")));
        }
        for (index, rank_text) in ranks.iter().enumerate() {
            let rank = height - 1 - index;
            let mut file = 0;
            for letter in rank_text.chars() {
                if let Some(empty @ 1..=8) = letter.to_digit(10) {
                    file += empty as usize;
                } else if let Some(side) = letters.men.iter().position(|&man| man == letter) {
                    if file < 8 {
                        men[side] |= Square::at(file as u8, rank as u8).bit();
                    }
                    file += 1;
                } else {
                    return Err(error(format!(
                        "{letter:?} in rank {}: expected {}, {} or a number of empty squares",
                        rank + 1,
                        letters.men[0],
                        letters.men[1]
                    )));
                }
                if file > 8 {
                    return Err(error(format!("rank {} has more than 8 squares", rank + 1)));
                }
            }
            if let Some(width) = width.replace(file)
                && width != file
            {
                return Err(error(format!(
                    "rank {} has {file} squares, the rank above has {width}",
                    rank + 1
                )));
            }
        }
        let size = Size::new(width.unwrap_or(0), height).map_err(|e| error(e.to_string()))?;
        // 2. The side to move.
        let mut side_letters = side.chars();
        let to_move = match (side_letters.next(), side_letters.next()) {
            (Some(letter), None) if letter == letters.sides[0] => Side::First,
            (Some(letter), None) if letter == letters.sides[1] => Side::Second,
            _ => {
                return Err(error(format!(
                    "side to move {side:?}: expected {} or {}",
                    letters.sides[0], letters.sides[1]
                )));
            }
        };
        Ok(Diagram { size, men, to_move })
    }

    /// The diagram as text.
    pub fn text(&self, letters: Letters) -> String {
        let mut text = String::new();
        for rank in (0..self.size.height()).rev() {
            let mut empty = 0;
            for file in 0..self.size.width() {
                let bit = Square::at(file, rank).bit();
                match self.men.iter().position(|men| men & bit != 0) {
                    None => empty += 1,
                    Some(side) => {
                        push_number(&mut text, empty);
                        empty = 0;
                        text.push(letters.men[side]);
                    }
                }
            }
            push_number(&mut text, empty);
            text.push(if rank > 0 { '/' } else { ' ' });
        }
        text.push(letters.sides[self.to_move.index()]);
        text
    }
}

fn push_number(text: &mut String, number: u8) {
    if number > 0 {
        text.push(char::from(b'0' + number));
    }
}

/// A 64-bit key of a position made of two sets of squares and a side to move.
///
/// One 64x64→128-bit multiplication mixes all bits of both sets into all bits of the key; nothing
/// has to be kept up to date in the position.
#[inline(always)]
pub fn key(men: [u64; 2], to_move: Side) -> u64 {
    // Fractional digits of pi: numbers with no structure of their own.
    const FIRST: u64 = 0x243f_6a88_85a3_08d3;
    const SECOND: u64 = 0x1319_8a2e_0370_7344;
    const TO_MOVE: [u64; 2] = [0xa409_3822_299f_31d0, 0x082e_fa98_ec4e_6c89];
    let product = u128::from(men[0] ^ FIRST)
        * u128::from(men[1].rotate_left(32) ^ SECOND ^ TO_MOVE[to_move.index()]);
    let mixed = (product >> 64) as u64 ^ product as u64;
    mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (mixed >> 29)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn square_names() {
        assert_eq!(Square::parse("H8"), Some(Square(63)));
        for bad in ["", "a", "a9", "i1", "a1 ", "\u{e9}1", "\u{0}\u{0}"] {
            assert_eq!(Square::parse(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn sizes() {
        assert_eq!("4x6".parse(), Size::new(4, 6));
        for bad in ["", "5", "5x", "2x5", "5x9", "-3x4", "5x5x5", "99999999999999999999x3"] {
            assert!(bad.parse::<Size>().is_err(), "{bad}");
        }
        assert_eq!(Size::FIVE.squares().count_ones(), 25);
        assert_eq!(Size::EIGHT.squares(), u64::MAX);
        assert_eq!(Size::EIGHT.last_rank(), 0xff << 56);
    }

    #[test]
    fn sets_are_transformed_square_by_square() {
        for (width, height) in [(3, 3), (3, 5), (8, 4), (5, 5), (7, 8), (8, 8)] {
            let size = Size::new(width, height).unwrap();
            for index in 0..size.symmetries() {
                let mut all = 0;
                for square in squares(size.squares()) {
                    let image = size.transform_square(square, index).bit();
                    assert_eq!(size.transform_set(square.bit(), index), image, "{size} {index}");
                    all |= image;
                }
                assert_eq!(size.transform_set(size.squares(), index), all, "{size} {index}");
            }
        }
    }

    #[test]
    fn two_squares() {
        let expected = Some((Square::at(0, 4), Square::at(7, 5)));
        for good in ["a5-h6", "a5xh6", "a5h6", " A5XH6 "] {
            assert_eq!(parse_two_squares(good), expected, "{good}");
        }
        for bad in ["", "a", "a5", "a5-", "a5--h6", "a5h6h6", "a5-i6", "é5-a6", "aé-a6"] {
            assert_eq!(parse_two_squares(bad), None, "{bad}");
        }
    }

    #[test]
    fn diagram_errors_say_what_and_where() {
        let message = |text| match Diagram::parse(text, Letters::BLACK_FIRST) {
            Ok(_) => panic!("{text} was read"),
            Err(error) => error.to_string(),
        };
        assert_eq!(
            message("3/2/3 b"),
            r#"position "3/2/3 b": rank 2 has 2 squares, the rank above has 3"#
        );
        assert!(message("3/3/3").contains("expected the board and the side to move"));
        assert!(message("3/3 b").contains("2 ranks, expected 3 to 8"));
        assert!(message("3/xq1/3 b").contains("'q' in rank 2"));
        assert!(message("3/3/54 b").contains("rank 1 has more than 8 squares"));
        assert!(message("3/3/3 x").contains("side to move \"x\""));
    }
}
