//! The named players: a search joined with what a game knows.
//!
//! A player is named as `name` or `name:key=value,key=value` ([`PlayerSpec`]). A [`PlayerKind`] makes
//! players of one game; [`searches`] and [`references`] are there for every game, [`loa`] and [`chess`]
//! for these. What joins games and players by name is the session, one crate up.

mod algorithm;
mod basic;
mod levels;
mod loa_evaluation;
mod mc_loa;
mod mcc;
mod mia;
mod monte_carlo;
mod nested;
pub mod options;
mod proof;
mod prover;
mod solvers;
mod spec;

use std::sync::Arc;

use spinney_game::{Game, History, PackedMove, Repetition, Symmetric};
use spinney_games::chess::Chess;
use spinney_games::loa::Loa;
use spinney_search::mcts::Config;
use spinney_search::nested::Nested;
use spinney_search::policy::{MinimaxRollouts, Random};
use spinney_search::{LimitKinds, Limits, Report, SearchTree, Stop};

pub use algorithm::{Algorithm, Solver};
pub use levels::{LEVEL, LEVELS, Level, levels};
use monte_carlo::TreePlayer;
use options::Declared;
pub use options::{Need, OptionInfo, OptionKind, Role};
pub use solvers::{Prover, Solvers, loa_solvers};
pub use spec::{PlayerError, PlayerSpec};

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

/// A kind of player of one game: what it is, what it can be told, and how it is made.
pub struct PlayerKind<G: Game> {
    /// The name users type.
    pub name: &'static str,
    /// One line on what it is.
    pub summary: &'static str,
    recipe: Box<dyn Recipe<G>>,
}

/// How a player is built from its settings.
pub type Build<G, C> = fn(C, Seat<'_>) -> Result<Box<dyn Player<G>>, PlayerError>;

/// Where a player is made.
#[derive(Clone, Copy, Debug)]
pub struct Seat<'a> {
    /// What was asked for; its options are applied already.
    pub spec: &'a PlayerSpec,
    /// The seed of its random numbers.
    pub seed: u64,
}

impl<G: Game> PlayerKind<G> {
    /// A kind of player with settings `C`: what they are by default, how options change them, and what
    /// is built from them.
    pub fn new<C: Clone + Send + Sync + 'static>(
        name: &'static str,
        summary: &'static str,
        default: C,
        declare: fn() -> Vec<Declared<C>>,
        build: Build<G, C>,
    ) -> Self {
        PlayerKind { name, summary, recipe: Box::new(Settled { default, declare, build }) }
    }

    /// The options, after those of a spec were checked. A sandbox has no paths.
    pub fn options(&self, spec: &PlayerSpec) -> Result<Vec<OptionInfo>, PlayerError> {
        let mut options = self.recipe.options(spec)?;
        options.retain(|option| option.role != Role::Path || !spec.is_sandboxed());
        Ok(options)
    }

    /// Makes a player.
    pub fn make(&self, spec: &PlayerSpec, seed: u64) -> Result<Box<dyn Player<G>>, PlayerError> {
        self.recipe.make(Seat { spec, seed })
    }
}

/// A kind of player, whatever its settings are.
trait Recipe<G: Game>: Send + Sync {
    fn options(&self, spec: &PlayerSpec) -> Result<Vec<OptionInfo>, PlayerError>;
    fn make(&self, seat: Seat<'_>) -> Result<Box<dyn Player<G>>, PlayerError>;
}

struct Settled<G: Game, C> {
    default: C,
    declare: fn() -> Vec<Declared<C>>,
    build: Build<G, C>,
}

impl<G: Game, C: Clone + Send + Sync + 'static> Recipe<G> for Settled<G, C> {
    fn options(&self, spec: &PlayerSpec) -> Result<Vec<OptionInfo>, PlayerError> {
        let declared = (self.declare)();
        options::apply(spec, &declared, &mut self.default.clone())?;
        Ok(options::list(&declared, &mut self.default.clone()))
    }

    fn make(&self, seat: Seat<'_>) -> Result<Box<dyn Player<G>>, PlayerError> {
        let mut settings = self.default.clone();
        options::apply(seat.spec, &(self.declare)(), &mut settings)?;
        (self.build)(settings, seat)
    }
}

/// A tree search, and the settings of its playouts.
#[derive(Clone)]
struct WithTree<P> {
    playouts: P,
    tree: Config,
}

impl<P: Clone + Send + Sync + 'static> WithTree<P> {
    /// UCT with these playouts.
    fn uct(playouts: P) -> Self {
        WithTree { playouts, tree: monte_carlo::uct() }
    }

    /// The options of both.
    fn declare(playouts: Vec<Declared<P>>) -> Vec<Declared<Self>> {
        let tree = monte_carlo::tree_options(false);
        options::within(playouts, |settings: &mut Self| &mut settings.playouts)
            .chain(options::within(tree, |settings: &mut Self| &mut settings.tree))
            .collect()
    }
}

/// The settings of minimax rollouts.
#[derive(Clone)]
struct Rollouts {
    depth: u32,
    avoid_losses: bool,
    max_plies: u32,
}

fn rollout_options() -> Vec<Declared<Rollouts>> {
    vec![
        options::count("depth", 0..=100, |rollouts: &mut Rollouts| &mut rollouts.depth)
            .unit("plies")
            .help("depth of the minimax search before each move of a playout"),
        options::switch("avoid-losses", |rollouts: &mut Rollouts| &mut rollouts.avoid_losses)
            .help("avoid moves seen to lose; off: look for wins only, as in Table 5 of nmcs"),
        monte_carlo::max_plies(|rollouts: &mut Rollouts| &mut rollouts.max_plies),
    ]
}

/// The players of any game that search by what the rules say.
pub fn searches<G: Repetition>() -> Vec<PlayerKind<G>> {
    let random = Random { max_plies: monte_carlo::MAX_PLIES };
    vec![
        PlayerKind::new(
            "uct",
            "Monte Carlo tree search with random playouts and the solver",
            WithTree::uct(random),
            || WithTree::declare(monte_carlo::random_options()),
            |WithTree { playouts, tree }, seat| {
                Ok(Box::new(TreePlayer::new(tree, playouts, seat.seed)))
            },
        ),
        PlayerKind::new(
            "uct-nested",
            "UCT whose playouts are nested Monte Carlo searches",
            WithTree::uct(nested::default_config()),
            || WithTree::declare(nested::nested_options()),
            |WithTree { playouts, tree }, seat| {
                Ok(Box::new(TreePlayer::new(tree, Nested::new(playouts), seat.seed)))
            },
        ),
        PlayerKind::new(
            "mcts-mr",
            "UCT whose playouts see a few plies ahead by minimax",
            WithTree::uct(Rollouts {
                depth: 1,
                avoid_losses: true,
                max_plies: monte_carlo::MAX_PLIES,
            }),
            || WithTree::declare(rollout_options()),
            |WithTree { playouts: Rollouts { depth, avoid_losses, max_plies }, tree }, seat| {
                let policy = MinimaxRollouts::new(depth, max_plies);
                let policy = if avoid_losses { policy } else { policy.wins_only() };
                Ok(Box::new(TreePlayer::new(tree, policy, seat.seed)))
            },
        ),
        PlayerKind::new(
            "nested",
            "nested Monte Carlo search by itself",
            nested::default_config(),
            nested::player_options,
            |config, seat| Ok(Box::new(nested::NestedPlayer::new(config, seat.seed))),
        ),
    ]
}

/// The players of any game that others are compared with.
pub fn references<G: Repetition + Symmetric>() -> Vec<PlayerKind<G>> {
    vec![
        PlayerKind::new(
            "pn",
            "proof-number search: proves who wins, where that is in reach",
            proof::Memory::default(),
            proof::proof_options,
            |memory, seat| {
                let player = proof::ProofPlayer::new(memory);
                Ok(Box::new(player.map_err(|problem| seat.spec.error(problem))?))
            },
        ),
        PlayerKind::new(
            "flat",
            "the same number of random playouts for every move",
            Random { max_plies: monte_carlo::MAX_PLIES },
            monte_carlo::random_options,
            |random, seat| Ok(Box::new(monte_carlo::FlatPlayer::new(random, seat.seed))),
        ),
        PlayerKind::new(
            "random",
            "uniformly random moves: the weakest reference",
            (),
            Vec::new,
            |(), seat| Ok(Box::new(basic::RandomPlayer::new(seat.seed))),
        ),
    ]
}

/// The players of Lines of Action on a board of `N` times `N` squares.
pub fn loa<const N: usize>() -> Vec<PlayerKind<Loa<N>>> {
    let alpha_beta = |name, summary, kind| {
        let settings = mia::Settings::new(kind, N);
        PlayerKind::new(name, summary, settings, mia::declare, |settings, seat| {
            mia::build(settings, seat.seed).map_err(|problem| seat.spec.error(problem))
        })
    };
    let monte_carlo = |name, summary, settings| {
        PlayerKind::new(name, summary, settings, mc_loa::declare, |settings, seat| {
            mc_loa::build(settings, seat.seed).map_err(|problem| seat.spec.error(problem))
        })
    };
    use mia::Kind::{Classic, Mia, Plus, Spinney, Third};
    let [plain, tuned, two_ply] =
        [mc_loa::Kind::Plain, mc_loa::Kind::Tuned, mc_loa::Kind::AlphaBeta]
            .map(|kind| mc_loa::Settings::new(kind, N));
    vec![
        alpha_beta("spinney", "LOA: alpha-beta with a learned evaluation; the strongest", Spinney),
        alpha_beta("mia-plus", "LOA: mia that also detects winning moves and threats", Plus),
        alpha_beta("mia", "MIA 4.5 (LOA): alpha-beta with all enhancements", Mia),
        alpha_beta("mia-classic", "LOA: mia without forward pruning", Classic),
        alpha_beta("mia-iii", "LOA: mia with a plainer evaluation", Third),
        monte_carlo(
            "mc-loa-plus",
            "LOA: mc-loa with proof numbers and wins detected at leaves",
            plain.clone().plus(),
        ),
        monte_carlo("mc-loa", "MC-LOA: Monte Carlo tree search with playouts by evaluation", plain),
        monte_carlo(
            "mc-loa-t-plus",
            "LOA: mc-loa-t with proof numbers and wins detected at leaves",
            tuned.clone().plus(),
        ),
        monte_carlo("mc-loa-t", "MC-LOA-T: mc-loa with a stronger bias, keeping its tree", tuned),
        monte_carlo(
            "mc-loa-ab-plus",
            "LOA: mc-loa-ab with proof numbers and wins detected at leaves",
            two_ply.clone().plus(),
        ),
        monte_carlo("mc-loa-ab", "MC-LOA-αβ: mc-loa whose playouts search two plies", two_ply),
    ]
}

/// The players of chess.
pub fn chess() -> Vec<PlayerKind<Chess>> {
    use mcc::Kind::{Bias, Combined, Decisive, Evaluation, Exchange, Plain, Tablebase};
    let mcc = |name, summary, kind| {
        PlayerKind::new(name, summary, mcc::Settings::new(kind), mcc::declare, mcc::build)
    };
    vec![
        mcc("mcc", "MCC (chess): Monte Carlo tree search with random playouts", Plain),
        mcc("mcc-hp-eval", "chess: mcc with playouts greedy by evaluation", Evaluation),
        mcc("mcc-hp-see", "chess: mcc with playouts greedy by static exchanges", Exchange),
        mcc("mcc-gtb", "chess: mcc with tablebases in its playouts", Tablebase),
        mcc("mcc-decisive", "chess: mcc whose playouts mate where they can", Decisive),
        mcc("mcc-bias", "chess: mcc with progressive bias by evaluation", Bias),
        mcc("mcc-combined", "chess: all of mcc together, with the solver", Combined),
        PlayerKind::new(
            "mcc-plus",
            "chess: PUCT with evaluation at the leaves in place of playouts",
            mcc::plus::Settings::default(),
            mcc::plus::declare,
            mcc::plus::build,
        ),
    ]
}
