//! What a game knows makes df-pn faster and changes no value: each part by itself and all together, with
//! one thread and with several.

use spinney_game::{Game, Notation, Rng};
use spinney_games::loa::Loa;
use spinney_games::loa::knowledge::LoaKnowledge;
use spinney_games::loa::knowledge::cache::CachedEvaluation;
use spinney_games::loa::knowledge::evaluation::{Evaluation, Weights};
use spinney_games::tictactoe::TicTacToe;
use spinney_search::brute_force::{self, BruteForce};
use spinney_search::knowledge::NoKnowledge;
use spinney_search::knowledge::Oracle;
use spinney_search::proof_number::{Initial, Options, ProofNumber};
use spinney_search::{GameValue, Limits, Report, Stop};

fn knowledge<const N: usize>() -> LoaKnowledge<N> {
    let evaluation = Evaluation::new(Weights::learned(N));
    LoaKnowledge::new(CachedEvaluation::new(evaluation, false), 0, 0)
}

/// The rules alone.
const PLAIN: Options = Options {
    algorithm: spinney_search::proof_number::Algorithm::DfPn,
    memory: 1 << 22,
    threads: 1,
    wins: false,
    forced: false,
    initial: Initial::Mobility,
    symmetry: false,
    epsilon: 25,
};

fn variants() -> Vec<Options> {
    let wins = Options { wins: true, ..PLAIN };
    let all =
        Options { wins: true, forced: true, initial: Initial::Threats, symmetry: true, ..PLAIN };
    vec![
        PLAIN,
        wins,
        Options { forced: true, ..wins },
        Options { initial: Initial::Unit, ..PLAIN },
        Options { initial: Initial::Threats, ..wins },
        Options { symmetry: true, ..PLAIN },
        Options { epsilon: 100, ..PLAIN },
        all,
        Options { threads: 2, ..all },
        Options { threads: 4, ..all },
    ]
}

fn solve<const N: usize>(position: &Loa<N>, options: Options) -> Report {
    let mut solver = ProofNumber::with_knowledge(options, knowledge::<N>()).expect("memory");
    solver.solve(position, &Limits::nodes(20_000_000), &Stop::new())
}

/// A position that is not finished, with a few men of either side anywhere.
fn random_position<const N: usize>(men: usize, rng: &mut Rng) -> Loa<N> {
    loop {
        let mut squares = vec!['.'; N * N];
        for side in ['x', 'o'] {
            for _ in 0..men {
                squares[rng.below((N * N) as u32) as usize] = side;
            }
        }
        let ranks: Vec<String> = squares.chunks(N).map(|rank| rank.iter().collect()).collect();
        let text = ranks.join("/").replace("....", "4").replace("...", "3").replace("..", "2");
        let text = format!("{} {}", text.replace('.', "1"), ["b", "w"][rng.below(2) as usize]);
        let Ok(position) = Loa::<N>::default().parse_position(&text) else { continue };
        if position.outcome().is_none() {
            return position;
        }
    }
}

/// Small boards: brute force says what is right, for positions with cycles everywhere.
#[test]
fn small_boards_have_the_values_of_brute_force() {
    let mut rng = Rng::new(1);
    let mut values = std::collections::HashMap::new();
    for round in 0..300 {
        let position = random_position::<4>(2 + round % 3, &mut rng);
        let options = brute_force::Options { table_bytes: 1 << 22, threads: 1 };
        let mut oracle = BruteForce::new(options, NoKnowledge).unwrap();
        let value = |position: &Loa<4>, oracle: &mut BruteForce<Loa<4>, NoKnowledge>| {
            oracle.solve(position, &Limits::default(), &Stop::new()).proven
        };
        let expected = value(&position, &mut oracle);
        *values.entry(expected).or_insert(0) += 1;
        for options in variants() {
            let report = solve(&position, options);
            let text = position.position_text();
            assert_eq!(report.proven, expected, "{text} {options:?}");
            let mut next = position.clone();
            next.play(spinney_game::Move::unpack(report.best.unwrap()));
            let after = match next.outcome() {
                Some(outcome) => Some(GameValue::of(outcome, next.to_move())),
                None => value(&next, &mut oracle),
            };
            assert_eq!(after.map(|value| value.for_opponent()), expected, "{text} {options:?}");
        }
    }
    assert_eq!(values.len(), 3, "all values occur: {values:?}");
}

/// Moves that are left out lose at once, and all are kept where nothing is threatened.
#[test]
fn forced_moves_leave_out_only_what_loses_at_once() {
    let mut rng = Rng::new(2);
    let mut knowledge = knowledge::<6>();
    let (mut forced, mut left_out) = (0, 0);
    for round in 0..20_000 {
        let position = random_position::<6>(2 + round % 5, &mut rng);
        let mut moves = Vec::new();
        if knowledge.wins_at_once(&position) || !knowledge.forced_moves(&position, &mut moves) {
            continue;
        }
        assert!(knowledge.must_answer(&position));
        forced += 1;
        let mut legal = Vec::new();
        position.legal_moves(&mut legal);
        assert!(!moves.is_empty() && moves.iter().all(|m| legal.contains(m)));
        for m in legal.into_iter().filter(|m| !moves.contains(m)) {
            let mut next = position.clone();
            next.play(m);
            let text = position.position_text();
            assert!(next.outcome().is_none() && knowledge.wins_at_once(&next), "{text} {m:?}");
            left_out += 1;
        }
    }
    assert!(forced > 1000 && left_out > 1000, "{forced} {left_out}");
}

/// Endgames of real games, whose values other programs proved.
#[test]
fn endgames_have_their_values_with_threads() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/positions/loa-endgames.tsv");
    let table = std::fs::read_to_string(path).unwrap();
    let lines = table.lines().filter(|line| !line.starts_with('#')).skip(1);
    for line in lines.step_by(13) {
        let fields: Vec<&str> = line.split('\t').collect();
        let position = Loa::<8>::default().parse_position(fields[1]).unwrap();
        for threads in [1, 2, 4] {
            let report = solve(&position, Options { threads, ..Options::default() });
            assert_eq!(report.proven.map(|value| value.name()), Some(fields[2]), "{line}");
        }
    }
}

/// A board without a man on it has all symmetries.
#[test]
fn symmetry_spares_work() {
    let solve = |symmetry| {
        let mut solver = ProofNumber::new(Options { symmetry, ..PLAIN }).expect("memory");
        solver.solve(&TicTacToe::new(), &Limits::default(), &Stop::new())
    };
    let (off, on) = (solve(false), solve(true));
    assert_eq!((off.proven, on.proven), (Some(GameValue::Draw), Some(GameValue::Draw)));
    assert!(2 * on.nodes < off.nodes, "{} {}", on.nodes, off.nodes);
}
