//! Brute force against plain minimax: on dummy trees and graphs, and on small boards of every game.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod solving;

use std::collections::HashMap;
use std::fs;
use std::time::{Duration, Instant};

use solving::{GAMES, REPETITIONS, Visitor, WIN_IN_THREE, assert_perfect, graphs, visit};
use spinney_game::{Game, History, Move, Playable, Repetition, Rng, Symmetric};
use spinney_games::dummy::{Dummy, RandomTree};
use spinney_search::brute_force::{BruteForce, Options, minimax};
use spinney_search::knowledge::{Facts, NoKnowledge};
use spinney_search::{GameValue, Limits, Report, Stop};

/// The smallest table, so that tests do not wait for memory.
const SMALL: Options = Options { table_bytes: 0, threads: 1 };

/// Every value is the same with these numbers of threads.
const THREADS: [usize; 3] = [1, 2, 4];

fn solve<G: Repetition + Symmetric, F: Facts<G>>(
    position: &G,
    options: Options,
    facts: F,
) -> Report {
    let mut solver = BruteForce::new(options, facts).unwrap();
    solver.solve(position, &Limits::default(), &Stop::new())
}

/// The value and the move agree with minimax, with any number of threads.
fn check<G: Repetition + Symmetric>(start: &G) {
    check_knowing(start, NoKnowledge);
}

fn check_knowing<G: Repetition + Symmetric, F: Facts<G>>(start: &G, facts: F) {
    for threads in THREADS {
        check_threads(start, facts.clone(), threads);
    }
}

fn check_threads<G: Repetition + Symmetric, F: Facts<G>>(start: &G, facts: F, threads: usize) {
    let report = solve(start, Options { threads, ..SMALL }, facts);
    assert_perfect(start, &report, &format!("{threads} threads"));
}

#[test]
fn trees_with_draws() {
    let mut rng = Rng::new(1);
    let mut values = HashMap::new();
    for round in 0..10_000 {
        let dummy = Dummy::random(&RandomTree::default(), &mut rng);
        check_threads(&dummy, NoKnowledge, [1, 1, 1, 1, 1, 1, 1, 1, 2, 4][round % 10]);
        *values.entry(solve(&dummy, SMALL, NoKnowledge).proven).or_insert(0) += 1;
    }
    assert_eq!(values.len(), 3, "all values occur: {values:?}");
}

#[test]
fn graphs_with_transpositions_and_cycles() {
    for (round, dummy) in graphs(4000).enumerate() {
        check_threads(&dummy, NoKnowledge, [1, 1, 1, 2, 1, 1, 1, 4][round % 8]);
    }
}

#[test]
fn draws_by_repetition_are_no_facts_elsewhere() {
    let drawn: Dummy = REPETITIONS[0].parse().unwrap();
    assert_eq!(minimax(&History::new(drawn)).value, GameValue::Draw);
    for text in REPETITIONS {
        check(&text.parse::<Dummy>().unwrap());
    }
}

/// The values of all positions of a game without cycles, by minimax with a map.
fn value_by_map<G: Repetition>(
    position: &G,
    known: &mut HashMap<u64, (G, GameValue)>,
) -> GameValue {
    if let Some(outcome) = position.outcome() {
        return GameValue::of(outcome, position.to_move());
    }
    if let Some((same, value)) = known.get(&position.key()) {
        assert!(same.same_position(position), "two positions share a key");
        return *value;
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let values = moves.into_iter().map(|m| {
        let mut next = position.clone();
        next.play(m);
        value_by_map(&next, known).for_opponent()
    });
    let value = values.max().unwrap();
    known.insert(position.key(), (position.clone(), value));
    value
}

/// Compares brute force with minimax: plain, or with a map.
struct Compare {
    plain: bool,
    options: Options,
}

impl Visitor for Compare {
    type Output = ();

    fn visit<G: Playable>(self, start: G) {
        self.visit_knowing(start, NoKnowledge);
    }

    fn visit_knowing<G: Playable, F: Facts<G>>(self, start: G, facts: F) {
        if self.plain {
            check(&start);
            check_knowing(&start, facts);
            return;
        }
        let solve = |position: &G, threads: usize| {
            solve(position, Options { threads, ..self.options }, facts.clone())
        };
        // All sorts of positions: the start, and those of random games.
        let mut known = HashMap::new();
        let expected = value_by_map(&start, &mut known);
        for threads in THREADS {
            assert_eq!(solve(&start, threads).proven, Some(expected), "{threads}: {start:?}");
        }
        let mut threads = THREADS.into_iter().cycle();
        let mut rng = Rng::new(1);
        for _ in 0..20 {
            let mut position = start.clone();
            while position.outcome().is_none() {
                let report = solve(&position, threads.next().unwrap());
                let expected = value_by_map(&position, &mut known);
                assert_eq!(report.proven, Some(expected), "{}", position.position_text());
                let mut next = position.clone();
                next.play(G::Move::unpack(report.best.unwrap()));
                let after = value_by_map(&next, &mut known).for_opponent();
                assert_eq!(after, expected, "{}", position.position_text());
                position.play(position.random_move(&mut rng));
            }
        }
    }
}

fn compare(game: &str, plain: bool, options: Options) {
    visit(game, Compare { plain, options });
}

#[test]
fn every_game_on_the_smallest_board() {
    compare("tictactoe", true, SMALL);
    for game in GAMES {
        compare(&format!("{game}:3x3"), true, SMALL);
    }
}

#[test]
fn every_game_on_small_boards() {
    compare("tictactoe", false, SMALL);
    for game in GAMES {
        for size in ["3x3", "3x4", "4x3"] {
            compare(&format!("{game}:{size}"), false, SMALL);
        }
    }
    for game in &GAMES[..6] {
        compare(&format!("{game}:4x4"), false, SMALL);
    }
}

#[test]
fn a_table_much_too_small_changes_no_value() {
    // Positions that take 50,000 to 200,000 nodes, and room for 8192.
    for (game, value) in [
        ("nogo:4x4", GameValue::Loss),
        ("nogo-misere:4x4", GameValue::Win),
        ("breakthrough-misere:3x5", GameValue::Loss),
    ] {
        let large = visit(game, Limited(Options::default(), Limits::default(), Stop::new()));
        let small = visit(game, Limited(SMALL, Limits::default(), Stop::new()));
        assert_eq!((large.0, small.0), (Some(value), Some(value)), "{game}");
        assert!(small.1 > large.1, "{game}: {} nodes, {} with a large table", small.1, large.1);
    }
}

#[test]
#[ignore = "minutes: run by ./check --nightly"]
fn stones_on_4x4() {
    for game in &GAMES[6..] {
        compare(&format!("{game}:4x4"), false, SMALL);
    }
}

/// Solves with some limits and says how long it took.
struct Limited(Options, Limits, Stop);

impl Visitor for Limited {
    type Output = (Option<GameValue>, u64, Duration);

    fn visit<G: Playable>(self, start: G) -> Self::Output {
        self.visit_knowing(start, NoKnowledge)
    }

    fn visit_knowing<G: Playable, F: Facts<G>>(self, start: G, facts: F) -> Self::Output {
        let mut solver = BruteForce::new(self.0, facts).unwrap();
        let begin = Instant::now();
        let report = solver.solve(&start, &self.1, &self.2);
        assert!(report.best.is_some());
        (report.proven, report.nodes, begin.elapsed())
    }
}

#[test]
fn limits_end_a_search_without_a_value() {
    let time = Duration::from_millis(100);
    let (value, nodes, elapsed) =
        visit("loa", Limited(Options::default(), Limits::time(time), Stop::new()));
    assert!(value.is_none() && nodes > 0 && elapsed >= time);

    let (value, nodes, _) =
        visit("loa", Limited(Options::default(), Limits::nodes(1234), Stop::new()));
    assert_eq!((value, nodes), (None, 1234));

    let stop = Stop::new();
    stop.stop();
    let (value, nodes, _) = visit("loa", Limited(Options::default(), Limits::default(), stop));
    assert_eq!((value, nodes), (None, 1));
}

#[test]
fn depth_gives_up_longer_lines_only() {
    let dummy: Dummy = WIN_IN_THREE.parse().unwrap();
    for (depth, expected) in [(1, None), (2, None), (3, Some(GameValue::Win))] {
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let report =
            BruteForce::new(SMALL, NoKnowledge).unwrap().solve(&dummy, &limits, &Stop::new());
        assert_eq!(report.proven, expected, "{depth}");
    }
}

#[test]
fn a_solver_may_solve_many_positions() {
    let mut solver = BruteForce::new(SMALL, NoKnowledge).unwrap();
    let mut rng = Rng::new(4);
    let shape = RandomTree { transpositions: 0.3, ..RandomTree::default() };
    let start = Dummy::random(&shape, &mut rng);
    for _ in 0..200 {
        let mut position = start.clone();
        while position.outcome().is_none() {
            let report = solver.solve(&position, &Limits::default(), &Stop::new());
            let perfect = minimax(&History::new(position.clone()));
            assert_eq!(report.proven, Some(perfect.value));
            assert!(report.best.is_some());
            position.play(position.random_move(&mut rng));
        }
    }
}

/// The tables that `testdata/values/make.sh` wrote: small boards are solved again.
#[test]
fn values_on_record() {
    /// Rows that took more nodes are not solved again.
    const MOST_NODES: u64 = 15_000;

    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/values");
    let mut solved = 0;
    for file in fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "tsv") {
            continue;
        }
        let table = fs::read_to_string(&path).unwrap();
        let mut lines = table.lines().filter(|line| !line.starts_with('#'));
        assert_eq!(lines.next(), Some("game\tvalue\tnodes\tseconds\talgorithm"), "{path:?}");
        for line in lines {
            let [game, value, nodes, _, _] = line.split('\t').collect::<Vec<_>>()[..] else {
                panic!("{path:?}: {line}")
            };
            if nodes.parse::<u64>().unwrap() <= MOST_NODES {
                let options = Options { threads: THREADS[solved % 3], ..Options::default() };
                let (found, ..) = visit(game, Limited(options, Limits::default(), Stop::new()));
                assert_eq!(found.map(GameValue::name), Some(value), "{game}");
                solved += 1;
            }
        }
    }
    assert!(solved >= 30, "{solved} small boards on record");
}
