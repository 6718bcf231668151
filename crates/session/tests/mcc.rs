//! The players of chess: every option changes what they do, wrong ones are refused, mates are found.

mod common;

use std::process::Command;

use common::{game, player, position, refusal};
use spinney_session::{GameValue, Limits, Report};

/// Captures, checks and threats of both sides.
const MIDDLE: &str = "r1bqk2r/pppp1ppp/2n2n2/2b1p1N1/2B1P3/8/PPPP1PPP/RNBQ1RK1 b kq - 0 1";
/// Much is won already, and mate is near.
const WON: &str = "6k1/5ppp/8/8/8/8/1r3PPP/QR4K1 w - - 0 1";

fn analyse(spec: &str, fen: &str, simulations: u64) -> Report {
    let chess = game("chess");
    let limits = Limits::simulations(simulations);
    common::analyse(&mut *player(&chess, spec, 1), &position(&chess, fen), &limits)
}

/// Everything that a search found, as text.
fn behaviour(spec: &str, fen: &str, simulations: u64) -> String {
    let report = analyse(spec, fen, simulations);
    let candidates: Vec<_> =
        report.candidates.iter().map(|c| (c.m, c.visits, c.value.to_bits(), c.plies)).collect();
    format!("{:?} {:?} {} {candidates:?}", report.best, report.proven, report.simulations)
}

/// The programs of the paper are the plain one with options, and differ from it.
#[test]
fn programs_are_sets_of_options() {
    let plain = behaviour("mcc", MIDDLE, 200);
    let programs = [
        ("mcc-hp-eval", "mcc:greedy=eval,epsilon=0.6"),
        ("mcc-hp-see", "mcc:greedy=see,epsilon=0.4"),
        ("mcc-decisive", "mcc:decisive=on"),
        ("mcc-bias", "mcc:bias=visits,w=0.002"),
        ("mcc-gtb", "mcc:tablebase=3,tablebase-from=8"),
        (
            "mcc-combined",
            "mcc:greedy=see,epsilon=0.4,decisive=on,bias=visits,solver=on,shortest=on,tablebase=3",
        ),
    ];
    for (name, options) in programs {
        let program = behaviour(name, MIDDLE, 200);
        assert_eq!(program, behaviour(options, MIDDLE, 200), "{name}");
        assert_ne!(program, plain, "{name}");
    }
    assert_eq!(plain, behaviour("uct:c=8,order=generated,solver=off", MIDDLE, 200), "4.1");
    assert_eq!(plain, behaviour("mcc:greedy=see,epsilon=1", MIDDLE, 200), "ε = 1 is plain");
}

#[test]
fn every_option_changes_behaviour() {
    let plain = behaviour("mcc", MIDDLE, 200);
    for option in [
        "greedy=eval",
        "greedy=see",
        "decisive=on",
        "tries=6",
        "max-plies=40",
        "c=1",
        "bias=visits",
        "bias=losses,w=0.01",
        "bias=root,w=0.01",
        "bias=puct,w=0.01",
        "order=prior",
        "widening=3",
        "first-play=0.2",
        "rave=100",
        "policy-visits=9",
    ] {
        assert_ne!(plain, behaviour(&format!("mcc:{option}"), MIDDLE, 200), "{option}");
    }
    for (one, other) in [
        ("mcc:greedy=see", "mcc:greedy=see,epsilon=0.7"),
        ("mcc:greedy=eval", "mcc:greedy=eval,epsilon=0.2"),
        ("mcc:decisive=on", "mcc:decisive=on,anti-decisive=on"),
        ("mcc", "mcc:anti-decisive=on"),
        ("mcc:bias=visits", "mcc:bias=visits,w=0.02"),
        ("mcc:bias=visits", "mcc:bias=visits,w=0.5"),
        ("mcc:widening=3", "mcc:widening=3,growth=1.1"),
        ("mcc:widening=3", "mcc:widening=3,widen-after=50"),
    ] {
        assert_ne!(behaviour(one, MIDDLE, 300), behaviour(other, MIDDLE, 300), "{one} {other}");
    }
    // Where mate is near, it is proven or not.
    assert_ne!(behaviour("mcc:solver=on", WON, 300), behaviour("mcc", WON, 300));
}

#[test]
fn every_option_of_mcc_plus_changes_behaviour() {
    let plus = behaviour("mcc-plus", MIDDLE, 1500);
    for option in [
        "quiescence=off",
        "margin=0",
        "scale=400",
        "temperature=300",
        "evenness=0.9",
        "w=4",
        "first-play=0.9",
        "c=0.5",
        "bias=none",
        "order=generated",
        "widening=3",
        "expand-at=3",
    ] {
        assert_ne!(plus, behaviour(&format!("mcc-plus:{option}"), MIDDLE, 1500), "{option}");
    }
    let near = "r5k1/5ppp/8/8/8/4Q3/5PPP/4R1K1 w - - 0 1";
    for option in ["look=off", "solver=off"] {
        let changed = behaviour(&format!("mcc-plus:{option}"), near, 300);
        assert_ne!(behaviour("mcc-plus", near, 300), changed, "{option}");
    }
    // What is kept of the tree counts in the next search.
    let visits = |spec: &str| {
        let chess = game("chess");
        let mut player = player(&chess, spec, 1);
        let mut session = chess.start();
        let limits = Limits::simulations(1000);
        let first = common::analyse(&mut *player, &session, &limits);
        for &m in &first.pv[..2] {
            session.play(m);
        }
        let second = common::analyse(&mut *player, &session, &limits);
        second.candidates.iter().map(|c| c.visits).sum::<u64>()
    };
    assert!(visits("mcc-plus:stop-early=off") > visits("mcc-plus:stop-early=off,reuse=off"));
}

#[test]
fn wrong_options_are_refused() {
    let chess = game("chess");
    let message = |text: &str| refusal(&chess, text);
    assert!(message("mcc:epsilon=0.3").contains("needs greedy=eval or see"));
    assert!(message("mcc-hp-see:epsilon=1.5").contains("0 to 1"));
    assert!(message("mcc-hp-see:epsilon=NaN").contains("0 to 1"));
    assert!(message("mcc:tries=0").contains("expected 1 to"));
    assert!(message("mcc:transpositions=0").contains("expected 1 to"));
    assert!(message("mcc:greedy=best").contains("none, eval, see"));
    assert!(message("mcc-bias:widening=0").contains("1 to 10000"));
    assert!(message("mcc-bias:widening=2,growth=1").contains("from 1.001"));
    assert!(message("mcc-bias:growth=2").contains("growth: needs widening"));
    assert!(message("mcc:first-play=inf").contains("expected a number"));
    assert!(message("mcc-plus:scale=0").contains("from 0.1"));
    assert!(message("mcc-plus:margin=-1").contains("0 to 100000"));
    assert!(message("mcc-plus:temperature=1").contains("from 10"));
    assert!(message("mcc-plus:evenness=2").contains("0 to 1"));
    assert!(message("mcc:tablebase=5").contains("off, 3, 4"));
    assert!(message("mcc:tablebase-from=8").contains("needs tablebase or syzygy"));
    assert!(message("mcc:syzygy=/nowhere").contains("No such file"));
    assert!(message("mcc-plus:greedy=see").contains("no option"));
}

/// A tablebase proves its positions with their distance, and is asked with enough men at the root.
#[test]
fn tablebases_are_used_in_the_tree() {
    // Mate in 16 moves, a draw, and a win that the 50-move rule takes away.
    let rook = "8/8/8/3k4/8/8/8/K6R w - - 0 1";
    let report = analyse("mcc-combined", rook, 2000);
    assert_eq!(report.proven, Some(GameValue::Win));
    assert!(report.plies.is_some_and(|plies| plies % 2 == 1 && plies < 40), "{:?}", report.plies);
    assert_eq!(analyse("mcc-combined:tablebase=off", rook, 2000).proven, None);
    assert_eq!(analyse("mcc-combined:tablebase-from=8", rook, 2000).proven, None);
    let late = "8/8/8/3k4/8/8/8/K6R w - - 90 100";
    assert_ne!(analyse("mcc-combined", late, 2000).proven, Some(GameValue::Win));
    let drawn = "8/8/8/3k4/3P4/3K4/8/8 w - - 0 1";
    assert_eq!(analyse("mcc-plus:tablebase=3", drawn, 2000).proven, Some(GameValue::Draw));
    assert_ne!(behaviour("mcc-plus", drawn, 2000), behaviour("mcc-plus:tablebase=3", drawn, 2000));
}

/// Syzygy tables know no distance: they prove draws, and are worth more than material otherwise.
#[test]
#[ignore = "needs a download: run by ./check --nightly"]
fn syzygy_tables_are_used() {
    let installed = Command::new("../../testdata/syzygy.sh").output().unwrap();
    assert!(installed.status.success(), "{}", String::from_utf8_lossy(&installed.stderr));
    let folder = String::from_utf8(installed.stdout).unwrap();
    let with = |player: &str| format!("{player}:tablebase=off,syzygy={}", folder.trim());
    // A rook against a bishop that holds out, and a pawn that a knight cannot stop.
    let drawn = "8/8/8/8/8/1k6/1b6/1K1R4 w - - 0 1";
    let won = "8/P7/8/8/8/2k5/8/K6n b - - 0 1";
    for player in ["mcc-plus", "mcc-combined"] {
        let report = analyse(&with(player), drawn, 2000);
        assert_eq!(report.proven, Some(GameValue::Draw), "{player}");
        let report = analyse(&with(player), won, 500);
        assert!(report.proven.is_none() && report.value < -0.5, "{player}: {}", report.value);
        assert_ne!(behaviour(player, won, 500), behaviour(&with(player), won, 500));
    }
    // In playouts, if there are enough men at the root.
    let many = "4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1";
    assert_ne!(behaviour("mcc", many, 500), behaviour(&with("mcc"), many, 500));
}

/// Richard Réti's study (`mcc`, Figure 7): only Kg6 draws.
#[test]
fn the_study_of_reti() {
    const STUDY: &str = "8/6p1/k1P2p1p/7K/8/8/8/8 w - - 0 1";
    let best = analyse("mcc-plus", STUDY, 30_000).best.expect("a move");
    assert_eq!(position(&game("chess"), STUDY).move_text(best), "h5g6");
}

/// The solver proves the shortest mate (`mcc`, 4.2.2) in positions of `testdata`.
#[test]
fn shortest_mates_are_proven() {
    let file = include_str!("../../../testdata/positions/chess-mates.tsv");
    let lines = file.lines().filter(|line| !line.starts_with('#')).skip(1);
    let mut positions = [0; 4];
    let mut shortened = 0;
    for line in lines {
        let (moves, fen) = line.split_once('\t').expect("two columns");
        let moves: usize = moves.parse().expect("a number");
        let report = analyse("mcc-plus:c=0.2,stop-early=off", fen, 200_000);
        assert_eq!(report.proven, Some(GameValue::Win), "{fen}");
        assert_eq!(report.plies, Some(2 * moves as u32 - 1), "{fen}");
        positions[moves] += 1;
        let first = analyse("mcc-plus:c=0.2,stop-early=off,shortest=off", fen, 200_000);
        shortened += usize::from(first.plies > report.plies);
    }
    assert!(shortened > 0, "every first proof was the shortest");
    assert_eq!(positions, [0, 34, 33, 33]);
}
