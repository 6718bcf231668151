//! `solve` through the real binary: values, files of positions, limits, and one line of
//! explanation with exit code 2 for every kind of bad input.

mod common;

use std::fs;

use common::{assert_refused, scratch, spinney, stdout, stdout_with_code};
use serde_json::{Value, json};

/// The objects that a run prints. Its exit code says whether all values are known.
fn objects(arguments: &[&str]) -> Vec<Value> {
    let output = spinney(arguments);
    let text = String::from_utf8(output.stdout).expect("text");
    let read = |line| serde_json::from_str(line).expect("one object per line");
    let objects: Vec<Value> = text.lines().map(read).collect();
    let is_unknown = objects.iter().any(|object| object["value"] == "unknown");
    let code = if is_unknown { 3 } else { 0 };
    assert_eq!(output.status.code(), Some(code), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty(), "{arguments:?} is not quiet in a pipe");
    objects
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
    let text = stdout_with_code(&command, 3);
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
        // The shortest win has 3; that of df-pn need not be the shortest.
        assert!(solved["plies"].as_u64() >= Some(3) && (solved["plies"] == 3 || name == "df-pn"));
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
        (&["solve", "tictactoe", "--nodes", "0"], "expected a whole number from 1"),
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

/// A LOA position that takes df-pn some ten thousand nodes.
const LOA: [&str; 4] = ["solve", "loa", "--position", LOA_POSITION];
const LOA_POSITION: &str = "8/7o/5xxx/3o1x2/3oooo1/o1o1o1x1/1o6/7x w";

fn loa(more: &[&str]) -> Value {
    let arguments: Vec<&str> = LOA.iter().chain(&["--json"]).chain(more).copied().collect();
    objects(&arguments).remove(0)
}

/// A path in a folder for tests where nothing is yet.
fn fresh(name: &str) -> String {
    let path = scratch(&format!("solve-{name}"));
    let _ = fs::remove_file(&path);
    path.to_str().expect("text").to_owned()
}

#[test]
fn options_of_df_pn_change_its_work_and_not_its_value() {
    let algorithms = [
        "df-pn",
        "df-pn:wins=off",
        "df-pn:forced=off",
        "df-pn:initial=unit",
        "df-pn:initial=mobility",
        "df-pn:initial=evaluation",
        "df-pn:epsilon=100",
    ];
    let solved = algorithms.map(|name| loa(&["--algorithm", name]));
    for (index, one) in solved.iter().enumerate() {
        assert_eq!((&one["value"], &one["algorithm"]), (&json!("win"), &json!(algorithms[index])));
        let others = &solved[index + 1..];
        assert!(others.iter().all(|other| other["nodes"] != one["nodes"]), "{solved:?}");
    }
    for threads in ["2", "4"] {
        assert_eq!(loa(&["--algorithm", "df-pn", "--threads", threads])["value"], "win");
    }
    for (algorithm, message) in [
        ("df-pn:winz=on", "did you mean \"wins\"?"),
        ("df-pn:initial=best", "expected one of unit, mobility, threats, evaluation"),
        ("df-pn:forced=on,wins=off", "needs wins=on"),
        ("brute-force:wins=on", "no option"),
    ] {
        assert_refused(&["solve", "loa", "--algorithm", algorithm], message);
    }
    assert_refused(
        &["solve", "loa", "--algorithm", "pn", "--threads", "2"],
        "--threads: pn has none",
    );
}

#[test]
fn a_checkpoint_continues_a_search() {
    let checkpoint = fresh("checkpoint");
    let whole = loa(&["--algorithm", "df-pn:initial=mobility"]);
    let run = |nodes: &str| {
        let algorithm = ["--algorithm", "df-pn:initial=mobility", "--checkpoint", &checkpoint];
        loa(&[&algorithm[..], &["--nodes", nodes]].concat())
    };
    let mut last = run("5000");
    assert_eq!(last["value"], "unknown");
    for _ in 0..1000 {
        if last["value"] != "unknown" {
            break;
        }
        let before = last["nodes"].as_u64();
        last = run("5000");
        assert!(last["nodes"].as_u64() > before, "the work of all runs is added up");
    }
    assert_eq!((&last["value"], &last["best"]), (&whole["value"], &whole["best"]));
    // Solved, it is solved at once.
    let again = run("5000");
    assert_eq!(again["value"], "win");
    // Another game, or damage.
    let refused = ["--algorithm", "df-pn", "--checkpoint", &checkpoint];
    let other = [&["solve", "loa6"], &refused[..]].concat();
    assert_refused(&other, "a table of loa, not of loa6");
    let with_symmetry =
        [&LOA, &["--algorithm", "df-pn:symmetry=on", "--checkpoint", &checkpoint][..]];
    assert_refused(&with_symmetry.concat(), "a table with symmetry=false");
    let mut bytes = fs::read(&checkpoint).expect("the checkpoint");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&checkpoint, bytes).expect("the checkpoint");
    assert_refused(&[&LOA, &refused[..]].concat(), "damaged");
}

#[test]
fn saved_proofs_spare_another_run_the_work() {
    let (saved, log) = (fresh("saved"), fresh("log"));
    let first = loa(&["--algorithm", "df-pn", "--save", &saved, "--log", &log]);
    assert!(fs::metadata(&saved).expect("the proofs").len() <= 5_000_000);
    let second = loa(&["--algorithm", "df-pn", "--load", &saved]);
    assert_eq!((&first["value"], &second["value"]), (&json!("win"), &json!("win")));
    assert!(second["nodes"].as_u64() < first["nodes"].as_u64(), "{first} {second}");
    for line in fs::read_to_string(&log).expect("the log").lines() {
        let line: Value = serde_json::from_str(line).expect("an object a line");
        assert!(line["nodes"].is_u64() && line["bytes"].is_u64() && line["moves"].is_array());
    }
    assert_refused(
        &[&LOA[..], &["--load", "/nowhere/file", "--algorithm", "df-pn"]].concat(),
        "/nowhere/file",
    );
}

/// Several positions at once: the same results in the same order, except for the time they took.
#[test]
fn positions_are_solved_side_by_side() {
    let endgames =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/positions/loa-endgames.tsv");
    let text = fs::read_to_string(endgames).expect("the endgames");
    let head: Vec<&str> = text.lines().take(20).chain([HARDER]).collect();
    let list =
        file("side-by-side", head.join("\n").replace(HARDER, &format!("h1\t{HARDER}\twin\t\t\t")));
    let solve = |threads: &str| {
        let arguments = ["--algorithm", "df-pn", "--threads", threads, "--json"];
        let mut lines =
            objects(&[&["solve", "loa", "--positions", &list][..], &arguments].concat());
        for line in &mut lines {
            line["seconds"].take();
        }
        lines
    };
    let one = solve("1");
    for threads in ["2", "3"] {
        assert_eq!(solve(threads), one, "{threads} threads");
    }
    // A hard position gets all threads after a million nodes, within the limit of nodes.
    let start = file("start", "1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 b\n");
    let nodes = |limit: &str| {
        let limits = ["--algorithm", "df-pn", "--threads", "2", "--nodes", limit, "--json"];
        let solved = objects(&[&["solve", "loa", "--positions", &start][..], &limits].concat());
        assert_eq!(solved[0]["value"], "unknown");
        solved[0]["nodes"].as_u64().expect("a number")
    };
    assert!((500_000..600_000).contains(&nodes("500000")));
    // The first thread to have done its half ends the search, so the other may have done less.
    assert!((1_750_000..2_600_000).contains(&nodes("1500000")));
}

/// Any claim can be certified, whoever made it, and the certificate says what the claim was.
#[test]
fn certificates_are_verified() {
    let file = fresh("certificate");
    for algorithm in ["brute-force", "mcts", "alpha-beta", "pn2", "df-pn", "uct"] {
        let solved = ["solve", "tictactoe", "--algorithm", algorithm, "--certificate", &file];
        assert!(stdout(&solved).starts_with("draw"), "{algorithm}");
        let verified = common::json(&["verify", &file, "--json"]);
        assert_eq!((&verified["game"], &verified["value"]), (&json!("tictactoe"), &json!("draw")));
        assert_eq!(verified["position"], "3/3/3 x");
        assert!(verified["positions"].as_u64() > Some(100));
        fs::remove_file(&file).expect("the certificate");
    }
    assert_eq!(loa(&["--algorithm", "df-pn", "--certificate", &file])["value"], "win");
    assert!(stdout(&["verify", &file]).contains("win for the side to move, proved"));
    let mut bytes = fs::read(&file).expect("the certificate");
    *bytes.last_mut().expect("bytes") ^= 1;
    fs::write(&file, bytes).expect("the certificate");
    assert_refused(&["verify", &file], "damaged: the checksum does not match");
    assert_refused(&["verify", "/nowhere/file"], "/nowhere/file: No such file");
    // No value, no certificate.
    fs::remove_file(&file).expect("the certificate");
    let limited = ["--algorithm", "df-pn", "--nodes", "10", "--certificate", &file];
    assert_eq!(loa(&limited)["value"], "unknown");
    assert!(!fs::exists(&file).expect("a folder"));
}

/// A search that is killed a hundred times, at any moment, has the value of one that is not.
#[test]
#[ignore = "minutes: run by ./check --nightly"]
fn a_hundred_kills_change_nothing() {
    let checkpoint = fresh("killed");
    let algorithm = ["--algorithm", "df-pn:wins=off", "--checkpoint", &checkpoint, "--json"];
    let fast = ["--checkpoint-every", "100ms", "--threads", "2"];
    let arguments = [&["solve", "loa", "--position", HARDER], &algorithm[..], &fast].concat();
    let (mut solved, mut continued) = (0, 0);
    let mut random = 1_u64;
    for _ in 0..100 {
        continued += u32::from(fs::exists(&checkpoint).expect("a folder"));
        let mut program = common::start(&arguments);
        // Up to about a second.
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        std::thread::sleep(std::time::Duration::from_millis(random >> 54));
        program.kill().expect("it can be killed");
        let output = program.wait_with_output().expect("it ends");
        let text = String::from_utf8(output.stdout).expect("text");
        if let Some(line) = text.lines().next() {
            let object: Value = serde_json::from_str(line).expect("an object");
            assert_eq!(object["value"], "win");
            solved += 1;
            // From the beginning.
            fs::remove_file(&checkpoint).expect("the checkpoint");
        }
    }
    let last = objects(&arguments).remove(0);
    assert_eq!(last["value"], "win");
    assert!(continued > 50, "{continued} continued, {solved} solved");
}

/// A win that takes df-pn without knowledge some seconds.
const HARDER: &str = "6x1/ox6/1xxoo3/3ooo2/1xo2o1o/3xx3/2o5/2x5 w";
