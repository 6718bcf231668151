//! AtariGo: contract, rules against a naive twin, and the texts of positions and moves.

mod naive_grid;

use std::collections::HashSet;

use naive_grid::Grid;
use naive_grid::stones::{NaiveStones, all_diagrams, has_breathless_chain};
use spinney_game::conformance::{self, Naive};
use spinney_game::{Game, Notation, Outcome, Side};
use spinney_games::atarigo::AtariGo;
use spinney_games::board::Size;

fn naive(text: &str) -> NaiveStones {
    NaiveStones { grid: Grid::read(text), captures_win: true }
}

fn atarigo(size: &str) -> AtariGo {
    AtariGo::new(size.parse().expect("a size"))
}

fn read(text: &str) -> AtariGo {
    AtariGo::default().parse_position(text).expect("a position")
}

const SIZES: [&str; 6] = ["3x3", "3x4", "5x5", "4x6", "8x3", "8x8"];

#[test]
fn the_contract_holds() {
    for size in SIZES {
        conformance::check(&atarigo(size));
        conformance::check(&atarigo(size).misere());
    }
}

#[test]
fn parsers_survive_damaged_text() {
    conformance::fuzz_parsers(&AtariGo::default(), 20_000, 1);
    conformance::fuzz_parsers(&atarigo("8x8"), 5_000, 2);
}

#[test]
fn the_rules_are_those_of_the_naive_twin() {
    for size in SIZES {
        conformance::check_against_naive(&atarigo(size), naive, 10);
    }
}

#[test]
fn perft_is_that_of_the_naive_twin() {
    for (size, plies) in [("3x3", 6), ("3x4", 5), ("4x4", 4), ("5x5", 3), ("4x6", 3), ("8x8", 2)] {
        conformance::check_perft_against_naive(&atarigo(size), naive, plies);
    }
}

/// The positions that are read: those in which every chain has a liberty, and those that one
/// capture makes of them. Outcome and moves are those of the naive twin.
#[test]
fn every_3x3_position_is_judged_as_by_the_naive_twin() {
    let breathing: Vec<String> = all_diagrams(3, 3)
        .filter(|text| !['x', 'o'].iter().any(|&s| has_breathless_chain(&Grid::read(text), s)))
        .collect();
    let mut possible: HashSet<String> = breathing.iter().cloned().collect();
    for text in &breathing {
        possible.extend(naive(text).successors().iter().map(|(_, after)| after.text()));
    }
    for text in all_diagrams(3, 3) {
        let Ok(position) = AtariGo::default().parse_position(&text) else {
            assert!(!possible.contains(&text), "{text} is rejected");
            continue;
        };
        assert!(possible.contains(&text), "{text} is accepted");
        let twin = naive(&text);
        assert_eq!(position.outcome(), twin.outcome(), "{text}");
        if position.outcome().is_none() {
            let mut expected: Vec<String> =
                twin.successors().into_iter().map(|(point, _)| point).collect();
            let mut actual: Vec<String> =
                conformance::legal_moves(&position).iter().map(|m| m.to_string()).collect();
            expected.sort();
            actual.sort();
            assert_eq!(actual, expected, "{text}");
        }
    }
}

#[test]
fn the_first_capture_wins() {
    let mut position = read("5/5/5/x4/o4 b");
    position.play(position.parse_move("b1").unwrap());
    assert_eq!(position.position_text(), "5/5/5/x4/ox3 w");
    assert_eq!(position.outcome(), Some(Outcome::Win(Side::First)));
    assert_eq!(position.perft(1), 0);
    assert!(position.parse_move("c3").unwrap_err().to_string().contains("the game is over"));
}

#[test]
fn a_capture_needs_no_liberty_of_its_own() {
    // Black on a1 would stand without a liberty, but takes the last one of the stone on a2.
    let mut position = read("5/5/x4/ox3/1o3 b");
    position.play(position.parse_move("a1").unwrap());
    assert_eq!(position.outcome(), Some(Outcome::Win(Side::First)));
    // White on a1 would be suicide here.
    let position = read("5/5/5/xx3/1x3 w");
    assert_eq!(
        position.parse_move("a1").unwrap_err().to_string(),
        r#"move "a1": suicide is illegal"#
    );
}

#[test]
fn a_player_without_a_move_loses() {
    let position = read("1xx/xxx/xx1 w");
    assert_eq!(position.outcome(), Some(Outcome::Win(Side::First)));
    assert_eq!(position.count_moves(), 0);
}

#[test]
fn a_chain_without_liberties_must_be_the_last_capture() {
    let message = |text| AtariGo::default().parse_position(text).unwrap_err().to_string();
    let problem = "has no liberty, and no capture by the last move explains it";
    // White's stone on a1 is captured, but it is Black's turn.
    assert_eq!(
        message("5/5/5/x4/ox3 b"),
        format!(r#"position "5/5/5/x4/ox3 b": the chain at a1 {problem}"#)
    );
    // Two captures, far apart.
    assert!(message("ox3/x4/5/x4/ox3 w").contains(problem));
}

#[test]
fn the_default_board_is_5x5() {
    assert_eq!(AtariGo::default().size(), Size::FIVE);
    assert_eq!(AtariGo::default().position_text(), "5/5/5/5/5 b");
}
