//! What an outside game gets: the contract, and every command through the real binary.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use connect_four::ConnectFour;
use spinney_game::{Game, conformance};

fn run(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_connect-four")).args(arguments).output();
    let output = output.expect("the binary has been built");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn conforms() {
    conformance::check(&ConnectFour::default());
    conformance::fuzz_parsers(&ConnectFour::default(), 20_000, 1);
    // Counted by other programs: only from seven stones on can a game be over.
    assert_eq!(ConnectFour::default().perft(6), 117_649);
    assert_eq!(ConnectFour::default().perft(7), 823_536);
    assert_eq!(ConnectFour::default().perft(8), 5_673_234);
}

#[test]
fn analyses_and_solves() {
    assert!(run(&["games"]).contains("connect-four          drop stones; four in a row win"));
    // Three in a row on the first rank: d1 wins.
    let three = "7/7/7/7/ooo4/xxx4 b";
    let text = run(&["analyze", "connect-four", "--position", three, "--simulations", "2000"]);
    assert!(text.starts_with("best d1, value +1.000, proven win in 1"), "{text}");
    let text = run(&["solve", "connect-four", "--position", three, "--algorithm", "df-pn"]);
    assert!(text.starts_with("win, best d1"), "{text}");
}

#[test]
fn plays_matches_and_experiments() {
    let text =
        run(&["match", "connect-four", "uct", "random", "--games", "20", "--simulations", "200"]);
    let wins: u32 = text.split_whitespace().nth(1).and_then(|n| n.parse().ok()).expect("a number");
    assert!(wins >= 18, "{text}");

    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("connect-four");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("own.toml");
    fs::write(&file, EXPERIMENT).expect("a file");
    let results = folder.join("results");
    let [file, results] = [&file, &results].map(|path| path.to_str().expect("text"));
    let text = run(&["experiment", "run", file, "--out", results]);
    assert!(text.contains("strong"), "{text}");
    assert!(run(&["experiment", "report", results]).contains("report.html"));
}

const EXPERIMENT: &str = r#"
id = "own/connect-four"
paper = "none"
table = "1"
title = "Connect Four"
claim = "More simulations play better."
conversion = "None."

[scale.quick]
clock = "count"
games = 10

[settings]
game = "connect-four"
seconds = 1

[players.weak]
spec = "uct"
second = "simulations=10"

[players.strong]
spec = "uct"
second = "simulations=300"

[[column]]
name = "against weak"
b = "weak"

[[row]]
name = "strong"
a = "strong"
published = ["?"]
"#;

#[test]
fn speaks_ugi() {
    let mut engine = Command::new(env!("CARGO_BIN_EXE_connect-four"))
        .args(["engine", "--protocol", "ugi", "--game", "connect-four"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary has been built");
    let commands = "ugi\nposition startpos moves d1 d2\ngo nodes 1000\nquery p1turn\n";
    let input = engine.stdin.as_mut().expect("a pipe");
    input.write_all(commands.as_bytes()).expect("it reads");
    // The input ends: so does the engine, after it has answered.
    drop(engine.stdin.take());
    let output = engine.wait_with_output().expect("it ends");
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(text.contains("ugiok") && text.contains("response true"), "{text}");
}
