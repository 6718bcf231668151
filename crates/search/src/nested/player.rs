//! Nested Monte Carlo search as a player.

use std::time::Instant;

use spinney_game::{History, Move, Repetition, Rng};

use super::playout::{End, NEVER, Playouts};
use super::score::Score;
use super::{Config, Order};
use crate::{Budget, Candidate, Limits, Report, Stop};

/// The player Π(V(NMC(n))): judges every move by an NMC(n) play-out of the position after it, and
/// plays the best. V_D of a move that wins at once is 1.
///
/// Without [`Config::repeat`] every move gets one play-out, as in the paper; the choice at the root
/// is then one of nesting level n + 1, with its cut and its pruning if they are active there. The
/// value of a move whose play-out was given up is that of the best. With `repeat` further passes
/// follow until a limit is reached, without cut and pruning at the root, and the best mean is
/// played. If the budget ends before every move had its play-out, the best so far counts.
///
/// A simulation is one NMC(n) play-out; nodes are positions visited. `Limits::depth` means nothing.
pub fn search<G: Repetition>(
    history: &History<G>,
    config: &Config,
    limits: &Limits,
    stop: &Stop,
    seed: u64,
) -> Report {
    let start = Instant::now();
    if history.outcome().is_some() {
        return Report::empty();
    }
    let mut path = history.path().clone();
    let mut rng = Rng::new(seed);
    let mut budget = Budget::new(limits, stop);
    let playouts = Playouts {
        config,
        moves: &mut Vec::new(),
        path: &mut path,
        rng: &mut rng,
        budget: &mut budget,
    };
    let most = limits.simulations.unwrap_or(u64::MAX);
    let (tries, simulations) = evaluate(history.position(), playouts, most);
    let candidates = ranked(tries, config, &mut rng);
    let best = candidates.first();
    Report {
        best: best.map(|best| best.m),
        value: best.map_or(0.0, |best| best.value),
        pv: best.map(|best| best.m).into_iter().collect(),
        simulations,
        nodes: budget.visited(),
        elapsed: start.elapsed(),
        candidates,
        ..Report::empty()
    }
}

/// A move of the root with its play-outs, as the side to move at the root sees them.
struct Try<M> {
    m: M,
    visits: u64,
    sum: f64,
}

impl<M: Move> Try<M> {
    fn mean(&self) -> f64 {
        if self.visits == 0 { 0.0 } else { self.sum / self.visits as f64 }
    }

    fn candidate(&self) -> Candidate {
        Candidate {
            m: self.m.pack(),
            visits: self.visits,
            value: self.mean(),
            proven: None,
            plies: None,
            pv: vec![self.m.pack()],
        }
    }
}

/// The moves in the order they were tried, and the number of play-outs.
fn evaluate<G: Repetition>(
    position: &G,
    mut playouts: Playouts<'_, G>,
    most_simulations: u64,
) -> (Vec<Try<G::Move>>, u64) {
    // 1. The moves.
    let Config { level, discounting, order, repeat, .. } = *playouts.config;
    let cuts = !repeat && level < playouts.config.cut_on_win;
    let prunes = !repeat && discounting && level < playouts.config.prune_on_depth;
    let side = position.to_move();
    let length = playouts.path.len();
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    if order == Order::Random {
        for index in (1..moves.len()).rev() {
            moves.swap(index, playouts.rng.below(index as u32 + 1) as usize);
        }
    }
    let mut tries: Vec<_> = moves.iter().map(|&m| Try { m, visits: 0, sum: 0.0 }).collect();
    // 2. The passes, each with one play-out of every move.
    let mut simulations = 0;
    'passes: loop {
        let mut best = Score::WORST;
        for tried in &mut tries {
            if simulations == most_simulations {
                break 'passes;
            }
            let mut successor = position.clone();
            playouts.play(&mut successor, tried.m);
            if playouts.budget.spend(1) {
                playouts.path.truncate(length);
                break 'passes;
            }
            let hopeless = if prunes { best.unbeatable_from() } else { NEVER };
            let end = playouts.nested(level, successor, 1, hopeless);
            playouts.path.truncate(length);
            if end == End::OutOfBudget {
                break 'passes;
            }
            let score = end.score(side, discounting).unwrap_or(best);
            best = best.max(score);
            tried.visits += 1;
            tried.sum += score.value();
            simulations += 1;
            if cuts && score.is_win() {
                break;
            }
        }
        if !repeat {
            break;
        }
    }
    (tries, simulations)
}

/// The best first; of equally good moves the first that was tried. Moves without a play-out come
/// last.
fn ranked<M: Move>(mut tries: Vec<Try<M>>, config: &Config, rng: &mut Rng) -> Vec<Candidate> {
    tries.sort_by(|a, b| (b.visits > 0).cmp(&(a.visits > 0)).then(b.mean().total_cmp(&a.mean())));
    // Where nothing is known, or only that all moves tried are lost, the choice is random.
    if let Some(first) = tries.first()
        && (first.visits == 0 || (!config.discounting && first.mean() <= -1.0))
    {
        let index = rng.below(tries.len() as u32) as usize;
        tries[..=index].rotate_right(1);
    }
    tries.iter().map(Try::candidate).collect()
}
