//! Proof-number search: who wins, by the shape of the tree alone.
//!
//! A question is whether one side, the *attacker*, wins the game that starts at a position. Its
//! tree has two numbers at every position: how many open positions must at least be decided to prove
//! the win, and to disprove it (Allis, van der Meulen and van den Herik 1994, "Proof-number
//! search"). The searches work where these numbers are least.
//!
//! - `best_first.rs`: PN and PN², with the tree in memory.
//! - `depth_first.rs`: df-pn, PDS and PDS-PN, with thresholds and a table.
//! - `view.rs`: a look into the tree of PN and PN².
//!
//! **Three values.** The first question is whether the side to move wins. A disproof in which the
//! defender wins every line is a loss. If the defender only holds, the second question is whether
//! the side to move loses; if not either, it is a draw.
//!
//! **Numbers of new positions.** The side to move has one move to find, the other must answer all:
//! φ is 1, δ is the number of moves. Measured: a sixth of the nodes (docs/methods.md).
//!
//! **Repetition.** A position that repeats one on its way counts as no win for the attacker. The
//! value found is then that of the game that starts at the root, however often a position must occur
//! until the game is drawn: a side that can force a win can do it without repeating anything, and a
//! side that can always return to a position cannot be beaten. In the table stand only facts:
//! - A win of either side is: the lines that prove it end in wins, none in a repetition.
//! - A position that is merely held may rest on a repetition. Every such result carries the first
//!   position on the way that it may rest on. If that is the position itself, the cycle can be
//!   played whatever came before, and the result is a fact. If it is further up, the result is
//!   stored for this very way only (all positions since the last irreversible move), under a key of
//!   its own; by other ways the position stays open.
//!
//! *Deviations*: nodes are positions generated, repeatedly if they are generated again. A counter
//! that is no part of the key (a count of moves without progress) is ignored when results are looked up.

mod best_first;
mod depth_first;
mod numbers;
mod table;
mod view;

use std::collections::TryReserveError;
use std::time::Duration;

use spinney_game::{Game, Repetition, Side};

use self::best_first::BestFirst;
use self::depth_first::DepthFirst;
use self::numbers::Known;
use crate::{Budget, GameValue, Limits, Report, Stop};

/// The kinds of proof-number search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// Best-first search, the tree in memory.
    Pn,
    /// PN, with a second PN search for every position that is expanded.
    Pn2,
    /// Depth-first search with a table, deepening step by step.
    Pds,
    /// PDS, with a PN search for every new position.
    PdsPn,
    /// Depth-first search with a table in the order of PN.
    DfPn,
}

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The search.
    pub algorithm: Algorithm,
    /// The most memory for the table or tree, in bytes. It is taken from the system as it fills.
    pub memory: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { algorithm: Algorithm::DfPn, memory: 1 << 30 }
    }
}

/// Deeper lines are given up as unknown.
const DEEPEST: u32 = 10_000;

/// Whether the attacker wins the game that starts at a position.
struct Question<'a, G> {
    position: &'a G,
    attacker: Side,
    /// The most plies from the root.
    depth: usize,
}

/// What a search found, as the side to move at the root sees it.
#[derive(Clone, Copy, Debug)]
struct Answer {
    known: Known,
    /// The most promising move, or the one that decides.
    best: Option<u32>,
}

impl Answer {
    const UNKNOWN: Answer = Answer { known: Known::open(1, 1), best: None };
}

/// A solver, with what it remembers.
#[derive(Debug)]
pub struct ProofNumber<G: Game> {
    search: Search<G>,
    /// Who wins, by the last question.
    attacker: Side,
    last: Last,
}

/// How far the last search came, to go on from there.
#[derive(Clone, Copy, Debug)]
struct Last {
    /// The key of its position.
    root: u64,
    /// By the clock of the host.
    started: Duration,
    visited: u64,
    /// The answer to the first question, if the second was asked.
    win: Option<Answer>,
}

#[derive(Debug)]
enum Search<G: Game> {
    BestFirst(BestFirst<G>),
    DepthFirst(DepthFirst<G>),
}

impl<G: Repetition> ProofNumber<G> {
    /// A solver that knows nothing yet; an error if the memory cannot be had.
    pub fn new(options: Options) -> Result<Self, TryReserveError> {
        let memory = options.memory;
        let search = match options.algorithm {
            Algorithm::Pn => Search::BestFirst(BestFirst::pn(memory)?),
            Algorithm::Pn2 => Search::BestFirst(BestFirst::pn2(memory)?),
            Algorithm::Pds => Search::DepthFirst(DepthFirst::pds(memory)?),
            Algorithm::PdsPn => Search::DepthFirst(DepthFirst::pds_pn(memory)?),
            Algorithm::DfPn => Search::DepthFirst(DepthFirst::df_pn(memory)?),
        };
        let last = Last { root: 0, started: Duration::ZERO, visited: 0, win: None };
        Ok(ProofNumber { search, attacker: Side::First, last })
    }

    /// Solves the game that starts at `position`.
    ///
    /// `proven` is its value, or `None` where a limit came first; the best move is then a guess.
    /// `plies` is the length of the win that was found, which need not be the shortest. `nodes` are
    /// positions generated, which may exceed the limit by the moves of one position. `depth` in
    /// the limits gives up longer lines. A table stays: later positions of the same game profit
    /// from it.
    pub fn solve(&mut self, position: &G, limits: &Limits, stop: &Stop) -> Report {
        self.last = Last { root: position.key(), started: stop.now(), visited: 0, win: None };
        self.go_on(position, limits, stop, false)
    }

    /// Goes on with the last search, if it was one of this position and paused. The limits are those
    /// of the whole search. PN and PN² still have their tree; the others find their way back by the
    /// table.
    pub fn resume(&mut self, position: &G, limits: &Limits, stop: &Stop) -> Report {
        if self.last.root != position.key() || self.last.visited == 0 {
            return self.solve(position, limits, stop);
        }
        self.go_on(position, limits, stop, true)
    }

    fn go_on(&mut self, position: &G, limits: &Limits, stop: &Stop, resumes: bool) -> Report {
        if let Some(outcome) = position.outcome() {
            return Report::finished(GameValue::of(outcome, position.to_move()));
        }
        let Last { started, visited, .. } = self.last;
        let mut budget = Budget::resumed(limits, stop, started, visited).pausing_anywhere();
        let depth = limits.depth.unwrap_or(DEEPEST);
        let verdict = self.judge(position, depth, &mut budget, resumes);
        self.last.visited = budget.visited();
        Report {
            best: verdict.best,
            value: verdict.value.map_or(0.0, |value| value.score().into()),
            proven: verdict.value,
            plies: verdict.plies,
            pv: verdict.best.into_iter().collect(),
            nodes: budget.visited(),
            elapsed: stop.now().saturating_sub(started),
            ..Report::empty()
        }
    }

    /// Asks a question, or continues the one asked last.
    fn ask(&mut self, question: &Question<'_, G>, budget: &mut Budget, resumes: bool) -> Answer {
        self.attacker = question.attacker;
        match &mut self.search {
            Search::BestFirst(search) => search.ask(question, budget, resumes),
            Search::DepthFirst(search) => search.ask(question, budget),
        }
    }

    /// Asks the one or two questions about a game that is not over.
    fn judge(
        &mut self,
        position: &G,
        depth: u32,
        budget: &mut Budget,
        mut resumes: bool,
    ) -> Verdict {
        let depth = depth.min(DEEPEST) as usize;
        let side = position.to_move();
        // 1. Does the side to move win?
        let win = match self.last.win {
            Some(answer) => answer,
            None => {
                let question = Question { position, attacker: side, depth };
                let answer = self.ask(&question, budget, resumes);
                resumes = false;
                answer
            }
        };
        let plies = win.known.ending.plies();
        if win.known.phi == 0 {
            return Verdict { value: Some(GameValue::Win), plies, best: win.best };
        }
        if win.known.delta == 0 && plies.is_some() {
            return Verdict { value: Some(GameValue::Loss), plies, best: win.best };
        }
        if win.known.delta > 0 || budget.is_exhausted() {
            return Verdict { value: None, plies: None, best: win.best };
        }
        // 2. Does it lose?
        self.last.win = Some(win);
        let loss = self.ask(&Question { position, attacker: !side, depth }, budget, resumes);
        let value = match (loss.known.phi, loss.known.delta) {
            (0, _) => Some(GameValue::Draw),
            (_, 0) => Some(GameValue::Loss),
            _ => None,
        };
        let plies = loss.known.ending.plies().filter(|_| value == Some(GameValue::Loss));
        Verdict { value, plies, best: loss.best }
    }
}

/// What the questions came to, as the side to move sees it.
struct Verdict {
    value: Option<GameValue>,
    plies: Option<u32>,
    best: Option<u32>,
}
