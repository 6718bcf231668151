//! Other programs as players, through the real binary: they crash, hang and cheat here.
#![cfg(unix)]

mod common;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, Instant};

use common::{BINARY, assert_refused, interrupt, json, scratch, start, stdout, wait_for_search};
use serde_json::Value;

/// A program that greets, and does `on_go` when it is to search. It notes what it hears, and its
/// process number, in files beside it.
fn fake_engine(name: &str, on_go: &str) -> String {
    let path = scratch(name);
    let text = format!(
        r#"#!/bin/sh
echo $$ > "$0.pid"
while read -r line; do
    echo "$line" >> "$0.log"
    case "$line" in
        uci) echo "id name fake"; echo "option name Skill Level type spin default 20"; echo uciok;;
        isready) echo readyok;;
        go*) {on_go};;
        quit) exit 0;;
    esac
done
"#
    );
    for extension in ["pid", "log"] {
        let _ = fs::remove_file(format!("{}.{extension}", path.display()));
    }
    fs::write(&path, text).expect("written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("executable");
    path.to_str().expect("text").to_owned()
}

fn log(engine: &str) -> String {
    fs::read_to_string(format!("{engine}.log")).expect("a log")
}

/// Whether the last process of a fake engine is gone, and not only dead.
fn assert_reaped(engine: &str) {
    let pid = fs::read_to_string(format!("{engine}.pid")).expect("a process number");
    assert!(!Path::new("/proc").join(pid.trim()).exists(), "{engine} is still there");
}

/// A match of two games against the engine, and the records of the games.
fn play(name: &str, engine: &str, options: &str) -> (Value, Vec<Value>) {
    let out = scratch(&format!("{name}.jsonl"));
    let path = out.to_str().expect("text");
    let player = format!("external:cmd={engine}{options}");
    let arguments = ["match", "chess", &player, "random", "--games", "2", "--time", "20ms"];
    let result = json(&[&arguments[..], &["--json", "--out", path]].concat());
    let records = fs::read_to_string(&out).expect("records");
    (result, records.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect())
}

#[test]
fn a_failing_engine_loses_with_the_reason_and_is_started_again() {
    for (name, on_go, reason) in [
        ("crash", "exit 3", "exit status: 3"),
        ("illegal", "echo bestmove e2e5", "move \"e2e5\": not a legal move here"),
        ("none", "echo 'bestmove (none)'", "move \"(none)\""),
        ("hang", "exec sleep 100", "no move within"),
    ] {
        let engine = fake_engine(&format!("fake-{name}"), on_go);
        let started = Instant::now();
        let (result, records) = play(name, &engine, ",timeout=1");
        assert!(started.elapsed() < Duration::from_secs(20), "{name}: {:?}", started.elapsed());
        assert_eq!(result["wins_b"], 2, "{name}: {result}");
        assert_eq!((&result["forfeits_a"], &result["forfeits_b"]), (&2.into(), &0.into()));
        for record in &records {
            assert_eq!(record["end"], "no-move");
            let failure = record["failure"].as_str().expect("a reason");
            assert!(failure.contains(reason), "{name}: {failure}");
        }
        assert_eq!(log(&engine).matches("uci\n").count(), 2, "{name}: started once a game");
        assert_reaped(&engine);
        let player = format!("external:cmd={engine},timeout=1");
        let text = stdout(&["match", "chess", &player, "random", "--games", "1", "--time", "9ms"]);
        assert!(text.contains("A forfeited 1 game: ") && text.contains(reason), "{text}");
        assert_refused(
            &["analyze", "chess", "--player", &player, "--depth", "1"],
            match name {
                "hang" => "no sign of life within 1s",
                _ => reason,
            },
        );
        assert_reaped(&engine);
    }
}

#[test]
fn an_engine_that_cannot_begin_is_refused() {
    let refused = |player: &str, reason: &str| {
        assert_refused(&["match", "chess", player, "random", "--games", "2"], reason);
        assert_refused(&["analyze", "chess", "--player", player], reason);
    };
    refused("external", "cmd: expected a program");
    refused("external:cmd=", "cmd: expected a program");
    refused("external:cmd='", "cmd: expected a program");
    refused("external:cmd=/no/such/program", "No such file");
    refused("external:cmd=false", "the program ended (exit status: 1), without uciok");
    refused("external:cmd=cat,timeout=1", "no uciok within 1s");
    refused("external:cmd=yes,timeout=1", "no uciok within 1s");
    refused("external:cmd=cat,timeout=0", "timeout: expected 1");
    refused("external:cmd=cat,protocol=gtp", "uci, ugi");
    refused("external:cmd=cat,comand=cat", "no option \"comand\"");
    let engine = fake_engine("fake-options", "exit 1");
    refused(&format!("external:cmd={engine},option.Skil=1"), "has no option \"Skil\"");
    assert_reaped(&engine);
}

#[test]
fn an_engine_is_told_everything() {
    let engine = fake_engine("fake-told", "echo bestmove e7e5");
    let player = format!("external:cmd=\"{engine} 'with, comma'\",option.Skill Level=3");
    let analysis = ["analyze", "chess", "--player", &player, "--moves", "e4", "--json"];
    let limits = ["--time", "30ms", "--nodes", "5", "--depth", "2"];
    assert_eq!(json(&[&analysis[..], &limits].concat())["best"], "e7e5");
    let heard = log(&engine);
    let lines: Vec<&str> = heard.lines().collect();
    let expected = [
        "uci",
        "setoption name Skill Level value 3",
        "isready",
        "position fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
        "go movetime 30 nodes 5 depth 2",
    ];
    assert_eq!(lines[..5], expected);
    // Without a limit that it understands there is nothing to tell.
    let arguments = ["analyze", "chess", "--player", &player, "--simulations", "10"];
    assert_refused(&arguments, "simulations mean nothing to another program");
    assert_reaped(&engine);
}

/// The engine hears of the moves, so that it knows of repetitions.
#[test]
fn an_engine_is_told_the_moves_of_a_game() {
    let engine = fake_engine(
        "fake-moves",
        r#"n=$((n + 1)); case $n in 1) echo bestmove g1f3;; *) echo bestmove f3g1;; esac"#,
    );
    let player = format!("external:cmd={engine}");
    let arguments = ["match", "chess", &player, "random", "--games", "1", "--max-plies", "3"];
    json(&[&arguments[..], &["--time", "20ms", "--json"]].concat());
    let heard = log(&engine);
    let positions: Vec<&str> = heard.lines().filter(|line| line.starts_with("position")).collect();
    assert_eq!(positions.len(), 2, "{heard}");
    assert!(!positions[0].contains("moves"));
    assert!(positions[1].starts_with(&format!("{} moves g1f3 ", positions[0])), "{heard}");
}

/// An interrupt is for this program alone: it tells the engine to stop.
#[test]
fn an_interrupted_analysis_has_the_engine_s_move() {
    let player = format!("external:cmd=\"{BINARY} engine --protocol uci\"");
    let arguments = ["analyze", "chess", "--player", &player, "--time", "1h", "--json"];
    let child = start(&arguments);
    wait_for_search(&child);
    let analysis: Value = serde_json::from_str(&interrupt(child)).expect("JSON");
    assert!(analysis["best"].is_string(), "{analysis}");
}

#[test]
fn this_program_plays_itself_as_another() {
    for (game, protocol, inner) in
        [("chess", "uci", "uct"), ("chess", "ugi", "uct"), ("breakthrough", "ugi", "uct")]
    {
        let player = format!(
            "external:cmd=\"{BINARY} engine --protocol {protocol} --game {game} --player {inner}\",\
             protocol={protocol},option.Solver=true"
        );
        let limits = ["--limit-a", "time=10ms", "--limit-b", "simulations=1", "--max-plies", "60"];
        let arguments = ["match", game, &player, "random", "--games", "2", "--json"];
        let result = json(&[&arguments[..], &limits].concat());
        assert_eq!((&result["games"], &result["forfeits_a"]), (&2.into(), &0.into()), "{result}");
        assert_eq!(result["wins_b"], 0, "{result}");
    }
    let player = format!("external:cmd=\"{BINARY} engine --protocol uci\",option.MultiPV=3");
    let mate = "7k/8/5KQ1/8/8/8/8/8 w - - 0 1";
    let analysis = ["analyze", "chess", "--position", mate, "--player", &player, "--json"];
    let analysis = json(&[&analysis[..], &["--time", "300ms"]].concat());
    assert_eq!((&analysis["proven"], &analysis["plies"]), (&"win".into(), &1.into()));
}
