//! Every way a game can end has its words, and a game that goes on has none.

use spinney_game::Rng;
use spinney_games::catalog::{CATALOG, GameSpec, Playable, Visitor};

/// The words at a position.
struct At<'a>(&'a str);

impl Visitor for At<'_> {
    type Output = &'static str;

    fn visit<G: Playable>(self, start: G) -> &'static str {
        start.parse_position(self.0).unwrap_or_else(|error| panic!("{error}")).ending()
    }
}

#[test]
fn the_words_say_what_happened() {
    for (game, position, words) in [
        ("loa", "8/8/8/3xx3/8/8/8/o6o w", "all men connected"),
        ("loa", "8/8/8/3xx3/8/8/8/o6o b", "all men connected"),
        ("loa", "xx6/8/8/8/8/8/8/6oo b", "both sides connected"),
        ("loa:simultaneous=mover-wins", "xx6/8/8/8/8/8/8/6oo b", "both sides connected"),
        ("loa", "ox6/xx6/8/8/8/8/xx6/ox6 w", ""),
        ("loa:no-move=loses", "ox6/xx6/8/8/8/8/xx6/ox6 w", "no move left"),
        ("loa:no-move=draw", "ox6/xx6/8/8/8/8/xx6/ox6 w", "no move left"),
        ("chess", "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", "checkmate"),
        ("chess", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "stalemate"),
        ("chess", "8/8/8/8/8/2k5/8/K7 w - - 0 1", "too few men to mate"),
        ("chess", "8/8/8/8/8/2k5/8/K6Q w - - 100 80", "fifty moves without capture or pawn move"),
        ("breakthrough:3x4", "xxo/3/3/oo1 b", "the far rank reached"),
        ("breakthrough:3x4", "3/3/3/ooo b", "all men taken"),
        ("breakthrough-misere:3x4", "xxo/3/3/oo1 b", "the far rank reached"),
        ("knightthrough:3x4", "xxo/3/3/oo1 b", "the far rank reached"),
        ("tictactoe", "3/oo1/xxx o", "three in a row"),
        ("tictactoe", "xox/xox/oxo o", "the board is full"),
        ("atarigo:3x3", "3/x2/ox1 w", "a capture"),
        ("domineering:3x3", "1x1/1x1/1x1 h", "no move left"),
    ] {
        let game: GameSpec = game.parse().expect("a game");
        let text = game.to_string();
        assert_eq!(game.visit(At(position)), words, "{text}: {position}");
    }
}

/// Random games: there are words exactly at the end.
struct RandomGames;

impl Visitor for RandomGames {
    type Output = ();

    fn visit<G: Playable>(self, start: G) {
        for seed in 0..30 {
            let mut rng = Rng::new(seed);
            let mut position = start.clone();
            for _ in 0..400 {
                assert_eq!(position.outcome().is_some(), !position.ending().is_empty());
                if position.outcome().is_some() {
                    break;
                }
                position.play_random(&mut rng);
            }
        }
    }
}

#[test]
fn there_are_words_exactly_at_the_end() {
    for entry in CATALOG {
        let game: GameSpec = entry.name.parse().expect("a game");
        game.visit(RandomGames);
    }
}
