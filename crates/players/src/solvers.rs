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
use spinney_search::{GameValue, Limits, Report, Stop};

/// A solver of a game; most remember what they have found.
pub trait Prover<G: Game>: Send {
    /// Solves the game that starts at `position`. A depth-first proof-number search shows itself to the
    /// observer.
    fn solve(
        &mut self,
        position: &G,
        limits: &Limits,
        stop: &Stop,
        observer: Option<&mut Observer<'_>>,
    ) -> Report;

    /// The plies in which the side to move loses, if that is remembered ([`ProofNumber::lost_in`]).
    fn lost_in(&self, _position: &G) -> Option<u32> {
        None
    }

    /// The table as it is now, if it can be kept in a file.
    fn snapshot(&self) -> Option<Snapshot<'_>> {
        None
    }

    /// Adds a table from a file ([`ProofNumber::restore`]).
    fn restore(&mut self, _input: &mut dyn Read) -> io::Result<String> {
        Err(io::Error::other("this solver keeps no table"))
    }
}

type MakeProver<G, O> = fn(O) -> Result<Box<dyn Prover<G>>, TryReserveError>;

/// How the solvers of a game are made.
pub struct Solvers<G: Game> {
    pub(crate) proof_number: MakeProver<G, Options>,
    pub(crate) brute_force: MakeProver<G, brute_force::Options>,
}

impl<G: Repetition + Symmetric> Solvers<G> {
    /// Solvers that know the rules alone.
    pub fn new() -> Self {
        Solvers {
            proof_number: |options| Ok(Box::new(ProofNumber::<G>::new(options)?)),
            brute_force: force::<G, NoKnowledge>,
        }
    }

    /// The same with facts for brute force.
    pub fn with_facts<F: Facts<G> + Default + 'static>(self) -> Self {
        Solvers { brute_force: force::<G, F>, ..self }
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
        proof_number: |options| Ok(Box::new(ProofNumber::with_knowledge(options, loa_oracle())?)),
        ..Solvers::new()
    }
}

/// What solvers of LOA know.
pub(crate) type LoaOracle<const N: usize> = LoaKnowledge<N, CachedEvaluation<N>>;

pub(crate) fn loa_oracle<const N: usize>() -> LoaOracle<N> {
    let evaluation = CachedEvaluation::new(Evaluation::new(Weights::learned(N)), false);
    LoaKnowledge::new(evaluation, 0, 0)
}

fn force<G: Repetition + Symmetric, F: Facts<G> + Default + 'static>(
    options: brute_force::Options,
) -> Result<Box<dyn Prover<G>>, TryReserveError> {
    Ok(Box::new(BruteForce::<G, F>::new(options, F::default())?))
}

impl<G: Repetition + Symmetric, F: Facts<G>> Prover<G> for BruteForce<G, F> {
    fn solve(
        &mut self,
        position: &G,
        limits: &Limits,
        stop: &Stop,
        _observer: Option<&mut Observer<'_>>,
    ) -> Report {
        BruteForce::solve(self, position, limits, stop)
    }
}

/// A search that forgets everything.
pub(crate) struct Forgetful<F>(pub(crate) F);

impl<G: Game, F: FnMut(&G, &Limits, &Stop) -> Report + Send> Prover<G> for Forgetful<F> {
    fn solve(
        &mut self,
        position: &G,
        limits: &Limits,
        stop: &Stop,
        _observer: Option<&mut Observer<'_>>,
    ) -> Report {
        match position.outcome() {
            Some(outcome) => Report::finished(GameValue::of(outcome, position.to_move())),
            None => (self.0)(position, limits, stop),
        }
    }
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

    fn lost_in(&self, position: &G) -> Option<u32> {
        ProofNumber::lost_in(self, position)
    }

    fn snapshot(&self) -> Option<Snapshot<'_>> {
        ProofNumber::snapshot(self)
    }

    fn restore(&mut self, input: &mut dyn Read) -> io::Result<String> {
        ProofNumber::restore(self, input)
    }
}
