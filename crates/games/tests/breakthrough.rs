//! Breakthrough: rules, texts, and a comparison with a naive twin.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod naive_grid;

use naive_grid::{Grid, NaiveRace};
use spinney_game::conformance::{
    check, check_against_naive, check_perft_against_naive, fuzz_parsers,
};
use spinney_game::{Game, Notation, Outcome, Side};
use spinney_games::board::Size;
use spinney_games::breakthrough::Breakthrough;

const SIZES: [&str; 8] = ["5x5", "3x3", "8x8", "4x6", "6x4", "3x8", "8x3", "7x5"];

fn on(size: &str) -> Breakthrough {
    Breakthrough::new(size.parse().unwrap())
}

fn read(text: &str) -> Breakthrough {
    Breakthrough::default().parse_position(text).unwrap()
}

fn naive(text: &str) -> NaiveRace {
    NaiveRace { grid: Grid::read(text), knights: false }
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
    fuzz_parsers(&on("3x4"), 20_000, 2);
}

#[test]
fn agrees_with_the_naive_game() {
    for size in SIZES {
        check_against_naive(&on(size), naive, 30);
    }
}

#[test]
fn perft_agrees_with_the_naive_game() {
    for (size, plies) in [("5x5", 5), ("3x3", 9), ("8x8", 3), ("4x6", 5), ("6x4", 5), ("3x8", 6)] {
        check_perft_against_naive(&on(size), naive, plies);
    }
}

/// The numbers of OpenSpiel 2.0.2, whose boards of five ranks alone begin otherwise: with one row.
#[test]
fn perft_agrees_with_openspiel() {
    for (size, expected) in [
        ("8x8", [22, 484, 11_132, 256_036, 6_182_818].as_slice()),
        ("6x6", &[16, 256, 4_308, 71_478, 1_248_290]),
        ("5x6", &[13, 169, 2_331, 31_545, 453_608]),
        ("4x4", &[10, 100, 814, 6_324, 46_350, 303_122, 1_868_262]),
        ("3x3", &[7, 42, 174, 466, 930, 972, 788, 0]),
    ] {
        let leaves: Vec<u64> =
            (1..=expected.len()).map(|plies| on(size).perft(plies as u32)).collect();
        assert_eq!(leaves, expected, "{size}");
    }
}

#[test]
fn starting_positions() {
    assert_eq!(Breakthrough::default().position_text(), "xxxxx/xxxxx/5/ooooo/ooooo w");
    assert_eq!(on("4x3").position_text(), "xxxx/4/oooo w");
    assert_eq!(on("3x4").position_text(), "xxx/3/3/ooo w");
    assert_eq!(Breakthrough::new(Size::EIGHT).count_moves(), 22);
}

#[test]
fn moves_are_read_in_every_form() {
    let position = read("x4/5/1x3/o4/5 w");
    for text in ["a2xb3", "a2-b3", "a2b3", "A2XB3", " a2b3 "] {
        let m = position.parse_move(text).unwrap();
        assert_eq!(position.move_text(m), "a2xb3");
    }
    assert_eq!(position.move_text(position.parse_move("a2a3").unwrap()), "a2-a3");
    let message = |text| position.parse_move(text).unwrap_err().to_string();
    assert_eq!(message("a2-c3"), r#"move "a2-c3": not a legal move here"#);
    assert!(message("a2").contains("expected two squares"));
    assert!(message("a2-a9").contains("expected two squares"));
}

#[test]
fn a_man_does_not_capture_straight_ahead() {
    let position = read("5/2x2/2o2/5/5 w");
    let texts: Vec<String> = spinney_game::conformance::legal_moves(&position)
        .into_iter()
        .map(|m| position.move_text(m))
        .collect();
    assert_eq!(texts, ["c3-b4", "c3-d4"]);
}

#[test]
fn the_far_rank_or_the_last_man_wins() {
    let mut position = read("5/o4/3x1/1x3/o4 w");
    position.play(position.parse_move("a4-b5").unwrap());
    assert_eq!(position.outcome(), Some(Outcome::Win(Side::First)));
    let mut position = read("5/5/3x1/2o2/5 b");
    assert_eq!(position.outcome(), None);
    position.play(position.parse_move("d3xc2").unwrap());
    assert_eq!(position.outcome(), Some(Outcome::Win(Side::Second)));
    assert!(position.parse_move("c2-c1").is_err(), "the game is over");
}

#[test]
fn impossible_positions_are_refused() {
    let message =
        |text| Breakthrough::default().parse_position(text).err().map(|error| error.to_string());
    for (text, expected) in [
        ("5/5/5/5/5 w", "Black has no men, so it cannot be White's turn"),
        ("5/5/x4/5/5 w", ""),
        ("5/5/x4/5/5 b", "White has no men, so it cannot be Black's turn"),
        ("o4/5/x4/5/5 b", ""),
        ("o4/5/x4/5/5 w", "White is on the far rank already"),
        ("o4/5/5/5/x4 w", "White is on the far rank already"),
        ("o4/5/5/5/x4 b", "Black is on the far rank already"),
    ] {
        match message(text) {
            None => assert_eq!(expected, "", "{text} was read"),
            Some(message) => {
                assert!(!expected.is_empty() && message.contains(expected), "{message}");
            }
        }
    }
}
