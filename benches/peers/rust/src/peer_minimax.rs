//! The crate `minimax`: its `MonteCarloTreeSearch`, which always proves wins and losses.

use std::cell::RefCell;
use std::sync::Arc;

use ::minimax::{
    Game as Rules, MCTSOptions, MonteCarloTreeSearch, RolloutPolicy, Strategy, Winner,
};
use anyhow::{Context, Result};
use rand::rngs::SmallRng;
use spinney_game::{Game, Rng, Side};
use spinney_games::breakthrough::Breakthrough;
use spinney_games::race::Move;

use crate::measure::{Clock, Done, Player, Tally, Task};

/// The coefficient C of `v + sqrt(C ln n_p / n_i)`, v from -1 to 1, that is the same as its formula
/// `v + sqrt(2 log2 n_p / n_i)`, v from 0 to 1. There is no setting for it.
pub(crate) const EXPLORATION: f32 = 8.0 / std::f32::consts::LN_2;

/// What a roll-out returns where the side that moved last has won; the loss is its negative.
const PROVEN_WIN: i32 = i32::MAX;

pub(crate) fn search(task: Task) -> Result<Done> {
    let Task { start, simulations, seed } = task;
    let tally = Arc::new(Tally::new(simulations));
    let begin = Clock::now();
    // A leaf gets children when it is visited for the second time, as with us. By default it would
    // get them at once, which makes more nodes and is slower.
    let options = MCTSOptions::default().with_num_threads(1).with_rollouts_before_expanding(1);
    let policy = RandomPlayouts { tally: Arc::clone(&tally), seed };
    let mut strategy = MonteCarloTreeSearch::<Walk>::new_with_policy(options, Box::new(policy));
    strategy.set_max_rollouts(u32::try_from(simulations)?);
    strategy.choose_move(&start).context("minimax found no move")?;
    let end = tally.end().context("minimax did fewer simulations than asked for")?;
    let counts = tally.counts();
    // Each simulation through the root asks the policy exactly once; once the root is proven there
    // are no more.
    let visits = counts.playouts + counts.finished;
    Ok(Done { simulations: visits, counts, time: begin.until(end) })
}

struct Walk;

impl Rules for Walk {
    type S = Breakthrough;
    type M = Move;

    #[inline]
    fn generate_moves(state: &Breakthrough, moves: &mut Vec<Move>) -> Option<Winner> {
        let winner = Walk::get_winner(state);
        if winner.is_none() {
            // Enough in almost every position, so that the list does not grow move by move.
            moves.reserve(32);
            state.legal_moves(moves);
        }
        winner
    }

    #[inline]
    fn apply(state: &mut Breakthrough, m: Move) -> Option<Breakthrough> {
        let mut next = *state;
        next.play(m);
        Some(next)
    }

    #[inline]
    fn get_winner(state: &Breakthrough) -> Option<Winner> {
        let outcome = state.outcome()?;
        Some(match outcome.score_for(state.to_move()) {
            1 => Winner::PlayerToMove,
            0 => Winner::Draw,
            _ => Winner::PlayerJustMoved,
        })
    }
}

struct RandomPlayouts {
    tally: Arc<Tally>,
    seed: u64,
}

thread_local! {
    /// The peer starts a thread for every search, so that each search has a player of its own.
    static PLAYER: RefCell<Option<Player>> = const { RefCell::new(None) };
}

impl RolloutPolicy for RandomPlayouts {
    type G = Walk;

    /// For completeness: the roll-out below replaces all that would call it.
    fn random_move(
        &self,
        state: &mut Breakthrough,
        _: &mut Vec<Move>,
        _: &mut SmallRng,
    ) -> Result<Move, Winner> {
        match Walk::get_winner(state) {
            Some(winner) => Err(winner),
            None => Ok(state.random_move(&mut Rng::new(self.seed))),
        }
    }

    /// The result for the side that moved last; where the game is over, a proof of it.
    fn rollout(&self, _: &MCTSOptions, state: &Breakthrough) -> i32 {
        let for_first = PLAYER.with_borrow_mut(|player| {
            let player = player.get_or_insert_with(|| Player::new(self.seed));
            player.evaluate(state, &self.tally)
        });
        let result = if state.to_move() == Side::Second { for_first } else { -for_first };
        if state.outcome().is_some() { result * PROVEN_WIN } else { result }
    }
}
