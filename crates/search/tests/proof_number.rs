//! Solvers, proof-number searches and alpha-beta, against plain minimax: on dummy trees and graphs,
//! and on small boards of every game; and on endgames of LOA from real games.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod solving;

use std::collections::HashMap;
use std::fs;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use solving::{GAMES, REPETITIONS, Visitor, WIN_IN_THREE, assert_perfect, graphs, visit};
use spinney_game::{Game, Hashed, History, Move, Notation, Playable, Rng};
use spinney_games::dummy::{Dummy, RandomTree};
use spinney_games::loa::Loa;
use spinney_search::alpha_beta::{AlphaBeta, Config};
use spinney_search::brute_force::{self, BruteForce};
use spinney_search::knowledge::NoKnowledge;
use spinney_search::proof_number::{Algorithm, Options, ProofNumber};
use spinney_search::{GameValue, Limits, NoNode, Report, SearchTree, Stop};

const ALGORITHMS: [Algorithm; 5] =
    [Algorithm::Pn, Algorithm::Pn2, Algorithm::Pds, Algorithm::PdsPn, Algorithm::DfPn];

#[derive(Clone, Copy, Debug)]
enum Solver {
    ProofNumber(Algorithm),
    /// df-pn with this many threads.
    Threads(usize),
    AlphaBeta,
}

const SOLVERS: [Solver; 8] = [
    Solver::ProofNumber(Algorithm::Pn),
    Solver::ProofNumber(Algorithm::Pn2),
    Solver::ProofNumber(Algorithm::Pds),
    Solver::ProofNumber(Algorithm::PdsPn),
    Solver::ProofNumber(Algorithm::DfPn),
    Solver::Threads(2),
    Solver::Threads(4),
    Solver::AlphaBeta,
];

/// Small, so that tests do not wait for memory.
const SMALL: usize = 1 << 20;
/// Enough for everything small; a search that goes in circles would not end without it.
const ENOUGH: Limits =
    Limits { time: None, simulations: None, nodes: Some(20_000_000), depth: None };

fn options(algorithm: Algorithm, memory: usize) -> Options {
    Options { algorithm, memory, ..Options::default() }
}

fn solve<G: Playable>(position: &G, solver: Solver, memory: usize) -> Report {
    let prove = |options| ProofNumber::new(options).unwrap().solve(position, &ENOUGH, &Stop::new());
    match solver {
        Solver::ProofNumber(algorithm) => prove(options(algorithm, memory)),
        Solver::Threads(threads) => prove(Options { threads, ..options(Algorithm::DfPn, memory) }),
        Solver::AlphaBeta => {
            // A large table takes longer to come by than small games take to solve.
            let config = Config::solver(memory.min(SMALL));
            let mut solver = AlphaBeta::new(config, NoKnowledge).unwrap();
            let history = History::new(position.clone());
            solver.search(&history, &ENOUGH, &Stop::new(), &mut |_| ())
        }
    }
}

/// Every solver agrees with minimax.
fn check<G: Playable>(start: &G) {
    for solver in SOLVERS {
        assert_perfect(start, &solve(start, solver, SMALL), &format!("{solver:?}"));
    }
}

#[test]
fn trees_with_draws() {
    let mut rng = Rng::new(1);
    let mut values = HashMap::new();
    for _ in 0..2000 {
        let dummy = Dummy::random(&RandomTree::default(), &mut rng);
        check(&dummy);
        *values.entry(solve(&dummy, Solver::AlphaBeta, SMALL).proven).or_insert(0) += 1;
    }
    assert_eq!(values.len(), 3, "all values occur: {values:?}");
}

#[test]
fn graphs_with_transpositions_and_cycles() {
    graphs(2000).for_each(|dummy| check(&dummy));
}

/// Graphs so full of cycles that minimax would not end: the value by retrograde analysis.
#[test]
fn graphs_beyond_minimax() {
    let mut rng = Rng::new(5);
    for round in 0..1000 {
        let shape = RandomTree {
            depth: 6,
            branching: 1..=3,
            early_ends: 0.05,
            draws: [0.0, 0.2][round % 2],
            transpositions: 0.35,
            cycles: 0.15,
            drawn_at: Some(3),
        };
        let dummy = Dummy::random(&shape, &mut rng);
        let expected = retrograde(&dummy);
        for solver in SOLVERS {
            let found = solve(&dummy, solver, SMALL).proven;
            assert_eq!(found, Some(expected), "{solver:?}: {}", dummy.position_text());
        }
    }
}

/// The value of the root of a graph: wins and losses spread backwards from the ends, and what is
/// never reached is a draw.
fn retrograde(root: &Dummy) -> GameValue {
    // 1. All positions.
    let mut positions = vec![root.clone()];
    let mut numbers = HashMap::from([(root.key(), 0)]);
    let mut children: Vec<Vec<usize>> = Vec::new();
    let mut next = 0;
    while next < positions.len() {
        let position = positions[next].clone();
        let count = if position.outcome().is_some() { 0 } else { position.count_moves() };
        let replies = (0..count as u32).map(|m| {
            let mut child = position.clone();
            child.play(m);
            *numbers.entry(child.key()).or_insert_with(|| {
                positions.push(child);
                positions.len() - 1
            })
        });
        children.push(replies.collect());
        next += 1;
    }
    // 2. Until nothing changes.
    let mut values: Vec<Option<GameValue>> = positions
        .iter()
        .map(|position| position.outcome().map(|end| GameValue::of(end, position.to_move())))
        .collect();
    loop {
        let mut changed = false;
        for number in 0..positions.len() {
            if values[number].is_some() {
                continue;
            }
            let replies = || children[number].iter().map(|&child| values[child]);
            if replies().any(|value| value == Some(GameValue::Loss)) {
                values[number] = Some(GameValue::Win);
            } else if replies().all(|value| value == Some(GameValue::Win)) {
                values[number] = Some(GameValue::Loss);
            }
            changed |= values[number].is_some();
        }
        if !changed {
            return values[0].unwrap_or(GameValue::Draw);
        }
    }
}

#[test]
fn draws_by_repetition_are_no_facts_elsewhere() {
    for text in REPETITIONS {
        check(&text.parse::<Dummy>().unwrap());
    }
}

/// Compares with plain minimax, or with brute force on the positions of random games.
struct Compare {
    plain: bool,
    memory: usize,
}

impl Visitor for Compare {
    type Output = ();

    fn visit<G: Playable>(self, start: G) {
        if self.plain {
            check(&start);
            return;
        }
        let mut oracle =
            BruteForce::new(brute_force::Options { table_bytes: SMALL, threads: 1 }, NoKnowledge)
                .unwrap();
        let mut value =
            |position: &G| oracle.solve(position, &Limits::default(), &Stop::new()).proven.unwrap();
        let mut rng = Rng::new(1);
        for _ in 0..5 {
            let mut position = start.clone();
            while position.outcome().is_none() {
                let expected = value(&position);
                for solver in SOLVERS {
                    let report = solve(&position, solver, self.memory);
                    let text = position.position_text();
                    assert_eq!(report.proven, Some(expected), "{solver:?}: {text}");
                    let mut next = position.clone();
                    next.play(G::Move::unpack(report.best.unwrap()));
                    assert_eq!(value(&next).for_opponent(), expected, "{solver:?}: {text}");
                }
                position.play(position.random_move(&mut rng));
            }
        }
    }
}

fn compare(game: &str, plain: bool) {
    visit(game, Compare { plain, memory: 1 << 26 });
}

#[test]
fn every_game_on_the_smallest_board() {
    compare("tictactoe", true);
    for game in GAMES {
        compare(&format!("{game}:3x3"), true);
    }
}

#[test]
fn every_game_on_small_boards() {
    compare("tictactoe", false);
    for game in GAMES {
        for size in ["3x3", "3x4", "4x3"] {
            compare(&format!("{game}:{size}"), false);
        }
    }
}

/// A full table forgets, but what it says is true.
#[test]
fn little_memory_makes_no_wrong_values() {
    let mut rng = Rng::new(7);
    let shape = RandomTree {
        depth: 12,
        branching: 2..=3,
        transpositions: 0.1,
        cycles: 0.05,
        drawn_at: Some(3),
        early_ends: 0.02,
        draws: 0.2,
    };
    let mut unknown = 0;
    for _ in 0..10 {
        let dummy = Dummy::random(&shape, &mut rng);
        let expected = retrograde(&dummy);
        for algorithm in ALGORITHMS {
            let mut solver = ProofNumber::new(options(algorithm, 0)).unwrap();
            let report = solver.solve(&dummy, &Limits::nodes(1_000_000), &Stop::new());
            unknown += u32::from(report.proven.is_none());
            assert!(report.proven.is_none_or(|value| value == expected), "{algorithm:?}");
        }
    }
    assert!(unknown < 5 * ALGORITHMS.len() as u32, "{unknown} unknown");
}

#[test]
fn limits_end_a_search_without_a_value() {
    let loa = Loa::<8>::default();
    for algorithm in ALGORITHMS {
        let run = |limits: Limits, stop: &Stop| {
            let mut solver = ProofNumber::new(options(algorithm, 1 << 30)).unwrap();
            let begin = Instant::now();
            let report = solver.solve(&loa, &limits, stop);
            assert!(report.best.is_some() && report.proven.is_none(), "{algorithm:?}");
            (report.nodes, begin.elapsed())
        };
        let time = Duration::from_millis(100);
        let (nodes, elapsed) = run(Limits::time(time), &Stop::new());
        assert!(nodes > 0 && elapsed >= time);
        let (nodes, _) = run(Limits::nodes(1234), &Stop::new());
        assert!((1234..1234 + 100).contains(&nodes), "{algorithm:?}: {nodes}");
        let stop = Stop::new();
        stop.stop();
        let (nodes, _) = run(Limits::default(), &stop);
        assert!(nodes < 100, "{algorithm:?}: {nodes}");
    }
}

#[test]
fn depth_gives_up_longer_lines_only() {
    let dummy: Dummy = WIN_IN_THREE.parse().unwrap();
    for algorithm in ALGORITHMS {
        for (depth, expected) in [(1, None), (2, None), (3, Some(GameValue::Win))] {
            let limits = Limits { depth: Some(depth), ..Limits::default() };
            let mut solver = ProofNumber::new(options(algorithm, SMALL)).unwrap();
            let report = solver.solve(&dummy, &limits, &Stop::new());
            assert_eq!(report.proven, expected, "{algorithm:?}: {depth}");
        }
    }
}

#[test]
fn a_solver_may_solve_many_positions() {
    for algorithm in ALGORITHMS {
        let mut solver = ProofNumber::new(options(algorithm, SMALL)).unwrap();
        let mut rng = Rng::new(4);
        let shape = RandomTree {
            depth: 4,
            branching: 1..=3,
            transpositions: 0.3,
            cycles: 0.1,
            drawn_at: Some(3),
            ..RandomTree::default()
        };
        for _ in 0..20 {
            let start = Dummy::random(&shape, &mut rng);
            for _ in 0..10 {
                let mut position = start.clone();
                // Not to the end: a random game may go in circles for long.
                for _ in 0..10 {
                    if position.outcome().is_some() {
                        break;
                    }
                    let report = solver.solve(&position, &ENOUGH, &Stop::new());
                    assert_eq!(report.proven, Some(retrograde(&position)), "{algorithm:?}");
                    position.play(position.random_move(&mut rng));
                }
            }
        }
    }
}

/// Solves every `step`-th endgame of the file with some limits: how many there are, and how many
/// were solved. None may contradict the file.
fn endgames(algorithm: Algorithm, step: usize, limits: &Limits) -> (usize, usize) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/positions/loa-endgames.tsv");
    let table = fs::read_to_string(path).unwrap();
    let mut lines = table.lines().filter(|line| !line.starts_with('#'));
    assert_eq!(lines.next(), Some("id\tposition\tvalue\tplies\tbest\tsource"));
    let (mut tried, mut solved) = (0, 0);
    for line in lines.step_by(step) {
        let [id, position, value, plies, best, _] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let position = Loa::<8>::default().parse_position(position).unwrap();
        let mut solver = ProofNumber::new(options(algorithm, 1 << 28)).unwrap();
        let report = solver.solve(&position, limits, &Stop::new());
        tried += 1;
        let Some(found) = report.proven else { continue };
        solved += 1;
        assert_eq!(found.name(), value, "{algorithm:?}: {id}");
        let shortest: u32 = plies.trim_start_matches(">=").parse().unwrap();
        assert!(report.plies.unwrap() >= shortest, "{algorithm:?}: {id} {:?}", report.plies);
        // The only winning move is found.
        if let Some(only) = best.strip_suffix('!') {
            assert_eq!(
                position.move_text(Move::unpack(report.best.unwrap())),
                only,
                "{algorithm:?}: {id}"
            );
        }
    }
    (tried, solved)
}

#[test]
fn some_endgames_of_real_games() {
    for algorithm in ALGORITHMS {
        // So many that the quick ones are among them, on a slow machine too.
        let (tried, solved) = endgames(algorithm, 13, &Limits::nodes(300_000));
        assert!(tried >= 40 && solved * 10 >= tried * 6, "{algorithm:?}: {solved} of {tried}");
    }
}

/// All endgames, ten million nodes each.
#[test]
#[ignore = "minutes"]
fn all_endgames_of_real_games() {
    for algorithm in ALGORITHMS {
        let (tried, solved) = endgames(algorithm, 1, &Limits::nodes(10_000_000));
        let percent = match algorithm {
            Algorithm::DfPn => 100,
            Algorithm::Pn2 | Algorithm::PdsPn => 98,
            Algorithm::Pn | Algorithm::Pds => 0,
        };
        assert!(solved * 100 >= tried * percent, "{algorithm:?}: {solved} of {tried}");
    }
}

/// The numbers that a look shows follow from each other: φ is the least δ of the children, δ the sum of
/// their φ, the attacker's proof number where the attacker moves.
#[test]
fn the_tree_of_pn_can_be_looked_into() {
    let history = History::new(Loa::<8>::default());
    let solver = Mutex::new(ProofNumber::new(options(Algorithm::Pn, 64 << 20)).unwrap());
    assert_eq!(solver.moves(&[]), Err(NoNode::Missing));
    {
        let mut busy = solver.lock().unwrap();
        busy.solve(history.position(), &Limits::nodes(20_000), &Stop::new());
        assert_eq!(solver.moves(&[]), Err(NoNode::Busy));
    }
    let mut legal = Vec::new();
    history.position().legal_moves(&mut legal);
    let root = solver.moves(&[]).unwrap();
    assert_eq!(root.len(), legal.len());
    let mut opened = 0;
    for branch in root.iter().filter(|branch| branch.children > 0) {
        let below = solver.moves(&[branch.candidate.m]).unwrap();
        assert_eq!(below.len(), branch.children);
        let numbers = branch.numbers.unwrap();
        assert_eq!(numbers.attacker, history.position().to_move());
        // The defender moves there: all its moves must be proven, one disproven.
        let proofs = below.iter().map(|one| one.numbers.unwrap().proof.unwrap_or(u32::MAX));
        assert_eq!(numbers.proof, Some(proofs.sum()));
        let disproofs = below.iter().filter_map(|one| one.numbers.unwrap().disproof);
        assert_eq!(numbers.disproof, disproofs.min());
        opened += 1;
    }
    assert!(opened > 0);
    // Depth-first searches keep no tree.
    let options = options(Algorithm::DfPn, 1 << 20);
    assert_eq!(
        Mutex::new(ProofNumber::<Loa<8>>::new(options).unwrap()).moves(&[]),
        Err(NoNode::Missing)
    );
}

/// A search that is ended again and again, each time goes on from its table alone, on one thread or more.
#[test]
fn a_table_that_was_written_continues_the_search() {
    let mut rng = Rng::new(9);
    let shape = RandomTree {
        depth: 12,
        branching: 2..=4,
        transpositions: 0.1,
        cycles: 0.05,
        drawn_at: Some(3),
        early_ends: 0.02,
        draws: 0.2,
    };
    for threads in [1, 2] {
        let options = Options { threads, ..options(Algorithm::DfPn, SMALL) };
        let (mut restarts, mut nodes, mut at_once) = (0, 0, 0);
        for _ in 0..10 {
            let dummy = Dummy::random(&shape, &mut rng);
            let expected = retrograde(&dummy);
            let whole = ProofNumber::new(options).unwrap().solve(&dummy, &ENOUGH, &Stop::new());
            at_once += whole.nodes;
            let mut file = Vec::new();
            let found = loop {
                let mut solver = ProofNumber::new(options).unwrap();
                if !file.is_empty() {
                    assert_eq!(solver.restore(&mut file.as_slice()).unwrap(), "a line");
                }
                let limits = Limits::nodes(1 + u64::from(rng.below(2000)));
                let report = solver.solve(&dummy, &limits, &Stop::new());
                nodes += report.nodes;
                restarts += 1;
                assert!(restarts < 100_000);
                file.clear();
                solver.snapshot().unwrap().write("a line", &mut file).unwrap();
                if let Some(found) = report.proven {
                    break found;
                }
            };
            assert_eq!(found, expected);
            // Another machine that has the proofs alone finds the value again, with less work.
            let mut solver = ProofNumber::<Dummy>::new(options).unwrap();
            solver.restore(&mut file.as_slice()).unwrap();
            let mut proofs = Vec::new();
            solver.snapshot().unwrap().write_proofs("a line", &mut proofs).unwrap();
            let mut other = ProofNumber::new(options).unwrap();
            other.restore(&mut proofs.as_slice()).unwrap();
            let report = other.solve(&dummy, &ENOUGH, &Stop::new());
            assert_eq!(report.proven, Some(expected));
            assert!(report.nodes <= whole.nodes + 100, "{} {}", report.nodes, whole.nodes);
        }
        assert!(restarts > 20 && nodes < 20 * at_once, "{restarts} {nodes} {at_once}");
    }
}

/// Whoever watches a search sees it grow, and changes nothing.
#[test]
fn a_search_can_be_watched() {
    let position = Loa::<8>::default();
    let options = options(Algorithm::DfPn, 1 << 26);
    let mut looks = Vec::new();
    let mut watched = ProofNumber::new(options).unwrap();
    let report =
        watched.solve_observed(&position, &Limits::nodes(500_000), &Stop::new(), &mut |look| {
            assert_eq!(look.attacker, position.to_move());
            looks.push((look.nodes, look.entries(), look.moves.len()));
        });
    let alone =
        ProofNumber::new(options).unwrap().solve(&position, &Limits::nodes(500_000), &Stop::new());
    assert_eq!((report.nodes, report.best), (alone.nodes, alone.best));
    assert!(looks.is_sorted_by_key(|look| look.0));
    // On a fast machine it may be over before the first look.
    assert!(
        looks.iter().all(|&(nodes, entries, moves)| nodes <= 500_100 && entries > 0 && moves > 0)
    );
}
