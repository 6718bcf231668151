//! A simulation allocates nothing once buffers and the chunks of the tree are there, and a tree keeps to
//! its memory.

mod common;
mod counting;

use std::sync::atomic::Ordering::Relaxed;

use common::{analyse, game, player};
use counting::{ALLOCATIONS, BYTES};
use spinney_session::{GameHandle, Limits, Stop};

/// The allocations of a search, and the snapshots it made.
fn allocations(spec: &str, game: &GameHandle, simulations: u64) -> (u64, u64) {
    // A small tree, so that growth is no part of the count.
    let mut player = player(game, &format!("{spec},memory=1,stop-early=off"), 1);
    let session = game.start();
    let limits = Limits::simulations(simulations);
    let mut snapshots = 0;
    let before = ALLOCATIONS.load(Relaxed);
    let report = player.analyse(&session, &limits, &Stop::new(), &mut |_| snapshots += 1);
    assert_eq!(report.expect("limits that end it").simulations, simulations);
    (ALLOCATIONS.load(Relaxed) - before, snapshots)
}

fn check(spec: &str, name: &str) {
    let game = game(name);
    let (few, _) = allocations(spec, &game, 500);
    let (many, snapshots) = allocations(spec, &game, 5_000);
    // The lists of moves grow to the longest there is; a report makes a line for every move.
    let allowed = 200 * (1 + snapshots);
    assert!(
        many < few + allowed,
        "{spec}: {few} allocations for 500 simulations, {many} for 5,000 with {snapshots} snapshots"
    );
}

/// The bytes that a player with `megabytes` of memory uses after a long search.
fn bytes(spec: &str, megabytes: usize) -> usize {
    let before = BYTES.load(Relaxed);
    let loa = game("loa");
    let mut player = player(&loa, &format!("{spec},memory={megabytes}"), 1);
    let report = analyse(&mut *player, &loa.start(), &Limits::simulations(100_000));
    assert_eq!(report.simulations, 100_000);
    BYTES.load(Relaxed) - before
}

/// One test: others beside it would be counted too.
#[test]
fn simulations_allocate_nothing_and_trees_are_bounded() {
    let uct = "uct:max-plies=200,look-ahead=on";
    check(uct, "loa");
    check(uct, "breakthrough:8x8");
    check(uct, "chess");
    check("mcc-combined:max-plies=100", "chess");
    check("mcc-hp-eval:max-plies=20,anti-decisive=on", "chess");
    check("mcc-plus:margin=150", "chess");
    for strategy in ["default", "corrective", "greedy", "mixed", "alpha-beta"] {
        check(&format!("mc-loa:strategy={strategy}"), "loa");
    }
    for options in [
        "",
        ",rave=100",
        ",proof-bias=1",
        ",transpositions=1",
        ",threads=2",
        ",threads=2,parallel=tree",
    ] {
        let spec = format!("uct:max-plies=2,stop-early=off{options}");
        let [small, large] = [1, 100].map(|megabytes| bytes(&spec, megabytes));
        assert!(small < 2 << 20, "{spec}: {small} bytes");
        assert!(large > small + (1 << 20), "{spec}: {large} bytes");
    }
}
