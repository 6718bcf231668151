//! The crate `treant`: UCT with its solver, without a transposition table.

use std::sync::Arc;

use ::treant::tree_policy::UCTPolicy;
use ::treant::{Evaluator, GameState, MCTS, MCTSManager, ProvenValue, SearchHandle};
use anyhow::{Context, Result};
use spinney_game::{Game, Side};
use spinney_games::breakthrough::Breakthrough;
use spinney_games::race::Move;

use crate::measure::{Clock, Done, Player, Tally, Task};

/// `v + sqrt(ln n_p / n_i)`: treant multiplies the square root by twice its constant.
const EXPLORATION_CONSTANT: f64 = 0.5;
/// The same as the coefficient C of `v + sqrt(C ln n_p / n_i)`, v from -1 to 1.
pub(crate) const EXPLORATION: f32 = 1.0;

pub(crate) fn search(task: Task) -> Result<Done> {
    let Task { start, simulations, seed } = task;
    let tally = Arc::new(Tally::new(simulations));
    let begin = Clock::now();
    let mut manager = MCTSManager::new(
        State(start),
        Uct { seed },
        RandomPlayouts { tally: Arc::clone(&tally), seed },
        UCTPolicy::new(EXPLORATION_CONSTANT),
        (),
    );
    manager.playout_n(simulations);
    let end = tally.end().context("treant did fewer simulations than asked for")?;
    let visits = manager.root_child_stats().iter().map(|child| child.visits).sum();
    Ok(Done { simulations: visits, counts: tally.counts(), time: begin.until(end) })
}

struct Uct {
    seed: u64,
}

impl MCTS for Uct {
    type State = State;
    type Eval = RandomPlayouts;
    type TreePolicy = UCTPolicy;
    type NodeData = ();
    type TranspositionTable = ();
    type ExtraThreadData = Option<Player>;

    fn solver_enabled(&self) -> bool {
        true
    }

    fn rng_seed(&self) -> Option<u64> {
        Some(self.seed)
    }
}

#[derive(Clone)]
struct State(Breakthrough);

impl GameState for State {
    type Move = Move;
    type Player = Side;
    type MoveList = Vec<Move>;

    #[inline]
    fn current_player(&self) -> Side {
        self.0.to_move()
    }

    #[inline]
    fn available_moves(&self) -> Vec<Move> {
        if self.0.outcome().is_some() {
            return Vec::new();
        }
        // Enough in almost every position, so that the list does not grow move by move.
        let mut moves = Vec::with_capacity(32);
        self.0.legal_moves(&mut moves);
        moves
    }

    #[inline]
    fn make_move(&mut self, m: &Move) {
        self.0.play(*m);
    }

    fn terminal_value(&self) -> Option<ProvenValue> {
        let outcome = self.0.outcome()?;
        Some(match outcome.score_for(self.0.to_move()) {
            1 => ProvenValue::Win,
            0 => ProvenValue::Draw,
            _ => ProvenValue::Loss,
        })
    }
}

struct RandomPlayouts {
    tally: Arc<Tally>,
    seed: u64,
}

impl Evaluator<Uct> for RandomPlayouts {
    /// The result for the first side.
    type StateEvaluation = i32;

    #[inline]
    fn evaluate_new_state(
        &self,
        state: &State,
        moves: &Vec<Move>,
        handle: Option<SearchHandle<Uct>>,
    ) -> (Vec<()>, i32) {
        // Without a handle this is the root, made before the first simulation.
        let result = handle.map_or(0, |mut handle| {
            let player = &mut handle.thread_data().extra_data;
            let player = player.get_or_insert_with(|| Player::new(self.seed));
            player.evaluate(&state.0, &self.tally)
        });
        (vec![(); moves.len()], result)
    }

    /// Only a node whose value is known is evaluated again.
    #[inline]
    fn evaluate_existing_state(&self, _: &State, known: &i32, _: SearchHandle<Uct>) -> i32 {
        self.tally.add_finished();
        *known
    }

    #[inline]
    fn interpret_evaluation_for_player(&self, result: &i32, player: &Side) -> i64 {
        i64::from(if *player == Side::First { *result } else { -*result })
    }
}
