//! `spinney export` through the real binary: what was kept of games, as their readers read it.

mod common;

use std::fs;

use common::{assert_refused, scratch, stdout};
use serde_json::Value;
use spinney_games::loa::Rules;
use spinney_protocol::{loa_record, pgn};

/// Plays a match of two games; its records, and what they are exported as.
fn play(game: &str, players: [&str; 2], more: &[&str]) -> (Vec<Value>, String) {
    let path = scratch(&format!("export-{game}.jsonl"));
    let file = path.to_str().expect("text");
    let arguments = [&["match", game, players[0], players[1], "--games", "2"], more].concat();
    stdout(&[&arguments[..], &["--out", file]].concat());
    let records = fs::read_to_string(&path).expect("games");
    let records = records.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    (records, stdout(&["export", file]))
}

/// The moves of a record: those of the opening, then those of the players.
fn moves(record: &Value) -> Vec<&str> {
    let opening = record["opening"].as_array().expect("a list").iter();
    let played = record["moves"].as_array().expect("a list").iter().map(|m| &m["move"]);
    opening.chain(played).map(|m| m.as_str().expect("text")).collect()
}

#[test]
fn games_of_chess_are_pgn() {
    let limit = ["--simulations", "20", "--max-plies", "30"];
    let (records, text) = play("chess", ["mcc-plus", "uct"], &limit);
    let games = pgn::parse(&text).expect("PGN");
    assert_eq!(games.len(), 2);
    for (game, record) in games.iter().zip(&records) {
        let found: Vec<String> = game.moves().map(|m| m.to_string()).collect();
        assert_eq!(found, moves(record));
        let white = if record["first"] == "a" { "mcc-plus" } else { "uct" };
        assert_eq!(game.tag("White"), Some(white));
        assert_eq!(game.tag("WhiteLimit"), Some("simulations=20"));
        let words = &game.line.moves.last().expect("a move").comment;
        assert!(words.contains("20 simulations") && words.contains(" s, "), "{words}");
    }
}

#[test]
fn games_of_loa_are_sgf() {
    let (records, text) = play("loa", ["mc-loa", "uct"], &["--simulations", "100"]);
    let games = loa_record::parse(&text).expect("SGF");
    assert_eq!(games.len(), 2);
    for (game, record) in games.iter().zip(&records) {
        assert!(game.is_standard());
        let replay = game.replay(Rules::default()).expect("legal moves");
        assert_eq!(replay.moves.len(), moves(record).len());
        let black = if record["first"] == "a" { "mc-loa" } else { "uct" };
        assert!(text.contains(&format!("PB[{black}]")));
    }
    assert!(text.contains("GM[9]") && text.contains("100 simulations"), "{text}");
}

#[test]
fn other_games_are_plain_text() {
    let (records, text) = play("tictactoe", ["uct", "random"], &["--simulations", "50"]);
    let first = moves(&records[0]);
    assert!(text.starts_with("[Game \"tictactoe\"]\n[Round \"1\"]\n[First \"uct\"]\n"), "{text}");
    assert!(text.contains(&format!("\n1. {} {{", first[0])), "{text}");
    assert!(text.contains(&format!("}} {} {{", first[1])), "{text}");
    assert_eq!(text.matches("[Result ").count(), 2);
}

#[test]
fn what_is_no_game_is_refused() {
    let path = scratch("export-no-game.jsonl");
    let file = path.to_str().expect("text");
    assert_refused(&["export", file], "No such file");
    fs::write(&path, "(;GM[9])\n").expect("written");
    assert_refused(&["export", file], "line 1: no record");
    assert_refused(&["export"], "FILE");
}
