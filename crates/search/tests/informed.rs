//! The simulation strategies do what the papers say (`mcts-loa`, III.A and V; `ab-playouts`, IV).

mod knowledge;

use std::collections::HashMap;

use knowledge::{Lines, Noise};
use spinney_game::conformance::legal_moves;
use spinney_game::{Game, History, Move as _, Notation, Outcome, Path, Repetition, Rng, Side};
use spinney_games::board::Size;
use spinney_games::breakthrough::Breakthrough;
use spinney_games::loa::Loa;
use spinney_search::Budget;
use spinney_search::knowledge::{Evaluate, MoveOrder, Oracle, PlayoutModel};
use spinney_search::policy::{Informed, Playouts, Policy, Selective, Simulation, Strategy};

/// Black connects with one move.
const WIN_AT_ONCE: &str = "8/2o3o1/3xx3/3x4/o5x1/8/2o5/8 b";
const MIDDLE: &str = "2x2x2/1o2o1x1/o1x3o1/1xo2x1o/o2xo1o1/1o1x1x2/3o1o2/1x1xx3 b";

const STRATEGIES: [Strategy; 5] = [
    Strategy::Default,
    Strategy::Corrective,
    Strategy::Greedy,
    Strategy::Mixed,
    Strategy::AlphaBeta,
];

fn loa(text: &str) -> Loa {
    Loa::default().parse_position(text).expect("a position")
}

fn options(strategy: Strategy) -> Playouts {
    Playouts { strategy, threshold: None, ..Playouts::default() }
}

/// Positions of random games that are not finished.
fn positions<G: Game>(start: &G, count: usize) -> Vec<G> {
    let mut rng = Rng::new(3);
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut position = start.clone();
        while position.outcome().is_none() && positions.len() < count {
            if rng.below(3) == 0 {
                positions.push(position.clone());
            }
            position.play(position.random_move(&mut rng));
        }
    }
    positions
}

/// The result of a playout and its moves.
fn play_out<G: Repetition, K: PlayoutModel<G> + Oracle<G>>(
    policy: &mut Informed<G, K>,
    position: &G,
    rng: &mut Rng,
) -> (f32, Vec<G::Move>) {
    let mut path = Path::new(position.key());
    let before = path.clone();
    let mut moves = Vec::new();
    let mut budget = Budget::unlimited();
    let mut simulation =
        Simulation { path: &mut path, rng, budget: &mut budget, trace: Some(&mut moves) };
    let result = policy.playout(position.clone(), &mut simulation).expect("no limit");
    assert_eq!(path, before, "the path is left as it was");
    (result, moves)
}

fn after<G: Game>(position: &G, m: G::Move) -> G {
    let mut next = position.clone();
    next.play(m);
    next
}

/// The value of a move for its mover, by one ply.
fn value_of<G: Game, K: PlayoutModel<G> + Oracle<G>>(
    knowledge: &mut K,
    position: &G,
    m: G::Move,
) -> i64 {
    let next = after(position, m);
    match next.outcome() {
        Some(outcome) => i64::from(outcome.score_for(position.to_move())) * 1_000_000,
        None => {
            let state = knowledge.state(&next);
            -i64::from(knowledge.evaluate(&next, &state))
        }
    }
}

/// The likeliest moves, the first of equals first.
fn likeliest<G: Game, K: PlayoutModel<G> + Oracle<G>>(
    knowledge: &K,
    position: &G,
    count: usize,
) -> Vec<G::Move> {
    let mut moves = legal_moves(position);
    moves.sort_by(|&a, &b| knowledge.prior(position, b).total_cmp(&knowledge.prior(position, a)));
    moves.truncate(count);
    moves
}

/// How often each move is chosen, compared with weights by a chi-square test.
fn follows_weights(counts: &HashMap<u32, u32>, weights: &[(u32, f32)]) {
    let draws: u32 = counts.values().sum();
    let total: f32 = weights.iter().map(|&(_, weight)| weight).sum();
    let mut chi_square = 0.0;
    for &(m, weight) in weights {
        let expected = f64::from(weight / total) * f64::from(draws);
        let seen = f64::from(counts.get(&m).copied().unwrap_or(0));
        chi_square += (seen - expected).powi(2) / expected;
    }
    // Mean plus five standard deviations of the distribution.
    let freedom = weights.len() as f64 - 1.0;
    assert!(chi_square < freedom + 5.0 * (2.0 * freedom).sqrt(), "{chi_square} of {freedom}");
    assert_eq!(draws, weights.iter().map(|(m, _)| counts.get(m).copied().unwrap_or(0)).sum());
}

fn choices(policy: &mut Informed<Loa, Lines>, position: &Loa, draws: u32) -> HashMap<u32, u32> {
    let mut rng = Rng::new(5);
    let mut counts = HashMap::new();
    for _ in 0..draws {
        *counts
            .entry(policy.choose(position, &mut rng, &mut Budget::unlimited()).pack())
            .or_default() += 1;
    }
    counts
}

#[test]
fn default_draws_by_category() {
    let position = loa(MIDDLE);
    let mut policy = Informed::new(options(Strategy::Default), Lines);
    let weights: Vec<_> =
        legal_moves(&position).into_iter().map(|m| (m.pack(), Lines.prior(&position, m))).collect();
    follows_weights(&choices(&mut policy, &position, 30_000), &weights);
}

#[test]
fn corrective_avoids_what_does_not_improve() {
    let position = loa(MIDDLE);
    let passed = after(&position, spinney_games::loa::Move::PASS);
    let before = -i64::from(Lines.evaluate(&passed, &()));
    let weights = |min_weight: f32| -> Vec<(u32, f32)> {
        let moves = legal_moves(&position).into_iter();
        moves
            .map(|m| {
                let improves = value_of(&mut Lines, &position, m) > before;
                let weight = if improves { Lines.prior(&position, m) } else { min_weight };
                (m.pack(), weight)
            })
            .filter(|&(_, weight)| weight > 0.0)
            .collect()
    };
    for strategy in [Strategy::Corrective, Strategy::Mixed, Strategy::AlphaBeta] {
        for min_weight in [0.0, 0.05] {
            let options = Playouts { min_weight, ..options(strategy) };
            let mut policy = Informed::new(options, Lines);
            let weights = weights(min_weight);
            assert!(weights.len() > 3);
            follows_weights(&choices(&mut policy, &position, 20_000), &weights);
        }
    }
}

#[test]
fn greedy_takes_the_best_of_the_likeliest() {
    let mut rng = Rng::new(1);
    for candidates in [1, 4, 10, 200] {
        let options = Playouts { candidates, ..options(Strategy::Greedy) };
        let mut policy = Informed::new(options, Lines);
        for position in positions(&Loa::<8>::default(), 150) {
            let m = policy.choose(&position, &mut rng, &mut Budget::unlimited());
            let mut considered = likeliest(&Lines, &position, candidates);
            considered.extend(legal_moves(&position).into_iter().filter(|&m| {
                after(&position, m).outcome() == Some(Outcome::Win(position.to_move()))
            }));
            let best = considered.iter().map(|&m| value_of(&mut Lines, &position, m)).max();
            assert_eq!(Some(value_of(&mut Lines, &position, m)), best, "{position:?}");
            assert!(considered.contains(&m));
        }
    }
}

#[test]
fn a_win_at_once_is_taken() {
    let position = loa(WIN_AT_ONCE);
    let wins = |m| after(&position, m).outcome() == Some(Outcome::Win(Side::First));
    assert_eq!(legal_moves(&position).into_iter().filter(|&m| wins(m)).count(), 1);
    for strategy in STRATEGIES {
        let mut policy = Informed::new(options(strategy), Lines);
        let mut rng = Rng::new(2);
        let taken = (0..50)
            .filter(|_| wins(policy.choose(&position, &mut rng, &mut Budget::unlimited())))
            .count();
        let (result, moves) = play_out(&mut policy, &position, &mut rng);
        if strategy == Strategy::Default {
            assert!(taken < 50, "no strategy, no win seen");
        } else {
            assert_eq!((taken, result, moves.len()), (50, 1.0, 1), "{strategy:?}");
        }
    }
}

#[test]
fn mixed_is_corrective_first_and_greedy_then() {
    let position = loa(MIDDLE);
    let mut mixed = Informed::new(options(Strategy::Mixed), Lines);
    let mut corrective = Informed::new(options(Strategy::Corrective), Lines);
    let mut greedy = Informed::new(options(Strategy::Greedy), Lines);
    let mut first_moves = std::collections::HashSet::new();
    for seed in 0..40 {
        let mut rng = Rng::new(seed);
        let expected = corrective.choose(&position, &mut rng.clone(), &mut Budget::unlimited());
        assert_eq!(mixed.choose(&position, &mut rng.clone(), &mut Budget::unlimited()), expected);
        let (_, moves) = play_out(&mut mixed, &position, &mut rng);
        assert_eq!(moves[0], expected);
        first_moves.insert(expected.pack());
        let mut here = after(&position, expected);
        for &m in &moves[1..] {
            assert_eq!(
                greedy.choose(&here, &mut Rng::new(0), &mut Budget::unlimited()),
                m,
                "{here:?}"
            );
            here.play(m);
        }
    }
    assert!(first_moves.len() > 3);
}

/// The value of Fig. 3 of `ab-playouts` for every root move, without pruning.
fn two_plies<G: Game, K: PlayoutModel<G> + Oracle<G>>(
    knowledge: &mut K,
    position: &G,
    selective: &Selective,
) -> Vec<(G::Move, i64)> {
    let mut values = Vec::new();
    for m in likeliest(knowledge, position, selective.searched[0]) {
        let next = after(position, m);
        let value = match next.outcome() {
            Some(_) => value_of(knowledge, position, m),
            None => {
                let replies = likeliest(knowledge, &next, selective.searched[1]);
                let values = replies.into_iter().map(|reply| value_of(knowledge, &next, reply));
                -values.max().expect("a reply")
            }
        };
        values.push((m, value));
    }
    values
}

fn agrees_with_minimax<G: Repetition, K: PlayoutModel<G> + Oracle<G>>(mut knowledge: K, start: &G) {
    for searched in [[7, 5], [1, 1], [3, 200], [200, 200]] {
        for killers in [false, true] {
            if killers && searched[0] < 200 {
                continue; // Killers change what is searched.
            }
            let selective = Selective { searched, killers, ..Selective::default() };
            let options = Playouts {
                selective: selective.clone(),
                max_plies: 1,
                ..options(Strategy::AlphaBeta)
            };
            let mut policy = Informed::new(options, knowledge.clone());
            for position in positions(start, 60) {
                let mover = position.to_move();
                let (result, moves) = play_out(&mut policy, &position, &mut Rng::new(1));
                if after(&position, moves[0]).outcome() == Some(Outcome::Win(mover)) {
                    assert_eq!(result, Outcome::Win(mover).score_for_first());
                    continue;
                }
                let values = two_plies(&mut knowledge, &position, &selective);
                let best = values.iter().map(|&(_, value)| value).max();
                let chosen = values.iter().find(|&&(m, _)| m == moves[0]).map(|&(_, value)| value);
                assert_eq!(chosen, best, "{position:?} {searched:?}");
            }
        }
    }
}

#[test]
fn the_search_of_two_plies_agrees_with_minimax() {
    agrees_with_minimax(Lines, &Loa::<8>::default());
    agrees_with_minimax(Noise, &Breakthrough::new(Size::FIVE));
}

#[test]
fn the_window_of_the_search_is_that_of_the_threshold() {
    let selective = Selective { killers: false, ..Selective::default() };
    let threshold = 60;
    let options = Playouts {
        threshold: Some(threshold),
        selective: selective.clone(),
        max_plies: 1,
        ..options(Strategy::AlphaBeta)
    };
    let mut ends = [0; 3];
    for position in positions(&Loa::<8>::default(), 300) {
        let best = two_plies(&mut Lines, &position, &selective).iter().map(|v| v.1).max();
        let best = best.expect("a move");
        let mut policy = Informed::new(options.clone(), Lines);
        let (result, moves) = play_out(&mut policy, &position, &mut Rng::new(1));
        if after(&position, moves[0]).outcome().is_some() {
            continue;
        }
        let for_mover = if position.to_move() == Side::First { result } else { -result };
        let expected = if best > i64::from(threshold) {
            1.0
        } else if best < -i64::from(threshold) {
            -1.0
        } else {
            0.0
        };
        assert_eq!(for_mover, expected, "{position:?} {best}");
        ends[(expected + 1.0) as usize] += 1;
    }
    assert!(ends.iter().all(|&count| count > 10), "{ends:?}");
}

#[test]
fn play_outs_end_by_the_evaluation_and_by_length() {
    let position = loa(MIDDLE);
    let lengths = |strategy, threshold, first_look, look_every| {
        let options = Playouts { threshold, first_look, look_every, ..options(strategy) };
        let mut policy = Informed::new(options, Lines);
        let mut lengths = std::collections::BTreeSet::new();
        for seed in 0..60 {
            let (result, moves) = play_out(&mut policy, &position, &mut Rng::new(seed));
            // What ended it: the game, or the evaluation of the last position.
            let mut history = History::new(position.clone());
            for &m in &moves {
                assert!(history.outcome().is_none());
                history.play(m);
            }
            let last = history.position();
            let value = Lines.evaluate(last, &());
            let first = if last.to_move() == Side::First { value } else { -value };
            if let Some(outcome) = history.outcome() {
                assert_eq!(result, outcome.score_for_first());
            } else if let Some(threshold) = threshold {
                assert_eq!(result, first.signum() as f32);
                assert!(value.abs() > threshold);
                lengths.insert(moves.len());
            } else {
                assert_eq!((result, moves.len()), (0.0, 200), "a draw");
            }
        }
        lengths.into_iter().collect::<Vec<_>>()
    };
    for strategy in [Strategy::Default, Strategy::Corrective] {
        let seen = lengths(strategy, Some(40), 2, 3);
        assert!(seen.len() > 2 && seen.iter().all(|plies| plies % 3 == 2), "{seen:?}");
        let seen = lengths(strategy, Some(40), 4, 5);
        assert!(seen.len() > 1 && seen.iter().all(|plies| plies % 5 == 4), "{seen:?}");
        assert!(lengths(strategy, None, 2, 3).is_empty());
    }
    let mixed = lengths(Strategy::Mixed, Some(40), 2, 3);
    assert!(mixed.iter().all(|&plies| plies >= 2) && mixed.iter().any(|plies| plies % 3 != 2));
    let greedy = lengths(Strategy::Greedy, Some(0), 2, 3);
    assert_eq!(greedy, [1], "every greedy move is judged");
}

#[test]
fn a_play_out_that_is_too_long_is_a_draw() {
    for strategy in STRATEGIES {
        let options = Playouts { max_plies: 3, ..options(strategy) };
        let mut policy = Informed::new(options, Lines);
        let (result, moves) = play_out(&mut policy, &Loa::default(), &mut Rng::new(1));
        assert_eq!((result, moves.len()), (0.0, 3), "{strategy:?}");
    }
}
