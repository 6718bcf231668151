//! Proof-number search: who wins, by the shape of the tree alone.
//!
//! A question is whether one side, the *attacker*, wins the game that starts at a position. Its
//! tree has two numbers at every position: how many open positions must at least be decided to prove
//! the win, and to disprove it (Allis, van der Meulen and van den Herik 1994, "Proof-number
//! search"). The searches work where these numbers are least.
//!
//! - `best_first.rs`: PN and PN², with the tree in memory; `view.rs`: a look into it.
//! - `depth_first.rs`: df-pn, PDS and PDS-PN: threads and rounds; `worker.rs`: the search of one thread;
//!   `rule.rs`: its thresholds; `table.rs`: what it remembers.
//! - `snapshot.rs`: a look at a depth-first search while it runs, and its table as a file.
//!
//! **Three values.** The first question is whether the side to move wins. A disproof in which the
//! defender wins every line is a loss. If the defender only holds, the second question is whether
//! the side to move loses; if not either, it is a draw.
//!
//! **Numbers of new positions.** The side to move has one move to find, the other must answer all:
//! φ is 1, δ is the number of moves. df-pn can do better with what the game knows ([`Initial`]).
//!
//! **Knowledge** (df-pn). A position whose side to move wins at once is solved when it is generated. Where
//! the opponent threatens to, moves that cannot prevent it are not generated. Both are facts about the
//! position, so they do not touch what follows about repetition: a position with a win at once is never on a
//! path below the root, and no left-out move leads to a repetition.
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
//!   its own; by other ways the position stays open (after Kishimoto and Müller 2004, "A general solution
//!   to the graph history interaction problem").
//!
//! That holds for each thread by itself: what it derives rests on its own path, on facts, and on results
//! for that very way. So threads that share a table stay exact, and so does a table that was read from a
//! file.
//!
//! *Deviations*: nodes are positions generated, repeatedly if they are generated again. A counter
//! that is no part of the key (a count of moves without progress) is ignored when results are looked up.
//!
//! ```
//! # mod race { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/race/game.rs")); }
//! # use race::Race;
//! use spinney_search::proof_number::{Options, ProofNumber};
//! use spinney_search::{GameValue, Limits, Stop};
//!
//! let mut solver = ProofNumber::new(Options::DEFAULT)?;
//! let mut position = Race::START;
//! position.total = 9;
//! let report = solver.solve(&position, &Limits::default(), &Stop::new());
//! assert_eq!(report.proven, Some(GameValue::Loss));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod best_first;
mod depth_first;
mod numbers;
mod rule;
mod snapshot;
mod table;
mod view;
mod worker;

use std::collections::TryReserveError;
use std::io::{self, Read};
use std::time::Duration;

use spinney_game::{Game, Repetition, Side, Symmetric};

use self::best_first::BestFirst;
use self::depth_first::DepthFirst;
use self::numbers::Known;
pub use self::snapshot::{MOST_PROOF_BYTES, Snapshot};
use crate::knowledge::{NoKnowledge, Oracle};
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
    /// Threads of df-pn. The other searches use one.
    pub threads: usize,
    /// See moves that win at once before they are made ([`Oracle::wins_at_once`]).
    pub wins: bool,
    /// Search only moves that may stop a win at once where one is threatened
    /// ([`Oracle::forced_moves`]). Needs `wins`: a move that wins is no answer to the threat.
    pub forced: bool,
    /// The numbers of new positions.
    pub initial: Initial,
    /// Take positions that are images of each other for one (df-pn only).
    pub symmetry: bool,
    /// ε of df-pn in percent: how much better than the second best a child may become before the search
    /// leaves it.
    pub epsilon: u32,
}

/// The numbers of a position that has not been searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Initial {
    /// φ = δ = 1.
    Unit,
    /// φ = 1, δ = the number of moves.
    Mobility,
    /// Few replies where the side to move must answer a threat to win at once ([`Oracle::must_answer`]),
    /// many where it is free: lines of threats come first. Mobility where the game knows no threats.
    Threats,
    /// The same, with more replies the better a free side stands by the game's evaluation (Winands and
    /// Schadd 2010, "Evaluation-function based proof-number search").
    Evaluation,
}

impl Options {
    /// df-pn with all knowledge on one thread.
    pub const DEFAULT: Options = Options {
        algorithm: Algorithm::DfPn,
        memory: 1 << 30,
        threads: 1,
        wins: true,
        forced: true,
        initial: Initial::Threats,
        symmetry: false,
        epsilon: 50,
    };
}

impl Options {
    /// The same search with the rules alone and on one thread.
    pub const fn plain(self) -> Options {
        let initial = Initial::Mobility;
        Options { threads: 1, wins: false, forced: false, initial, symmetry: false, ..self }
    }
}

impl Default for Options {
    fn default() -> Self {
        Options::DEFAULT
    }
}

/// Is shown a search while it runs.
pub type Observer<'a> = dyn FnMut(&Snapshot<'_>) + 'a;

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

    /// Whether the limits on depth leave nothing to search.
    fn is_hopeless(&self) -> bool {
        self.known == Known::HOPELESS
    }
}

/// A solver, with what it remembers.
#[derive(Debug)]
pub struct ProofNumber<G: Game, K = NoKnowledge> {
    search: Search<G, K>,
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
enum Search<G: Game, K> {
    BestFirst(Box<BestFirst<G>>),
    DepthFirst(DepthFirst<G, K>),
}

impl<G: Repetition + Symmetric> ProofNumber<G> {
    /// A solver that has the rules alone; an error if the memory cannot be had.
    pub fn new(options: Options) -> Result<Self, TryReserveError> {
        ProofNumber::with_knowledge(options, NoKnowledge)
    }
}

impl<G: Repetition + Symmetric, K: Oracle<G>> ProofNumber<G, K> {
    /// A solver that uses what the game knows, as far as the options say; an error if the memory cannot
    /// be had. Only df-pn uses it.
    pub fn with_knowledge(options: Options, knowledge: K) -> Result<Self, TryReserveError> {
        let search = match options.algorithm {
            Algorithm::Pn => Search::BestFirst(Box::new(BestFirst::pn(options.memory)?)),
            Algorithm::Pn2 => Search::BestFirst(Box::new(BestFirst::pn2(options.memory)?)),
            Algorithm::DfPn => {
                let forced = options.forced && options.wins;
                Search::DepthFirst(DepthFirst::new(Options { forced, ..options }, knowledge)?)
            }
            Algorithm::Pds | Algorithm::PdsPn => {
                Search::DepthFirst(DepthFirst::new(options.plain(), knowledge)?)
            }
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
        self.begin(position, stop);
        self.go_on(position, limits, stop, false, None)
    }

    /// The same, and calls `observer` now and then while threads search. Only depth-first searches are
    /// observed.
    pub fn solve_observed(
        &mut self,
        position: &G,
        limits: &Limits,
        stop: &Stop,
        observer: &mut Observer<'_>,
    ) -> Report {
        self.begin(position, stop);
        self.go_on(position, limits, stop, false, Some(observer))
    }

    fn begin(&mut self, position: &G, stop: &Stop) {
        self.last = Last { root: position.key(), started: stop.now(), visited: 0, win: None };
    }

    /// Forgets what was found.
    pub fn clear(&mut self) {
        self.last.visited = 0;
        if let Search::DepthFirst(search) = &mut self.search {
            search.table.clear();
        }
    }

    /// The table of a depth-first search as it is now.
    pub fn snapshot(&self) -> Option<Snapshot<'_>> {
        let Search::DepthFirst(search) = &self.search else { return None };
        let (nodes, attacker) = (self.last.visited, self.attacker);
        Some(Snapshot { table: &search.table, nodes, attacker, moves: Vec::new() })
    }

    /// The plies in which the side to move loses, if that was found and is remembered. Nothing is searched.
    pub fn lost_in(&self, position: &G) -> Option<u32> {
        match &self.search {
            Search::DepthFirst(search) => search.lost_in(position),
            Search::BestFirst(_) => None,
        }
    }

    /// Adds a table that [`Snapshot::write`] wrote; what the caller's line was. It must come from the same
    /// game and the same setting of `symmetry`. After an error the solver must not be used.
    pub fn restore(&mut self, input: &mut dyn Read) -> io::Result<String> {
        match &mut self.search {
            Search::DepthFirst(search) => snapshot::read(input, &mut search.table),
            Search::BestFirst(_) => Err(io::Error::other("this search has no table")),
        }
    }

    /// Goes on with the last search, if it was one of this position and paused. The limits are those
    /// of the whole search. PN and PN² still have their tree; the others find their way back by the
    /// table.
    pub fn resume(&mut self, position: &G, limits: &Limits, stop: &Stop) -> Report {
        if self.last.root != position.key() || self.last.visited == 0 {
            return self.solve(position, limits, stop);
        }
        self.go_on(position, limits, stop, true, None)
    }

    fn go_on(
        &mut self,
        position: &G,
        limits: &Limits,
        stop: &Stop,
        resumes: bool,
        observer: Option<&mut Observer<'_>>,
    ) -> Report {
        if let Some(outcome) = position.outcome() {
            return Report::finished(GameValue::of(outcome, position.to_move()));
        }
        let Last { started, visited, .. } = self.last;
        let mut budget = Budget::resumed(limits, stop, started, visited).pausing_anywhere();
        let depth = limits.depth.unwrap_or(DEEPEST);
        let verdict = self.judge(position, depth, &mut budget, resumes, observer);
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
    fn ask(
        &mut self,
        question: &Question<'_, G>,
        budget: &mut Budget,
        resumes: bool,
        observer: Option<&mut Observer<'_>>,
    ) -> Answer {
        self.attacker = question.attacker;
        match &mut self.search {
            Search::BestFirst(search) => search.ask(question, budget, resumes),
            Search::DepthFirst(search) => search.ask(question, budget, observer),
        }
    }

    /// Asks the one or two questions about a game that is not over.
    fn judge(
        &mut self,
        position: &G,
        depth: u32,
        budget: &mut Budget,
        mut resumes: bool,
        mut observer: Option<&mut Observer<'_>>,
    ) -> Verdict {
        let depth = depth.min(DEEPEST) as usize;
        let side = position.to_move();
        // 1. Does the side to move win?
        let win = match self.last.win {
            Some(answer) => answer,
            None => {
                let question = Question { position, attacker: side, depth };
                let answer = self.ask(&question, budget, resumes, observer.as_deref_mut());
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
        let question = Question { position, attacker: !side, depth };
        let loss = self.ask(&question, budget, resumes, observer);
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
