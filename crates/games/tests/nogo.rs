//! NoGo: contract, rules against a naive twin, and the texts of positions and moves.

mod naive_grid;

use naive_grid::Grid;
use naive_grid::stones::{NaiveStones, all_diagrams};
use spinney_game::conformance::{self, Naive};
use spinney_game::{Game, Notation, Outcome, Side};
use spinney_games::board::Size;
use spinney_games::nogo::NoGo;

fn naive(text: &str) -> NaiveStones {
    NaiveStones { grid: Grid::read(text), captures_win: false }
}

fn nogo(size: &str) -> NoGo {
    NoGo::new(size.parse().expect("a size"))
}

fn read(text: &str) -> NoGo {
    NoGo::default().parse_position(text).expect("a position")
}

const SIZES: [&str; 6] = ["3x3", "3x4", "5x5", "4x6", "8x3", "8x8"];

#[test]
fn the_contract_holds() {
    for size in SIZES {
        conformance::check(&nogo(size));
        conformance::check(&nogo(size).misere());
    }
}

#[test]
fn parsers_survive_damaged_text() {
    conformance::fuzz_parsers(&NoGo::default(), 20_000, 1);
    conformance::fuzz_parsers(&nogo("8x8"), 5_000, 2);
}

#[test]
fn the_rules_are_those_of_the_naive_twin() {
    for size in SIZES {
        conformance::check_against_naive(&nogo(size), naive, 10);
    }
}

#[test]
fn perft_is_that_of_the_naive_twin() {
    for (size, plies) in [("3x3", 6), ("3x4", 5), ("4x4", 4), ("5x5", 3), ("4x6", 3), ("8x8", 2)] {
        conformance::check_perft_against_naive(&nogo(size), naive, plies);
    }
}

/// Every chain has a liberty in a position of NoGo and in one of Go, so there are as many of both.
/// Those of Go were counted by J. Tromp and G. Farnebäck, "Combinatorics of Go" (2006).
#[test]
fn there_are_as_many_positions_as_in_go() {
    for (files, ranks, positions) in [(3, 3, 12_675), (3, 4, 321_689)] {
        let start = NoGo::default();
        let accepted =
            all_diagrams(files, ranks).filter(|text| start.parse_position(text).is_ok()).count();
        assert_eq!(accepted, 2 * positions, "{files}x{ranks}");
    }
}

#[test]
fn every_3x3_position_has_the_moves_of_the_naive_twin() {
    for text in all_diagrams(3, 3) {
        if let Ok(position) = NoGo::default().parse_position(&text) {
            let mut expected: Vec<String> =
                naive(&text).successors().into_iter().map(|(point, _)| point).collect();
            let mut actual: Vec<String> =
                conformance::legal_moves(&position).iter().map(|m| m.to_string()).collect();
            expected.sort();
            actual.sort();
            assert_eq!(actual, expected, "{text}");
            assert_eq!(position.outcome().is_some(), expected.is_empty(), "{text}");
        }
    }
}

#[test]
fn captures_and_suicide_are_illegal() {
    // a1 is an eye of Black, whose chain has other liberties.
    let position = read("5/5/5/xx3/1x3 w");
    assert_eq!(
        position.parse_move("a1").unwrap_err().to_string(),
        r#"move "a1": suicide is illegal"#
    );
    assert!(read("5/5/5/xx3/1x3 b").parse_move("a1").is_ok());
    // The white stone on a1 has one liberty left.
    let position = read("5/5/5/x4/o4 b");
    assert_eq!(
        position.parse_move("b1").unwrap_err().to_string(),
        r#"move "b1": a capture is illegal"#
    );
    assert_eq!(position.parse_move(" C3 ").unwrap().to_string(), "c3");
}

#[test]
fn a_player_without_a_move_loses() {
    // a1 is an eye of Black; c2 is the last liberty of the white stones.
    let position = read("xoo/xx1/1xx w");
    assert_eq!(position.outcome(), Some(Outcome::Win(Side::First)));
    assert_eq!(position.count_moves(), 0);
    assert_eq!(position.perft(1), 0);
}

#[test]
fn errors_say_what_is_wrong() {
    let position = NoGo::default();
    let message = |text| position.parse_position(text).unwrap_err().to_string();
    assert_eq!(message("xo1/oo1/3 b"), r#"position "xo1/oo1/3 b": the chain at a3 has no liberty"#);
    assert!(message("5/5/5 q").contains("side to move"));
    let message = |text| position.parse_move(text).unwrap_err().to_string();
    assert_eq!(message("f1"), r#"move "f1": not a point of the 5x5 board"#);
    assert_eq!(message("pass"), r#"move "pass": expected a point such as c3"#);
    let mut after = position.clone();
    after.play(after.parse_move("c3").unwrap());
    let error = after.parse_move("c3").unwrap_err();
    assert_eq!(error.to_string(), r#"move "c3": there is a stone already"#);
}

#[test]
fn the_default_board_is_5x5() {
    assert_eq!(NoGo::default().size(), Size::FIVE);
    assert_eq!(NoGo::default().position_text(), "5/5/5/5/5 b");
}
