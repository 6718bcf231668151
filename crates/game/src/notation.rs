//! Positions and moves as text.

use thiserror::Error;

use crate::Game;

/// A text that is not a position, and why.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("position {input:?}: {problem}")]
pub struct PositionError {
    input: String,
    problem: String,
}

impl PositionError {
    /// An error about `input`.
    pub fn new(input: &str, problem: impl Into<String>) -> Self {
        PositionError { input: shortened(input), problem: problem.into() }
    }
}

/// A text that is not a legal move, and why.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("move {input:?}: {problem}")]
pub struct MoveError {
    input: String,
    problem: String,
}

impl MoveError {
    /// An error about `input`.
    pub fn new(input: &str, problem: impl Into<String>) -> Self {
        MoveError { input: shortened(input), problem: problem.into() }
    }
}

/// An error message stays one readable line however long the input was.
fn shortened(input: &str) -> String {
    const LONGEST: usize = 120;
    if input.chars().count() <= LONGEST {
        return input.to_owned();
    }
    input.chars().take(LONGEST).chain("…".chars()).collect()
}

/// Text for positions and moves.
pub trait Notation: Game {
    /// Reads a position of the same game as `self`: the same rules, and whatever else the text
    /// does not say.
    fn parse_position(&self, text: &str) -> Result<Self, PositionError>;

    /// The position as one line that [`parse_position`](Notation::parse_position) reads back.
    fn position_text(&self) -> String;

    /// A legal move as text, unique among the legal moves here. By default its `Debug` form.
    fn move_text(&self, m: Self::Move) -> String {
        format!("{m:?}")
    }

    /// A legal move as people write it, where that differs: SAN in chess.
    fn move_label(&self, m: Self::Move) -> String {
        self.move_text(m)
    }

    /// Reads a legal move, in the form of [`move_text`](Notation::move_text) or any other the
    /// game's players use.
    fn parse_move(&self, text: &str) -> Result<Self::Move, MoveError> {
        let mut moves = Vec::new();
        if self.outcome().is_none() {
            self.legal_moves(&mut moves);
        }
        moves
            .into_iter()
            .find(|&m| self.move_text(m) == text.trim())
            .ok_or_else(|| MoveError::new(text, "not a legal move here"))
    }

    /// The board as text for people, one line per rank, in games whose position text does not begin with
    /// one.
    fn board_text(&self) -> Option<String> {
        None
    }

    /// What ended the game here, in a few words such as `checkmate`, whoever won. Empty if it is not
    /// over, or if there is nothing to tell.
    fn ending(&self) -> &'static str {
        ""
    }
}
