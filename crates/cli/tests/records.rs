//! Records are checked when they are read: what was changed or damaged is refused by every command
//! that reads it, with its file and line, and nothing is overwritten.

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use common::{assert_refused, spinney, stdout};

/// Games of every reader: three pairs from two openings.
const GAMES: usize = 6;
const OPENINGS: &str = "a2-a3\nb2-b3 e4-e3\n";
const EXPERIMENT: &str = r#"
id = "own/records"
paper = "none"
title = "Records"
claim = "They are checked."
conversion = "None."
[scale.quick]
clock = "count"
games = 6
[settings]
game = "breakthrough"
openings = "openings.txt"
seconds = 1
[players.uct]
spec = "uct"
second = "simulations=30"
[players.random]
spec = "random"
second = "simulations=30"
[[column]]
name = "random"
b = "random"
[[row]]
name = "uct"
a = "uct"
"#;

/// A command that reads a file of records, and that file.
struct Reader {
    command: Vec<String>,
    file: PathBuf,
}

impl Reader {
    fn arguments(&self) -> Vec<&str> {
        self.command.iter().map(String::as_str).collect()
    }
}

/// The one file of records in a folder.
fn records_in(folder: &Path) -> PathBuf {
    let entries =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").path());
    let mut files = entries.filter(|path| path.extension().is_some_and(|end| end == "jsonl"));
    let file = files.next().expect("a file of records");
    assert_eq!(files.next(), None);
    file
}

/// Every command that reads records, after a run that wrote them.
fn readers(name: &str) -> Vec<Reader> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    let path = |name: &str| folder.join(name).to_str().expect("text").to_owned();
    let words = |text: &str, paths: &[&str]| -> Vec<String> {
        let words = text.split_whitespace().map(str::to_owned);
        words.chain(paths.iter().map(|path| (*path).to_owned())).collect()
    };
    let run = |command: &[String]| {
        stdout(&command.iter().map(String::as_str).collect::<Vec<_>>());
    };
    let [openings, toml] = ["openings.txt", "own.toml"].map(path);
    fs::write(&openings, OPENINGS).expect("written");
    fs::write(&toml, EXPERIMENT).expect("written");
    let mut readers = Vec::new();
    // 1. Matches, and what is exported of them.
    let [games, exported] = ["games.jsonl", "exported.jsonl"].map(path);
    let settings = ["--openings", &openings, "--out", &games];
    let play = words("match breakthrough uct random --games 6 --simulations 30", &settings);
    run(&play);
    fs::copy(&games, &exported).expect("copied");
    let command = [play, words("--resume", &[])].concat();
    readers.push(Reader { command, file: games.into() });
    let command = words("export", &[&exported]);
    readers.push(Reader { command, file: exported.into() });
    // 2. Tournaments.
    let out = path("tournament");
    let settings = ["--openings", &openings, "--out", &out];
    let command =
        words("tournament breakthrough uct random --rounds 3 --simulations 30", &settings);
    run(&command);
    readers.push(Reader { command, file: records_in(&Path::new(&out).join("tasks")) });
    // 3. Experiments and their reports.
    for out in ["run", "report"].map(path) {
        let play = words("experiment run", &[&toml, "--out", &out]);
        run(&play);
        let command = match out.ends_with("run") {
            true => [play, words("--resume", &[])].concat(),
            false => words("experiment report", &[&out]),
        };
        readers.push(Reader { command, file: records_in(&Path::new(&out).join("tasks")) });
    }
    // 4. Pieces of experiments, and the results into which they are merged.
    for name in ["piece", "merged", "target"] {
        let [shards, results] = [path(name), path(&format!("{name}-results"))];
        let piece = stdout(&["shard", "plan", &toml, "--out", &shards]);
        let play = words("shard run", &[piece.trim_end()]);
        run(&play);
        let merge = words("shard merge", &[&toml, "--from", &shards, "--out", &results]);
        readers.push(match name {
            "piece" => Reader { command: play, file: records_in(Path::new(&shards)) },
            "merged" => Reader { command: merge, file: records_in(Path::new(&shards)) },
            _ => {
                run(&merge);
                Reader { command: merge, file: records_in(&Path::new(&results).join("tasks")) }
            }
        });
    }
    readers
}

fn lines(games: &[Value]) -> String {
    games.iter().map(|game| format!("{game}\n")).collect()
}

/// The winner who was not, whoever was.
fn other_result(game: &Value) -> Value {
    json!(if game["result"] == "a" { "b" } else { "a" })
}

/// The damage, the line that is refused, and what is said of it.
type Case = (&'static str, fn(&mut Vec<Value>), usize, &'static [&'static str]);

/// Line n has game n - 1.
const CASES: &[Case] = &[
    ("a changed result", |g| g[3]["result"] = other_result(&g[3]), 4, &["the result is"]),
    ("a draw instead", |g| g[3]["result"] = json!("draw"), 4, &["the result is draw"]),
    ("a changed end", |g| g[3]["end"] = json!("repetition"), 4, &["(repetition)"]),
    ("a cap that was not reached", |g| ply_limit(g), 4, &["the result is draw (ply-limit)"]),
    ("a forfeit after the end", |g| forfeit(g), 4, &["(no-move)"]),
    ("a forfeit of the other player", |g| forfeit_of_the_other(g), 4, &["(illegal-move)"]),
    ("an adjudication that is off", |g| proven(g), 4, &["not over after move 2"]),
    ("an impossible move", |g| set_move(g, "a1-c3"), 4, &["move 3: move \"a1-c3\""]),
    ("no move at all", |g| set_move(g, "garbage"), 4, &["move 3: move \"garbage\""]),
    ("a move after the end", |g| repeat_last(g), 4, &["the game is over before it (rules)"]),
    ("no last move", |g| drop(moves(g).pop()), 4, &["the game is not over after move"]),
    ("no moves", |g| moves(g).clear(), 4, &["the game is not over after move 0"]),
    ("no value", |g| moves(g)[2]["proven"] = json!("maybe"), 4, &["move 3: \"maybe\""]),
    ("another opening", |g| g[3]["opening"] = json!(["a2-a3"]), 4, &["the opening"]),
    ("another start", |g| other_start(g), 4, &["the start", "the opening"]),
    ("another player", |g| g[3]["a"] = json!("uct:c=1"), 4, &["player A"]),
    ("another limit", |g| g[3]["limit_b"] = json!("nodes=1"), 4, &["the limit of B"]),
    ("another game", |g| g[3]["game"] = json!("knightthrough"), 4, &["the game"]),
    ("another match", |g| g[3]["match_seed"] = json!(9), 4, &["the seed"]),
    ("another seed", |g| g[3]["seed"] = json!(1), 4, &["seed"]),
    ("swapped colours", |g| g[3]["first"] = json!("a"), 4, &["the first player", "swapped"]),
    ("swapped players", |g| swap_players(g), 4, &["player A"]),
    ("another number", |g| g[3]["index"] = json!(5), 4, &["the opening", "seed"]),
    ("a number out of range", |g| out_of_range(g), 4, &["has 6 games", "seed"]),
    ("a number twice", |g| g.push(g[3].clone()), 7, &["number 3 is there twice"]),
    ("another cap", |g| g[3]["max_plies"] = json!(9), 4, &["the cap on plies"]),
    ("another adjudication", |g| g[3]["adjudication"] = json!("one"), 4, &["adjudication"]),
    ("another kind of line", |g| g[3] = json!({"game": "breakthrough"}), 4, &["no record"]),
    ("no object", |g| g[3] = json!("garbage"), 4, &["no record"]),
];

/// The moves of game 3.
fn moves(games: &mut [Value]) -> &mut Vec<Value> {
    games[3]["moves"].as_array_mut().expect("moves")
}

fn set_move(games: &mut [Value], text: &str) {
    moves(games)[2]["move"] = json!(text);
}

fn repeat_last(games: &mut [Value]) {
    let last = moves(games).last().expect("a move").clone();
    moves(games).push(last);
}

fn ply_limit(games: &mut [Value]) {
    games[3]["result"] = json!("draw");
    games[3]["end"] = json!("ply-limit");
}

fn forfeit(games: &mut [Value]) {
    games[3]["result"] = other_result(&games[3]);
    games[3]["end"] = json!("no-move");
}

/// After two moves of game 3 its first player, B, is to move, and would lose by a forfeit.
fn forfeit_of_the_other(games: &mut [Value]) {
    // The opening has two moves.
    moves(games).truncate(2);
    games[3]["result"] = json!("b");
    games[3]["end"] = json!("illegal-move");
}

fn proven(games: &mut [Value]) {
    moves(games).truncate(2);
    moves(games)[1]["proven"] = json!("win");
    games[3]["result"] = json!("a");
    games[3]["end"] = json!("proven");
}

fn other_start(games: &mut [Value]) {
    let start = games[3]["start"].as_str().expect("text").replace(" w", " b");
    assert_ne!(games[3]["start"], start);
    games[3]["start"] = json!(start);
}

fn swap_players(games: &mut [Value]) {
    let [a, b] = ["a", "b"].map(|name| games[3][name].clone());
    games[3]["a"] = b;
    games[3]["b"] = a;
}

fn out_of_range(games: &mut [Value]) {
    games[3]["index"] = json!(1_000_003);
}

#[test]
fn changed_records_are_refused_with_file_and_line() {
    for reader in readers("changed-records") {
        let text = fs::read_to_string(&reader.file).expect("records");
        let games: Vec<Value> =
            text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert_eq!(games.len(), GAMES);
        let name = reader.file.file_name().expect("a name").to_str().expect("text");
        for (damage, change, line, expected) in CASES {
            let mut changed = games.clone();
            change(&mut changed);
            let changed = lines(&changed);
            fs::write(&reader.file, &changed).expect("written");
            let place = format!("{name}: line {line}: ");
            let arguments = reader.arguments();
            let error = String::from_utf8(spinney(&arguments).stderr).expect("text");
            assert!(
                expected.iter().any(|expected| error.contains(expected)),
                "{damage}: {arguments:?}: {error}"
            );
            assert_refused(&arguments, &place);
            let after = fs::read_to_string(&reader.file).expect("records");
            assert_eq!(after, changed, "{damage}: {arguments:?} changed the file");
        }
        // Garbage is refused in the middle, and at the end unless it is the beginning of a record.
        for damage in ["garbage", "", "{\"game\":\"breakthrough\""] {
            let [first, rest] = [&games[..3], &games[3..]].map(lines);
            fs::write(&reader.file, format!("{first}{damage}\n{rest}")).expect("written");
            assert_refused(&reader.arguments(), &format!("{name}: line 4: no record"));
        }
        fs::write(&reader.file, lines(&games) + "garbage").expect("written");
        assert_refused(&reader.arguments(), &format!("{name}: line 7: no record"));
        // As they were, they are accepted.
        fs::write(&reader.file, text).expect("written");
        stdout(&reader.arguments());
    }
}

#[test]
fn a_torn_last_line_is_dropped() {
    for reader in readers("torn-records") {
        let text = fs::read_to_string(&reader.file).expect("records");
        let whole = text[..text.len() - 1].rfind('\n').expect("lines") + 1;
        for length in [whole + 1, whole + 40, text.len() - 1] {
            fs::write(&reader.file, &text[..length]).expect("written");
            // What a piece has lost is missing after a merge, unless the results have it.
            let told = spinney(&reader.arguments());
            let is_missing = String::from_utf8_lossy(&told.stdout).contains("missing ");
            let code = if is_missing { 3 } else { 0 };
            assert_eq!(told.status.code(), Some(code), "{:?}", reader.command);
            let after = fs::read_to_string(&reader.file).expect("records");
            match reader.command[0].as_str() {
                "export" => assert_eq!(after, text[..length], "a reader changes nothing"),
                _ if reader.command[1] == "report" => assert_eq!(after, text[..length]),
                _ if reader.command[1] == "merge" && !after.ends_with('\n') => {
                    assert_eq!(after, text[..length]);
                }
                _ => {
                    assert_eq!(after.lines().count(), GAMES, "{:?}", reader.command);
                    assert_eq!(after[..whole], text[..whole]);
                }
            }
        }
    }
}

/// Caps, proofs and engines that fail explain a result, and are checked as well.
#[cfg(unix)]
#[test]
fn other_ends_than_those_of_the_rules_are_explained() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("explained-records");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    let engine = "sh -c 'while read line; do case $line in uci) echo uciok;; isready) echo readyok;; \
                  go*) exit 3;; esac; done'";
    let failing = format!("external:cmd=\"{engine}\"");
    let cases: [(&str, &[&str], &str); 4] = [
        ("plies", &["breakthrough", "uct", "random", "--max-plies", "5"], "ply-limit"),
        ("one", &["tictactoe", "uct", "uct:c=1", "--adjudicate", "one"], "proven"),
        ("both", &["tictactoe", "uct", "uct:c=1", "--adjudicate", "both"], "proven"),
        ("failing", &["chess", &failing, "random"], "no-move"),
    ];
    for (name, settings, end) in cases {
        let file = folder.join(format!("{name}.jsonl"));
        let file = file.to_str().expect("text");
        let limits = ["--nodes", "300", "--games", "4", "--json", "--out", file];
        let command = [&["match"], settings, &limits].concat();
        let again = [&command[..], &["--resume"]].concat();
        stdout(&command);
        let text = fs::read_to_string(file).expect("records");
        let mut games: Vec<Value> =
            text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert!(games.iter().any(|game| game["end"] == end), "{text}");
        stdout(&again);
        stdout(&["export", file]);
        // Older records do not tell the conditions.
        for game in &mut games {
            let fields = game.as_object_mut().expect("an object");
            fields.remove("max_plies");
            fields.remove("adjudication");
        }
        fs::write(file, lines(&games)).expect("written");
        stdout(&again);
        stdout(&["export", file]);
        games[0]["result"] = other_result(&games[0]);
        fs::write(file, lines(&games)).expect("written");
        assert_refused(&again, &format!("{name}.jsonl: line 1: the result is"));
        assert_refused(&["export", file], &format!("{name}.jsonl: line 1: "));
    }
}
