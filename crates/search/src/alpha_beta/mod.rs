//! Alpha-beta search: the search of MIA (papers `mia`, section 3, and `mcts-loa`, VI.A), for any game
//! and what is known about it.
//!
//! - `config.rs`: the options. `score.rs`: values.
//! - `table.rs`: the transposition table. `ordering.rs`: the order of moves.
//! - `worker.rs`: one thread: iterative deepening, the root, interior nodes, quiescence.
//! - this file: threads, limits, reports.
//!
//! With one thread and a limit on nodes or depth, a search depends on the position, the history of
//! the game and what earlier searches have left in the table alone.
//!
//! **Proofs.** A forced win or loss ends in positions that end the game, whatever the pruning: no
//! evaluation, repetition or pruned node counts as one. A value is also proven, draws included, if
//! nothing below the root was evaluated, pruned or repeated.
//!
//! **Threats.** Where a game can tell, a move that wins at once is found without a search, at leaves
//! too; and a position in which the other side threatens to win at once is searched one ply deeper,
//! up to twice the depth of the iteration. So lines of threats and answers are followed to their
//! end.
//!
//! **Repetition.** By default the first repetition on the path, that of the game included, is a
//! draw. The table knows no paths: a value that rests on a repetition may be used on another path,
//! and a forced win is found without regard to how often its positions have occurred before. What
//! is repeated itself is found before the table is asked.
//!
//! A solver (`proves_draws`) is stricter. Every value carries the first position on the path on
//! whose repetition it may rest. If that is further up, only the move goes to the table; if it is
//! the position itself, the value is a fact, as in `brute_force`. And values of limited depth count
//! in their own iteration only: in cycles they could support each other for ever.
//!
//! *Deviations* (more in docs/how/alpha-beta.md), where the papers leave something open or forced wins in LOA asked for it:
//! - Null moves are searched one ply deep at least: quiescence search does not see that the
//!   opponent wins with a quiet move, and then null moves cost more than they save.
//! - Enhanced transposition cut-offs also find a move that wins at once, since each is played. Not
//!   on the principal variation, which would be cut short; nor are values of the table used there.
//! - Realisation probabilities reduce, and never extend: the first move of a node is one ply, others
//!   one to four. What fails high is searched again to the full depth.
//! - Multi-cut takes one move for enough if no greater depth can change its value.
//! - The relative history fades: see `ordering.rs`.
//!
//! ```
//! # mod race { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/race/game.rs")); }
//! # use race::Race;
//! use spinney_game::History;
//! use spinney_search::alpha_beta::{AlphaBeta, Config};
//! use spinney_search::{Limits, Stop, knowledge::NoKnowledge};
//!
//! let config = Config { table_bytes: 1 << 20, null_move: false, ..Config::default() };
//! let mut search = AlphaBeta::new(config, NoKnowledge)?;
//! // Reports come after every iteration.
//! let mut depths = 0;
//! let report = search.search(&History::new(Race::START), &Limits::nodes(100_000), &Stop::new(), &mut |_| depths += 1);
//! assert_eq!(report.best, Some(1));
//! assert!(depths > 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod config;
mod ordering;
mod score;
mod table;
mod worker;

use std::collections::TryReserveError;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use spinney_game::{History, Move, Repetition};

pub use self::config::{Config, Count, HistoryOrder, LateMoves, Margins, MultiCut, Realisation};
pub use self::score::PROVEN;
use self::table::Table;
use self::worker::{DEEPEST, Found, RootMove, Thread, Worker};
use crate::knowledge::{MoveOrder, Oracle};
use crate::threads::{self, Job};
use crate::{Budget, Candidate, GameValue, Limits, Report, Stop};

/// An alpha-beta search that can be asked again and again.
pub struct AlphaBeta<G: Repetition, K> {
    config: Config,
    table: Table,
    threads: Vec<Thread<G, K>>,
    paused: Option<Paused<G::Move>>,
}

/// A search that was paused.
struct Paused<M> {
    /// The key of its position.
    root: u64,
    found: Found<M>,
    /// Nodes of the other threads.
    helped: u64,
    /// By the clock of the host.
    started: Duration,
}

impl<G: Repetition, K: MoveOrder<G> + Oracle<G>> AlphaBeta<G, K> {
    /// A search with an empty table; an error if the memory cannot be had.
    pub fn new(config: Config, knowledge: K) -> Result<Self, TryReserveError> {
        let table = Table::new(config.table_bytes)?;
        let threads =
            (0..config.threads.max(1)).map(|_| Thread::new(&config, knowledge.clone())).collect();
        Ok(AlphaBeta { config, table, threads, paused: None })
    }

    /// Forgets what was learned in the last game, and continues with this knowledge.
    pub fn new_game(&mut self, knowledge: &K) {
        self.table.clear();
        self.paused = None;
        self.threads.iter_mut().for_each(|thread| thread.new_game(knowledge.clone()));
    }

    /// Searches the present position of a game. `progress` gets a report after each iteration.
    ///
    /// `simulations` are iterations, in the limits and in the report. `nodes` are positions
    /// visited, by all threads together, as far as they count ([`Config::count`]).
    pub fn search(
        &mut self,
        history: &History<G>,
        limits: &Limits,
        stop: &Stop,
        progress: &mut dyn FnMut(&Report),
    ) -> Report {
        if let Some(outcome) = history.outcome() {
            return Report::finished(GameValue::of(outcome, history.position().to_move()));
        }
        self.table.begin_search();
        self.threads.iter_mut().for_each(Thread::begin_search);
        let start = Paused {
            root: history.position().key(),
            found: Found::NOTHING,
            helped: 0,
            started: stop.now(),
        };
        self.go_on(start, history, limits, stop, progress)
    }

    /// Goes on with the last search, if it was one of this position and paused. The limits are those
    /// of the whole search. The depth that was not searched to its end is begun again; the table knows
    /// what was done, so a slice of some thousand nodes comes further than the one before.
    pub fn resume(
        &mut self,
        history: &History<G>,
        limits: &Limits,
        stop: &Stop,
        progress: &mut dyn FnMut(&Report),
    ) -> Report {
        match self.paused.take() {
            Some(paused) if paused.root == history.position().key() => {
                self.go_on(paused, history, limits, stop, progress)
            }
            _ => self.search(history, limits, stop, progress),
        }
    }

    fn go_on(
        &mut self,
        start: Paused<G::Move>,
        history: &History<G>,
        limits: &Limits,
        stop: &Stop,
        progress: &mut dyn FnMut(&Report),
    ) -> Report {
        let Paused { root, found, helped, started } = start;
        let (position, path) = (history.position(), history.path());
        let wanted = stop.threads(self.threads.len());
        let share = limits.nodes.map(|nodes| nodes.div_ceil(wanted as u64));
        let limits = Limits { nodes: share, ..*limits };
        let last = limits.depth.unwrap_or(DEEPEST).max(1);
        let (config, table) = (&self.config, &self.table);
        let Some((thread, helpers)) = self.threads.split_first_mut() else {
            return Report::empty();
        };
        let report = |found: &Found<G::Move>, helped: u64| {
            let mut report = report(config, found);
            report.nodes += helped;
            report.elapsed = stop.now().saturating_sub(started);
            report
        };
        let done = stop.sibling();
        let helped = AtomicU64::new(helped);
        // 1. Helpers fill the table (lazy SMP). Every other one is a ply ahead, so that they do not
        //    all do the same.
        let jobs = helpers.iter_mut().take(wanted - 1).enumerate().map(|(index, thread)| {
            let budget = Budget::resumed(&limits, &done, started, 0).pausing_anywhere();
            let worker = Worker::new(config, table, thread, path, budget);
            let ahead = Found { depth: found.depth + 1 - index as u32 % 2, ..Found::NOTHING };
            let helped = &helped;
            Box::new(move || {
                let go_on = &mut |_: &Found<G::Move>| ControlFlow::Continue(());
                helped.fetch_add(worker.deepen(position, ahead, last, go_on).nodes, Relaxed);
            }) as Job<'_>
        });
        let jobs = jobs.collect();
        // 2. This thread decides.
        let budget = Budget::resumed(&limits, stop, started, found.nodes).pausing_anywhere();
        let mut worker = Some((Worker::new(config, table, thread, path, budget), found));
        let mut found = Found::NOTHING;
        threads::beside(jobs, &mut || {
            let Some((worker, so_far)) = worker.take() else { return };
            found = worker.deepen(position, so_far, last, &mut |found| {
                progress(&report(found, 0));
                match limits.simulations {
                    Some(most) if u64::from(found.depth) >= most => ControlFlow::Break(()),
                    _ => ControlFlow::Continue(()),
                }
            });
            done.stop();
        });
        let helped = helped.into_inner();
        let report = report(&found, helped);
        self.paused = Some(Paused { root, found, helped, started });
        report
    }
}

/// What was found, without the time.
fn report<M: Move>(config: &Config, found: &Found<M>) -> Report {
    let candidate = |root: &RootMove<M>| {
        let forced = score::forced(root.value);
        let fact = || root.is_fact.then_some((GameValue::Draw, root.line.len() as u32));
        let (proven, plies) = forced.or_else(fact).unzip();
        let value = score::scaled(root.value, config.decisive);
        let pv = root.line.iter().map(|m| m.pack()).collect();
        Candidate { m: root.m.pack(), visits: root.nodes, value, proven, plies, pv }
    };
    let lines = config.lines.clamp(1, found.moves.len().max(1));
    let searched = |root: &&RootMove<M>| root.value > -score::INFINITE;
    let candidates: Vec<_> =
        found.moves.iter().take(lines).filter(searched).map(candidate).collect();
    let mut report = Report::empty();
    report.best = found.moves.first().map(|root| root.m.pack());
    report.pv.extend(report.best);
    if let Some(best) = candidates.first() {
        (report.value, report.proven, report.plies) = (best.value, best.proven, best.plies);
        report.pv.clone_from(&best.pv);
    }
    report.candidates = candidates;
    report.simulations = found.depth.into();
    report.nodes = found.nodes;
    report
}
