//! `spinney players`: who can play, and with which options.

use std::io::Write;

use anyhow::Result;
use clap::Args;
use spinney_session::{OptionInfo, PlayerSpec, Registry};

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

/// All options of a player.
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
    for option in game.options(spec)? {
        write_option(&option, out)?;
    }
    Ok(())
}

/// Columns of the output, and where its explanations begin.
const WIDTH: usize = 100;
const INDENT: usize = 32;

/// An option with its default and, beside them, what it means and takes. A long default has a line of its
/// own.
fn write_option(option: &OptionInfo, out: &mut impl Write) -> Result<()> {
    let OptionInfo { key, default, help, needs, .. } = option;
    let default = if default.is_empty() { "-" } else { default };
    let mut text = format!("{help} ({})", option.expected());
    for need in needs {
        text += &format!("; needs {need}");
    }
    let head = format!("{key:<18} {default:<12}");
    let mut line = if head.len() < INDENT {
        format!("{head:<INDENT$}")
    } else {
        writeln!(out, "{head}")?;
        " ".repeat(INDENT)
    };
    for word in text.split(' ') {
        if line.len() + word.len() > WIDTH {
            writeln!(out, "{}", line.trim_end())?;
            line = " ".repeat(INDENT);
        }
        line += word;
        line += " ";
    }
    writeln!(out, "{}", line.trim_end())?;
    Ok(())
}
