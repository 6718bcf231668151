//! The named players: a search joined with what a game knows.
//!
//! A player is named as `name` or `name:key=value,key=value` ([`PlayerSpec`]); [`create`] makes one
//! for a game. Searches are static inside; a [`Player`] is the boundary where they become dynamic.

mod basic;
mod monte_carlo;
mod spec;

use spinney_game::{Game, History};
use spinney_games::catalog::Playable;
use spinney_search::{Limits, Report, Stop};

pub use spec::{OptionList, PlayerError, PlayerSpec};

/// Someone who can say what to play.
pub trait Player<G: Game>: Send {
    /// Searches the present position of a game that is not finished, and calls `progress` now and
    /// then with what it knows so far. The report has a best move.
    fn analyse(
        &mut self,
        history: &History<G>,
        limits: &Limits,
        stop: &Stop,
        progress: &mut dyn FnMut(&Report<G::Move>),
    ) -> Report<G::Move>;

    /// Forgets what it knows from earlier searches, and starts its random numbers anew.
    fn new_game(&mut self, seed: u64);
}

/// A kind of player.
pub struct Entry {
    /// The name users type.
    pub name: &'static str,
    /// One line on what it is, with its options.
    pub summary: &'static str,
}

/// All players, in the order they are listed.
pub const CATALOG: &[Entry] = &[
    Entry { name: "uct", summary: "Monte Carlo tree search with random play-outs and the solver" },
    Entry { name: "flat", summary: "the same number of random play-outs for every move" },
    Entry { name: "random", summary: "uniformly random moves: the weakest reference" },
];

/// Makes a player for the game of a start position.
pub fn create<G: Playable>(
    spec: &PlayerSpec,
    _start: &G,
    seed: u64,
) -> Result<Box<dyn Player<G>>, PlayerError> {
    let mut options = spec.options();
    let player: Box<dyn Player<G>> = match spec.name() {
        "uct" => {
            let policy = monte_carlo::random_policy(&mut options)?;
            let config = monte_carlo::tree_search(&mut options, monte_carlo::uct())?;
            Box::new(monte_carlo::TreePlayer::new(config, policy, seed))
        }
        "flat" => {
            let policy = monte_carlo::random_policy(&mut options)?;
            Box::new(monte_carlo::FlatPlayer::new(policy, seed))
        }
        "random" => Box::new(basic::RandomPlayer::new(seed)),
        _ => return Err(spec.unknown()),
    };
    options.finish()?;
    Ok(player)
}
