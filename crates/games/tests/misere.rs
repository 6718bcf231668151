//! The misère wrapper turns the outcome around and nothing else. Each game's own tests also run
//! the conformance suite on its misère form.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use spinney_game::conformance::{check, fuzz_parsers, legal_moves};
use spinney_game::{Game, Hashed, Notation, Outcome, Rng, Side};
use spinney_games::board::Size;
use spinney_games::breakthrough::Breakthrough;
use spinney_games::domineering::Domineering;
use spinney_games::dummy::Dummy;
use spinney_games::knightthrough::Knightthrough;
use spinney_games::misere::Misere;
use spinney_games::tictactoe::TicTacToe;

/// Plays the same random games in both forms.
fn compare<G: Hashed + Notation>(start: &G) {
    for seed in 0..200 {
        let [mut rng, mut misere_rng] = [Rng::new(seed), Rng::new(seed)];
        let mut position = start.clone();
        let mut misere = Misere(start.clone());
        while position.outcome().is_none() {
            assert_eq!(misere.outcome(), None);
            assert_eq!(legal_moves(&misere), legal_moves(&position));
            assert_eq!(misere.key(), position.key());
            assert_eq!(misere.position_text(), position.position_text());
            position.play(position.random_move(&mut rng));
            misere.play(misere.random_move(&mut misere_rng));
            assert!(misere.0 == position);
        }
        let expected = match position.outcome() {
            Some(Outcome::Win(Side::First)) => Outcome::Win(Side::Second),
            Some(Outcome::Win(Side::Second)) => Outcome::Win(Side::First),
            _ => Outcome::Draw,
        };
        assert_eq!(misere.outcome(), Some(expected));
    }
    for plies in 0..4 {
        assert_eq!(Misere(start.clone()).perft(plies), start.perft(plies));
    }
}

#[test]
fn the_same_game_with_the_opposite_end() {
    compare(&Breakthrough::default());
    compare(&Knightthrough::default());
    compare(&Domineering::new(Size::EIGHT));
    compare(&TicTacToe::new());
    compare(&"(+ (- =) (= -))".parse::<Dummy>().unwrap());
}

#[test]
fn conforms() {
    check(&Misere::<Domineering>::default());
    check(&Misere(Misere(TicTacToe::new())));
    fuzz_parsers(&Misere(Breakthrough::default()), 20_000, 1);
}
