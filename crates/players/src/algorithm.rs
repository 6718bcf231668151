//! Ways to prove the value of a position, by name: the solvers, and players that prove.

use std::fmt;
use std::str::FromStr;

use spinney_game::History;
use spinney_games::catalog::{Playable, closest};
use spinney_search::alpha_beta::{self, AlphaBeta, NoKnowledge};
use spinney_search::brute_force::{BruteForce, Options};
use spinney_search::mcts::{Config, Mcts};
use spinney_search::policy::Random;
use spinney_search::proof_number::{self, ProofNumber};
use spinney_search::{GameValue, Limits, Report, Stop};

use crate::compiled::compiled;
use crate::monte_carlo::MAX_PLIES;
use crate::{CATALOG, PlayerError, PlayerSpec, create};

/// The Monte Carlo solver always draws the same random numbers.
const SEED: u64 = 1;

/// A way to solve positions: `brute-force`, or a player such as `mia:null=off`.
#[derive(Clone, Debug)]
pub struct Algorithm(Kind);

#[derive(Clone, Debug)]
enum Kind {
    Solver(&'static str, Solver),
    Player(PlayerSpec),
}

#[derive(Clone, Copy, Debug)]
enum Solver {
    /// Depth-first search with a table: exact, for small games.
    BruteForce,
    /// Alpha-beta without an evaluation, deeper and deeper.
    AlphaBeta,
    /// Monte Carlo tree search with the solver.
    Mcts,
    /// Proof-number search, in one of its kinds.
    ProofNumber(proof_number::Algorithm),
}

const SOLVERS: &[(&str, Solver)] = &[
    ("brute-force", Solver::BruteForce),
    ("alpha-beta", Solver::AlphaBeta),
    ("mcts", Solver::Mcts),
    ("pn", Solver::ProofNumber(proof_number::Algorithm::Pn)),
    ("pn2", Solver::ProofNumber(proof_number::Algorithm::Pn2)),
    ("pds", Solver::ProofNumber(proof_number::Algorithm::Pds)),
    ("pds-pn", Solver::ProofNumber(proof_number::Algorithm::PdsPn)),
    ("df-pn", Solver::ProofNumber(proof_number::Algorithm::DfPn)),
];

impl FromStr for Algorithm {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        if let Some(&(name, solver)) = SOLVERS.iter().find(|(known, _)| *known == name) {
            return Ok(Algorithm(Kind::Solver(name, solver)));
        }
        let (player, _) = name.split_once(':').unwrap_or((name, ""));
        if CATALOG.iter().any(|entry| entry.name == player) {
            let spec = name.parse().map_err(|error: PlayerError| error.to_string())?;
            return Ok(Algorithm(Kind::Player(spec)));
        }
        let solvers = || SOLVERS.iter().map(|(name, _)| *name);
        Err(match closest(name, solvers().chain(CATALOG.iter().map(|entry| entry.name))) {
            Some(guess) => format!("'{name}' is unknown; did you mean {guess:?}?"),
            None => {
                let solvers: Vec<&str> = solvers().collect();
                format!("'{name}' is no player and none of {}", solvers.join(", "))
            }
        })
    }
}

/// The name that [`FromStr`] reads.
impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Solver(name, _) => f.write_str(name),
            Kind::Player(spec) => spec.fmt(f),
        }
    }
}

impl Algorithm {
    /// Refuses limits that mean nothing here: the search would never end.
    pub fn check(&self, limits: &Limits) -> Result<(), String> {
        match self.0 {
            Kind::Solver(name, Solver::Mcts) if limits.depth.is_some() => {
                Err(format!("depth: {name} has none; use time, simulations or nodes"))
            }
            Kind::Player(_) | Kind::Solver(_, Solver::Mcts) => Ok(()),
            Kind::Solver(name, _) if limits.simulations.is_some() => {
                Err(format!("simulations: {name} has none; use time, nodes or depth"))
            }
            Kind::Solver(..) => Ok(()),
        }
    }

    /// Solves one position, with nothing known from others: a value depends on no order of lines.
    /// `memory` is what a solver may use, in bytes; players have options for it.
    pub fn solve<G: Playable>(
        &self,
        position: &G,
        memory: usize,
        limits: &Limits,
        stop: &Stop,
    ) -> Result<Report<G::Move>, String> {
        let compiled = compiled::<G>().ok_or("no game of the catalog")?;
        (compiled.solve)(self, position, memory, limits, stop)
    }
}

/// [`Algorithm::solve`], for a game that is known.
pub(crate) fn solve<G: Playable>(
    algorithm: &Algorithm,
    position: &G,
    memory: usize,
    limits: &Limits,
    stop: &Stop,
) -> Result<Report<G::Move>, String> {
    let too_much = |error| format!("memory: {memory} bytes are not to be had: {error}");
    let history = History::new(position.clone());
    match &algorithm.0 {
        Kind::Solver(_, Solver::BruteForce) => {
            let mut solver = BruteForce::new(Options { table_bytes: memory }).map_err(too_much)?;
            Ok(solver.solve(position, limits, stop))
        }
        Kind::Solver(_, Solver::AlphaBeta) => {
            let config = alpha_beta::Config::solver(memory);
            let mut solver = AlphaBeta::new(config, NoKnowledge).map_err(too_much)?;
            Ok(solver.search(&history, limits, stop, &mut |_| ()))
        }
        Kind::Solver(_, Solver::ProofNumber(kind)) => {
            let options = proof_number::Options { algorithm: *kind, memory };
            let mut solver = ProofNumber::new(options).map_err(too_much)?;
            Ok(solver.solve(position, limits, stop))
        }
        Kind::Solver(_, Solver::Mcts) | Kind::Player(_) if position.outcome().is_some() => {
            Ok(finished(position))
        }
        Kind::Solver(_, Solver::Mcts) => {
            let config =
                Config { memory, look_ahead: true, stop_early: false, ..Config::default() };
            let mut search = Mcts::new(config, Random { max_plies: MAX_PLIES }, SEED);
            Ok(search.search(&history, limits, stop, &mut |_| ()))
        }
        Kind::Player(spec) => {
            let mut player = create(spec, position, SEED).map_err(|error| error.to_string())?;
            Ok(player.analyse(&history, limits, stop, &mut |_| ()))
        }
    }
}

/// The report on a position that is finished.
fn finished<G: Playable>(position: &G) -> Report<G::Move> {
    let proven = position.outcome().map(|outcome| GameValue::of(outcome, position.to_move()));
    Report { proven, plies: Some(0), ..Report::empty() }
}
