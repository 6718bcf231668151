//! `spinney analyze` through the real binary.

mod common;

use common::{assert_refused, interrupt, json, start, stdout, stdout_of_ending, wait_for_search};
use serde_json::Value;

#[test]
fn the_json_object_has_its_keys() {
    for game in ["tictactoe", "breakthrough", "loa", "chess", "nogo-misere:4x4"] {
        let analysis =
            json(&["analyze", game, "--player", "random", "--simulations", "10", "--json"]);
        let mut keys: Vec<&str> =
            analysis.as_object().expect("an object").keys().map(String::as_str).collect();
        let mut expected = [
            "best",
            "value",
            "proven",
            "plies",
            "pv",
            "candidates",
            "simulations",
            "nodes",
            "seconds",
        ];
        keys.sort_unstable();
        expected.sort_unstable();
        assert_eq!(keys, expected);
        let best = analysis["best"].as_str().expect("a move");
        assert!(stdout(&["moves", game]).lines().any(|m| m == best), "{game}: {best}");
        assert_eq!(analysis["pv"][0], best);
        assert!((-1.0..=1.0).contains(&analysis["value"].as_f64().expect("a number")));
    }
}

#[test]
fn a_seed_gives_the_same_analysis() {
    let best = |seed: &str| {
        let analysis = ["analyze", "loa", "--player", "random", "--nodes", "1"];
        json(&[&analysis[..], &["--seed", seed, "--json"]].concat())["best"].clone()
    };
    assert_eq!(best("3"), best("3"));
    assert!((0..10).any(|seed| best(&seed.to_string()) != best("3")));
}

#[test]
fn the_text_can_be_read() {
    let text = stdout(&["analyze", "loa", "--player", "random", "--depth", "1"]);
    assert!(text.starts_with("best "), "{text}");
    assert!(text.contains("\nline "), "{text}");
    assert!(text.ends_with(" s\n"), "{text}");
}

#[test]
fn boards_and_lines_are_printed_on_demand() {
    let text = stdout(&["moves", "tictactoe", "--position", "xo1/1x1/3 o", "--board"]);
    assert!(
        text.starts_with(" 3  x o .\n 2  . x .\n 1  . . .\n    a b c\nNoughts to move\n\n"),
        "{text}"
    );
    for player in ["uct", "mia"] {
        let arguments = ["analyse", "loa", "--player", player, "--nodes", "3000", "--multipv", "3"];
        let text = stdout(&[&arguments[..], &["--board"]].concat());
        assert!(text.starts_with(" 8  . x x x x x x .\n"), "{text}");
        let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("line ")).collect();
        let starts =
            (1..=3).zip(&lines).all(|(number, line)| line.starts_with(&format!("line {number} ")));
        assert!(starts && lines.len() == 3, "{text}");
        let moves: std::collections::HashSet<_> =
            lines.iter().map(|line| line.split(' ').nth(3).expect("a move")).collect();
        assert_eq!(moves.len(), 3, "{text}");
    }
}

#[test]
fn moves_are_played_first() {
    let over = "f3 e5 g4 Qh4#";
    let analysis = json(&["analyze", "chess", "--moves", over, "--player", "random", "--json"]);
    assert_eq!(analysis["best"], Value::Null);
    assert_eq!(analysis["proven"], "loss");
    assert_eq!(analysis["value"], -1.0);
    assert_eq!(analysis["plies"], 0);
    let text = stdout(&["analyze", "chess", "--moves", over, "--player", "random"]);
    assert_eq!(text, "the game is over: the side to move has lost\n");
    // The third time the start position occurs.
    let repeated = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
    let text = stdout(&["analyze", "chess", "--moves", repeated, "--player", "random"]);
    assert_eq!(text, "the game is over: a draw\n");
}

#[test]
fn lines_are_written_as_they_are_played() {
    // A capture is written as one, wherever it is in the line.
    let analysis = json(&["analyze", "loa", "--player", "uct", "--simulations", "2000", "--json"]);
    let candidates = analysis["candidates"].as_array().expect("candidates");
    assert_eq!(candidates.len(), 36);
    for line in candidates.iter().map(|candidate| &candidate["pv"]).chain([&analysis["pv"]]) {
        let moves: Vec<&str> =
            line.as_array().expect("a line").iter().map(|m| m.as_str().expect("text")).collect();
        stdout(&["analyze", "loa", "--player", "random", "--moves", &moves.join(" ")]);
    }
    assert_eq!(analysis["best"], analysis["pv"][0]);
    assert_eq!(analysis["simulations"], 2000);
}

#[test]
fn a_proven_position_is_said_to_be_proven() {
    let won = ["analyze", "tictactoe", "--position", "xx1/oo1/3 x", "--simulations", "1000"];
    let analysis = json(&[&won[..], &["--player", "uct", "--json"]].concat());
    assert_eq!(analysis["best"], "c3");
    assert_eq!((&analysis["proven"], &analysis["plies"]), (&"win".into(), &1.into()));
    let text = stdout(&[&won[..], &["--player", "uct"]].concat());
    assert!(text.starts_with("best c3, value +1.000, proven win in 1\n"), "{text}");
}

#[cfg(unix)]
#[test]
fn an_interrupted_analysis_prints_what_is_known() {
    let child = start(&["analyze", "loa", "--player", "uct", "--time", "1h", "--json"]);
    wait_for_search(&child);
    let analysis: Value = serde_json::from_str(&interrupt(child, 0)).expect("JSON");
    assert!(analysis["best"].is_string() && analysis["simulations"].as_u64() > Some(0));
}

#[test]
fn a_closed_pipe_is_no_error() {
    let mut child =
        start(&["analyze", "chess", "--player", "uct", "--simulations", "3000", "--json"]);
    // The reader is gone before there is anything to read.
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}

#[test]
fn bad_input_is_one_line_and_exit_code_2() {
    let cases: &[(&[&str], &str)] = &[
        (&["lao"], "did you mean \"loa\"?"),
        (&["loa", "--position", "x"], "position"),
        (&["loa", "--moves", "b1-d3 b1-d3"], "--moves: ply 2: move \"b1-d3\""),
        (&["chess", "--moves", "f3 e5 g4 Qh4# e4"], "ply 5: move \"e4\": the game is over"),
        (&["loa", "--player", "randon"], "did you mean \"random\"?"),
        (&["loa", "--player", "random:level=1"], "no option \"level\""),
        (&["loa", "--player", "random", "--threads", "2"], "no option \"threads\""),
        (&["loa", "--player", "random:threads=1", "--threads", "2"], "twice"),
        (&["loa", "--threads", "0"], "expected a whole number from 1 to 1024"),
        (&["loa", "--seed", "-1"], "-1"),
        (&["loa", "--time", "0s"], "above zero"),
        (&["loa", "--simulations", "0"], "expected a whole number from 1"),
        (&["loa", "--move", "b1-d3"], "--move"),
    ];
    for (arguments, expected) in cases {
        assert_refused(&[&["analyze"], *arguments].concat(), expected);
    }
}

/// Searches that used to go on for minutes or for ever, whatever their limit.
#[test]
fn every_limit_ends_a_search() {
    let blocked = "4k3/8/p1p1p1p1/P1P1P1P1/8/8/8/4K3 w - - 0 1";
    let last = "xox/oxo/ox1 x";
    let cases: [&[&str]; 7] = [
        &["loa", "--player", "mcts-mr:depth=6"],
        &["loa", "--player", "mcts-mr:depth=6,policy-visits=9"],
        &["loa", "--player", "uct-nested:level=4,policy-visits=9"],
        &["chess", "--position", blocked, "--player", "mcc:tries=1000"],
        &["chess", "--position", blocked, "--player", "mcc:tries=1000,threads=2"],
        &["tictactoe", "--position", last, "--player", "nested:repeat=on"],
        &["loa", "--player", "nested:level=8"],
    ];
    for case in cases {
        for limit in [["--nodes", "5000"], ["--time", "100ms"]] {
            let arguments = [&["analyze"], case, &limit, &["--json"]].concat();
            assert!(stdout_of_ending(&arguments).contains("\"best\""), "{arguments:?}");
        }
    }
}

#[test]
fn limits_that_end_nothing_are_refused() {
    for player in
        ["nested:repeat=on", "uct:solver=off,stop-early=off", "uct-nested", "mcts-mr", "flat", "pn"]
    {
        assert_refused(
            &["analyze", "breakthrough", "--player", player, "--depth", "3"],
            "a limit on depth does not end this search; limit time, simulations or nodes",
        );
    }
    let arguments =
        ["match", "breakthrough", "random", "uct", "--games", "2", "--limit-b", "depth=3"];
    assert_refused(&arguments, "\"uct\": a limit on depth does not end this search");
}
