//! Openings: where the games of a match begin.

use spinney_game::{History, MoveError, PositionError};
use spinney_games::catalog::Playable;
use thiserror::Error;

/// A position to start from, and moves played from there.
#[derive(Clone, Debug)]
pub struct Opening<G: Playable> {
    /// The position before the moves.
    pub start: G,
    /// The moves, as text.
    pub moves: Vec<String>,
    /// The game after the moves.
    pub history: History<G>,
}

/// A text that is no opening.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum OpeningError {
    /// Not a position.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// A move of the list is not legal.
    #[error("move number {number}: {error}")]
    Move {
        /// Which move, from 1.
        number: usize,
        /// What is wrong with it.
        error: MoveError,
    },
    /// A list goes on after the end of the game.
    #[error("move number {number}: the game is over before it")]
    Over {
        /// The first move too many, from 1.
        number: usize,
    },
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

impl<G: Playable> Opening<G> {
    /// A list of moves, separated by blanks, from a position. The game may be over after them.
    pub fn new(start: G, moves: &str) -> Result<Self, OpeningError> {
        let mut opening =
            Opening { start: start.clone(), moves: Vec::new(), history: History::new(start) };
        for (number, text) in (1..).zip(moves.split_whitespace()) {
            if opening.history.outcome().is_some() {
                return Err(OpeningError::Over { number });
            }
            let position = opening.history.position();
            let m =
                position.parse_move(text).map_err(|error| OpeningError::Move { number, error })?;
            opening.moves.push(position.move_text(m));
            opening.history.play(m);
        }
        Ok(opening)
    }

    /// Reads a position, or a list of moves from `start`. The game is not over after it.
    fn read(start: &G, text: &str) -> Result<Self, OpeningError> {
        let opening = match start.parse_position(text) {
            Ok(position) => Opening::new(position, "")?,
            // The text of a position has ranks; no move has.
            Err(error) if text.contains('/') => return Err(error.into()),
            Err(_) => Opening::new(start.clone(), text)?,
        };
        if opening.history.outcome().is_some() {
            return Err(OpeningError::Finished);
        }
        Ok(opening)
    }
}

/// Reads the text of a file of openings: on each line a position, or a list of moves from `start`.
/// Empty lines and comments, from a `#` at the start of a word to the end of the line, are skipped.
pub fn read_openings<G: Playable>(start: &G, text: &str) -> Result<Vec<Opening<G>>, OpeningError> {
    let mut openings = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        let text = without_comment(text).trim();
        if !text.is_empty() {
            openings.push(
                Opening::read(start, text)
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
    use spinney_game::{Game, Notation, Side};
    use spinney_games::chess::Chess;
    use spinney_games::loa::Loa;

    #[test]
    fn lines_are_positions_or_moves() {
        let text = "# openings\n\nb1-d3 a2-c2  # two plies\nb1d3\n\
                    1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 w\n";
        let openings = read_openings(&Loa::<8>::default(), text).unwrap();
        let plies: Vec<usize> = openings.iter().map(|opening| opening.moves.len()).collect();
        assert_eq!(plies, [2, 1, 0]);
        assert_eq!(openings[1].moves, ["b1-d3"]);
        assert_eq!(openings[1].history.path().len(), 2);
        assert_eq!(openings[2].history.position().to_move(), Side::Second);
        assert_eq!(openings[1].start.position_text(), Loa::<8>::default().position_text());
    }

    #[test]
    fn a_mate_sign_is_no_comment() {
        assert_eq!(without_comment("f3 e5 g4 Qh4# # mate"), "f3 e5 g4 Qh4# ");
        let error = read_openings(&Chess::start(), "f3 e5 g4 Qh4#").unwrap_err();
        assert_eq!(error.to_string(), "line 1: the game is over there");
    }

    #[test]
    fn mistakes_say_where() {
        let message =
            |text: &str| read_openings(&Loa::<8>::default(), text).unwrap_err().to_string();
        let illegal = message("b1-d3\n# comment\nb1-d3 a2-b9");
        assert!(illegal.starts_with("line 3: move number 2: move \"a2-b9\""), "{illegal}");
        assert!(message("1xx/o6o b").starts_with("line 1: position"));
        assert_eq!(message("# nothing\n"), "there is no opening in it");
        assert_eq!(message("8/8/8/8/8/8/xx6/5o1o w"), "line 1: the game is over there");
    }
}
