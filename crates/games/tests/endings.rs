//! Every way a game can end has its words, and a game that goes on has none.

use spinney_game::{Notation, Rng};
use spinney_games::atarigo::AtariGo;
use spinney_games::board::Size;
use spinney_games::breakthrough::Breakthrough;
use spinney_games::chess::Chess;
use spinney_games::domineering::Domineering;
use spinney_games::knightthrough::Knightthrough;
use spinney_games::loa::{Loa, NoMove, Rules, Simultaneous, Start};
use spinney_games::nogo::NoGo;
use spinney_games::tictactoe::TicTacToe;

/// Compares the words at a position.
fn check(game: &impl Notation, position: &str, words: &str) {
    let position = game.parse_position(position).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(position.ending(), words, "{position:?}");
}

fn loa(rules: Rules) -> Loa {
    Loa::new(Start::default(), rules)
}

fn size(width: usize, height: usize) -> Size {
    Size::new(width, height).expect("a size")
}

#[test]
fn the_words_say_what_happened() {
    let usual = loa(Rules::default());
    check(&usual, "8/8/8/3xx3/8/8/8/o6o w", "all men connected");
    check(&usual, "8/8/8/3xx3/8/8/8/o6o b", "all men connected");
    check(&usual, "xx6/8/8/8/8/8/8/6oo b", "both sides connected");
    let simultaneous = Simultaneous::MoverWins;
    let mover_wins = loa(Rules { simultaneous, ..Rules::default() });
    check(&mover_wins, "xx6/8/8/8/8/8/8/6oo b", "both sides connected");
    check(&usual, "ox6/xx6/8/8/8/8/xx6/ox6 w", "");
    for no_move in [NoMove::Loses, NoMove::Draw] {
        let game = loa(Rules { no_move, ..Rules::default() });
        check(&game, "ox6/xx6/8/8/8/8/xx6/ox6 w", "no move left");
    }

    let chess = Chess::start();
    let mate = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    check(&chess, mate, "checkmate");
    check(&chess, "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "stalemate");
    check(&chess, "8/8/8/8/8/2k5/8/K7 w - - 0 1", "too few men to mate");
    let fifty = "fifty moves without capture or pawn move";
    check(&chess, "8/8/8/8/8/2k5/8/K6Q w - - 100 80", fifty);

    let breakthrough = Breakthrough::new(size(3, 4));
    check(&breakthrough, "xxo/3/3/oo1 b", "the far rank reached");
    check(&breakthrough, "3/3/3/ooo b", "all men taken");
    check(&breakthrough.misere(), "xxo/3/3/oo1 b", "the far rank reached");
    check(&Knightthrough::new(size(3, 4)), "xxo/3/3/oo1 b", "the far rank reached");
    check(&TicTacToe::new(), "3/oo1/xxx o", "three in a row");
    check(&TicTacToe::new(), "xox/xox/oxo o", "the board is full");
    check(&AtariGo::new(size(3, 3)), "3/x2/ox1 w", "a capture");
    check(&Domineering::new(size(3, 3)), "1x1/1x1/1x1 h", "no move left");
}

/// Random games: there are words exactly at the end.
fn random_games<G: Notation>(start: G) {
    for seed in 0..30 {
        let mut rng = Rng::new(seed);
        let mut position = start.clone();
        for _ in 0..400 {
            let over = position.outcome().is_some();
            assert_eq!(over, !position.ending().is_empty(), "{position:?}");
            if over {
                break;
            }
            position.play_random(&mut rng);
        }
    }
}

#[test]
fn there_are_words_exactly_at_the_end() {
    random_games(Loa::<8>::default());
    random_games(Loa::<6>::default());
    random_games(Chess::start());
    random_games(TicTacToe::new());
    random_games(Breakthrough::default());
    random_games(Breakthrough::default().misere());
    random_games(Knightthrough::default());
    random_games(Knightthrough::default().misere());
    random_games(Domineering::default());
    random_games(Domineering::default().misere());
    random_games(NoGo::default());
    random_games(NoGo::default().misere());
    random_games(AtariGo::default());
    random_games(AtariGo::default().misere());
}
