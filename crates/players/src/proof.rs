//! Proof-number search as a player, `pn`: it proves who wins, or plays what is easiest to prove.

use std::sync::{Arc, Mutex, PoisonError};

use spinney_game::{History, Repetition, Symmetric};
use spinney_search::proof_number::{Algorithm, Options, ProofNumber};
use spinney_search::{LimitKinds, Limits, Report, SearchTree, Stop};

use crate::Player;
use crate::monte_carlo::memory;
use crate::options::Declared;

/// Memory for the tree, in bytes. The search ends when it is full.
const MEMORY: usize = 256 << 20;

/// The settings: bytes for the tree.
#[derive(Clone)]
pub(crate) struct Memory(usize);

impl Default for Memory {
    fn default() -> Self {
        Memory(MEMORY)
    }
}

/// The options of the player.
pub(crate) fn proof_options() -> Vec<Declared<Memory>> {
    vec![memory(|memory: &mut Memory| &mut memory.0)]
}

/// PN search as a player. Its tree can be looked into between searches.
pub(crate) struct ProofPlayer<G: Repetition>(Arc<Mutex<ProofNumber<G>>>);

impl<G: Repetition + Symmetric> ProofPlayer<G> {
    pub(crate) fn new(Memory(memory): Memory) -> Result<Self, String> {
        let solver =
            ProofNumber::new(Options { algorithm: Algorithm::Pn, memory, ..Options::default() })
                .map_err(|error| format!("memory: {error}"))?;
        Ok(ProofPlayer(Arc::new(Mutex::new(solver))))
    }

    /// What a search finds, with its moves. A limit on simulations is one on positions.
    fn report(
        &self,
        limits: &Limits,
        search: impl FnOnce(&mut ProofNumber<G>, &Limits) -> Report,
    ) -> Report {
        let limits = Limits { nodes: limits.nodes.or(limits.simulations), ..*limits };
        let mut solver = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut report = search(&mut solver, &limits);
        let moves = solver.branches(&[]).unwrap_or_default();
        report.candidates = moves.into_iter().map(|branch| branch.candidate).collect();
        put_best_first(&mut report);
        report
    }
}

impl<G: Repetition + Symmetric> Player<G> for ProofPlayer<G> {
    fn analyse(
        &mut self,
        history: &History<G>,
        limits: &Limits,
        stop: &Stop,
        _progress: &mut dyn FnMut(&Report),
    ) -> Report {
        self.report(limits, |solver, limits| solver.solve(history.position(), limits, stop))
    }

    fn resume(
        &mut self,
        history: &History<G>,
        limits: &Limits,
        stop: &Stop,
        _progress: &mut dyn FnMut(&Report),
    ) -> Report {
        self.report(limits, |solver, limits| solver.resume(history.position(), limits, stop))
    }

    fn limit_kinds(&self) -> LimitKinds {
        LimitKinds::NO_DEPTH
    }

    fn new_game(&mut self, _seed: u64) {}

    fn tree(&self) -> Option<Arc<dyn SearchTree>> {
        Some(self.0.clone())
    }
}

/// Puts the move to play before the others, which stay in their order.
fn put_best_first(report: &mut Report) {
    let best = report.best;
    report.candidates.sort_by_key(|candidate| Some(candidate.m) != best);
}
