//! `spinney players`: who can play, and with which options.

use std::io::Write;

use anyhow::Result;
use clap::Args;
use spinney_games::catalog::{CATALOG as GAMES, GameSpec, Playable, Visitor};
use spinney_players::{
    CATALOG, EXTERNAL, OptionDescription, OptionKind, PlayerSpec, create, option_help,
};
use spinney_protocol::describe;

#[derive(Args)]
pub(crate) struct Players {
    /// Only the players of this game; or a player, for its options.
    #[arg(value_name = "GAME|PLAYER")]
    what: Option<String>,
}

impl Players {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<()> {
        let name = self.what.as_deref().and_then(|what| what.split(':').next());
        if CATALOG.iter().any(|entry| Some(entry.name) == name) {
            return options(&self.what.as_deref().unwrap_or_default().parse()?, out);
        }
        let game: Option<GameSpec> = self.what.as_deref().map(str::parse).transpose()?;
        for entry in CATALOG {
            let spec: PlayerSpec = entry.name.parse()?;
            // Another program may play anything.
            let plays = |game: GameSpec| entry.name == EXTERNAL || game.visit(CanPlay(&spec));
            if game.is_none_or(plays) {
                writeln!(out, "{:<21} {}", entry.name, entry.summary)?;
            }
        }
        Ok(())
    }
}

/// A line for each option: name, default, what it may be, what it means.
fn options(spec: &PlayerSpec, out: &mut impl Write) -> Result<()> {
    // Options are the same in every game that the player plays.
    let mut described = Vec::new();
    for entry in GAMES {
        let game: GameSpec = entry.name.parse()?;
        described.push(game.visit(Describe(spec)));
    }
    let found = described.iter().position(Result::is_ok).unwrap_or(0);
    for OptionDescription { key, kind, default } in described.swap_remove(found)? {
        let help = option_help(key).unwrap_or_default();
        let default = if default.is_empty() { "-" } else { &default };
        let kind = match kind {
            OptionKind::Text => String::new(),
            OptionKind::Switch => " (on, off)".to_owned(),
            OptionKind::Choice(names) => format!(" ({})", names.join(", ")),
        };
        writeln!(out, "{key:<18} {default:<10} {help}{kind}")?;
    }
    Ok(())
}

struct CanPlay<'a>(&'a PlayerSpec);

impl Visitor for CanPlay<'_> {
    type Output = bool;

    fn visit<G: Playable>(self, start: G) -> bool {
        create(self.0, &start, 0).is_ok()
    }
}

struct Describe<'a>(&'a PlayerSpec);

impl Visitor for Describe<'_> {
    type Output = Result<Vec<OptionDescription>>;

    fn visit<G: Playable>(self, start: G) -> Self::Output {
        Ok(describe(self.0, &start)?)
    }
}
