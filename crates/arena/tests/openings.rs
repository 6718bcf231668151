//! The openings of LOA for matches: legal, balanced, distinct up to symmetry.

use std::collections::HashSet;

use spinney_arena::read_openings;
use spinney_game::{Game, Notation, Side, Symmetric};
use spinney_games::loa::Loa;
use spinney_games::loa::knowledge::evaluation::Evaluation;
use spinney_games::loa::knowledge::lines::Lines;
use spinney_session::Registry;

/// Points, as in the command of the files' headers.
const BALANCE: i32 = 50;

#[test]
fn a_hundred_balanced_openings_of_three_plies() {
    check::<8>("loa", include_str!("../../../testdata/openings/loa-100.txt"));
    check::<6>("loa6", include_str!("../../../testdata/openings/loa6-100.txt"));
}

fn check<const N: usize>(game: &str, openings: &str) {
    assert!(openings.contains(&format!("--balance {BALANCE} ")));
    let game = Registry::builtin().game(game).expect("a game");
    let openings = read_openings(&game, openings).expect("legal moves");
    assert_eq!(openings.len(), 100);
    let evaluation = Evaluation::<N>::default();
    let mut classes = HashSet::new();
    for opening in &openings {
        let text = opening.position_text();
        let position = &Loa::<N>::default().parse_position(&text).expect("a position");
        let moves = opening.move_texts();
        assert_eq!(moves.len(), 3);
        assert_eq!(position.to_move(), Side::Second);
        let lines = Lines::new(position);
        let value = evaluation.evaluate(position, &lines);
        let passed = evaluation.evaluate(&position.with_turn_passed(), &lines);
        assert!((value - passed).abs() / 2 <= BALANCE, "{moves:?}");
        let images = (0..position.symmetries()).map(|index| {
            let image = position.transformed(index);
            (image.men(Side::First), image.men(Side::Second))
        });
        assert!(classes.insert(images.min()), "{moves:?} twice");
    }
}
