//! `spinney players`: who can play.

use std::io::Write;

use anyhow::Result;
use clap::Args;
use spinney_games::catalog::{GameSpec, Playable, Visitor};
use spinney_players::{CATALOG, PlayerSpec, create};

#[derive(Args)]
pub(crate) struct Players {
    /// Only the players of this game.
    game: Option<GameSpec>,
}

impl Players {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<()> {
        for entry in CATALOG {
            let spec: PlayerSpec = entry.name.parse()?;
            if self.game.as_ref().is_none_or(|game| game.visit(CanPlay(&spec))) {
                writeln!(out, "{:<21} {}", entry.name, entry.summary)?;
            }
        }
        Ok(())
    }
}

struct CanPlay<'a>(&'a PlayerSpec);

impl Visitor for CanPlay<'_> {
    type Output = bool;

    fn visit<G: Playable>(self, start: G) -> bool {
        create(self.0, &start, 0).is_ok()
    }
}
