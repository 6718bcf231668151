//! `spinney export`: the games of matches, tournaments and experiments for people and other programs.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use spinney_arena::{game_text, read_games};
use spinney_session::Registry;

#[derive(Args)]
pub(crate) struct Export {
    /// Files of games, one line of JSON each, as `match --out` and `tournament --out` keep them.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

impl Export {
    pub(crate) fn run(&self, registry: &Registry, out: &mut impl Write) -> Result<()> {
        // 1. Everything is checked before anything is printed.
        let mut games = Vec::new();
        for path in &self.files {
            // A missing file is an error here, not an empty one.
            std::fs::metadata(path).with_context(|| path.display().to_string())?;
            games.push((path, read_games(registry, path)?));
        }
        // 2. Print.
        for (path, records) in &games {
            for record in records {
                let text =
                    game_text(registry, record).with_context(|| path.display().to_string())?;
                out.write_all(text.as_bytes())?;
            }
        }
        Ok(())
    }
}
