//! A search in slices comes to its end, and to what it finds without them.

mod common;

use std::num::NonZero;
use std::sync::Arc;
use std::time::Duration;

use spinney_search::STRIDE;
use spinney_session::{Host, Limits, Player, Registry, Report, Session, Slice, Slices, Stop};

/// Searches in slices of `thousands` of positions. Returns the last report, and the positions that the
/// longest slice visited.
fn in_slices(
    player: &mut dyn Player,
    session: &Session,
    limits: Limits,
    thousands: u64,
) -> (Report, u64) {
    let mut search = Slices::new(player, session, limits, Stop::new());
    let (mut before, mut longest) = (0, 0);
    for _ in 0..100_000 {
        let slice = search.step(NonZero::new(thousands).expect("a length")).expect("a search");
        let (Slice::Paused(report) | Slice::Done(report)) = &slice;
        longest = longest.max(report.nodes - before);
        before = report.nodes;
        if let Slice::Done(report) = slice {
            return (report, longest);
        }
    }
    panic!("the search does not end");
}

/// A report but for the time.
fn timeless(report: Report) -> Report {
    Report { elapsed: Duration::ZERO, ..report }
}

#[test]
fn every_player_finds_the_same_in_slices() {
    let registry = Registry::builtin();
    let limits = Limits::nodes(20_000);
    for info in registry.games() {
        let game = registry.game(info.name).expect("a game");
        let session = game.start();
        for entry in game.players() {
            let name = format!("{} on {}", entry.name, info.name);
            let mut player = common::player(&game, entry.name, 1);
            player.new_game(1);
            let whole = player.analyse(&session, &limits, &Stop::new(), &mut |_| ());
            let whole = timeless(whole.expect("a search"));
            for thousands in [1, 2, 5] {
                player.new_game(1);
                let (sliced, longest) = in_slices(&mut *player, &session, limits, thousands);
                assert!(sliced.best.is_some() && sliced.nodes <= 20_000 + 2 * STRIDE, "{name}");
                let longest_allowed = (thousands + 2) * STRIDE;
                let is_alpha_beta = ["mia", "mc-loa-ab", "spinney", "level"]
                    .iter()
                    .any(|start| entry.name.starts_with(start));
                match entry.name {
                    // The depth that a pause interrupts is begun again; killer moves are forgotten.
                    name if is_alpha_beta => {
                        assert!(longest <= longest_allowed, "{name}: {longest}");
                    }
                    _ => assert_eq!(timeless(sliced), whole, "{name}"),
                }
            }
        }
    }
}

#[test]
fn alpha_beta_deepens_from_slice_to_slice() {
    let registry = Registry::builtin();
    let game = registry.game("loa").expect("a game");
    let session = game.read(None, ["d1d3", "a2c2", "e1e3", "h4f4"]).expect("a game");
    let limits = Limits { depth: Some(8), ..Limits::default() };
    let mut player = common::player(&game, "mia", 1);
    let whole = player.analyse(&session, &limits, &Stop::new(), &mut |_| ()).expect("a search");
    player.new_game(1);
    let (sliced, _) = in_slices(&mut *player, &session, limits, 4);
    assert_eq!(sliced.simulations, 8);
    assert!(sliced.nodes < 2 * whole.nodes, "{} instead of {}", sliced.nodes, whole.nodes);
}

#[test]
fn a_host_without_threads_and_clock_is_enough() {
    let host = Arc::new(Host { clock: Box::new(|| Duration::ZERO), threads: 1 });
    let registry = Registry::builtin();
    let game = registry.game("loa").expect("a game");
    let session = game.start();
    for player in ["uct:threads=4", "uct:threads=4,parallel=root", "mia:threads=4"] {
        let mut player = common::player(&game, player, 1);
        let limits = Limits::nodes(10_000);
        let report = player.analyse(&session, &limits, &Stop::on(host.clone()), &mut |_| ());
        let report = report.expect("a search");
        assert!(report.best.is_some());
        assert_eq!(report.elapsed, Duration::ZERO);
    }
}

#[test]
fn a_search_of_another_position_is_not_resumed() {
    let registry = Registry::builtin();
    for info in registry.games() {
        let game = registry.game(info.name).expect("a game");
        let (start, mut next) = (game.start(), game.start());
        next.play(next.legal_moves()[0]);
        for entry in game.players() {
            let mut player = common::player(&game, entry.name, 1);
            let stop = Stop::new().pausing(NonZero::<u64>::MIN);
            let limits = Limits::nodes(5000);
            player.analyse(&start, &limits, &stop, &mut |_| ()).expect("a search");
            let report = player.resume(&next, &limits, &Stop::new(), &mut |_| ());
            let best = report.expect("a search").best.expect("a move");
            assert!(next.legal_moves().contains(&best), "{} on {}", entry.name, info.name);
        }
    }
}
