//! `spinney shard`: experiments in pieces that any machine can do in any order.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process;
use std::thread;

use anyhow::{Context, Result};
use clap::{Args, Subcommand};
use spinney_arena::Journal;
use spinney_arena::experiment::{self, Piece, Plan, RunInfo, Store};
use spinney_game::file;
use spinney_session::{Registry, Stop};

use crate::command_line;
use crate::interrupt::{exit_on_interrupt, stop_on_interrupt};

/// The exit code of work that nobody waits for any more.
const ABANDONED: i32 = 3;

#[derive(Args)]
pub(crate) struct Shard {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Cut an experiment into pieces, a file each, and print their names.
    Plan(PlanCommand),
    /// Do a piece, as far as it is not done.
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
          value_parser = clap::value_parser!(u64).range(1..))]
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
    #[arg(required_unless_present = "attached")]
    file: Option<PathBuf>,
    /// For a program that does pieces elsewhere: read a piece from the standard input (its line, the
    /// results that are there already, a line each, and an empty line), print its results, and
    /// end when the input ends.
    #[arg(long, conflicts_with = "file")]
    attached: bool,
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
    pub(crate) fn run(&self, registry: &Registry, out: &mut impl Write) -> Result<()> {
        match &self.action {
            Action::Plan(command) => command.run(registry, out),
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
            let path = self.out.join(piece.name() + ".json");
            let text = serde_json::to_string(&piece)? + "\n";
            file::replace(&path, text.as_bytes()).with_context(|| path.display().to_string())?;
            writeln!(out, "{}", path.display())?;
        }
        Ok(())
    }
}

impl Run {
    fn run(&self, registry: &Registry, out: &mut impl Write) -> Result<()> {
        let Some(file) = &self.file else { return run_attached(registry) };
        let context = || file.display().to_string();
        let text = fs::read_to_string(file).with_context(context)?;
        let piece: Piece = serde_json::from_str(&text).with_context(context)?;
        let stop = stop_on_interrupt()?;
        let path = file.with_file_name(piece.name() + ".jsonl");
        let journal = Journal::File(path.clone());
        let mut done = 0;
        let on_done = &mut || done += 1;
        let run = experiment::Run { journal: &journal, concurrency: 1, stop: &stop, on_done };
        piece.task.run(registry, piece.range(), run).with_context(context)?;
        writeln!(out, "{}: {done} done", path.display())?;
        Ok(())
    }
}

/// A piece from the standard input, its results to the standard output. The input stays open as long
/// as the results are wanted: it closes when whoever holds it dies, however that happens, so that
/// no work is left without an owner.
fn run_attached(registry: &Registry) -> Result<()> {
    const INPUT: &str = "standard input";
    let mut lines = io::stdin().lines();
    let text = lines.next().context("standard input: there is no piece")?.context(INPUT)?;
    let piece: Piece = serde_json::from_str(&text).context(INPUT)?;
    let mut done = String::new();
    loop {
        match lines
            .next()
            .context("standard input: it ends before an empty line")?
            .context(INPUT)?
        {
            line if line.is_empty() => break,
            line => done = done + &line + "\n",
        }
    }
    drop(lines);
    thread::spawn(|| {
        io::stdin().lines().map_while(Result::ok).for_each(drop);
        process::exit(ABANDONED);
    });
    let run = experiment::Run {
        journal: &Journal::Output(done),
        concurrency: 1,
        stop: &Stop::new(),
        on_done: &mut || (),
    };
    piece.task.run(registry, piece.range(), run).context(piece.name())
}

impl Merge {
    fn run(&self, registry: &Registry, out: &mut impl Write) -> Result<()> {
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
        Ok(())
    }
}
