//! A look into a tree: the most visited line with the alternatives at every step, as a tree on the screen.

#![allow(clippy::print_stdout, reason = "an example")]

#[allow(unreachable_pub, reason = "as in a crate of its own")]
#[path = "race/game.rs"]
mod game;

use game::Race;
use spinney_game::{History, PackedMove};
use spinney_search::mcts::{self, Mcts};
use spinney_search::policy::Random;
use spinney_search::{Limits, SearchTree, Stop};

fn main() {
    let config = mcts::Config {
        proof: mcts::Proving { solver: false, ..Default::default() },
        ..Default::default()
    };
    let mut uct = Mcts::new(config, Random::default(), 1);
    let game = History::new(Race::START);
    uct.search(&game, &Limits::simulations(20_000), &Stop::new(), &mut |_| ());
    show(&*uct.tree(), &mut Vec::new());
}

/// The moves after a line, and below the most visited one those after it.
fn show(tree: &dyn SearchTree, line: &mut Vec<PackedMove>) {
    let Ok(branches) = tree.moves(line) else { return };
    for branch in &branches {
        let candidate = &branch.candidate;
        println!(
            "{:indent$}{}: {} visits, {:+.2}, {} moves after it",
            "",
            candidate.m,
            candidate.visits,
            candidate.value,
            branch.children,
            indent = 2 * line.len()
        );
    }
    let best = branches.iter().max_by_key(|branch| branch.candidate.visits);
    if let Some(best) = best.filter(|best| best.children > 0 && line.len() < 6) {
        line.push(best.candidate.m);
        show(tree, line);
    }
}
