//! Boards as text, in colours on a terminal.

use std::env;
use std::io::{IsTerminal, Write, stdout};

use anyhow::Result;
use clap::Args;
use spinney_session::{Man, Session, Side};

#[derive(Args)]
pub(crate) struct BoardArguments {
    /// Print the board first. On a terminal that is the default.
    #[arg(long)]
    board: bool,
}

impl BoardArguments {
    /// The board, if somebody looks or asks for it.
    pub(crate) fn write(&self, session: &Session, out: &mut impl Write) -> Result<()> {
        if self.board || stdout().is_terminal() {
            writeln!(out, "{}", text(session))?;
        }
        Ok(())
    }
}

/// The board, or the text of a position without one, and whose turn it is. Colours tell the sides apart
/// and show the last move.
pub(crate) fn text(session: &Session) -> String {
    let is_coloured = stdout().is_terminal() && env::var_os("NO_COLOR").is_none();
    let last = session.move_texts().pop().unwrap_or_default();
    let paint = |square: &str, man: Option<Man>| {
        let letter = man.map_or('.', |man| man.letter);
        if !is_coloured {
            return letter.to_string();
        }
        // Cyan and yellow can be read on light and dark terminals.
        let colour = match man.map(|man| man.side) {
            Some(Side::First) => "1;36",
            Some(Side::Second) => "1;33",
            None => "2",
        };
        let marked = if last.contains(square) { ";7" } else { "" };
        format!("\x1b[{colour}{marked}m{letter}\x1b[0m")
    };
    let board = session.diagram().map(|diagram| diagram.text(paint));
    let board = board.unwrap_or_else(|| format!("{}\n", session.board_text().trim_end()));
    match session.outcome() {
        Some(_) => board,
        None => format!("{board}{} to move\n", side_name(session, session.to_move())),
    }
}

/// What a side is called.
pub(crate) fn side_name(session: &Session, side: Side) -> &'static str {
    session.game().info().sides[side.index()]
}
