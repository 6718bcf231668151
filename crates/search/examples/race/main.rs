//! A game of one's own, and four searches of it: `cargo run --example race`.

#[allow(unreachable_pub, reason = "as in a crate of its own")]
mod game;

use spinney_game::History;
use spinney_search::alpha_beta::AlphaBeta;
use spinney_search::knowledge::NoKnowledge;
use spinney_search::mcts::Mcts;
use spinney_search::policy::Random;
use spinney_search::proof_number::ProofNumber;
use spinney_search::{GameValue, Limits, Stop, alpha_beta, mcts, nested, proof_number};

use game::Race;

/// Asks four searches for the best first move: to the total of 1.
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let game = History::new(Race::START);
    let stop = Stop::new();

    let mut uct = Mcts::new(mcts::Config::default(), Random::default(), 1);
    let report = uct.search(&game, &Limits::simulations(10_000), &stop, &mut |_| ());
    assert_eq!((report.best, report.proven), (Some(1), Some(GameValue::Win)));

    let config = nested::Config { level: 2, ..nested::Config::default() };
    let report = nested::search(&game, &config, &Limits::default(), &stop, 1);
    assert!(report.best.is_some());

    let mut alpha_beta = AlphaBeta::new(alpha_beta::Config::default(), NoKnowledge)?;
    let report = alpha_beta.search(&game, &Limits::nodes(100_000), &stop, &mut |_| ());
    assert_eq!(report.proven, Some(GameValue::Win));

    let mut solver = ProofNumber::new(proof_number::Options::DEFAULT)?;
    let report = solver.solve(&Race::START, &Limits::default(), &stop);
    assert_eq!((report.best, report.proven), (Some(1), Some(GameValue::Win)));
    Ok(())
}
