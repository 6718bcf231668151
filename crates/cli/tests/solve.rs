//! `solve` through the real binary: values, files of positions, limits, and one line of
//! explanation with exit code 2 for every kind of bad input.

mod common;

use std::fs;

use common::{assert_refused, scratch, stdout};
use serde_json::{Value, json};

fn objects(arguments: &[&str]) -> Vec<Value> {
    let text = stdout(arguments);
    text.lines().map(|line| serde_json::from_str(line).expect("an object a line")).collect()
}

/// The path of a file with this text.
fn file(name: &str, text: impl AsRef<[u8]>) -> String {
    let path = scratch(&format!("solve-{name}"));
    fs::write(&path, text).expect("a file for the test");
    path.to_str().expect("text").to_owned()
}

#[test]
fn a_position_is_one_line_or_one_object() {
    let line = stdout(&["solve", "tictactoe"]);
    assert!(line.starts_with("draw, best ") && line.lines().count() == 1, "{line}");
    let solved = &objects(&["solve", "tictactoe", "--position", "xx1/oo1/3 x", "--json"])[..];
    let [solved] = solved else { panic!("{solved:?}") };
    assert_eq!((&solved["value"], &solved["best"]), (&json!("win"), &json!("c3")));
    for key in ["position", "algorithm", "value", "best", "plies", "nodes", "seconds"] {
        assert!(solved.get(key).is_some(), "{key} in {solved}");
    }
}

#[test]
fn a_finished_game_has_a_value_and_no_move() {
    let solved = objects(&["solve", "tictactoe", "--position", "xxx/oo1/3 o", "--json"]);
    assert_eq!(solved[0]["value"], "loss");
    assert_eq!(solved[0]["best"], Value::Null);
    assert_eq!(solved[0]["plies"], 0);
}

#[test]
fn a_list_of_positions() {
    let list = file("list", "xx1/oo1/3 x\n\n# a remark\r\nxx1/oo1/x2 o\r\n3/3/3 x\n");
    let solved = objects(&["solve", "tictactoe", "--positions", &list, "--json"]);
    let values: Vec<&Value> = solved[..3].iter().map(|solved| &solved["value"]).collect();
    assert_eq!(values, ["win", "win", "draw"]);
    let summary = &solved[3];
    assert_eq!(summary["positions"], 3);
    assert_eq!((&summary["win"], &summary["draw"]), (&json!(2), &json!(1)));
    assert!(summary.get("agree").is_none());
    let text = stdout(&["solve", "tictactoe", "--positions", &list]);
    assert_eq!(text.lines().count(), 4);
    assert!(text.ends_with(" s\n") && text.contains("3 positions: 2 win, 1 draw, 0 loss"));
}

#[test]
fn a_table_keeps_its_columns_and_is_compared() {
    let table = file(
        "table",
        "id\tposition\tvalue\tnodes\n\
         one\txx1/oo1/3 x\twin\t5\n\
         two\t3/3/3 x\tloss\t\n\
         three\txx1/oo1/x2 o\t?\tmany\n",
    );
    let solved = objects(&["solve", "tictactoe", "--positions", &table, "--json"]);
    assert_eq!(solved[0]["id"], "one");
    assert_eq!(solved[0]["expected"], "win");
    assert_eq!(solved[1]["value"], "draw");
    assert_eq!(solved[1]["expected"], "loss");
    assert_eq!(solved[2]["expected_nodes"], "many");
    assert!(solved[2]["nodes"].is_u64());
    assert_eq!((&solved[3]["compared"], &solved[3]["agree"]), (&json!(2), &json!(1)));
    assert_eq!(solved[3]["contradict"], 1);
    let text = stdout(&["solve", "tictactoe", "--positions", &table]);
    assert!(text.starts_with("one: win, best c3, "), "{text}");
    assert!(text.ends_with("; 1 of 2 agree with the file\n"), "{text}");
}

#[test]
fn algorithms_are_compared_in_a_table() {
    let text = "id\tposition\tvalue\n\
                one\txx1/oo1/3 x\twin\n\
                two\t3/3/3 x\tdraw\n\
                three\txx1/oo1/x2 o\tloss\n";
    let table = file("compared", text);
    let command = ["solve", "tictactoe", "--positions", &table];
    let command = [&command[..], &["--algorithm", "brute-force,df-pn", "--nodes", "60"]].concat();
    // The start takes more nodes than that, so two positions are solved by all.
    let solved = objects(&[&command[..], &["--json"]].concat());
    assert_eq!(solved.len(), 3 * 2 + 2);
    for (index, name) in [(0, "brute-force"), (1, "df-pn"), (4, "brute-force"), (7, "df-pn")] {
        assert_eq!(solved[index]["algorithm"], name);
    }
    assert_eq!((&solved[1]["id"], &solved[1]["value"]), (&json!("one"), &json!("win")));
    assert_eq!((&solved[1]["best"], &solved[1]["plies"]), (&json!("c3"), &json!(1)));
    for summary in &solved[6..] {
        assert_eq!((&summary["positions"], &summary["solved"]), (&json!(3), &json!(2)));
        assert_eq!((&summary["agree"], &summary["contradict"]), (&json!(1), &json!(1)));
        let common = &summary["solved_by_all"];
        assert_eq!(common["positions"], 2);
        assert!(common["nodes"].as_u64() < summary["nodes"].as_u64(), "{summary}");
        assert!(common["seconds"].is_f64());
    }
    let text = stdout(&command);
    assert!(text.starts_with("one: brute-force: win, best c3, "), "{text}");
    assert!(text.contains("3 positions") && text.contains("2 solved by all"), "{text}");
    let row = text.lines().last().expect("the table").split_whitespace().collect::<Vec<_>>();
    assert_eq!((row[0], row[1], row[2], row.len()), ("df-pn", "2", "1", 7), "{text}");
    // Every algorithm has its name.
    let names = ["brute-force", "alpha-beta", "mcts", "pn", "pn2", "pds", "pds-pn", "df-pn"];
    let memory = ["--memory", "64M", "--time", "10s", "--json"];
    let solved =
        objects(&[&["solve", "tictactoe", "--algorithm", &names.join(",")], &memory[..]].concat());
    for (solved, name) in solved.iter().zip(names) {
        assert_eq!((&solved["algorithm"], &solved["value"]), (&json!(name), &json!("draw")));
    }
    assert_eq!(solved.len(), names.len());
    // So has a player that proves, with its options.
    let endgame = "6x1/8/2x4x/1xo1o3/ooxx4/oxxo4/1o1oo3/3x4 w";
    let names = ["mia-plus", "mia-classic", "df-pn"];
    let solve = ["solve", "loa", "--position", endgame, "--nodes", "100000", "--json"];
    let solved = objects(&[&solve[..], &["--algorithm", &names.join(",")]].concat());
    for (solved, name) in solved.iter().zip(names) {
        assert_eq!((&solved["algorithm"], &solved["value"]), (&json!(name), &json!("win")));
        assert_eq!(solved["plies"], 3);
    }
    assert_eq!(solved.len(), names.len());
    // A single position has no table.
    let text = stdout(&["solve", "tictactoe", "--algorithm", "df-pn,brute-force"]);
    assert_eq!(text.lines().count(), 2, "{text}");
}

#[test]
fn limits_leave_a_value_unknown() {
    let solved = objects(&["solve", "loa", "--time", "200ms", "--memory", "64M", "--json"]);
    assert_eq!((&solved[0]["value"], &solved[0]["best"]), (&json!("unknown"), &Value::Null));
    let solved = objects(&["solve", "chess", "--nodes", "1000", "--json"]);
    assert_eq!((&solved[0]["value"], &solved[0]["nodes"]), (&json!("unknown"), &json!(1000)));
    // Mate in one, in two plies of depth.
    let mate = "6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1";
    let solved = objects(&["solve", "chess", "--position", mate, "--depth", "1", "--json"]);
    assert_eq!((&solved[0]["value"], &solved[0]["best"]), (&json!("win"), &json!("e1e8")));
    // A file: the limit is for each position.
    let list = file("limit", "3/3/3 x\n3/3/3 x\n");
    let solved = objects(&["solve", "tictactoe", "--positions", &list, "--nodes", "10", "--json"]);
    assert_eq!((&solved[1]["nodes"], &solved[2]["unknown"]), (&json!(10), &json!(2)));
}

#[test]
fn bad_input_is_one_line_and_exit_code_2() {
    let empty = file("empty", "\n# nothing\n");
    let header = file("header", "id\tposition\n");
    let broken = file("broken", "xx1/oo1/3 x\n3/3 x\n");
    let ragged = file("ragged", "id\tposition\n1\t3/3/3 x\n2\n");
    let binary = file("binary", [0xff, 0xfe, 0, 1]);
    let cases: &[(&[&str], &str)] = &[
        (&["solve", "tictacto"], "did you mean \"tictactoe\"?"),
        (&["solve", "tictactoe", "--position", "3/3 x"], "position \"3/3 x\""),
        (&["solve", "tictactoe", "--positions", "/no/such/file"], "/no/such/file"),
        (&["solve", "tictactoe", "--positions", &empty], "there is no position"),
        (&["solve", "tictactoe", "--positions", &header], "there is no position"),
        (&["solve", "tictactoe", "--positions", &broken], "line 2: position"),
        (&["solve", "tictactoe", "--positions", &ragged], "line 3: 1 columns"),
        (&["solve", "tictactoe", "--positions", &binary], "UTF-8"),
        (&["solve", "tictactoe", "--positions", "x", "--position", "3/3/3 x"], "cannot be used"),
        (&["solve", "tictactoe", "--algorithm", "guess"], "brute-force"),
        (&["solve", "tictactoe", "--time", "soon"], "500ms"),
        (&["solve", "tictactoe", "--time", "-1s"], "'-1s'"),
        (&["solve", "tictactoe", "--nodes", "0"], "0 is not in 1.."),
        (&["solve", "tictactoe", "--nodes", "-5"], "-5"),
        (&["solve", "tictactoe", "--algorithm", "df-pn,guess"], "'guess'"),
        (&["solve", "tictactoe", "--algorithm", "alpha-bet"], "did you mean \"alpha-beta\""),
        (&["solve", "tictactoe", "--algorithm", "mia"], "mia"),
        (&["solve", "loa", "--algorithm", "mia:null=of", "--nodes", "9"], "expected on or off"),
        (&["solve", "tictactoe", "--simulations", "5"], "brute-force has none"),
        (&["solve", "tictactoe", "--algorithm", "df-pn", "--simulations", "5"], "df-pn has none"),
        (&["solve", "tictactoe", "--algorithm", "mcts", "--depth", "5"], "mcts has none"),
        (&["solve", "tictactoe", "--algorithm", "uct", "--depth", "5"], "error: a limit on depth"),
        (&["solve", "tictactoe", "--memory", "much"], "512M"),
        (&["solve", "tictactoe", "--memory", "99999G"], "--memory"),
    ];
    for (arguments, expected) in cases {
        for json in [false, true] {
            let mut arguments = arguments.to_vec();
            arguments.extend(json.then_some("--json"));
            assert_refused(&arguments, expected);
        }
    }
}
