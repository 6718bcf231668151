//! `spinney tournament` through the real binary.

mod common;

use std::fs;
use std::path::PathBuf;

use common::{assert_refused, stdout};

fn tournament(out: &str, more: &[&str]) -> Vec<String> {
    let players = ["random", "uct", "uct:c=1"];
    let limit = ["--simulations", "60", "--out", out];
    let arguments = [&["tournament", "breakthrough"], &players[..], &limit, more].concat();
    arguments.into_iter().map(str::to_owned).collect()
}

fn play(out: &str, more: &[&str]) -> String {
    let arguments = tournament(out, more);
    stdout(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Player, points and games of each line.
fn standings(text: &str) -> Vec<(String, f64, u64)> {
    let line = |line: &str| {
        let mut words = line.split_whitespace().rev();
        let player = words.next().expect("a player").to_owned();
        let games = words.next().expect("games").parse().expect("a number");
        (player, words.next().expect("points").parse().expect("a number"), games)
    };
    text.lines().skip(1).map(line).collect()
}

#[test]
fn everybody_or_one_against_all() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("tournament");
    let _ = fs::remove_dir_all(&folder);
    let out = folder.to_str().expect("text");
    let text = play(out, &["--rounds", "2"]);
    let first = standings(&text);
    assert_eq!(first.iter().map(|line| line.2).collect::<Vec<_>>(), [8, 8, 8], "{text}");
    assert_eq!(first.iter().map(|line| line.1).sum::<f64>(), 12.0, "{text}");
    assert_eq!(first[2].0, "random", "searching beats chance: {text}");
    // Games that are there are kept, whatever the concurrency; more rounds are added.
    assert_eq!(play(out, &["--rounds", "2", "--concurrency", "2"]), text);
    let more = standings(&play(out, &["--rounds", "3"]));
    assert_eq!(more.iter().map(|line| line.2).collect::<Vec<_>>(), [12, 12, 12]);
    assert_eq!(fs::read_dir(folder.join("tasks")).expect("matches").count(), 3);
    // In a gauntlet the others meet the first player only.
    let gauntlet = standings(&play(out, &["--rounds", "2", "--gauntlet"]));
    for (player, _, games) in gauntlet {
        assert_eq!(games, if player == "random" { 8 } else { 4 }, "{player}");
    }
    // Neighbours: the one in the middle meets both others.
    let neighbours = standings(&play(out, &["--rounds", "2", "--neighbours"]));
    for (player, _, games) in neighbours {
        assert_eq!(games, if player == "uct" { 8 } else { 4 }, "{player}");
    }
    assert_refused(&["tournament", "loa", "uct", "--rounds", "1", "--out", out], "PLAYER");
    assert_refused(
        &["tournament", "loa", "uct", "uct:x=1", "--rounds", "1", "--out", out],
        "no option \"x\"",
    );
}
