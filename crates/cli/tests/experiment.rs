//! `spinney experiment` through the real binary.

mod common;

use std::fs;
use std::path::PathBuf;

use common::{assert_refused, stdout, stdout_with_code};

const OWN: &str = r#"
id = "own/table"
paper = "none"
table = "1"
title = "Searching against chance"
claim = "Searching helps."
conversion = "None."
[scale.quick]
clock = "count"
games = 6
[settings]
game = "breakthrough"
openings = "own-openings.txt"
seconds = 1
[players.uct]
spec = "uct"
second = "simulations=30"
[players.random]
spec = "random"
second = "simulations=1"
[[column]]
name = "random"
b = "random"
[[row]]
name = "uct"
a = "uct"
published = [2.0]
error = 1
"#;

fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a folder");
    path
}

#[test]
fn experiments_are_listed_and_shown() {
    let list = stdout(&["experiment", "list"]);
    assert!(list.lines().any(|line| line.starts_with("mcts-loa/table-2 ")), "{list}");
    let shown = stdout(&["experiment", "show", "nmcs/table-4"]);
    assert!(shown.contains("quick: 216 cells, 216 tasks, "), "{shown}");
    assert!(stdout(&["experiment", "show", "nmcs/table-4", "--toml"]).contains("[[row]]"));
    assert_refused(&["experiment", "show", "nmcs/tabel-4"], "did you mean \"nmcs/table-4\"?");
    assert_refused(&["experiment", "show", "no-such.toml"], "no-such.toml");
}

#[test]
fn a_file_of_ones_own_is_run_and_reported() {
    let folder = folder("own-experiment");
    let file = folder.join("own.toml");
    fs::write(&file, OWN).expect("written");
    let [file, out] =
        [file, folder.join("out")].map(|path| path.to_str().expect("text").to_owned());
    let arguments = ["experiment", "run", &file, "--out", &out];
    assert_refused(&arguments, "own-openings.txt");
    assert!(!folder.join("out").exists(), "nothing is begun");
    fs::write(folder.join("own-openings.txt"), "a2-a3\nb2-b3\n").expect("written");
    let text = stdout(&arguments);
    assert!(text.contains("\nuct  ") && text.contains("· 2.0 [1.0, 3.0] · +98.0 ["), "{text}");
    assert_refused(&arguments, "--resume continues");
    assert_eq!(stdout(&[&arguments[..], &["--resume"]].concat()), text);
    let markdown = stdout(&[&arguments[..], &["--resume", "--markdown"]].concat());
    assert!(markdown.contains("\n| uct | "), "{markdown}");
    // The report needs the folder alone.
    fs::remove_file(folder.join("own-openings.txt")).expect("removed");
    let paths = stdout(&["experiment", "report", &out]);
    for (path, expected) in paths.lines().zip(["Searching helps.", "<svg"]) {
        let report = fs::read_to_string(path).expect("a report");
        assert!(report.contains(expected) && report.contains("experiment run"), "{path}");
    }
    // A mistake has its line and leaves nothing.
    let wrong = folder.join("wrong.toml");
    fs::write(&wrong, OWN.replace("games = 6", "gmaes = 6")).expect("written");
    let wrong = wrong.to_str().expect("text");
    assert_refused(&["experiment", "run", wrong], "line 10: unknown key \"gmaes\"; did you mean");
    let player = OWN.replace("spec = \"uct\"", "spec = \"uct:x=1\"");
    fs::write(wrong, player.replace("openings = \"own-openings.txt\"\n", "")).expect("written");
    let never = folder.join("never");
    let never = never.to_str().expect("text");
    assert_refused(&["experiment", "run", wrong, "--out", never], "no option \"x\"");
    assert_refused(&["experiment", "report", never], "never");
    assert_refused(&["experiment", "run", &file, "--scale", "huge"], "own-openings.txt");
    assert_refused(&["experiment", "run", "nmcs/table-3", "--scale", "huge"], "paper, quick");
}

#[test]
fn an_experiment_in_pieces_is_the_same_experiment() {
    let folder = folder("sharded-experiment");
    let file = folder.join("own.toml");
    fs::write(&file, OWN.replace("openings = \"own-openings.txt\"\n", "")).expect("written");
    let path = |name: &str| folder.join(name).to_str().expect("text").to_owned();
    let [file, whole, shards, merged] = ["own.toml", "whole", "shards", "merged"].map(path);
    let text = stdout(&["experiment", "run", &file, "--out", &whole]);
    let cut = [file.as_str(), "--size", "4"];
    let plan = stdout(&[&["shard", "plan"], &cut[..], &["--out", &shards]].concat());
    let pieces: Vec<&str> = plan.lines().collect();
    assert_eq!(pieces.len(), 2, "{plan}");
    let merge = [&["shard", "merge"], &cut[..], &["--from", &shards, "--out", &merged]].concat();
    assert!(stdout(&["shard", "run", pieces[1]]).ends_with(": 2 done\n"));
    let told = stdout_with_code(&merge, 3);
    let name = pieces[0].rsplit('/').next().expect("a name").trim_end_matches(".json");
    assert!(told.contains(&format!("missing {name}: ")), "{told}");
    assert!(told.ends_with("1 of 2 pieces are complete\n"), "{told}");
    assert!(stdout(&["shard", "run", pieces[0]]).ends_with(": 4 done\n"));
    assert!(stdout(&["shard", "run", pieces[0]]).ends_with(": 0 done\n"));
    assert_eq!(stdout(&merge), "2 of 2 pieces are complete\n");
    assert_eq!(stdout(&["experiment", "run", &file, "--out", &merged, "--resume"]), text);
    assert_refused(&["shard", "run", &file], "own.toml");
    assert_refused(&["shard", "run"], "FILE");
    assert_refused(&["shard", "merge", &file, "--from", "no/such", "--out", &merged], "no/such");
}
