//! Every player ends its search: soon after it is stopped, and when its limit is reached.

use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use spinney_game::{History, Rng};
use spinney_games::catalog::{CATALOG as GAMES, GameSpec, Playable, Visitor};
use spinney_players::{CATALOG as PLAYERS, PlayerSpec, create};
use spinney_search::{Limits, Report, STRIDE, Stop};

/// Positions that a search may visit between two looks at its stop flag, and after the last one: a
/// simulation that has begun is completed.
const SLACK: u64 = 3 * STRIDE;

/// Calls `check` with every player of every game, at the start and in the middle of a game.
fn with_every_player(check: &mut dyn FnMut(&str, &mut dyn FnMut(&Limits, &Stop) -> Counts)) {
    for game in GAMES {
        let spec: GameSpec = game.name.parse().expect("a game");
        for player in PLAYERS {
            for plies in [0, 9] {
                let name = format!("{} on {} after {plies} plies", player.name, game.name);
                spec.visit(WithPlayer { player: player.name, plies, name: &name, check });
            }
        }
    }
}

/// What a search did.
struct Counts {
    nodes: u64,
    has_move: bool,
}

struct WithPlayer<'a> {
    player: &'a str,
    plies: u32,
    name: &'a str,
    check: &'a mut dyn FnMut(&str, &mut dyn FnMut(&Limits, &Stop) -> Counts),
}

impl Visitor for WithPlayer<'_> {
    type Output = ();

    fn visit<G: Playable>(self, start: G) {
        let mut history = History::new(start);
        let mut rng = Rng::new(5);
        for _ in 0..self.plies {
            let m = history.position().random_move(&mut rng);
            let mut next = history.clone();
            next.play(m);
            if next.outcome().is_none() {
                history = next;
            }
        }
        let spec: PlayerSpec = self.player.parse().expect("a player");
        // A game has players of its own.
        let Ok(mut player) = create(&spec, history.position(), 1) else { return };
        (self.check)(self.name, &mut |limits, stop| {
            player.new_game(1);
            let Report { nodes, best, .. } = player.analyse(&history, limits, stop, &mut |_| ());
            Counts { nodes, has_move: best.is_some() }
        });
    }
}

#[test]
fn a_stop_ends_every_search_by_counted_work() {
    let mut searches = 0;
    with_every_player(&mut |name, search| {
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
    with_every_player(&mut |name, search| {
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
    with_every_player(&mut |name, search| {
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
