//! `spinney players`: who can play, and with which options.

use std::io::Write;

use anyhow::Result;
use clap::Args;
use spinney_session::{OptionInfo, PlayerEntry, PlayerSpec, Registry};

#[derive(Args)]
pub(crate) struct Players {
    /// Only the players of this game; or a player, for its options.
    #[arg(value_name = "GAME|PLAYER")]
    what: Option<String>,
    /// Print the page docs/reference/players.md: all players with their options, as Markdown tables.
    #[arg(long, conflicts_with = "what")]
    markdown: bool,
}

impl Players {
    pub(crate) fn run(&self, registry: &Registry, out: &mut impl Write) -> Result<()> {
        if self.markdown {
            return write_page(registry, out);
        }
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
    for option in options_of(registry, spec)? {
        write_option(&option, out)?;
    }
    Ok(())
}

/// The options of a player in the first game that it plays. Only the weights of an evaluation differ
/// between games.
fn options_of(registry: &Registry, spec: &PlayerSpec) -> Result<Vec<OptionInfo>> {
    for info in registry.games() {
        let game = registry.game(info.name)?;
        if game.players().iter().any(|entry| entry.name == spec.name()) {
            return Ok(game.options(spec)?);
        }
    }
    Ok(Vec::new())
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

/// Players that take the same options.
struct Family {
    players: Vec<PlayerEntry>,
    /// For each player its options, which differ in their defaults alone.
    options: Vec<Vec<OptionInfo>>,
}

/// All players by families, in the order of the registry.
fn families(registry: &Registry) -> Result<Vec<Family>> {
    let keys = |options: &[OptionInfo]| -> Vec<&str> { options.iter().map(|o| o.key).collect() };
    let mut families: Vec<Family> = Vec::new();
    for entry in registry.players() {
        let options = options_of(registry, &PlayerSpec::plain(entry.name))?;
        let same = |family: &&mut Family| keys(&family.options[0]) == keys(&options);
        match families.iter_mut().find(same) {
            Some(family) => {
                family.players.push(entry);
                family.options.push(options);
            }
            None => families.push(Family { players: vec![entry], options: vec![options] }),
        }
    }
    Ok(families)
}

fn write_page(registry: &Registry, out: &mut impl Write) -> Result<()> {
    writeln!(out, "# Players and their options\n")?;
    writeln!(out, "<!-- Written by `spinney players --markdown`. -->\n")?;
    writeln!(
        out,
        "A player is a name, or a name with options: `uct:c=0.5,threads=2`. The same list for one player:"
    )?;
    writeln!(out, "`spinney players NAME`.")?;
    for family in families(registry)? {
        write_family(&family, out)?;
    }
    Ok(())
}

fn write_family(Family { players, options }: &Family, out: &mut impl Write) -> Result<()> {
    let names: Vec<String> = players.iter().map(|entry| format!("`{}`", entry.name)).collect();
    writeln!(out, "\n## {}\n", names.join(", "))?;
    for entry in players {
        writeln!(out, "- `{}`: {}", entry.name, entry.summary)?;
    }
    if options[0].is_empty() {
        return writeln!(out, "\nNo options.").map_err(Into::into);
    }
    writeln!(out, "\n| option | meaning | values | default |\n|---|---|---|---|")?;
    for (number, OptionInfo { key, help, needs, .. }) in options[0].iter().enumerate() {
        let needs: String = needs.iter().map(|need| format!("; needs {need}")).collect();
        let expected = options[0][number].expected();
        let defaults: Vec<&str> = options.iter().map(|list| &*list[number].default).collect();
        writeln!(out, "| `{key}` | {help}{needs} | {expected} | {} |", joined(&defaults, &names))?;
    }
    Ok(())
}

/// One default for all players, or each with the players that have it.
fn joined(defaults: &[&str], names: &[String]) -> String {
    let mut distinct: Vec<&str> = defaults.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    if let [default] = distinct[..] {
        return default.to_owned();
    }
    let group = |default: &&str| {
        let those = defaults.iter().zip(names).filter(|(other, _)| *other == default);
        let those: Vec<&str> = those.map(|(_, name)| name.as_str()).collect();
        format!("{default} ({})", those.join(", "))
    };
    distinct.iter().map(group).collect::<Vec<_>>().join("; ")
}
