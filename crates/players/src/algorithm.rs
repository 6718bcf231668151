//! Ways to prove the value of a position, by name: the solvers, and players that prove.

use std::fmt;
use std::str::FromStr;

use spinney_game::{History, Repetition, Symmetric};
use spinney_search::alpha_beta::{self, AlphaBeta};
use spinney_search::brute_force::{BruteForce, Options};
use spinney_search::knowledge::NoKnowledge;
use spinney_search::mcts::{Config, Mcts};
use spinney_search::policy::Random;
use spinney_search::proof_number::{self, ProofNumber};
use spinney_search::{GameValue, Limits, Report, Stop};

use crate::monte_carlo::MAX_PLIES;
use crate::{PlayerError, PlayerSpec};

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
#[derive(Clone, Copy, Debug)]
pub struct Solver {
    name: &'static str,
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
    ProofNumber(proof_number::Algorithm),
}

impl Solver {
    /// All solvers.
    pub const ALL: &[Solver] = &[
        Solver { name: "brute-force", kind: Kind::BruteForce },
        Solver { name: "alpha-beta", kind: Kind::AlphaBeta },
        Solver { name: "mcts", kind: Kind::Mcts },
        Solver { name: "pn", kind: Kind::ProofNumber(proof_number::Algorithm::Pn) },
        Solver { name: "pn2", kind: Kind::ProofNumber(proof_number::Algorithm::Pn2) },
        Solver { name: "pds", kind: Kind::ProofNumber(proof_number::Algorithm::Pds) },
        Solver { name: "pds-pn", kind: Kind::ProofNumber(proof_number::Algorithm::PdsPn) },
        Solver { name: "df-pn", kind: Kind::ProofNumber(proof_number::Algorithm::DfPn) },
    ];

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
        memory: usize,
        limits: &Limits,
        stop: &Stop,
    ) -> Result<Report, String> {
        let too_much = |error| format!("memory: {memory} bytes are not to be had: {error}");
        match self.kind {
            Kind::BruteForce => {
                let options = Options { table_bytes: memory };
                let mut solver = BruteForce::new(options).map_err(too_much)?;
                Ok(solver.solve(position, limits, stop))
            }
            Kind::AlphaBeta => {
                let config = alpha_beta::Config::solver(memory);
                let mut solver = AlphaBeta::new(config, NoKnowledge).map_err(too_much)?;
                Ok(solver.search(&History::new(position.clone()), limits, stop, &mut |_| ()))
            }
            Kind::ProofNumber(algorithm) => {
                let options = proof_number::Options { algorithm, memory };
                let mut solver = ProofNumber::new(options).map_err(too_much)?;
                Ok(solver.solve(position, limits, stop))
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

/// The report on a position that is finished.
fn finished<G: Repetition>(position: &G) -> Report {
    let proven = position.outcome().map(|outcome| GameValue::of(outcome, position.to_move()));
    Report { proven, plies: Some(0), ..Report::empty() }
}

impl FromStr for Algorithm {
    type Err = PlayerError;

    /// A solver, or else a player, whose name is checked when it is made.
    fn from_str(text: &str) -> Result<Self, PlayerError> {
        match Solver::ALL.iter().find(|solver| solver.name == text) {
            Some(solver) => Ok(Algorithm::Solver(*solver)),
            None => text.parse().map(Algorithm::Player),
        }
    }
}

/// The name that [`FromStr`] reads.
impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Algorithm::Solver(solver) => f.write_str(solver.name),
            Algorithm::Player(spec) => spec.fmt(f),
        }
    }
}
