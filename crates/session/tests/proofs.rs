//! What a player has proved, it does: with a tree that is kept between moves, too.

mod common;

use common::{analyse, game, player};
use spinney_session::{GameValue, Limits, Outcome, Rng};

/// Games against random moves, which lead into parts of the tree that were hardly looked at. Every proven
/// win gets nearer with each move, down to the end. Returns how often one was proven by a move before
/// the last.
fn proven_wins_are_won(spec: &str, name: &str, simulations: u64, games: u64) -> u32 {
    let game = game(name);
    let mut proofs = 0;
    for seed in 0..games {
        let mut player = player(&game, spec, seed);
        let mut rng = Rng::new(seed);
        let mut session = game.start();
        let mut plies_left = None;
        while session.outcome().is_none() {
            let side = session.to_move();
            let limits = Limits::simulations(simulations);
            let report = analyse(&mut *player, &session, &limits);
            let plies = report.plies.filter(|_| report.proven == Some(GameValue::Win));
            if let Some(left) = plies_left {
                assert!(plies.is_some_and(|plies| plies + 2 <= left), "{plies:?} after {left}");
            }
            proofs += u32::from(plies.is_some_and(|plies| plies > 1));
            plies_left = plies;
            session.play(report.best.expect("a move"));
            match session.outcome() {
                None => {
                    let reply = session.random_move(&mut rng);
                    session.play(reply);
                }
                Some(outcome) if plies.is_some() => assert_eq!(outcome, Outcome::Win(side)),
                Some(_) => {}
            }
        }
        assert!(plies_left.is_none_or(|left| left == 1), "{plies_left:?} at the end");
    }
    proofs
}

#[test]
fn mcc_plus_mates() {
    assert!(proven_wins_are_won("mcc-plus", "chess", 1000, 30) > 10);
}

#[test]
fn mc_loa_t_connects() {
    assert!(proven_wins_are_won("mc-loa-t-plus", "loa", 1000, 30) > 10);
}

#[test]
fn uct_breaks_through() {
    for spec in ["uct:reuse=on", "uct:reuse=on,threads=2,parallel=tree"] {
        assert!(proven_wins_are_won(spec, "breakthrough", 3000, 20) > 10, "{spec}");
    }
}
