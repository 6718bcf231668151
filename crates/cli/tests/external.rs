//! Other programs as players, through the real binary: they crash, hang and cheat here.
#![cfg(unix)]

mod common;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
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
                "hang" => "no readyok within 1s",
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
    refused("external:cmd='", "a quotation mark is not closed");
    refused("external:cmd=/no/such/program", "No such file");
    refused("external:cmd=false", "the program ended (exit status: 1), without uciok");
    refused("external:cmd=cat,timeout=1", "no uciok within 1s");
    refused("external:cmd=yes,timeout=1", "no uciok within 1s");
    refused("external:cmd=cat,timeout=0", "timeout=0: expected 1 to 86400 s");
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
        "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e4",
        "isready",
        "go movetime 30 nodes 5 depth 2",
    ];
    assert_eq!(lines[..6], expected);
    // Without a limit that it understands there is nothing to tell.
    let arguments = ["analyze", "chess", "--player", &player, "--simulations", "10"];
    assert_refused(&arguments, "a limit on simulations does not end this search");
    assert_reaped(&engine);
}

/// The engine hears of all moves, also of those before its first, so that it knows of repetitions.
#[test]
fn an_engine_is_told_the_moves_of_a_game() {
    let engine = fake_engine(
        "fake-moves",
        r#"case "$line$n" in *go*1) n=2; echo bestmove f3g1;; *) n=1; echo bestmove g1f3;; esac"#,
    );
    let openings = scratch("fake-moves.openings");
    fs::write(&openings, "e4 e5").expect("written");
    let player = format!("external:cmd={engine}");
    let arguments = ["match", "chess", &player, "random", "--games", "2", "--max-plies", "3"];
    let openings = ["--openings", openings.to_str().expect("text")];
    json(&[&arguments[..], &openings, &["--time", "20ms", "--json"]].concat());
    let heard = log(&engine);
    let positions: Vec<&str> = heard.lines().filter(|line| line.starts_with("position")).collect();
    let start =
        "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e4 e7e5";
    // It moves first in the first game and second in the second.
    assert_eq!(positions.len(), 3, "{heard}");
    assert_eq!(positions[0], start);
    assert!(positions[1].starts_with(&format!("{start} g1f3 ")), "{heard}");
    assert!(positions[2].starts_with(&format!("{start} ")), "{heard}");
    assert_eq!(positions[2].split(' ').count(), start.split(' ').count() + 1, "{heard}");
}

/// An interrupt is for this program alone: it tells the engine to stop.
#[test]
fn an_interrupted_analysis_has_the_engine_s_move() {
    let player = format!("external:cmd=\"{BINARY} engine --protocol uci\"");
    let arguments = ["analyze", "chess", "--player", &player, "--time", "1h", "--json"];
    let child = start(&arguments);
    wait_for_search(&child);
    let analysis: Value = serde_json::from_str(&interrupt(child, 0)).expect("JSON");
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

/// An engine that does not listen when it is told to stop delays an interrupt by its timeout only.
#[test]
fn an_interrupt_ends_a_search_that_cannot_be_stopped() {
    let engine = fake_engine("fake-deaf", ":");
    let player = format!("external:cmd={engine},timeout=1");
    let started = Instant::now();
    let child = start(&["match", "chess", &player, "random", "--games", "2", "--time", "1h"]);
    wait_for_search(&child);
    interrupt(child, 130);
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
    assert_reaped(&engine);
}

/// Engines that misbehave in every way: `engines/bad.py`.
#[cfg(target_os = "linux")]
mod bad_engines {
    use std::process::{Child, Command, Stdio};
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use super::*;

    /// What comes of a match of two games.
    #[derive(Clone, Copy)]
    enum Expected {
        /// Both games are played to their end.
        Played,
        /// Both games are lost, for this reason.
        Forfeited(&'static str),
        /// The match does not begin, for this reason.
        Refused(&'static str),
    }
    use Expected::{Forfeited, Played, Refused};

    const LONG_LINE: &str = "a line of more than 65536 bytes";
    const NOT_READY: &str = "no readyok within 1s";
    const TOO_MANY_LINES: &str = "1000000 lines without a move";

    const KINDS: [(&str, Expected); 51] = [
        ("good", Played),
        ("behind_a_shell", Played),
        ("behind_a_shell_that_ends", Played),
        ("carriage_returns", Played),
        ("slow", Played),
        ("early_bestmove", Played),
        ("two_bestmoves", Played),
        ("ready_after_the_search", Played),
        ("huge_numbers", Played),
        ("many_long_variations", Played),
        ("many_errors", Played),
        ("ignores_quit", Played),
        ("ignores_signals", Played),
        ("leaves_children", Played),
        ("leaves_a_daemon", Played),
        ("signals_its_group", Played),
        ("exits_at_once", Refused("the program ended (exit status: 3), without ugiok")),
        ("crashes_at_once", Refused("(signal: 11 (SIGSEGV)), without ugiok")),
        ("no_greeting", Refused("no ugiok within 1s")),
        ("slow_greeting", Refused("no ugiok within 1s")),
        ("half_a_greeting", Refused("no ugiok within 1s")),
        ("options_without_end", Refused("no ugiok within 1s")),
        ("garbage_at_the_start", Refused("no ugiok within 1s")),
        ("line_without_end_at_the_start", Refused(LONG_LINE)),
        ("never_ready", Refused(NOT_READY)),
        ("never_reads", Refused(NOT_READY)),
        ("closes_input", Refused(NOT_READY)),
        ("infos_without_end", Forfeited(NOT_READY)),
        ("infos_without_end_but_ready", Forfeited(TOO_MANY_LINES)),
        ("answers_without_end", Forfeited(TOO_MANY_LINES)),
        ("empty_lines_without_end", Forfeited(TOO_MANY_LINES)),
        ("line_without_end", Forfeited(LONG_LINE)),
        ("zeros_without_end", Forfeited(LONG_LINE)),
        ("zeros_in_lines", Forfeited(TOO_MANY_LINES)),
        ("garbage", Forfeited(NOT_READY)),
        ("bestmove_in_a_long_line", Forfeited(LONG_LINE)),
        ("half_a_line", Forfeited(NOT_READY)),
        ("long_nonsense", Forfeited("move \"")),
        ("nonsense", Forfeited("move \"colourless\"")),
        ("no_move", Forfeited("move \"\"")),
        ("illegal_move", Forfeited("move \"a9\"")),
        ("exits", Forfeited("the program ended (exit status: 3)")),
        ("exits_with_half_a_line", Forfeited("the program ended (exit status: 3)")),
        ("crashes", Forfeited("(signal: 11 (SIGSEGV))")),
        ("stops_itself", Forfeited(NOT_READY)),
        ("closes_output", Forfeited("the program closed its output")),
        ("leaves_its_output_to_a_child", Forfeited(NOT_READY)),
        ("never_moves", Forfeited("no move within 1.")),
        ("searches_without_end", Forfeited(NOT_READY)),
        ("hangs_behind_a_shell", Forfeited(NOT_READY)),
        ("starts_only_once", Forfeited("the program ended (exit status: 3)")),
    ];

    /// A match with a bad engine. All processes that it leads to have `tag` in their environment.
    struct Run {
        child: Child,
        tag: String,
        records: PathBuf,
    }

    impl Run {
        fn start(test: &str, kind: &str, expected: Expected, games: &str) -> Run {
            let tag = format!("{}-{test}-{kind}", std::process::id());
            let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/engines/bad.py");
            let file = scratch(&format!("bad-{test}-{kind}.starts"));
            let records = scratch(&format!("bad-{test}-{kind}.jsonl"));
            // Not the wrappers of version managers: they take longer to start than Python.
            let usual = "/usr/bin/python3";
            let python = if Path::new(usual).exists() { usual } else { "python3" };
            let engine = format!("{python} -SE {script} {kind} {}", file.display());
            let command = match kind {
                "behind_a_shell" | "hangs_behind_a_shell" => format!("sh -c '{engine}; true'"),
                "behind_a_shell_that_ends" => format!("sh -c 'exec 3<&0; {engine} <&3 &'"),
                _ => engine,
            };
            // Where no timeout is expected, there is none on a busy machine either.
            let timeout = match expected {
                _ if kind == "ready_after_the_search" => 2,
                Forfeited(reason) | Refused(reason) if reason.contains("within 1") => 1,
                _ => 20,
            };
            let mut player = format!("external:cmd=\"{command}\",timeout={timeout}");
            if kind == "never_reads" {
                // More than its input holds.
                player += &format!(",option.Text={}", "x".repeat(10_000));
            }
            let limit = if kind == "never_moves" { "time=10ms" } else { "depth=1" };
            let child = Command::new(BINARY)
                .args(["match", "tictactoe", &player, "random", "--games", games, "--json"])
                .args(["--limit-a", limit, "--limit-b", "simulations=1", "--out"])
                .arg(&records)
                .env("SPINNEY_TEST", &tag)
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .expect("the binary has been built");
            Run { child, tag, records }
        }

        /// The processes of the run, itself included, zombies excluded.
        fn processes(&self) -> Vec<String> {
            let mark = format!("SPINNEY_TEST={}\0", self.tag).into_bytes();
            let is_ours =
                |environment: Vec<u8>| environment.windows(mark.len()).any(|window| window == mark);
            let entries = fs::read_dir("/proc").expect("/proc");
            entries
                .filter_map(|entry| Some(entry.ok()?.path()))
                .filter(|path| fs::read(path.join("environ")).is_ok_and(is_ours))
                .filter_map(|path| fs::read_to_string(path.join("cmdline")).ok())
                .collect()
        }

        /// Waits until no process is left.
        fn check_processes(&self) -> Result<(), String> {
            let patience = Instant::now() + Duration::from_secs(10);
            loop {
                let left = self.processes();
                if left.is_empty() {
                    return Ok(());
                }
                if Instant::now() >= patience {
                    return Err(format!("processes are left: {left:?}"));
                }
                thread::sleep(Duration::from_millis(20));
            }
        }

        /// A size in kilobytes from the status of the process; `None` if it has ended.
        fn memory(&self, key: &str) -> Option<u64> {
            let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
            let line = status.lines().find_map(|line| line.strip_prefix(key))?;
            line.split_whitespace().nth(1)?.parse().ok()
        }

        /// Waits for the end, and checks what came of it.
        fn check(mut self, expected: Expected) -> Result<(), String> {
            let started = Instant::now();
            let start = self.memory("VmRSS").unwrap_or(0);
            let mut peak = start;
            while self.child.try_wait().expect("a child").is_none() {
                peak = self.memory("VmHWM").unwrap_or(peak);
                if started.elapsed() > Duration::from_secs(60) {
                    let _ = self.child.kill();
                    let _ = self.child.wait();
                    return Err("the match does not end".to_owned());
                }
                thread::sleep(Duration::from_millis(10));
            }
            self.check_processes()?;
            let more = peak.saturating_sub(start) / 1024;
            if more > 50 {
                return Err(format!("{more} MB more than at the start"));
            }
            let output = self.child.wait_with_output().expect("output");
            let error = String::from_utf8_lossy(&output.stderr);
            if let Refused(reason) = expected {
                let is_refused = output.status.code() == Some(2) && error.contains(reason);
                return if is_refused { Ok(()) } else { Err(format!("not refused: {error}")) };
            }
            let result: Value = serde_json::from_slice(&output.stdout)
                .map_err(|problem| format!("{problem}: {error}"))?;
            let records = fs::read_to_string(&self.records).expect("records");
            let failures: Vec<Value> = records
                .lines()
                .map(|line| serde_json::from_str::<Value>(line).expect("JSON")["failure"].take())
                .collect();
            let is_expected = match expected {
                Forfeited(reason) => {
                    let fails = |failure: &Value| {
                        let failure = failure.as_str().unwrap_or_default();
                        failure.contains(reason) && failure.chars().count() <= 300
                    };
                    result["forfeits_a"] == 2 && failures.iter().all(fails)
                }
                _ => result["forfeits_a"] == 0,
            };
            if is_expected && result["games"] == 2 && failures.len() == 2 {
                return Ok(());
            }
            Err(format!("{result} {failures:?}"))
        }
    }

    /// Runs `check` for all kinds, some at a time, and tells of all that fail.
    fn check_all(check: impl Fn(&str, Expected) -> Result<(), String> + Sync) {
        let next = AtomicUsize::new(0);
        let work = || {
            let mut failed = Vec::new();
            while let Some(&(kind, expected)) = KINDS.get(next.fetch_add(1, Ordering::Relaxed)) {
                failed.extend(check(kind, expected).err().map(|why| format!("{kind}: {why}")));
            }
            failed
        };
        let failed: Vec<String> = thread::scope(|scope| {
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(work)).collect();
            threads.into_iter().flat_map(|thread| thread.join().expect("no panic")).collect()
        });
        assert!(failed.is_empty(), "{}", failed.join("\n"));
    }

    /// The match ends with the fault in its records, memory stays bounded, and no process is left.
    #[test]
    fn a_match_survives_every_bad_engine() {
        check_all(|kind, expected| Run::start("match", kind, expected, "2").check(expected));
    }

    #[test]
    fn no_process_outlives_a_killed_match() {
        check_all(|kind, expected| {
            let mut run = Run::start("kill", kind, expected, "1000000");
            let patience = Instant::now() + Duration::from_secs(5);
            let is_engine = |line: &String| line.contains("bad.py") && !line.starts_with(BINARY);
            while !run.processes().iter().any(is_engine)
                && run.child.try_wait().expect("a child").is_none()
                && Instant::now() < patience
            {
                thread::sleep(Duration::from_millis(10));
            }
            // The engine may need this time to do its worst.
            thread::sleep(Duration::from_millis(500));
            run.child.kill().expect("killed");
            run.child.wait().expect("reaped");
            run.check_processes()
        });
    }
}
