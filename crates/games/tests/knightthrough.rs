//! Knightthrough: rules, texts, and a comparison with a naive twin.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod naive_grid;

use naive_grid::{Grid, NaiveRace};
use spinney_game::conformance::{
    check, check_against_naive, check_perft_against_naive, fuzz_parsers,
};
use spinney_game::{Game, Notation, Outcome, Side};
use spinney_games::knightthrough::Knightthrough;

const SIZES: [&str; 9] = ["5x5", "3x3", "8x8", "4x6", "6x4", "3x8", "3x5", "8x3", "7x5"];

fn on(size: &str) -> Knightthrough {
    Knightthrough::new(size.parse().unwrap())
}

fn naive(text: &str) -> NaiveRace {
    NaiveRace { grid: Grid::read(text), knights: true }
}

#[test]
fn conforms() {
    for size in SIZES {
        check(&on(size));
        check(&on(size).misere());
    }
}

#[test]
fn parsers_survive_damaged_texts() {
    fuzz_parsers(&on("5x5"), 20_000, 1);
    fuzz_parsers(&on("3x6"), 20_000, 2);
}

#[test]
fn agrees_with_the_naive_game() {
    for size in SIZES {
        check_against_naive(&on(size), naive, 30);
    }
}

#[test]
fn perft_agrees_with_the_naive_game() {
    for (size, plies) in [("5x5", 4), ("3x3", 9), ("8x8", 3), ("4x6", 5), ("6x4", 5), ("3x8", 5)] {
        check_perft_against_naive(&on(size), naive, plies);
    }
}

#[test]
fn a_man_has_four_leaps_forward() {
    let position = Knightthrough::default().parse_position("x4/5/1x3/5/2o2 w").unwrap();
    let texts: Vec<String> = spinney_game::conformance::legal_moves(&position)
        .into_iter()
        .map(|m| position.move_text(m))
        .collect();
    assert_eq!(texts, ["c1-a2", "c1xb3", "c1-d3", "c1-e2"]);
    assert_eq!(position.parse_move("C1-b3"), position.parse_move("c1xb3"));
}

#[test]
fn a_player_whose_men_are_stuck_loses() {
    let start = on("3x4");
    let stuck = start.parse_position("3/1o1/x2/3 w").unwrap();
    assert_eq!(stuck.outcome(), Some(Outcome::Win(Side::Second)));
    assert_eq!(stuck.perft(1), 0);
    let blocked = start.parse_position("3/1o1/1x1/3 b").unwrap();
    assert_eq!(blocked.outcome(), Some(Outcome::Win(Side::First)));
}
