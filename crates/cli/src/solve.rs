//! `spinney solve`: the exact value of positions, by a solver of choice.

mod watch;

use std::convert::Infallible;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;
use serde::Serialize;
use serde_json::{Map, Value};
use spinney_arena::parse_time;
use spinney_session::{
    Algorithm, GameHandle, GameValue, Progress, Registry, Report, Session, Solving,
};

use crate::interrupt::stop_on_interrupt;
use crate::limit::{LimitArguments, parse_memory};
use watch::Watch;

#[derive(Args)]
pub(crate) struct Solve {
    /// The game, such as tictactoe or breakthrough:4x5 (see `spinney games`).
    game: String,
    /// The position as text; the game's start position if absent.
    #[arg(long, value_name = "P")]
    position: Option<String>,
    /// Many positions: one a line, or a table with tabs and a header that names a column
    /// `position`. Empty lines and lines that begin with # are skipped.
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    positions: Option<PathBuf>,
    /// How to solve: brute-force, alpha-beta, mcts, pn, pn2, pds, pds-pn, df-pn, or a player that
    /// proves, such as mia:null=off (see `spinney players`). Several, separated by commas, solve
    /// every position one after the other; a file then ends in a table that compares them.
    #[arg(long, value_name = "NAME", default_value = "brute-force")]
    algorithm: Algorithms,
    /// Memory for the table or tree of the solver, such as 512M or 4G. Players have options for it.
    #[arg(long, value_name = "SIZE", value_parser = parse_memory, default_value = "1G",
          allow_hyphen_values = true)]
    memory: usize,
    /// Threads of df-pn.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..),
          default_value = "1", allow_negative_numbers = true)]
    threads: u16,
    /// Write a proof of the value that `spinney verify` checks with the rules alone: the strategy of the
    /// winner, or one of each side for a draw.
    #[arg(long, value_name = "FILE", conflicts_with = "positions")]
    certificate: Option<PathBuf>,
    #[command(flatten)]
    table: TableArguments,
    /// Print JSON: an object for each position as it is done, and one for all of a file.
    #[arg(long)]
    json: bool,
    /// For each position.
    #[command(flatten)]
    limit: LimitArguments,
}

/// What is kept of a long search. df-pn only.
#[derive(Args)]
#[command(next_help_heading = "Long searches of one position (df-pn)")]
struct TableArguments {
    /// Keep the table in a file: written now and then and at the end, and read at the start if it is
    /// there. After Ctrl-C or a kill the same command continues.
    #[arg(long, value_name = "FILE", conflicts_with = "positions")]
    checkpoint: Option<PathBuf>,
    /// Time between two checkpoints; longer if writing takes more than a tenth of it.
    #[arg(long, value_name = "TIME", value_parser = parse_time, default_value = "30s",
          requires = "checkpoint", allow_hyphen_values = true)]
    checkpoint_every: Duration,
    /// Write the proven positions that cost most work, at most 5 MB.
    #[arg(long, value_name = "FILE", conflicts_with = "positions")]
    save: Option<PathBuf>,
    /// Begin with what another run saved.
    #[arg(long, value_name = "FILE", conflicts_with = "positions")]
    load: Option<PathBuf>,
    /// Write the course of the search, one line of JSON at a time: proof numbers of the moves, nodes,
    /// rate and memory.
    #[arg(long, value_name = "FILE", conflicts_with = "positions")]
    log: Option<PathBuf>,
}

/// The names of the algorithms of a list.
#[derive(Clone)]
struct Algorithms(Vec<String>);

impl FromStr for Algorithms {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        // A comma also separates the options of a player.
        let mut names: Vec<String> = Vec::new();
        for part in text.split(',') {
            match names.last_mut() {
                Some(last) if last.contains(':') && part.contains('=') && !part.contains(':') => {
                    *last += ",";
                    *last += part;
                }
                _ => names.push(part.to_owned()),
            }
        }
        Ok(Algorithms(names))
    }
}

impl Solve {
    /// The positions to solve, all of them readable.
    fn tasks(&self, game: &GameHandle) -> Result<Vec<Task>> {
        let Some(file) = &self.positions else {
            let session = game.at(self.position.as_deref())?;
            let text = session.position_text();
            return Ok(vec![Task { session, text, columns: Map::new(), expected: None }]);
        };
        let name = file.display();
        let text = fs::read_to_string(file).with_context(|| format!("positions {name}"))?;
        read_tasks(&text, game).with_context(|| format!("positions {name}"))
    }
}

/// A position to solve.
struct Task {
    session: Session,
    text: String,
    /// The other columns of its line.
    columns: Map<String, Value>,
    /// The value that the file gives.
    expected: Option<&'static str>,
}

/// Names of results. A column of the file with such a name is kept as `expected_NAME`; and what it
/// says of the value, simply as `expected`.
const RESULTS: &[&str] =
    &["position", "algorithm", "value", "best", "plies", "nodes", "seconds", "expected"];

/// Reads a list or a table of positions.
fn read_tasks(text: &str, game: &GameHandle) -> Result<Vec<Task>> {
    let mut lines = (1..)
        .zip(text.lines())
        .map(|(number, line)| (number, line.trim_end_matches('\r')))
        .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
        .peekable();
    // 1. A first line with the word `position` in a column is a header.
    let mut header = vec!["position"];
    if let Some((_, line)) = lines.peek() {
        let names: Vec<&str> = line.split('\t').map(str::trim).collect();
        if names.contains(&"position") {
            header = names;
            lines.next();
        }
    }
    // 2. A position a line.
    let mut tasks = Vec::new();
    for (number, line) in lines {
        let is_list = header.len() == 1;
        let fields: Vec<&str> = if is_list { vec![line] } else { line.split('\t').collect() };
        if fields.len() != header.len() {
            let (found, expected) = (fields.len(), header.len());
            bail!("line {number}: {found} columns, the header has {expected}");
        }
        let mut task = None;
        let mut columns = Map::new();
        let mut expected = None;
        for (&name, &field) in header.iter().zip(&fields) {
            let field = field.trim();
            match name {
                "position" if task.is_none() => {
                    let session = game.at(Some(field));
                    task = Some((session.with_context(|| format!("line {number}"))?, field));
                }
                "value" => {
                    expected = GameValue::named(field).map(GameValue::name);
                    columns.insert("expected".to_owned(), field.into());
                }
                _ if RESULTS.contains(&name) => {
                    columns.insert(format!("expected_{name}"), field.into());
                }
                _ => drop(columns.insert(name.to_owned(), field.into())),
            }
        }
        if let Some((session, text)) = task {
            tasks.push(Task { session, text: text.to_owned(), columns, expected });
        }
    }
    if tasks.is_empty() {
        bail!("there is no position");
    }
    Ok(tasks)
}

/// What is printed for a position.
#[derive(Serialize)]
struct Solved<'a> {
    position: &'a str,
    algorithm: &'a str,
    value: &'static str,
    best: Option<String>,
    plies: Option<u32>,
    nodes: u64,
    seconds: f64,
    #[serde(flatten)]
    columns: &'a Map<String, Value>,
}

impl<'a> Solved<'a> {
    fn new(task: &'a Task, algorithm: &'a str, report: &Report) -> Self {
        let best = report.best.filter(|_| report.proven.is_some());
        Solved {
            position: &task.text,
            algorithm,
            value: report.proven.map_or("unknown", GameValue::name),
            best: best.map(|m| task.session.move_text(m)),
            plies: report.plies,
            nodes: report.nodes,
            seconds: report.elapsed.as_secs_f64(),
            columns: &task.columns,
        }
    }

    fn is_solved(&self) -> bool {
        self.value != "unknown"
    }

    /// `named` says which algorithm it was.
    fn write(&self, out: &mut impl Write, named: bool) -> Result<()> {
        let Solved { value, nodes, seconds, position, .. } = self;
        if let Some(Value::String(id)) = self.columns.get("id") {
            write!(out, "{id}: ")?;
        }
        if named {
            write!(out, "{}: ", self.algorithm)?;
        }
        write!(out, "{value}")?;
        if let Some(best) = &self.best {
            write!(out, ", best {best}")?;
        }
        writeln!(out, ", {nodes} nodes, {seconds:.3} s, {position}")?;
        Ok(())
    }
}

/// What is printed for a whole file and one algorithm.
#[derive(Default, Serialize)]
struct Summary {
    algorithm: String,
    positions: u64,
    solved: u64,
    win: u64,
    draw: u64,
    loss: u64,
    unknown: u64,
    nodes: u64,
    seconds: f64,
    /// Solved positions for which the file gives a value; those where it is the same; the others.
    #[serde(skip_serializing_if = "Option::is_none")]
    compared: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agree: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    contradict: Option<u64>,
    /// Positions that all of several algorithms solved.
    #[serde(skip_serializing_if = "Option::is_none")]
    solved_by_all: Option<Work>,
}

/// What some positions took.
#[derive(Clone, Copy, Default, Serialize)]
struct Work {
    positions: u64,
    nodes: u64,
    seconds: f64,
}

impl Summary {
    fn add(&mut self, solved: &Solved<'_>, expected: Option<&str>) {
        self.positions += 1;
        match solved.value {
            "win" => self.win += 1,
            "draw" => self.draw += 1,
            "loss" => self.loss += 1,
            _ => self.unknown += 1,
        }
        self.solved = self.win + self.draw + self.loss;
        self.nodes += solved.nodes;
        self.seconds += solved.seconds;
        if let Some(expected) = expected {
            let agrees = solved.value == expected;
            *self.compared.get_or_insert(0) += u64::from(solved.is_solved());
            *self.agree.get_or_insert(0) += u64::from(agrees);
            *self.contradict.get_or_insert(0) += u64::from(solved.is_solved() && !agrees);
        }
    }

    fn write(&self, out: &mut impl Write) -> Result<()> {
        let Summary { positions, win, draw, loss, unknown, nodes, seconds, .. } = self;
        write!(out, "{positions} positions: {win} win, {draw} draw, {loss} loss, ")?;
        write!(out, "{unknown} unknown; {nodes} nodes, {seconds:.3} s")?;
        if let (Some(compared), Some(agree)) = (self.compared, self.agree) {
            write!(out, "; {agree} of {compared} agree with the file")?;
        }
        writeln!(out)?;
        Ok(())
    }
}

/// Several algorithms side by side: all positions, and those that all of them solved.
fn write_table(summaries: &[Summary], out: &mut impl Write) -> Result<()> {
    let positions = summaries.first().map_or(0, |summary| summary.positions);
    let common = summaries.iter().find_map(|summary| summary.solved_by_all).unwrap_or_default();
    let titles = format!("{positions} positions");
    let common = format!("{} solved by all", common.positions);
    writeln!(out, "\n{:12}  {titles:40}  {common}", "")?;
    write!(
        out,
        "{:12}  {:>8}{:>8}{:>14}{:>12}",
        "algorithm", "solved", "wrong", "nodes", "seconds"
    )?;
    writeln!(out, "{:>14}{:>12}", "nodes", "seconds")?;
    for summary in summaries {
        let Summary { algorithm, solved, contradict, nodes, seconds, .. } = summary;
        let wrong = contradict.map_or_else(|| "-".to_owned(), |count| count.to_string());
        write!(out, "{algorithm:12}  {solved:>8}{wrong:>8}{nodes:>14}{seconds:>12.3}")?;
        let Work { nodes, seconds, .. } = summary.solved_by_all.unwrap_or_default();
        writeln!(out, "{nodes:>14}{seconds:>12.3}")?;
    }
    Ok(())
}

/// A problem that begins with the name of an option, such as `depth: ...`, is about `--depth` here.
fn option_error(problem: String) -> anyhow::Error {
    let options = ["depth", "simulations", "memory", "threads", "checkpoint", "load", "save"];
    let is_option = options.iter().any(|name| problem.starts_with(&format!("{name}:")));
    anyhow::anyhow!("{}{problem}", if is_option { "--" } else { "" })
}

impl Solve {
    pub(crate) fn run(&self, registry: &Registry, out: &mut impl Write) -> Result<()> {
        let command = self;
        let game = registry.game(&self.game)?;
        let limits = command.limit.limits();
        let read = |name: &String| game.algorithm(name);
        let algorithms: Result<Vec<Algorithm>, _> = command.algorithm.0.iter().map(read).collect();
        let algorithms =
            &algorithms.map_err(|problem| anyhow::anyhow!("--algorithm: {problem}"))?;
        let mut summaries = Vec::new();
        for algorithm in algorithms {
            if let Algorithm::Solver(solver) = algorithm {
                solver.check(&limits).map_err(option_error)?;
            }
            summaries.push(Summary { algorithm: algorithm.to_string(), ..Summary::default() });
        }
        let is_comparison = algorithms.len() > 1;
        let names: Vec<String> = algorithms.iter().map(|algorithm| algorithm.to_string()).collect();
        // 1. Every position by every algorithm, until somebody interrupts.
        let tasks = command.tasks(&game)?;
        let stop = stop_on_interrupt()?;
        for task in tasks {
            if stop.is_set() {
                break;
            }
            let mut solved_by_all = is_comparison;
            let mut work = Vec::new();
            for ((algorithm, name), summary) in algorithms.iter().zip(&names).zip(&mut summaries) {
                let mut watch = Watch::new(&task.session, command.table.log.as_deref())?;
                let mut progress = |progress: &Progress| watch.look(progress);
                let solving = Solving {
                    memory: command.memory,
                    threads: command.threads.into(),
                    checkpoint: command.table.checkpoint.clone(),
                    checkpoint_every: command.table.checkpoint_every,
                    load: command.table.load.clone(),
                    save: command.table.save.clone(),
                    certificate: command.certificate.clone(),
                    // Many short searches are quicker without a thread that watches.
                    progress: command.positions.is_none().then_some(&mut progress),
                };
                let report = task.session.solve_with(algorithm, solving, &limits, &stop);
                let report = report.map_err(option_error)?;
                let watched = watch.end();
                let solved = Solved::new(&task, name, &report);
                summary.add(&solved, task.expected);
                solved_by_all &= solved.is_solved();
                work.push((solved.nodes, solved.seconds));
                if command.json {
                    writeln!(out, "{}", serde_json::to_string(&solved)?)?;
                } else {
                    solved.write(out, is_comparison)?;
                }
                out.flush()?;
                watched?;
            }
            if is_comparison {
                for (summary, (nodes, seconds)) in summaries.iter_mut().zip(work) {
                    let common = summary.solved_by_all.get_or_insert_default();
                    if solved_by_all {
                        common.positions += 1;
                        common.nodes += nodes;
                        common.seconds += seconds;
                    }
                }
            }
        }
        // 2. What a file comes to.
        if command.positions.is_none() {
            return Ok(());
        }
        if command.json {
            for summary in &summaries {
                writeln!(out, "{}", serde_json::to_string(summary)?)?;
            }
        } else if is_comparison {
            write_table(&summaries, out)?;
        } else {
            summaries.iter().try_for_each(|summary| summary.write(out))?;
        }
        Ok(())
    }
}
