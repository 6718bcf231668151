//! The units of work: matches and analyses, each named by a hash of all that decides it.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

use serde::{Deserialize, Serialize};
use spinney_game::{History, Rng};
use spinney_games::catalog::{GameSpec, Playable, Visitor};
use spinney_players::PlayerSpec;
use spinney_protocol::create;
use spinney_search::{GameValue, Limits, Stop};
use thiserror::Error;

use crate::{
    Adjudication, GameRecord, Journal, Match, Opening, Record, RecordFile, RecordFileError, Table,
    games_at_once, parse_limits, read_openings,
};

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
    /// Their limits; empty for none.
    pub limits: [String; 2],
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
    /// Its limit; empty for none.
    pub limit: String,
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
    /// Plies of all play-outs together; 0 if they are not counted.
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
        let limit = |text: &str| if text.is_empty() { String::new() } else { format!(" ({text})") };
        match self {
            Task::Match(MatchTask { game, players: [a, b], limits, .. }) => {
                format!("{game}: {a}{} against {b}{}", limit(&limits[0]), limit(&limits[1]))
            }
            Task::Analyses(AnalysisTask { game, player, limit: text, positions, .. }) => {
                format!("{game}: {player}{} on {} positions", limit(text), positions.len())
            }
        }
    }

    /// Whether its results depend on the clock.
    pub fn is_timed(&self) -> bool {
        match self {
            Task::Match(task) => task.limits.iter().any(|limit| limit.contains("time=")),
            Task::Analyses(task) => task.limit.contains("time="),
        }
    }

    /// Finds what is wrong with it before anything is done.
    pub fn check(&self) -> Result<(), TaskError> {
        self.visit(Check)
    }

    /// Does the games or analyses of a range that the journal does not have yet, so many at once;
    /// fewer if players on the clock would share a core.
    /// `on_done` hears of each. Ends early if `stop` is set.
    pub fn run(
        &self,
        range: Range<u64>,
        journal: &Journal,
        concurrency: usize,
        stop: &Stop,
        on_done: &mut dyn FnMut(),
    ) -> Result<(), TaskError> {
        self.visit(Run { range, journal, concurrency, stop, on_done })
    }

    /// Takes records of files over into one, each number once; the numbers that are there then.
    pub(super) fn merge(&self, from: &[PathBuf], into: &Path) -> Result<BTreeSet<u64>, TaskError> {
        self.visit(Merge { from, into })
    }

    /// The records of a file, each checked.
    pub(super) fn read(&self, path: &Path) -> Result<Records, TaskError> {
        self.visit(Read { path })
    }

    fn game(&self) -> &str {
        match self {
            Task::Match(task) => &task.game,
            Task::Analyses(task) => &task.game,
        }
    }

    fn visit<A: Action>(&self, action: A) -> Result<A::Output, TaskError> {
        let game: GameSpec =
            self.game().parse().map_err(|error| TaskError::setting("game", error))?;
        game.visit(TaskVisitor(self, action))
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

/// The hash of Fowler, Noll and Vo, 64 bits: the same on every machine and in every version.
fn fnv_1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// Something to do with a task once the type of its game is known.
trait Action {
    type Output;

    fn games<G: Playable>(
        self,
        plan: Match<G>,
        specs: [PlayerSpec; 2],
    ) -> Result<Self::Output, TaskError>;

    fn analyses<G: Playable>(self, plan: Analyses<'_, G>) -> Result<Self::Output, TaskError>;
}

struct TaskVisitor<'a, A>(&'a Task, A);

impl<A: Action> Visitor for TaskVisitor<'_, A> {
    type Output = Result<A::Output, TaskError>;

    fn visit<G: Playable>(self, start: G) -> Self::Output {
        let TaskVisitor(task, action) = self;
        let player = |text: &str| -> Result<PlayerSpec, TaskError> {
            text.parse().map_err(|error| TaskError::setting("player", error))
        };
        let limits = |text: &str| match text {
            "" => Ok(Limits::default()),
            text => parse_limits(text).map_err(|error| TaskError::setting("limit", error)),
        };
        match task {
            Task::Match(task) => {
                let openings = match task.openings.as_str() {
                    "" => Opening::new(start.clone(), "").map(|opening| vec![opening]),
                    text => read_openings(&start, text),
                };
                let [a, b] = &task.players;
                let specs = [player(a)?, player(b)?];
                let plan = Match {
                    game: task.game.clone(),
                    players: task.players.clone(),
                    limits: [limits(&task.limits[0])?, limits(&task.limits[1])?],
                    openings: openings.map_err(|error| TaskError::setting("openings", error))?,
                    first_game: 0,
                    games: u64::MAX,
                    seed: task.seed,
                    max_plies: task.max_plies,
                    adjudication: Adjudication::Off,
                    sprt: None,
                };
                action.games(plan, specs)
            }
            Task::Analyses(task) => {
                let positions = task.positions.iter().map(|text| match text.as_str() {
                    "" => Ok(start.clone()),
                    text => start.parse_position(text),
                });
                let positions = positions
                    .collect::<Result<Vec<G>, _>>()
                    .map_err(|error| TaskError::setting("positions", error))?;
                if positions.is_empty() {
                    return Err(TaskError::setting("positions", "there are none"));
                }
                let (player, limits) = (player(&task.player)?, limits(&task.limit)?);
                action.analyses(Analyses { task, positions, player, limits })
            }
        }
    }
}

/// Analyses, with everything read.
struct Analyses<'a, G> {
    task: &'a AnalysisTask,
    /// Not empty.
    positions: Vec<G>,
    player: PlayerSpec,
    limits: Limits,
}

impl<G: Playable> Analyses<'_, G> {
    /// Checks that a record is one of these analyses, and that it has a legal move.
    fn claim(&self, record: &AnalysisRecord) -> Result<(), String> {
        let AnalysisTask { game, player, limit, .. } = self.task;
        let position = self.position(record.index);
        let theirs = (&record.game, &record.player, &record.limit);
        if theirs != (game, player, limit) || record.position != position.position_text() {
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

    fn position(&self, index: u64) -> &G {
        &self.positions[(index % self.positions.len() as u64) as usize]
    }

    /// Analysis number `index`; `None` if it was stopped.
    fn analyse(&self, index: u64, stop: &Stop) -> Result<Option<AnalysisRecord>, TaskError> {
        let position = self.position(index);
        let seed = Rng::stream(self.task.seed, index).next_u64();
        // A player of its own: what others found must not help.
        let mut player = create(&self.player, position, seed)
            .map_err(|error| TaskError::setting("player", error))?;
        player
            .limit_kinds()
            .check(&self.limits)
            .map_err(|error| TaskError::setting("limit", error))?;
        player.new_game(seed);
        let report =
            player.analyse(&History::new(position.clone()), &self.limits, stop, &mut |_| {});
        if stop.is_set() {
            return Ok(None);
        }
        Ok(Some(AnalysisRecord {
            game: self.task.game.clone(),
            player: self.task.player.clone(),
            limit: self.task.limit.clone(),
            index,
            position: position.position_text(),
            best: report.best.map(|m| position.move_text(m)),
            proven: report.proven.map(|value: GameValue| value.name().to_owned()),
            simulations: report.simulations,
            nodes: report.nodes,
            playout_plies: report.playout_plies,
            seconds: report.elapsed.as_secs_f64(),
        }))
    }
}

struct Check;

impl Check {
    /// Fails if there is no such player, or if its program cannot be started.
    fn player<G: Playable>(spec: &PlayerSpec, start: &G) -> Result<(), TaskError> {
        create(spec, start, 0).map_err(|error| TaskError::setting("player", error))?;
        Ok(())
    }
}

impl Action for Check {
    type Output = ();

    fn games<G: Playable>(self, plan: Match<G>, specs: [PlayerSpec; 2]) -> Result<(), TaskError> {
        specs.iter().try_for_each(|spec| Check::player(spec, &plan.openings[0].start))
    }

    fn analyses<G: Playable>(self, plan: Analyses<'_, G>) -> Result<(), TaskError> {
        Check::player(&plan.player, plan.position(0))
    }
}

/// The records of a task.
pub(super) enum Records {
    Games(Vec<GameRecord>),
    Analyses(Vec<AnalysisRecord>),
}

struct Read<'a> {
    path: &'a Path,
}

impl Action for Read<'_> {
    type Output = Records;

    fn games<G: Playable>(self, plan: Match<G>, _: [PlayerSpec; 2]) -> Result<Records, TaskError> {
        Ok(Records::Games(RecordFile::read(self.path, |record| plan.claim(record))?))
    }

    fn analyses<G: Playable>(self, plan: Analyses<'_, G>) -> Result<Records, TaskError> {
        Ok(Records::Analyses(RecordFile::read(self.path, |record| plan.claim(record))?))
    }
}

struct Merge<'a> {
    from: &'a [PathBuf],
    into: &'a Path,
}

impl Merge<'_> {
    fn merge<R: Record>(
        self,
        claim: impl Fn(&R) -> Result<(), String>,
    ) -> Result<BTreeSet<u64>, TaskError> {
        let (mut file, done) = RecordFile::resume(self.into, &claim)?;
        let mut done: BTreeSet<u64> = done.iter().map(Record::index).collect();
        for path in self.from {
            for record in RecordFile::read(path, &claim)? {
                if done.insert(record.index()) {
                    file.append(&record)?;
                }
            }
        }
        file.sync()?;
        Ok(done)
    }
}

impl Action for Merge<'_> {
    type Output = BTreeSet<u64>;

    fn games<G: Playable>(
        self,
        plan: Match<G>,
        _: [PlayerSpec; 2],
    ) -> Result<BTreeSet<u64>, TaskError> {
        self.merge(|record| plan.claim(record))
    }

    fn analyses<G: Playable>(self, plan: Analyses<'_, G>) -> Result<BTreeSet<u64>, TaskError> {
        self.merge(|record| plan.claim(record))
    }
}

struct Run<'a> {
    range: Range<u64>,
    journal: &'a Journal,
    concurrency: usize,
    stop: &'a Stop,
    on_done: &'a mut dyn FnMut(),
}

impl Action for Run<'_> {
    type Output = ();

    fn games<G: Playable>(self, plan: Match<G>, specs: [PlayerSpec; 2]) -> Result<(), TaskError> {
        let (mut file, done) = self.journal.resume(|record| plan.claim(record))?;
        let plan = Match { first_game: self.range.start, games: self.range.end, ..plan };
        let concurrency = games_at_once(self.concurrency, &plan.limits, &specs);
        let tables = (0..concurrency)
            .map(|_| Table::new(&specs, &plan.openings[0].start, &plan.limits))
            .collect::<Result<Vec<_>, _>>()
            .map_err(|error| TaskError::setting("player", error))?;
        plan.resume(&done, tables, self.stop, |record: &GameRecord, _| -> Result<(), TaskError> {
            file.append(record)?;
            (self.on_done)();
            Ok(())
        })?;
        Ok(file.sync()?)
    }

    fn analyses<G: Playable>(self, plan: Analyses<'_, G>) -> Result<(), TaskError> {
        let (mut file, done) = self.journal.resume(|record| plan.claim(record))?;
        let is_open = |index: &u64| done.iter().all(|record| record.index != *index);
        let open: Vec<u64> = self.range.filter(is_open).collect();
        let players = std::slice::from_ref(&plan.player);
        let concurrency = games_at_once(self.concurrency, &[plan.limits], players);
        let next = AtomicU64::new(0);
        let (sender, records) = mpsc::sync_channel(concurrency);
        thread::scope(|scope| {
            for _ in 0..concurrency {
                let (sender, next, open, plan) = (sender.clone(), &next, &open, &plan);
                let stop = self.stop;
                scope.spawn(move || {
                    while !stop.is_set()
                        && let Some(&index) =
                            open.get(next.fetch_add(1, Ordering::Relaxed) as usize)
                        && let Some(record) = plan.analyse(index, stop).transpose()
                        && sender.send(record).is_ok()
                    {}
                });
            }
            drop(sender); // The channel closes when the last thread is done.
            for record in records {
                file.append(&record?)?;
                (self.on_done)();
            }
            Ok(file.sync()?)
        })
    }
}
