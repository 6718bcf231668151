//! LOA positions and moves as text: `1xxxxxx1/o6o/…/1xxxxxx1 b`, `d3-f5`, `d3xf5`, `pass`.

use std::fmt;

use spinney_game::{Game, MoveError, Notation, PositionError};

use super::connection::connected;
use super::{Loa, Move};
use crate::board::{Diagram, Letters, parse_two_squares};

impl<const N: usize> Notation for Loa<N> {
    fn parse_position(&self, text: &str) -> Result<Self, PositionError> {
        let diagram = Diagram::parse(text, Letters::BLACK_FIRST)?;
        if diagram.size != Self::SIZE {
            let problem = format!("the board is {}, expected {}", diagram.size, Self::SIZE);
            return Err(PositionError::new(text, problem));
        }
        for (men, name) in diagram.men.iter().zip(["Black", "White"]) {
            if *men == 0 {
                return Err(PositionError::new(text, format!("{name} has no men")));
            }
        }
        Ok(Self::from_men(diagram.men, diagram.to_move, self.rules))
    }

    fn position_text(&self) -> String {
        let diagram = Diagram { size: Self::SIZE, men: self.men_of_both(), to_move: self.to_move };
        diagram.text(Letters::BLACK_FIRST)
    }

    fn ending(&self) -> &'static str {
        match (connected(self.own), connected(self.enemy)) {
            (true, true) => "both sides connected",
            (false, false) if self.outcome().is_some() => "no move left",
            (false, false) => "",
            _ => "all men connected",
        }
    }

    fn move_text(&self, m: Move) -> String {
        if m.is_pass() {
            return "pass".to_owned();
        }
        let separator = if self.is_capture(m) { 'x' } else { '-' };
        format!("{}{separator}{}", m.from, m.to)
    }

    /// Reads `d3-f5`, `d3xf5`, `d3:f5`, `d3 f5` and `d3f5` in lower or upper case, whether or not
    /// the move captures, and `pass`.
    fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        let error = |problem: &str| Err(MoveError::new(text, problem));
        let m = match parse_two_squares(text) {
            Some((from, to)) => Move { from, to },
            None if text.trim().eq_ignore_ascii_case("pass") => Move::PASS,
            None => return error("expected a move such as d3-f5, d3xf5 or pass"),
        };
        if self.outcome().is_some() {
            return error("the game is over");
        }
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        if moves.contains(&m) {
            return Ok(m);
        }
        match m {
            _ if m.is_pass() => error("there are moves, so passing is not allowed"),
            _ if self.own & m.from.bit() == 0 => error("no man of the side to move stands there"),
            _ => error("not a legal move here"),
        }
    }
}

impl<const N: usize> fmt::Debug for Loa<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.position_text())
    }
}
