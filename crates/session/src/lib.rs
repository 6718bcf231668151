//! Games and players by name: the boundary where static types end.
//!
//! A [`Registry`] has the games, each with its [`GameInfo`] and its players. [`Registry::game`] reads
//! `breakthrough:8x8` and gives a [`GameHandle`]; that opens a [`Session`], a game at one moment, and
//! makes [`Player`]s for it. Everything above this crate works with these types and with moves as
//! numbers ([`PackedMove`]); searches below are compiled for each game.
//!
//! ```
//! use spinney_session::{Limits, Registry, Stop};
//!
//! let registry = Registry::builtin();
//! let game = registry.game("breakthrough:5x5")?;
//! let session = game.read(None, ["a2-a3", "b4-b3"])?;
//! let mut player = game.player(&"uct".parse()?, 1)?;
//! let report = player.analyse(&session, &Limits::simulations(100), &Stop::new(), &mut |_| ())?;
//! let best = report.best.expect("the game is not over");
//! assert!(session.legal_moves().contains(&best));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod builtin;
mod certificate;
mod clock;
mod diagram;
mod place;
mod player;
mod registry;
mod session;
mod slices;
mod solving;

pub use certificate::{Certified, verify};
pub use clock::{Allotment, Clock, TimeControl};
pub use diagram::{Diagram, Man};
pub use place::Playouts;
pub use player::{Failure, Player};
pub use registry::{GameError, GameHandle, MakeProgram, PlayerEntry, ProgramKind, Registry, Start};
pub use session::{ReadError, Session};
pub use slices::{Slice, Slices};
pub use solving::{Progress, Solving};

pub use spinney_game::{
    BoardInfo, BoardStyle, GameInfo, GameOption, GameOptionKind, GameSettings, MoveError, Outcome,
    PackedMove, PositionError, Protocol, RecordFormat, Rng, Side, closest,
};
pub use spinney_players::{
    Algorithm, LEVEL, LEVELS, Level, Need, OptionInfo, OptionKind, PlayerError, PlayerKind,
    PlayerSpec, Role, Seat, Solver, options,
};
pub use spinney_search::{
    Branch, Candidate, GameValue, Host, LimitKinds, Limits, NoNode, ProofNumbers, Report,
    SearchTree, Stop, UnsupportedLimits,
};
