//! The rules, the text and the random moves of chess.

use std::collections::HashSet;

use spinney_game::conformance::{self, legal_moves};
use spinney_game::{Game, Hashed, History, Notation, Outcome, Repetition, Rng, Side, Symmetric};
use spinney_games::chess::Chess;

fn position(fen: &str) -> Chess {
    Chess::start().parse_position(fen).unwrap_or_else(|error| panic!("{error}"))
}

fn after(fen: &str, moves: &str) -> Chess {
    let mut position = position(fen);
    for text in moves.split_whitespace() {
        position.play(position.parse_move(text).unwrap_or_else(|error| panic!("{error}")));
    }
    position
}

fn game(moves: &str) -> History<Chess> {
    let mut history = History::new(Chess::start());
    for text in moves.split_whitespace() {
        assert_eq!(history.outcome(), None, "before {text}");
        let m = history.position().parse_move(text).unwrap_or_else(|error| panic!("{error}"));
        history.play(m);
    }
    history
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// Positions with pins, checks, promotions and en passant captures of every kind.
const SPECIAL: [&str; 12] = [
    KIWIPETE,
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    // En passant would uncover the king on the rank; on the diagonal; is the only way out of check.
    "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
    "8/5b2/8/2pP4/8/1K6/8/4k3 w - c6 0 1",
    "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
    // Pinned pawns that may step, capture the pinning man with promotion, or not move at all.
    "4r2k/8/8/8/8/8/4P3/4K3 w - - 0 1",
    "3b3k/2P5/1K6/8/8/8/8/8 w - - 0 1",
    "7k/8/8/8/r3P2K/8/8/8 w - - 0 1",
    // Double check; check that a pinned man must not meet.
    "4k3/8/8/8/4r3/8/3n4/R3K2R w KQ - 0 1",
    "4k3/8/4q3/8/7b/8/4RN2/R3K3 w Q - 0 1",
    // As many queens as the text allows.
    "QQQQQQQQ/QQQQQQQ1/8/8/8/K7/6pp/6bk w - - 0 1",
];

#[test]
fn contract() {
    conformance::check(&Chess::start());
    for fen in SPECIAL {
        conformance::check(&position(fen));
    }
}

#[test]
fn damaged_texts_do_not_panic() {
    conformance::fuzz_parsers(&Chess::start(), 20_000, 1);
    conformance::fuzz_parsers(&position(KIWIPETE), 20_000, 2);
    conformance::fuzz_parsers(&position("7k/P7/8/8/8/8/7p/K7 w - - 0 1"), 5_000, 3);
}

#[test]
fn perft() {
    let mut total = 0;
    for line in include_str!("../../../testdata/perft/chess.txt").lines() {
        if line.starts_with('#') {
            continue;
        }
        let fields: Vec<&str> = line.split('\t').collect();
        let [name, fen, depth, leaves] = fields[..] else { panic!("four fields: {line}") };
        let leaves: u64 = leaves.parse().unwrap();
        assert_eq!(position(fen).perft(depth.parse().unwrap()), leaves, "{name}, depth {depth}");
        total += leaves;
    }
    assert!(total > 100_000_000, "the table is complete: {total}");
}

/// The quick tests for a move agree with the generator of moves, and random moves are the legal
/// moves, all of them.
#[test]
fn random_moves_are_the_legal_moves() {
    let mut rng = Rng::new(5);
    let mut positions: Vec<Chess> = SPECIAL.iter().map(|fen| position(fen)).collect();
    for _ in 0..150 {
        let mut position = Chess::start();
        while position.outcome().is_none() {
            assert!(position.count_moves() > 0);
            if rng.below(30) == 0 {
                positions.push(position.clone());
            }
            position.play(position.random_move(&mut rng));
        }
        let over = position.position_text();
        let drawn_otherwise = position.count_moves() > 0;
        assert!(!drawn_otherwise || position.outcome() == Some(Outcome::Draw), "{over}");
    }
    for position in positions {
        let legal: HashSet<_> = legal_moves(&position).into_iter().collect();
        let draws = 30 * legal.len();
        let drawn: HashSet<_> = (0..draws).map(|_| position.random_move(&mut rng)).collect();
        assert_eq!(drawn, legal, "{}", position.position_text());
    }
}

#[test]
fn mate_and_stalemate() {
    let fools_mate = game("f3 e5 g4 Qh4#");
    assert_eq!(fools_mate.outcome(), Some(Outcome::Win(Side::Second)));
    let back_rank = after("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", "Ra8#");
    assert_eq!(back_rank.outcome(), Some(Outcome::Win(Side::First)));
    let smothered = position("6rk/5Npp/8/8/8/8/8/7K b - - 0 1");
    assert_eq!(smothered.outcome(), Some(Outcome::Win(Side::First)));
    assert_eq!(position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").outcome(), Some(Outcome::Draw));
    assert_eq!(position("k7/8/8/8/8/6q1/7r/5K1R w - - 0 1").outcome(), None);
    // The only man that is not blocked is pinned.
    assert_eq!(position("7r/8/8/8/5p1p/5PkN/8/7K w - - 0 1").outcome(), None);
    assert_eq!(position("5k1r/8/8/8/8/7p/4r2N/7K w - - 0 1").outcome(), None);
    // The only legal move is an en passant capture.
    let rescued = position("3R4/8/7R/2k5/3Pp3/8/8/1R3B1K b - d3 0 1");
    assert_eq!((rescued.outcome(), rescued.count_moves()), (None, 1));
}

#[test]
fn fifty_moves() {
    let quiet = after("3k4/8/8/8/8/8/4R3/4K3 w - - 98 80", "Kf1");
    assert_eq!(quiet.outcome(), None, "99 half-moves");
    let drawn = after("3k4/8/8/8/8/8/4R3/4K3 w - - 98 80", "Kf1 Kc8");
    assert_eq!(drawn.outcome(), Some(Outcome::Draw), "100 half-moves");
    let mate = after("6k1/5ppp/8/8/8/8/8/R6K w - - 99 80", "Ra8");
    assert_eq!(mate.outcome(), Some(Outcome::Win(Side::First)), "mate on the 100th half-move");
    let progress = after("3k4/p7/8/8/8/8/4R3/4K3 w - - 98 80", "Kf1 a6");
    assert_eq!(progress.outcome(), None, "a pawn moved");
    assert_eq!(drawn.perft(1), 0, "a finished game is not expanded");
}

#[test]
fn insufficient_material() {
    let cases = [
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", true),
        ("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", true),
        ("4k3/8/8/8/8/8/8/4KB2 b - - 0 1", true),
        ("4kb2/8/8/8/8/8/8/2B1K3 w - - 0 1", true), // c1 and f8 are both dark
        ("4kb2/8/8/8/8/8/B7/4K3 w - - 0 1", false),
        ("4k3/8/8/8/8/8/8/4KNN1 w - - 0 1", false),
        ("4kn2/8/8/8/8/8/8/4KN2 w - - 0 1", false),
        ("4k3/8/8/8/8/8/8/4KBN1 w - - 0 1", false),
        ("4k3/7p/8/8/8/8/8/4K3 w - - 0 1", false),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", false),
        ("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", false),
        ("b3k3/1b6/8/8/8/8/8/4KB2 w - - 0 1", true), // a8, b7, f1: all light
    ];
    for (fen, drawn) in cases {
        assert_eq!(position(fen).outcome(), drawn.then_some(Outcome::Draw), "{fen}");
    }
}

#[test]
fn third_occurrence() {
    let twice = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1";
    assert_eq!(game(twice).outcome(), None);
    assert_eq!(game(&format!("{twice} Ng8")).outcome(), Some(Outcome::Draw));
    // Giving up castling makes another position: the first occurrence does not count.
    let with_rights = "e4 e5 Ke2 Ke7 Ke1 Ke8 Ke2 Ke7 Ke1 Ke8 Ke2 Ke7";
    assert_eq!(game(with_rights).outcome(), Some(Outcome::Draw));
    assert_eq!(game("e4 e5 Ke2 Ke7 Ke1 Ke8 Ke2 Ke7 Ke1 Ke8").outcome(), None);
    // An en passant square counts where the capture is legal, and only there.
    assert_eq!(game("e4 Nf6 Nf3 Ng8 Ng1 Nf6 Nf3 Ng8 Ng1").outcome(), Some(Outcome::Draw));
    let capturable = "e4 Nf6 e5 d5 Nf3 Ng8 Ng1 Nf6 Nf3 Ng8 Ng1 Nf6";
    assert_eq!(game(capturable).outcome(), None);
    assert_eq!(game(&format!("{capturable} Nf3")).outcome(), Some(Outcome::Draw));
}

#[test]
fn irreversible_moves() {
    let irreversible = |fen: &str, text: &str| {
        let position = position(fen);
        position.is_irreversible(position.parse_move(text).unwrap())
    };
    let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    for text in ["O-O", "O-O-O", "Ke2", "Ra2", "Rh7", "Rxa8"] {
        assert!(irreversible(castling, text), "{text}");
    }
    assert!(!irreversible("r3k2r/8/8/8/8/8/8/R3K2R w Qkq - 0 1", "Rh7"));
    assert!(!irreversible("r3k2r/8/8/8/8/8/8/R3K2R w kq - 0 1", "Ke2"));
    assert!(irreversible(START, "e4"));
    assert!(!irreversible(START, "Nf3"));
}

#[test]
fn keys_and_equality() {
    // Equal up to the counters: one key, different positions.
    let [early, late] =
        [0, 30].map(|clock| position(&START.replace("0 1", &format!("{clock} 20"))));
    assert_eq!(early.key(), late.key());
    assert!(early.same_position(&late));
    assert!(early != late);
    // An en passant square without a capture is not part of the position; with one it is.
    let idle = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq";
    assert!(position(&format!("{idle} e3 0 1")) == position(&format!("{idle} - 0 1")));
    assert_eq!(position(&format!("{idle} e3")).key(), position(&format!("{idle} -")).key());
    assert_eq!(after(START, "e2e4").position_text(), format!("{idle} - 0 1"));
    let useful = "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq";
    assert!(position(&format!("{useful} e3 0 1")) != position(&format!("{useful} - 0 1")));
    assert_ne!(position(&format!("{useful} e3")).key(), position(&format!("{useful} -")).key());
    assert_eq!(position(&format!("{useful} e3")).position_text(), format!("{useful} e3 0 1"));
    // A pinned pawn cannot capture, and another man that may go there is no pawn.
    let queen = "4k3/8/8/8/qP6/8/8/4K3 b -";
    assert!(position(&format!("{queen} b3 0 1")) == position(&format!("{queen} - 0 1")));
    let pinned = "8/8/8/8/k2Pp2Q/8/8/3K4 b -";
    assert_eq!(position(&format!("{pinned} d3")).key(), position(&format!("{pinned} -")).key());
}

#[test]
fn mirror_images_exist_without_castling_rights() {
    assert_eq!(Chess::start().symmetries(), 1);
    let mirrored = position("4k3/8/8/2pP4/8/8/R7/4K3 w - c6 5 9").transformed(1);
    assert_eq!(mirrored.position_text(), "3k4/8/8/4Pp2/8/8/7R/3K4 w - f6 5 9");
}

#[test]
fn castling_text() {
    let castling = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    for (uci, texts) in
        [("e1g1", ["e1h1", "O-O", "0-0", "O-O+!"]), ("e1c1", ["e1a1", "O-O-O", "0-0-0", "0-0-0?!"])]
    {
        let m = castling.parse_move(uci).unwrap();
        assert_eq!(castling.move_text(m), uci);
        for text in texts {
            assert_eq!(castling.parse_move(text), Ok(m), "{text}");
        }
    }
    let castled = after("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1 e8c8");
    assert_eq!(castled.position_text(), "2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2");
    // Not through check, and not for a king that only stands where it could.
    assert!(position("4kr2/8/8/8/8/8/8/4K2R w K - 0 1").parse_move("O-O").is_err());
    assert!(position("4k3/8/8/8/8/8/8/4K2R w - - 0 1").parse_move("e1g1").is_err());
}

#[test]
fn moves_in_many_spellings() {
    let cases = [
        (START, "g1f3", "Nf3 Ngf3 Ng1f3 Ng1-f3 Nf3!? g1f3"),
        (START, "e2e4", "e4 e2e4 e2-e4 e4!"),
        (KIWIPETE, "e5g6", "Nxg6 Ng6 N5g6 Nexg6 Ne5xg6"),
        (KIWIPETE, "d5e6", "dxe6 de6 dxe6+ d5xe6"),
        ("1n5k/P7/8/8/8/8/8/7K w - - 0 1", "a7a8q", "a8=Q a8Q a8=Q+ a7a8q a7a8Q a8Q#!!"),
        ("1n5k/P7/8/8/8/8/8/7K w - - 0 1", "a7b8n", "axb8=N axb8N ab8=N"),
        ("8/8/8/3pP3/8/8/8/k6K w - d6 0 1", "e5d6", "exd6 ed6 exd6e.p. exd6 e5d6"),
        ("k7/8/8/8/8/2b5/1p6/7K b - - 0 1", "c3d4", "Bd4 c3d4"),
        // The bishop on b1 or the pawn on the b-file: capital letters are pieces.
        ("7k/8/8/8/8/b1p5/1P6/1B5K w - - 0 1", "b2a3", "bxa3 ba3"),
    ];
    for (fen, uci, texts) in cases {
        let position = position(fen);
        let expected = position.parse_move(uci).unwrap();
        assert_eq!(position.move_text(expected), uci);
        for text in texts.split(' ') {
            assert_eq!(position.parse_move(text), Ok(expected), "{text} in {fen}");
        }
    }
}

#[test]
fn wrong_moves_are_explained() {
    let cases = [
        (START, "e5", "not a legal move here"),
        (START, "e2e5", "not a legal move here"),
        (START, "O-O", "not a legal move here"),
        (START, "hello", "expected UCI such as e2e4 or SAN such as Nf3"),
        (START, "", "expected UCI"),
        (START, "é4", "expected UCI"),
        (START, "e2e4qq", "expected UCI"),
        ("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "Nd2", "ambiguous: Nbd2 or Nfd2"),
        ("7k/P7/8/8/8/8/8/7K w - - 0 1", "a8", "ambiguous: a8=N or a8=B or a8=R+ or a8=Q+"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "Kd1", "the game is over"),
    ];
    for (fen, text, problem) in cases {
        let error = position(fen).parse_move(text).unwrap_err().to_string();
        assert!(error.contains(problem), "{text:?}: {error}");
    }
}

#[test]
fn san_names_every_move_once() {
    let mut rng = Rng::new(8);
    for _ in 0..60 {
        let mut position = Chess::start();
        while position.outcome().is_none() {
            let mut names = HashSet::new();
            for m in legal_moves(&position) {
                let san = position.san(m);
                assert_eq!(
                    position.parse_move(&san),
                    Ok(m),
                    "{san} in {}",
                    position.position_text()
                );
                assert!(names.insert(san));
            }
            // Some moves of the game are skipped: the check is slow.
            for _ in 0..7 {
                if position.outcome().is_none() {
                    position.play(position.random_move(&mut rng));
                }
            }
        }
    }
}

#[test]
fn counters_may_be_missing() {
    let placement = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    for text in [placement.to_owned(), format!("  {placement} 0 "), format!("{placement} 0 0")] {
        assert_eq!(position(&text).position_text(), START);
    }
}

#[test]
fn wrong_positions_are_explained() {
    let cases = [
        ("", "0 fields"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w", "2 fields"),
        ("8/8/8/8/8/8/8 w - - 0 1", "7 ranks instead of 8"),
        ("4k3/8/8/8/8/8/8/4K2 w - - 0 1", "rank 1 (4K2) has 7 squares instead of 8"),
        ("4k3/9/8/8/8/8/8/4K3 w - - 0 1", "unknown man '9' on rank 7"),
        ("4k3/8/8/8/8/8/8/4K3R w - - 0 1", "rank 1 (4K3R) has 9 squares"),
        ("4k3/8/8/3x4/8/8/8/4K3 w - - 0 1", "unknown man 'x' on rank 5"),
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", "White has 0 kings"),
        ("4k2k/8/8/8/8/8/8/4K3 w - - 0 1", "Black has 2 kings"),
        ("4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1", "Black has 9 pawns"),
        ("4k3/8/8/8/8/Q7/QQQQQQQQ/QQQQKQQQ w - - 0 1", "White has 17 men"),
        ("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "a pawn on h8"),
        ("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "the side that has just moved is in check"),
        ("8/8/8/8/8/8/8/3kK3 w - - 0 1", "the kings stand side by side"),
        ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "side to move \"x\""),
        ("4k3/8/8/8/8/8/8/4K3 w X - 0 1", "castling rights \"X\""),
        ("4k3/8/8/8/8/8/8/4K2R w KK - 0 1", "castling right K twice"),
        ("4k3/8/8/8/8/8/8/3K3R w K - 0 1", "castling right K without king and rook at home"),
        ("4k3/8/8/8/8/8/8/4K3 w q - 0 1", "castling right q without king and rook at home"),
        ("4k3/8/8/8/8/8/8/4K3 w - e9 0 1", "en passant square \"e9\""),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "passed the en passant square e6"),
        ("4k3/8/8/8/8/8/8/4K3 w - - -1 1", "half-move clock \"-1\""),
        ("4k3/8/8/8/8/8/8/4K3 w - - 101 1", "half-move clock \"101\""),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 x", "move number \"x\""),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 extra", "7 fields"),
    ];
    for (text, problem) in cases {
        let error = Chess::start().parse_position(text).unwrap_err().to_string();
        assert!(error.contains(problem), "{text:?}: {error}");
    }
}
