//! `spinney learn puzzles` through the real binary, and the puzzles of the page.

mod common;

use std::fs;
use std::path::PathBuf;

use common::stdout;
use serde_json::Value;
use spinney_session::{Algorithm, GameValue, Limits, Registry, Session, Solver, Stop};

const SHIPPED: &str = include_str!("../../web/assets/puzzles-loa.jsonl");

fn puzzles(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn texts(value: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    value.as_array().expect("a list").iter().map(text).collect()
}

/// Whether a side to move loses, by the rules for games that are over and else by df-pn, with more nodes than
/// the maker of puzzles has.
fn loses(session: &Session) -> bool {
    let limits = Limits::nodes(10_000_000);
    let report = session.solve(&Algorithm::Solver(Solver::DF_PN), 1 << 26, &limits, &Stop::new());
    report.expect("a solver").proven.expect("a value") == GameValue::Loss
}

/// Along the line of a puzzle exactly the moves that it names win, one of them at first.
fn check(puzzle: &Value) {
    let game = Registry::builtin().game("loa").expect("a game");
    let mut session = game.at(puzzle["position"].as_str()).expect("a position");
    let (line, wins) = (texts(&puzzle["line"]), puzzle["wins"].as_array().expect("a list"));
    let place = || puzzle["position"].to_string();
    assert_eq!(texts(&wins[0]), line[..1], "{}", place());
    for (ply, text) in line.iter().enumerate() {
        if ply % 2 == 0 {
            let winning = session.legal_moves().into_iter().filter(|&m| {
                let mut next = session.from_here();
                next.play(m);
                loses(&next)
            });
            let winning: Vec<_> = winning.map(|m| session.move_text(m)).collect();
            assert_eq!(winning, texts(&wins[ply / 2]), "{} ply {ply}", place());
        }
        session.play_texts([text]).expect("a legal move");
    }
    assert_eq!(line.len() as u64, puzzle["plies"].as_u64().expect("a number"), "{}", place());
    assert!(session.outcome().is_some(), "{}", place());
}

/// No two have the same position; some are solved again.
#[test]
fn puzzles_of_the_page() {
    let all = puzzles(SHIPPED);
    let mut positions: Vec<_> = all.iter().map(|puzzle| puzzle["position"].to_string()).collect();
    positions.sort();
    positions.dedup();
    assert_eq!(positions.len(), all.len());
    all.iter().filter(|puzzle| puzzle["plies"] == 1).take(3).for_each(check);
}

#[test]
#[ignore = "solves all of them again: minutes"]
fn all_puzzles_of_the_page() {
    let all = puzzles(SHIPPED);
    assert!(all.len() >= 300, "{}", all.len());
    all.iter().for_each(check);
}

/// The same games give the same puzzles, after an interruption too.
#[test]
#[ignore = "solves positions: a minute without optimisation"]
fn the_same_games_give_the_same_puzzles() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("puzzles");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    let path = |name: &str| folder.join(name).to_str().expect("text").to_owned();
    let (games, once, twice) = (path("games.jsonl"), path("once.jsonl"), path("twice.jsonl"));
    let opening = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/openings/loa-100.txt");
    stdout(&[
        "match",
        "loa",
        "level:number=6",
        "level:number=5",
        "--games",
        "100",
        "--openings",
        opening,
        "--out",
        &games,
    ]);
    stdout(&["learn", "puzzles", &games, "--out", &once]);
    let made = fs::read_to_string(&once).expect("puzzles");
    assert!(made.lines().count() > 1, "{made}");
    // Half a line is what a kill may leave.
    let first = made.lines().next().expect("a puzzle");
    fs::write(&twice, format!("{first}\n{}", &first[..20])).expect("a file");
    stdout(&["learn", "puzzles", &games, "--out", &twice]);
    assert_eq!(fs::read_to_string(&twice).expect("puzzles"), made);
    puzzles(&made).iter().for_each(check);
}
