//! Monte Carlo tree search as a player, its options, and flat Monte Carlo.

use std::sync::Arc;

use spinney_game::{History, PackedMove, Repetition, Rng};
use spinney_search::flat::Flat;
use spinney_search::mcts::{
    self, Bias, ChildOrder, Config, FinalMove, Mcts, Parallelism, Widening,
};
use spinney_search::policy::{Policy, Random};
use spinney_search::{LimitKinds, Limits, Report, SearchTree, Stop};

use crate::Player;
use crate::options::{self, Declared, Role};

/// Plies after which a random play-out is a draw: more than nearly all games last.
pub(crate) const MAX_PLIES: u32 = 1000;
/// The exploration coefficient of `uct`. Guess, to be tuned by matches.
const EXPLORATION: f32 = 1.0;

/// The most plies that a playout may be allowed: one that is not interrupted still takes milliseconds only.
const MOST_PLIES: u64 = 100_000;

/// Plies after which a playout is a draw.
pub(crate) fn max_plies<C: 'static>(default: u32, set: fn(&mut C, u64)) -> Declared<C> {
    options::count("max-plies", 0..=MOST_PLIES, default.into(), set)
        .unit("plies")
        .help("a playout is a draw after this many plies")
}

/// The options of random playouts.
pub(crate) fn random_options(default: &Random) -> Vec<Declared<Random>> {
    vec![max_plies(default.max_plies, |random: &mut Random, plies| {
        random.max_plies = plies as u32;
    })]
}

/// Memory in megabytes.
pub(crate) fn memory<C: 'static>(default: usize, set: fn(&mut C, usize)) -> Declared<C> {
    options::megabytes("memory", 1, default, set).help("memory for the tree")
}

/// Counts of visits and the like: more never occur.
const MANY: u64 = 1_000_000_000;

/// The options of a tree search. Those that use priors are there if the policy has some.
pub(crate) fn tree_options(default: &Config, has_priors: bool) -> Vec<Declared<Config>> {
    let mut all = selection_options(default);
    if has_priors {
        all.extend(prior_options(default));
    }
    let orders = if has_priors { ORDERS } else { &ORDERS[..2] };
    all.push(
        options::choice("order", orders, default.order, |c: &mut Config, order| c.order = order)
            .help("order in which the moves of a node are first tried"),
    );
    all.extend(growth_options(default));
    all.extend(proof_options(default));
    all.extend(decision_options(default));
    all.extend(thread_options(default));
    all
}

/// The last needs priors.
const ORDERS: &[(&str, ChildOrder)] = &[
    ("shuffled", ChildOrder::Shuffled),
    ("generated", ChildOrder::Generated),
    ("prior", ChildOrder::Prior),
];

/// Which child a simulation goes to.
fn selection_options(default: &Config) -> Vec<Declared<Config>> {
    vec![
        options::real("c", 0.0..=1e6, default.exploration, |c: &mut Config, x| c.exploration = x)
            .help("exploration coefficient C"),
        options::real_or_off("rave", 1e-3..=1e9, default.rave, |c: &mut Config, k| c.rave = k)
            .help("k of RAVE: visits at which a move's own mean counts as much"),
        options::real_or_off("first-play", -2.0..=2.0, default.first_play, |c: &mut Config, x| {
            c.first_play = x;
        })
        .help("an unvisited move is worth the parent's mean less this; off: visited first"),
        options::count(
            "policy-visits",
            0..=MANY,
            default.policy_visits.into(),
            |c: &mut Config, n| {
                c.policy_visits = n as u32;
            },
        )
        .help("the playout policy selects in nodes with at most this many visits"),
    ]
}

/// What priors are used for.
fn prior_options(default: &Config) -> Vec<Declared<Config>> {
    let Widening { first, growth, after } = default.widening.unwrap_or(WIDENING);
    vec![
        options::choice(
            "bias",
            &[
                ("losses", Bias::Losses),
                ("root", Bias::RootOfLosses),
                ("visits", Bias::Visits),
                ("puct", Bias::Polynomial),
                ("none", Bias::None),
            ],
            default.bias,
            |c: &mut Config, bias| c.bias = bias,
        )
        .help("what the bias by priors is divided by"),
        options::real("w", 0.0..=1e6, default.bias_weight, |c: &mut Config, w| c.bias_weight = w)
            .help("weight of the bias")
            .needs("bias", &[]),
        options::count_or_off(
            "widening",
            1..=10_000,
            default.widening.map(|_| first.into()),
            |c: &mut Config, first| {
                c.widening = first.map(|first| Widening { first: first as u32, ..WIDENING });
            },
        )
        .help("progressive widening: moves considered at first"),
        options::real("growth", 1.001..=1000.0, growth, |c: &mut Config, growth| {
            c.widening.iter_mut().for_each(|widening| widening.growth = growth);
        })
        .help("factor of visits that widens by one move")
        .needs("widening", &[]),
        options::count("widen-after", 0..=MANY, after.into(), |c: &mut Config, after| {
            c.widening.iter_mut().for_each(|widening| widening.after = after as u32);
        })
        .help("visits below which all moves are considered")
        .needs("widening", &[]),
    ]
}

/// Unpruning, where widening is asked for. Growth is a guess.
const WIDENING: Widening = Widening { first: 1, growth: 1.4, after: 0 };

/// How the tree grows.
fn growth_options(default: &Config) -> Vec<Declared<Config>> {
    vec![
        options::count("expand-at", 0..=MANY, default.expand_at.into(), |c: &mut Config, n| {
            c.expand_at = n as u32;
        })
        .help("visits at which a node gets children"),
        options::count_or_off(
            "transpositions",
            1..=MANY,
            default.transpositions.map(u64::from),
            |c: &mut Config, n| c.transpositions = n.map(|n| n as u32),
        )
        .help("a new node takes the mean of a transposition with at least this many visits"),
        options::switch("reuse", default.reuse, |c: &mut Config, on| c.reuse = on)
            .help("keep the subtree of the moves played")
            .role(Role::Reuse),
        memory(default.memory, |c: &mut Config, bytes| c.memory = bytes),
    ]
}

/// What is proven.
fn proof_options(default: &Config) -> Vec<Declared<Config>> {
    vec![
        options::switch("solver", default.solver, |c: &mut Config, on| c.solver = on)
            .help("prove wins, losses and draws"),
        options::switch("look-ahead", default.look_ahead, |c: &mut Config, on| c.look_ahead = on)
            .help("look for a winning move before a node gets children"),
        options::switch("shortest", default.shortest, |c: &mut Config, on| c.shortest = on)
            .help("after a proof, look for the shortest win"),
        options::real("proof-bias", 0.0..=1e6, default.proof_bias, |c: &mut Config, w| {
            c.proof_bias = w;
        })
        .help("weight of proof numbers in selection"),
    ]
}

/// When the search ends and what it plays.
fn decision_options(default: &Config) -> Vec<Declared<Config>> {
    vec![
        options::choice(
            "final",
            &[
                ("visits", FinalMove::MostVisited),
                ("value", FinalMove::HighestValue),
                ("secure", FinalMove::Secure),
            ],
            default.final_move,
            |c: &mut Config, rule| c.final_move = rule,
        )
        .help("the move to play: most visits, highest mean, or secure child"),
        options::real("secure", 0.0..=1e6, default.secure, |c: &mut Config, a| c.secure = a)
            .help("A of the secure child, the highest v + A / sqrt(n)")
            .needs("final", &["secure"]),
        options::switch("stop-early", default.stop_early, |c: &mut Config, on| c.stop_early = on)
            .help("stop when no move can overtake the most visited one"),
    ]
}

/// What threads do.
fn thread_options(default: &Config) -> Vec<Declared<Config>> {
    vec![
        threads(default.threads, |c: &mut Config, threads| c.threads = threads as usize),
        options::choice(
            "parallel",
            &[("root", Parallelism::Root), ("tree", Parallelism::Tree)],
            default.parallelism,
            |c: &mut Config, parallelism| c.parallelism = parallelism,
        )
        .help("a tree for each thread, or one for all"),
        options::count(
            "virtual-loss",
            0..=1000,
            default.virtual_loss.into(),
            |c: &mut Config, n| {
                c.virtual_loss = n as u32;
            },
        )
        .help("losses assumed on the path of another thread")
        .needs("parallel", &["tree"]),
    ]
}

/// The number of threads.
pub(crate) fn threads<C: 'static>(default: usize, set: fn(&mut C, u64)) -> Declared<C> {
    options::count("threads", 1..=256, default as u64, set)
        .help("threads of the search")
        .role(Role::Threads)
}

/// Tree search with any policy.
pub(crate) struct TreePlayer<G: Repetition> {
    search: Mcts<G>,
    config: Config,
}

impl<G: Repetition> TreePlayer<G> {
    pub(crate) fn new(config: Config, policy: impl Policy<G> + 'static, seed: u64) -> Self {
        TreePlayer { search: Mcts::new(config.clone(), policy, seed), config }
    }
}

impl<G: Repetition> Player<G> for TreePlayer<G> {
    fn analyse(
        &mut self,
        history: &History<G>,
        limits: &Limits,
        stop: &Stop,
        progress: &mut dyn FnMut(&Report),
    ) -> Report {
        self.search.search(history, limits, stop, progress)
    }

    fn resume(
        &mut self,
        history: &History<G>,
        limits: &Limits,
        stop: &Stop,
        progress: &mut dyn FnMut(&Report),
    ) -> Report {
        self.search.resume(history, limits, stop, progress)
    }

    fn limit_kinds(&self) -> LimitKinds {
        LimitKinds::NO_DEPTH
    }

    fn new_game(&mut self, seed: u64) {
        self.search.new_game(seed);
    }

    fn tree(&self) -> Option<Arc<dyn SearchTree>> {
        Some(self.search.tree())
    }

    fn merge(&self, legal: &[PackedMove], reports: &[Report]) -> Option<Report> {
        Some(mcts::merge(&self.config, legal, reports))
    }
}

/// Plain UCT, as the reference of paper `nmcs`.
pub(crate) fn uct() -> Config {
    Config { exploration: EXPLORATION, ..Config::default() }
}

/// Flat Monte Carlo.
pub(crate) struct FlatPlayer {
    policy: Random,
    rng: Rng,
    /// The last search.
    search: Option<Flat>,
}

impl FlatPlayer {
    pub(crate) fn new(policy: Random, seed: u64) -> Self {
        FlatPlayer { policy, rng: Rng::new(seed), search: None }
    }
}

impl<G: Repetition> Player<G> for FlatPlayer {
    fn analyse(
        &mut self,
        history: &History<G>,
        limits: &Limits,
        stop: &Stop,
        progress: &mut dyn FnMut(&Report),
    ) -> Report {
        self.search = Some(Flat::new(history, stop));
        Player::<G>::resume(self, history, limits, stop, progress)
    }

    fn resume(
        &mut self,
        history: &History<G>,
        limits: &Limits,
        stop: &Stop,
        _progress: &mut dyn FnMut(&Report),
    ) -> Report {
        let search = self.search.get_or_insert_with(|| Flat::new(history, stop));
        search.run(history, &mut self.policy, limits, stop, &mut self.rng)
    }

    fn limit_kinds(&self) -> LimitKinds {
        LimitKinds::NO_DEPTH
    }

    fn new_game(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
    }
}
