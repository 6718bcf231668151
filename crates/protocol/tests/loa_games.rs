//! The real games of LOA replay without an illegal move.
//!
//! The records stay outside the project. The test looks for them in the folder that
//! `SPINNEY_LOA_GAMES` names, or in `shared/loa-games` beside the checkout, and skips without.

use std::collections::HashSet;
use std::path::PathBuf;

use spinney_game::{Game, Outcome};
use spinney_games::loa::Rules;
use spinney_games::loa::knowledge::categories::{Census, TABLE_TEXT};
use spinney_protocol::loa_archive;
use spinney_protocol::loa_record::{self, RecordError};

fn folder() -> Option<PathBuf> {
    let folder = match std::env::var_os("SPINNEY_LOA_GAMES") {
        Some(folder) => PathBuf::from(folder),
        None => PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/loa-games")),
    };
    folder.is_dir().then_some(folder)
}

#[test]
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn real_games_replay() {
    let Some(folder) = folder() else {
        eprintln!("skipped: no records of LOA games; set SPINNEY_LOA_GAMES to their folder");
        return;
    };
    let mut unique = HashSet::new();
    // The man that White moves next is on e8: d8 is a misprint for e8.
    let misprints = [("Wikman-Kok game 2", r#"ply 10: move "a4:d8": not a legal move here"#)];
    let mut misprints_found = 0;
    let (mut games, mut finished, mut scrambled) = (0, 0, 0);
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "sgf"))
        .collect();
    files.sort();
    for path in files {
        let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
        let records =
            loa_record::parse(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        for record in records {
            match record.replay(Rules::default()) {
                Ok(replay) => {
                    games += 1;
                    scrambled += usize::from(!record.is_standard());
                    finished += usize::from(matches!(replay.outcome, Some(Outcome::Win(_))));
                    let moves: Vec<_> = replay.moves.iter().map(|m| (m.from, m.to)).collect();
                    unique.insert((record.is_standard(), moves));
                }
                Err(RecordError::Setup(_)) => {}
                Err(error) if misprints.contains(&(&*record.name, &*error.to_string())) => {
                    misprints_found += 1;
                }
                Err(error) => panic!("{}: {}: {error}", path.display(), record.name),
            }
        }
    }
    eprintln!("{games} games, {} unique, {finished} won, {scrambled} scrambled eggs", unique.len());
    assert_eq!(misprints_found, misprints.len());
    assert!(unique.len() > 850, "{} unique games", unique.len());
    assert!(scrambled > 20, "{scrambled} games of scrambled eggs");
}

/// The committed table of move categories is what the records give.
#[test]
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn categories_are_those_of_the_records() {
    let Some(folder) = folder() else {
        eprintln!("skipped: no records of LOA games; set SPINNEY_LOA_GAMES to their folder");
        return;
    };
    let mut census = Census::default();
    for game in loa_archive::read(&folder).unwrap() {
        let mut position = game.start.clone();
        for &m in &game.moves {
            census.add(&position, m);
            position.play(m);
        }
    }
    let committed: String = TABLE_TEXT
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| format!("{line}\n"))
        .collect();
    assert!(census.text() == committed, "run `spinney learn categories` again");
}
