//! `spinney match` and `spinney players` through the real binary.

mod common;

use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use common::{
    BINARY, assert_refused, interrupt, json, scratch, spinney, start, stdout, wait_for_search,
};
use serde_json::Value;
use spinney_game::Rng;

/// The games of a file in their order, without times.
fn games(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).expect("the games");
    let mut games: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    for game in &mut games {
        for m in game["moves"].as_array_mut().expect("moves") {
            m["seconds"] = Value::Null;
        }
    }
    games.sort_by_key(|game| game["index"].as_u64());
    games
}

#[test]
fn lists_players() {
    assert!(stdout(&["players"]).lines().any(|line| line.starts_with("random ")));
    assert!(stdout(&["players", "breakthrough:8x8"]).contains("random "));
    assert_refused(&["players", "lao"], "did you mean \"loa\"?");
}

#[test]
fn the_json_object_has_its_keys() {
    for game in ["tictactoe", "breakthrough", "loa"] {
        let result = json(&["match", game, "random", "random", "--games", "40", "--json"]);
        let number = |key: &str| result[key].as_f64().unwrap_or_else(|| panic!("{key}: {result}"));
        assert_eq!(number("games"), 40.0);
        assert_eq!(number("wins_a") + number("draws") + number("wins_b"), 40.0);
        let score = (number("wins_a") + number("draws") / 2.0) / 40.0;
        assert_eq!(number("score_a"), score);
        let [low, high] = ["0", "1"].map(|i| result.pointer(&format!("/interval/{i}")));
        let [low, high] = [low, high].map(|end| end.and_then(Value::as_f64).expect("a number"));
        assert!(0.0 <= low && low < score && score < high && high <= 1.0, "{result}");
        assert!((number("elo") - 400.0 * (score / (1.0 - score)).log10()).abs() < 1e-9);
        assert!((0.0..=1.0).contains(&number("los")));
        assert_eq!(result["end"], "complete");
        assert_eq!(result["sprt"], Value::Null);
    }
}

#[test]
fn the_summary_can_be_read() {
    let text = stdout(&["match", "tictactoe", "random", "random", "--games", "101"]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3, "{text}");
    assert!(lines[0].starts_with("A ") && lines[0].contains(" of 101 games: "), "{text}");
    assert!(lines[0].ends_with(" for A") && lines[0].contains(" % ± "), "{text}");
    assert_eq!(lines[1], "A is random, B is random");
    assert!(lines[2].contains("Elo ") && lines[2].contains("likelihood of superiority"), "{text}");
}

#[test]
fn a_seed_gives_the_same_match_whatever_the_concurrency() {
    let run = |seed: &str, concurrency: &str| {
        let path = scratch(&format!("match-{seed}-{concurrency}.jsonl"));
        let mut summary = json(&[
            "match",
            "breakthrough",
            "random",
            "random",
            "--games",
            "30",
            "--simulations",
            "1",
            "--limit-b",
            "nodes=5,time=2s",
            "--seed",
            seed,
            "--concurrency",
            concurrency,
            "--json",
            "--out",
            path.to_str().expect("text"),
        ]);
        summary["seconds"] = Value::Null;
        (summary, games(&path))
    };
    let one = run("5", "1");
    assert_eq!(run("5", "2"), one);
    assert_ne!(run("6", "1").1, one.1);
    let (_, games) = one;
    assert_eq!(games.len(), 30);
    assert_eq!(games[0]["limit_a"], "simulations=1");
    assert_eq!(games[0]["limit_b"], "time=2s,nodes=5");
    assert_eq!(games[0]["first"], "a");
    assert_eq!(games[1]["first"], "b");
    assert!(games.iter().all(|game| game["end"] == "rules"));
}

#[test]
fn openings_come_from_a_file_and_games_are_appended() {
    let openings = scratch("openings.txt");
    fs::write(
        &openings,
        "# two openings\nb1-d3 a2-c2\n1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 w\n",
    )
    .expect("written");
    let out = scratch("appended.jsonl");
    fs::write(&out, "half a line of a run that was killed").expect("written");
    let [openings, path] = [&openings, &out].map(|path| path.to_str().expect("text"));
    let arguments = ["match", "loa", "random", "random", "--games", "5"];
    let arguments = [&arguments[..], &["--openings", openings, "--out", path]].concat();
    stdout(&arguments);
    stdout(&arguments);
    let text = fs::read_to_string(&out).expect("the games");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 11);
    assert_eq!(lines[0], "half a line of a run that was killed");
    let games: Vec<Value> =
        lines[1..6].iter().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    for (game, from_moves) in games.iter().zip([true, true, false, false, true]) {
        assert_eq!(game["opening"].as_array().map(Vec::len), Some(if from_moves { 2 } else { 0 }));
        assert!(game["start"].as_str().unwrap().ends_with(if from_moves { " b" } else { " w" }));
    }
}

#[test]
fn a_sequential_test_ends_the_match() {
    let arguments = ["match", "tictactoe", "random", "random", "--games", "100000"];
    let result = json(&[&arguments[..], &["--sprt", "-300,-100", "--json"]].concat());
    assert_eq!(result["end"], "sprt");
    assert_eq!(result["sprt"]["accepted"], "h1");
    assert!(result["games"].as_u64().unwrap() < 1000);
    let text = stdout(&[&arguments[..], &["--sprt=-300,-100"]].concat());
    assert!(text.contains("SPRT of Elo -300 against -100") && text.contains("-100 accepted"));
}

#[test]
fn players_have_clocks() {
    let file = scratch("clocks.jsonl");
    let out = file.to_str().expect("text");
    let external = format!("external:cmd=\"{BINARY} engine --protocol ugi --game breakthrough\"");
    let game = ["match", "breakthrough", "uct", &external, "--games", "2", "--json", "--out", out];
    let game = [&game[..], &["--tc", "2+0.05", "--tc-b", "3"]].concat();
    let result = json(&game);
    let forfeits = (&result["forfeits_a"], &result["forfeits_b"]);
    assert_eq!((&result["games"], forfeits), (&2.into(), (&0.into(), &0.into())), "{result}");
    let records = fs::read_to_string(&file).expect("records");
    assert!(records.contains(r#""limit_a":"tc=2+0.05","limit_b":"tc=3+0""#), "{records}");
    assert_eq!(json(&[&game[..], &["--resume"]].concat())["games"], 2);
    // A clock without time for a single move.
    let game = ["match", "loa", "mc-loa", "random", "--games", "2", "--json"];
    let late = json(&[&game[..], &["--tc-a", "0.000001", "--limit-b", "nodes=1"]].concat());
    assert_eq!((&late["forfeits_a"], &late["wins_b"]), (&2.into(), &2.into()), "{late}");
    assert_eq!(late["failure"], "out of time in ply 2", "{late}");
    assert_refused(&[&game[..], &["--tc", "10", "--time", "1s"]].concat(), "--tc");
    assert_refused(&[&game[..], &["--tc", "0+1"]].concat(), "such as 10+0.1");
}

#[cfg(unix)]
#[test]
fn interrupted_matches_keep_what_is_done() {
    let out = scratch("interrupted.jsonl");
    let path = out.to_str().expect("text");
    let arguments = ["match", "loa", "random", "random", "--games", "10000000", "--json"];
    let child = start(&[&arguments[..], &["--concurrency", "2", "--out", path]].concat());
    let patience = Instant::now() + Duration::from_secs(60);
    while fs::metadata(&out).map_or(0, |file| file.len()) == 0 {
        assert!(Instant::now() < patience, "no game ended");
        sleep(Duration::from_millis(10));
    }
    let result: Value = serde_json::from_str(&interrupt(child, 130)).expect("JSON");
    assert_eq!(result["end"], "stopped");
    let text = fs::read_to_string(&out).expect("the games");
    assert!(text.ends_with('\n'));
    assert_eq!(result["games"].as_u64(), Some(text.lines().count() as u64));
    fs::remove_file(&out).expect("removed");
}

#[cfg(unix)]
#[test]
fn a_long_search_does_not_delay_an_interrupt() {
    let child = start(&["match", "loa", "uct", "uct", "--games", "5", "--time", "1h"]);
    wait_for_search(&child);
    assert_eq!(interrupt(child, 130), "stopped after 0 of 5 games\n");
}

#[test]
fn a_searching_player_beats_a_random_one() {
    let arguments = ["match", "breakthrough", "uct", "random", "--games", "20", "--json"];
    let result = json(&[&arguments[..], &["--simulations", "50", "--concurrency", "2"]].concat());
    assert!(result["score_a"].as_f64().unwrap() > 0.8, "{result}");
}

#[test]
fn bad_input_is_one_line_and_exit_code_2() {
    let illegal = scratch("illegal.txt");
    fs::write(&illegal, "# comment\nb1-d3\nb1-d3 a2-b9\n").expect("written");
    let empty = scratch("empty.txt");
    fs::write(&empty, "# nothing\n").expect("written");
    let binary = scratch("binary.txt");
    fs::write(&binary, [0xff, 0xfe, 0x00]).expect("written");
    let [illegal, empty, binary] =
        [&illegal, &empty, &binary].map(|path| path.to_str().expect("text"));
    let out = scratch("never.jsonl");
    let never = out.to_str().expect("text");
    let enormous = "9".repeat(50);
    let cases: &[(&[&str], &str)] = &[
        (&["lao", "random", "random", "--games", "2"], "did you mean \"loa\"?"),
        (&["loa", "randon", "random", "--games", "2"], "did you mean \"random\"?"),
        (&["loa", "random", "nobody-at-all", "--games", "2"], "`spinney players`"),
        (&["loa", "random:level=3", "random", "--games", "2"], "no option \"level\""),
        (&["loa", "random", "random:level", "--games", "2"], "expected key=value"),
        (&["loa", "random", "random"], "--games <N>"),
        (&["loa", "random", "--games", "2"], "<B>"),
        (
            &["loa", "random", "random", "--games", "0"],
            "expected a whole number from 1 to 10000000",
        ),
        (&["loa", "random", "random", "--games", "-2"], "-2"),
        (
            &["loa", "random", "random", "--games", "10000001"],
            "expected a whole number from 1 to 10000000",
        ),
        (&["loa", "random", "random", "--games", &enormous], "from 1 to 10000000"),
        (
            &["loa", "random", "random", "--games", "2", "--concurrency", "0"],
            "expected a whole number from 1",
        ),
        (&["loa", "random", "random", "--games", "2", "--seed", "-1"], "-1"),
        (
            &["loa", "random", "random", "--games", "2", "--max-plies", "0"],
            "expected a whole number from 1",
        ),
        (&["loa", "random", "random", "--games", "2", "--adjudicate", "maybe"], "both"),
        (&["loa", "random", "random", "--games", "2", "--time", "soon"], "unit"),
        (&["loa", "random", "random", "--games", "2", "--limit-a", "1s"], "time=1s"),
        (&["loa", "random", "random", "--games", "2", "--limit-b", "time=1"], "unit"),
        (&["loa", "random", "random", "--games", "2", "--limit-b", "nodes=0"], "from 1"),
        (&["loa", "random", "random", "--games", "2", "--limit-b", "depth=1,depth=2"], "twice"),
        (&["loa", "random", "random", "--games", "2", "--limit-a", ""], "time=1s"),
        (&["loa", "random", "random", "--games", "2", "--sprt", "5"], "elo0,elo1"),
        (&["loa", "random", "random", "--games", "2", "--sprt", "5,0"], "elo0,elo1"),
        (&["loa", "random", "random", "--games", "2", "--openings", "no/such"], "no/such"),
        (
            &["loa", "random", "random", "--games", "2", "--openings", illegal],
            "illegal.txt: line 3: ply 2: move \"a2-b9\"",
        ),
        (&["loa", "random", "random", "--games", "2", "--openings", empty], "no opening"),
        (&["loa", "random", "random", "--games", "2", "--openings", binary], "UTF-8"),
    ];
    for (arguments, expected) in cases {
        let arguments = [&["match"], *arguments, &["--out", never]].concat();
        assert_refused(&arguments, expected);
        assert!(!out.exists(), "{arguments:?} left a file");
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_written_is_one_line_and_exit_code_2() {
    let arguments = ["match", "loa", "random", "random", "--games", "1000000", "--out"];
    for path in ["no/such/folder/games.jsonl", env!("CARGO_TARGET_TMPDIR"), ""] {
        assert_refused(&[&arguments[..], &[path]].concat(), "--out");
    }
    // A disk can also be full later.
    if cfg!(target_os = "linux") {
        assert_refused(&[&arguments[..], &["/dev/full"]].concat(), "--out: /dev/full: No space");
    }
}

#[test]
fn the_help_says_what_happens_to_an_odd_game() {
    let help = spinney(&["match", "--help"]);
    let help = String::from_utf8(help.stdout).expect("text");
    let words: Vec<&str> = help.split_whitespace().collect();
    let help = words.join(" ");
    assert!(help.contains("If the number of games is odd, the last opening is played once."));
}

/// A match of 40 games with limits that count, with these arguments after it.
fn small_match<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let arguments = ["match", "breakthrough", "uct", "uct:c=1", "--games", "40"];
    [&arguments[..], &["--simulations", "60", "--seed", "3", "--json"], more].concat()
}

#[test]
fn a_run_that_is_killed_ten_times_ends_as_if_it_never_was() {
    let whole = scratch("whole.jsonl");
    let mut expected = json(&small_match(&["--out", whole.to_str().expect("text")]));
    let size = fs::metadata(&whole).expect("the games").len();
    let out = scratch("killed.jsonl");
    let path = out.to_str().expect("text");
    let again = small_match(&["--out", path, "--resume", "--concurrency", "2"]);
    let mut rng = Rng::new(1);
    for kill in 0..10 {
        // A moment between two games, or within one, at which a tenth more is done than before.
        let wanted = size * kill / 11 + rng.next_u64() % (size / 11);
        let mut child = start(&again);
        let patience = Instant::now() + Duration::from_secs(60);
        // Room that a run claims for its games is no game.
        let written = || fs::read(&out).map_or(0, |text| text.trim_ascii_end().len() as u64);
        while written() < wanted {
            assert!(Instant::now() < patience, "no game ended");
            sleep(Duration::from_millis(1));
        }
        sleep(Duration::from_millis(rng.next_u64() % 20));
        child.kill().expect("killed");
        child.wait().expect("it ended");
        // A write that was cut short leaves the beginning of a line.
        if kill % 3 == 2 {
            let text = fs::read(&out).expect("the games");
            let torn = rng.next_u64() as usize % text.len().max(1);
            fs::write(&out, &text[..torn]).expect("written");
        }
    }
    let mut summary = json(&again);
    assert_eq!(games(&out), games(&whole));
    summary["seconds"] = Value::Null;
    expected["seconds"] = Value::Null;
    assert_eq!(summary, expected);
    // Nothing is left to do.
    let before = fs::read(&out).expect("the games");
    assert_eq!(json(&again)["games"], 40);
    assert_eq!(fs::read(&out).expect("the games"), before);
}

#[test]
fn a_file_of_another_match_is_refused_as_it_is() {
    let out = scratch("other.jsonl");
    let path = out.to_str().expect("text");
    stdout(&small_match(&["--out", path]));
    let before = fs::read(&out).expect("the games");
    let cases: &[(&[&str], &str)] = &[
        (&["--seed", "4"], "the seed is 3 there and 4 here"),
        (&["--limit-b", "simulations=61"], "the limit of B"),
        (&["--max-plies", "50"], "the cap on plies"),
        (&["--adjudicate", "one"], "adjudication"),
        (&["--games", "39"], "the match has 39 games"),
    ];
    for (change, expected) in cases {
        // The last of two options of one name counts only if the first is left out.
        let plain = small_match(&["--out", path, "--resume"]);
        let mut arguments: Vec<&str> = Vec::new();
        let mut skip = false;
        for argument in plain {
            if !skip && argument != change[0] {
                arguments.push(argument);
            }
            skip = argument == change[0];
        }
        arguments.extend_from_slice(change);
        assert_refused(&arguments, expected);
        assert_eq!(fs::read(&out).expect("the games"), before, "{change:?}");
    }
    for text in ["no game", "{\"game\":\"loa\"}\n", "\n"] {
        fs::write(&out, text).expect("written");
        assert_refused(&small_match(&["--out", path, "--resume"]), "line 1: no record");
        assert_eq!(fs::read(&out).expect("the file"), text.as_bytes());
    }
    fs::write(&out, [&before[..], &before[..200]].concat()).expect("written");
    stdout(&small_match(&["--out", path, "--resume"]));
    assert_eq!(fs::read(&out).expect("the games"), before, "a torn line is removed");
    fs::write(&out, [&before[..], &before[..]].concat()).expect("written");
    assert_refused(&small_match(&["--out", path, "--resume"]), "is there twice");
    assert_refused(&small_match(&["--resume"]), "--out");
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_found_before_a_game_and_damages_nothing() {
    let out = scratch("full.jsonl");
    stdout(&small_match(&["--out", out.to_str().expect("text")]));
    // Some games are to be played yet.
    let text = fs::read_to_string(&out).expect("the games");
    let before: String = text.split_inclusive('\n').take(3).collect();
    fs::write(&out, &before).expect("written");
    // No file may grow beyond what is there and 20 KB; the signal is ignored, so that writes fail.
    let blocks = before.len() / 512 + 40;
    let command = small_match(&["--resume", "--out", out.to_str().expect("text")]).join(" ");
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec {BINARY} {command}");
    let output = Command::new("sh").args(["-c", &script]).output().expect("a shell");
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.starts_with("error: --out: ") && error.contains("full.jsonl"), "{error}");
    assert_eq!(fs::read_to_string(&out).expect("the games"), before);
}

/// Simulations a second of all moves of a match with limits in time, with `concurrency` games at once.
fn rate(concurrency: &str) -> f64 {
    let out = scratch(&format!("rate-{concurrency}.jsonl"));
    let path = out.to_str().expect("text");
    let limits = ["--games", "8", "--time", "50ms", "--max-plies", "40", "--seed", "1"];
    let arguments = [&["match", "loa", "mc-loa", "mc-loa"], &limits[..]].concat();
    stdout(&[&arguments[..], &["--concurrency", concurrency, "--out", path]].concat());
    let (mut simulations, mut seconds) = (0.0, 0.0);
    for line in fs::read_to_string(&out).expect("the games").lines() {
        let game: Value = serde_json::from_str(line).expect("JSON");
        for m in game["moves"].as_array().expect("moves") {
            simulations += m["simulations"].as_f64().expect("a number");
            seconds += m["seconds"].as_f64().expect("a number");
        }
    }
    simulations / seconds
}

#[test]
#[ignore = "needs two idle cores: run by ./check --nightly"]
fn two_games_at_once_do_not_disturb_each_other() {
    let alone = rate("1");
    let beside = rate("2");
    assert!(
        (beside / alone - 1.0).abs() < 0.1,
        "{alone:.0} simulations a second, then {beside:.0}"
    );
}

#[test]
fn tuning_goes_on_where_it_was() {
    let [whole, parts] = ["tune-whole.jsonl", "tune-parts.jsonl"].map(scratch);
    let tune = |file: &std::path::Path| {
        let file = file.to_str().expect("a path");
        let vary = ["--vary", "c=0.5:0.2", "--vary", "max-plies=100:20"];
        let sizes = ["--iterations", "6", "--pairs", "1", "--simulations", "30", "--out", file];
        stdout(&[&["tune", "tictactoe", "uct"][..], &vary, &sizes].concat())
    };
    let text = tune(&whole);
    assert!(text.starts_with("6 of 6 iterations\nuct:"), "{text}");
    let course = fs::read_to_string(&whole).expect("a course");
    assert_eq!(course.lines().count(), 6);
    // Cut off in the middle of a line, and continued.
    fs::write(&parts, &course[..course.len() / 2]).expect("a course");
    assert_eq!(tune(&parts), text);
    assert_eq!(fs::read_to_string(&parts).expect("a course"), course);
    let file = whole.to_str().expect("a path");
    let refused = |vary: &str, problem: &str| {
        assert_refused(&["tune", "tictactoe", "uct", "--vary", vary, "--out", file], problem);
    };
    refused("c=0.5:0.2", "of another tuning");
    refused("c=0.5", "expected KEY=START:STEP");
    refused("d=0.5:0.2", "no option d");
    refused("c=-3:0.2", "a step is above 0");
    refused("solver=1:1", "is no number");
}
