//! `spinney experiment`: the tables of the papers, and those of users, with one command.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args, Subcommand};
use spinney_arena::experiment::{
    self, Experiment as Definition, Plan, Report, RunEvent, RunInfo, Store,
};
use spinney_game::file;
use spinney_session::Registry;

use crate::command_line;
use crate::exit::Ending;
use crate::interrupt::{exit_on_interrupt, stop_on_interrupt};
use crate::limit::whole;
use crate::progress;
use crate::table;

#[derive(Args)]
pub(crate) struct Experiment {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// List the experiments.
    List,
    /// Show what an experiment claims and what it takes, or the text of its file.
    Show(Show),
    /// Run an experiment, as far as its results are not there.
    Run(Run),
    /// Make a report of the results in a folder: Markdown and one HTML page.
    Report(ReportCommand),
    /// Keep what the tables need of the games and analyses in a folder, in compact form: results.jsonl.
    Pack(Pack),
    /// Make all pages of a source tree again from its records: reports, claims, the summary of the README.
    Claims(Claims),
}

#[derive(Args)]
struct Show {
    /// The experiment, such as mcts-loa/table-2, or a file.
    id: String,
    /// Print the text of the file.
    #[arg(long)]
    toml: bool,
}

#[derive(Args)]
#[command(after_help = "\
Every game and analysis is kept as soon as it ends. --resume continues a run that was killed. Two \
tables of the same games, run into the same folder, share them.")]
struct Run {
    /// The experiment, such as mcts-loa/table-2, or a file.
    id: String,
    /// How much is done: quick has budgets in simulations or nodes, paper those of the paper in time.
    #[arg(long, default_value = "quick")]
    scale: String,
    /// The folder of the results.
    #[arg(long, value_name = "DIR", default_value = "results")]
    out: PathBuf,
    /// Continue with the results in the folder.
    #[arg(long)]
    resume: bool,
    /// Games or analyses at once. With limits in time fewer, if there are no cores for all their
    /// threads.
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = whole(1_u16..=256))]
    concurrency: u16,
    /// Print the report as Markdown.
    #[arg(long)]
    markdown: bool,
}

#[derive(Args)]
struct ReportCommand {
    /// The folder of the results.
    dir: PathBuf,
}

#[derive(Args)]
struct Pack {
    /// The folder of the results.
    dir: PathBuf,
}

#[derive(Args)]
struct Claims {
    /// The source tree, with records/, docs/ and README.md.
    #[arg(default_value = ".")]
    root: PathBuf,
}

impl Experiment {
    pub(crate) fn run(&self, registry: &Registry, out: &mut impl Write) -> Result<Ending> {
        match &self.action {
            Action::List => list(out)?,
            Action::Show(command) => command.run(out)?,
            Action::Run(command) => return command.run(registry, out),
            Action::Report(command) => command.run(registry, out)?,
            Action::Pack(command) => command.run(registry, out)?,
            Action::Claims(command) => command.run(registry, out)?,
        }
        Ok(Ending::Complete)
    }
}

fn list(out: &mut impl Write) -> Result<()> {
    for id in experiment::ids() {
        let Definition { title, .. } = experiment::find(id)?;
        writeln!(out, "{id:20} {title}")?;
    }
    Ok(())
}

impl Show {
    fn run(&self, out: &mut impl Write) -> Result<()> {
        let experiment = experiment::find(&self.id)?;
        if self.toml {
            return Ok(out.write_all(experiment.source.as_bytes())?);
        }
        let Definition { id, title, claim, conversion, notes, .. } = &experiment;
        writeln!(out, "{id}: {}\n{title}\n", experiment.publication())?;
        for claim in claim {
            writeln!(out, "- {}", claim.text)?;
        }
        writeln!(out, "\n{conversion}")?;
        if !notes.is_empty() {
            writeln!(out, "{notes}")?;
        }
        for scale in experiment.scale.keys() {
            let plan = experiment.plan(&self.id, scale)?;
            let units = plan.units();
            let Plan { tasks, cells, .. } = plan;
            let (cells, tasks) = (cells.len(), tasks.len());
            writeln!(out, "{scale}: {cells} cells, {tasks} tasks, {units} games or analyses")?;
        }
        Ok(())
    }
}

impl Run {
    fn run(&self, registry: &Registry, out: &mut impl Write) -> Result<Ending> {
        // 1. Whatever can be wrong is found before anything is done.
        let experiment = experiment::find(&self.id)?;
        let plan = experiment.plan(&self.id, &self.scale)?;
        plan.check(registry).with_context(|| self.id.clone())?;
        let stop = stop_on_interrupt()?;
        let store = Store::create(registry, &self.out)?;
        store.begin(&RunInfo::new(&experiment, &self.scale, command_line()), self.resume)?;

        // 2. Do what is not done.
        let bar = progress::bar(plan.units(), "");
        plan.run(&store, self.concurrency.into(), &stop, &mut |event| match event {
            RunEvent::Begins { task, done } => {
                bar.inc(done);
                bar.set_message(task.describe());
            }
            RunEvent::Done => bar.inc(1),
        })?;
        bar.finish_and_clear();

        // 3. Tell.
        let report = Report::of_run(&experiment, &self.scale, &store)?;
        let text = report.text();
        write!(out, "{}", if self.markdown { text } else { table::aligned(&text) })?;
        if stop.is_set() {
            writeln!(out, "stopped; --resume continues")?;
            return Ok(Ending::Interrupted);
        }
        Ok(Ending::Complete)
    }
}

impl ReportCommand {
    fn run(&self, registry: &Registry, out: &mut impl Write) -> Result<()> {
        exit_on_interrupt()?;
        let [markdown, page] = Store::open(registry, &self.dir).write_reports()?;
        writeln!(out, "{}\n{}", markdown.display(), page.display())?;
        Ok(())
    }
}

impl Pack {
    fn run(&self, registry: &Registry, out: &mut impl Write) -> Result<()> {
        exit_on_interrupt()?;
        let path = Store::open(registry, &self.dir).pack()?;
        Ok(writeln!(out, "{}", path.display())?)
    }
}

impl Claims {
    fn run(&self, registry: &Registry, out: &mut impl Write) -> Result<()> {
        exit_on_interrupt()?;
        for (path, text) in experiment::pages(&self.root, registry)? {
            file::replace(&path, text.as_bytes()).with_context(|| path.display().to_string())?;
            writeln!(out, "{}", path.display())?;
        }
        Ok(())
    }
}
