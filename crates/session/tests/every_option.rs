//! Every option that a player declares changes what it does.
//!
//! A player with another value of an option is compared with the same player without, in more and more
//! positions with more and more work, until they differ. A choice must make a difference for each of its
//! names, a number for one of some values.

mod common;

use std::thread;

use common::{game, position};
use spinney_session::{
    GameHandle, Limits, OptionInfo, OptionKind, PlayerSpec, Rng, Role, Session, Stop,
};

/// What must be given besides, where the declared needs do not say it.
const BESIDES: &[(&str, &[(&str, &str)])] = &[
    // Simulations are short then, and none ends the search.
    ("memory", &[("level", "0"), ("solver", "off"), ("stop-early", "off")]),
    // One thread shares nothing.
    ("parallel", &[("threads", "2")]),
    ("virtual-loss", &[("threads", "2")]),
    // A narrow search is soon decided.
    ("stop-early", &[("c", "0.01"), ("final", "visits")]),
    // One ply ahead no move loses in Breakthrough.
    ("avoid-losses", &[("depth", "2")]),
    ("tablebase-from", &[("tablebase", "3")]),
];

/// What shows in long searches only.
const LATE: &[&str] = &["memory", "table", "stop-early"];

/// Values of options that are text.
const TEXTS: &[(&str, &str)] = &[("weights", "1500/0/0/0/0/100/300/20/50/60/70")];

/// Options that change nothing but the speed.
const ONLY_SPEED: &[&str] = &["cache"];

/// Positions near the end, where something can be proven, and the simulations that it takes.
const NEAR_THE_END: &[(&str, &str, u64)] = &[
    ("loa", "8/2o4o/1x1oo3/1o1o3o/ox5o/o1x1o3/1x6/1xxxxxx1 b", 400),
    ("loa", "2x5/7o/5o2/2oxxx1o/2o1xo2/3o1x1o/1o6/2x3x1 b", 400),
    ("loa", "1xxxoo2/1xo2ox1/1xo2o2/1ooo4/xx6/ox6/8/8 w", 4000),
    ("chess", "8/8/8/8/2k5/r7/8/1K6 b - - 22 233", 400),
    ("chess", "k5B1/pnR1K3/P5b1/6P1/5R2/1p6/1r6/8 w - - 10 83", 3000),
    ("breakthrough:5x5", "x1xxx/1xxx1/oxxxo/o1ooo/oo2o b", 1000),
    ("breakthrough:4x5", "x2x/x1xx/x1xo/oooo/o2o b", 1000),
];

/// A position to try a player in, and the simulations to make.
struct Scenario {
    game: GameHandle,
    session: Session,
    simulations: u64,
}

/// The positions of a game: the first, then those near the end, then random ones.
fn scenarios(name: &str) -> Vec<Scenario> {
    let mut rng = Rng::new(1);
    let mut random = |number: u32| {
        let game = game(name);
        let mut session = game.start();
        for _ in 0..6 * number {
            let mut next = session.clone();
            next.play(session.random_move(&mut rng));
            if next.outcome().is_none() {
                session = next;
            }
        }
        Scenario { game, session, simulations: 200 << number }
    };
    let mut all = vec![random(0)];
    for &(_, text, simulations) in NEAR_THE_END.iter().filter(|near| near.0 == name) {
        let game = game(name);
        all.push(Scenario { session: position(&game, text), game, simulations });
    }
    all.extend((1..8).map(random));
    all
}

/// Everything that a player finds in a position, and two moves later, as text.
fn behaviour(scenario: &Scenario, spec: &PlayerSpec) -> String {
    let mut player = scenario.game.player(spec, 1).expect("known options");
    let mut session = scenario.session.clone();
    let work = scenario.simulations;
    let mut all = String::new();
    for _ in 0..2 {
        // Simulations may be long.
        let limits =
            Limits { simulations: Some(work), nodes: Some(200 * work), ..Limits::default() };
        let report = player.analyse(&session, &limits, &Stop::new(), &mut |_| ());
        let report = report.expect("limits that end it");
        let candidates: Vec<_> =
            report.candidates.iter().map(|c| (c.m, c.visits, c.value.to_bits())).collect();
        let (value, proven) = (report.value.to_bits(), report.proven);
        let counts = (report.simulations, report.nodes, report.plies);
        all += &format!("{:?} {value} {proven:?} {counts:?} {candidates:?}\n", report.best);
        for &m in report.pv.iter().take(2) {
            session.play(m);
        }
        if session.outcome().is_some() || report.pv.len() < 2 {
            break;
        }
    }
    all
}

/// Groups of values; in each group one must make a difference.
fn values(option: &OptionInfo) -> Vec<Vec<String>> {
    let one_each = |names: &[&'static str]| -> Vec<Vec<String>> {
        let others = names.iter().filter(|name| **name != option.default);
        // Tables with four men are there only where they were built.
        others.filter(|name| **name != "4").map(|name| vec![(*name).to_owned()]).collect()
    };
    match &option.kind {
        OptionKind::Switch => one_each(&["on", "off"]),
        OptionKind::Choice(names) => one_each(names),
        OptionKind::Count(range, words) => {
            let default: u64 = option.default.parse().unwrap_or(0);
            let numbers = [default / 2, default + 1, 3 * default + 2, *range.start(), *range.end()];
            let numbers = numbers.into_iter().filter(|n| range.contains(n) && *n != default);
            // Memory is taken.
            let numbers = numbers.filter(|n| option.role != Role::Memory || *n <= default);
            let threads = |n: &u64| option.role != Role::Threads || *n <= 4;
            let numbers = numbers.filter(threads).map(|n| n.to_string());
            vec![numbers.chain(words.iter().map(|word| (*word).to_owned())).collect()]
        }
        OptionKind::Real(range, words) => {
            let default: f32 = option.default.parse().unwrap_or(0.0);
            let numbers = [default * 0.3, default * 3.0 + 0.3, *range.start(), *range.end()];
            let numbers = numbers.into_iter().filter(|n| range.contains(n)).map(|n| n.to_string());
            vec![numbers.chain(words.iter().map(|word| (*word).to_owned())).collect()]
        }
        OptionKind::Text(_) => {
            let text = TEXTS.iter().find(|(key, _)| *key == option.key);
            vec![vec![text.unwrap_or_else(|| panic!("no value of {}", option.key)).1.to_owned()]]
        }
    }
}

/// The player with all that an option needs.
fn with_needs(plain: &PlayerSpec, option: &OptionInfo, all: &[OptionInfo]) -> PlayerSpec {
    let besides = BESIDES.iter().filter(|(key, _)| *key == option.key).flat_map(|(_, list)| *list);
    let mut spec = plain.clone();
    for (key, value) in besides.filter(|(key, _)| all.iter().any(|other| other.key == *key)) {
        spec = spec.with(key, value);
    }
    for need in &option.needs {
        let other = all.iter().find(|other| other.key == need.key).expect("a declared option");
        let is_met = match need.values {
            [] => !matches!(other.default.as_str(), "" | "off" | "none"),
            values => values.contains(&other.default.as_str()),
        };
        if !is_met {
            let value = match (need.values, &other.kind) {
                ([first, ..], _) => (*first).to_owned(),
                ([], OptionKind::Choice(names)) => names[0].to_owned(),
                ([], OptionKind::Count(range, _)) => (range.start() + 2).to_string(),
                ([], kind) => panic!("no value of {}: {kind:?}", other.key),
            };
            spec = spec.with(need.key, &value);
        }
    }
    spec
}

/// A player of some games, all of whose options are tried but those of another player.
#[derive(Clone, Copy)]
struct Trial<'a> {
    games: &'a [&'a str],
    player: &'a str,
    but_those_of: Option<&'a str>,
}

/// The options of a player that make no difference in any of its games.
fn idle(Trial { games, player, but_those_of }: Trial<'_>) -> Vec<String> {
    let plain = PlayerSpec::plain(player);
    let options_of = |spec| game(games[0]).options(&spec).expect("a player of the game");
    let options = options_of(plain.clone());
    let tried = but_those_of.map_or(Vec::new(), |other| options_of(PlayerSpec::plain(other)));
    let scenarios: Vec<Scenario> = games.iter().flat_map(|game| scenarios(game)).collect();
    let mut idle = Vec::new();
    for option in &options {
        let is_tried = tried.iter().any(|other| other.key == option.key);
        if is_tried || option.role == Role::Path || ONLY_SPEED.contains(&option.key) {
            continue;
        }
        let base = with_needs(&plain, option, &options);
        for group in values(option) {
            let differs = |scenario: &Scenario| {
                let usual = behaviour(scenario, &base);
                let other = |value: &String| behaviour(scenario, &base.with(option.key, value));
                group.iter().any(|value| other(value) != usual)
            };
            let shows = match LATE.contains(&option.key) {
                true => scenarios.iter().rev().any(differs),
                false => scenarios.iter().any(differs),
            };
            if !shows {
                idle.push(format!("{games:?} {base} with {} = {group:?}", option.key));
            }
        }
    }
    idle
}

/// Tries players, each in a thread of its own.
fn check(trials: &[Trial<'_>]) {
    let idle: Vec<String> = thread::scope(|scope| {
        let trials: Vec<_> = trials.iter().map(|&trial| scope.spawn(move || idle(trial))).collect();
        trials.into_iter().flat_map(|one| one.join().expect("no panic")).collect()
    });
    assert!(idle.is_empty(), "{idle:#?}");
}

/// Wins are in reach on the smaller boards, the largest fills the memory.
const RACES: &[&str] = &["breakthrough:5x5", "breakthrough:4x5", "breakthrough:8x8"];

/// Every option of one player at least.
#[test]
fn options_change_behaviour() {
    let trial = |games, player, but_those_of| Trial { games, player, but_those_of };
    check(&[
        trial(RACES, "uct", None),
        trial(RACES, "uct-nested", Some("uct")),
        trial(RACES, "mcts-mr", Some("uct")),
        trial(RACES, "nested", None),
        trial(RACES, "pn", None),
        trial(RACES, "flat", None),
        trial(&["loa"], "mia-plus", None),
        trial(&["loa"], "level", None),
        trial(&["loa"], "mc-loa", Some("uct")),
        trial(&["chess"], "mcc", Some("uct")),
        trial(&["chess"], "mcc-plus", Some("mcc")),
    ]);
}

#[test]
#[ignore = "takes minutes: run by ./check --nightly"]
fn options_of_every_player_change_behaviour() {
    let of_any_game = game(RACES[0]).players();
    for games in [RACES, &["loa"], &["chess"]] {
        let players = game(games[0]).players();
        let own = players.iter().filter(|entry| games == RACES || !of_any_game.contains(entry));
        let trials = own.map(|entry| Trial { games, player: entry.name, but_those_of: None });
        check(&trials.collect::<Vec<_>>());
    }
}
