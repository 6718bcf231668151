//! `spinney learn`: what is committed is what the command makes.

mod common;

use std::fs;
use std::path::Path;

use common::{assert_refused, json, scratch, stdout};
use serde_json::Value;

#[test]
fn the_openings_of_loa_are_made_by_the_command_in_their_header() {
    let committed = include_str!("../../../testdata/openings/loa-100.txt");
    assert!(
        committed.contains("`spinney learn openings --plies 3 --count 100 --balance 50 --seed 1`")
    );
    assert_eq!(stdout(&["learn", "openings"]), committed);
    let others = stdout(&["learn", "openings", "--seed", "2"]);
    assert_ne!(others, committed);
    let committed = include_str!("../../../testdata/openings/loa6-100.txt");
    assert_eq!(stdout(&["learn", "openings", "--game", "loa6"]), committed);
    assert_refused(&["learn", "openings", "--count", "100000"], "openings are so balanced");
}

/// Makes the positions of some games, small enough for a test.
fn make_games(out: &Path, more: &[&str]) -> String {
    let out = out.to_str().expect("a path");
    let mut arguments = vec!["learn", "games", "--nodes", "60", "--out", out];
    arguments.extend(more);
    stdout(&arguments)
}

#[test]
fn games_are_the_same_however_they_are_made() {
    let [whole, threads, shard] =
        ["whole.data", "threads.data", "shard.data"].map(|name| scratch(&format!("learn-{name}")));
    let summary = make_games(&whole, &["--games", "12"]);
    assert!(summary.starts_with("12 games, "), "{summary}");
    let bytes = fs::read(&whole).expect("a file");
    // 1. On three threads.
    make_games(&threads, &["--games", "12", "--threads", "3"]);
    assert_eq!(fs::read(&threads).expect("a file"), bytes);
    // 2. Cut off anywhere, and continued.
    for kept in [200, 201, bytes.len() / 2, bytes.len() - 1, bytes.len()] {
        fs::write(&threads, &bytes[..kept]).expect("a file");
        assert_eq!(make_games(&threads, &["--games", "12"]), summary);
        assert!(fs::read(&threads).expect("a file") == bytes, "cut after {kept}");
    }
    // 3. In shards: the last games have the same positions there, but for those that came up before.
    make_games(&shard, &["--first", "8", "--games", "4"]);
    let [of_whole, of_shard] = [&whole, &shard].map(|path| {
        let data = spinney_network::data::Data::from_bytes(&fs::read(path).expect("a file"));
        data.expect("positions").positions
    });
    assert_eq!(of_shard.last(), of_whole.last());
    assert!(of_whole.iter().filter(|p| p.game >= 8).all(|p| of_shard.contains(p)));
    assert!(of_whole.iter().any(|p| p.result.is_none()), "none is off the path");
    // 4. Other games do not belong in the file.
    let path = whole.to_str().expect("a path");
    assert_refused(&["learn", "games", "--seed", "2", "--out", path], "made with other settings");
    assert_refused(&["learn", "games", "--off-path", "2", "--out", path], "expected a probability");
    assert_refused(&["learn", "games", "--player", "none", "--out", path], "unknown");
}

#[test]
fn a_network_is_trained_and_plays() {
    for game in ["loa", "loa6"] {
        let [data, network, again] = ["data", "net", "again"]
            .map(|ending| scratch(&format!("learn-{game}.{ending}")))
            .map(|path| path.to_str().expect("a path").to_owned());
        make_games(data.as_ref(), &["--game", game, "--games", "30", "--seed", "5"]);
        let train = |out: &str, more: &[&str]| -> Value {
            let mut arguments = vec!["learn", "network", "--game", game, "--data", &data];
            arguments.extend(["--out", out, "--hidden", "16", "--epochs", "2", "--batch", "64"]);
            arguments.extend(more);
            serde_json::from_str(&stdout(&arguments)).expect("JSON")
        };
        // 1. The same bytes twice, on any number of threads.
        let record = train(&network, &[]);
        assert_eq!(record, train(&again, &["--threads", "2"]));
        let bytes = fs::read(&network).expect("a file");
        assert_eq!(fs::read(&again).expect("a file"), bytes);
        let curve = record["held_out"]["curve"].as_array().expect("a curve");
        assert!(curve[1][0].as_f64() < curve[0][0].as_f64(), "{record}");
        let worst = record["held_out"]["rounding"][1].as_f64().expect("points");
        assert!(worst < 20.0, "{worst} points");
        // 2. All players of the game can use it.
        for player in ["mia-plus", "mia", "mia-classic", "mia-iii", "mc-loa", "mc-loa-ab-plus"] {
            let analyze = |spec: &str| {
                let limit = if player.starts_with("mia") { "--nodes" } else { "--simulations" };
                json(&["analyze", game, "--player", spec, limit, "300", "--json"])
            };
            let plain = analyze(player);
            let learned = analyze(&format!("{player}:evaluation=network,network={network}"));
            assert_ne!(learned["value"], plain["value"], "{player}");
        }
        // 3. A damaged file is refused, and so is a file of another kind.
        fs::write(&again, &bytes[..bytes.len() - 1]).expect("a file");
        for (file, problem) in [(&again, "the checksum is wrong"), (&data, "not a network")] {
            let spec = format!("mia:evaluation=network,network={file}");
            assert_refused(&["analyze", game, "--player", &spec, "--nodes", "1"], problem);
        }
        let other = if game == "loa" { "loa6" } else { "loa" };
        let spec = format!("mia:evaluation=network,network={network}");
        assert_refused(&["analyze", other, "--player", &spec, "--nodes", "1"], "a network of");
        let arguments = ["learn", "network", "--game", other, "--data", &data, "--out", &again];
        assert_refused(&arguments, "positions of");
        let arguments = ["learn", "network", "--data", &network, "--out", &again];
        assert_refused(&arguments, "not a file of positions");
    }
    // One is built in for each board.
    let spec = "mia:evaluation=network";
    for game in ["loa", "loa6"] {
        json(&["analyze", game, "--player", spec, "--nodes", "100", "--json"]);
    }
    let spec = "mia:network=file";
    assert_refused(&["analyze", "loa", "--player", spec, "--nodes", "1"], "evaluation=network");
}

/// A climb at a small scale: the same bytes twice, and after an interruption.
#[test]
fn a_climb_is_the_same_twice() {
    for name in ["climb-whole", "climb-parts"] {
        let _ = fs::remove_dir_all(scratch(name));
    }
    let climb = |name: &str, generations: &str| {
        let folder = scratch(name);
        let path = folder.to_str().expect("a path").to_owned();
        let sizes = ["--games", "20", "--nodes", "40", "--match-games", "4", "--match-nodes", "60"];
        let more = ["--epochs", "1", "--generations", generations, "--game", "loa6"];
        stdout(&[&["learn", "climb", "--out", &path][..], &sizes, &more].concat());
        folder
    };
    let files = |folder: &Path| -> Vec<(String, Vec<u8>)> {
        let mut files: Vec<_> = fs::read_dir(folder)
            .expect("a folder")
            .map(|entry| entry.expect("a file").path())
            // Games say how long they took.
            .filter(|path| path.extension().is_some_and(|ending| ending != "jsonl"))
            .map(|path| (path.file_name().expect("a name").to_string_lossy().into_owned(), path))
            .map(|(name, path)| (name, fs::read(path).expect("a file")))
            .collect();
        files.sort();
        files
    };
    let whole = files(&climb("climb-whole", "2"));
    let names: Vec<&str> = whole.iter().map(|(name, _)| name.as_str()).collect();
    let kinds = ["data", "json", "net", "training.json"];
    let mut expected: Vec<String> =
        [1, 2].iter().flat_map(|number| kinds.map(|kind| format!("{number}.{kind}"))).collect();
    expected.push("settings.txt".to_owned());
    assert_eq!(names, expected);
    climb("climb-parts", "1");
    let parts = climb("climb-parts", "2");
    assert!(files(&parts) == whole);
    let folder = parts.to_str().expect("a path");
    let other = ["learn", "climb", "--game", "loa6", "--out", folder, "--seed", "2"];
    assert_refused(&other, "made with other settings");
    // Its networks and records are enough to continue: games are played again.
    fs::remove_file(parts.join("1.data")).expect("a file");
    fs::remove_file(parts.join("2.json")).expect("a file");
    fs::remove_file(parts.join("2.training.json")).expect("a file");
    assert!(files(&climb("climb-parts", "2")) == whole);
    let page = parts.join("report.html");
    stdout(&["learn", "report", folder, "--out", page.to_str().expect("a path")]);
    let page = fs::read_to_string(page).expect("a page");
    assert!(page.contains("<h2>Generations</h2>") && page.contains("Loss by epoch"), "{page}");
}
