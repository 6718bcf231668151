//! A game of a match as people and other programs read it: SGF for Lines of Action, PGN for chess, and
//! for other games a plain text in the manner of PGN. Every move has what its player said of it.

use std::fmt::Write;

use spinney_game::{Game, Notation};
use spinney_games::chess::Chess;
use spinney_protocol::pgn::{PgnGame, PgnMove, PgnResult, tag_line};
use spinney_protocol::sgf;
use spinney_session::{RecordFormat, Registry, Side};
use thiserror::Error;

use crate::record::word;
use crate::{Contestant, EndReason, GameRecord, GameResult, MoveRecord};

/// A record whose game cannot be read.
#[derive(Debug, Error)]
#[error("game {index}: {problem}")]
pub struct GameTextError {
    index: u64,
    problem: String,
}

/// The game as text, with an empty line after it.
pub fn game_text(registry: &Registry, record: &GameRecord) -> Result<String, GameTextError> {
    let error = |problem: String| GameTextError { index: record.index, problem };
    let game = registry.game(&record.game).map_err(|e| error(e.to_string()))?;
    let start = game.at(Some(&record.start)).map_err(|e| error(e.to_string()))?;
    match game.info().record {
        RecordFormat::Pgn => pgn(record).map(|text| text + "\n").map_err(error),
        RecordFormat::Sgf => Ok(sgf(record, start.to_move())),
        RecordFormat::Text => Ok(plain(record, start.to_move())),
    }
}

impl GameRecord {
    /// The player with a side, and what it might use for a move.
    fn player(&self, side: Side) -> (&str, &str) {
        match Contestant::with_side(side, self.first) {
            Contestant::A => (&self.a, &self.limit_a),
            Contestant::B => (&self.b, &self.limit_b),
        }
    }

    /// The winner's side.
    fn winner(&self) -> Option<Side> {
        match self.result {
            GameResult::A => Some(Contestant::A.side(self.first)),
            GameResult::B => Some(Contestant::B.side(self.first)),
            GameResult::Draw => None,
        }
    }

    /// The moves of the opening and of the players, with what is said of them.
    fn commented(&self) -> impl Iterator<Item = (&str, String)> {
        let opening = self.opening.iter().map(|m| (m.as_str(), String::new()));
        opening.chain(self.moves.iter().map(|m| (m.m.as_str(), comment(m))))
    }
}

/// What a player said of its move, as it sees it.
fn comment(m: &MoveRecord) -> String {
    let MoveRecord { seconds, simulations, nodes, value, proven, .. } = m;
    let mut text = format!("{value:+.3} {seconds:.3} s, {simulations} simulations, {nodes} nodes");
    if let Some(proven) = proven {
        let _ = write!(text, ", proven {proven}");
    }
    text
}

fn result(record: &GameRecord) -> PgnResult {
    match record.winner() {
        Some(Side::First) => PgnResult::White,
        Some(Side::Second) => PgnResult::Black,
        None => PgnResult::Draw,
    }
}

fn pgn(record: &GameRecord) -> Result<String, String> {
    let start = Chess::start().parse_position(&record.start).map_err(|e| e.to_string())?;
    let mut game = PgnGame::new(start.clone());
    game.result = result(record);
    let termination = match record.end {
        EndReason::Rules | EndReason::Repetition => "normal",
        EndReason::PlyLimit | EndReason::Proven => "adjudication",
        EndReason::NoMove => "abandoned",
        EndReason::IllegalMove => "rules infraction",
        EndReason::Time => "time forfeit",
    };
    let [(white, white_limit), (black, black_limit)] = Side::BOTH.map(|side| record.player(side));
    let round = (record.index + 1).to_string();
    for (name, value) in [
        ("Event", "Spinney match"),
        ("Round", &round),
        ("White", white),
        ("Black", black),
        ("Termination", termination),
        ("WhiteLimit", white_limit),
        ("BlackLimit", black_limit),
    ] {
        game.tags.push((name.to_owned(), value.to_owned()));
    }
    let mut position = start;
    for (text, comment) in record.commented() {
        let m = position.parse_move(text).map_err(|e| e.to_string())?;
        game.line.moves.push(PgnMove { comment, ..PgnMove::from(m) });
        position.play(m);
    }
    Ok(game.to_string())
}

fn sgf(record: &GameRecord, mut to_move: Side) -> String {
    let mut text = sgf::begin(&record.game, Some(&record.start));
    let [(black, black_limit), (white, white_limit)] = Side::BOTH.map(|side| record.player(side));
    let result = match record.winner() {
        Some(Side::First) => "B+",
        Some(Side::Second) => "W+",
        None => "0",
    };
    let end = word(&record.end);
    for (name, value) in [
        ("RO", &*(record.index + 1).to_string()),
        ("PB", black),
        ("PW", white),
        ("RE", result),
        ("GC", &format!("B {black_limit}, W {white_limit} a move; ended by {end}")),
    ] {
        let _ = write!(text, "\n{name}[{}]", sgf::escaped(value));
    }
    for (m, comment) in record.commented() {
        let colour = if to_move == Side::First { 'B' } else { 'W' };
        let _ = write!(text, "\n;{colour}[{}]", sgf::escaped(m));
        if !comment.is_empty() {
            let _ = write!(text, "C[{}]", sgf::escaped(&comment));
        }
        to_move = !to_move;
    }
    text + ")\n\n"
}

fn plain(record: &GameRecord, mut to_move: Side) -> String {
    let [(first, first_limit), (second, second_limit)] = Side::BOTH.map(|side| record.player(side));
    let result = result(record).text();
    let mut text = String::new();
    for (name, value) in [
        ("Game", &*record.game),
        ("Round", &(record.index + 1).to_string()),
        ("First", first),
        ("Second", second),
        ("FirstLimit", first_limit),
        ("SecondLimit", second_limit),
        ("Start", &record.start),
        ("Result", result),
        ("End", &word(&record.end)),
    ] {
        text += &tag_line(name, value);
    }
    let mut number = 1;
    for (index, (m, comment)) in record.commented().enumerate() {
        match to_move {
            Side::First => drop(write!(text, "\n{number}. {m}")),
            Side::Second if index == 0 => drop(write!(text, "\n{number}... {m}")),
            Side::Second => drop(write!(text, " {m}")),
        }
        if !comment.is_empty() {
            let _ = write!(text, " {{{comment}}}");
        }
        number += u32::from(to_move == Side::Second);
        to_move = !to_move;
    }
    text + "\n" + result + "\n\n"
}
