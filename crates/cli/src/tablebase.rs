//! `spinney tablebase`: endgame tables of chess.

use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};
use serde::Serialize;
use spinney_game::{Notation, Rng};
use spinney_games::chess::Chess;
use spinney_games::chess::tablebase::{Ending, Tablebases};

use crate::interrupt::exit_on_interrupt;
use crate::limit::whole;
use crate::progress;

/// Positions of each table that `check` compares with a look one ply ahead.
const CHECKED_POSITIONS: u32 = 10_000;
/// The same positions every time.
const SEED: u64 = 1;

#[derive(Args)]
pub(crate) struct Tablebase {
    #[command(subcommand)]
    command: TablebaseCommand,
}

#[derive(Subcommand)]
enum TablebaseCommand {
    /// Make the tables with the distance to mate; those that are there stay.
    Build(Build),
    /// Check the files of the tables, and their values against the rules.
    Check(Check),
    /// Tell what positions are worth.
    Probe(Probe),
}

/// What the help says of folders.
const FOLDER_HELP: &str = "The folder of the tables [default: spinney/tablebase in \
                           $XDG_CACHE_HOME or ~/.cache]";

#[derive(Args)]
struct Build {
    /// Men on the board, kings included: 3 or 4.
    #[arg(long, value_name = "N", default_value = "4", value_parser = whole(3_u32..=4))]
    pieces: u32,
    #[arg(long, value_name = "DIR", help = FOLDER_HELP)]
    dir: Option<PathBuf>,
}

#[derive(Args)]
struct Check {
    #[arg(value_name = "DIR", help = FOLDER_HELP)]
    dir: Option<PathBuf>,
    /// Check the Syzygy tables of a folder instead.
    #[arg(long, value_name = "DIR", conflicts_with = "dir")]
    syzygy: Option<PathBuf>,
}

#[derive(Args)]
struct Probe {
    /// The position; with `-`, positions are read from stdin, one a line.
    #[arg(value_name = "FEN", allow_hyphen_values = true)]
    position: String,
    #[arg(long, value_name = "DIR", help = FOLDER_HELP)]
    dir: Option<PathBuf>,
    /// Ask the Syzygy tables of this folder too, which know no distances.
    #[arg(long, value_name = "DIR")]
    syzygy: Option<PathBuf>,
    /// Print an object for each position.
    #[arg(long)]
    json: bool,
}

impl Tablebase {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<()> {
        match &self.command {
            TablebaseCommand::Build(command) => command.run(out),
            TablebaseCommand::Check(command) => command.run(out),
            TablebaseCommand::Probe(command) => command.run(out),
        }
    }
}

/// The folder of the user's choice, or the usual one.
fn folder(chosen: Option<&Path>) -> Result<PathBuf> {
    let folder = chosen.map(Path::to_owned).or_else(Tablebases::default_folder);
    folder.context("no folder for caches: neither XDG_CACHE_HOME nor HOME is set; use --dir")
}

impl Build {
    fn run(&self, out: &mut impl Write) -> Result<()> {
        let folder = folder(self.dir.as_deref())?;
        exit_on_interrupt()?;
        let bar = progress::bar(Ending::up_to(self.pieces).len() as u64, " tables");
        let tables = Tablebases::build(self.pieces, &folder, &|ending| {
            bar.set_message(ending.to_string());
            bar.inc(1);
        });
        bar.finish_and_clear();
        writeln!(out, "{} tables in {}", tables?.endings().count(), folder.display())?;
        Ok(())
    }
}

impl Check {
    fn run(&self, out: &mut impl Write) -> Result<()> {
        if let Some(folder) = &self.syzygy {
            let tables = Tablebases::syzygy(folder)?;
            let mut rng = Rng::new(SEED);
            if let Some(fen) = tables.find_syzygy_contradiction(CHECKED_POSITIONS, &mut rng) {
                bail!("a look one ply ahead contradicts the value of {fen}");
            }
            writeln!(out, "Syzygy tables ok, up to {} men", tables.men())?;
            return Ok(());
        }
        let tables = Tablebases::load(&folder(self.dir.as_deref())?)?;
        let mut rng = Rng::new(SEED);
        for ending in tables.endings() {
            if let Some(fen) = tables.find_contradiction(ending, CHECKED_POSITIONS, &mut rng) {
                bail!("{ending}: a look one ply ahead contradicts the value of {fen}");
            }
            match tables.longest(ending) {
                Some(plies) => {
                    let moves = plies.div_ceil(2);
                    writeln!(out, "{ending} ok, longest mate {moves} moves ({plies} plies)")?;
                }
                None => writeln!(out, "{ending} ok, no mates")?,
            }
        }
        Ok(())
    }
}

/// What is printed for a position.
#[derive(Serialize)]
struct Answer<'a> {
    position: &'a str,
    value: &'static str,
    plies: Option<u32>,
    best: Option<String>,
}

impl Probe {
    fn run(&self, out: &mut impl Write) -> Result<()> {
        let mut tables = match &self.dir {
            Some(folder) => Tablebases::load(folder)?,
            None => Tablebases::at_hand()?,
        };
        if let Some(folder) = &self.syzygy {
            tables = tables.with_syzygy(folder)?;
        }
        if self.position != "-" {
            return self.answer(&tables, &self.position, out);
        }
        for (number, line) in (1..).zip(io::stdin().lock().lines()) {
            self.answer(&tables, &line?, out).with_context(|| format!("line {number}"))?;
        }
        Ok(())
    }

    fn answer(&self, tables: &Tablebases, fen: &str, out: &mut impl Write) -> Result<()> {
        let position = Chess::start().parse_position(fen)?;
        let probe = tables.probe(&position);
        let best = tables.best_move(&position).filter(|_| probe.is_some());
        let answer = Answer {
            position: fen,
            value: probe.map_or("unknown", |probe| probe.value.name()),
            plies: probe.and_then(|probe| probe.plies),
            best: best.map(|m| position.move_text(m)),
        };
        if self.json {
            writeln!(out, "{}", serde_json::to_string(&answer)?)?;
            return Ok(());
        }
        write!(out, "{}", answer.value)?;
        if let Some(best) = answer.best {
            write!(out, ", best {best}")?;
        }
        if let Some(plies) = answer.plies {
            write!(out, ", mate in {plies} plies")?;
        }
        writeln!(out, ", {fen}")?;
        Ok(())
    }
}
