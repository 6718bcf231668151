//! Monte Carlo tree search as a player, its options, and flat Monte Carlo.

use std::sync::Arc;

use spinney_game::{History, PackedMove, Repetition, Rng};
use spinney_search::flat::Flat;
use spinney_search::mcts::{
    self, Bias, ChildOrder, Config, Decision, FinalMove, Growth, Mcts, Parallelism, Proving,
    Selection, Threads,
};
use spinney_search::policy::{Policy, Random};
use spinney_search::{LimitKinds, Limits, Report, SearchTree, Stop};

use crate::Player;
use crate::options::{self, Declared, Field, Named, Role};

/// Plies after which a random playout is a draw: more than nearly all games last.
pub(crate) const MAX_PLIES: u32 = 1000;
/// The exploration coefficient of `uct`. Guess, to be tuned by matches.
const EXPLORATION: f32 = 1.0;

/// The most plies that a playout may be allowed: one that is not interrupted still takes milliseconds only.
const MOST_PLIES: u64 = 100_000;

/// Plies after which a playout is a draw.
pub(crate) fn max_plies<C: 'static>(field: Field<C, u32>) -> Declared<C> {
    options::count("max-plies", 0..=MOST_PLIES, field)
        .unit("plies")
        .help("a playout is a draw after this many plies")
}

/// The options of random playouts.
pub(crate) fn random_options() -> Vec<Declared<Random>> {
    vec![max_plies(|random: &mut Random| &mut random.max_plies)]
}

/// Memory in megabytes.
pub(crate) fn memory<C: 'static>(field: Field<C, usize>) -> Declared<C> {
    options::megabytes("memory", 1, field).help("memory for the tree")
}

/// Counts of visits and the like: more never occur.
const MANY: u64 = 1_000_000_000;

/// The options of a tree search. Those that use priors are there if the policy has some.
pub(crate) fn tree_options(has_priors: bool) -> Vec<Declared<Config>> {
    let mut all = Vec::new();
    all.extend(options::within(selection_options(), |c: &mut Config| &mut c.selection));
    if has_priors {
        all.extend(options::within(prior_options(), |c: &mut Config| &mut c.selection));
    }
    all.extend(options::within(growth_options(has_priors), |c: &mut Config| &mut c.growth));
    all.extend(options::within(proof_options(), |c: &mut Config| &mut c.proof));
    all.extend(options::within(decision_options(), |c: &mut Config| &mut c.decision));
    all.extend(options::within(thread_options(), |c: &mut Config| &mut c.threads));
    all
}

/// Which child a simulation goes to.
fn selection_options() -> Vec<Declared<Selection>> {
    vec![
        options::real("c", 0.0..=1e6, |s: &mut Selection| &mut s.exploration)
            .help("exploration coefficient C"),
        options::real_or_off("rave", 1e-3..=1e9, |s: &mut Selection| &mut s.rave)
            .help("k of RAVE: visits at which a move's own mean counts as much"),
        options::real_or_off("first-play", -2.0..=2.0, |s: &mut Selection| &mut s.first_play)
            .help("an unvisited move is worth the parent's mean less this; off: visited first"),
        options::count("policy-visits", 0..=MANY, |s: &mut Selection| &mut s.policy_visits)
            .help("the playout policy selects in nodes with at most this many visits"),
        options::real("proof-bias", 0.0..=1e6, |s: &mut Selection| &mut s.proof_bias)
            .help("weight of proof numbers in selection")
            .needs("solver", &["on"]),
    ]
}

/// What priors are used for.
fn prior_options() -> Vec<Declared<Selection>> {
    const BIASES: &[Named<Bias>] = &[
        ("losses", Bias::Losses),
        ("root", Bias::RootOfLosses),
        ("visits", Bias::Visits),
        ("puct", Bias::Polynomial),
        ("none", Bias::None),
    ];
    vec![
        options::choice("bias", BIASES, |s: &mut Selection| &mut s.bias)
            .help("what the bias by priors is divided by"),
        options::real("w", 0.0..=1e6, |s: &mut Selection| &mut s.bias_weight)
            .help("weight of the bias")
            .needs("bias", &[]),
        options::count_or_off("widening", 1..=10_000, |s: &mut Selection| &mut s.widening.first)
            .help("progressive widening: moves considered at first"),
        options::real("growth", 1.001..=1000.0, |s: &mut Selection| &mut s.widening.growth)
            .help("factor of visits that widens by one move")
            .needs("widening", &[]),
        options::count("widen-after", 0..=MANY, |s: &mut Selection| &mut s.widening.after)
            .help("visits below which all moves are considered")
            .needs("widening", &[]),
    ]
}

/// How the tree grows.
fn growth_options(has_priors: bool) -> Vec<Declared<Growth>> {
    const ORDERS: &[Named<ChildOrder>] = &[
        ("shuffled", ChildOrder::Shuffled),
        ("generated", ChildOrder::Generated),
        ("prior", ChildOrder::Prior),
    ];
    let orders = if has_priors { ORDERS } else { &ORDERS[..2] };
    vec![
        options::choice("order", orders, |g: &mut Growth| &mut g.order)
            .help("order in which the moves of a node are first tried"),
        options::count("expand-at", 1..=MANY, |g: &mut Growth| &mut g.expand_at)
            .help("visits at which a node gets children"),
        options::count_or_off("transpositions", 1..=MANY, |g: &mut Growth| &mut g.transpositions)
            .help("a new node takes the mean of a transposition with at least this many visits"),
        options::switch("reuse", |g: &mut Growth| &mut g.reuse)
            .help("keep the subtree of the moves played")
            .role(Role::Reuse),
        memory(|g: &mut Growth| &mut g.memory),
    ]
}

/// What is proven.
fn proof_options() -> Vec<Declared<Proving>> {
    vec![
        options::switch("solver", |p: &mut Proving| &mut p.solver)
            .help("prove wins, losses and draws"),
        options::switch("look-ahead", |p: &mut Proving| &mut p.look_ahead)
            .help("look for a winning move before a node gets children")
            .needs("solver", &["on"]),
        options::switch("shortest", |p: &mut Proving| &mut p.shortest)
            .help("after a proof, look for the shortest win")
            .needs("solver", &["on"]),
    ]
}

/// When the search ends and what it plays.
fn decision_options() -> Vec<Declared<Decision>> {
    const RULES: &[Named<FinalMove>] = &[
        ("visits", FinalMove::MostVisited),
        ("value", FinalMove::HighestValue),
        ("secure", FinalMove::Secure),
    ];
    vec![
        options::choice("final", RULES, |d: &mut Decision| &mut d.final_move)
            .help("the move to play: most visits, highest mean, or secure child"),
        options::real("secure", 0.0..=1e6, |d: &mut Decision| &mut d.secure)
            .help("A of the secure child, the highest v + A / sqrt(n)")
            .needs("final", &["secure"]),
        options::switch("stop-early", |d: &mut Decision| &mut d.stop_early)
            .help("stop when no move can overtake the most visited one"),
    ]
}

/// What threads do.
fn thread_options() -> Vec<Declared<Threads>> {
    const SHARED: &[Named<Parallelism>] =
        &[("root", Parallelism::Root), ("tree", Parallelism::Tree)];
    vec![
        threads(|t: &mut Threads| &mut t.number),
        options::choice("parallel", SHARED, |t: &mut Threads| &mut t.parallelism)
            .help("a tree for each thread, or one for all"),
        options::count("virtual-loss", 0..=1000, |t: &mut Threads| &mut t.virtual_loss)
            .help("losses assumed on the path of another thread")
            .needs("parallel", &["tree"]),
    ]
}

/// The number of threads.
pub(crate) fn threads<C: 'static>(field: Field<C, usize>) -> Declared<C> {
    options::count("threads", 1..=256, field).help("threads of the search").role(Role::Threads)
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
    let selection = Selection { exploration: EXPLORATION, ..Selection::default() };
    Config { selection, ..Config::default() }
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
