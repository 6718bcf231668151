//! A proof-number search (df-pn) beside another search, which it gives a share of the nodes.
//!
//! Alpha-beta with an evaluation sees what is likely, and reduces or leaves out moves that look bad; a forced win may
//! begin with such moves. df-pn sees forced lines only. So after each iteration of the search it continues
//! until its nodes are the given share of those of the search. A win ends the search: its move is played. After a
//! loss the search continues, for a defence that takes long.
//!
//! The game that is solved begins at the position: repetitions of earlier positions of the game are
//! not known to it.

use std::time::Duration;

use spinney_game::{Move, PackedMove, Repetition, Symmetric};
use spinney_search::knowledge::Oracle;
use spinney_search::proof_number::{Options, ProofNumber};
use spinney_search::{Candidate, GameValue, Limits, Report, Stop};

/// A share smaller than this is not worth a search, in nodes.
const FEWEST: u64 = 100;
/// The longest line, in plies.
const LONGEST: usize = 200;
/// For the next move of a line that is proved: the table has it, or nearly.
const LINE_NODES: u64 = 2000;

/// The search beside another one.
pub(crate) struct Beside<G: Repetition, K> {
    solver: ProofNumber<G, K>,
    /// In percent.
    share: u64,
    /// What is left of the time since the first look at this position.
    begun: Option<Option<Duration>>,
    /// Spent on this position.
    nodes: u64,
    /// A value that was proved for the side to move.
    found: Option<Report>,
}

impl<G: Repetition + Symmetric, K: Oracle<G>> Beside<G, K> {
    /// `share` is in percent, `memory` the most bytes of the table.
    pub(crate) fn new(share: u64, memory: usize, knowledge: K) -> Result<Self, String> {
        let options = Options { memory, ..Options::DEFAULT };
        let solver = ProofNumber::with_knowledge(options, knowledge)
            .map_err(|error| format!("table: {error}"))?;
        Ok(Beside { solver, share, begun: None, nodes: 0, found: None })
    }

    /// Forgets what was found in the last game.
    pub(crate) fn new_game(&mut self) {
        self.solver.clear();
    }

    /// Before a search.
    pub(crate) fn begin(&mut self) {
        (self.begun, self.nodes, self.found) = (None, 0, None);
    }

    /// The limits of the other search: both together keep to those given.
    pub(crate) fn limits_of_other(&self, limits: &Limits) -> Limits {
        let nodes = limits.nodes.map(|nodes| nodes - nodes / 100 * self.share);
        Limits { nodes, ..*limits }
    }

    /// Whether a win was proved: then the other search can end.
    pub(crate) fn has_won(&self) -> bool {
        self.found.as_ref().is_some_and(|found| found.proven == Some(GameValue::Win))
    }

    /// Continues beside a search that has found `report`.
    pub(crate) fn look(&mut self, position: &G, report: &Report, limits: &Limits, stop: &Stop) {
        let nodes = report.nodes / 100 * self.share;
        if self.found.is_some() || report.proven.is_some() || nodes < FEWEST {
            return;
        }
        let left = limits.time.map(|time| time.saturating_sub(report.elapsed));
        let resumes = self.begun.is_some();
        let time = *self.begun.get_or_insert(left);
        let limits = Limits { nodes: Some(nodes), time, ..Limits::default() };
        let mut found = match resumes {
            true => self.solver.resume(position, &limits, stop),
            false => self.solver.solve(position, &limits, stop),
        };
        self.nodes = found.nodes;
        match (found.proven, found.best) {
            (Some(GameValue::Win), Some(best)) => found.pv = self.line(position, best),
            (Some(GameValue::Loss), _) => {}
            _ => return,
        }
        self.found = Some(found);
    }

    /// Adds what was proved, and the nodes, to the report of the other search.
    pub(crate) fn complete(&self, report: &mut Report) {
        report.nodes += self.nodes;
        let Some(Report { best, proven, plies, ref pv, .. }) = self.found else { return };
        let Some(value) = proven.filter(|_| report.proven.is_none()) else { return };
        if let (GameValue::Win, Some(best)) = (value, best) {
            let mut candidate = match report.candidates.iter().position(|other| other.m == best) {
                Some(index) => report.candidates.remove(index),
                None => Candidate::unproven(best, 0, 1.0),
            };
            candidate.pv.clone_from(pv);
            report.candidates.insert(0, candidate);
            report.best = Some(best);
            report.pv.clone_from(pv);
        }
        (report.value, report.proven, report.plies) = (value.score().into(), proven, plies);
        if let Some(first) = report.candidates.first_mut() {
            (first.value, first.proven, first.plies) = (report.value, proven, plies);
        }
    }

    /// A line in which the side to move wins, and the other resists as long as it can. By what the table
    /// knows: it may end early.
    fn line(&mut self, position: &G, first: PackedMove) -> Vec<PackedMove> {
        let (mut position, mut line) = (position.clone(), vec![first]);
        let mut replies = Vec::new();
        position.play(G::Move::unpack(first));
        while position.outcome().is_none() && line.len() < LONGEST {
            position.legal_moves(&mut replies);
            let longest = replies.drain(..).filter_map(|reply| {
                let mut after = position.clone();
                after.play(reply);
                let limits = Limits::nodes(LINE_NODES);
                let report = self.solver.solve(&after, &limits, &Stop::new());
                let plies = report.plies.filter(|_| report.proven == Some(GameValue::Win))?;
                Some((plies, reply.pack(), report.best, after))
            });
            let Some((_, reply, Some(next), after)) = longest.max_by_key(|reply| reply.0) else {
                break;
            };
            position = after;
            position.play(G::Move::unpack(next));
            line.extend([reply, next]);
        }
        line
    }
}
