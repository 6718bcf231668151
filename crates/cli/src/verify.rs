//! `spinney verify`: checks a certificate.

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Result;
use clap::Args;
use indicatif::HumanCount;
use serde::Serialize;
use spinney_session::{Certified, Registry, verify};

use crate::interrupt::stop_on_interrupt;
use crate::progress::spinner;

#[derive(Args)]
pub(crate) struct Verify {
    /// A certificate of `spinney solve --certificate`.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// What is printed.
#[derive(Serialize)]
struct Verified {
    game: String,
    position: String,
    value: &'static str,
    positions: usize,
    seconds: f64,
}

impl Verify {
    pub(crate) fn run(&self, registry: &Registry, out: &mut impl Write) -> Result<()> {
        let started = Instant::now();
        let line = spinner();
        let mut told = |positions: usize| {
            line.set_message(format!("{} positions", HumanCount(positions as u64)));
        };
        let checked = verify(registry, &self.file, &stop_on_interrupt()?, &mut told);
        line.finish_and_clear();
        let Certified { session, value, positions } =
            checked.map_err(|problem| anyhow::anyhow!("{}: {problem}", self.file.display()))?;
        let verified = Verified {
            game: session.game().to_string(),
            position: session.position_text(),
            value: value.name(),
            positions,
            seconds: started.elapsed().as_secs_f64(),
        };
        if self.json {
            writeln!(out, "{}", serde_json::to_string(&verified)?)?;
        } else {
            let Verified { game, position, value, positions, seconds } = verified;
            let position_count = HumanCount(positions as u64);
            writeln!(out, "{game} {position}: {value} for the side to move, proved")?;
            writeln!(out, "{position_count} positions of the strategy checked, {seconds:.1} s")?;
        }
        Ok(())
    }
}
