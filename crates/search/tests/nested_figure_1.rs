//! Nested Monte Carlo search on the two positions of Figure 1 of paper `nmcs`, and its Table 2.

mod reference;

use reference::{after, forced};
use spinney_game::{Game, History, Move as _, Notation, Repetition};
use spinney_games::board::Size;
use spinney_games::breakthrough::Breakthrough;
use spinney_games::tictactoe::TicTacToe;
use spinney_search::nested::{Config, search};
use spinney_search::proof_number::{Algorithm, Options, ProofNumber};
use spinney_search::{GameValue, Limits, Report, Stop};

/// NMC(n) chooses its first move as the player Π(V(NMC(n-1))) does: the choice is of level n.
fn choice(level: u32) -> Config {
    Config { level: level - 1, ..Config::default() }
}

/// The same for NMC_D(n).
fn discounting_choice(level: u32) -> Config {
    Config { discounting: true, ..choice(level) }
}

fn play<G: Repetition>(position: &G, config: &Config, seed: u64) -> Report {
    search(&History::new(position.clone()), config, &Limits::default(), &Stop::new(), seed)
}

fn moves<G: Game>(position: &G) -> Vec<G::Move> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves
}

/// Figure 1a: x plays, and every move but a3 is a draw. The win is forced in three plies, so
/// NMC_D(2) finds it always; without discounting the search may fall for other moves.
#[test]
fn tic_tac_toe_of_figure_1a() {
    let position = TicTacToe::new().parse_position(FIGURE_1A).unwrap();
    let winning = position.parse_move("a3").unwrap();
    assert_eq!(forced(&position, 3).unwrap().score_for_mover, 1);
    for m in moves(&position) {
        let wins = forced(&after(&position, m), 9).is_some_and(|f| f.score_for_mover < 0);
        assert_eq!(wins, m == winning, "{}", position.move_text(m));
    }
    for seed in 0..200 {
        assert_eq!(play(&position, &discounting_choice(3), seed).best, Some(winning.pack()));
    }
    let found =
        (0..200).filter(|&s| play(&position, &choice(3), s).best == Some(winning.pack())).count();
    assert!(found < 200);
}

/// Rebuilt from the caption; the diagram is lost.
const FIGURE_1A: &str = "1x1/1o1/xo1 x";

/// Figure 1b: White wins with a5-a6 alone; b6-a7 and b6-c7 look strong, but b6-a7 loses to b8xa7.
fn trap() -> Breakthrough {
    let text = include_str!("../../../testdata/positions/breakthrough-trap.txt");
    let line = text.lines().find(|line| !line.starts_with('#')).expect("a position");
    Breakthrough::new(Size::EIGHT).parse_position(line).expect("a position of Breakthrough")
}

#[test]
fn the_trap_is_one() {
    let trap = trap();
    let options = Options { algorithm: Algorithm::DfPn, memory: 1 << 28, ..Options::default() };
    let mut solver = ProofNumber::new(options).expect("little memory");
    let mut assert_only_winner = |position: &Breakthrough, winner: &str| {
        for m in moves(position) {
            let report = solver.solve(&after(position, m), &Limits::default(), &Stop::new());
            let text = position.move_text(m);
            let expected = if text == winner { GameValue::Loss } else { GameValue::Win };
            assert_eq!(report.proven, Some(expected), "{text}");
        }
    };
    assert_only_winner(&trap, "a5-a6");
    assert_only_winner(&after(&trap, trap.parse_move("b6-a7").unwrap()), "b8xa7");
    assert!(trap.parse_move("b6-c7").is_ok());
}

/// A row of Table 2: NMC(3) in the trap, the thousands of positions that the choice of the first
/// move visits, and how often, in per cent, it is a5-a6.
struct Row {
    config: Config,
    paper_visited: f64,
    paper_frequency: f64,
}

fn table_2() -> [Row; 8] {
    let row =
        |config, paper_visited, paper_frequency| Row { config, paper_visited, paper_frequency };
    let cut = |cut_on_win| Config { cut_on_win, ..choice(3) };
    let prune = |prune_on_depth| Config { prune_on_depth, ..discounting_choice(3) };
    [
        row(cut(0), 4459.0, 11.9),
        row(cut(1), 1084.0, 12.3),
        row(cut(2), 214.0, 10.9),
        row(cut(3), 25.0, 9.8),
        row(prune(0), 2775.0, 64.1),
        row(prune(1), 1924.0, 64.7),
        row(prune(2), 1463.0, 58.6),
        row(prune(3), 627.0, 62.4),
    ]
}

/// How often, in per cent, a move is chosen, and the thousands of positions that a choice visits.
fn measure(position: &Breakthrough, config: &Config, m: &str, runs: u64) -> (f64, f64) {
    let m = position.parse_move(m).expect("a move");
    let reports: Vec<_> = (0..runs).map(|seed| play(position, config, seed)).collect();
    let chosen = reports.iter().filter(|report| report.best == Some(m.pack())).count();
    let visited: u64 = reports.iter().map(|report| report.nodes).sum();
    (100.0 * chosen as f64 / runs as f64, visited as f64 / 1000.0 / runs as f64)
}

/// The cheapest rows of Table 2 with few runs, and what the level below replies to b6-a7.
#[test]
fn discounting_avoids_the_trap() {
    let trap = trap();
    let [.., cut, _, _, _, pruned] = table_2();
    let (frequency, visited) = measure(&trap, &cut.config, "a5-a6", 200);
    assert!(frequency < 20.0 && visited < 50.0, "{frequency} % {visited} k");
    let (frequency, visited) = measure(&trap, &pruned.config, "a5-a6", 40);
    assert!(frequency > 40.0 && visited < 1500.0, "{frequency} % {visited} k");

    let sprung = after(&trap, trap.parse_move("b6-a7").unwrap());
    let below = |config: Config| measure(&sprung, &config, "b8xa7", 200).0;
    assert!(below(choice(2)) < 30.0);
    assert_eq!(below(discounting_choice(2)), 100.0);
}

/// All of Table 2, with 100 runs a row instead of 900.
#[test]
#[ignore = "a minute: run by ./check --nightly"]
fn table_2_has_its_shape() {
    let trap = trap();
    let measured: Vec<(f64, f64)> =
        table_2().iter().map(|row| measure(&trap, &row.config, "a5-a6", 100)).collect();
    for (row, &(frequency, visited)) in table_2().iter().zip(&measured) {
        // The standard deviation of 100 runs is 3 without discounting and 5 with it.
        let close = (frequency - row.paper_frequency).abs() < 15.0;
        assert!(close, "{:?}: {frequency} %", row.config);
        let ratio = visited / row.paper_visited;
        assert!((0.5..2.0).contains(&ratio), "{:?}: {visited} k", row.config);
    }
    let saved = |from: usize, to: usize| measured[from].1 / measured[to].1;
    // The paper's factors are 178 and 4.4; 900 runs in this position give 318 and 3.3.
    assert!(saved(0, 3) > 100.0, "cut on win saves a factor of {}", saved(0, 3));
    assert!(saved(4, 7) > 3.0, "pruning on depth saves a factor of {}", saved(4, 7));
}
