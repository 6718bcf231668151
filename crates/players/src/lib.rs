//! The named players: a search joined with what a game knows.
//!
//! A player is named as `name` or `name:key=value,key=value` ([`PlayerSpec`]); [`create`] makes one
//! for a game. Searches are static inside; a [`Player`] is the boundary where they become dynamic.

mod algorithm;
mod basic;
mod compiled;
mod help;
mod mc_loa;
mod mcc;
mod mia;
mod monte_carlo;
mod nested;
mod proof;
mod spec;

use std::any::{Any, TypeId};
use std::sync::Arc;

use spinney_game::{Game, History};
use spinney_games::catalog::Playable;
use spinney_games::chess::Chess;
use spinney_games::loa::Loa;
use spinney_search::nested::{Config as NestedConfig, Nested};
use spinney_search::policy::MinimaxRollouts;
use spinney_search::{LimitKinds, Limits, Report, SearchTree, Stop};

pub use algorithm::Algorithm;
use compiled::compiled;
pub use help::option_help;
pub use spec::{OptionDescription, OptionKind, OptionList, PlayerError, PlayerSpec};

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

    /// The kinds of limit that end a search of this player. Callers refuse limits of which none does
    /// ([`LimitKinds::check`]).
    fn limit_kinds(&self) -> LimitKinds {
        LimitKinds::ALL
    }

    /// Forgets what it knows from earlier searches, and starts its random numbers anew.
    fn new_game(&mut self, seed: u64);

    /// Joins the reports of independent searches of one position by players like this one, as root
    /// parallelism joins its trees; `None` if the player grows no tree.
    fn merge(
        &self,
        _history: &History<G>,
        _reports: &[Report<G::Move>],
    ) -> Option<Report<G::Move>> {
        None
    }

    /// Why the last search gave no move, for players that can fail: other programs can.
    fn failure(&self) -> Option<&str> {
        None
    }

    /// A look into the tree of the last search, or of the first if there was none yet; for players
    /// that keep one.
    fn tree(&self) -> Option<Arc<dyn SearchTree<G::Move>>> {
        None
    }
}

/// A kind of player.
#[derive(Debug)]
pub struct Entry {
    /// The name users type.
    pub name: &'static str,
    /// One line on what it is, with its options.
    pub summary: &'static str,
}

/// The player that is another program. It is in the catalog, but made by the crate that speaks its
/// protocol.
pub const EXTERNAL: &str = "external";

/// All players, in the order they are listed.
pub const CATALOG: &[Entry] = &[
    Entry { name: "uct", summary: "Monte Carlo tree search with random play-outs and the solver" },
    Entry { name: "uct-nested", summary: "UCT whose play-outs are nested Monte Carlo searches" },
    Entry { name: "mcts-mr", summary: "UCT whose play-outs see a few plies ahead by minimax" },
    Entry { name: "nested", summary: "nested Monte Carlo search by itself" },
    Entry { name: "mia", summary: "LOA: the alpha-beta champion, all of it" },
    Entry { name: "mia-classic", summary: "LOA: mia without forward pruning" },
    Entry { name: "mia-iii", summary: "LOA: mia with a plainer evaluation" },
    Entry { name: "mc-loa", summary: "LOA: Monte Carlo tree search with play-outs by evaluation" },
    Entry { name: "mc-loa-t", summary: "LOA: mc-loa with a stronger bias, keeping its tree" },
    Entry { name: "mc-loa-ab", summary: "LOA: mc-loa whose play-outs search two plies" },
    Entry { name: "mcc", summary: "chess: MCC, Monte Carlo tree search with random play-outs" },
    Entry { name: "mcc-hp-eval", summary: "chess: mcc with play-outs greedy by evaluation" },
    Entry { name: "mcc-hp-see", summary: "chess: mcc with play-outs greedy by static exchanges" },
    Entry { name: "mcc-gtb", summary: "chess: mcc with tablebases in its play-outs" },
    Entry { name: "mcc-decisive", summary: "chess: mcc whose play-outs mate where they can" },
    Entry { name: "mcc-bias", summary: "chess: mcc with progressive bias by evaluation" },
    Entry { name: "mcc-combined", summary: "chess: all of mcc together, with the solver" },
    Entry { name: "mcc-plus", summary: "chess: evaluation at the leaves in place of play-outs" },
    Entry { name: "pn", summary: "proof-number search: proves who wins, where that is in reach" },
    Entry { name: "flat", summary: "the same number of random play-outs for every move" },
    Entry { name: "random", summary: "uniformly random moves: the weakest reference" },
    Entry { name: EXTERNAL, summary: "another program: external:cmd=stockfish,protocol=uci" },
];

/// Who plays a game of the catalog if nobody is named: the strongest for it.
pub fn default_player(game: &str) -> PlayerSpec {
    PlayerSpec::plain(match game {
        "loa" => "mia",
        "chess" => "mcc-plus",
        _ => "uct",
    })
}

/// Makes a player for the game of a start position, a game of the catalog.
pub fn create<G: Playable>(
    spec: &PlayerSpec,
    _start: &G,
    seed: u64,
) -> Result<Box<dyn Player<G>>, PlayerError> {
    let compiled = compiled::<G>().ok_or_else(|| spec.unknown())?;
    let (player, options) = (compiled.make)(spec, seed)?;
    options.finish()?;
    Ok(player)
}

/// The options that a player has for the game of a start position, with those given in `spec`:
/// some depend on others.
pub fn describe<G: Playable>(
    spec: &PlayerSpec,
    _start: &G,
) -> Result<Vec<OptionDescription>, PlayerError> {
    let compiled = compiled::<G>().ok_or_else(|| spec.unknown())?;
    let (_, options) = (compiled.make)(spec, 0)?;
    options.finish()
}

/// Makes a player, and tells which options it took.
fn make<G: Playable>(
    spec: &PlayerSpec,
    seed: u64,
) -> Result<(Box<dyn Player<G>>, OptionList), PlayerError> {
    let mut options = spec.options();
    let player: Box<dyn Player<G>> = match spec.name() {
        "uct" => {
            let policy = monte_carlo::random_policy(&mut options)?;
            let config = monte_carlo::tree_search(&mut options, monte_carlo::uct())?;
            Box::new(monte_carlo::TreePlayer::new(config, policy, seed))
        }
        "uct-nested" => {
            let policy = Nested::new(nested::config(&mut options)?);
            let config = monte_carlo::tree_search(&mut options, monte_carlo::uct())?;
            Box::new(monte_carlo::TreePlayer::new(config, policy, seed))
        }
        "mcts-mr" => {
            let depth = options.take("depth", 1)?;
            let max_plies = monte_carlo::take_max_plies(&mut options, monte_carlo::MAX_PLIES)?;
            let policy = MinimaxRollouts::new(depth, max_plies);
            let config = monte_carlo::tree_search(&mut options, monte_carlo::uct())?;
            Box::new(monte_carlo::TreePlayer::new(config, policy, seed))
        }
        "nested" => {
            let repeat = options.take_switch("repeat", false)?;
            let config = nested::config(&mut options)?;
            Box::new(nested::NestedPlayer::new(NestedConfig { repeat, ..config }, seed))
        }
        "flat" => {
            let policy = monte_carlo::random_policy(&mut options)?;
            Box::new(monte_carlo::FlatPlayer::new(policy, seed))
        }
        "pn" => Box::new(proof::ProofPlayer::new(&mut options)?),
        "random" => Box::new(basic::RandomPlayer::new(seed)),
        "mia" => only_for::<G, Loa>(spec, || mia::create(mia::Kind::Mia, &mut options, seed))?,
        "mia-classic" => {
            only_for::<G, Loa>(spec, || mia::create(mia::Kind::Classic, &mut options, seed))?
        }
        "mia-iii" => {
            only_for::<G, Loa>(spec, || mia::create(mia::Kind::Third, &mut options, seed))?
        }
        "mc-loa" => {
            only_for::<G, Loa>(spec, || mc_loa::create(mc_loa::Kind::Plain, &mut options, seed))?
        }
        "mc-loa-t" => {
            only_for::<G, Loa>(spec, || mc_loa::create(mc_loa::Kind::Tuned, &mut options, seed))?
        }
        "mc-loa-ab" => only_for::<G, Loa>(spec, || {
            mc_loa::create(mc_loa::Kind::AlphaBeta, &mut options, seed)
        })?,
        name => match mcc::Kind::named(name) {
            Some(kind) => only_for::<G, Chess>(spec, || mcc::create(kind, &mut options, seed))?,
            None => return Err(spec.unknown()),
        },
    };
    Ok((player, options))
}

/// A player of the game `T` as one of the game `G`, which must be the same.
fn only_for<G: Playable, T: Playable>(
    spec: &PlayerSpec,
    make: impl FnOnce() -> Result<Box<dyn Player<T>>, PlayerError>,
) -> Result<Box<dyn Player<G>>, PlayerError> {
    if TypeId::of::<G>() != TypeId::of::<T>() {
        return Err(spec.unknown());
    }
    let player: Box<dyn Any> = Box::new(make()?);
    player.downcast::<Box<dyn Player<G>>>().map(|player| *player).map_err(|_| spec.unknown())
}
