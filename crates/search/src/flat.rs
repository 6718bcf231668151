//! Flat Monte Carlo: the same number of play-outs for every move, and the best mean wins. The
//! plainest reference there is.

use std::time::Instant;

use spinney_game::{History, Move, Repetition, Rng, Side};

use crate::policy::{Policy, Simulation};
use crate::{Budget, Candidate, GameValue, Limits, Report, Stop};

/// Searches the present position of a game. Without any limit it plays out every move once.
pub fn search<G: Repetition>(
    history: &History<G>,
    policy: &mut impl Policy<G>,
    limits: &Limits,
    stop: &Stop,
    rng: &mut Rng,
) -> Report {
    let started = Instant::now();
    let root = history.position();
    if history.outcome().is_some() {
        return Report::empty();
    }
    let mut moves = Vec::new();
    root.legal_moves(&mut moves);
    let is_limited =
        limits.time.is_some() || limits.nodes.is_some() || limits.simulations.is_some();
    let simulations = match limits.simulations {
        Some(simulations) => simulations,
        None if is_limited => u64::MAX,
        None => moves.len() as u64,
    };
    let mut budget = Budget::new(limits, stop);
    let mut path = history.path().clone();
    let sign = if root.to_move() == Side::First { 1.0 } else { -1.0 };
    let mut sums = vec![0.0; moves.len()];
    let mut visits = vec![0u64; moves.len()];
    let mut done = 0;
    // 1. The moves take turns.
    while done < simulations && !budget.spend(1) {
        let index = (done % moves.len() as u64) as usize;
        let mut position = root.clone();
        let length = path.len();
        let irreversible = position.is_irreversible(moves[index]);
        position.play(moves[index]);
        path.push(position.key(), irreversible);
        let repeats = position.drawn_at().is_some_and(|times| path.repeats(times));
        let result_for_first = match position.outcome() {
            Some(outcome) => Some(outcome.score_for_first()),
            None if repeats => Some(0.0),
            None => {
                let mut simulation =
                    Simulation { path: &mut path, rng, budget: &mut budget, trace: None };
                policy.playout(position, &mut simulation)
            }
        };
        path.truncate(length);
        let Some(result_for_first) = result_for_first else { break };
        sums[index] += f64::from(result_for_first * sign);
        visits[index] += 1;
        done += 1;
    }
    // 2. The best mean. Ties go to the first: the sort is stable.
    let mut candidates: Vec<Candidate> = moves
        .iter()
        .zip(sums.iter().zip(&visits))
        .map(|(&m, (&sum, &visits))| Candidate {
            m: m.pack(),
            visits,
            value: if visits == 0 {
                f64::from(GameValue::Loss.score())
            } else {
                sum / visits as f64
            },
            proven: None,
            plies: None,
            pv: vec![m.pack()],
        })
        .collect();
    candidates.sort_by(|a, b| b.value.total_cmp(&a.value));
    let best = candidates.first();
    Report {
        best: best.map(|candidate| candidate.m),
        value: best.map_or(0.0, |candidate| candidate.value),
        pv: best.map_or_else(Vec::new, |candidate| candidate.pv.clone()),
        simulations: done,
        nodes: budget.visited(),
        elapsed: started.elapsed(),
        candidates,
        ..Report::empty()
    }
}
