//! Solvers with a table, whichever knowledge of the game they use.

use std::collections::TryReserveError;
use std::io::{self, Read};

use spinney_game::{Game, Repetition, Symmetric};
use spinney_games::loa::Loa;
use spinney_games::loa::knowledge::LoaKnowledge;
use spinney_games::loa::knowledge::cache::CachedEvaluation;
use spinney_games::loa::knowledge::evaluation::{Evaluation, Weights};
use spinney_search::knowledge::Oracle;
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

/// Makes the proof-number search of a game, with what the game knows.
pub type MakeProver<G> = fn(Options) -> Result<Box<dyn Prover<G>>, TryReserveError>;

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

/// The search of a game with its rules alone.
pub fn prover<G: Repetition + Symmetric>(
    options: Options,
) -> Result<Box<dyn Prover<G>>, TryReserveError> {
    Ok(Box::new(ProofNumber::new(options)?))
}

/// The search of LOA: it sees wins and threats.
pub fn loa_prover<const N: usize>(
    options: Options,
) -> Result<Box<dyn Prover<Loa<N>>>, TryReserveError> {
    let evaluation = CachedEvaluation::new(Evaluation::new(Weights::learned(N)), false);
    let knowledge = LoaKnowledge::new(evaluation, 0, 0);
    Ok(Box::new(ProofNumber::with_knowledge(options, knowledge)?))
}
