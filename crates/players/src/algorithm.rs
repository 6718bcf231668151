//! Ways to prove the value of a position, by name: the solvers, and players that prove.

use std::borrow::Cow;
use std::collections::TryReserveError;
use std::fmt;
use std::str::FromStr;

use spinney_game::{History, Repetition, Symmetric};
use spinney_search::alpha_beta::{self, AlphaBeta};
use spinney_search::brute_force::Options;
use spinney_search::knowledge::NoKnowledge;
use spinney_search::mcts::{Config, Mcts};
use spinney_search::policy::Random;
use spinney_search::proof_number::Algorithm::{DfPn, Pn, Pn2};
use spinney_search::proof_number::{self, Initial};
use spinney_search::{Limits, Stop};

use crate::monte_carlo::MAX_PLIES;
use crate::options::{self, Declared, Named};
use crate::solvers::Forgetful;
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
        Solver::DF_PN,
    ];

    /// df-pn with all knowledge.
    pub const DF_PN: Solver = Solver::proof_number("df-pn", DfPn);

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

    /// Its search of a game; `memory` is what it may use, in bytes.
    pub fn prover<G: Repetition + Symmetric>(
        &self,
        memory: usize,
        threads: usize,
        solvers: &Solvers<G>,
    ) -> Result<Box<dyn Prover<G>>, String> {
        let prover = match self.kind {
            Kind::BruteForce => (solvers.brute_force)(Options { table_bytes: memory, threads }),
            Kind::ProofNumber(options) => {
                (solvers.proof_number)(proof_number::Options { memory, threads, ..options })
            }
            Kind::AlphaBeta => alpha_beta(memory),
            Kind::Mcts => Ok(mcts(memory)),
        };
        prover.map_err(|error| format!("memory: {memory} bytes are not to be had: {error}"))
    }

    /// The solver that finds the moves of a certificate in the place of this one: df-pn, if this one
    /// forgets what it has found.
    pub fn strategist(&self) -> Option<Solver> {
        match self.kind {
            Kind::BruteForce => None,
            Kind::ProofNumber(options) if !matches!(options.algorithm, Pn | Pn2) => None,
            _ => Some(Solver::DF_PN),
        }
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
}

/// Alpha-beta without an evaluation.
fn alpha_beta<G: Repetition>(memory: usize) -> Result<Box<dyn Prover<G>>, TryReserveError> {
    let mut search = AlphaBeta::new(alpha_beta::Config::solver(memory), NoKnowledge)?;
    Ok(Box::new(Forgetful(move |position: &G, limits: &Limits, stop: &Stop| {
        search.search(&History::new(position.clone()), limits, stop, &mut |_| ())
    })))
}

/// Monte Carlo tree search with the solver.
fn mcts<G: Repetition>(memory: usize) -> Box<dyn Prover<G>> {
    let mut config = Config::default();
    config.growth.memory = memory;
    config.proof.look_ahead = true;
    config.decision.stop_early = false;
    let mut search = Mcts::new(config, Random { max_plies: MAX_PLIES }, SEED);
    Box::new(Forgetful(move |position: &G, limits: &Limits, stop: &Stop| {
        search.search(&History::new(position.clone()), limits, stop, &mut |_| ())
    }))
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
