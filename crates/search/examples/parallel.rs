//! A search on several threads, which share one tree or grow one each; it reports its progress and ends early when
//! somebody stops it.

#![allow(clippy::print_stdout, reason = "an example")]

#[allow(unreachable_pub, reason = "as in a crate of its own")]
#[path = "race/game.rs"]
mod game;

use game::Race;
use spinney_game::History;
use spinney_search::mcts::{Config, Mcts, Parallelism, Proving, Threads};
use spinney_search::policy::Random;
use spinney_search::{Limits, Report, Stop};

fn main() {
    let game = History::new(Race::START);
    for parallelism in [Parallelism::Root, Parallelism::Tree] {
        let config = Config {
            threads: Threads { number: 4, parallelism, ..Threads::default() },
            // This game would be solved at once.
            proof: Proving { solver: false, ..Proving::default() },
            ..Config::default()
        };
        let mut uct = Mcts::new(config, Random::default(), 1);
        // A clone of the flag stops the search from any thread; here its own progress does.
        let stop = Stop::new();
        let flag = stop.clone();
        let mut progress = |report: &Report| {
            println!("{} simulations, best {:?}", report.simulations, report.best);
            if report.simulations > 1_000_000 {
                flag.stop();
            }
        };
        let report = uct.search(&game, &Limits::simulations(50_000), &stop, &mut progress);
        println!("{parallelism:?}: {} simulations, best {:?}", report.simulations, report.best);
    }
}
