//! Playouts that know the game: the simulation strategies of MC-LOA (paper `mcts-loa`, III.A.2 and
//! V) and MC-LOA-αβ (paper `ab-playouts`, IV), for any game and what is known about it.
//!
//! - `default`: a move is drawn by the probabilities of the move categories.
//! - `corrective` (Fig. 7): the same, but moves that do not improve the evaluation are hardly drawn.
//! - `greedy` (Fig. 8): of the moves likeliest by category, that with the best evaluation.
//! - `mixed` (V.D): corrective in the tree and for the first move of a playout, then greedy.
//! - `alpha-beta`: corrective in the tree; in the playout a selective search of two plies.
//!
//! A playout ends when the evaluation is beyond a threshold (V.A).
//!
//! `choice.rs` has the strategies of one ply, `selective.rs` the search of two, `ranking.rs` the order of
//! moves by category; this file joins them to playouts.
//!
//! *Deviations*
//! - In the corrective strategy a move is played at once if it wins the game, as the text says; the
//!   `bound` of Fig. 7 could also be the threshold.
//! - The threshold is compared where a value is known already: after every greedy move, after every
//!   search of two plies, and by the plan of V.A (plies 2, 5, 8, ...) after the other moves.
//! - In the corrective strategy a move improves a position if it is better for the mover than the same
//!   position with the turn passed, so that the worth of the turn does not count.
//! - A node of the tree where the side to move wins at once is proven by its first visit (option
//!   `leaf_wins`), not when it gets children.
//! - A move that wins at once is looked for before anything is evaluated, and the corrective strategy
//!   evaluates only the moves it draws: moves come as often as by the figures.

mod choice;
mod ranking;
mod selective;

use spinney_game::cpu::{self, Kernel};
use spinney_game::{Game, Outcome, Repetition, Rng, Side};

use self::choice::Choice;
use self::ranking::Ranking;
pub use self::selective::Selective;
use self::selective::{Base, Killers, PLIES};
use super::{Policy, Simulation};
use crate::knowledge::{Known, Oracle, PlayoutModel};
use crate::{Budget, GameValue};

/// How the moves of a simulation are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// By category.
    Default,
    /// By category, but hardly ever a move that makes things worse.
    Corrective,
    /// The best by evaluation, among the likeliest by category.
    Greedy,
    /// Corrective first, then greedy.
    Mixed,
    /// Corrective in the tree, a search of two plies in playouts.
    AlphaBeta,
}

/// The options of informed playouts. Values are those of the game's evaluation.
#[derive(Clone, Debug, PartialEq)]
pub struct Playouts {
    /// How moves are chosen.
    pub strategy: Strategy,
    /// A playout is decided when the evaluation is beyond this; `None`: never.
    pub threshold: Option<i32>,
    /// The first ply after which a position is evaluated for the threshold alone.
    pub first_look: u32,
    /// Plies between two such evaluations.
    pub look_every: u32,
    /// Plies after which a playout is a draw.
    pub max_plies: u32,
    /// The weight of a move that the corrective strategy avoids: ε of Fig. 7.
    pub min_weight: f32,
    /// Moves that the greedy strategy evaluates: k of Fig. 8.
    pub candidates: usize,
    /// The search of two plies.
    pub selective: Selective,
    /// Proves a node of the tree where the side to move wins at once by its first visit. Not in the
    /// papers.
    pub leaf_wins: bool,
}

impl Default for Playouts {
    /// MC-LOA with the mixed strategy; the threshold depends on the scale of a game's evaluation, so
    /// none is set. The papers name neither ε, a guess here, nor k: see docs/how/uct.md.
    fn default() -> Self {
        Playouts {
            strategy: Strategy::Mixed,
            threshold: None,
            first_look: 2,
            look_every: 3,
            max_plies: 200,
            min_weight: 0.001,
            candidates: 5,
            selective: Selective::default(),
            leaf_wins: false,
        }
    }
}

/// What a move of a playout costs, in positions: some are evaluated to choose it.
const MOVE_WORK: u64 = 8;

/// A won position, for its winner: beyond every evaluation.
const WON: i32 = i32::MAX / 2;

/// Playouts by what is known about the game.
#[derive(Clone, Debug)]
pub struct Informed<G: Game, K> {
    options: Playouts,
    knowledge: K,
    killers: Killers<G::Move>,
    /// For the first and the second ply of a search.
    buffers: [Buffers<G::Move>; PLIES],
    /// For the lists of moves that several positions share, of this level of the playout and the last.
    bases: [Buffers<G::Move>; 2],
    last_base: Option<Base>,
}

/// Memory that choices use again and again.
#[derive(Clone, Debug)]
struct Buffers<M> {
    moves: Vec<M>,
    /// The probabilities of the moves.
    weights: Vec<f32>,
    /// The weights of the moves in a draw.
    drawn: Vec<f32>,
    /// The moves of the list, the likeliest first.
    ranking: Ranking,
}

impl<M> Default for Buffers<M> {
    fn default() -> Self {
        let room = 128;
        Buffers {
            moves: Vec::with_capacity(room),
            weights: Vec::with_capacity(room),
            drawn: Vec::with_capacity(room),
            ranking: Ranking::with_capacity(room),
        }
    }
}

impl<M: Copy> Buffers<M> {
    /// Lists the moves of a position.
    #[inline(always)]
    fn list<G, K>(&mut self, knowledge: &mut K, position: &G, state: &K::State)
    where
        G: Game<Move = M>,
        K: PlayoutModel<G> + Oracle<G>,
    {
        self.moves.clear();
        self.weights.clear();
        knowledge.legal_moves(position, state, &mut self.moves);
        knowledge.priors(position, &self.moves, &mut self.weights);
    }

    /// Ranks the moves by their weights; that many of them are likely to be asked for.
    #[inline(always)]
    fn rank(&mut self, count: usize) {
        self.ranking.set(&self.weights, count);
    }

    /// The move in some place of the ranking, and its weight; that before it was asked for already.
    #[inline(always)]
    fn nth(&mut self, place: usize) -> Option<(M, f32)> {
        let index = self.ranking.nth(place)?;
        Some((self.moves[index], self.weights[index]))
    }
}

impl<G: Game, K: PlayoutModel<G> + Oracle<G>> Informed<G, K> {
    /// Playouts with these options.
    pub fn new(options: Playouts, knowledge: K) -> Self {
        let killers = Killers::new(options.max_plies);
        Informed {
            options,
            knowledge,
            killers,
            buffers: Default::default(),
            bases: Default::default(),
            last_base: None,
        }
    }

    /// `Some(±1)` when a value passes the threshold, for the side whose value it is.
    #[inline(always)]
    fn verdict(&self, value: i32) -> Option<f32> {
        let threshold = self.options.threshold?;
        if value > threshold {
            Some(1.0)
        } else if value < -threshold {
            Some(-1.0)
        } else {
            None
        }
    }

    /// Whether a position `plies` below the tree is evaluated for the threshold alone.
    #[inline(always)]
    fn looks_at(&self, plies: u32) -> bool {
        let Playouts { first_look, look_every, .. } = self.options;
        plies >= first_look && (plies - first_look).is_multiple_of(look_every)
    }

    /// The move of a playout after `plies` of it.
    #[inline(always)]
    fn step(
        &mut self,
        position: &G,
        state: &K::State,
        plies: u32,
        rng: &mut Rng,
    ) -> Choice<G::Move> {
        match self.options.strategy {
            Strategy::Default => self.by_category(position, state, rng),
            Strategy::Corrective => self.corrective(position, state, rng),
            Strategy::Mixed if plies == 0 => self.corrective(position, state, rng),
            Strategy::Mixed | Strategy::Greedy => self.greedy(position, state),
            Strategy::AlphaBeta => self.two_plies(position, state, plies),
        }
    }
}

impl<G: Repetition, K: PlayoutModel<G> + Oracle<G>> Policy<G> for Informed<G, K> {
    fn playout(&mut self, position: G, simulation: &mut Simulation<'_, G>) -> Option<f32> {
        let length = simulation.path.len();
        let result = cpu::run(Playout { policy: self, position, simulation });
        simulation.path.truncate(length);
        result
    }

    fn choose(&mut self, position: &G, rng: &mut Rng, _budget: &mut Budget) -> G::Move {
        cpu::run(InTree { policy: self, position, rng })
    }

    #[inline]
    fn prior(&mut self, position: &G, m: G::Move) -> f32 {
        self.knowledge.prior(position, m)
    }

    fn known(&mut self, position: &G) -> Option<Known> {
        let wins = K::FINDS_WINS && self.options.leaf_wins && self.knowledge.wins_at_once(position);
        wins.then_some(Known { value: GameValue::Win, plies: 1 })
    }
}

/// A choice in the tree, compiled for the processor.
struct InTree<'a, G: Game, K> {
    policy: &'a mut Informed<G, K>,
    position: &'a G,
    rng: &'a mut Rng,
}

impl<G: Game, K: PlayoutModel<G> + Oracle<G>> Kernel for InTree<'_, G, K> {
    type Output = G::Move;

    #[inline(always)]
    fn run(self) -> G::Move {
        let InTree { policy, position, rng } = self;
        let state = policy.knowledge.state(position);
        let choice = match policy.options.strategy {
            Strategy::Default => policy.by_category(position, &state, rng),
            Strategy::Greedy => policy.greedy(position, &state),
            Strategy::Corrective | Strategy::Mixed | Strategy::AlphaBeta => {
                policy.corrective(position, &state, rng)
            }
        };
        choice.m
    }
}

/// A playout, compiled for the processor. It leaves its positions on the path.
struct Playout<'a, 'b, G: Game, K> {
    policy: &'a mut Informed<G, K>,
    position: G,
    simulation: &'a mut Simulation<'b, G>,
}

impl<G: Repetition, K: PlayoutModel<G> + Oracle<G>> Kernel for Playout<'_, '_, G, K> {
    type Output = Option<f32>;

    /// The result as the first side sees it; `None` if it was interrupted.
    #[inline(always)]
    fn run(self) -> Option<f32> {
        let Playout { policy, mut position, simulation } = self;
        let Simulation { path, rng, budget, trace } = simulation;
        let drawn_at = position.drawn_at();
        let mut state = policy.knowledge.state(&position);
        for plies in 0..policy.options.max_plies {
            // 1. The move.
            budget.spend_uncounted(MOVE_WORK);
            if budget.is_interrupted() {
                return None;
            }
            budget.note_playout(1);
            let mover = position.to_move();
            let choice = policy.step(&position, &state, plies, rng);
            policy.knowledge.update(&mut state, &position, choice.m);
            let irreversible = drawn_at.is_some() && position.is_irreversible(choice.m);
            position.play(choice.m);
            if let Some(trace) = trace {
                trace.push(choice.m);
            }
            // 2. The end of the game.
            if let Some(outcome) = position.outcome() {
                return Some(outcome.score_for_first());
            }
            if let Some(times) = drawn_at {
                path.push(position.key(), irreversible);
                if path.repeats(times) {
                    return Some(Outcome::Draw.score_for_first());
                }
            }
            // 3. The evaluation is beyond the threshold.
            let value = match choice {
                Choice { value: Some(value), decides: true, .. } => Some(value),
                _ if policy.options.threshold.is_none() || !policy.looks_at(plies + 1) => None,
                Choice { value: Some(value), .. } => Some(value),
                _ => Some(-policy.knowledge.evaluate(&position, &state)),
            };
            if let Some(value) = value
                && let Some(result) = policy.verdict(value)
            {
                return Some(if mover == Side::First { result } else { -result });
            }
        }
        Some(Outcome::Draw.score_for_first())
    }
}
