//! Misère rules turn the outcome around and change nothing else. Each game's own tests also run the
//! conformance suite on its misère form.

use spinney_game::conformance::{fuzz_parsers, legal_moves};
use spinney_game::{Outcome, Playable, Rng, Side};
use spinney_games::atarigo::AtariGo;
use spinney_games::board::Size;
use spinney_games::breakthrough::Breakthrough;
use spinney_games::domineering::Domineering;
use spinney_games::knightthrough::Knightthrough;
use spinney_games::nogo::NoGo;

/// Plays the same random games in both forms.
fn compare<G: Playable>(start: G, misere_start: G, misere_of: impl Fn(G) -> G) {
    assert!(start != misere_start, "the rules are part of a position");
    for seed in 0..200 {
        let [mut rng, mut misere_rng] = [Rng::new(seed), Rng::new(seed)];
        let [mut position, mut misere] = [start.clone(), misere_start.clone()];
        while position.outcome().is_none() {
            assert_eq!(misere.outcome(), None);
            compare_position(&position, &misere);
            let m = position.random_move(&mut rng);
            assert_eq!(misere.random_move(&mut misere_rng), m);
            position.play(m);
            misere.play(m);
            assert!(misere_of(position.clone()) == misere);
        }
        let expected = match position.outcome() {
            Some(Outcome::Win(Side::First)) => Outcome::Win(Side::Second),
            Some(Outcome::Win(Side::Second)) => Outcome::Win(Side::First),
            _ => Outcome::Draw,
        };
        assert_eq!(misere.outcome(), Some(expected));
        assert_eq!(misere.ending(), position.ending());
        assert_eq!(misere.position_text(), position.position_text());
    }
    for plies in 0..4 {
        assert_eq!(misere_start.perft(plies), start.perft(plies));
    }
}

/// Positions that are not finished: the same moves, texts, keys and symmetries.
fn compare_position<G: Playable>(position: &G, misere: &G) {
    let text = position.position_text();
    assert_eq!(misere.position_text(), text);
    assert_eq!(misere.to_move(), position.to_move(), "{text}");
    assert_eq!(misere.key(), position.key(), "{text}");
    assert_eq!(misere.drawn_at(), position.drawn_at(), "{text}");
    assert_eq!(misere.count_moves(), position.count_moves(), "{text}");
    let moves = legal_moves(position);
    assert_eq!(legal_moves(misere), moves, "{text}");
    for m in moves {
        assert_eq!(misere.move_text(m), position.move_text(m), "{text}");
        assert_eq!(misere.is_irreversible(m), position.is_irreversible(m), "{text}");
    }
    assert_eq!(misere.symmetries(), position.symmetries(), "{text}");
    for index in 0..position.symmetries() {
        assert_eq!(misere.transformed_key(index), position.transformed_key(index), "{text}");
    }
    // A text does not say by which rules it is played: the position that reads it does.
    assert!(misere.parse_position(&text).as_ref() == Ok(misere), "{text}");
    assert!(position.parse_position(&text).as_ref() == Ok(position), "{text}");
}

#[test]
fn the_same_game_with_the_opposite_end() {
    for size in [Size::FIVE, Size::EIGHT, Size::new(3, 4).expect("a size")] {
        let game = Breakthrough::new(size);
        compare(game, game.misere(), Breakthrough::misere);
        let game = Knightthrough::new(size);
        compare(game, game.misere(), Knightthrough::misere);
        let game = Domineering::new(size);
        compare(game, game.misere(), Domineering::misere);
        let game = NoGo::new(size);
        compare(game.clone(), game.misere(), NoGo::misere);
        let game = AtariGo::new(size);
        compare(game.clone(), game.misere(), AtariGo::misere);
    }
}

/// Misère rules are not turned around again.
#[test]
fn misere_twice_is_misere() {
    assert_eq!(Breakthrough::default().misere().misere(), Breakthrough::default().misere());
    assert_eq!(Domineering::default().misere().misere(), Domineering::default().misere());
    assert_eq!(NoGo::default().misere().misere(), NoGo::default().misere());
}

#[test]
fn parsers_survive_damaged_texts() {
    fuzz_parsers(&Breakthrough::default().misere(), 20_000, 1);
}
