//! Ways to prove the value of a position, by name: the solvers, and players that prove.

use std::borrow::Cow;
use std::collections::TryReserveError;
use std::fmt;
use std::str::FromStr;

use spinney_game::{Game, History, Repetition, Symmetric};
use spinney_search::alpha_beta::{self, AlphaBeta};
use spinney_search::brute_force::Options;
use spinney_search::knowledge::NoKnowledge;
use spinney_search::mcts::{Config, Mcts};
use spinney_search::policy::Random;
use spinney_search::proof_number::Algorithm::DfPn;
use spinney_search::proof_number::{self, Initial};
use spinney_search::{GameValue, Limits, Report, Stop};

use crate::monte_carlo::MAX_PLIES;
use crate::options::{self, Declared, Named};
use crate::{PlayerError, PlayerSpec, Prover, Solvers};

/// The Monte Carlo solver always draws the same random numbers.
const SEED: u64 = 1;

/// A way to solve positions: `brute-force`, or a player such as `mia:null=off`.
#[derive(Clone, Debug)]
pub enum Algorithm {
    /// A solver.
    Solver(Solver),
    /// A player that proves.
    Player(PlayerSpec),
}

/// A solver.
#[derive(Clone, Debug)]
pub struct Solver {
    name: &'static str,
    /// The name with the options that were given.
    text: Cow<'static, str>,
    kind: Kind,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    /// Depth-first search with a table: exact, for small games.
    BruteForce,
    /// Alpha-beta without an evaluation, deeper and deeper.
    AlphaBeta,
    /// Monte Carlo tree search with the solver.
    Mcts,
    /// Proof-number search, in one of its kinds.
    ProofNumber(proof_number::Options),
}

impl Solver {
    /// All solvers.
    pub const ALL: &[Solver] = &[
        Solver::new("brute-force", Kind::BruteForce),
        Solver::new("alpha-beta", Kind::AlphaBeta),
        Solver::new("mcts", Kind::Mcts),
        Solver::proof_number("pn", proof_number::Algorithm::Pn),
        Solver::proof_number("pn2", proof_number::Algorithm::Pn2),
        Solver::proof_number("pds", proof_number::Algorithm::Pds),
        Solver::proof_number("pds-pn", proof_number::Algorithm::PdsPn),
        Solver::proof_number("df-pn", proof_number::Algorithm::DfPn),
    ];

    const fn new(name: &'static str, kind: Kind) -> Solver {
        Solver { name, text: Cow::Borrowed(name), kind }
    }

    const fn proof_number(name: &'static str, algorithm: proof_number::Algorithm) -> Solver {
        let options = proof_number::Options { algorithm, ..proof_number::Options::DEFAULT };
        Solver::new(name, Kind::ProofNumber(options))
    }

    /// The same solver with the options of a spec.
    fn with_options(&self, spec: &PlayerSpec) -> Result<Solver, PlayerError> {
        let mut solver = Solver { text: Cow::Owned(spec.to_string()), ..self.clone() };
        match &mut solver.kind {
            Kind::ProofNumber(settings) if settings.algorithm == DfPn => {
                options::apply(spec, &declare(), settings)?;
            }
            _ => options::apply::<()>(spec, &[], &mut ())?,
        }
        Ok(solver)
    }

    /// Whether it runs on several threads.
    pub fn is_parallel(&self) -> bool {
        matches!(self.kind, Kind::BruteForce) || self.keeps_table()
    }

    /// Whether its table can be kept in a file.
    pub fn keeps_table(&self) -> bool {
        matches!(self.kind, Kind::ProofNumber(options) if options.algorithm == DfPn)
    }

    /// Whether it takes images of a position for one.
    pub fn folds_symmetry(&self) -> bool {
        matches!(self.kind, Kind::ProofNumber(options) if options.symmetry)
    }

    /// Its search of a game, if its table can be kept; `memory` is in bytes.
    pub fn prover<G: Game>(
        &self,
        memory: usize,
        threads: usize,
        solvers: &Solvers<G>,
    ) -> Result<Option<Box<dyn Prover<G>>>, String> {
        let Kind::ProofNumber(options) = self.kind else { return Ok(None) };
        if !self.keeps_table() {
            return Ok(None);
        }
        (solvers.prover)(proof_number::Options { memory, threads, ..options })
            .map(Some)
            .map_err(|error| too_much(memory, &error))
    }

    /// The name users type.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Refuses limits that mean nothing here: the search would never end.
    pub fn check(&self, limits: &Limits) -> Result<(), String> {
        let name = self.name;
        match self.kind {
            Kind::Mcts if limits.depth.is_some() => {
                Err(format!("depth: {name} has none; use time, simulations or nodes"))
            }
            Kind::Mcts => Ok(()),
            _ if limits.simulations.is_some() => {
                Err(format!("simulations: {name} has none; use time, nodes or depth"))
            }
            _ => Ok(()),
        }
    }

    /// Solves one position, with nothing known from others: a value depends on no order of lines.
    /// `memory` is what the solver may use, in bytes.
    pub fn solve<G: Repetition + Symmetric>(
        &self,
        position: &G,
        solvers: &Solvers<G>,
        memory: usize,
        threads: usize,
        limits: &Limits,
        stop: &Stop,
    ) -> Result<Report, String> {
        let too_much = |error| too_much(memory, &error);
        match self.kind {
            Kind::BruteForce => {
                let options = Options { table_bytes: memory, threads };
                (solvers.brute_force)(options, position, limits, stop).map_err(too_much)
            }
            Kind::AlphaBeta => {
                let config = alpha_beta::Config::solver(memory);
                let mut solver = AlphaBeta::new(config, NoKnowledge).map_err(too_much)?;
                Ok(solver.search(&History::new(position.clone()), limits, stop, &mut |_| ()))
            }
            Kind::ProofNumber(options) => {
                let options = proof_number::Options { memory, threads, ..options };
                let mut prover = (solvers.prover)(options).map_err(too_much)?;
                Ok(prover.solve(position, limits, stop, None))
            }
            Kind::Mcts if position.outcome().is_some() => Ok(finished(position)),
            Kind::Mcts => {
                let mut config = Config::default();
                config.growth.memory = memory;
                config.proof.look_ahead = true;
                config.decision.stop_early = false;
                let mut search = Mcts::new(config, Random { max_plies: MAX_PLIES }, SEED);
                Ok(search.search(&History::new(position.clone()), limits, stop, &mut |_| ()))
            }
        }
    }
}

fn too_much(memory: usize, error: &TryReserveError) -> String {
    format!("memory: {memory} bytes are not to be had: {error}")
}

/// The options of df-pn.
fn declare() -> Vec<Declared<proof_number::Options>> {
    const INITIAL: &[Named<Initial>] = &[
        ("unit", Initial::Unit),
        ("mobility", Initial::Mobility),
        ("threats", Initial::Threats),
        ("evaluation", Initial::Evaluation),
    ];
    let switch = options::switch::<proof_number::Options>;
    vec![
        switch("wins", |o| &mut o.wins)
            .help("see moves that win at once before they are made (LOA)"),
        switch("forced", |o| &mut o.forced)
            .help("search only replies that may stop a win at once (LOA)")
            .needs("wins", &["on"]),
        options::choice("initial", INITIAL, |o: &mut proof_number::Options| &mut o.initial)
            .help("numbers of new positions: 1 and 1; by moves; by threats, or threats and evaluation (LOA)"),
        switch("symmetry", |o| &mut o.symmetry)
            .help("take positions that are images of each other for one"),
        options::count("epsilon", 0..=1000, |o: &mut proof_number::Options| &mut o.epsilon)
            .unit("%")
            .help("stay in a move until it is this much worse than the second best"),
    ]
}

/// The report on a position that is finished.
fn finished<G: Repetition>(position: &G) -> Report {
    let proven = position.outcome().map(|outcome| GameValue::of(outcome, position.to_move()));
    Report { proven, plies: Some(0), ..Report::empty() }
}

impl FromStr for Algorithm {
    type Err = PlayerError;

    /// A solver, or else a player, whose name is checked when it is made.
    fn from_str(text: &str) -> Result<Self, PlayerError> {
        let spec: PlayerSpec = text.parse()?;
        match Solver::ALL.iter().find(|solver| solver.name == spec.name()) {
            Some(solver) => solver.with_options(&spec).map(Algorithm::Solver),
            None => Ok(Algorithm::Player(spec)),
        }
    }
}

/// The name that [`FromStr`] reads.
impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Algorithm::Solver(solver) => f.write_str(&solver.text),
            Algorithm::Player(spec) => spec.fmt(f),
        }
    }
}
