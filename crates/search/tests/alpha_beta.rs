//! Alpha-beta against plain negamax, and what each of its parts does.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod knowledge;

use std::time::{Duration, Instant};

use knowledge::{Lines, Noise};
use spinney_game::{Game, History, Move, Path, Repetition, Rng};
use spinney_games::board::Size;
use spinney_games::breakthrough::Breakthrough;
use spinney_games::dummy::{Dummy, RandomTree};
use spinney_games::loa::Loa;
use spinney_search::alpha_beta::{
    AlphaBeta, Config, Count, HistoryOrder, LateMoves, Margins, MultiCut, Realisation,
};
use spinney_search::brute_force::minimax;
use spinney_search::knowledge::{MoveOrder, Oracle};
use spinney_search::{GameValue, Limits, Report, Stop};

const MATE: i32 = 32_000;

/// A search of its own with a small table.
fn search<G: Repetition, K: MoveOrder<G> + Oracle<G>>(
    history: &History<G>,
    knowledge: &K,
    config: Config,
    limits: Limits,
) -> Report {
    let config = Config { table_bytes: config.table_bytes.min(1 << 20), ..config };
    let mut search = AlphaBeta::new(config, knowledge.clone()).unwrap();
    search.search(history, &limits, &Stop::new(), &mut |_| ())
}

fn to_depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

/// Plain negamax to a fixed depth: the value for the side to move.
fn negamax<G: Repetition, K: MoveOrder<G> + Oracle<G>>(
    position: &G,
    path: &mut Path,
    knowledge: &mut K,
    depth: u32,
    ply: i32,
) -> i32 {
    if let Some(outcome) = position.outcome() {
        return outcome.score_for(position.to_move()) * (MATE - ply);
    }
    if ply > 0 && position.drawn_at().is_some_and(|times| path.repeats(times)) {
        return 0;
    }
    if depth == 0 {
        let state = knowledge.state(position);
        return knowledge.evaluate(position, &state);
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let length = path.len();
    let values = moves.into_iter().map(|m| {
        let mut child = position.clone();
        child.play(m);
        path.push(child.key(), position.is_irreversible(m));
        let value = -negamax(&child, path, knowledge, depth - 1, ply + 1);
        path.truncate(length);
        value
    });
    values.max().unwrap()
}

/// The value that a search reports, as a whole number.
fn value(report: &Report) -> i32 {
    let plies = report.plies.unwrap_or(0) as i32;
    match report.proven {
        Some(GameValue::Win) => MATE - plies,
        Some(GameValue::Loss) => plies - MATE,
        Some(GameValue::Draw) => 0,
        None => (report.value.atanh() * 700.0).round() as i32,
    }
}

/// The ways to search that must not change the value of a fixed depth.
fn full_width() -> Vec<Config> {
    let plain = Config::full_width;
    vec![
        plain(),
        Config { table_bytes: 0, ..plain() },
        Config { table_bytes: 512, ..plain() },
        Config { transposition_cutoffs: false, ..plain() },
        Config { killers: false, history: HistoryOrder::Off, ..plain() },
        Config { history: HistoryOrder::Gains, window: 30, ..plain() },
        Config { classes: false, ..plain() },
    ]
}

fn check_full_width<G: Repetition, K: MoveOrder<G> + Oracle<G>>(
    start: &G,
    knowledge: &K,
    depths: u32,
) {
    let history = History::new(start.clone());
    for depth in 1..=depths {
        let mut path = history.path().clone();
        let expected = negamax(start, &mut path, &mut knowledge.clone(), depth, 0);
        for config in full_width() {
            let report = search(&history, knowledge, config.clone(), to_depth(depth));
            assert_eq!(value(&report), expected, "{start:?} depth {depth} {config:?}");
            // The line leads to the value.
            let mut line = history.clone();
            report.pv.iter().for_each(|&m| line.play(G::Move::unpack(m)));
            let sign = if report.pv.len() % 2 == 0 { 1 } else { -1 };
            let rest = depth - report.pv.len() as u32;
            let ply = report.pv.len() as i32;
            let mut path = line.path().clone();
            let end = negamax(line.position(), &mut path, &mut knowledge.clone(), rest, ply);
            assert_eq!(sign * end, expected, "{start:?} depth {depth} {config:?}");
        }
    }
}

/// Positions of random games.
fn positions<G: Game>(start: &G, count: usize, seed: u64) -> Vec<G> {
    let mut rng = Rng::new(seed);
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut position = start.clone();
        for _ in 0..rng.below(60) {
            if position.outcome().is_none() {
                position.play(position.random_move(&mut rng));
            }
        }
        if position.outcome().is_none() {
            positions.push(position);
        }
    }
    positions
}

#[test]
fn full_width_search_is_negamax_in_loa() {
    for position in positions(&Loa::<8>::default(), 60, 1) {
        check_full_width(&position, &Lines, 3);
        check_full_width(&position, &Noise, 2);
    }
    for position in positions(&Loa::<6>::default(), 40, 2) {
        check_full_width(&position, &Noise, 4);
    }
}

#[test]
fn full_width_search_is_negamax_in_breakthrough() {
    for position in positions(&Breakthrough::new(Size::FIVE), 100, 3) {
        check_full_width(&position, &Noise, 4);
    }
}

#[test]
#[ignore = "minutes"]
fn full_width_search_is_negamax_deeper() {
    for position in positions(&Loa::<8>::default(), 30, 4) {
        check_full_width(&position, &Lines, 4);
    }
    for position in positions(&Loa::<6>::default(), 30, 5) {
        check_full_width(&position, &Noise, 5);
    }
    for position in positions(&Breakthrough::new(Size::FIVE), 100, 6) {
        check_full_width(&position, &Noise, 6);
    }
}

fn trees(count: usize, seed: u64, shape: &RandomTree) -> Vec<Dummy> {
    let mut rng = Rng::new(seed);
    (0..count).map(|_| Dummy::random(shape, &mut rng)).collect()
}

#[test]
fn full_width_search_is_negamax_on_trees_and_graphs() {
    let trees_with_draws = RandomTree { depth: 7, ..RandomTree::default() };
    let graphs = RandomTree { transpositions: 0.3, ..RandomTree::default() };
    for dummy in trees(300, 7, &trees_with_draws).iter().chain(&trees(300, 8, &graphs)) {
        check_full_width(dummy, &Noise, 5);
    }
}

/// The whole search, and the search without each of its parts.
fn variants() -> Vec<(&'static str, Config)> {
    let full = Config::default;
    let (late, margins) = (LateMoves::default(), Margins::default());
    vec![
        ("full", full()),
        ("classic", Config::classic()),
        ("full width", Config::full_width()),
        ("table", Config { table_bytes: 0, ..full() }),
        ("transposition cut-offs", Config { transposition_cutoffs: false, ..full() }),
        ("null move", Config { null_move: false, ..full() }),
        ("multi-cut", Config { multi_cut: None, ..full() }),
        ("realisation", Config { realisation: None, ..full() }),
        ("quiescence", Config { quiescence: false, ..full() }),
        ("killers", Config { killers: false, ..full() }),
        ("classes", Config { classes: false, ..full() }),
        ("history", Config { history: HistoryOrder::Off, ..full() }),
        ("plain history", Config { history: HistoryOrder::Plain, ..full() }),
        ("gains", Config { history: HistoryOrder::Gains, ..full() }),
        ("late moves", Config { late_moves: LateMoves { slope: 60, ..late }, ..full() }),
        ("far above", Config { margins: Margins { above: 20, ..margins }, ..full() }),
        ("far below", Config { margins: Margins { above: 500, below: 1, ..margins }, ..full() }),
        ("window", Config { window: 5, ..full() }),
        ("first repetition", Config { first_repetition: false, ..full() }),
        ("lines", Config { lines: 3, ..full() }),
    ]
}

#[test]
fn trees_are_solved_whatever_the_options() {
    let shape = RandomTree { depth: 6, ..RandomTree::default() };
    let graphs = RandomTree { transpositions: 0.3, ..shape.clone() };
    for dummy in trees(100, 9, &shape).iter().chain(&trees(100, 10, &graphs)) {
        let history = History::new(dummy.clone());
        let perfect = minimax(&history);
        for (name, config) in variants() {
            for threads in [1, 2] {
                let config = Config { threads, exact_depth: false, ..config.clone() };
                let report = search(&history, &Noise, config, Limits::default());
                assert_eq!(report.proven, Some(perfect.value), "{name}: {dummy:?}");
                let mut after = history.clone();
                after.play(report.best.unwrap());
                let value = minimax(&after).value.for_opponent();
                assert_eq!(value, perfect.value, "{name}: {dummy:?}");
            }
        }
    }
}

#[test]
fn wins_and_losses_are_proven_on_graphs_with_cycles() {
    let shape = RandomTree {
        depth: 4,
        branching: 1..=3,
        transpositions: 0.2,
        cycles: 0.1,
        drawn_at: Some(2),
        ..RandomTree::default()
    };
    let mut proven = 0;
    for dummy in trees(500, 11, &shape) {
        let history = History::new(dummy.clone());
        let perfect = minimax(&history);
        for (name, config) in variants() {
            let limits = Limits { depth: Some(25), nodes: Some(20_000), ..Limits::default() };
            // The tactical moves of `Noise` may go round in circles.
            let config = Config { quiescence: false, ..config };
            let report = search(&history, &Noise, config, limits);
            if let Some(value) = report.proven {
                proven += 1;
                assert_eq!(value, perfect.value, "{name}: {dummy:?}");
            } else if name == "classic" {
                assert_eq!(perfect.value, GameValue::Draw, "{name}: {dummy:?}");
            }
        }
    }
    assert!(proven > 1000, "{proven}");
}

#[test]
fn every_part_changes_the_search() {
    let history = History::new(Loa::<8>::default());
    let nodes = |config| search(&history, &Lines, config, to_depth(7)).nodes;
    let full = nodes(Config::default());
    for (name, config) in variants().into_iter().skip(1) {
        // Repetitions are rare within seven plies of the start.
        if name != "first repetition" {
            assert_ne!(nodes(config), full, "{name}");
        }
    }
    let multi_cut = MultiCut { moves: 5, ..MultiCut::default() };
    assert_ne!(nodes(Config { multi_cut: Some(multi_cut), ..Config::default() }), full);
    let realisation = Realisation { most: 2.0, ..Realisation::default() };
    assert_ne!(nodes(Config { realisation: Some(realisation), ..Config::default() }), full);
    assert_ne!(nodes(Config { table_bytes: 1 << 12, ..Config::default() }), full);
}

#[test]
fn new_nodes_are_counted_once_and_nothing_else_changes() {
    let history = History::new(Loa::<8>::default());
    for config in [Config::default(), Config::classic()] {
        let run = |count, depth| {
            search(&history, &Lines, Config { count, ..config.clone() }, to_depth(depth))
        };
        // In the first iteration every position is new.
        assert_eq!(run(Count::New, 1).nodes, run(Count::All, 1).nodes);
        for depth in 2..=6 {
            let [all, new] = [Count::All, Count::New].map(|count| run(count, depth));
            assert!(new.nodes > run(Count::New, depth - 1).nodes, "depth {depth}");
            assert!(new.nodes < all.nodes, "depth {depth}");
            assert_eq!((new.best, new.value, &new.pv), (all.best, all.value, &all.pv));
        }
    }
}

#[test]
fn what_prunes_saves_nodes() {
    let history = History::new(Loa::<8>::default());
    let nodes = |config| search(&history, &Lines, config, to_depth(6)).nodes;
    let classic = nodes(Config::classic());
    for (name, config) in [
        ("table", Config { table_bytes: 0, ..Config::classic() }),
        ("history", Config { history: HistoryOrder::Off, ..Config::classic() }),
    ] {
        assert!(nodes(config) > classic, "{name}");
    }
    assert!(nodes(Config { null_move: true, ..Config::classic() }) < classic);
    assert!(nodes(Config::default()) < classic);
}

#[test]
fn the_first_repetition_is_a_draw() {
    // First can go round in a circle, or lose.
    let dummy: Dummy = "a:((a) -) first 3".parse().unwrap();
    let history = History::new(dummy);
    for (first_repetition, plies) in [(true, 2), (false, 4)] {
        let config = Config { first_repetition, quiescence: false, ..Config::default() };
        let report = search(&history, &Noise, config, to_depth(8));
        assert_eq!((report.best, report.value), (Some(0), 0.0));
        assert_eq!(report.proven, None, "a repetition is no proof");
        assert_eq!(report.pv.len(), plies, "{:?}", report.pv);
    }
}

#[test]
fn a_search_repeats_itself() {
    for limits in [to_depth(6), Limits::nodes(30_000)] {
        let history = History::new(Loa::<8>::default());
        let run = || {
            let report = search(&history, &Lines, Config::default(), limits);
            Report { elapsed: Duration::ZERO, ..report }
        };
        assert_eq!(run(), run());
    }
}

#[test]
fn a_new_game_starts_anew() {
    let config = Config { table_bytes: 1 << 20, ..Config::default() };
    let mut search = AlphaBeta::new(config, Lines).unwrap();
    let history = History::new(Loa::<8>::default());
    let mut nodes = || search.search(&history, &to_depth(5), &Stop::new(), &mut |_| ()).nodes;
    let first = nodes();
    assert!(nodes() < first, "the table is used again");
    search.new_game(&Lines);
    let mut nodes = || search.search(&history, &to_depth(5), &Stop::new(), &mut |_| ()).nodes;
    assert_eq!(nodes(), first);
}

#[test]
fn limits_end_a_search_with_a_move() {
    let history = History::new(Loa::<8>::default());
    for threads in [1, 2] {
        let config = Config { threads, ..Config::default() };
        // 1. Nodes: exactly as many as allowed.
        for nodes in [1, 2, 100, 20_000] {
            let report = search(&history, &Lines, config.clone(), Limits::nodes(nodes));
            assert!(report.best.is_some() && !report.pv.is_empty());
            assert!(report.nodes <= nodes.next_multiple_of(threads as u64), "{}", report.nodes);
        }
        // 2. Time.
        let time = Duration::from_millis(100);
        let mut engine = AlphaBeta::new(config.clone(), Lines).unwrap();
        let begin = Instant::now();
        let report = engine.search(&history, &Limits::time(time), &Stop::new(), &mut |_| ());
        let elapsed = begin.elapsed();
        assert!(elapsed >= time, "{elapsed:?}");
        assert!(report.best.is_some() && report.simulations >= 3);
        let report =
            engine.search(&history, &Limits::time(Duration::ZERO), &Stop::new(), &mut |_| ());
        assert!(report.best.is_some());
        // 3. The stop flag, from the report of an iteration.
        let stop = Stop::new();
        let report = engine.search(&history, &Limits::default(), &stop, &mut |report| {
            if report.simulations >= 4 {
                stop.stop();
            }
        });
        assert!(report.best.is_some() && report.simulations >= 4);
        // 4. Iterations.
        let report = search(&history, &Lines, config, Limits::simulations(3));
        assert_eq!(report.simulations, 3);
    }
}

/// Wherever a search is cut short, what it calls proven is true, and it plays no move that it knows
/// to lose while there are others.
#[test]
fn a_search_cut_short_claims_nothing_false() {
    let shape = RandomTree { depth: 5, branching: 2..=4, ..RandomTree::default() };
    for dummy in trees(100, 13, &shape) {
        let history = History::new(dummy);
        let perfect = minimax(&history).value;
        for nodes in 1..100 {
            let report = search(&history, &Noise, Config::default(), Limits::nodes(nodes));
            assert!(
                report.proven.is_none_or(|value| value == perfect),
                "{nodes} nodes: {history:?}"
            );
        }
    }
}

#[test]
fn a_long_line_is_no_danger() {
    let long = |plies: usize| format!("{}={}", "(".repeat(plies), ")".repeat(plies));
    let solve = |plies| {
        let history = History::new(long(plies).parse::<Dummy>().unwrap());
        search(&history, &Noise, Config::default(), Limits::default())
    };
    assert_eq!(solve(100).plies, Some(100));
    assert_eq!(solve(1000).proven, None);
}

#[test]
fn a_finished_game_has_a_value_and_no_move() {
    let won: Dummy = "(*+ -) second".parse().unwrap();
    let report = search(&History::new(won), &Noise, Config::default(), Limits::default());
    assert_eq!((report.best, report.proven), (None, Some(GameValue::Loss)));
    assert_eq!(report.plies, Some(0));
}

#[test]
fn the_best_lines_are_in_order() {
    for position in positions(&Loa::<8>::default(), 10, 12) {
        let history = History::new(position);
        let config = Config { lines: 4, ..Config::full_width() };
        let report = search(&history, &Noise, config, to_depth(2));
        assert!(report.candidates.is_sorted_by(|a, b| a.value >= b.value));
        for candidate in &report.candidates {
            let mut after = history.clone();
            after.play(Move::unpack(candidate.m));
            let mut path = after.path().clone();
            let exact = -negamax(after.position(), &mut path, &mut Noise, 1, 1);
            if candidate.proven.is_none() {
                assert_eq!((candidate.value.atanh() * 700.0).round() as i32, exact);
            }
        }
    }
}
