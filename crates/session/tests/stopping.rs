//! Every player ends its search: soon after it is stopped, and when its limit is reached.

mod common;

use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use spinney_search::STRIDE;
use spinney_session::{Algorithm, Limits, Registry, Report, Rng, Session, Solver, Stop};

/// Positions that a search may visit between two looks at its stop flag, and after the last one: a
/// simulation that has begun is completed.
const SLACK: u64 = 3 * STRIDE;

/// A search from the beginning, with some limits.
type Search<'a> = &'a mut dyn FnMut(&Limits, &Stop) -> Counts;

/// Calls `check` with every player of every game, at the start and in the middle of a game.
fn with_every_player(mut check: impl FnMut(&str, Search<'_>)) {
    let registry = Registry::builtin();
    for info in registry.games() {
        let game = registry.game(info.name).expect("a game");
        for entry in game.players() {
            for plies in [0, 9] {
                let name = format!("{} on {} after {plies} plies", entry.name, info.name);
                let session = after(game.start(), plies);
                let mut player = common::player(&game, entry.name, 1);
                check(&name, &mut |limits, stop| {
                    player.new_game(1);
                    let report = player.analyse(&session, limits, stop, &mut |_| ());
                    let Report { nodes, best, .. } = report.expect("a search");
                    Counts { nodes, has_move: best.is_some() }
                });
            }
        }
    }
}

/// What a search did.
struct Counts {
    nodes: u64,
    has_move: bool,
}

/// The game after `plies` random moves. A move that would end the game is left out.
fn after(start: Session, plies: u32) -> Session {
    let mut session = start;
    let mut rng = Rng::new(5);
    for _ in 0..plies {
        let mut next = session.clone();
        next.play(session.random_move(&mut rng));
        if next.outcome().is_none() {
            session = next;
        }
    }
    session
}

#[test]
fn a_stop_ends_every_search_by_counted_work() {
    let mut searches = 0;
    with_every_player(|name, search| {
        for looks in [1, 2, 5] {
            let Counts { nodes, has_move } = search(&Limits::default(), &Stop::at_look(looks));
            assert!(has_move, "{name}");
            assert!(nodes <= looks * STRIDE + SLACK, "{name}: {nodes} after {looks} looks");
        }
        searches += 1;
    });
    assert!(searches > 200, "{searches}");
}

#[test]
fn a_limit_on_nodes_ends_every_search() {
    with_every_player(|name, search| {
        for limit in [1, 700, 4000] {
            let Counts { nodes, has_move } = search(&Limits::nodes(limit), &Stop::new());
            assert!(has_move, "{name}");
            // The simulation that spends the last position is completed.
            assert!(nodes <= limit + SLACK, "{name}: {nodes} for a limit of {limit}");
        }
    });
}

#[test]
#[ignore = "on the clock, for an idle machine: run by ./check --nightly"]
fn stops_and_time_limits_are_kept_on_the_clock() {
    const STOP_LATENCY: Duration = Duration::from_millis(50);
    const OVERTIME: Duration = Duration::from_millis(20);
    let mut late = Vec::new();
    with_every_player(|name, search| {
        // 1. A stop at three moments.
        for wait in [1, 20, 70].map(Duration::from_millis) {
            let stop = Stop::new();
            let (sender, receiver) = mpsc::channel::<()>();
            let flag = stop.clone();
            let stopper = thread::spawn(move || {
                // An error: the search has ended by itself.
                let _ = receiver.recv_timeout(wait);
                flag.stop();
                Instant::now()
            });
            search(&Limits::default(), &stop);
            let ended = Instant::now();
            drop(sender);
            let stopped = stopper.join().expect("no panic");
            if ended > stopped + STOP_LATENCY {
                late.push(format!("{name}: {:?} after the stop", ended - stopped));
            }
        }
        // 2. Limits on time.
        for time in [1, 10, 100].map(Duration::from_millis) {
            let started = Instant::now();
            search(&Limits::time(time), &Stop::new());
            let overtime = started.elapsed().saturating_sub(time);
            if overtime > OVERTIME {
                late.push(format!("{name}: {overtime:?} beyond {time:?}"));
            }
        }
    });
    assert!(late.is_empty(), "{late:#?}");
}

#[test]
#[ignore = "on the clock, for an idle machine: run by ./check --nightly"]
fn solvers_keep_time_limits_on_the_clock() {
    // Little, so that making the table takes no time.
    const MEMORY: usize = 1 << 20;
    let registry = Registry::builtin();
    let mut late = Vec::new();
    for info in registry.games() {
        let session = registry.game(info.name).expect("a game").start();
        for solver in Solver::ALL {
            for time in [10, 100].map(Duration::from_millis) {
                let started = Instant::now();
                let solved = session.solve(
                    &Algorithm::Solver(solver.clone()),
                    MEMORY,
                    &Limits::time(time),
                    &Stop::new(),
                );
                assert!(solved.is_ok(), "{}: {solved:?}", solver.name());
                let overtime = started.elapsed().saturating_sub(time);
                if overtime > Duration::from_millis(50) {
                    late.push(format!("{} on {}: {overtime:?}", solver.name(), info.name));
                }
            }
        }
    }
    assert!(late.is_empty(), "{late:#?}");
}
