//! `spinney learn`: tables and weights made from games.

mod evaluation;
mod openings;
mod regression;

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::{Args, Subcommand};
use spinney_game::{Game, file};
use spinney_games::loa::knowledge::categories::Census;
use spinney_protocol::loa_archive;

use crate::interrupt::exit_on_interrupt;

#[derive(Args)]
pub(crate) struct Learn {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// How often LOA moves of each category are played, from a folder of SGF records.
    Categories(Categories),
    /// The weights of LOA's evaluation, from folders of SGF records.
    Evaluation(evaluation::LearnEvaluation),
    /// Balanced openings of LOA for matches, distinct up to symmetry.
    Openings(openings::Openings),
}

#[derive(Args)]
struct Categories {
    /// The folder of game records.
    #[arg(long, value_name = "DIR")]
    games: PathBuf,
    /// Where to write the table; stdout if absent.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Learn {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<()> {
        match &self.what {
            What::Categories(command) => command.run(out),
            What::Evaluation(command) => command.run(out),
            What::Openings(command) => command.run(out),
        }
    }
}

impl Categories {
    fn run(&self, out: &mut impl Write) -> Result<()> {
        let games = loa_archive::read(&self.games)?;
        let mut census = Census::default();
        let mut plies = 0;
        for game in &games {
            let mut position = game.start.clone();
            for &m in &game.moves {
                census.add(&position, m);
                position.play(m);
                plies += 1;
            }
        }
        let text = format!(
            "# Move categories of LOA: number, positions in which it was played, available.\n\
             # Made by `spinney learn categories` from {} games, {plies} plies.\n{}",
            games.len(),
            census.text()
        );
        match &self.out {
            None => Ok(out.write_all(text.as_bytes())?),
            Some(path) => write(path, &text),
        }
    }
}

/// Writes what was learned to a file.
fn write(path: &Path, text: &str) -> Result<()> {
    exit_on_interrupt()?;
    file::replace(path, text.as_bytes()).with_context(|| path.display().to_string())
}
