//! Playouts with a shallow minimax search at every ply: MCTS-MR.
//!
//! Before each move of the playout a minimax search of a fixed depth looks for a decisive result. A
//! move that forces a win within the depth is played; moves that let the opponent force one are
//! avoided; otherwise the move is uniformly random. At depth 1 the mover takes an immediate win, at
//! depth 2 it also sees the immediate wins of the opponent.
//!
//! Reference: Baier and Winands, "Monte-Carlo Tree Search and Minimax Hybrids", CIG 2013 (MCTS-MR);
//! paper `nmcs`, Table 5. The minimax of `nmcs` seems to look for wins only ([`MinimaxRollouts::wins_only`]):
//! its playouts change nothing in misère games, where avoiding losses changes all.
//!
//! *Deviations*
//! - A move that loses at once for its mover, as in misère games, is seen at depth 1 and avoided.
//! - If every move loses, the choice is uniformly random.
//! - Inside the minimax search repetitions do not count: it looks for wins and losses, and a
//!   repetition is neither.

use spinney_game::cpu::{self, Kernel};
use spinney_game::{Game, Outcome, Repetition, Rng, Side};

use super::{Policy, Simulation};
use crate::{Budget, GameValue};

/// Random moves, but for what a minimax search of a few plies sees.
#[derive(Clone, Debug)]
pub struct MinimaxRollouts<G: Game> {
    depth: u32,
    max_plies: u32,
    avoids_losses: bool,
    /// The side whose wins the search looks for; `None`: both.
    only: Option<Side>,
    /// A stack of lists: every ply of the search puts its moves on top and takes them away again.
    moves: Vec<G::Move>,
}

impl<G: Game> MinimaxRollouts<G> {
    /// Playouts with a search of `depth` plies before every move, drawn after `max_plies`. Depth 0
    /// makes them uniformly random.
    pub fn new(depth: u32, max_plies: u32) -> Self {
        MinimaxRollouts { depth, max_plies, avoids_losses: true, only: None, moves: Vec::new() }
    }

    /// Looks for wins of the mover only: moves that lose are played like any other.
    pub fn wins_only(self) -> Self {
        MinimaxRollouts { avoids_losses: false, ..self }
    }
}

impl<G: Repetition> Policy<G> for MinimaxRollouts<G> {
    fn playout(&mut self, position: G, simulation: &mut Simulation<'_, G>) -> Option<f32> {
        let length = simulation.path.len();
        let outcome = cpu::run(Rollout { rollouts: self, position, simulation });
        simulation.path.truncate(length);
        outcome.map(Outcome::score_for_first)
    }

    fn choose(&mut self, position: &G, rng: &mut Rng, budget: &mut Budget) -> G::Move {
        cpu::run(Choice { rollouts: self, position, rng, budget })
    }
}

impl<G: Game> MinimaxRollouts<G> {
    /// The move to play. If the budget runs out, what was found by then decides.
    #[inline(always)]
    fn choose_here(&mut self, position: &G, rng: &mut Rng, budget: &mut Budget) -> G::Move {
        let start = self.moves.len();
        position.legal_moves(&mut self.moves);
        self.only = (!self.avoids_losses).then(|| position.to_move());
        // Moves seen to lose are kept before the others.
        let mut first_open = start;
        // Deeper and deeper, so that the shortest win is found first.
        'deepening: for depth in 0..self.depth {
            let unsettled = first_open..self.moves.len();
            for index in unsettled {
                let m = self.moves[index];
                let mut successor = position.clone();
                successor.play(m);
                if budget.spend(1) {
                    break 'deepening;
                }
                match self.value_for_mover(&successor, depth, budget) {
                    Some(GameValue::Loss) => {
                        self.moves.truncate(start);
                        return m;
                    }
                    Some(GameValue::Win) if self.avoids_losses => {
                        self.moves.swap(first_open, index);
                        first_open += 1;
                    }
                    _ => {}
                }
            }
        }
        let open = rng.choose(&self.moves[first_open..]);
        let choice = open.or_else(|| rng.choose(&self.moves[start..]));
        self.moves.truncate(start);
        choice.unwrap_or_else(|| position.random_move(rng))
    }

    /// The value for the side to move, if it is decided within `depth` plies and the budget lasts.
    #[inline(always)]
    fn value_for_mover(
        &mut self,
        position: &G,
        depth: u32,
        budget: &mut Budget,
    ) -> Option<GameValue> {
        if let Some(outcome) = position.outcome() {
            return Some(GameValue::of(outcome, position.to_move()));
        }
        match depth {
            0 => None,
            1 => self.value_by_moves::<true>(position, 1, budget),
            _ => cpu::run(Deeper { rollouts: self, position, depth, budget }),
        }
    }

    /// The same for a position that is not finished and a depth of at least 1; `LAST` at depth 1.
    #[inline(always)]
    fn value_by_moves<const LAST: bool>(
        &mut self,
        position: &G,
        depth: u32,
        budget: &mut Budget,
    ) -> Option<GameValue> {
        let start = self.moves.len();
        position.legal_moves(&mut self.moves);
        // One reply that does not lose refutes a win, if that is all that is asked.
        let one_is_enough = self.only.is_some_and(|side| side != position.to_move());
        let mut value = Some(GameValue::Loss);
        for index in start..self.moves.len() {
            let mut successor = position.clone();
            successor.play(self.moves[index]);
            if budget.spend(1) {
                value = None;
                break;
            }
            let value_for_opponent = if LAST {
                successor.outcome().map(|outcome| GameValue::of(outcome, successor.to_move()))
            } else {
                self.value_for_mover(&successor, depth - 1, budget)
            };
            match value_for_opponent {
                Some(GameValue::Loss) => {
                    value = Some(GameValue::Win);
                    break;
                }
                Some(GameValue::Win) => {}
                Some(GameValue::Draw) | None => {
                    value = None;
                    if one_is_enough {
                        break;
                    }
                }
            }
        }
        self.moves.truncate(start);
        value
    }
}

/// A playout, compiled for the processor. It leaves its positions on the path.
struct Rollout<'a, 'b, G: Game> {
    rollouts: &'a mut MinimaxRollouts<G>,
    position: G,
    simulation: &'a mut Simulation<'b, G>,
}

impl<G: Repetition> Kernel for Rollout<'_, '_, G> {
    type Output = Option<Outcome>;

    #[inline(always)]
    fn run(self) -> Option<Outcome> {
        let Rollout { rollouts, mut position, simulation } = self;
        let Simulation { path, rng, budget, trace } = simulation;
        let drawn_at = position.drawn_at();
        for plies in 0.. {
            // 1. The end.
            if let Some(outcome) = position.outcome() {
                return Some(outcome);
            }
            if let Some(times) = drawn_at
                && path.repeats(times)
            {
                return Some(Outcome::Draw);
            }
            if plies == rollouts.max_plies {
                break;
            }
            // 2. The move.
            let m = rollouts.choose_here(&position, rng, budget);
            if budget.spend(1) {
                return None;
            }
            budget.note_playout(1);
            let irreversible = drawn_at.is_some() && position.is_irreversible(m);
            position.play(m);
            if drawn_at.is_some() {
                path.push(position.key(), irreversible);
            }
            if let Some(trace) = trace {
                trace.push(m);
            }
        }
        Some(Outcome::Draw)
    }
}

/// A choice of a move, compiled for the processor.
struct Choice<'a, G: Game> {
    rollouts: &'a mut MinimaxRollouts<G>,
    position: &'a G,
    rng: &'a mut Rng,
    budget: &'a mut Budget,
}

impl<G: Game> Kernel for Choice<'_, G> {
    type Output = G::Move;

    #[inline(always)]
    fn run(self) -> G::Move {
        self.rollouts.choose_here(self.position, self.rng, self.budget)
    }
}

/// A search of two plies or more, compiled for the processor: what calls itself is not inlined.
struct Deeper<'a, G: Game> {
    rollouts: &'a mut MinimaxRollouts<G>,
    position: &'a G,
    depth: u32,
    budget: &'a mut Budget,
}

impl<G: Game> Kernel for Deeper<'_, G> {
    type Output = Option<GameValue>;

    #[inline(always)]
    fn run(self) -> Option<GameValue> {
        self.rollouts.value_by_moves::<false>(self.position, self.depth, self.budget)
    }
}
