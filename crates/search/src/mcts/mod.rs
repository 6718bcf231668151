//! Monte Carlo tree search with a solver (paper `mcts-loa`, sections III and IV), for any game and
//! any play-out policy.
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

mod config;
mod effort;
mod node;
mod root;
mod select;
mod shortest;
mod tree;
mod twins;
mod view;
mod worker;

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use spinney_game::{History, Path, Repetition, Rng};

pub use self::config::{Bias, Config, FinalMove, MoveOrder, Parallelism, Widening};
use self::node::{Node, Proof};
use self::select::Selector;
use self::shortest::Shortest;
use self::tree::{Claim, Index, Options, ROOT, Tree};
use self::view::View;
use self::worker::{BITE, Buffers, Start, Worker};
use crate::policy::Policy;
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
pub struct Mcts<G: Repetition, P> {
    config: Config,
    policy: P,
    rng: Rng,
    /// Shared with those who look into them.
    trees: Vec<Arc<Tree>>,
    /// For the subtree that is kept between moves.
    spare: Option<Arc<Tree>>,
    /// The game at the root of the trees.
    root: Option<History<G>>,
}

impl<G: Repetition, P: Policy<G>> Mcts<G, P> {
    /// A search with empty trees.
    pub fn new(config: Config, policy: P, seed: u64) -> Self {
        let trees = match config.parallelism {
            Parallelism::Root => config.threads.max(1),
            Parallelism::Tree => 1,
        };
        let kept = usize::from(config.reuse && trees == 1);
        let bytes = config.memory / (trees + kept);
        let options = Options {
            solver: config.solver,
            priors: config.needs_priors(),
            rave: config.rave.is_some(),
            efforts: config.needs_efforts(),
            transpositions: config.transpositions.is_some(),
        };
        Mcts {
            policy,
            rng: Rng::new(seed),
            trees: (0..trees).map(|_| Arc::new(Tree::new(bytes, options))).collect(),
            spare: (kept > 0).then(|| Arc::new(Tree::new(bytes, options))),
            root: None,
            config,
        }
    }

    /// Forgets all trees and starts the random numbers anew.
    pub fn new_game(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
        self.root = None;
    }

    /// Joins the reports of searches of `position` that knew nothing of each other, as root
    /// parallelism joins its trees.
    pub fn merge(&self, position: &G, reports: &[Report<G::Move>]) -> Report<G::Move> {
        let proven = reports.iter().find_map(|report| report.proven.zip(report.plies));
        let moves = root::add_up(position, reports.iter().map(|report| report.candidates.clone()));
        Report {
            simulations: reports.iter().map(|report| report.simulations).sum(),
            nodes: reports.iter().map(|report| report.nodes).sum(),
            elapsed: reports.iter().map(|report| report.elapsed).max().unwrap_or_default(),
            ..root::choose(&self.config, moves, proven)
        }
    }

    /// Searches the present position of a game. `progress` gets a snapshot now and then.
    pub fn search(
        &mut self,
        history: &History<G>,
        limits: &Limits,
        stop: &Stop,
        progress: &mut dyn FnMut(&Report<G::Move>),
    ) -> Report<G::Move> {
        let started = Instant::now();
        if history.outcome().is_some() {
            return Report::empty();
        }
        self.place_root(history);
        self.policy.begin(history.position());
        let search = Search {
            config: &self.config,
            trees: &self.trees,
            root: history.position(),
            path: history.path(),
            limits: *limits,
            started,
            simulations: AtomicU64::new(0),
            playout_plies: AtomicU64::new(0),
            nodes: AtomicU64::new(0),
        };
        let seed = self.rng.next_u64();
        if self.config.threads <= 1 {
            search.run_alone(self.policy.clone(), seed, stop, progress);
        } else {
            search.run_threads(&self.policy, seed, stop, progress);
        }
        if self.config.shortest && self.config.solver {
            search.shorten_win(&mut self.policy, stop);
        }
        search.report()
    }

    /// A look into the trees of the last search, or of the first if there was none yet. Later
    /// searches leave them as they are.
    pub fn tree(&self) -> Arc<dyn SearchTree<G::Move>>
    where
        G: 'static,
    {
        Arc::new(View::<G>::new(self.trees.clone()))
    }

    /// Makes the trees start at the present position, with what is known of it if that is wanted.
    fn place_root(&mut self, history: &History<G>) {
        let known = if self.config.reuse { self.find_subtree(history) } else { None };
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
            let children = tree.children(node);
            let offset = children.iter().position(|child| move_to::<G>(child) == m)?;
            index = node.first_child() + offset as Index;
        }
        // A value that was known without a search does not tell the move that has it.
        let node = tree.node(index);
        (node.is_expanded() || !node.proof().is_exact()).then_some(index)
    }
}

fn move_to<G: Repetition>(node: &Node) -> G::Move {
    G::unpack(node.packed_move())
}

/// A search that runs: what its threads share.
struct Search<'a, G: Repetition> {
    config: &'a Config,
    trees: &'a [Arc<Tree>],
    root: &'a G,
    path: &'a Path,
    limits: Limits,
    started: Instant,
    /// Done by all threads.
    simulations: AtomicU64,
    playout_plies: AtomicU64,
    /// Positions, as the limit on them counts.
    nodes: AtomicU64,
}

impl<G: Repetition> Search<'_, G> {
    fn worker<P: Policy<G>>(
        &self,
        thread: usize,
        policy: P,
        seed: u64,
        stop: &Stop,
    ) -> Worker<'_, G, P> {
        let tree = &self.trees[thread.min(self.trees.len() - 1)];
        Worker {
            config: self.config,
            selector: Selector::new(self.config),
            shared: self.is_shared(),
            tree,
            root_path_length: self.path.len(),
            start: Start::at_root(self.root, self.path),
            root: self.root,
            path: self.path.clone(),
            policy,
            rng: Rng::stream(seed, thread as u64),
            budget: Budget::new(&self.share(), stop),
            claim: Claim::default(),
            buffers: Buffers::new(tree.node(ROOT)),
        }
    }

    /// The limits of one thread: its share of the positions, all of the time that is left.
    fn share(&self) -> Limits {
        let threads = self.config.threads.max(1) as u64;
        Limits {
            time: self.limits.time.map(|time| time.saturating_sub(self.started.elapsed())),
            nodes: self.limits.nodes.map(|nodes| nodes.div_ceil(threads)),
            ..self.limits
        }
    }

    /// One thread: this one.
    fn run_alone<P: Policy<G>>(
        &self,
        policy: P,
        seed: u64,
        stop: &Stop,
        progress: &mut dyn FnMut(&Report<G::Move>),
    ) {
        let mut worker = self.worker(0, policy, seed, stop);
        let quota = self.limits.simulations.unwrap_or(u64::MAX);
        let mut next_progress = self.started + PROGRESS_INTERVAL;
        self.work(&mut worker, quota, &mut || {
            if Instant::now() >= next_progress {
                progress(&self.report());
                next_progress = Instant::now() + PROGRESS_INTERVAL;
            }
        });
    }

    /// Several threads; this one waits and reports.
    fn run_threads<P: Policy<G>>(
        &self,
        policy: &P,
        seed: u64,
        stop: &Stop,
        progress: &mut dyn FnMut(&Report<G::Move>),
    ) {
        let threads = self.config.threads;
        if self.is_shared() {
            self.worker(0, policy.clone(), seed, stop).open_root();
        }
        // The first thread to prove the root, or to be stopped, stops the others.
        let all_stop = Stop::new();
        std::thread::scope(|scope| {
            let (sender, finished) = mpsc::channel();
            for thread in 0..threads {
                let (policy, all_stop, sender) = (policy.clone(), all_stop.clone(), sender.clone());
                scope.spawn(move || {
                    let mut worker = self.worker(thread, policy, seed, &all_stop);
                    let total = self.limits.simulations.unwrap_or(u64::MAX);
                    match self.config.parallelism {
                        Parallelism::Root => {
                            let (threads, thread) = (threads as u64, thread as u64);
                            let quota = total / threads + u64::from(thread < total % threads);
                            self.work(&mut worker, quota, &mut || ());
                        }
                        Parallelism::Tree => self.work(&mut worker, total, &mut || ()),
                    }
                    if worker.root_is_proven() {
                        all_stop.stop();
                    }
                    // The receiver lives until all threads are done.
                    let _ = sender.send(());
                });
            }
            drop(sender);
            let mut next_progress = self.started + PROGRESS_INTERVAL;
            let mut running = threads;
            while running > 0 {
                // Short enough to pass on a stop at once.
                match finished.recv_timeout(Duration::from_millis(2)) {
                    Ok(()) => running -= 1,
                    Err(mpsc::RecvTimeoutError::Timeout) => {}
                    Err(mpsc::RecvTimeoutError::Disconnected) => break,
                }
                if stop.is_set() {
                    all_stop.stop();
                }
                if running > 0 && Instant::now() >= next_progress {
                    progress(&self.report());
                    next_progress = Instant::now() + PROGRESS_INTERVAL;
                }
            }
        });
    }

    /// Whether all threads work on one tree.
    fn is_shared(&self) -> bool {
        self.config.threads > 1 && self.config.parallelism == Parallelism::Tree
    }

    /// Simulations of one thread until something ends the search. In a shared tree the quota is that
    /// of all threads together.
    fn work<P: Policy<G>>(
        &self,
        worker: &mut Worker<'_, G, P>,
        quota: u64,
        between: &mut dyn FnMut(),
    ) {
        let shared = self.is_shared();
        let mut own = 0;
        loop {
            let done = if shared { self.simulations.load(Relaxed) } else { own };
            let remaining = quota.saturating_sub(done);
            if remaining == 0 || worker.is_decided(|| remaining.min(self.expected(done))) {
                return;
            }
            // Threads that share a quota take small bites, so that they end together.
            let stride = if shared { BITE } else { DECISION_STRIDE };
            let wanted = remaining.min(stride);
            if shared {
                self.simulations.fetch_add(wanted, Relaxed);
            }
            let visited = worker.budget.visited();
            let did = worker.run(wanted);
            self.nodes.fetch_add(worker.budget.visited() - visited, Relaxed);
            self.playout_plies.fetch_add(worker.budget.take_playout_plies(), Relaxed);
            own += did;
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

    /// The simulations that the time left allows at the most, after `done` in the time so far.
    fn expected(&self, done: u64) -> u64 {
        let Some(time) = self.limits.time else { return u64::MAX };
        let elapsed = self.started.elapsed();
        if elapsed < time / 8 {
            return u64::MAX; // Too early to know the rate.
        }
        let left = time.saturating_sub(elapsed).as_secs_f64();
        (done as f64 * ACCELERATION * left / elapsed.as_secs_f64()) as u64
    }

    /// If the root is won, looks for a shorter win than that proven, and proves it.
    fn shorten_win<P: Policy<G>>(&self, policy: &mut P, stop: &Stop) {
        // The root's proof is as the other side sees it.
        let won = |tree: &&Arc<Tree>| tree.node(ROOT).proof().value() == Some(GameValue::Loss);
        let Some(tree) = self.trees.iter().find(won) else { return };
        let root = tree.node(ROOT);
        let mut search = Shortest::<G, P> {
            policy,
            path: self.path.clone(),
            budget: &mut Budget::new(&self.share(), stop),
            positions: MOST_POSITIONS,
            moves: Vec::new(),
        };
        let Some((m, plies)) = search.below(self.root, u32::from(root.proof().plies())) else {
            return;
        };
        let plies = plies as u16;
        let packed = G::pack(m);
        if let Some(child) = tree.children(root).iter().find(|child| child.packed_move() == packed)
        {
            tree.prove(child, Proof::exact(GameValue::Win, plies - 1));
            tree.prove(root, Proof::exact(GameValue::Loss, plies));
        }
    }

    /// What is known now. May be called while threads are at work.
    fn report(&self) -> Report<G::Move> {
        let proven = self.trees.iter().find_map(|tree| {
            let proof = tree.node(ROOT).proof();
            // The root's proof is as the other side sees it.
            proof.value().map(|value| (value.for_opponent(), u32::from(proof.plies())))
        });
        let moves =
            root::add_up(self.root, self.trees.iter().map(|tree| view::candidates::<G>(tree)));
        Report {
            simulations: self.simulations.load(Relaxed),
            playout_plies: self.playout_plies.load(Relaxed),
            nodes: self.nodes.load(Relaxed),
            elapsed: self.started.elapsed(),
            ..root::choose(self.config, moves, proven)
        }
    }
}
