//! Depth-first proof-number searches: the order of best-first search in the memory of a table.
//!
//! A position is searched until its numbers reach thresholds (`rule.rs`); the child with the least δ comes
//! next.
//!
//! - **df-pn** (Nagai 2002, "Df-pn algorithm for searching AND/OR trees and its applications"), with the
//!   factor 1 + ε of Pawlewicz and Lew (2007, "Improving depth-first PN-search: 1+ε trick"), which keeps
//!   the search from jumping between children that are nearly alike.
//! - **PDS** (Nagai 1998, "A new depth-first-search algorithm for AND/OR trees") deepens step by step.
//! - **PDS-PN** (Winands, Uiterwijk and van den Herik 2003, "PDS-PN: a new proof-number search
//!   algorithm"): PDS, where a position met for the first time gets its numbers from a PN search. With
//!   x positions in the table that search may have x / (1 + e^((a - x) / b)) nodes.
//!
//! **Threads** (df-pn only). Every thread searches from the root with a path of its own (`worker.rs`);
//! they share the table, and a count of the threads inside each position. A position with other threads in
//! it looks worse than it is, so that threads part where the choice is close (Kaneko 2010, "Parallel depth
//! first proof number search": virtual proof numbers; Pawlewicz and Hayward 2013, "Scalable parallel DFPN
//! search"). Virtual numbers only choose: what is stored are true numbers. A thread whose position is
//! solved by another leaves it at once.
//!
//! **Rounds.** The table grows when no thread is in it. The thread that finds it crowded ends the round: all
//! threads leave their paths, and the next round finds its way back by the table.
//!
//! *Deviations*: the numbers of children are kept with their parent while it is searched. One thread reads
//! them from the table once, so what the search of a sibling learns about them counts from the next visit
//! on; several threads read a child again before they enter it. Cycles make numbers that count each other and
//! grow beyond all bounds (Kishimoto and Müller 2008, "About the completeness of depth-first proof-number
//! search"); where the largest number is reached there are no thresholds any more, and the search continues
//! depth-first.

use std::collections::TryReserveError;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU64, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use spinney_game::{Game, Move, Repetition, Symmetric, cpu};

use super::best_first::Tree;
use super::numbers::Known;
use super::rule::Rule;
use super::snapshot::Snapshot;
use super::table::Table;
use super::view::numbers;
use super::worker::{Search, Worker, look_up};
use super::{Algorithm, Answer, Observer, Options, Question};
use crate::Budget;
use crate::knowledge::Oracle;
use crate::threads::{Job, beside};

/// df-pn, PDS and PDS-PN.
#[derive(Debug)]
pub(super) struct DepthFirst<G: Game, K> {
    rule: Rule,
    options: Options,
    pub(super) table: Table,
    busy: Busy,
    /// One for each thread.
    workers: Vec<Worker<G, K>>,
}

/// What the threads of a round share.
pub(super) struct Shared<'a, 'q, G> {
    pub(super) question: &'a Question<'q, G>,
    pub(super) rule: Rule,
    pub(super) options: &'a Options,
    pub(super) table: &'a Table,
    /// Absent if there is one thread.
    pub(super) busy: Option<&'a Busy>,
    /// Tells the keys of the question from those of the other attacker, which share the table.
    pub(super) salt: u64,
    /// The round is over.
    pub(super) is_over: AtomicBool,
    /// Counts the positions that were solved while several threads were in them.
    pub(super) solved: AtomicU64,
    /// Positions generated in this round, as far as threads have told.
    pub(super) visited: AtomicU64,
}

/// How many threads are inside each position. Positions may share a count: it only guides.
#[derive(Debug)]
pub(super) struct Busy(Vec<AtomicU16>);

impl Busy {
    /// A power of two. Guess: many more than the plies of all threads.
    const SIZE: usize = 1 << 14;

    fn new(threads: usize) -> Busy {
        let size = if threads > 1 { Busy::SIZE } else { 1 };
        Busy((0..size).map(|_| AtomicU16::new(0)).collect())
    }

    /// The count of the position with this key.
    #[inline(always)]
    pub(super) fn count(&self, key: u64) -> &AtomicU16 {
        &self.0[key as usize & (self.0.len() - 1)]
    }
}

impl<G: Repetition + Symmetric, K: Oracle<G>> DepthFirst<G, K> {
    /// A search that knows nothing yet, with the algorithm and memory of the options.
    pub(super) fn new(options: Options, knowledge: K) -> Result<Self, TryReserveError> {
        let (rule, has_second) = match options.algorithm {
            Algorithm::Pds => (Rule::Pds, false),
            Algorithm::PdsPn => (Rule::Pds, true),
            _ => (Rule::DfPn { epsilon: options.epsilon }, false),
        };
        let bytes = if has_second { options.memory / 2 } else { options.memory };
        let threads = options.threads.max(1);
        let mut workers = Vec::with_capacity(threads);
        for _ in 0..threads {
            let second = if has_second { Some(Tree::new(bytes)?) } else { None };
            workers.push(Worker::new(knowledge.clone(), second));
        }
        let table = Table::new(bytes)?;
        Ok(DepthFirst { rule, options, table, busy: Busy::new(threads), workers })
    }

    /// Answers a question; the budget may end it.
    pub(super) fn ask(
        &mut self,
        question: &Question<'_, G>,
        budget: &mut Budget,
        mut observer: Option<&mut Observer<'_>>,
    ) -> Answer {
        loop {
            let answer = self.round(question, budget, observer.as_deref_mut());
            if answer.known.is_solved() || answer.is_hopeless() || budget.is_exhausted() {
                return answer;
            }
            if self.table.is_crowded() {
                self.table.grow();
            }
        }
    }

    /// The plies in which the side to move loses, if the table knows that. Whoever always plays the move with
    /// the fewest wins: every position of a win has at least one ply less than the one before.
    pub(super) fn lost_in(&self, position: &G) -> Option<u32> {
        let attacker = !position.to_move();
        let entry = self.table.recall(key(&self.options, position) ^ salt(attacker.index()))?;
        entry.known.ending.plies().filter(|_| entry.known.delta == 0)
    }

    /// Searches with all threads until one of them has the answer, or the table must grow.
    fn round(
        &mut self,
        question: &Question<'_, G>,
        budget: &mut Budget,
        observer: Option<&mut Observer<'_>>,
    ) -> Answer {
        let threads = budget.threads(self.workers.len());
        let before = budget.visited();
        let shared = &Shared {
            question,
            rule: self.rule,
            options: &self.options,
            table: &self.table,
            busy: (threads > 1).then_some(&self.busy),
            salt: salt(question.attacker.index()),
            is_over: AtomicBool::new(false),
            solved: AtomicU64::new(0),
            visited: AtomicU64::new(0),
        };
        let mut answers = vec![Answer::UNKNOWN; threads];
        let mut budgets = budget.split(threads - 1);
        let running = &Running::new(threads);
        let all = std::iter::once(&mut *budget).chain(&mut budgets);
        let mut jobs: Vec<Job<'_>> = Vec::new();
        for ((worker, budget), answer) in self.workers.iter_mut().zip(all).zip(&mut answers) {
            jobs.push(Box::new(move || {
                *answer = cpu::run(Search { worker, shared, budget });
                shared.is_over.store(true, Relaxed);
                running.end_one();
            }));
        }
        match observer {
            Some(observer) => beside(jobs, &mut || {
                while !running.wait(OBSERVED_EVERY) {
                    observer(&shared.snapshot(before));
                }
            }),
            None => {
                let mut own = jobs.pop();
                beside(jobs, &mut || own.take().into_iter().for_each(|job| job()));
            }
        }
        budget.join(&budgets);
        let is_final = |answer: &&Answer| answer.known.is_solved() || answer.is_hopeless();
        answers.iter().find(is_final).or(answers.first()).copied().unwrap_or(Answer::UNKNOWN)
    }
}

/// The time between two looks at a search.
const OBSERVED_EVERY: Duration = Duration::from_millis(200);

/// The threads that still search.
struct Running {
    threads: Mutex<usize>,
    ended: Condvar,
}

impl Running {
    fn new(threads: usize) -> Running {
        Running { threads: Mutex::new(threads), ended: Condvar::new() }
    }

    fn end_one(&self) {
        *self.threads.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        self.ended.notify_all();
    }

    /// Waits until all have ended, but not longer than `time`; whether they have.
    fn wait(&self, time: Duration) -> bool {
        let threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
        let wait = self.ended.wait_timeout_while(threads, time, |threads| *threads > 0);
        !wait.unwrap_or_else(PoisonError::into_inner).1.timed_out()
    }
}

impl<G: Repetition + Symmetric> Shared<'_, '_, G> {
    /// What a look at the search shows; `before` are the nodes of earlier rounds.
    fn snapshot(&self, before: u64) -> Snapshot<'_> {
        let Question { position, attacker, .. } = *self.question;
        let root = self.key(position);
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let numbers = |m: G::Move| {
            let mut next = position.clone();
            next.play(m);
            let way = if position.is_irreversible(m) { 0 } else { mix(root) };
            let window = usize::from(position.is_irreversible(m));
            let known = match next.outcome() {
                Some(outcome) => Some(Known::finished(outcome, next.to_move(), attacker)),
                None => look_up(self.table, self.key(&next) ^ self.salt, way, window),
            };
            Some((m.pack(), numbers(known?, next.to_move(), attacker)))
        };
        let moves = moves.into_iter().filter_map(numbers).collect();
        let nodes = before + self.visited.load(Relaxed);
        Snapshot { table: self.table, nodes, attacker, moves }
    }

    #[inline(always)]
    pub(super) fn key(&self, position: &G) -> u64 {
        key(self.options, position)
    }
}

/// The key of a position. With symmetry it is the least of all its images: the search is then one of the game
/// in which images are the same position. That game has the same value, since an image of a win is a win;
/// repetition and ways are those of that game.
#[inline(always)]
fn key<G: Symmetric>(options: &Options, position: &G) -> u64 {
    if !options.symmetry {
        return position.key();
    }
    let keys = (0..position.symmetries()).map(|index| position.transformed_key(index));
    keys.min().unwrap_or_default()
}

/// What is added to the keys of a question.
pub(super) fn salt(attacker: usize) -> u64 {
    mix(1 + attacker as u64)
}

/// One step of SplitMix64: a bijection that spreads every bit.
#[inline(always)]
pub(super) fn mix(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
