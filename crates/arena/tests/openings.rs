//! The openings of LOA for matches: legal, balanced, distinct up to symmetry.

use std::collections::HashSet;

use spinney_arena::read_openings;
use spinney_game::{Game, Notation, Side, Symmetric};
use spinney_games::loa::Loa;
use spinney_games::loa::knowledge::evaluation::Evaluation;
use spinney_games::loa::knowledge::lines::Lines;
use spinney_session::Registry;

const OPENINGS: &str = include_str!("../../../testdata/openings/loa-100.txt");
/// Points, as in the command of the file's header.
const BALANCE: i32 = 50;

#[test]
fn a_hundred_balanced_openings_of_three_plies() {
    assert!(OPENINGS.contains(&format!("--balance {BALANCE} ")));
    let game = Registry::builtin().game("loa").expect("a game");
    let openings = read_openings(&game, OPENINGS).expect("legal moves");
    assert_eq!(openings.len(), 100);
    let evaluation = Evaluation::default();
    let mut classes = HashSet::new();
    for opening in &openings {
        let text = opening.position_text();
        let position = &Loa::<8>::default().parse_position(&text).expect("a position");
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
