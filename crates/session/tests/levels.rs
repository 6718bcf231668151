//! Opponents by strength: the same on every machine, and no stronger than they should be.

mod common;

use common::game;
use spinney_session::{LEVEL, LEVELS, Limits, PackedMove, PlayerSpec, Session, Stop};

/// The moves of a level from here, for some seeds.
fn moves(session: &Session, number: usize, seeds: std::ops::Range<u64>) -> Vec<PackedMove> {
    let spec = PlayerSpec::plain(LEVEL).with("number", &number.to_string());
    let limits = Limits::nodes(20_000);
    seeds
        .map(|seed| {
            let mut player = session.game().player(&spec, seed).expect("a level");
            let report = player.analyse(session, &limits, &Stop::new(), &mut |_| ());
            report.expect("limits that end it").best.expect("a move")
        })
        .collect()
}

#[test]
fn lines_of_action_has_levels_and_other_games_have_none() {
    assert_eq!(game("loa").levels().len(), LEVELS.len());
    assert!(game("chess").levels().is_empty() && game("loa6").levels().is_empty());
    let names: std::collections::HashSet<_> = LEVELS.iter().map(|level| level.name).collect();
    assert_eq!(names.len(), LEVELS.len());
    assert!(LEVELS.iter().filter_map(|level| level.rating).is_sorted_by(|a, b| a < b));
}

/// A seed gives the same move again; others give others at the weak levels, where the move is drawn.
#[test]
fn a_move_follows_from_the_seed() {
    let start = game("loa").start();
    for number in [1, 4, 9, 11] {
        assert_eq!(moves(&start, number, 0..6), moves(&start, number, 0..6), "level {number}");
    }
    let mut drawn = moves(&start, 1, 0..40);
    drawn.sort_unstable();
    drawn.dedup();
    assert!(drawn.len() > 5, "{drawn:?}");
}

/// The weakest level plays some good move more often than it would by chance, and not always the best.
#[test]
fn moves_are_drawn_among_good_ones() {
    // Few of Black's moves connect at once.
    let win = game("loa").at(Some("8/8/8/8/8/1x1xx3/8/o6o b")).expect("a position");
    let winning: Vec<PackedMove> = win
        .legal_moves()
        .into_iter()
        .filter(|&m| {
            let mut next = win.clone();
            next.play(m);
            next.outcome().is_some()
        })
        .collect();
    assert!(!winning.is_empty());
    let found = |number| {
        let played = moves(&win, number, 0..60);
        played.iter().filter(|m| winning.contains(m)).count()
    };
    let by_chance = 60 * winning.len() / win.legal_moves().len();
    let (weak, middle, strong) = (found(1), found(6), found(11));
    assert!(weak > by_chance && weak < 60, "{weak} of 60, {by_chance} by chance");
    assert!(middle >= weak && strong == 60, "{weak} {middle} {strong}");
}
