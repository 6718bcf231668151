//! MC-LOA beside what its paper says of it, and on endgames of real games.

mod common;

use std::time::{Duration, Instant};

use common::{Endgame, analyse, endgames, player};
use spinney_games::loa::Loa;
use spinney_search::Limits;

/// The mean length of play-outs from the start position.
fn playout_length(spec: &str) -> f64 {
    let report = analyse(&mut *player(spec), &Loa::<8>::default(), &Limits::simulations(5000));
    report.playout_plies as f64 / report.simulations as f64
}

/// Thresholds are in the paper's points: play-outs are about as long as in its Table I.
#[test]
fn playouts_are_as_long_as_published() {
    let published = [("0", 2.0), ("400", 5.85), ("700", 9.83), ("1000", 13.94), ("off", 53.7)];
    for (threshold, published) in published {
        let ours = playout_length(&format!("mc-loa:strategy=default,threshold={threshold}"));
        assert!((ours / published - 1.0).abs() < 0.15, "{threshold}: {ours} and {published}");
    }
}

/// Wins in at most seven plies.
fn near_wins() -> impl Iterator<Item = Endgame> {
    let near = |endgame: &Endgame| endgame.value == "win" && endgame.plies.is_some_and(|n| n <= 7);
    endgames().into_iter().filter(near)
}

/// Whether a search proves a win.
fn proves(endgame: &Endgame, limits: &Limits) -> bool {
    let report = analyse(&mut *player("mc-loa"), &endgame.position, limits);
    let value = report.proven.map(|value| value.name());
    assert!(value.is_none_or(|value| value == "win"), "wrong: {value:?}");
    value.is_some()
}

#[test]
#[ignore = "for the release build: two minutes"]
fn near_wins_are_proven() {
    let wins: Vec<Endgame> = near_wins().collect();
    let proven = wins.iter().filter(|win| proves(win, &Limits::nodes(10_000_000))).count();
    assert!(proven * 100 >= wins.len() * 97, "{proven} of {}", wins.len());
}

#[test]
#[ignore = "for the release build and an idle core"]
fn near_wins_are_proven_in_a_second() {
    let second = Duration::from_secs(1);
    let wins: Vec<Endgame> = near_wins().step_by(2).take(100).collect();
    let in_time = |win: &&Endgame| {
        let begin = Instant::now();
        proves(win, &Limits::time(second)) && begin.elapsed() <= second.mul_f32(1.1)
    };
    let proven = wins.iter().filter(in_time).count();
    assert!(proven >= 95, "{proven} of {}", wins.len());
}
