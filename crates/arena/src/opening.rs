//! Openings: where the games of a match begin.

use spinney_session::{GameHandle, PositionError, ReadError, Session};
use thiserror::Error;

/// A text that is no opening.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum OpeningError {
    /// Not a position.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// A move of the list is not legal, or follows the end of the game.
    #[error(transparent)]
    Moves(#[from] ReadError),
    /// There is nothing left to play.
    #[error("the game is over there")]
    Finished,
    /// Something is wrong on a line of a file.
    #[error("line {line}: {error}")]
    Line {
        /// Which line, from 1.
        line: usize,
        /// What is wrong on it.
        error: Box<OpeningError>,
    },
    /// A file without openings.
    #[error("there is no opening in it")]
    Empty,
}

/// Reads a position, or a list of moves from the start. The game is not over after it.
fn read_opening(game: &GameHandle, text: &str) -> Result<Session, OpeningError> {
    let session = match game.at(Some(text)) {
        Ok(session) => session,
        // The text of a position has ranks; no move has.
        Err(error) if text.contains('/') => return Err(error.into()),
        Err(_) => game.read(None, text.split_whitespace())?,
    };
    if session.outcome().is_some() { Err(OpeningError::Finished) } else { Ok(session) }
}

/// Reads the text of a file of openings: on each line a position, or a list of moves from the start.
/// Empty lines and comments, from a `#` at the start of a word to the end of the line, are skipped.
pub fn read_openings(game: &GameHandle, text: &str) -> Result<Vec<Session>, OpeningError> {
    let mut openings = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        let text = without_comment(text).trim();
        if !text.is_empty() {
            openings.push(
                read_opening(game, text)
                    .map_err(|error| OpeningError::Line { line, error: Box::new(error) })?,
            );
        }
    }
    if openings.is_empty() { Err(OpeningError::Empty) } else { Ok(openings) }
}

/// A `#` inside a word is none of ours: chess players write `Qh5#`.
fn without_comment(line: &str) -> &str {
    let comment = line
        .char_indices()
        .find(|&(at, c)| c == '#' && !line[..at].ends_with(|c: char| !c.is_whitespace()));
    comment.map_or(line, |(at, _)| &line[..at])
}

#[cfg(test)]
mod tests {
    use super::*;
    use spinney_session::{Registry, Side};

    fn game(name: &str) -> GameHandle {
        Registry::builtin().game(name).unwrap()
    }

    #[test]
    fn lines_are_positions_or_moves() {
        let text = "# openings\n\nb1-d3 a2-c2  # two plies\nb1d3\n\
                    1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 w\n";
        let openings = read_openings(&game("loa"), text).unwrap();
        let plies: Vec<usize> = openings.iter().map(|opening| opening.moves().len()).collect();
        assert_eq!(plies, [2, 1, 0]);
        assert_eq!(openings[1].move_texts(), ["b1-d3"]);
        assert_eq!(openings[2].to_move(), Side::Second);
        assert_eq!(openings[1].start_text(), game("loa").start().position_text());
    }

    #[test]
    fn a_mate_sign_is_no_comment() {
        assert_eq!(without_comment("f3 e5 g4 Qh4# # mate"), "f3 e5 g4 Qh4# ");
        let error = read_openings(&game("chess"), "f3 e5 g4 Qh4#").unwrap_err();
        assert_eq!(error.to_string(), "line 1: the game is over there");
    }

    #[test]
    fn mistakes_say_where() {
        let message = |text: &str| read_openings(&game("loa"), text).unwrap_err().to_string();
        let illegal = message("b1-d3\n# comment\nb1-d3 a2-b9");
        assert!(illegal.starts_with("line 3: ply 2: move \"a2-b9\""), "{illegal}");
        assert!(message("1xx/o6o b").starts_with("line 1: position"));
        assert_eq!(message("# nothing\n"), "there is no opening in it");
        assert_eq!(message("8/8/8/8/8/8/xx6/5o1o w"), "line 1: the game is over there");
    }
}
