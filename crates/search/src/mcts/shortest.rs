//! The shortest win: once a win is proven, a search of full width looks for a shorter one.
//!
//! The tree proves a win by the line that it happened to find first. The solver of paper `mcc` (4.2.2,
//! formula 5 and Algorithm 4.1) keeps the shortest of those that it finds while time is left; here
//! every shorter length is tried instead, so that what is reported is the shortest win if the
//! budget lasts. No win rests on a repetition: a reply that repeats refutes it.

use spinney_game::{Outcome, Path, Repetition};

use crate::policy::Policy;
use crate::{Budget, GameValue};

/// A search for short wins.
pub(super) struct Shortest<'a, G: Repetition> {
    pub(super) policy: &'a mut dyn Policy<G>,
    pub(super) path: Path,
    pub(super) budget: &'a mut Budget,
    /// Positions that may still be looked at.
    pub(super) positions: u64,
    /// The lists of moves of all plies, one after the other.
    pub(super) moves: Vec<G::Move>,
}

impl<G: Repetition> Shortest<'_, G> {
    /// A move that wins in fewer than `plies`, and its number of plies: the shortest win. `None` if there
    /// is none or the budget ran out.
    pub(super) fn below(&mut self, root: &G, plies: u32) -> Option<(G::Move, u32)> {
        (1..plies).find_map(|length| {
            let m = self.winning_move(root, length)?;
            Some((m, length))
        })
    }

    /// A move that wins within `plies`.
    fn winning_move(&mut self, position: &G, plies: u32) -> Option<G::Move> {
        let start = self.moves.len();
        position.legal_moves(&mut self.moves);
        let found = (start..self.moves.len()).find(|&index| {
            let m = self.moves[index];
            self.after(position, m, |search, next, outcome| match outcome {
                Some(outcome) => outcome == Outcome::Win(position.to_move()),
                None => plies > 1 && search.all_lose(next, plies - 1),
            })
        });
        let m = found.map(|index| self.moves[index]);
        self.moves.truncate(start);
        m
    }

    /// Whether every move of the side to move loses within `plies`.
    fn all_lose(&mut self, position: &G, plies: u32) -> bool {
        if let Some(known) = self.policy.known(position) {
            return known.value == GameValue::Loss && u32::from(known.plies) <= plies;
        }
        let start = self.moves.len();
        position.legal_moves(&mut self.moves);
        let lost = (start..self.moves.len()).all(|index| {
            let m = self.moves[index];
            self.after(position, m, |search, next, outcome| match outcome {
                Some(outcome) => outcome == Outcome::Win(!position.to_move()),
                None => match search.policy.known(next) {
                    Some(known) => known.value == GameValue::Win && u32::from(known.plies) < plies,
                    None => plies > 1 && search.winning_move(next, plies - 1).is_some(),
                },
            })
        });
        self.moves.truncate(start);
        lost
    }

    /// What holds after a move; nothing once the budget is spent.
    fn after(
        &mut self,
        position: &G,
        m: G::Move,
        holds: impl FnOnce(&mut Self, &G, Option<Outcome>) -> bool,
    ) -> bool {
        self.positions = self.positions.saturating_sub(1);
        if self.positions == 0 || self.budget.spend(1) {
            return false;
        }
        let mut next = position.clone();
        next.play(m);
        let length = self.path.len();
        self.path.push(next.key(), position.is_irreversible(m));
        let repeats = position.drawn_at().is_some_and(|times| self.path.repeats(times));
        let outcome = next.outcome().or(repeats.then_some(Outcome::Draw));
        let holds = holds(self, &next, outcome);
        self.path.truncate(length);
        holds
    }
}
