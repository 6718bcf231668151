//! The solvers of a game, with what the game knows beyond its rules.

use std::collections::TryReserveError;
use std::io::{self, Read};

use spinney_game::{Game, Repetition, Symmetric};
use spinney_games::loa::Loa;
use spinney_games::loa::knowledge::LoaKnowledge;
use spinney_games::loa::knowledge::cache::CachedEvaluation;
use spinney_games::loa::knowledge::evaluation::{Evaluation, Weights};
use spinney_search::brute_force::{self, BruteForce};
use spinney_search::knowledge::{Facts, NoKnowledge, Oracle};
use spinney_search::proof_number::{Observer, Options, ProofNumber, Snapshot};
use spinney_search::{Limits, Report, Stop};

/// A proof-number search of a game.
pub trait Prover<G: Game>: Send {
    /// Solves the game that starts at `position` ([`ProofNumber::solve_observed`]).
    fn solve(
        &mut self,
        position: &G,
        limits: &Limits,
        stop: &Stop,
        observer: Option<&mut Observer<'_>>,
    ) -> Report;

    /// The table as it is now, if there is one.
    fn snapshot(&self) -> Option<Snapshot<'_>>;

    /// Adds a table from a file ([`ProofNumber::restore`]).
    fn restore(&mut self, input: &mut dyn Read) -> io::Result<String>;
}

type MakeProver<G> = fn(Options) -> Result<Box<dyn Prover<G>>, TryReserveError>;

/// How the solvers of a game are made.
pub struct Solvers<G: Game> {
    pub(crate) prover: MakeProver<G>,
    pub(crate) brute_force:
        fn(brute_force::Options, &G, &Limits, &Stop) -> Result<Report, TryReserveError>,
}

impl<G: Repetition + Symmetric> Solvers<G> {
    /// Solvers that know the rules alone.
    pub fn new() -> Self {
        Solvers {
            prover: |options| Ok(Box::new(ProofNumber::<G>::new(options)?)),
            brute_force: solve_by_force::<G, NoKnowledge>,
        }
    }

    /// The same with facts for brute force.
    pub fn with_facts<F: Facts<G> + Default>(self) -> Self {
        Solvers { brute_force: solve_by_force::<G, F>, ..self }
    }
}

impl<G: Repetition + Symmetric> Default for Solvers<G> {
    fn default() -> Self {
        Solvers::new()
    }
}

/// The solvers of LOA: df-pn sees wins and threats.
pub fn loa_solvers<const N: usize>() -> Solvers<Loa<N>> {
    Solvers {
        prover: |options| {
            let evaluation = CachedEvaluation::new(Evaluation::new(Weights::learned(N)), false);
            let knowledge = LoaKnowledge::new(evaluation, 0, 0);
            Ok(Box::new(ProofNumber::with_knowledge(options, knowledge)?))
        },
        ..Solvers::new()
    }
}

fn solve_by_force<G: Repetition + Symmetric, F: Facts<G> + Default>(
    options: brute_force::Options,
    position: &G,
    limits: &Limits,
    stop: &Stop,
) -> Result<Report, TryReserveError> {
    Ok(BruteForce::new(options, F::default())?.solve(position, limits, stop))
}

impl<G: Repetition + Symmetric, K: Oracle<G>> Prover<G> for ProofNumber<G, K> {
    fn solve(
        &mut self,
        position: &G,
        limits: &Limits,
        stop: &Stop,
        observer: Option<&mut Observer<'_>>,
    ) -> Report {
        match observer {
            Some(observer) => self.solve_observed(position, limits, stop, observer),
            None => ProofNumber::solve(self, position, limits, stop),
        }
    }

    fn snapshot(&self) -> Option<Snapshot<'_>> {
        ProofNumber::snapshot(self)
    }

    fn restore(&mut self, input: &mut dyn Read) -> io::Result<String> {
        ProofNumber::restore(self, input)
    }
}
