//! Domineering: rules, texts, solved boards, and a comparison with a naive twin.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod naive_grid;

use std::collections::HashMap;

use naive_grid::Grid;
use spinney_game::conformance::{
    Naive, check, check_against_naive, check_perft_against_naive, fuzz_parsers, legal_moves,
};
use spinney_game::{Game, Hashed, Notation, Outcome, Side};
use spinney_games::domineering::Domineering;

const SIZES: [&str; 8] = ["5x5", "3x3", "8x8", "4x6", "6x4", "3x8", "8x3", "7x5"];

fn on(size: &str) -> Domineering {
    Domineering::new(size.parse().unwrap())
}

#[derive(Clone)]
struct NaiveDomineering(Grid);

impl Naive for NaiveDomineering {
    fn outcome(&self) -> Option<Outcome> {
        self.successors().is_empty().then(|| Outcome::Win(!self.to_move()))
    }

    fn to_move(&self) -> Side {
        if self.0.side == 'v' { Side::First } else { Side::Second }
    }

    fn successors(&self) -> Vec<(String, Self)> {
        let (letter, right, up, next) =
            if self.0.side == 'v' { ('x', 0, 1, 'h') } else { ('o', 1, 0, 'v') };
        let mut successors = Vec::new();
        for (file, rank) in self.0.squares() {
            if self.0.at(file, rank) == '.' && self.0.at(file + right, rank + up) == '.' {
                let mut child = self.clone();
                child.0.set(file, rank, letter);
                child.0.set(file + right, rank + up, letter);
                child.0.side = next;
                let [low, high] = [Grid::name(file, rank), Grid::name(file + right, rank + up)];
                successors.push((format!("{low}-{high}"), child));
            }
        }
        successors
    }

    fn text(&self) -> String {
        self.0.text()
    }
}

fn naive(text: &str) -> NaiveDomineering {
    NaiveDomineering(Grid::read(text))
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
    fuzz_parsers(&on("8x3"), 20_000, 2);
}

#[test]
fn agrees_with_the_naive_game() {
    for size in SIZES {
        check_against_naive(&on(size), naive, 30);
    }
}

#[test]
fn perft_agrees_with_the_naive_game() {
    for (size, plies) in [("5x5", 4), ("3x3", 9), ("8x8", 3), ("4x6", 4), ("6x4", 4), ("8x3", 4)] {
        check_perft_against_naive(&on(size), naive, plies);
    }
}

#[test]
fn moves_are_read_in_every_form() {
    let vertical = Domineering::default();
    for text in ["a1-a2", "a2-a1", "a1a2", "A2A1"] {
        assert_eq!(vertical.move_text(vertical.parse_move(text).unwrap()), "a1-a2");
    }
    assert!(vertical.parse_move("a1-b1").is_err(), "Horizontal's");
    assert!(vertical.parse_move("a5-a6").is_err(), "beyond the board");
    assert!(vertical.parse_move("a1-a3").is_err());
    let mut horizontal = vertical;
    horizontal.play(vertical.parse_move("c1-c2").unwrap());
    assert_eq!(horizontal.position_text(), "5/5/5/2x2/2x2 h");
    assert!(horizontal.parse_move("b1-c1").is_err(), "covered");
    assert!(horizontal.parse_move("d1-e1").is_ok());
}

#[test]
fn who_covered_a_square_does_not_matter() {
    let read = |text| Domineering::default().parse_position(text).unwrap();
    let [one, other] = [read("3/3/xoo v"), read("3/3/oox v")];
    assert!(one == other && one.key() == other.key());
    assert_ne!(one.position_text(), other.position_text());
    assert!(one != read("3/3/xoo h"));
}

/// Whether the side to move wins, by trying everything once.
fn wins(position: &Domineering, known: &mut HashMap<Domineering, bool>) -> bool {
    if let Some(&value) = known.get(position) {
        return value;
    }
    let value = legal_moves(position).into_iter().any(|m| {
        let mut child = *position;
        child.play(m);
        !wins(&child, known)
    });
    known.insert(*position, value);
    value
}

/// The values of square boards (Breuker, Uiterwijk and van den Herik 2000): whoever begins wins on
/// 3x3 and 4x4, and loses on 5x5.
#[test]
fn solved_boards() {
    for (size, expected) in [("3x3", true), ("4x4", true), ("5x5", false)] {
        assert_eq!(wins(&on(size), &mut HashMap::new()), expected, "{size}");
    }
}
