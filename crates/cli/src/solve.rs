//! `spinney solve`: the exact value of positions, by a solver of choice.

mod results;
mod watch;

use std::convert::Infallible;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;
use serde_json::{Map, Value};
use spinney_arena::parse_time;
use spinney_session::{
    Algorithm, GameHandle, GameValue, Limits, Progress, Registry, Report, Session, Solving, Stop,
};

use crate::exit::Ending;
use crate::interrupt::stop_on_interrupt;
use crate::limit::{LimitArguments, parse_memory, whole};
use results::Printer;
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
    /// Threads of df-pn and brute force. Of a file, as many positions are solved at once.
    #[arg(long, value_name = "N", value_parser = whole(1_u16..),
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

/// A problem that begins with the name of an option, such as `depth: ...`, is about `--depth` here.
fn option_error(problem: String) -> anyhow::Error {
    let options = ["depth", "simulations", "memory", "threads", "checkpoint", "load", "save"];
    let is_option = options.iter().any(|name| problem.starts_with(&format!("{name}:")));
    anyhow::anyhow!("{}{problem}", if is_option { "--" } else { "" })
}

impl Solve {
    pub(crate) fn run(&self, registry: &Registry, out: &mut impl Write) -> Result<Ending> {
        let game = registry.game(&self.game)?;
        let limits = self.limit.limits();
        let read = |name: &String| game.algorithm(name);
        let algorithms: Result<Vec<Algorithm>, _> = self.algorithm.0.iter().map(read).collect();
        let algorithms =
            &algorithms.map_err(|problem| anyhow::anyhow!("--algorithm: {problem}"))?;
        for algorithm in algorithms {
            if let Algorithm::Solver(solver) = algorithm {
                solver.check(&limits).map_err(option_error)?;
            }
            self.solving(self.threads.into()).check(algorithm).map_err(option_error)?;
        }
        let tasks = self.tasks(&game)?;
        let stop = stop_on_interrupt()?;
        let mut printer = Printer::new(algorithms, self.json, out);
        let jobs: Vec<Job<'_>> = tasks
            .iter()
            .flat_map(|task| (0..).zip(algorithms).map(move |(index, by)| Job { task, index, by }))
            .collect();
        // Many short searches are quicker side by side, and without a thread that watches.
        if self.positions.is_some() {
            self.solve_many(&jobs, &limits, &stop, &mut printer)?;
            printer.sum_up()?;
            return Ok(ending(printer.all_solved(jobs.len()), &stop));
        }
        let count = jobs.len();
        for Job { task, index, by } in jobs {
            let mut watch = Watch::new(&task.session, self.table.log.as_deref())?;
            let mut progress = |progress: &Progress| watch.look(progress);
            let solving =
                Solving { progress: Some(&mut progress), ..self.solving(self.threads.into()) };
            let report = task.session.solve_with(by, solving, &limits, &stop);
            let report = report.map_err(option_error)?;
            let watched = watch.end();
            printer.add(task, index, &report)?;
            watched?;
        }
        Ok(ending(printer.all_solved(count), &stop))
    }

    /// The settings of a search on `threads` threads. Searches side by side share the memory.
    fn solving(&self, threads: usize) -> Solving<'static> {
        let all = usize::from(self.threads);
        Solving {
            memory: self.memory / all * threads.min(all),
            threads,
            checkpoint: self.table.checkpoint.clone(),
            checkpoint_every: self.table.checkpoint_every,
            load: self.table.load.clone(),
            save: self.table.save.clone(),
            certificate: self.certificate.clone(),
            progress: None,
        }
    }

    /// Solves many positions until somebody interrupts. Each gets a thread, as long as it is not too hard
    /// for one; the hard ones then get all threads, one after the other.
    fn solve_many<W: Write>(
        &self,
        jobs: &[Job<'_>],
        limits: &Limits,
        stop: &Stop,
        printer: &mut Printer<'_, W>,
    ) -> Result<()> {
        let threads = usize::from(self.threads);
        let solve = |job: &Job<'_>, threads: usize, limits: &Limits| {
            let report = job.task.session.solve_with(job.by, self.solving(threads), limits, stop);
            report.map_err(option_error)
        };
        let nodes = limits.nodes.unwrap_or(u64::MAX);
        let easy = if threads > 1 { nodes.min(EASY_NODES) } else { nodes };
        let easy = Limits { nodes: Some(easy).filter(|&easy| easy < u64::MAX), ..*limits };
        // Not solved, and stopped by nothing but the limit of the easy ones.
        let is_hard = |report: &Report| {
            report.proven.is_none() && easy.nodes != limits.nodes && report.nodes >= EASY_NODES
        };
        let mut found: Vec<Option<Report>> = vec![None; jobs.len()];
        let mut printed = 0;
        // 1. All positions, and those printed that come next.
        let next = &AtomicUsize::new(0);
        thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            for _ in 0..threads {
                let sender = sender.clone();
                scope.spawn(move || {
                    while let Some(place) = Some(next.fetch_add(1, Relaxed))
                        && let Some(job) = jobs.get(place)
                        && !stop.is_set()
                        && sender.send((place, solve(job, 1, &easy))).is_ok()
                    {}
                });
            }
            drop(sender);
            for (place, report) in receiver {
                found[place] = Some(report?);
                while let Some(Some(report)) = found.get(printed)
                    && !is_hard(report)
                {
                    printer.add(jobs[printed].task, jobs[printed].index, report)?;
                    printed += 1;
                }
            }
            anyhow::Ok(())
        })?;
        // 2. The hard ones.
        for (job, report) in jobs.iter().zip(found).skip(printed) {
            let Some(mut report) = report else { break };
            if is_hard(&report) && !stop.is_set() {
                let first = report;
                report = solve(job, threads, limits)?;
                report.nodes += first.nodes;
                report.elapsed += first.elapsed;
            }
            printer.add(job.task, job.index, &report)?;
        }
        Ok(())
    }
}

/// The ending of a search for values.
fn ending(all_solved: bool, stop: &Stop) -> Ending {
    match (all_solved, stop.is_set()) {
        (true, _) => Ending::Complete,
        (false, true) => Ending::Interrupted,
        (false, false) => Ending::Incomplete,
    }
}

/// One position by one algorithm.
struct Job<'a> {
    task: &'a Task,
    /// The number of the algorithm.
    index: usize,
    by: &'a Algorithm,
}

/// Positions of a file that take more nodes than this are searched with all threads. Guess: half a second.
const EASY_NODES: u64 = 1_000_000;
