//! The moves of the root: added up over trees that know nothing of each other (root parallelism,
//! paper `mcts-loa`, III.B), and which of them to play.
//!
//! The trees may be those of threads, or of searches on other machines.

use spinney_game::PackedMove;

use super::{Config, FinalMove};
use crate::{Candidate, GameValue, Report};

/// What all trees together know of the legal moves of the root: visits and scores are added; what one
/// tree has proved holds for all.
pub(super) fn add_up(legal: &[PackedMove], trees: &[Vec<Candidate>]) -> Vec<Candidate> {
    let known = |m| trees.iter().flatten().filter(move |part| part.m == m);
    legal.iter().map(|&m| sum(m, known(m))).collect()
}

/// What all trees together know of a move; `parts` is what each of them does.
pub(super) fn sum<'a>(m: PackedMove, parts: impl Iterator<Item = &'a Candidate>) -> Candidate {
    let mut total = Candidate { m, visits: 0, value: 0.0, proven: None, plies: None, pv: vec![m] };
    let mut most_visits = 0;
    let mut sum = 0.0;
    for part in parts {
        total.visits += part.visits;
        sum += part.value * part.visits as f64;
        if part.proven.is_some() {
            total.proven = part.proven;
            total.plies = part.plies;
        }
        if part.visits > most_visits || part.proven.is_some() {
            most_visits = part.visits;
            total.pv.clone_from(&part.pv);
        }
    }
    total.value = match total.proven {
        Some(value) => f64::from(value.score()),
        None => sum / total.visits.max(1) as f64,
    };
    total
}

/// The report on these moves, the best first; `proven` is the value of the root with its plies, where
/// a tree has proved it.
pub(super) fn choose(
    config: &Config,
    mut candidates: Vec<Candidate>,
    proven: Option<(GameValue, u32)>,
) -> Report {
    let proven = proven.filter(|_| config.proof.solver);
    // A draw in hand is taken if nothing promises more.
    let hope = candidates.iter().filter(|candidate| candidate.proven.is_none());
    let hope = hope.max_by(|a, b| rank(config, a, true).total_cmp(&rank(config, b, true)));
    let takes_draw = matches!(proven, Some((GameValue::Draw, _)))
        || hope.is_none_or(|candidate| candidate.value <= 0.0);
    let rank = |candidate: &Candidate| rank(config, candidate, takes_draw);
    candidates.sort_by(|a, b| rank(b).total_cmp(&rank(a)));
    let best = candidates.first();
    Report {
        best: best.map(|candidate| candidate.m),
        value: match proven {
            Some((value, _)) => f64::from(value.score()),
            None => best.map_or(0.0, |candidate| candidate.value),
        },
        proven: proven.map(|(value, _)| value),
        plies: proven.map(|(_, plies)| plies),
        pv: best.map_or_else(Vec::new, |candidate| candidate.pv.clone()),
        candidates,
        ..Report::empty()
    }
}

/// How good a candidate is as the final move; more is better.
fn rank(config: &Config, candidate: &Candidate, takes_draw: bool) -> f64 {
    // Above all visits, and small enough that one ply makes a difference.
    const CERTAIN: f64 = 1e12;
    let plies = f64::from(candidate.plies.unwrap_or(0));
    let visits = candidate.visits as f64;
    match candidate.proven.filter(|_| config.proof.solver) {
        // The quickest win, the longest resistance.
        Some(GameValue::Win) => CERTAIN - plies,
        Some(GameValue::Draw) => {
            if takes_draw {
                CERTAIN / 2.0
            } else {
                -CERTAIN / 2.0
            }
        }
        Some(GameValue::Loss) => plies - CERTAIN,
        None => match config.decision.final_move {
            FinalMove::MostVisited => visits,
            FinalMove::HighestValue | FinalMove::Secure if visits == 0.0 => -2.0,
            FinalMove::HighestValue => candidate.value,
            FinalMove::Secure => {
                candidate.value + f64::from(config.decision.secure) / visits.sqrt()
            }
        },
    }
}
