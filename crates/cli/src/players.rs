//! `spinney players`: who can play, and with which options.

use std::io::Write;

use anyhow::Result;
use clap::Args;
use spinney_session::{OptionDescription, OptionKind, PlayerSpec, Registry, option_help};

#[derive(Args)]
pub(crate) struct Players {
    /// Only the players of this game; or a player, for its options.
    #[arg(value_name = "GAME|PLAYER")]
    what: Option<String>,
}

impl Players {
    pub(crate) fn run(&self, registry: &Registry, out: &mut impl Write) -> Result<()> {
        let all = registry.players();
        let players = match &self.what {
            None => all,
            Some(what) => {
                let name = what.split(':').next();
                if all.iter().any(|entry| Some(entry.name) == name) {
                    return options(registry, &what.parse()?, out);
                }
                registry.game(what)?.players()
            }
        };
        for entry in players {
            writeln!(out, "{:<21} {}", entry.name, entry.summary)?;
        }
        Ok(())
    }
}

/// A line for each option: name, default, what it may be, what it means.
fn options(registry: &Registry, spec: &PlayerSpec, out: &mut impl Write) -> Result<()> {
    // Options are the same in every game that the player plays.
    let mut games = Vec::new();
    for info in registry.games() {
        games.push(registry.game(info.name)?);
    }
    let plays = |game: &spinney_session::GameHandle| {
        game.players().iter().any(|entry| entry.name == spec.name())
    };
    let Some(game) = games.into_iter().find(plays) else { return Ok(()) };
    for OptionDescription { key, kind, default } in game.describe(spec)? {
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
