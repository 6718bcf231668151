//! The named players: a search joined with what a game knows.
//!
//! A player is named as `name` or `name:key=value,key=value` ([`PlayerSpec`]). A [`PlayerKind`] makes
//! players of one game; [`searches`] and [`references`] are there for every game, [`loa`] and [`chess`]
//! for these. What joins games and players by name is the session, one crate up.

mod algorithm;
mod basic;
mod help;
mod mc_loa;
mod mcc;
mod mia;
mod monte_carlo;
mod nested;
mod proof;
mod spec;

use std::sync::Arc;

use spinney_game::{Game, History, PackedMove, Repetition};
use spinney_games::chess::Chess;
use spinney_games::loa::Loa;
use spinney_search::nested::{Config as NestedConfig, Nested};
use spinney_search::policy::MinimaxRollouts;
use spinney_search::{LimitKinds, Limits, Report, SearchTree, Stop};

pub use algorithm::{Algorithm, Solver};
pub use help::option_help;
pub use spec::{OptionDescription, OptionKind, OptionList, PlayerError, PlayerSpec};

/// A player: chooses a move by searching.
pub trait Player<G: Game>: Send {
    /// Searches the present position of a game that is not finished, and calls `progress` now and
    /// then with what it knows so far. The report has a best move.
    fn analyse(
        &mut self,
        history: &History<G>,
        limits: &Limits,
        stop: &Stop,
        progress: &mut dyn FnMut(&Report),
    ) -> Report;

    /// Goes on with the last search, which was paused ([`Stop::pausing`]), in the same position and
    /// with the same limits. A player that cannot do that searches anew, without a pause.
    fn resume(
        &mut self,
        history: &History<G>,
        limits: &Limits,
        stop: &Stop,
        progress: &mut dyn FnMut(&Report),
    ) -> Report {
        self.analyse(history, limits, &stop.unpausing(), progress)
    }

    /// The kinds of limit that end a search of this player.
    fn limit_kinds(&self) -> LimitKinds {
        LimitKinds::ALL
    }

    /// Forgets what it knows from earlier searches, and starts its random numbers anew.
    fn new_game(&mut self, seed: u64);

    /// Joins the reports of independent searches of one position, whose legal moves are given, as
    /// root parallelism joins its trees; `None` if the player grows no tree.
    fn merge(&self, _legal: &[PackedMove], _reports: &[Report]) -> Option<Report> {
        None
    }

    /// A look into the tree of the last search, or of the first if there was none yet; for players
    /// that keep one.
    fn tree(&self) -> Option<Arc<dyn SearchTree>> {
        None
    }
}

/// A kind of player of one game.
#[derive(Debug)]
pub struct PlayerKind<G: Game> {
    /// The name users type.
    pub name: &'static str,
    /// One line on what it is.
    pub summary: &'static str,
    /// Makes one, with the options it takes and a seed.
    pub make: Make<G>,
}

/// How a player is made. It takes the options it knows; the caller refuses the rest.
pub type Make<G> = fn(&mut OptionList, u64) -> Result<Box<dyn Player<G>>, PlayerError>;

const fn kind<G: Game>(name: &'static str, summary: &'static str, make: Make<G>) -> PlayerKind<G> {
    PlayerKind { name, summary, make }
}

/// The players of any game that search by what the rules say.
pub fn searches<G: Repetition>() -> Vec<PlayerKind<G>> {
    vec![
        kind(
            "uct",
            "Monte Carlo tree search with random play-outs and the solver",
            |options, seed| {
                let policy = monte_carlo::random_policy(options)?;
                let config = monte_carlo::tree_search(options, monte_carlo::uct())?;
                Ok(Box::new(monte_carlo::TreePlayer::new(config, policy, seed)))
            },
        ),
        kind(
            "uct-nested",
            "UCT whose play-outs are nested Monte Carlo searches",
            |options, seed| {
                let policy = Nested::new(nested::config(options)?);
                let config = monte_carlo::tree_search(options, monte_carlo::uct())?;
                Ok(Box::new(monte_carlo::TreePlayer::new(config, policy, seed)))
            },
        ),
        kind("mcts-mr", "UCT whose play-outs see a few plies ahead by minimax", |options, seed| {
            let depth = options.take("depth", 1)?;
            let max_plies = monte_carlo::take_max_plies(options, monte_carlo::MAX_PLIES)?;
            let policy = MinimaxRollouts::new(depth, max_plies);
            let config = monte_carlo::tree_search(options, monte_carlo::uct())?;
            Ok(Box::new(monte_carlo::TreePlayer::new(config, policy, seed)))
        }),
        kind("nested", "nested Monte Carlo search by itself", |options, seed| {
            let repeat = options.take_switch("repeat", false)?;
            let config = nested::config(options)?;
            Ok(Box::new(nested::NestedPlayer::new(NestedConfig { repeat, ..config }, seed)))
        }),
    ]
}

/// The players of any game that others are compared with.
pub fn references<G: Repetition>() -> Vec<PlayerKind<G>> {
    vec![
        kind(
            "pn",
            "proof-number search: proves who wins, where that is in reach",
            |options, _seed| Ok(Box::new(proof::ProofPlayer::new(options)?)),
        ),
        kind("flat", "the same number of random play-outs for every move", |options, seed| {
            let policy = monte_carlo::random_policy(options)?;
            Ok(Box::new(monte_carlo::FlatPlayer::new(policy, seed)))
        }),
        kind("random", "uniformly random moves: the weakest reference", |_options, seed| {
            Ok(Box::new(basic::RandomPlayer::new(seed)))
        }),
    ]
}

/// The players of Lines of Action on a board of `N` times `N` squares.
pub fn loa<const N: usize>() -> Vec<PlayerKind<Loa<N>>> {
    use mc_loa::Kind::{AlphaBeta, Plain, Tuned};
    use mia::Kind::{Classic, Mia, Third};
    vec![
        kind("mia", "LOA: the alpha-beta champion, all of it", |options, seed| {
            mia::create(Mia, options, seed)
        }),
        kind("mia-classic", "LOA: mia without forward pruning", |options, seed| {
            mia::create(Classic, options, seed)
        }),
        kind("mia-iii", "LOA: mia with a plainer evaluation", |options, seed| {
            mia::create(Third, options, seed)
        }),
        kind(
            "mc-loa",
            "LOA: Monte Carlo tree search with play-outs by evaluation",
            |options, seed| mc_loa::create(Plain, options, seed),
        ),
        kind("mc-loa-t", "LOA: mc-loa with a stronger bias, keeping its tree", |options, seed| {
            mc_loa::create(Tuned, options, seed)
        }),
        kind("mc-loa-ab", "LOA: mc-loa whose play-outs search two plies", |options, seed| {
            mc_loa::create(AlphaBeta, options, seed)
        }),
    ]
}

/// The players of chess.
pub fn chess() -> Vec<PlayerKind<Chess>> {
    use mcc::Kind::{Bias, Combined, Decisive, Evaluation, Exchange, Plain, Plus, Tablebase};
    vec![
        kind(
            "mcc",
            "chess: MCC, Monte Carlo tree search with random play-outs",
            |options, seed| mcc::create(Plain, options, seed),
        ),
        kind("mcc-hp-eval", "chess: mcc with play-outs greedy by evaluation", |options, seed| {
            mcc::create(Evaluation, options, seed)
        }),
        kind(
            "mcc-hp-see",
            "chess: mcc with play-outs greedy by static exchanges",
            |options, seed| mcc::create(Exchange, options, seed),
        ),
        kind("mcc-gtb", "chess: mcc with tablebases in its play-outs", |options, seed| {
            mcc::create(Tablebase, options, seed)
        }),
        kind("mcc-decisive", "chess: mcc whose play-outs mate where they can", |options, seed| {
            mcc::create(Decisive, options, seed)
        }),
        kind("mcc-bias", "chess: mcc with progressive bias by evaluation", |options, seed| {
            mcc::create(Bias, options, seed)
        }),
        kind("mcc-combined", "chess: all of mcc together, with the solver", |options, seed| {
            mcc::create(Combined, options, seed)
        }),
        kind(
            "mcc-plus",
            "chess: evaluation at the leaves in place of play-outs",
            |options, seed| mcc::create(Plus, options, seed),
        ),
    ]
}
