//! Protocols and formats that other programs speak, read and write.
//!
//! - [`engine`]: a player as an engine that speaks UCI or UGI ([`Dialect`]).
//! - [`registry`]: all games, with other programs that speak these protocols among their players.
//! - [`Analysis`]: the JSON analysis format.
//! - [`pgn`] and [`epd`]: games and positions of chess.
//! - [`sgf`]: the Smart Game Format, as a tree of nodes with properties.
//! - [`loa_record`]: games of Lines of Action in SGF, as the archives have them; [`loa_archive`]: a
//!   folder of them.

mod analysis;
mod dialect;
pub mod engine;
pub mod epd;
mod external;
pub mod loa_archive;
pub mod loa_record;
pub mod pgn;
mod players;
mod score;
pub mod sgf;

pub use analysis::{AnalysedMove, Analysis};
pub use dialect::Dialect;
pub use players::{EXTERNAL, add_external, registry};
pub use score::Score;
