//! `spinney shard`: experiments in pieces that any machine can do in any order.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::{Args, Subcommand};
use spinney_arena::Journal;
use spinney_arena::experiment::{self, Piece, Plan, RunInfo, Store};
use spinney_session::Registry;

use crate::command_line;
use crate::exit::Ending;
use crate::interrupt::{exit_on_interrupt, stop_on_interrupt};
use crate::limit::whole;

#[derive(Args)]
pub(crate) struct Shard {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Cut an experiment into pieces, a file each, and print their names.
    Plan(PlanCommand),
    /// Do what is missing of a piece.
    Run(Run),
    /// Gather the results of pieces, each game once, and name the pieces that are missing.
    Merge(Merge),
}

#[derive(Args)]
struct Cut {
    /// The experiment, such as mcts-loa/table-2, or a file.
    id: String,
    /// How much is done: quick or paper.
    #[arg(long, default_value = "quick")]
    scale: String,
    /// Games or analyses in a piece.
    #[arg(long, value_name = "N", default_value_t = 20,
          value_parser = whole(1_u64..))]
    size: u64,
}

impl Cut {
    fn plan(&self) -> Result<(experiment::Experiment, Plan)> {
        let experiment = experiment::find(&self.id)?;
        let plan = experiment.plan(&self.id, &self.scale)?;
        Ok((experiment, plan))
    }
}

#[derive(Args)]
struct PlanCommand {
    #[command(flatten)]
    cut: Cut,
    /// The folder of the pieces.
    #[arg(long, value_name = "DIR", default_value = "shards")]
    out: PathBuf,
}

#[derive(Args)]
struct Run {
    /// The file of a piece. Its results go beside it, into a file of the same name.
    file: PathBuf,
}

#[derive(Args)]
struct Merge {
    #[command(flatten)]
    cut: Cut,
    /// The folder of the pieces with their results.
    #[arg(long, value_name = "DIR", default_value = "shards")]
    from: PathBuf,
    /// The folder of the results, as `spinney experiment report` reads it.
    #[arg(long, value_name = "DIR", default_value = "results")]
    out: PathBuf,
}

impl Shard {
    pub(crate) fn run(&self, registry: &Registry, out: &mut impl Write) -> Result<Ending> {
        match &self.action {
            Action::Plan(command) => command.run(registry, out).map(Ending::from),
            Action::Run(command) => command.run(registry, out),
            Action::Merge(command) => command.run(registry, out),
        }
    }
}

impl PlanCommand {
    fn run(&self, registry: &Registry, out: &mut impl Write) -> Result<()> {
        let (_, plan) = self.cut.plan()?;
        plan.check(registry).with_context(|| self.cut.id.clone())?;
        exit_on_interrupt()?;
        fs::create_dir_all(&self.out).with_context(|| self.out.display().to_string())?;
        for piece in plan.pieces(self.cut.size) {
            writeln!(out, "{}", piece.save(&self.out)?.display())?;
        }
        Ok(())
    }
}

impl Run {
    fn run(&self, registry: &Registry, out: &mut impl Write) -> Result<Ending> {
        let context = || self.file.display().to_string();
        let text = fs::read_to_string(&self.file).with_context(context)?;
        let piece: Piece = serde_json::from_str(&text).with_context(context)?;
        let stop = stop_on_interrupt()?;
        let path = piece.records(self.file.parent().unwrap_or(Path::new("")));
        let journal = Journal::File(path.clone());
        let mut done = 0;
        piece.run(registry, &journal, &stop, &mut |_| done += 1).with_context(context)?;
        writeln!(out, "{}: {done} done", path.display())?;
        Ok(if stop.is_set() { Ending::Interrupted } else { Ending::Complete })
    }
}

impl Merge {
    fn run(&self, registry: &Registry, out: &mut impl Write) -> Result<Ending> {
        let (experiment, plan) = self.cut.plan()?;
        exit_on_interrupt()?;
        let store = Store::create(registry, &self.out)?;
        let missing = plan.merge(&self.from, &store, self.cut.size)?;
        store.begin(&RunInfo::new(&experiment, &self.cut.scale, command_line()), true)?;
        for piece in &missing {
            writeln!(out, "missing {}: {}", piece.name(), piece.task.describe())?;
        }
        let pieces = plan.pieces(self.cut.size).len();
        writeln!(out, "{} of {pieces} pieces are complete", pieces - missing.len())?;
        Ok(if missing.is_empty() { Ending::Complete } else { Ending::Incomplete })
    }
}
