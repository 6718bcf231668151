//! Every option of every player changes what it does; wrong ones are refused.

mod common;

use std::time::Duration;

use common::{analyse, game, player, position, refusal};
use spinney_session::{Limits, OptionKind, PlayerSpec, Registry, Session};

/// Boards of Breakthrough.
const FIVE: &str = "breakthrough:5x5";
const EIGHT: &str = "breakthrough:8x8";

/// Everything that a search found, as text.
fn behaviour(spec: &str, simulations: u64) -> String {
    behaviour_on(EIGHT, spec, simulations)
}

fn behaviour_on(board: &str, spec: &str, simulations: u64) -> String {
    let game = game(board);
    let limits = Limits::simulations(simulations);
    let report = analyse(&mut *player(&game, spec, 1), &game.start(), &limits);
    let candidates: Vec<_> =
        report.candidates.iter().map(|c| (c.m, c.visits, c.value.to_bits())).collect();
    format!("{:?} {candidates:?} {} {}", report.best, report.simulations, report.nodes)
}

#[test]
fn every_option_changes_behaviour() {
    let uct = [
        "c=0.2",
        "rave=500",
        "transpositions=1",
        "first-play=0.2",
        "policy-visits=9",
        "expand-at=4",
        "order=generated",
        "final=value",
        "final=secure",
        "final=secure,secure=9",
        "max-plies=20",
        "threads=2",
        "threads=2,parallel=tree",
    ];
    for option in uct {
        let changed = behaviour(&format!("uct:{option}"), 3000);
        assert_ne!(behaviour("uct:c=1", 3000), changed, "{option}");
    }
    // On a small board wins are in reach.
    let ahead = |switch| behaviour_on(FIVE, &format!("uct:look-ahead={switch}"), 60_000);
    assert_ne!(ahead("on"), ahead("off"));
    // A narrow search is soon decided.
    let early = |switch| behaviour(&format!("uct:c=0.01,stop-early={switch}"), 50_000);
    assert_ne!(early("on"), early("off"));
    let time = Duration::from_millis(400);
    let elapsed = |switch| {
        let game = game(EIGHT);
        let mut player = player(&game, &format!("uct:c=0.01,stop-early={switch}"), 1);
        analyse(&mut *player, &game.start(), &Limits::time(time)).elapsed
    };
    assert!(elapsed("off") >= time);
    assert!(elapsed("on") < time * 9 / 10);
    let cases = [
        ("nested:level=1", "nested:level=2"),
        ("nested:level=1", "nested:level=1,discounting=on"),
        ("nested:level=1", "nested:level=1,cow=1"),
        ("nested:level=1,discounting=on", "nested:level=1,discounting=on,pod=1"),
        ("nested:level=1,nested-order=generated", "nested:level=1,nested-order=random"),
        ("nested:level=1", "nested:level=1,max-plies=5"),
        ("nested:level=1", "nested:level=1,repeat=on"),
        ("uct-nested:level=1", "uct-nested:level=0"),
        ("uct-nested:level=1", "uct-nested:level=1,cow=on"),
        ("uct-nested:level=1", "uct-nested:level=1,c=5"),
        ("mcts-mr:depth=1", "mcts-mr:depth=2"),
        ("mcts-mr:depth=1", "mcts-mr:depth=1,max-plies=9"),
        ("flat", "flat:max-plies=9"),
    ];
    for (one, other) in cases {
        let behaviour = |spec| behaviour_on(FIVE, spec, 60);
        assert_ne!(behaviour(one), behaviour(other), "{one} and {other}");
    }
}

/// The solver needs a position where something can be proven, memory one that fills it.
#[test]
fn solver_memory_and_reuse_change_behaviour() {
    let small = game("breakthrough:3x4");
    let mut session = small.start();
    let mut play = |spec: &str, moves: usize| {
        let mut player = player(&small, spec, 1);
        let mut report = analyse(&mut *player, &session, &Limits::simulations(500));
        for _ in 0..moves {
            session.play(report.best.expect("a move"));
            report = analyse(&mut *player, &session, &Limits::simulations(500));
        }
        report
    };
    assert_eq!(play("uct:solver=off,stop-early=off", 0).proven, None);
    let with_memory =
        |megabytes: u32| behaviour(&format!("uct:memory={megabytes},stop-early=off"), 40_000);
    assert_ne!(with_memory(1), with_memory(100));
    // A proof-number search ends when its tree is full.
    let proof = |megabytes: u32| behaviour(&format!("pn:memory={megabytes}"), 200_000);
    assert_ne!(proof(1), proof(100));
    let kept = play("uct:reuse=on,solver=off,stop-early=off", 1);
    assert!(kept.candidates.iter().map(|c| c.visits).sum::<u64>() > 500);
}

#[test]
fn every_player_plays_legal_moves_on_a_clock() {
    let game = game("tictactoe");
    for entry in Registry::builtin().players() {
        // Players of one game are tested there.
        if !game.players().contains(&entry) {
            assert!(entry.summary.contains(':'), "{} plays no tic-tac-toe", entry.name);
            continue;
        }
        let mut player = player(&game, entry.name, 7);
        let mut session = game.start();
        while session.outcome().is_none() {
            let limits = Limits::time(Duration::from_millis(20));
            let report = analyse(&mut *player, &session, &limits);
            let m = report.best.unwrap_or_else(|| panic!("{} has no move", entry.name));
            assert!(session.legal_moves().contains(&m), "{}", entry.name);
            let text = session.move_text(m);
            assert_eq!(session.parse_move(&text), Ok(m), "{}", entry.name);
            session.play(m);
        }
    }
}

#[test]
fn wrong_options_are_refused() {
    let game = game("tictactoe");
    let message = |text: &str| refusal(&game, text);
    assert!(message("uct:exploration=3").contains("no option \"exploration\""));
    assert!(message("uct:stop-erly=on").contains("did you mean \"stop-early\"?"));
    assert!(message("uct:c=-1").contains("expected a number from 0"));
    assert!(message("uct:c=NaN").contains("expected a number from 0"));
    assert!(message("uct:solver=yes").contains("expected on or off"));
    assert!(message("uct:final=best").contains("visits, value, secure"));
    assert!(message("uct:secure=2").contains("needs final=secure"));
    assert!(message("uct:threads=0").contains("1 to 256"));
    assert!(message("uct:memory=0").contains("1 to 1000000"));
    assert!(message("nested:level=99").contains("0 to 8"));
    assert!(message("nested:pod=1").contains("discounting=on"));
    assert!(message("random:c=1").contains("it has none"));
}

#[test]
fn every_option_of_mia_changes_behaviour() {
    let loa = game("loa");
    let middle = position(&loa, "2x2x2/1o2o1x1/o1x3o1/1xo2x1o/o2xo1o1/1o1x1x2/3o1o2/1x1xx3 b");
    let near_the_end = position(&loa, "2x5/7o/5o2/2oxxx1o/2o1xo2/3o1x1o/1o6/2x3x1 b");
    let behaviour_in = |session: &Session, spec: &str, depth: u32| {
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let report = analyse(&mut *player(&loa, spec, 3), session, &limits);
        assert!(report.best.is_some());
        format!("{:?} {} {} {}", report.best, report.value, report.nodes, report.candidates.len())
    };
    let behaviour = |spec: &str, depth: u32| behaviour_in(&middle, spec, depth);
    // Wins must be in reach.
    for option in ["wins=off", "threats=off"] {
        let changed = behaviour_in(&near_the_end, &format!("mia-plus:{option}"), 5);
        assert_ne!(behaviour_in(&near_the_end, "mia-plus", 5), changed, "{option}");
    }
    // Deep enough for transpositions.
    let mia = behaviour("mia", 7);
    for option in [
        "null=off",
        "multicut=off",
        "realisation=off",
        "quiescence=off",
        "etc=off",
        "killers=off",
        "classes=off",
        "history=off",
        "table=0",
        "noise=200",
        "weights=1500/0/0/0/0/100/300/20/50/60/70",
    ] {
        assert_ne!(mia, behaviour(&format!("mia:{option}"), 7), "{option}");
    }
    assert_ne!(mia, behaviour("mia-classic", 7));
    assert_ne!(mia, behaviour("mia-iii", 7));
}

/// Everything that a player of LOA found after so many simulations, as text.
fn loa_behaviour(spec: &str, text: &str, simulations: u64) -> String {
    let loa = game("loa");
    let limits = Limits::simulations(simulations);
    let report = analyse(&mut *player(&loa, spec, 3), &position(&loa, text), &limits);
    let candidates: Vec<_> = report.candidates.iter().map(|c| (c.m, c.visits)).collect();
    format!("{:?} {:?} {} {candidates:?}", report.best, report.proven, report.simulations)
}

#[test]
fn every_option_of_mc_loa_changes_behaviour() {
    let middle = "2x2x2/1o2o1x1/o1x3o1/1xo2x1o/o2xo1o1/1o1x1x2/3o1o2/1x1xx3 b";
    let behaviour = |spec: &str| loa_behaviour(spec, middle, 2000);
    let paper = behaviour("mc-loa");
    assert_eq!(paper, behaviour("mc-loa:solver=on,threshold=700,strategy=mixed"));
    assert_eq!(
        paper,
        behaviour(
            "mc-loa:bias=losses,w=10,policy-visits=5,look-ahead=on,final=secure,secure=1,reuse=off"
        )
    );
    for option in [
        "strategy=default",
        "strategy=corrective",
        "strategy=greedy",
        "strategy=alpha-beta",
        "threshold=300",
        "threshold=off",
        "max-plies=9",
        "min-weight=0.3",
        "k=9",
        "noise=200",
        "weights=1500/0/0/0/0/100/300/20/50/60/70",
        "c=0.1",
        "bias=root",
        "bias=visits",
        "bias=puct",
        "bias=none",
        "w=1",
        "widening=3",
        "first-play=0.2",
        "order=shuffled",
        "order=generated",
        "policy-visits=0",
        "final=visits",
        "expand-at=3",
        "rave=500",
        "transpositions=3",
        "threads=2",
        "threads=2,parallel=tree",
        "threads=2,parallel=tree,virtual-loss=20",
    ] {
        assert_ne!(paper, behaviour(&format!("mc-loa:{option}")), "{option}");
    }
    // A win in three plies is in reach here.
    let near = |spec: &str| {
        let position = "8/2o4o/1x1oo3/1o1o3o/ox5o/o1x1o3/1x6/1xxxxxx1 b";
        loa_behaviour(spec, position, 2000)
    };
    assert!(near("mc-loa").contains("Win"));
    assert_ne!(near("mc-loa"), near("mc-loa:solver=off"));
    assert_ne!(near("mc-loa"), near("mc-loa:look-ahead=off"));
    assert_ne!(near("mc-loa"), near("mc-loa:leaf-wins=on"));
    assert_ne!(near("mc-loa"), near("mc-loa:proof-bias=1000"));
    for (one, other) in [
        ("mc-loa:strategy=default", "mc-loa:strategy=default,first-look=6"),
        ("mc-loa:strategy=default", "mc-loa:strategy=default,look-every=1"),
        ("mc-loa-ab", "mc-loa-ab:searched=2"),
        ("mc-loa-ab", "mc-loa-ab:replies-searched=1"),
        ("mc-loa-ab", "mc-loa-ab:looked-at=0"),
        ("mc-loa-ab", "mc-loa-ab:looked-at=3"),
        ("mc-loa-ab", "mc-loa-ab:replies-looked-at=all"),
        ("mc-loa-ab", "mc-loa-ab:killers=off"),
        ("mc-loa-ab", "mc-loa-ab:threshold=700"),
        ("mc-loa", "mc-loa-t"),
        ("mc-loa", "mc-loa-ab"),
    ] {
        assert_ne!(behaviour(one), behaviour(other), "{one} and {other}");
    }
    assert_eq!(behaviour("mc-loa-t"), behaviour("mc-loa:bias=root"));
    assert_eq!(
        behaviour("mc-loa-ab"),
        behaviour("mc-loa:bias=root,strategy=alpha-beta,threshold=600")
    );
}

/// The parameter of the secure child matters where a move has few visits.
#[test]
fn secure_child_memory_and_reuse_of_mc_loa_change_behaviour() {
    let loa = game("loa");
    let text = loa.start().position_text();
    let best = |spec: &str| loa_behaviour(spec, &text, 300);
    assert_ne!(best("mc-loa:secure=0"), best("mc-loa:secure=1000"));
    let memory = |megabytes| loa_behaviour(&format!("mc-loa:memory={megabytes}"), &text, 3000);
    assert_ne!(memory(1), memory(100));
    // What is kept of the tree counts in the next search.
    let visits = |spec: &str| {
        let mut player = player(&loa, spec, 1);
        let mut session = loa.start();
        let limits = Limits::simulations(1000);
        let first = analyse(&mut *player, &session, &limits);
        let line = &first.candidates[0].pv;
        session.play(line[0]);
        session.play(line[1]);
        let second = analyse(&mut *player, &session, &limits);
        second.candidates.iter().map(|c| c.visits).sum::<u64>()
    };
    assert!(visits("mc-loa-t") > 1000);
    assert_eq!(visits("mc-loa-t:reuse=off"), 1000);
}

#[test]
fn wrong_options_of_mc_loa_are_refused() {
    let game = game("loa");
    let message = |text: &str| refusal(&game, text);
    assert!(message("mc-loa:strategy=random").contains("default, corrective, greedy, mixed"));
    assert!(message("mc-loa:threshold=-1").contains("0 to 100000 points of the papers, or off"));
    assert!(message("mc-loa:k=0").contains("1 to 1000"));
    assert!(message("mc-loa:min-weight=-1").contains("from 0"));
    assert!(message("mc-loa:bias=none,w=3").contains("w: needs bias"));
    assert!(message("mc-loa:w=-3").contains("from 0"));
    assert!(message("mc-loa:strategy=default,look-every=0").contains("1 to 100000"));
    assert!(
        message("mc-loa:strategy=default,threshold=off,look-every=2").contains("needs threshold")
    );
    assert!(message("mc-loa-ab:searched=0").contains("1 to 1000"));
    assert!(message("mc-loa-ab:k=3").contains("k: needs strategy=greedy or mixed"));
    assert!(message("mc-loa:searched=3").contains("needs strategy=alpha-beta"));
    assert!(message("uct:bias=losses").contains("no option"));
}

/// What `options` says is what `player` takes: the defaults change nothing, the ends of ranges and all
/// choices are read, and nothing beyond them is.
#[test]
fn players_take_what_they_declare() {
    for game in ["chess", "loa", "loa6", "tictactoe"].map(game) {
        for entry in game.players() {
            let plain: PlayerSpec = entry.name.parse().expect("its own name");
            let options = game.options(&plain).expect("a player of the game");
            for option in &options {
                let key = option.key;
                assert!(!option.help.is_empty(), "{}: {key} is not explained", entry.name);
                // Other options have values with which this one means something.
                let spec = option.needs.iter().fold(plain.clone(), |spec, need| {
                    let other = options.iter().find(|other| other.key == need.key);
                    let value = need.values.first().copied().unwrap_or(
                        match &other.expect("a declared option").kind {
                            OptionKind::Choice(names) => names[0],
                            _ => "700",
                        },
                    );
                    spec.with(need.key, value)
                });
                let takes = |value: &str| game.options(&spec.with(key, value)).is_ok();
                assert!(option.default.is_empty() || takes(&option.default), "{entry:?} {key}");
                assert!(
                    !takes("maybe") || matches!(option.kind, OptionKind::Text("a path")),
                    "{key}"
                );
                match &option.kind {
                    OptionKind::Switch => assert!(takes("on") && takes("off"), "{key}"),
                    OptionKind::Choice(names) => {
                        assert!(names.contains(&option.default.as_str()), "{key}");
                        assert!(names.iter().all(|name| takes(name)), "{key}");
                    }
                    OptionKind::Count(range, words) => {
                        let (least, most) = (*range.start(), *range.end());
                        assert!(takes(&least.to_string()) && takes(&most.to_string()), "{key}");
                        assert!(!takes(&(most + 1).to_string()) && !takes("-1"), "{key}");
                        assert!(words.iter().all(|word| takes(word)), "{key}");
                    }
                    OptionKind::Real(range, words) => {
                        let (least, most) = (*range.start(), *range.end());
                        assert!(takes(&least.to_string()) && takes(&most.to_string()), "{key}");
                        assert!(!takes(&(2.0 * most + 1.0).to_string()) && !takes("NaN"), "{key}");
                        assert!(words.iter().all(|word| takes(word)), "{key}");
                    }
                    OptionKind::Text(_) => {}
                }
            }
        }
    }
    let spec: PlayerSpec = "uct".parse().expect("a player");
    let options = game("tictactoe").options(&spec).expect("known options");
    let keys: Vec<&str> = options.iter().map(|option| option.key).collect();
    assert!(keys.contains(&"c") && keys.contains(&"threads") && !keys.contains(&"bias"));
}
