//! Brute force: the exact value of a position, by depth-first search with a table.
//!
//! Alpha-beta on the three values loss < draw < win (Knuth and Moore 1975, "An analysis of
//! alpha-beta pruning"), with a transposition table of bounds and enhanced transposition cut-offs
//! (Plaat et al. 1996, "Exploiting graph properties of game trees"): before a child is searched,
//! every child is asked for an end of the game or a value in the table that decides the node. Where
//! nobody can draw, the window from loss to win is the search for a win.
//!
//! **Facts.** A game may know the value of some positions, count more positions as equal than its
//! symmetries tell, and say which moves look promising ([`Facts`]). Without that, a position is
//! looked up by the least key of all its images.
//!
//! **Order of moves.** Children may come by the number of replies they leave to the opponent, the
//! fewest or the most first, by the relative history heuristic (Winands et al. 2006: the share of
//! refutations among the tries of a move), by what the game promises, or by several of these. Which
//! is best differs between games, and between a game and its misère form: the search tries them all
//! and uses, for each side, the one whose first move refutes most often.
//!
//! **Threads.** All threads search the same tree and share the table (ABDADA: Weill 1996, "The ABDADA
//! distributed minimax-search algorithm"). They search the first child of a position together, because it
//! most often decides the position. Of the others, a thread leaves those that another thread is
//! searching for later. It leaves a position that others have decided.
//!
//! **Repetition.** The value is that of the game that starts at the given position. Then it does
//! not matter how often a position must occur until the game is drawn: a side that can force a win
//! can do it without repeating anything, a side that cannot lose can hold for ever. So the first
//! repetition on the path is a draw, and so is endless play in games without such a rule. What is
//! stored is a fact about the position, whatever the way to it:
//! - A win or loss is: the lines that prove it end in wins, none in a repetition.
//! - A bound that says draw may rest on a repetition of a position on the path. Every result
//!   carries the first such position it may rest on. If that is the position itself or one below
//!   it, the cycle can be played from here whatever came before, and the bound is a fact; if it is
//!   above, the bound holds on this path only and is not stored.
//!
//! So everything claimed at the root is claimed without assumptions: nothing is above it.
//!
//! *Deviations*: draws that rest on positions above are searched again each time they are met; in
//! games full of cycles that can take for ever, and a solver made for graphs does better. A counter
//! that is no part of the key (a count of moves without progress) is ignored when values are looked up.
//!
//! ```
//! # mod race { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/race/game.rs")); }
//! # use race::Race;
//! use spinney_search::brute_force::{BruteForce, Options};
//! use spinney_search::{GameValue, Limits, Stop, knowledge::NoKnowledge};
//!
//! let mut solver = BruteForce::new(Options { table_bytes: 1 << 20, threads: 1 }, NoKnowledge)?;
//! let report = solver.solve(&Race::START, &Limits::default(), &Stop::new());
//! assert_eq!((report.best, report.proven), (Some(1), Some(GameValue::Win)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod minimax;
mod ordering;
mod table;
mod worker;

use std::collections::TryReserveError;
use std::sync::Mutex;
use std::time::Duration;

use spinney_game::cpu;
use spinney_game::{Game, Move, Repetition, Symmetric};

pub use self::minimax::{Perfect, minimax};
use self::table::{Busy, Table};
use self::worker::{Root, Search, Worker};
use crate::knowledge::Facts;
use crate::threads::{Job, beside};
use crate::{Budget, GameValue, Limits, Report, Stop};

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The size of the table in bytes. It is taken from the system as it fills.
    pub table_bytes: usize,
    /// Threads that search at once.
    pub threads: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { table_bytes: 1 << 30, threads: 1 }
    }
}

/// Deeper lines are given up as unknown; they take memory, a few kilobytes a ply.
const DEEPEST: u32 = 10_000;

/// A solver: the table, and what it has learned about the order of moves.
#[derive(Debug)]
pub struct BruteForce<G: Game, F> {
    table: Table,
    busy: Busy,
    facts: F,
    /// One per thread, at least one.
    workers: Vec<Worker<G>>,
}

impl<G: Repetition + Symmetric, F: Facts<G>> BruteForce<G, F> {
    /// A solver with an empty table; an error if the memory cannot be had.
    pub fn new(options: Options, facts: F) -> Result<Self, TryReserveError> {
        Ok(BruteForce {
            table: Table::new(options.table_bytes)?,
            busy: Busy::new(),
            facts,
            workers: (0..options.threads.max(1)).map(|_| Worker::new(F::PROMISES)).collect(),
        })
    }

    /// Solves the game that starts at `position`.
    ///
    /// `proven` is its value, or `None` where a limit came first; the best move is then a guess.
    /// `nodes` are positions whose moves were listed, by all threads together, and the threads share a
    /// limit of them equally; `depth` in the limits gives up longer lines. The table stays: later
    /// positions of the same game profit from it.
    pub fn solve(&mut self, position: &G, limits: &Limits, stop: &Stop) -> Report {
        let start = stop.now();
        let mut report = Report::empty();
        if let Some(outcome) = position.outcome() {
            report.proven = Some(GameValue::of(outcome, position.to_move()));
            report.plies = Some(0);
        } else {
            let root = self.search(position, limits, stop);
            report.proven = root.bounds.value();
            report.nodes = root.nodes;
            report.best = root.best.or_else(|| {
                let mut moves = Vec::new();
                position.legal_moves(&mut moves);
                moves.first().map(|m| m.pack())
            });
            report.pv.extend(report.best);
        }
        report.value = report.proven.map_or(0.0, |value| value.score().into());
        report.elapsed = stop.now().saturating_sub(start);
        report
    }

    /// Searches in rounds. Each fills half of the table at most; then the table grows, and what it holds
    /// brings the search back to where it was.
    fn search(&mut self, position: &G, limits: &Limits, stop: &Stop) -> Root {
        let start = stop.now();
        let threads = stop.threads(self.workers.len()) as u64;
        let nodes = limits.nodes.map_or(u64::MAX, |nodes| nodes.div_ceil(threads));
        self.workers.iter_mut().for_each(|worker| worker.visited = 0);
        loop {
            let most = match self.table.can_grow() {
                true => nodes.min(self.workers[0].visited + self.table.capacity() / 2 / threads),
                false => nodes,
            };
            let root = self.round(position, &Limits { nodes: Some(most), ..*limits }, stop, start);
            if !root.is_paused || most == nodes {
                return root;
            }
            self.table.grow();
        }
    }

    /// Searches with all threads until one of them knows the value or is out of nodes.
    fn round(&mut self, position: &G, limits: &Limits, stop: &Stop, start: Duration) -> Root {
        let BruteForce { table, busy, facts, workers } = self;
        busy.clear();
        let threads = stop.threads(workers.len());
        let depth = limits.depth.unwrap_or(DEEPEST).min(DEEPEST) as usize;
        let (table, busy, facts) = (&*table, (threads > 1).then_some(&*busy), &*facts);
        let joint = Mutex::new(Root::UNKNOWN);
        let run = |worker: &mut Worker<G>| {
            let budget = Budget::resumed(limits, stop, start, worker.visited);
            let root = cpu::run(Search { worker, position, table, busy, facts, budget, depth });
            if let Some(busy) = busy
                && (root.is_paused || root.bounds.value().is_some())
            {
                busy.end();
            }
            if let Ok(mut joint) = joint.lock() {
                joint.add(root);
            }
        };
        let run = &run;
        let (first, others) = workers.split_at_mut(1);
        let jobs = others.iter_mut().take(threads - 1);
        let jobs = jobs.map(|worker| Box::new(move || run(worker)) as Job<'_>).collect();
        beside(jobs, &mut || first.iter_mut().for_each(run));
        joint.into_inner().unwrap_or(Root::UNKNOWN)
    }
}
