//! Monte Carlo tree search with a solver (paper `mcts-loa`, sections III and IV), for any game and
//! any playout policy.
//!
//! - `config.rs`: the options. `node.rs`: results, proofs. `tree.rs`: the arena.
//! - `effort.rs`: proof numbers. `worker.rs`: simulations of one thread. `select.rs`: the selection
//!   formula. `shortest.rs`: the shortest win. `root.rs`: trees added up, and the final move.
//!   `view.rs`: what a tree says of a move, and a look into it.
//! - this file: threads, limits, snapshots.
//!
//! With one thread and a limit on simulations or positions, a search depends on the seed alone, bit
//! for bit on every machine. Repetition: a node of the tree is one sequence of moves, so whether its
//! position repeats is a fact about the node, and proofs hold with the history of the game.
//!
//! ```
//! # mod race { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/race/game.rs")); }
//! # use race::Race;
//! use spinney_game::History;
//! use spinney_search::mcts::{Config, FinalMove, Mcts, Selection};
//! use spinney_search::{GameValue, Limits, Stop, policy::Random};
//!
//! // The options are grouped by what they are about; what is not named keeps its default.
//! let mut config = Config { selection: Selection { exploration: 2.0, ..Selection::default() }, ..Config::default() };
//! config.decision.final_move = FinalMove::Secure;
//! let mut uct = Mcts::new(config, Random::default(), 1);
//! let report = uct.search(&History::new(Race::START), &Limits::simulations(10_000), &Stop::new(), &mut |_| ());
//! assert_eq!((report.best, report.proven), (Some(1), Some(GameValue::Win)));
//! ```

mod config;
mod effort;
mod node;
mod root;
mod select;
mod shortest;
mod transpositions;
mod tree;
mod view;
mod worker;

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use spinney_game::{History, Move, PackedMove, Repetition, Rng};

pub use self::config::{
    Bias, ChildOrder, Config, Decision, FinalMove, Growth, Parallelism, Proving, Selection,
    Threads, Widening,
};
use self::node::Proof;
use self::select::Selector;
use self::shortest::Shortest;
use self::tree::{Index, Options, ROOT, Tree};
use self::view::View;
use self::worker::{BATCH, Buffers, Share, Simulator, Start, Worker};
use crate::policy::Policy;
use crate::threads::{self, Job};
use crate::{Budget, GameValue, Limits, Report, SearchTree, Stop};

/// Time between two calls of `progress`.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);
/// Simulations between two looks whether the search is decided. Fixed, so that searches repeat.
const DECISION_STRIDE: u64 = 256;
/// How much faster than so far simulations may become before a limit on time is misjudged. Guess.
const ACCELERATION: f64 = 1.25;

/// Positions that the search for a shorter win may look at: a second or so.
const MOST_POSITIONS: u64 = 1_000_000;

/// A Monte Carlo tree search that can be asked again and again.
pub struct Mcts<G: Repetition> {
    config: Config,
    policy: Box<dyn Policy<G>>,
    rng: Rng,
    /// Shared with those who look into them.
    trees: Vec<Arc<Tree>>,
    /// For the subtree that is kept between moves.
    spare: Option<Arc<Tree>>,
    /// The game at the root of the trees.
    root: Option<History<G>>,
    /// What the last search has done.
    done: Done,
}

/// What a search has done, to go on from there after a pause.
#[derive(Default)]
struct Done {
    /// By the clock of the host.
    started: Duration,
    shares: Vec<Share>,
    playout_plies: u64,
}

impl<G: Repetition> Mcts<G> {
    /// A search with empty trees.
    pub fn new(config: Config, policy: impl Policy<G> + 'static, seed: u64) -> Self {
        let trees = match config.threads.parallelism {
            Parallelism::Root => config.threads.number.max(1),
            Parallelism::Tree => 1,
        };
        let kept = usize::from(config.growth.reuse && trees == 1);
        let bytes = config.growth.memory / (trees + kept);
        let options = Options {
            solver: config.proof.solver,
            priors: config.needs_priors(),
            rave: config.selection.rave.is_some(),
            efforts: config.needs_efforts(),
            transpositions: config.growth.transpositions.is_some(),
        };
        Mcts {
            policy: Box::new(policy),
            rng: Rng::new(seed),
            trees: (0..trees).map(|_| Arc::new(Tree::new(bytes, options))).collect(),
            spare: (kept > 0).then(|| Arc::new(Tree::new(bytes, options))),
            root: None,
            done: Done::default(),
            config,
        }
    }

    /// Forgets all trees and starts the random numbers anew.
    pub fn new_game(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
        self.root = None;
    }

    /// Searches the present position of a game. `progress` gets a snapshot now and then.
    pub fn search(
        &mut self,
        history: &History<G>,
        limits: &Limits,
        stop: &Stop,
        progress: &mut dyn FnMut(&Report),
    ) -> Report {
        let started = stop.now();
        if history.outcome().is_some() {
            return Report::empty();
        }
        self.place_root(history);
        self.policy.begin(history.position());
        let seed = self.rng.next_u64();
        let threads = stop.threads(self.config.threads.number) as u64;
        let shares = (0..threads).map(|thread| Share::new(Rng::stream(seed, thread))).collect();
        self.done = Done { started, shares, playout_plies: 0 };
        self.go_on(history, limits, stop, progress)
    }

    /// Goes on with the last search, if it was one of this position and paused. The limits are those
    /// of the whole search; with one thread it finds the same as without pauses, unless its policy
    /// remembers something from playout to playout.
    pub fn resume(
        &mut self,
        history: &History<G>,
        limits: &Limits,
        stop: &Stop,
        progress: &mut dyn FnMut(&Report),
    ) -> Report {
        let since = self.root.as_ref().and_then(|root| history.moves_after(root));
        if since.is_none_or(|moves| !moves.is_empty()) {
            return self.search(history, limits, stop, progress);
        }
        self.go_on(history, limits, stop, progress)
    }

    fn go_on(
        &mut self,
        history: &History<G>,
        limits: &Limits,
        stop: &Stop,
        progress: &mut dyn FnMut(&Report),
    ) -> Report {
        let mut legal = Vec::new();
        history.position().legal_moves(&mut legal);
        let shares = std::mem::take(&mut self.done.shares);
        let total = |part: fn(&Share) -> u64| AtomicU64::new(shares.iter().map(part).sum());
        let mut config = self.config.clone();
        config.threads.number = shares.len();
        let search = Search {
            config: &config,
            trees: &self.trees,
            legal: legal.into_iter().map(Move::pack).collect(),
            limits: *limits,
            started: self.done.started,
            simulations: total(|share| share.simulations),
            playout_plies: AtomicU64::new(self.done.playout_plies),
            nodes: total(|share| share.nodes),
            stop,
            all_stop: stop.sibling(),
        };
        let worker = |(thread, share)| match self.policy.uniform() {
            Some(random) => worker::<G, _, true>(&search, history, random, thread, share),
            None => worker::<G, _, false>(&search, history, self.policy.clone(), thread, share),
        };
        let workers: Vec<_> = shares.into_iter().enumerate().map(worker).collect();
        let shares = search.run(workers, progress);
        if self.config.proof.shortest && self.config.proof.solver && !stop.is_paused() {
            search.shorten_win(&mut self.policy, history);
        }
        let report = search.report();
        self.done = Done { started: search.started, shares, playout_plies: report.playout_plies };
        report
    }

    /// A look into the trees of the last search, or of the first if there was none yet. Later
    /// searches leave them as they are.
    pub fn tree(&self) -> Arc<dyn SearchTree> {
        Arc::new(View(self.trees.clone()))
    }

    /// Makes the trees start at the present position, with what is known of it if that is wanted.
    fn place_root(&mut self, history: &History<G>) {
        let known = if self.config.growth.reuse { self.find_subtree(history) } else { None };
        match (known, &mut self.spare) {
            (Some(ROOT), _) => {}
            (Some(index), Some(spare)) => {
                Tree::renew(spare);
                self.trees[0].copy_subtree(index, spare);
                std::mem::swap(&mut self.trees[0], spare);
            }
            _ => self.trees.iter_mut().for_each(Tree::renew),
        }
        self.root = Some(history.clone());
    }

    /// The node of the present position in the tree of the last search, found by following the moves
    /// since then.
    fn find_subtree(&self, history: &History<G>) -> Option<Index> {
        let tree = &self.trees[0];
        let mut index = ROOT;
        for &m in history.moves_after(self.root.as_ref()?)? {
            let node = tree.node(index);
            let m = m.pack();
            let offset = tree.children(node).iter().position(|child| child.packed_move() == m)?;
            index = node.first_child() + offset as Index;
        }
        // A value that was known without a search does not tell the move that has it.
        let node = tree.node(index);
        (node.is_expanded() || !node.proof().is_exact()).then_some(index)
    }
}

/// Joins the reports of searches of one position that knew nothing of each other, as root parallelism
/// joins its trees; `legal` are the moves there.
pub fn merge(config: &Config, legal: &[PackedMove], reports: &[Report]) -> Report {
    let proven = reports.iter().find_map(|report| report.proven.zip(report.plies));
    let trees: Vec<_> = reports.iter().map(|report| report.candidates.clone()).collect();
    Report {
        simulations: reports.iter().map(|report| report.simulations).sum(),
        nodes: reports.iter().map(|report| report.nodes).sum(),
        elapsed: reports.iter().map(|report| report.elapsed).max().unwrap_or_default(),
        ..root::choose(config, root::add_up(legal, &trees), proven)
    }
}

/// The share of one thread in a search.
fn worker<'a, G: Repetition, P: Policy<G> + 'a, const INLINED: bool>(
    search: &Search<'a>,
    history: &'a History<G>,
    policy: P,
    thread: usize,
    share: Share,
) -> Box<dyn Simulator + Send + 'a> {
    let tree = &search.trees[thread.min(search.trees.len() - 1)];
    let stop = if search.config.threads.number <= 1 { search.stop } else { &search.all_stop };
    let (root, path) = (history.position(), history.path());
    Box::new(Worker::<'a, G, P, INLINED> {
        config: search.config,
        selector: Selector::new(search.config),
        shared: search.is_shared(),
        tree,
        root_path_length: path.len(),
        start: Start::at_root(root, path),
        root,
        path: path.clone(),
        policy,
        budget: Budget::resumed(&search.share(), stop, search.started, share.nodes)
            .after_uncounted(share.uncounted),
        share,
        buffers: Buffers::new(tree.node(ROOT)),
    })
}

/// A search that runs: what its threads share. It knows the game by its [`Simulator`]s only, so that it
/// is compiled once for all games.
struct Search<'a> {
    config: &'a Config,
    trees: &'a [Arc<Tree>],
    /// The moves of the root.
    legal: Vec<PackedMove>,
    limits: Limits,
    /// By the clock of the host.
    started: Duration,
    /// Done by all threads.
    simulations: AtomicU64,
    playout_plies: AtomicU64,
    /// Positions, as the limit on them counts.
    nodes: AtomicU64,
    /// Ends the search.
    stop: &'a Stop,
    /// Ends all threads: the first to prove the root sets it.
    all_stop: Stop,
}

impl Search<'_> {
    /// The limits of one thread: its share of the positions, all of the time.
    fn share(&self) -> Limits {
        let threads = self.config.threads.number.max(1) as u64;
        Limits { nodes: self.limits.nodes.map(|nodes| nodes.div_ceil(threads)), ..self.limits }
    }

    /// Runs until something ends the search, in this thread if there is one simulator only.
    fn run(
        &self,
        mut simulators: Vec<Box<dyn Simulator + Send + '_>>,
        progress: &mut dyn FnMut(&Report),
    ) -> Vec<Share> {
        let mut next_progress = self.stop.now() + PROGRESS_INTERVAL;
        let mut between = || {
            let now = self.stop.now();
            if now >= next_progress {
                progress(&self.report());
                next_progress = now + PROGRESS_INTERVAL;
            }
        };
        match &mut simulators[..] {
            [alone] => {
                let quota = self.limits.simulations.unwrap_or(u64::MAX);
                self.work(&mut **alone, 0, quota, &mut between);
            }
            several => self.run_threads(several, &mut between),
        }
        simulators.into_iter().map(|simulator| simulator.into_share()).collect()
    }

    /// Several threads; this one waits and reports.
    fn run_threads(
        &self,
        simulators: &mut [Box<dyn Simulator + Send + '_>],
        between: &mut dyn FnMut(),
    ) {
        if self.is_shared() {
            simulators.iter_mut().take(1).for_each(|first| first.open_root());
        }
        let mut running = simulators.len();
        let (sender, finished) = mpsc::channel();
        let job = |(thread, simulator)| {
            let sender = sender.clone();
            Box::new(move || {
                self.work_in_thread(simulator, thread);
                // The receiver lives until all threads are done.
                let _ = sender.send(());
            }) as Job<'_>
        };
        let jobs = simulators.iter_mut().map(|simulator| &mut **simulator).enumerate().map(job);
        threads::beside(jobs.collect(), &mut || {
            while running > 0 {
                // Short enough to pass on a stop at once.
                match finished.recv_timeout(Duration::from_millis(2)) {
                    Ok(()) => running -= 1,
                    Err(mpsc::RecvTimeoutError::Timeout) => {}
                    Err(mpsc::RecvTimeoutError::Disconnected) => break,
                }
                if self.stop.is_set() {
                    self.all_stop.stop();
                }
                if running > 0 {
                    between();
                }
            }
        });
    }

    /// The work of one thread of several.
    fn work_in_thread(&self, simulator: &mut (dyn Simulator + Send + '_), thread: usize) {
        let total = self.limits.simulations.unwrap_or(u64::MAX);
        let quota = match self.config.threads.parallelism {
            Parallelism::Root => {
                let (threads, thread) = (self.config.threads.number as u64, thread as u64);
                total / threads + u64::from(thread < total % threads)
            }
            Parallelism::Tree => total,
        };
        self.work(simulator, thread, quota, &mut || ());
        if self.root_is_proven(thread) {
            self.all_stop.stop();
        }
    }

    /// Whether all threads work on one tree.
    fn is_shared(&self) -> bool {
        self.config.threads.number > 1 && self.config.threads.parallelism == Parallelism::Tree
    }

    /// The tree that a thread works on.
    fn tree(&self, thread: usize) -> &Tree {
        &self.trees[thread.min(self.trees.len() - 1)]
    }

    /// Simulations of one thread until something ends the search. In a shared tree the quota is that
    /// of all threads together.
    fn work(
        &self,
        simulator: &mut dyn Simulator,
        thread: usize,
        quota: u64,
        between: &mut dyn FnMut(),
    ) {
        let shared = self.is_shared();
        loop {
            let own = simulator.share().simulations;
            let done = if shared { self.simulations.load(Relaxed) } else { own };
            let remaining = quota.saturating_sub(done);
            if remaining == 0 || self.is_decided(thread, || remaining.min(self.expected(done))) {
                return;
            }
            // Threads that share a quota take small parts of it, so that they end together.
            let wanted =
                if shared { self.claim(BATCH, quota) } else { remaining.min(DECISION_STRIDE) };
            let did = simulator.run(wanted);
            let budget = simulator.budget();
            let (visited, playout_plies) = (budget.visited(), budget.take_playout_plies());
            let uncounted = budget.uncounted();
            let share = simulator.share();
            self.nodes.fetch_add(visited - share.nodes, Relaxed);
            self.playout_plies.fetch_add(playout_plies, Relaxed);
            share.nodes = visited;
            share.uncounted = uncounted;
            share.simulations += did;
            if shared {
                self.simulations.fetch_sub(wanted - did, Relaxed);
            } else {
                self.simulations.fetch_add(did, Relaxed);
            }
            if did < wanted {
                return;
            }
            between();
        }
    }

    /// Takes up to `wanted` simulations from a quota that all threads share.
    fn claim(&self, wanted: u64, quota: u64) -> u64 {
        let part = |done: u64| wanted.min(quota.saturating_sub(done));
        let claim = |done: u64| Some(done + part(done));
        self.simulations.fetch_update(Relaxed, Relaxed, claim).map_or(0, part)
    }

    /// The simulations that the time left allows at the most, after `done` in the time so far.
    fn expected(&self, done: u64) -> u64 {
        let Some(time) = self.limits.time else { return u64::MAX };
        let elapsed = self.elapsed();
        if elapsed < time / 8 {
            return u64::MAX; // Too early to know the rate.
        }
        let left = time.saturating_sub(elapsed).as_secs_f64();
        (done as f64 * ACCELERATION * left / elapsed.as_secs_f64()) as u64
    }

    fn elapsed(&self) -> Duration {
        self.stop.now().saturating_sub(self.started)
    }

    /// Whether nothing is left to find out in the tree of a thread.
    fn root_is_proven(&self, thread: usize) -> bool {
        self.config.proof.solver && self.tree(thread).node(ROOT).proof().is_exact()
    }

    /// Whether the most visited move stays so, whatever the remaining simulations bring. Of several
    /// trees none can tell: their visits are added up.
    fn is_decided(&self, thread: usize, remaining: impl FnOnce() -> u64) -> bool {
        let config = self.config;
        let one_tree = config.threads.number <= 1 || self.is_shared();
        if !config.decision.stop_early
            || config.decision.final_move != FinalMove::MostVisited
            || !one_tree
        {
            return false;
        }
        let tree = self.tree(thread);
        let children = tree.children(tree.node(ROOT));
        let (mut first, mut second) = (0, 0);
        for child in children.iter().filter(|child| !child.proof().is_loss()) {
            if child.proof().is_exact() {
                return false; // A draw in hand gets no more visits, but may be the move to play.
            }
            let visits = u64::from(child.visits());
            if visits > first {
                (first, second) = (visits, first);
            } else {
                second = second.max(visits);
            }
        }
        first - second > remaining()
    }

    /// If the root is won, looks for a shorter win than that proven, and proves it.
    fn shorten_win<G: Repetition>(&self, policy: &mut Box<dyn Policy<G>>, history: &History<G>) {
        // The root's proof is as the other side sees it.
        let won = |tree: &&Arc<Tree>| tree.node(ROOT).proof().value() == Some(GameValue::Loss);
        let Some(tree) = self.trees.iter().find(won) else { return };
        let root = tree.node(ROOT);
        let visited = self.nodes.load(Relaxed);
        let mut budget = Budget::resumed(&self.limits, self.stop, self.started, visited);
        let mut search = Shortest::<G> {
            policy: policy.as_mut(),
            path: history.path().clone(),
            budget: &mut budget,
            positions: MOST_POSITIONS,
            moves: Vec::new(),
        };
        let plies = u32::from(root.proof().plies());
        let shorter = search.below(history.position(), plies);
        self.nodes.store(budget.visited(), Relaxed);
        let Some((m, plies)) = shorter else { return };
        let plies = plies as u16;
        let packed = m.pack();
        if let Some(child) = tree.children(root).iter().find(|child| child.packed_move() == packed)
        {
            tree.prove(child, Proof::exact(GameValue::Win, plies - 1));
            tree.prove(root, Proof::exact(GameValue::Loss, plies));
        }
    }

    /// What is known now. May be called while threads are at work.
    fn report(&self) -> Report {
        let proven = self.trees.iter().find_map(|tree| {
            let proof = tree.node(ROOT).proof();
            // The root's proof is as the other side sees it.
            proof.value().map(|value| (value.for_opponent(), u32::from(proof.plies())))
        });
        let trees: Vec<_> = self.trees.iter().map(|tree| view::candidates(tree)).collect();
        Report {
            simulations: self.simulations.load(Relaxed),
            playout_plies: self.playout_plies.load(Relaxed),
            nodes: self.nodes.load(Relaxed),
            elapsed: self.elapsed(),
            ..root::choose(self.config, root::add_up(&self.legal, &trees), proven)
        }
    }
}
