//! The units of work: matches and analyses, each named by a hash of all that decides it.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

use serde::{Deserialize, Serialize};
use spinney_game::file::fnv_1a;
use spinney_session::{Algorithm, GameValue, Limits, PlayerSpec, Registry, Rng, Session, Stop};
use thiserror::Error;

use crate::{
    Adjudication, GameRecord, Journal, Match, Record, RecordFile, RecordFileError, Table,
    games_at_once, limits, limits_text, read_openings,
};

/// What a solver may use, in bytes.
const SOLVER_MEMORY: usize = 1 << 30;

/// A piece of an experiment that depends on nothing else. Game or analysis i of it follows from the
/// task and i alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Task {
    /// Games between two players.
    Match(MatchTask),
    /// Analyses of positions by one player.
    Analyses(AnalysisTask),
}

/// A match without its number of games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchTask {
    /// The game.
    pub game: String,
    /// The players, A first.
    pub players: [String; 2],
    /// Their limits.
    #[serde(with = "limits::pair_as_text")]
    pub limits: [Limits; 2],
    /// The text of a file of openings; empty for the start position.
    pub openings: String,
    /// The seed.
    pub seed: u64,
    /// Plies after which a game is a draw.
    pub max_plies: u32,
}

/// Analyses: number i is of position i modulo their number, with a seed of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnalysisTask {
    /// The game.
    pub game: String,
    /// The player.
    pub player: String,
    /// Its limit.
    #[serde(with = "limits::as_text")]
    pub limit: Limits,
    /// The positions; an empty text is the start position.
    pub positions: Vec<String>,
    /// The seed.
    pub seed: u64,
}

/// Part of a task: games or analyses `first` to `end` - 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Piece {
    /// The task.
    pub task: Task,
    /// The first number.
    pub first: u64,
    /// The number after the last.
    pub end: u64,
}

/// What a player found in a position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnalysisRecord {
    /// The game.
    pub game: String,
    /// The player.
    pub player: String,
    /// Its limit.
    pub limit: String,
    /// The number of the analysis in its task.
    pub index: u64,
    /// The position.
    pub position: String,
    /// The move it would play.
    pub best: Option<String>,
    /// The proven value: `win`, `loss` or `draw`.
    pub proven: Option<String>,
    /// Simulations.
    pub simulations: u64,
    /// Nodes, as the search counts them.
    pub nodes: u64,
    /// Plies of all playouts together; 0 if they are not counted.
    #[serde(default)]
    pub playout_plies: u64,
    /// The time it took.
    pub seconds: f64,
}

impl Record for AnalysisRecord {
    fn index(&self) -> u64 {
        self.index
    }

    fn is_timed(&self) -> bool {
        self.limit.contains("time=")
    }
}

/// A task that cannot be done.
#[derive(Debug, Error)]
pub enum TaskError {
    /// Its game, player, limit, openings or positions are wrong.
    #[error("{what}: {problem}")]
    Setting {
        /// Which setting.
        what: String,
        /// What is wrong with it.
        problem: String,
    },
    /// Its file is.
    #[error(transparent)]
    File(#[from] RecordFileError),
}

impl TaskError {
    fn setting(what: &str, problem: impl ToString) -> TaskError {
        TaskError::Setting { what: what.to_owned(), problem: problem.to_string() }
    }
}

impl Task {
    /// The kind and a hash of all that decides the results.
    pub fn name(&self) -> String {
        let kind = match self {
            Task::Match(_) => "match",
            Task::Analyses(_) => "analyses",
        };
        // Plain data: it cannot fail.
        let text = serde_json::to_string(self).unwrap_or_default();
        format!("{kind}-{:016x}", fnv_1a(text.as_bytes()))
    }

    /// One line on what it is.
    pub fn describe(&self) -> String {
        let limit = |limits: &Limits| match limits_text(limits) {
            text if text.is_empty() => text,
            text => format!(" ({text})"),
        };
        match self {
            Task::Match(MatchTask { game, players: [a, b], limits, .. }) => {
                format!("{game}: {a}{} against {b}{}", limit(&limits[0]), limit(&limits[1]))
            }
            Task::Analyses(AnalysisTask { game, player, limit: own, positions, .. }) => {
                format!("{game}: {player}{} on {} positions", limit(own), positions.len())
            }
        }
    }

    /// Whether its results depend on the clock.
    pub fn is_timed(&self) -> bool {
        match self {
            Task::Match(task) => task.limits.iter().any(|limit| limit.time.is_some()),
            Task::Analyses(task) => task.limit.time.is_some(),
        }
    }

    /// Finds what is wrong with it before anything is done: a player that is not there, or whose
    /// program cannot be started.
    pub fn check(&self, registry: &Registry) -> Result<(), TaskError> {
        match self.open(registry)? {
            Open::Match(plan, specs) => Table::new(&specs, &plan.game, &plan.limits).map(|_| ()),
            Open::Analyses(plan) if plan.solver().is_some() => Ok(()),
            Open::Analyses(plan) => plan.position(0).game().player(&plan.player, 0).map(|_| ()),
        }
        .map_err(|error| TaskError::setting("player", error))
    }

    /// Does the games or analyses of a range that the journal does not have yet.
    pub fn run(
        &self,
        registry: &Registry,
        range: Range<u64>,
        run: Run<'_>,
    ) -> Result<(), TaskError> {
        match self.open(registry)? {
            Open::Match(plan, specs) => play(*plan, &specs, range, run),
            Open::Analyses(plan) => plan.run(range, run),
        }
    }

    /// Takes records of files over into one, each number once; the numbers that are there then.
    pub(super) fn merge(
        &self,
        registry: &Registry,
        from: &[PathBuf],
        into: &Path,
    ) -> Result<BTreeSet<u64>, TaskError> {
        match self.open(registry)? {
            Open::Match(plan, _) => merge(from, into, |record| plan.claim(record)),
            Open::Analyses(plan) => merge(from, into, |record| plan.claim(record)),
        }
    }

    /// The records of a file, each checked.
    pub(super) fn read(&self, registry: &Registry, path: &Path) -> Result<Records, TaskError> {
        Ok(match self.open(registry)? {
            Open::Match(plan, _) => {
                Records::Games(RecordFile::read(path, |record| plan.claim(record))?)
            }
            Open::Analyses(plan) => {
                Records::Analyses(RecordFile::read(path, |record| plan.claim(record))?)
            }
        })
    }

    fn game(&self) -> &str {
        match self {
            Task::Match(task) => &task.game,
            Task::Analyses(task) => &task.game,
        }
    }

    /// Reads all that the task says: game, players, openings or positions.
    fn open(&self, registry: &Registry) -> Result<Open<'_>, TaskError> {
        let game = registry.game(self.game()).map_err(|error| TaskError::setting("game", error))?;
        let player = |text: &str| -> Result<PlayerSpec, TaskError> {
            text.parse().map_err(|error| TaskError::setting("player", error))
        };
        match self {
            Task::Match(task) => {
                let openings = match task.openings.as_str() {
                    "" => vec![game.start()],
                    text => read_openings(&game, text)
                        .map_err(|error| TaskError::setting("openings", error))?,
                };
                let [a, b] = &task.players;
                let specs = [player(a)?, player(b)?];
                let plan = Match {
                    game,
                    players: task.players.clone(),
                    limits: task.limits,
                    clocks: [None; 2],
                    openings,
                    first_game: 0,
                    games: u64::MAX,
                    seed: task.seed,
                    max_plies: task.max_plies,
                    adjudication: Adjudication::Off,
                    sprt: None,
                };
                Ok(Open::Match(Box::new(plan), specs))
            }
            Task::Analyses(task) => {
                let position =
                    |text: &String| game.at(Some(text.as_str()).filter(|text| !text.is_empty()));
                let positions = task.positions.iter().map(position).collect::<Result<Vec<_>, _>>();
                let positions =
                    positions.map_err(|error| TaskError::setting("positions", error))?;
                if positions.is_empty() {
                    return Err(TaskError::setting("positions", "there are none"));
                }
                let player = player(&task.player)?;
                Ok(Open::Analyses(Analyses { task, positions, player }))
            }
        }
    }
}

/// The positions of a text: one a line, or a column of a table with a header. Lines that begin with
/// `#` are skipped.
pub(super) fn read_positions(text: &str) -> Vec<String> {
    let mut lines =
        text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')).peekable();
    let header = lines.peek().and_then(|line| line.split('\t').position(|word| word == "position"));
    if header.is_some() {
        lines.next();
    }
    let column = header.unwrap_or(0);
    lines
        .filter_map(|line| line.split('\t').nth(column))
        .map(|text| text.trim().to_owned())
        .collect()
}

/// A task with everything read.
enum Open<'a> {
    Match(Box<Match>, [PlayerSpec; 2]),
    Analyses(Analyses<'a>),
}

/// The records of a task.
pub(super) enum Records {
    Games(Vec<GameRecord>),
    Analyses(Vec<AnalysisRecord>),
}

/// Takes records of files over into one, each number once; the numbers that are there then.
fn merge<R: Record>(
    from: &[PathBuf],
    into: &Path,
    claim: impl Fn(&R) -> Result<(), String>,
) -> Result<BTreeSet<u64>, TaskError> {
    let (mut file, done) = RecordFile::resume(into, &claim)?;
    let mut done: BTreeSet<u64> = done.iter().map(Record::index).collect();
    for path in from {
        for record in RecordFile::read(path, &claim)? {
            if done.insert(record.index()) {
                file.append(&record)?;
            }
        }
    }
    file.sync()?;
    Ok(done)
}

/// Analyses, with everything read.
struct Analyses<'a> {
    task: &'a AnalysisTask,
    /// Not empty.
    positions: Vec<Session>,
    player: PlayerSpec,
}

impl Analyses<'_> {
    /// Checks that a record is one of these analyses, and that it has a legal move.
    fn claim(&self, record: &AnalysisRecord) -> Result<(), String> {
        let AnalysisTask { game, player, limit, .. } = self.task;
        let position = self.position(record.index);
        let theirs = (&record.game, &record.player, &record.limit);
        if theirs != (game, player, &limits_text(limit))
            || record.position != position.position_text()
        {
            return Err("another analysis".to_owned());
        }
        if let Some(best) = &record.best {
            position.parse_move(best).map_err(|error| error.to_string())?;
        }
        match &record.proven {
            Some(name) if GameValue::named(name).is_none() => {
                Err(format!("{name:?} is no proven value"))
            }
            _ => Ok(()),
        }
    }

    /// The solver of the name, where no player has it.
    fn solver(&self) -> Option<Algorithm> {
        let game = self.positions.first()?.game();
        let name = self.player.name();
        if game.registry().players().iter().any(|player| player.name == name) {
            return None;
        }
        game.algorithm(&self.task.player).ok().filter(|found| matches!(found, Algorithm::Solver(_)))
    }

    fn position(&self, index: u64) -> &Session {
        &self.positions[(index % self.positions.len() as u64) as usize]
    }

    /// Analysis number `index`; `None` if it was stopped.
    fn analyse(&self, index: u64, stop: &Stop) -> Result<Option<AnalysisRecord>, TaskError> {
        let position = self.position(index);
        let seed = Rng::stream(self.task.seed, index).next_u64();
        let limit = &self.task.limit;
        let report = if let Some(solver) = self.solver() {
            let report = position.solve(&solver, SOLVER_MEMORY, limit, stop);
            report.map_err(|error| TaskError::setting("player", error))?
        } else {
            // A player of its own: what others found must not help.
            let player = position.game().player(&self.player, seed);
            let mut player = player.map_err(|error| TaskError::setting("player", error))?;
            player.new_game(seed);
            let report = player.analyse(position, limit, stop, &mut |_| {});
            report.map_err(|error| TaskError::setting("player", error))?
        };
        if stop.is_set() {
            return Ok(None);
        }
        Ok(Some(AnalysisRecord {
            game: self.task.game.clone(),
            player: self.task.player.clone(),
            limit: limits_text(&self.task.limit),
            index,
            position: position.position_text(),
            best: report.best.map(|m| position.move_text(m)),
            proven: report.proven.map(|value| value.name().to_owned()),
            simulations: report.simulations,
            nodes: report.nodes,
            playout_plies: report.playout_plies,
            seconds: report.elapsed.as_secs_f64(),
        }))
    }

    /// Does those of a range that the journal does not have yet.
    fn run(&self, range: Range<u64>, run: Run<'_>) -> Result<(), TaskError> {
        let (mut file, done) = run.journal.resume(|record| self.claim(record))?;
        let is_open = |index: &u64| done.iter().all(|record| record.index != *index);
        let open: Vec<u64> = range.filter(is_open).collect();
        let players = std::slice::from_ref(&self.player);
        let concurrency = games_at_once(run.concurrency, &[self.task.limit], players);
        let next = AtomicU64::new(0);
        let (sender, records) = mpsc::sync_channel(concurrency);
        thread::scope(|scope| {
            for _ in 0..concurrency {
                let (sender, next, open, stop) = (sender.clone(), &next, &open, run.stop);
                scope.spawn(move || {
                    while !stop.is_set()
                        && let Some(&index) =
                            open.get(next.fetch_add(1, Ordering::Relaxed) as usize)
                        && let Some(record) = self.analyse(index, stop).transpose()
                        && sender.send(record).is_ok()
                    {}
                });
            }
            drop(sender); // The channel closes when the last thread is done.
            for record in records {
                let record = record?;
                keep(&mut file, &record)?;
                (run.on_done)(TaskRecord::Analysis(&record));
            }
            sync(file)
        })
    }
}

/// How a task is run.
pub struct Run<'a> {
    /// Where its records are kept.
    pub journal: &'a Journal,
    /// Games or analyses at once; fewer if players on the clock would share a core.
    pub concurrency: usize,
    /// Ends the run early.
    pub stop: &'a Stop,
    /// Gets the record of every game or analysis that is done.
    pub on_done: &'a mut dyn FnMut(TaskRecord<'_>),
}

/// A new record of a task. As JSON it is the line of its file.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(untagged)]
pub enum TaskRecord<'a> {
    /// A game of a match.
    Game(&'a GameRecord),
    /// An analysis.
    Analysis(&'a AnalysisRecord),
}

/// Plays the games of a range that the journal does not have yet.
fn play(
    plan: Match,
    specs: &[PlayerSpec; 2],
    range: Range<u64>,
    run: Run<'_>,
) -> Result<(), TaskError> {
    let (mut file, done) = run.journal.resume(|record| plan.claim(record))?;
    let plan = Match { first_game: range.start, games: range.end, ..plan };
    let concurrency = games_at_once(run.concurrency, &plan.limits, specs);
    let tables = (0..concurrency)
        .map(|_| Table::new(specs, &plan.game, &plan.limits))
        .collect::<Result<Vec<_>, _>>()
        .map_err(|error| TaskError::setting("player", error))?;
    plan.resume(&done, tables, run.stop, |record: &GameRecord, _| -> Result<(), TaskError> {
        keep(&mut file, record)?;
        (run.on_done)(TaskRecord::Game(record));
        Ok(())
    })?;
    sync(file)
}

/// Appends a record to the file of a journal that has one.
fn keep<R: Record>(file: &mut Option<RecordFile>, record: &R) -> Result<(), TaskError> {
    file.as_mut().map_or(Ok(()), |file| Ok(file.append(record)?))
}

fn sync(file: Option<RecordFile>) -> Result<(), TaskError> {
    file.map_or(Ok(()), |mut file| Ok(file.sync()?))
}
