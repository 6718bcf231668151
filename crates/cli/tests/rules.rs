//! `games`, `perft`, `moves` and `bench` through the real binary: output, and one line of
//! explanation with exit code 2 for every kind of bad input.

mod common;

use std::process::Command;

use common::{BINARY, assert_refused, stdout};

#[test]
fn lists_games() {
    let games = stdout(&["games"]);
    for name in ["loa ", "loa6 ", "chess ", "breakthrough-misere ", "atarigo ", "tictactoe "] {
        assert!(games.lines().any(|line| line.starts_with(name)), "{name} in {games}");
    }
}

#[test]
fn counts_positions() {
    assert_eq!(stdout(&["perft", "loa", "--depth", "4"]), "1 36\n2 1244\n3 44952\n4 1563208\n");
    assert_eq!(stdout(&["perft", "chess", "--depth", "3"]), "1 20\n2 400\n3 8902\n");
    let pass = "8/8/2x5/x7/1x1x4/xx1x4/1xx1x3/o2ox3 w";
    assert_eq!(stdout(&["perft", "loa", "--position", pass, "--depth", "2"]), "1 1\n2 48\n");
    // A finished game has no successors.
    let over = "8/8/8/8/8/8/xx6/5o1o w";
    assert_eq!(stdout(&["perft", "loa", "--position", over, "--depth", "2"]), "1 0\n2 0\n");
}

#[test]
fn lists_moves() {
    let moves = stdout(&["moves", "loa"]);
    assert_eq!(moves.lines().count(), 36);
    assert!(moves.lines().any(|m| m == "b1-d3"), "{moves}");
    let pass = "8/8/2x5/x7/1x1x4/xx1x4/1xx1x3/o2ox3 w";
    assert_eq!(stdout(&["moves", "loa", "--position", pass]), "pass\n");
    assert_eq!(stdout(&["moves", "domineering:3x3"]).lines().count(), 6);
    let castling = stdout(&["moves", "chess", "--position", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"]);
    assert!(castling.lines().any(|m| m == "e1g1"), "{castling}");
}

#[test]
fn bad_input_is_one_line_and_exit_code_2() {
    let enormous = "9".repeat(50);
    let long = "x".repeat(5000);
    let cases: &[(&[&str], &str)] = &[
        (&["perft", "lao", "--depth", "3"], "did you mean \"loa\"?"),
        (&["perft", "loa", "--depth", "0"], "expected a whole number from 1 to 40"),
        (&["perft", "loa", "--depth", "-1"], "expected a whole number from 1 to 40"),
        (&["perft", "loa", "--depth", "1000000"], "expected a whole number from 1 to 40"),
        (&["perft", "loa", "--depth", &enormous], "from 1 to 40"),
        (&["perft", "loa", "--depth", "three"], "from 1 to 40"),
        (&["perft", "loa"], "--depth <N>"),
        (&["moves", "loa", "--position", "1xxxxxx1/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 b"], "8x7"),
        (
            &["moves", "loa", "--position", "1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1"],
            "side to move",
        ),
        (&["moves", "loa", "--position", ""], "side to move"),
        (&["moves", "loa", "--position", &long], "side to move"),
        (&["moves", "chess", "--position", "8/8/8/8/8/8/8 w - - 0 1"], "position"),
        (&["moves", "chess", "--position", "8/8/8/8/8/8/8/8 w - - 0 1"], "position"),
        (&["moves", "breakthrough:9x9"], "each from 3 to 8"),
        (&["moves", "loa:repetition=never"], "third, second, none"),
        (&["bench", "loa-playout"], "did you mean \"loa-playouts\"?"),
        (&["bench", "nothing-like-it-at-all"], "without names has them all"),
        (&["perfd", "loa"], "did you mean 'perft'?"),
        (&["moves", "loa", "--postion", "x"], "did you mean '--position'?"),
    ];
    for (arguments, expected) in cases {
        assert_refused(arguments, expected);
    }
}

#[test]
fn a_closed_pipe_is_no_error() {
    let shell = format!("{BINARY} moves loa | head -n 1; echo ${{PIPESTATUS[0]}}");
    let output = Command::new("bash").args(["-c", &shell]).output().expect("bash");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(text.lines().count(), 2, "{text}");
    assert!(text.ends_with("0\n"), "{text}");
    assert!(output.stderr.is_empty());
}
