//! `spinney completions` and `spinney man`: what a package installs beside the program.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::Arguments;

#[derive(Args)]
pub(crate) struct Completions {
    /// The shell.
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<()> {
        // Into memory first: the generator panics if nobody reads.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Arguments::command(), "spinney", &mut script);
        Ok(out.write_all(&script)?)
    }
}

#[derive(Args)]
pub(crate) struct Man {
    /// The folder; it is made if it is not there.
    dir: PathBuf,
}

impl Man {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<()> {
        let folder = || self.dir.display().to_string();
        fs::create_dir_all(&self.dir).with_context(folder)?;
        clap_mangen::generate_to(Arguments::command(), &self.dir).with_context(folder)?;
        Ok(writeln!(out, "{}", self.dir.join("spinney.1").display())?)
    }
}
