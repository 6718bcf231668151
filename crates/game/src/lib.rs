//! The contract between games and searches.
//!
//! A game is a position type that implements [`Game`]; what not every search needs lives in small
//! traits beside it: [`Hashed`], [`Repetition`], [`Notation`], [`Symmetric`]. The crate also holds
//! what is the same for every game: the random number generator [`Rng`], random playouts, perft,
//! the path of positions that decides repetition, the [`conformance`] suite that every game passes,
//! and the way to write a [`file`](mod@file).
//!
//! # A game
//!
//! Four methods are the rules, two the text of positions; everything else has a default.
//!
//! ```
//! use spinney_game::{
//!     Game, Hashed, Notation, Outcome, PositionError, Repetition, Side, Symmetric, conformance,
//! };
//!
//! /// Two players add 1, 2 or 3 to a total in turn; whoever reaches 21 wins.
//! #[derive(Clone, Debug, PartialEq, Eq, Hash)]
//! struct Race {
//!     total: u8,
//!     to_move: Side,
//! }
//!
//! impl Game for Race {
//!     type Move = u8;
//!
//!     fn to_move(&self) -> Side {
//!         self.to_move
//!     }
//!
//!     fn legal_moves(&self, moves: &mut Vec<u8>) {
//!         moves.extend((1..=3).filter(|m| self.total + m <= 21));
//!     }
//!
//!     fn play(&mut self, m: u8) {
//!         self.total += m;
//!         self.to_move = !self.to_move;
//!     }
//!
//!     fn outcome(&self) -> Option<Outcome> {
//!         (self.total == 21).then_some(Outcome::Win(!self.to_move))
//!     }
//! }
//!
//! impl Notation for Race {
//!     fn position_text(&self) -> String {
//!         let turn = if self.to_move == Side::First { 'a' } else { 'b' };
//!         format!("{} {turn}", self.total)
//!     }
//!
//!     fn parse_position(&self, text: &str) -> Result<Self, PositionError> {
//!         let error = || PositionError::new(text, "expected a total up to 21 and a or b");
//!         let (total, turn) = text.split_once(' ').ok_or_else(error)?;
//!         let to_move = match turn {
//!             "a" => Side::First,
//!             "b" => Side::Second,
//!             _ => return Err(error()),
//!         };
//!         let total = total.parse().ok().filter(|&total| total <= 21).ok_or_else(error)?;
//!         Ok(Race { total, to_move })
//!     }
//! }
//!
//! impl Hashed for Race {}
//! impl Repetition for Race {}
//! impl Symmetric for Race {}
//!
//! let start = Race { total: 0, to_move: Side::First };
//! assert_eq!(start.perft(3), 27);
//! // The contract, checked in random games.
//! conformance::check(&start);
//! ```

pub mod bits;
pub mod certificate;
pub mod conformance;
pub mod cpu;
pub mod file;
mod game;
mod info;
mod notation;
mod playout;
mod repetition;
mod rng;
mod symmetry;
mod words;

pub use game::{Game, Hashed, Move, Outcome, PackedMove, Playable, Side};
pub use info::{
    BoardInfo, BoardStyle, GameInfo, GameOption, GameOptionKind, GameSettings, Protocol,
    RecordFormat, SIZES,
};
pub use notation::{MoveError, Notation, PositionError};
pub use playout::{Chooser, Playout, playout, random_playout};
pub use repetition::{History, Path, Repetition};
pub use rng::Rng;
pub use symmetry::Symmetric;
pub use words::closest;
