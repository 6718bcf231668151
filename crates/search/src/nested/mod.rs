//! Nested Monte Carlo search for two players: playouts whose every move is chosen by playouts.
//!
//! NMC(0) is the uniformly random playout. NMC(n+1) chooses each of its moves by one NMC(n)
//! playout of every successor: the best for the side to move. A playout s₀ … s_t is worth v(s_t),
//! the result, or with *discounting* v(s_t) / (t + 1): early wins and late losses are better. Two
//! kinds of pruning save most of the work: *cut on win* takes the first successor that wins, *pruning
//! on depth* gives a sub-playout up once it can no longer be better than the best one so far.
//!
//! [`RootChoice`] is the player Π(V(NMC(n))), which plays the move whose successor has the best NMC(n)
//! playout. [`Nested`] is NMC(n) as the playout policy of another search; the result that leaves
//! it is the full one, the discount only chooses inside.
//!
//! Reference: Cazenave, Saffidine, Schofield, Thielscher, "Nested Monte Carlo Search for Two-Player
//! Games", AAAI 2016 (paper `nmcs`), Algorithm 1.
//!
//! *Deviations*
//! - A draw is worth 0, discounted or not. It cuts and prunes nothing.
//! - Line 5 of Algorithm 1, as printed, would give up at once wherever the opponent of the caller is
//!   to move. Here it does what the text says: a playout is given up if even a win of the caller at
//!   the next ply would be no better than what the caller has.
//! - Line 3 draws the random successor first; here it is drawn when no successor was better.
//! - Games that may not end are drawn after [`Config::max_plies`].
//!
//! ```
//! # mod race { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/race/game.rs")); }
//! # use race::Race;
//! use spinney_game::History;
//! use spinney_search::nested::{Config, search};
//! use spinney_search::{Limits, Stop};
//!
//! // NMC(3) with discounting and pruning on depth.
//! let config = Config { level: 3, discounting: true, prune_on_depth: 3, ..Config::default() };
//! let report = search(&History::new(Race::START), &config, &Limits::default(), &Stop::new(), 1);
//! assert_eq!(report.candidates.len(), 3);
//! ```

mod player;
mod playout;
mod score;

pub use player::{RootChoice, search};
pub use playout::Nested;

/// What kind of nested search. The defaults are NMC(1) without improvements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// The nesting level n of NMC(n); level 0 is the uniformly random playout.
    pub level: u32,
    /// Whether early wins are better than late ones, and late losses than early ones.
    pub discounting: bool,
    /// COW(≤ i): at the nesting levels 1 to i the first successor that wins is taken without a look
    /// at the others; 0 for never. Safe without discounting only.
    pub cut_on_win: u32,
    /// POD(≤ i): at the nesting levels 1 to i the playout of a successor is given up once it cannot
    /// be better than the best successor so far; 0 for never. Works with discounting only, and is
    /// always safe.
    pub prune_on_depth: u32,
    /// In which order the successors are tried; the first of the best is taken.
    pub order: Order,
    /// Plies after which a playout is a draw, counted from where the outermost one begins.
    pub max_plies: u32,
    /// Whether [`RootChoice`] continues after one playout of every move, until its limits are reached,
    /// and takes the best mean.
    pub repeat: bool,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            level: 1,
            discounting: false,
            cut_on_win: 0,
            prune_on_depth: 0,
            order: Order::Random,
            max_plies: u32::MAX,
            repeat: false,
        }
    }
}

/// The order in which the successors of a position are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// As the game lists its moves.
    Generation,
    /// Anew at random in every position, so that equally good moves are equally likely.
    Random,
}
