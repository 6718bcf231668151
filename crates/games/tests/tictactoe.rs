//! Tic-tac-toe: rules, texts, and a comparison with a naive twin.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod naive_grid;

use naive_grid::Grid;
use spinney_game::conformance::{
    Naive, check, check_against_naive, check_perft_against_naive, fuzz_parsers, legal_moves,
};
use spinney_game::{Game, Notation, Outcome, Side};
use spinney_games::tictactoe::TicTacToe;

#[derive(Clone)]
struct NaiveTicTacToe(Grid);

impl Naive for NaiveTicTacToe {
    fn outcome(&self) -> Option<Outcome> {
        for (file, rank) in self.0.squares() {
            for (right, up) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                let row = [0, 1, 2].map(|step| self.0.at(file + step * right, rank + step * up));
                if row == ['x'; 3] {
                    return Some(Outcome::Win(Side::First));
                }
                if row == ['o'; 3] {
                    return Some(Outcome::Win(Side::Second));
                }
            }
        }
        self.successors().is_empty().then_some(Outcome::Draw)
    }

    fn to_move(&self) -> Side {
        if self.0.side == 'x' { Side::First } else { Side::Second }
    }

    fn successors(&self) -> Vec<(String, Self)> {
        let mut successors = Vec::new();
        for (file, rank) in self.0.squares() {
            if self.0.at(file, rank) == '.' {
                let mut child = self.clone();
                child.0.set(file, rank, self.0.side);
                child.0.side = if self.0.side == 'x' { 'o' } else { 'x' };
                successors.push((Grid::name(file, rank), child));
            }
        }
        successors
    }

    fn text(&self) -> String {
        self.0.text()
    }
}

#[test]
fn conforms() {
    check(&TicTacToe::new());
}

#[test]
fn parsers_survive_damaged_texts() {
    fuzz_parsers(&TicTacToe::new(), 20_000, 1);
}

#[test]
fn agrees_with_the_naive_game() {
    let naive = |text: &str| NaiveTicTacToe(Grid::read(text));
    check_against_naive(&TicTacToe::new(), naive, 300);
    check_perft_against_naive(&TicTacToe::new(), naive, 6);
}

#[test]
fn perft() {
    let leaves: Vec<u64> = (0..=10).map(|plies| TicTacToe::new().perft(plies)).collect();
    assert_eq!(leaves, [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872, 0]);
}

/// The value for First.
fn value(position: &TicTacToe) -> i32 {
    if let Some(outcome) = position.outcome() {
        return outcome.score_for(Side::First);
    }
    let values = legal_moves(position).into_iter().map(|m| {
        let mut child = *position;
        child.play(m);
        value(&child)
    });
    match position.to_move() {
        Side::First => values.max().unwrap(),
        Side::Second => values.min().unwrap(),
    }
}

#[test]
fn perfect_play_is_a_draw() {
    assert_eq!(value(&TicTacToe::new()), 0);
    let corner_then_edge = TicTacToe::new().parse_position("3/3/xo1 x").unwrap();
    assert_eq!(value(&corner_then_edge), 1);
}

#[test]
fn impossible_positions_are_refused() {
    let message = |text| TicTacToe::new().parse_position(text).unwrap_err().to_string();
    assert!(message("4/4/4 x").contains("a board of 4x3, expected 3x3"));
    assert!(message("x2/3/3 x").contains("1 x and 0 o, so it cannot be the turn of x"));
    assert!(message("3/3/3 o").contains("0 x and 0 o, so it cannot be the turn of o"));
    assert!(message("xxx/ooo/3 x").contains("x has three in a row already"));
    assert!(message("xxx/oo1/o2 x").contains("x has three in a row already"));
    let finished = TicTacToe::new().parse_position("xxx/oo1/3 o").unwrap();
    assert_eq!(finished.outcome(), Some(Outcome::Win(Side::First)));
    assert!(finished.parse_move("c1").is_err());
}
