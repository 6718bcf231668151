//! Commands about the rules alone: `games`, `perft`, `moves`.

use std::io::Write;

use anyhow::Result;
use clap::Args;
use spinney_games::catalog::{CATALOG, GameSpec, Playable, Visitor};

/// Deeper counts exceed 64 bits, or a lifetime.
const DEEPEST_PERFT: i64 = 40;

/// A game and a position of it.
#[derive(Args)]
pub(crate) struct Place {
    /// The game, such as loa, chess, breakthrough:8x8 (see `spinney games`).
    game: GameSpec,
    /// The position as text; the game's start position if absent.
    #[arg(long, value_name = "P")]
    position: Option<String>,
}

impl Place {
    pub(crate) fn game(&self) -> GameSpec {
        self.game
    }

    pub(crate) fn read<G: Playable>(&self, start: G) -> Result<G> {
        Ok(match &self.position {
            Some(text) => start.parse_position(text)?,
            None => start,
        })
    }
}

pub(crate) fn games(out: &mut impl Write) -> Result<()> {
    for entry in CATALOG {
        writeln!(out, "{:<21} {}", entry.name, entry.summary)?;
    }
    Ok(())
}

#[derive(Args)]
pub(crate) struct Perft {
    #[command(flatten)]
    place: Place,
    /// Plies to count.
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(i64).range(1..=DEEPEST_PERFT))]
    depth: i64,
}

impl Perft {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<()> {
        self.place.game.visit(PerftVisitor(self, out))
    }
}

struct PerftVisitor<'a, W>(&'a Perft, &'a mut W);

impl<W: Write> Visitor for PerftVisitor<'_, W> {
    type Output = Result<()>;

    fn visit<G: Playable>(self, start: G) -> Result<()> {
        let PerftVisitor(command, out) = self;
        let position = command.place.read(start)?;
        for depth in 1..=command.depth as u32 {
            writeln!(out, "{depth} {}", position.perft(depth))?;
            out.flush()?;
        }
        Ok(())
    }
}

#[derive(Args)]
pub(crate) struct Moves {
    #[command(flatten)]
    place: Place,
}

impl Moves {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<()> {
        self.place.game.visit(MovesVisitor(self, out))
    }
}

struct MovesVisitor<'a, W>(&'a Moves, &'a mut W);

impl<W: Write> Visitor for MovesVisitor<'_, W> {
    type Output = Result<()>;

    fn visit<G: Playable>(self, start: G) -> Result<()> {
        let MovesVisitor(command, out) = self;
        let position = command.place.read(start)?;
        if position.outcome().is_some() {
            return Ok(());
        }
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        for m in moves {
            writeln!(out, "{}", position.move_text(m))?;
        }
        Ok(())
    }
}
