//! `tablebase` through the real binary.

mod common;

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use common::{BINARY, assert_refused, json, spinney, start, stdout};
use serde_json::{Value, json as object};

const QUEEN: &str = "8/8/8/8/8/1k6/7q/K7 b - - 0 1";

/// A folder that is not there yet.
fn folder(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("cli-tablebase-{name}"));
    let _ = fs::remove_dir_all(&path);
    path.to_str().expect("text").to_owned()
}

#[test]
fn tables_are_built_checked_and_asked() {
    let dir = folder("built");
    let text = stdout(&["tablebase", "build", "--pieces", "3", "--dir", &dir]);
    assert_eq!(text, format!("5 tables in {dir}\n"));
    let text = stdout(&["tablebase", "check", &dir]);
    assert_eq!(text.lines().next(), Some("KQvK ok, longest mate 10 moves (19 plies)"));
    assert_eq!(text.lines().last(), Some("KPvK ok, longest mate 28 moves (55 plies)"));
    let answer = json(&["tablebase", "probe", QUEEN, "--dir", &dir, "--json"]);
    assert_eq!(answer["position"], QUEEN);
    assert_eq!((&answer["value"], &answer["plies"]), (&object!("win"), &object!(1)));
}

/// The names of the files in a folder.
fn names(dir: &str) -> Vec<String> {
    let entries = fs::read_dir(dir).expect("a folder");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("text"))
        .collect();
    names.sort();
    names
}

#[cfg(unix)]
#[test]
fn an_interrupted_build_leaves_whole_tables_only() {
    let dir = folder("interrupted");
    stdout(&["tablebase", "build", "--pieces", "3", "--dir", &dir]);
    let is_table = |name: &String| name.ends_with(".dtm");
    for _ in 0..3 {
        let before = names(&dir).len();
        let child = start(&["tablebase", "build", "--pieces", "4", "--dir", &dir]);
        let patience = Instant::now() + Duration::from_secs(120);
        // While a table is being written, if that can be seen, or right after.
        while names(&dir).len() == before {
            assert!(Instant::now() < patience, "no table was built");
            sleep(Duration::from_millis(1));
        }
        let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(kill.expect("kill").success());
        let output = child.wait_with_output().expect("it ends");
        assert!(names(&dir).iter().all(is_table), "{:?}", names(&dir));
        assert_eq!(output.status.code(), Some(130));
        assert!(output.stdout.is_empty() && output.stderr.is_empty());
    }
    // What a killed program leaves is removed by the next build.
    for name in names(&dir).iter().filter(|name| name.len() > "KQvK.dtm".len()) {
        fs::remove_file(format!("{dir}/{name}")).expect("removed");
    }
    fs::rename(format!("{dir}/KQvK.dtm"), format!("{dir}/KQvK.dtm.part")).expect("renamed");
    stdout(&["tablebase", "build", "--pieces", "3", "--dir", &dir]);
    assert_eq!(
        names(&dir),
        ["KBvK", "KNvK", "KPvK", "KQvK", "KRvK"].map(|name| name.to_owned() + ".dtm")
    );
}

#[test]
fn tables_lie_in_the_cache_unless_told_otherwise() {
    let cache = folder("cache");
    let run = |arguments: &[&str]| {
        let output = Command::new(BINARY).args(arguments).env("XDG_CACHE_HOME", &cache).output();
        String::from_utf8(output.expect("the binary has been built").stdout).expect("text")
    };
    // 1. Three men need no file.
    assert_eq!(
        run(&["tablebase", "probe", "k7/2Q5/1K6/8/8/8/8/8 b - -"]),
        "draw, k7/2Q5/1K6/8/8/8/8/8 b - -\n"
    );
    // 2. What is built is found.
    let dir = format!("{cache}/spinney/tablebase");
    assert_eq!(run(&["tablebase", "build", "--pieces", "3"]), format!("5 tables in {dir}\n"));
    assert_eq!(run(&["tablebase", "check"]).lines().count(), 5);
    assert_eq!(fs::read_dir(&dir).expect("a folder").count(), 5);
}

#[test]
fn positions_from_stdin() {
    let mut child = Command::new(BINARY)
        .args(["tablebase", "probe", "-", "--json"])
        .env("XDG_CACHE_HOME", folder("none"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary has been built");
    let lines = format!("{QUEEN}\n8/8/8/8/8/k7/8/K5QQ w - -\n");
    child.stdin.take().expect("a pipe").write_all(lines.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8(output.stdout).expect("text");
    let answers: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(answers[0]["value"], "win");
    assert_eq!(answers[1]["value"], "unknown");
    assert_eq!((&answers[1]["plies"], &answers[1]["best"]), (&Value::Null, &Value::Null));
}

#[test]
fn bad_input_is_refused() {
    let dir = folder("bad");
    assert_refused(&["tablebase", "check", &dir], "No such file");
    assert_refused(&["tablebase", "probe", QUEEN, "--dir", &dir], "No such file");
    assert_refused(&["tablebase", "probe", QUEEN, "--syzygy", &dir], "No such file");
    assert_refused(&["tablebase", "check", "--syzygy", &dir], "No such file");
    assert_refused(&["tablebase", "probe", "nonsense"], "nonsense");
    assert_refused(&["tablebase", "build", "--pieces", "5", "--dir", &dir], "5");
    fs::create_dir(&dir).expect("a folder");
    assert_refused(&["tablebase", "check", &dir], "no endgame tables");
    assert_refused(&["tablebase", "check", "--syzygy", &dir], "KQvK.rtbw is missing");
    stdout(&["tablebase", "build", "--pieces", "3", "--dir", &dir]);
    fs::write(format!("{dir}/KRvK.dtm"), "hello\n").expect("a file");
    assert_refused(&["tablebase", "check", &dir], "KRvK.dtm: this is no endgame table");
    // A file in the way of the folder.
    assert_refused(&["tablebase", "build", "--dir", &format!("{dir}/KRvK.dtm")], "KRvK.dtm");
    assert!(spinney(&["tablebase"]).stdout.is_empty());
}
