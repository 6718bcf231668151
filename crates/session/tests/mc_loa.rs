//! MC-LOA beside what its paper says of it, and on endgames of real games.

mod common;

use std::time::{Duration, Instant};

use common::{Endgame, analyse, endgames, game, player};
use spinney_session::Limits;

/// The mean length of playouts from the start position.
fn playout_length(spec: &str) -> f64 {
    let loa = game("loa");
    let report = analyse(&mut *player(&loa, spec, 1), &loa.start(), &Limits::simulations(5000));
    report.playout_plies as f64 / report.simulations as f64
}

/// Thresholds are in the paper's points: playouts are about as long as in its Table I.
#[test]
fn playouts_are_as_long_as_published() {
    let published = [("0", 2.0), ("400", 5.85), ("700", 9.83), ("1000", 13.94), ("off", 53.7)];
    for (threshold, published) in published {
        let ours = playout_length(&format!("mc-loa:strategy=default,threshold={threshold}"));
        assert!((ours / published - 1.0).abs() < 0.15, "{threshold}: {ours} and {published}");
    }
}

/// Whether it is a win in at most seven plies.
fn is_near_win(endgame: &Endgame) -> bool {
    endgame.value == "win" && endgame.plies.is_some_and(|plies| plies <= 7)
}

/// Whether a search proves the value, which must be that of the file.
fn proves(endgame: &Endgame, limits: &Limits) -> bool {
    let mut player = player(endgame.position.game(), "mc-loa-plus", 1);
    let report = analyse(&mut *player, &endgame.position, limits);
    let value = report.proven.map(|value| value.name());
    assert!(value.is_none_or(|value| value == endgame.value), "wrong: {value:?}");
    value.is_some()
}

#[test]
#[ignore = "for the release build: ten minutes"]
fn endgames_are_proven() {
    let (near, far): (Vec<Endgame>, Vec<Endgame>) = endgames().into_iter().partition(is_near_win);
    let proven = |endgames: &[Endgame]| {
        endgames.iter().filter(|endgame| proves(endgame, &Limits::nodes(10_000_000))).count()
    };
    let proven_near = proven(&near);
    assert!(proven_near * 100 >= near.len() * 97, "{proven_near} of {} near wins", near.len());
    let (all, proven) = (near.len() + far.len(), proven_near + proven(&far));
    assert!(proven * 100 >= all * 85, "{proven} of {all}");
}

#[test]
#[ignore = "for the release build and an idle core"]
fn near_wins_are_proven_in_a_second() {
    let second = Duration::from_secs(1);
    let wins: Vec<Endgame> =
        endgames().into_iter().filter(is_near_win).step_by(2).take(100).collect();
    let in_time = |win: &&Endgame| {
        let begin = Instant::now();
        proves(win, &Limits::time(second)) && begin.elapsed() < second
    };
    let proven = wins.iter().filter(in_time).count();
    assert!(proven >= 95, "{proven} of {}", wins.len());
}
