//! What a player has proved, it does: with a tree that is kept between moves, too.

use spinney_game::{History, Outcome, Rng};
use spinney_games::breakthrough::Breakthrough;
use spinney_games::catalog::Playable;
use spinney_games::chess::Chess;
use spinney_games::loa::Loa;
use spinney_players::{PlayerSpec, create};
use spinney_search::{GameValue, Limits, Stop};

/// Games against random moves, which lead into parts of the tree that were hardly looked at. Every proven
/// win gets nearer with each move, down to the end. Returns how often one was proven by a move before
/// the last.
fn proven_wins_are_won<G: Playable>(spec: &str, start: &G, simulations: u64, games: u64) -> u32 {
    let spec: PlayerSpec = spec.parse().expect("a player");
    let mut proofs = 0;
    for seed in 0..games {
        let mut player = create(&spec, start, seed).expect("known options");
        let mut rng = Rng::new(seed);
        let mut history = History::new(start.clone());
        let mut plies_left = None;
        while history.outcome().is_none() {
            let side = history.position().to_move();
            let limits = Limits::simulations(simulations);
            let report = player.analyse(&history, &limits, &Stop::new(), &mut |_| ());
            let plies = report.plies.filter(|_| report.proven == Some(GameValue::Win));
            if let Some(left) = plies_left {
                assert!(plies.is_some_and(|plies| plies + 2 <= left), "{plies:?} after {left}");
            }
            proofs += u32::from(plies.is_some_and(|plies| plies > 1));
            plies_left = plies;
            history.play(report.best.expect("a move"));
            match history.outcome() {
                None => {
                    let reply = history.position().random_move(&mut rng);
                    history.play(reply);
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
    assert!(proven_wins_are_won("mcc-plus", &Chess::start(), 1000, 30) > 10);
}

#[test]
fn mc_loa_t_connects() {
    assert!(proven_wins_are_won("mc-loa-t", &Loa::<8>::default(), 1000, 30) > 10);
}

#[test]
fn uct_breaks_through() {
    for spec in ["uct:reuse=on", "uct:reuse=on,threads=2,parallel=tree"] {
        assert!(proven_wins_are_won(spec, &Breakthrough::default(), 3000, 20) > 10, "{spec}");
    }
}
