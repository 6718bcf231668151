//! The experiments that are part of the program, and those of users.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use spinney_arena::experiment::{
    self, Estimate, Experiment, FileError, Measure, Piece, Report, Run, RunInfo, Store, TaskRecord,
};
use spinney_arena::{GameRecord, Journal};
use spinney_session::{Registry, Stop};

/// A small experiment with every kind of measure.
const SMALL: &str = r#"
id = "own/small"
paper = "none"
table = "1"
title = "A small table"
claim = "Searching helps."
conversion = "None."

[scale.quick]
clock = "count"
games = 12
runs = 20

[scale.paper]
clock = "time"
games = 4
seconds = 0.001

[settings]
game = "tictactoe"
seconds = 0.5
tournament = ["random", "weak", "strong"]
base = "random"
move = "b2"

[players.random]
spec = "random"
rating = 1000
second = "simulations=2"

[players.weak]
spec = "uct"
second = "simulations=20"

[players.strong]
spec = "uct:c=1"
second = "simulations=400"

[[column]]
name = "against random"
b = "random"

[[column]]
name = "against weak"
b = "weak"

[[column]]
name = "Elo"
measure = "elo"

[[column]]
name = "share"
measure = "share"

[[column]]
name = "b2"
measure = "frequency"

[[column]]
name = "rating"
measure = "rating"
b = "random"

[[row]]
name = "weak"
a = "weak"
published = [99.0, "-", 100, "?", 50.0, "?"]
error = [1.0, 0, 300, 0, 0, 0]

[[row]]
name = "strong"
a = "strong"
published = [1.0, 70.0, 100, "?", "-", "?"]
error = 2
"#;

fn small(source: &str) -> Experiment {
    Experiment::with_inputs("small.toml", source, BTreeMap::new()).expect("an experiment")
}

/// A folder of this test alone.
fn scratch(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    path
}

/// Runs all of it into a folder.
fn run(experiment: &Experiment, folder: &Path, concurrency: usize) -> Store {
    let store = Store::create(&Registry::builtin(), folder).expect("a folder");
    let plan = experiment.plan("small.toml", "quick").expect("a plan");
    plan.run(&store, concurrency, &Stop::new(), &mut |_| ()).expect("done");
    store
}

#[test]
fn every_file_is_an_experiment_of_the_program() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments");
    let mut on_disk = BTreeSet::new();
    for paper in fs::read_dir(&root).expect("experiments") {
        let paper = paper.expect("a folder").path();
        for file in fs::read_dir(&paper).into_iter().flatten() {
            let path = file.expect("a file").path();
            if path.extension().is_some_and(|extension| extension == "toml") {
                let id = path.strip_prefix(&root).expect("below").with_extension("");
                on_disk.insert(id.to_string_lossy().into_owned());
            }
        }
    }
    let known: BTreeSet<String> = experiment::ids().map(str::to_owned).collect();
    assert_eq!(on_disk, known);
    // Tables I-VI, 2-5, 1-9 and I-IV of the papers, what else they say, and those of our own.
    assert_eq!(known.len(), 6 + 4 + 9 + 4 + IN_TEXT.len() + OWN.len());
}

/// Experiments on claims in the text and the figures of the papers.
const IN_TEXT: [&str; 12] = [
    "mcts-loa/table-3-nodes",
    "mcts-loa/figure-3",
    "nmcs/propositions",
    EQUAL_TIME,
    "mcc/figures",
    "mcc/figure-7",
    "ab-playouts/time",
    "ab-playouts/speed",
    "mia/search",
    "mia/endgames",
    "mia/strength",
    "mia/speed",
];
/// Experiments that are not of the papers.
const OWN: [&str; 3] = ["mc-loa/tuning", "mcc/tuning", PLACEMENT];
/// Measured in time, and with programs that are not at hand everywhere.
const PLACEMENT: &str = "mcc/placement";
/// Measured in time, since that is what it is about.
const EQUAL_TIME: &str = "nmcs/equal-time";

#[test]
fn every_experiment_can_be_planned_and_its_players_exist() {
    for id in experiment::ids() {
        let experiment = experiment::find(id).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(experiment.id, id);
        let is_a_table = id.starts_with(&format!("{}/table-", experiment.paper));
        assert!(is_a_table || IN_TEXT.contains(&id) || OWN.contains(&id), "{id}");
        for scale in ["quick", "paper"] {
            let plan = experiment.plan(id, scale).unwrap_or_else(|error| panic!("{error}"));
            assert!(!plan.cells.is_empty());
            for (task, units) in plan.tasks.values() {
                assert!(*units > 0, "{id}: {}", task.describe());
                if id == PLACEMENT {
                    continue;
                }
                // Quick results are the same on every machine.
                let may_be_timed = scale != "quick" || id == EQUAL_TIME;
                assert!(may_be_timed || !task.is_timed(), "{id}: {}", task.describe());
                // Tables of four men are not at hand everywhere.
                if !task.describe().contains("tablebase=4") {
                    task.check(&spinney_protocol::registry())
                        .unwrap_or_else(|e| panic!("{id}: {}: {e}", task.describe()));
                }
            }
        }
    }
}

#[test]
fn a_cell_and_its_mirror_add_up() {
    for id in ["mcts-loa/table-2", "mcts-loa/table-4", "ab-playouts/table-1", "mcc/table-7"] {
        let plan = experiment::find(id).unwrap().plan(id, "quick").unwrap();
        // What the papers do not have is in a column of its own.
        let (published, ours): (Vec<_>, Vec<_>) =
            plan.cells.iter().partition(|cell| cell.published.is_some());
        for cell in &published {
            let mirror =
                published.iter().find(|other| (other.row, other.column) == (cell.column, cell.row));
            let sum = cell.published.unwrap().value + mirror.unwrap().published.unwrap().value;
            assert!((sum - 100.0).abs() < 0.01, "{id}: {cell:?}");
        }
        // Mirrors share their games.
        assert_eq!(plan.tasks.len(), published.len() / 2 + ours.len(), "{id}");
    }
}

#[test]
fn tables_of_one_tournament_share_its_games() {
    let tasks = |id| {
        let plan = experiment::find(id).unwrap().plan(id, "quick").unwrap();
        plan.tasks.into_keys().collect::<Vec<_>>()
    };
    for group in
        [&["mcc/table-1", "mcc/table-2"][..], &["mcc/table-7", "mcc/table-8", "mcc/table-9"]]
    {
        assert!(group.iter().all(|id| tasks(id) == tasks(group[0])), "{group:?}");
    }
    assert_ne!(tasks("mcc/table-1"), tasks("mcc/table-3"));
}

#[test]
fn mistakes_have_a_line_and_a_suggestion() {
    let place = |text: &str| {
        let at = SMALL.find(text).unwrap_or_else(|| panic!("{text}"));
        Some(1 + SMALL[..at].matches('\n').count() + usize::from(text.starts_with('\n')))
    };
    let count = "clock = \"count\"";
    let second = "second = \"simulations=20\"";
    let published = "published = [99.0, \"-\", 100, \"?\", 50.0, \"?\"]";
    // The line where the mistake is made is named, unless something is missing there.
    let cases = [
        ("games = 12", "gmaes = 12", "unknown key \"gmaes\"; did you mean \"games\"?", true),
        (count, "clock = \"cuont\"", "unknown value \"cuont\"; did you mean \"count\"?", true),
        ("claim = \"Searching helps.\"\n", "", "the key \"claim\" is missing", false),
        (
            "\nb = \"random\"",
            "\nb = \"randon\"",
            "there is no player \"randon\"; did you mean \"random\"?",
            true,
        ),
        (published, "published = [99.0]", "1 published numbers for 6 columns", true),
        (published, "published = [99.0, \"x\", 1, 1, 1, 1]", "\"x\": expected a number", true),
        (second, "second = \"simulatons=20\"", "expected time=1s", true),
        (second, "", "\"weak\" has no key \"second\"", false),
        ("rating = 1000\n", "", "\"random\" has no key \"rating\"", false),
        ("game = \"tictactoe\"", "", "the key \"game\" is missing", false),
        (
            "base = \"random\"",
            "base = \"nobody\"",
            "\"nobody\" does not play in the tournament",
            true,
        ),
        ("id = \"own/small\"", "id = ", "", true),
        ("move = \"b2\"", "openings = \"nowhere\"", "there is no \"nowhere\"", true),
    ];
    for (right, wrong, expected, is_at_place) in cases {
        let line = place(right);
        let source = SMALL.replacen(right, wrong, 1);
        let planned = Experiment::with_inputs("small.toml", &source, BTreeMap::new())
            .and_then(|experiment| experiment.plan("small.toml", "quick"));
        let FileError::Line { file, line: told, problem } = planned.expect_err(wrong) else {
            panic!("{wrong}: no line");
        };
        assert_eq!(file, "small.toml");
        assert!(problem.contains(expected), "{wrong}: {problem}");
        assert!(!is_at_place || Some(told) == line, "{wrong}: line {told}, not {line:?}");
    }
    let error = small(SMALL).plan("small.toml", "slow").unwrap_err().to_string();
    assert!(error.contains("no scale \"slow\", but paper, quick"), "{error}");
    let error = experiment::find("mcts-loa/tabel-2").unwrap_err().to_string();
    assert!(error.contains("did you mean \"mcts-loa/table-2\"?"), "{error}");
}

#[test]
fn settings_come_from_the_row_then_the_column_then_the_scale() {
    let limits = |source: &str, scale: &str| {
        let plan = small(source).plan("small.toml", scale).unwrap();
        plan.tasks.values().map(|(task, _)| task.describe()).collect::<Vec<_>>().join("\n")
    };
    let quick = limits(SMALL, "quick");
    assert!(quick.contains("random (simulations=1) against uct (simulations=10)"), "{quick}");
    assert!(limits(SMALL, "paper").contains("random (time=1ms) against uct (time=1ms)"));
    let row = SMALL.replacen("a = \"weak\"", "a = \"weak\"\nseconds = 1", 1);
    assert!(limits(&row, "quick").contains("random (simulations=2) against uct (simulations=20)"));
    let slower = SMALL.replacen("b = \"random\"", "b = \"random\"\nseconds-b = 5", 1);
    assert!(
        limits(&slower, "quick").contains("random (simulations=10) against uct (simulations=10)")
    );
    let fixed = SMALL.replacen("seconds = 0.5", "limit = \"nodes=7\"", 1);
    assert!(limits(&fixed, "quick").contains("random (nodes=7) against uct (nodes=7)"));
    let own = SMALL.replacen("second = \"simulations=20\"", "limit = \"depth=3\"", 1);
    assert!(limits(&own, "paper").contains("random (time=1ms) against uct (depth=3)"));
    let seeded = SMALL.replacen("seconds = 0.5", "seconds = 0.5\nseed = 2", 1);
    let names = |source| {
        small(source).plan("small.toml", "quick").unwrap().tasks.into_keys().collect::<Vec<_>>()
    };
    assert_ne!(names(&seeded), names(SMALL), "the seed is part of the name");
}

#[test]
fn numbers_follow_from_the_games() {
    let folder = scratch("experiment-numbers");
    let experiment = small(SMALL);
    let store = run(&experiment, &folder, 2);
    let report = Report::of_run(&experiment, "quick", &store).expect("a report");
    let cell = |row, column| {
        report.cells.iter().find(|c| (c.cell.row, c.cell.column) == (row, column)).expect("a cell")
    };
    let value = |row, column| cell(row, column).measured.expect("measured").value;
    // 1. The scores are those of the games, whichever side of the task the row is.
    for (row, player) in [(0, "uct"), (1, "uct:c=1")] {
        let mut points = 0.0;
        let mut games = 0.0;
        for file in fs::read_dir(folder.join("tasks")).expect("tasks") {
            let text = fs::read_to_string(file.expect("a file").path()).expect("text");
            for line in text.lines().filter(|line| line.contains("\"match_seed\"")) {
                let game: GameRecord = serde_json::from_str(line).expect("a game");
                let half_points = match (game.a == player, game.b == player) {
                    (true, false) if game.b == "random" => game.result.half_points_a(),
                    (false, true) if game.a == "random" => 2 - game.result.half_points_a(),
                    _ => continue,
                };
                points += half_points as f64 / 2.0;
                games += 1.0;
            }
        }
        assert_eq!(games, 12.0);
        assert!((value(row, 0) - 100.0 * points / games).abs() < 1e-9, "row {row}");
    }
    // 2. Ratings, shares and frequencies.
    assert!(value(1, 2) > 50.0 && value(0, 2) > 0.0, "searching beats chance");
    assert!((0.0..=100.0).contains(&value(0, 3)) && (0.0..=100.0).contains(&value(0, 4)));
    let by_score = |row| cell(row, 0).measured.expect("a score").value / 100.0;
    assert_eq!(value(0, 5) > 1000.0, by_score(0) > 0.5, "a rating is that of the score");
    assert_eq!(value(1, 5) > value(0, 5), by_score(1) > by_score(0));
    assert_eq!((cell(0, 5).count, cell(0, 4).count), ([12, 12], [20, 20]));
    assert_eq!(cell(0, 0).count, [12, 12]);
    // 3. The number of games at once changes nothing.
    let other = run(&experiment, &scratch("experiment-numbers-one"), 1);
    let other = Report::of_run(&experiment, "quick", &other).expect("a report");
    for (one, two) in report.cells.iter().zip(&other.cells) {
        assert_eq!(one.measured, two.measured);
    }
}

#[test]
fn reports_say_it_all_and_need_nothing_else() {
    let folder = scratch("experiment-report");
    let experiment = small(SMALL);
    let store = run(&experiment, &folder, 2);
    let info = RunInfo::new(&experiment, "quick", "spinney <run>".to_owned());
    store.begin(&info, false).expect("noted");
    let again = store.begin(&info, false).unwrap_err().to_string();
    assert!(again.contains("--resume"), "{again}");
    store.begin(&info, true).expect("goes on");
    let [run] = &store.runs().expect("runs")[..] else { panic!("one run") };
    let mut report = Report::of_run(&run.experiment().expect("kept"), &run.scale, &store).unwrap();
    report.run = Some(run.clone());
    let raw = store.raw_files().expect("a folder");
    let page = experiment::html(std::slice::from_ref(&report), &raw);
    let text = experiment::markdown(&[report], &raw);
    assert!(page.contains("<a href=\"tasks/\">") && text.contains("[tasks/](tasks/)"));
    store.pack().expect("packed");
    assert_eq!(store.raw_files().expect("a folder"), ["results.jsonl"]);
    // Games stay although their full records are gone.
    let packed = fs::read_to_string(folder.join("results.jsonl")).expect("packed");
    for entry in fs::read_dir(folder.join("tasks")).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("match")) {
            let text = fs::read_to_string(&path).expect("records");
            let rest: String = text.lines().skip(3).map(|line| line.to_owned() + "\n").collect();
            fs::write(&path, rest).expect("written");
        }
    }
    store.pack().expect("packed");
    let again = fs::read_to_string(folder.join("results.jsonl")).expect("packed");
    assert!(packed.contains("match") && packed == again, "{packed}\n{again}");
    for expected in ["Searching helps.", "against weak", "70.0", "quick"] {
        assert!(page.contains(expected) && text.contains(expected), "{expected}");
    }
    assert!(text.contains("spinney <run>") && page.contains("spinney &lt;run&gt;"));
    for foreign in ["<script", "http:", "https:", "src=", "@import", "url("] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    assert_eq!(page.matches("<svg").count(), page.matches("</svg>").count());
    assert!(page.contains("<svg") && !page.contains("NaN") && !page.contains("inf"), "{page}");
    assert!(Store::open(&Registry::builtin(), &scratch("nothing-here")).runs().is_err());
}

/// More games may be asked for later: the report is of the file as it was run last.
#[test]
fn a_changed_experiment_is_noted_when_it_goes_on() {
    let store =
        Store::create(&Registry::builtin(), &scratch("experiment-changed")).expect("a folder");
    let note = |source: &str, command: &str| {
        let info = RunInfo::new(&small(source), "quick", command.to_owned());
        store.begin(&info, true).expect("noted");
        let [run] = &store.runs().expect("runs")[..] else { panic!("one run") };
        run.clone()
    };
    note(SMALL, "first");
    assert_eq!(note(SMALL, "the same again").command, "first");
    let more = SMALL.replacen("games = 12", "games = 24", 1);
    let noted = note(&more, "more games");
    assert_eq!((noted.command.as_str(), noted.source), ("more games", more));
}

/// After a clean sweep nothing bounds a rating from above. The charts stay finite.
#[test]
fn intervals_without_an_end_are_shown() {
    let experiment = small(SMALL);
    let store =
        Store::create(&Registry::builtin(), &scratch("experiment-no-end")).expect("a folder");
    let mut report = Report::of_run(&experiment, "quick", &store).expect("a report");
    for result in report.cells.iter_mut().filter(|result| result.cell.measure == Measure::Rating) {
        result.measured = Some(Estimate::new(2000.0, 1800.0, f64::INFINITY));
    }
    let text = experiment::markdown(std::slice::from_ref(&report), &[]);
    assert!(text.contains("2000 [1800, ∞]"), "{text}");
    let page = experiment::html(&[report], &[]);
    assert!(page.contains("2000 <i>1800–∞</i>"), "{page}");
    assert!(page.contains("<svg") && !page.contains("NaN") && !page.contains("inf"), "{page}");
}

#[test]
fn a_task_in_a_folder_is_not_done_again() {
    let folder = scratch("experiment-resume");
    let experiment = small(SMALL);
    let store = run(&experiment, &folder, 1);
    let plan = experiment.plan("small.toml", "quick").unwrap();
    for (name, (task, units)) in &plan.tasks {
        let whole = fs::read_to_string(store.path(name)).unwrap();
        // Half of the lines and a torn one.
        let lines: Vec<&str> = whole.split_inclusive('\n').collect();
        let half: String = lines[..lines.len() / 2].concat() + &lines[lines.len() / 2][..30];
        fs::write(store.path(name), half).unwrap();
        let mut done = 0;
        let path = store.path(name);
        let (journal, stop) = (Journal::File(path), Stop::new());
        let run =
            Run { journal: &journal, concurrency: 1, stop: &stop, on_done: &mut |_| done += 1 };
        task.run(&Registry::builtin(), 0..*units, run).unwrap();
        assert_eq!(done, lines.len() - lines.len() / 2);
        assert_eq!(store.count(task, *units).unwrap(), *units);
    }
}

#[test]
fn pieces_are_merged_once_and_missing_ones_named() {
    let experiment = small(SMALL);
    let whole = run(&experiment, &scratch("shards-whole"), 1);
    let plan = experiment.plan("small.toml", "quick").unwrap();
    let pieces = plan.pieces(4);
    let names: BTreeSet<String> = pieces.iter().map(Piece::name).collect();
    assert_eq!(names.len(), pieces.len());
    assert_eq!(pieces.iter().map(|piece| piece.end - piece.first).sum::<u64>(), {
        plan.tasks.values().map(|(_, units)| units).sum::<u64>()
    });
    // 1. All but one, in reverse; the last one is done by two machines, of which one was killed.
    let folder = scratch("shards-pieces");
    fs::create_dir_all(&folder).unwrap();
    let file = |piece: &Piece| piece.records(&folder);
    let run_piece = |piece: &Piece, path: &Path| {
        // A piece travels as text.
        let text = serde_json::to_string(piece).unwrap();
        let piece: Piece = serde_json::from_str(&text).unwrap();
        let journal = Journal::File(path.to_owned());
        piece.run(&Registry::builtin(), &journal, &Stop::new(), &mut |_| ()).unwrap();
    };
    for piece in pieces[1..].iter().rev() {
        run_piece(piece, &file(piece));
    }
    let last = &pieces[pieces.len() - 1];
    let twice = folder.join(last.name() + ".again.jsonl");
    run_piece(last, &twice);
    let text = fs::read_to_string(&twice).unwrap();
    fs::write(&twice, &text[..text.len() - 20]).unwrap();
    let store = Store::create(&Registry::builtin(), &scratch("shards-merged")).unwrap();
    let missing = plan.merge(&folder, &store, 4).unwrap();
    assert_eq!(missing, pieces[..1]);
    // 2. Then the missing one, and everything once more.
    run_piece(&pieces[0], &file(&pieces[0]));
    assert_eq!(plan.merge(&folder, &store, 4).unwrap(), []);
    assert_eq!(plan.merge(&folder, &store, 4).unwrap(), []);
    let [ours, theirs] =
        [&store, &whole].map(|store| Report::of_run(&experiment, "quick", store).unwrap().cells);
    for (ours, theirs) in ours.iter().zip(&theirs) {
        assert_eq!((ours.measured, ours.count), (theirs.measured, theirs.count));
    }
}

#[test]
fn a_caller_that_has_some_records_gets_the_others() {
    let plan = small(SMALL).plan("small.toml", "quick").unwrap();
    for piece in plan.pieces(4) {
        let run = |done: &str| {
            let mut lines = Vec::new();
            let journal = Journal::Caller(done.to_owned());
            let on_done = &mut |record: TaskRecord<'_>| {
                lines.push(serde_json::to_string(&record).unwrap() + "\n");
            };
            piece.run(&Registry::builtin(), &journal, &Stop::new(), on_done).map(|()| lines)
        };
        let numbers = |lines: &[String]| -> Vec<u64> {
            let read = |line: &String| serde_json::from_str::<serde_json::Value>(line).unwrap();
            lines.iter().map(|line| read(line)["index"].as_u64().unwrap()).collect()
        };
        let all = run("").unwrap();
        assert_eq!(numbers(&all), piece.range().collect::<Vec<_>>());
        assert_eq!(numbers(&run(&all[..1].concat()).unwrap()), numbers(&all[1..]));
        let error = run(&(all[0].clone() + &all[0])).unwrap_err().to_string();
        assert!(error.contains("records: line 2: number"), "{error}");
    }
}
