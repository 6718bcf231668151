//! Games of Lines of Action in SGF (`GM[9]`), as the archives have them.
//!
//! Moves look like `D1-B3`, `c2:g6`, `c1 a3`; a capture is not always marked; `Resign` or `Forfeit`
//! may stand where a move does; the start may be named by `SU`.

use spinney_game::{Game, MoveError, Notation, Outcome, Side};
use spinney_games::loa::{Loa, Move, Rules, Start};
use thiserror::Error;

use crate::sgf::{self, GameTree, SgfError};

/// A record of a game: what was written down, not yet checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The name of the game, or of the place it was played at.
    pub name: String,
    /// The start position by name; `Standard` if the record names none.
    pub setup: String,
    /// The moves as written, with the side that made them.
    moves: Vec<(Side, String)>,
}

/// A replayed game.
#[derive(Clone, Debug)]
pub struct Replay {
    /// Where it started.
    pub start: Loa,
    /// Its moves, all legal.
    pub moves: Vec<Move>,
    /// The position after the last move.
    pub end: Loa,
    /// The result by connection or resignation; `None` if the record stops before the end.
    pub outcome: Option<Outcome>,
}

/// A record that cannot be replayed.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum RecordError {
    /// The start is none this program knows.
    #[error("unknown start position {0:?}")]
    Setup(String),
    /// A move is not legal.
    #[error("ply {ply}: {error}")]
    Move {
        /// The number of the move, from 1.
        ply: usize,
        /// What is wrong with it.
        error: MoveError,
    },
    /// A side moved twice.
    #[error("ply {ply}: it is the other side's turn")]
    Turn {
        /// The number of the move, from 1.
        ply: usize,
    },
}

/// Reads all games of LOA in a file.
pub fn parse(text: &str) -> Result<Vec<Record>, SgfError> {
    Ok(sgf::parse(text)?.iter().map(Record::from_tree).collect())
}

impl Record {
    fn from_tree(tree: &GameTree) -> Record {
        let mut record =
            Record { name: String::new(), setup: "Standard".to_owned(), moves: Vec::new() };
        for node in tree.main_line() {
            for (name, values) in node.properties() {
                let value = values[0].trim();
                match name.as_str() {
                    "B" => record.moves.push((Side::First, value.to_owned())),
                    "W" => record.moves.push((Side::Second, value.to_owned())),
                    "GN" => record.name = value.to_owned(),
                    "SU" => record.setup = value.to_owned(),
                    _ => {}
                }
            }
        }
        record
    }

    /// Whether the game started from the usual position.
    pub fn is_standard(&self) -> bool {
        self.setup.eq_ignore_ascii_case("standard")
    }

    /// Plays the game through. The record continues after a connection only if the players did not
    /// see it; the replay stops there.
    pub fn replay(&self, rules: Rules) -> Result<Replay, RecordError> {
        let setup = self.setup.to_ascii_lowercase();
        let start = match setup.as_str() {
            "standard" => Start::Standard,
            "scrambled-eggs" | "scrambled" => Start::ScrambledEggs,
            _ => return Err(RecordError::Setup(self.setup.clone())),
        };
        let start = Loa::new(start, rules);
        let mut replay =
            Replay { start: start.clone(), moves: Vec::new(), end: start, outcome: None };
        for (index, (side, text)) in self.moves.iter().enumerate() {
            let ply = index + 1;
            if is_resignation(text) {
                replay.outcome = Some(Outcome::Win(!*side));
                break;
            }
            if *side != replay.end.to_move() {
                return Err(RecordError::Turn { ply });
            }
            let m = replay
                .end
                .parse_move(&plain(text))
                .map_err(|error| RecordError::Move { ply, error })?;
            replay.moves.push(m);
            replay.end.play(m);
            replay.outcome = replay.end.outcome();
            if replay.outcome.is_some() {
                break;
            }
        }
        Ok(replay)
    }
}

/// Whether what stands where a move does ends the game.
pub fn is_resignation(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    text.starts_with("resign") || text.starts_with("forfeit")
}

/// A move without the blanks and signs that players add: `c1  a3 ++` is `c1a3`.
pub fn plain(text: &str) -> String {
    let letters: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    letters.trim_end_matches(['+', '!', '?', '#']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_moves_as_people_write_them() {
        let text = "(;GM[9];B[D1-D3  ];W[a4- c4];B[c1:c4];W[h4 f4 ++]C[!];C[]B[Resigns])";
        let records = parse(text).unwrap();
        let replay = records[0].replay(Rules::default()).unwrap();
        assert_eq!(replay.moves.len(), 4);
        assert_eq!(replay.outcome, Some(Outcome::Win(Side::Second)));
    }

    #[test]
    fn wrong_records_say_which_ply() {
        let error = |text| parse(text).unwrap()[0].replay(Rules::default()).unwrap_err();
        let message = error("(;B[d1-d3];W[a3-a8])").to_string();
        assert_eq!(message, r#"ply 2: move "a3-a8": not a legal move here"#);
        assert_eq!(error("(;W[a3-c3])"), RecordError::Turn { ply: 1 });
        assert_eq!(error("(;SU[Gemma])"), RecordError::Setup("Gemma".to_owned()));
    }
}
