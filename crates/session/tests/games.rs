//! Every game of the registry, seen from outside: sessions agree with the rules and with themselves.

mod common;

use common::game;
use spinney_session::{Failure, Limits, Outcome, Registry, Rng, Session, Stop};

/// Random games of every game, with their start and every position on the way.
fn with_random_games(games: u64, mut check: impl FnMut(&Session)) {
    let registry = Registry::builtin();
    for info in registry.games() {
        let game = registry.game(info.name).expect("a game");
        for seed in 0..games {
            let mut rng = Rng::new(seed);
            let mut session = game.start();
            for _ in 0..300 {
                check(&session);
                if session.outcome().is_some() {
                    break;
                }
                session.play(session.random_move(&mut rng));
            }
        }
    }
}

/// A finished game has words, unless they would be those of repetition alone; others have none.
#[test]
fn there_are_words_exactly_at_the_end() {
    let mut ends = 0;
    with_random_games(20, |session| {
        let over = session.outcome().is_some();
        assert_eq!(over, !session.ending().is_empty(), "{session:?}");
        assert_eq!(over, session.legal_moves().is_empty(), "{session:?}");
        ends += u32::from(over);
    });
    assert!(ends > 200, "{ends}");
}

#[test]
fn sessions_are_written_and_read() {
    with_random_games(2, |session| {
        let game = session.game();
        let again = game.read(Some(&session.start_text()), session.move_texts()).expect("a game");
        assert_eq!(again.position_text(), session.position_text());
        assert_eq!((again.key(), again.moves()), (session.key(), session.moves()));
        assert_eq!((again.outcome(), again.to_move()), (session.outcome(), session.to_move()));
        for m in session.legal_moves() {
            assert_eq!(session.parse_move(&session.move_text(m)), Ok(m), "{session:?}");
        }
        assert_eq!(session.from_start().position_text(), session.start_text());
        assert_eq!(session.from_here().position_text(), session.position_text());
        assert!(session.from_here().moves().is_empty());
    });
}

/// The misère form of a game is the same game with the opposite end.
#[test]
fn misere_turns_the_outcome_around() {
    let registry = Registry::builtin();
    let mut compared = 0;
    for info in registry.games() {
        let Ok(misere) = registry.game(&format!("{}-misere", info.name)) else { continue };
        let usual = registry.game(info.name).expect("a game");
        for seed in 0..50 {
            let mut rng = Rng::new(seed);
            let [mut session, mut turned] = [usual.start(), misere.start()];
            while session.outcome().is_none() {
                assert_eq!(turned.outcome(), None);
                assert_eq!(turned.position_text(), session.position_text());
                assert_eq!(turned.legal_moves(), session.legal_moves());
                let m = session.random_move(&mut rng);
                session.play(m);
                turned.play(m);
            }
            assert_eq!(turned.outcome(), session.outcome().map(Outcome::misere));
        }
        compared += 1;
    }
    assert_eq!(compared, 5);
}

#[test]
fn a_player_of_another_game_says_so() {
    let mut player = common::player(&game("tictactoe"), "uct", 1);
    for name in ["loa", "loa6", "chess", "nogo"] {
        let session = game(name).start();
        let report = player.analyse(&session, &Limits::nodes(100), &Stop::new(), &mut |_| ());
        assert_eq!(report.expect_err("another game"), Failure::OtherGame, "{name}");
    }
}
