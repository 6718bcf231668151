//! `spinney solve`: the exact value of positions, by a solver of choice.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use serde::Serialize;
use serde_json::{Map, Value};
use spinney_game::History;
use spinney_games::catalog::{GameSpec, Playable, Visitor};
use spinney_search::brute_force::{BruteForce, Options};
use spinney_search::mcts::{Config, Mcts};
use spinney_search::policy::Random;
use spinney_search::{GameValue, Limits, Report, Stop};

use crate::interrupt::stop_on_interrupt;
use crate::limit::{LimitArguments, parse_memory};

/// Plies after which a random play-out of the Monte Carlo solver is a draw.
const MAX_PLIES: u32 = 1000;
/// The Monte Carlo solver always draws the same random numbers.
const SEED: u64 = 1;

#[derive(Args)]
pub(crate) struct Solve {
    /// The game, such as tictactoe or breakthrough:4x5 (see `spinney games`).
    game: GameSpec,
    /// The position as text; the game's start position if absent.
    #[arg(long, value_name = "P")]
    position: Option<String>,
    /// Many positions: one a line, or a table with tabs and a header that names a column
    /// `position`. Empty lines and lines that begin with # are skipped.
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    positions: Option<PathBuf>,
    /// How to solve.
    #[arg(long, value_name = "NAME", value_enum, default_value_t = Algorithm::BruteForce)]
    algorithm: Algorithm,
    /// Memory for the table of the solver, such as 512M or 4G.
    #[arg(long, value_name = "SIZE", value_parser = parse_memory, default_value = "1G",
          allow_hyphen_values = true)]
    memory: usize,
    /// Print JSON: an object for each position as it is done, and one for all of a file.
    #[arg(long)]
    json: bool,
    /// For each position.
    #[command(flatten)]
    limit: LimitArguments,
}

#[derive(Clone, Copy, ValueEnum)]
enum Algorithm {
    /// Depth-first search with a table: exact, for small games.
    BruteForce,
    /// Monte Carlo tree search with the solver.
    Mcts,
}

impl Algorithm {
    /// Refuses limits that mean nothing here: the search would never end.
    fn check(self, limits: &Limits) -> Result<()> {
        match self {
            Algorithm::BruteForce if limits.simulations.is_some() => {
                bail!("--simulations: brute-force has none; use --time, --nodes or --depth")
            }
            Algorithm::Mcts if limits.depth.is_some() => {
                bail!("--depth: mcts has none; use --time, --simulations or --nodes")
            }
            Algorithm::BruteForce | Algorithm::Mcts => Ok(()),
        }
    }

    /// Solves one position, with nothing known from others: a value depends on no order of lines.
    fn solve<G: Playable>(
        self,
        position: &G,
        memory: usize,
        limits: &Limits,
        stop: &Stop,
    ) -> Result<Report<G::Move>> {
        match self {
            Algorithm::BruteForce => {
                let options = Options { table_bytes: memory };
                let mut solver = BruteForce::new(options)
                    .with_context(|| format!("--memory: {memory} bytes are not to be had"))?;
                Ok(solver.solve(position, limits, stop))
            }
            Algorithm::Mcts => {
                if let Some(outcome) = position.outcome() {
                    let proven = Some(GameValue::of(outcome, position.to_move()));
                    return Ok(Report { proven, plies: Some(0), ..Report::empty() });
                }
                let config =
                    Config { memory, look_ahead: true, stop_early: false, ..Config::default() };
                let mut search = Mcts::new(config, Random { max_plies: MAX_PLIES }, SEED);
                let history = History::new(position.clone());
                Ok(search.search(&history, limits, &Stop::new(), &mut |_| ()))
            }
        }
    }
}

impl Solve {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<()> {
        self.game.visit(SolveVisitor(self, out))
    }

    /// The positions to solve, all of them readable.
    fn tasks<G: Playable>(&self, start: &G) -> Result<Vec<Task<G>>> {
        let Some(file) = &self.positions else {
            let position = match &self.position {
                Some(text) => start.parse_position(text)?,
                None => start.clone(),
            };
            let text = position.position_text();
            return Ok(vec![Task { position, text, columns: Map::new(), expected: None }]);
        };
        let name = file.display();
        let text = fs::read_to_string(file).with_context(|| format!("positions {name}"))?;
        read_tasks(&text, start).with_context(|| format!("positions {name}"))
    }
}

/// A position to solve.
struct Task<G> {
    position: G,
    text: String,
    /// The other columns of its line.
    columns: Map<String, Value>,
    /// The value that the file gives.
    expected: Option<&'static str>,
}

/// Names of results. A column of the file with such a name is kept as `expected_NAME`; and what it
/// says of the value, simply as `expected`.
const RESULTS: &[&str] = &["position", "value", "best", "plies", "nodes", "seconds", "expected"];

/// Reads a list or a table of positions.
fn read_tasks<G: Playable>(text: &str, start: &G) -> Result<Vec<Task<G>>> {
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
                    let position = start.parse_position(field);
                    task = Some((position.with_context(|| format!("line {number}"))?, field));
                }
                "value" => {
                    expected = VALUES.map(GameValue::name).into_iter().find(|&name| name == field);
                    columns.insert("expected".to_owned(), field.into());
                }
                _ if RESULTS.contains(&name) => {
                    columns.insert(format!("expected_{name}"), field.into());
                }
                _ => drop(columns.insert(name.to_owned(), field.into())),
            }
        }
        if let Some((position, text)) = task {
            tasks.push(Task { position, text: text.to_owned(), columns, expected });
        }
    }
    if tasks.is_empty() {
        bail!("there is no position");
    }
    Ok(tasks)
}

const VALUES: [GameValue; 3] = [GameValue::Win, GameValue::Draw, GameValue::Loss];

/// What is printed for a position.
#[derive(Serialize)]
struct Solved<'a> {
    position: &'a str,
    value: &'static str,
    best: Option<String>,
    plies: Option<u32>,
    nodes: u64,
    seconds: f64,
    #[serde(flatten)]
    columns: &'a Map<String, Value>,
}

impl<'a> Solved<'a> {
    fn new<G: Playable>(task: &'a Task<G>, report: &Report<G::Move>) -> Self {
        let best = report.best.filter(|_| report.proven.is_some());
        Solved {
            position: &task.text,
            value: report.proven.map_or("unknown", GameValue::name),
            best: best.map(|m| task.position.move_text(m)),
            plies: report.plies,
            nodes: report.nodes,
            seconds: report.elapsed.as_secs_f64(),
            columns: &task.columns,
        }
    }

    fn write(&self, out: &mut impl Write) -> Result<()> {
        let Solved { value, nodes, seconds, position, .. } = self;
        if let Some(Value::String(id)) = self.columns.get("id") {
            write!(out, "{id}: ")?;
        }
        write!(out, "{value}")?;
        if let Some(best) = &self.best {
            write!(out, ", best {best}")?;
        }
        writeln!(out, ", {nodes} nodes, {seconds:.3} s, {position}")?;
        Ok(())
    }
}

/// What is printed for a whole file.
#[derive(Default, Serialize)]
struct Summary {
    positions: u64,
    solved: u64,
    win: u64,
    draw: u64,
    loss: u64,
    unknown: u64,
    nodes: u64,
    seconds: f64,
    /// Solved positions for which the file gives a value, and those where it is the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    compared: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agree: Option<u64>,
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
            let is_solved = solved.value != "unknown";
            *self.compared.get_or_insert(0) += u64::from(is_solved);
            *self.agree.get_or_insert(0) += u64::from(solved.value == expected);
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

struct SolveVisitor<'a, W>(&'a Solve, &'a mut W);

impl<W: Write> Visitor for SolveVisitor<'_, W> {
    type Output = Result<()>;

    fn visit<G: Playable>(self, start: G) -> Result<()> {
        let SolveVisitor(command, out) = self;
        let limits = command.limit.limits();
        command.algorithm.check(&limits)?;
        let mut summary = Summary::default();
        let tasks = command.tasks(&start)?;
        let stop = stop_on_interrupt()?;
        for task in tasks {
            let report = command.algorithm.solve(&task.position, command.memory, &limits, &stop)?;
            let solved = Solved::new(&task, &report);
            summary.add(&solved, task.expected);
            if command.json {
                writeln!(out, "{}", serde_json::to_string(&solved)?)?;
            } else {
                solved.write(out)?;
            }
            out.flush()?;
            if stop.is_set() {
                break;
            }
        }
        if command.positions.is_some() {
            if command.json {
                writeln!(out, "{}", serde_json::to_string(&summary)?)?;
            } else {
                summary.write(out)?;
            }
        }
        Ok(())
    }
}
