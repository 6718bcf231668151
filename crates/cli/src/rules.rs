//! Commands about the rules alone: `games`, `perft`, `moves`.

use std::io::Write;

use anyhow::Result;
use clap::Args;
use spinney_session::{GameHandle, Registry, Session};

use crate::board::BoardArguments;
use crate::limit::whole;

/// Deeper counts exceed 64 bits, or a lifetime.
const DEEPEST_PERFT: u32 = 40;

/// A game and a position of it.
#[derive(Args)]
pub(crate) struct Place {
    /// The game, such as loa, chess, breakthrough:8x8 (see `spinney games`).
    game: String,
    /// The position as text; the game's start position if absent.
    #[arg(long, value_name = "P")]
    position: Option<String>,
}

impl Place {
    pub(crate) fn game(&self, registry: &Registry) -> Result<GameHandle> {
        Ok(registry.game(&self.game)?)
    }

    pub(crate) fn session(&self, registry: &Registry) -> Result<Session> {
        Ok(self.game(registry)?.at(self.position.as_deref())?)
    }
}

pub(crate) fn games(registry: &Registry, out: &mut impl Write) -> Result<()> {
    for info in registry.games() {
        writeln!(out, "{:<21} {}", info.name, info.summary)?;
    }
    Ok(())
}

#[derive(Args)]
pub(crate) struct Perft {
    #[command(flatten)]
    place: Place,
    /// Plies to count.
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = whole(1_u32..=DEEPEST_PERFT))]
    depth: u32,
}

impl Perft {
    pub(crate) fn run(&self, registry: &Registry, out: &mut impl Write) -> Result<()> {
        let session = self.place.session(registry)?;
        for depth in 1..=self.depth {
            writeln!(out, "{depth} {}", session.perft(depth))?;
            out.flush()?;
        }
        Ok(())
    }
}

#[derive(Args)]
pub(crate) struct Moves {
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    board: BoardArguments,
}

impl Moves {
    pub(crate) fn run(&self, registry: &Registry, out: &mut impl Write) -> Result<()> {
        let session = self.place.session(registry)?;
        self.board.write(&session, out)?;
        for m in session.legal_moves() {
            writeln!(out, "{}", session.move_text(m))?;
        }
        Ok(())
    }
}
