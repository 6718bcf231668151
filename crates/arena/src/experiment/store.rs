//! A folder of results: `tasks/NAME.jsonl` with the records of a task, `ID.run.json` with what was run.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use spinney_game::file;
use spinney_session::Registry;
use thiserror::Error;

use super::results::tally_of;
use super::task::Records;
use super::{
    AnalysisRecord, Experiment, FileError, Packed, Report, Task, TaskError, html, markdown, packed,
};
use crate::{GameResult, Tally};

const RUN: &str = ".run.json";
/// The folder of full records.
const TASKS: &str = "tasks";

/// A folder of results.
#[derive(Clone, Debug)]
pub struct Store {
    folder: PathBuf,
    /// The games that records are checked with.
    registry: Registry,
}

/// What was run, and where: enough to make the report anywhere.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RunInfo {
    /// The experiment.
    pub id: String,
    /// The scale.
    pub scale: String,
    /// The command line, or the one that does the same.
    pub command: String,
    /// The version of the program.
    pub version: String,
    /// The processor.
    pub processor: String,
    /// The number of its cores.
    pub cores: usize,
    /// The system.
    pub system: String,
    /// When it was begun, in seconds since 1970.
    pub started: u64,
    /// The text of the experiment's file.
    pub source: String,
    /// The files it names that are not part of the program.
    pub inputs: BTreeMap<String, String>,
}

/// A folder that cannot be used.
#[derive(Debug, Error)]
pub enum StoreError {
    /// A file or folder cannot be read or written.
    #[error("{}", path.display())]
    Io {
        /// Which one.
        path: PathBuf,
        /// Why not.
        #[source]
        error: io::Error,
    },
    /// A line of compact results that cannot be read.
    #[error("{}: line {line}: {problem}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// What is wrong there.
        problem: String,
    },
    /// A task, or its file of records.
    #[error(transparent)]
    Task(#[from] TaskError),
    /// The experiment that was run.
    #[error(transparent)]
    Experiment(#[from] FileError),
    /// There are results already.
    #[error("{}: has results of {id} at scale {scale}; --resume continues them", path.display())]
    Exists {
        /// The folder.
        path: PathBuf,
        /// The experiment.
        id: String,
        /// Its scale.
        scale: String,
    },
    /// There is nothing.
    #[error("{}: there are no results of an experiment in it", .0.display())]
    Empty(PathBuf),
}

impl RunInfo {
    /// A run on this machine, now.
    pub fn new(experiment: &Experiment, scale: &str, command: String) -> RunInfo {
        let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let model = cpuinfo.lines().find(|line| line.starts_with("model name"));
        let processor = model.and_then(|line| line.split_once(": ")).map(|(_, name)| name);
        RunInfo {
            id: experiment.id.clone(),
            scale: scale.to_owned(),
            command,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            processor: processor.unwrap_or(std::env::consts::ARCH).to_owned(),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            system: std::env::consts::OS.to_owned(),
            started: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs()),
            source: experiment.source.clone(),
            inputs: experiment
                .inputs
                .iter()
                .filter(|(name, _)| super::catalog::input(name).is_none())
                .map(|(name, text)| (name.clone(), text.clone()))
                .collect(),
        }
    }

    /// The experiment as it was run. Its words, claims and numbers of games are those of the program's file
    /// of the same name, if what it measures is still the same.
    pub fn experiment(&self) -> Result<Experiment, FileError> {
        let tasks = |experiment: Experiment| {
            let plan = experiment.plan(&self.id, &self.scale).ok()?;
            Some(plan.tasks.into_keys().collect::<Vec<_>>())
        };
        let then = Experiment::without_claims(&self.id, &self.source, self.inputs.clone())?;
        match super::find(&self.id) {
            Ok(now) if tasks(now.clone()) == tasks(then) => Ok(now),
            _ => Experiment::with_inputs(&self.id, &self.source, self.inputs.clone()),
        }
    }
}

impl Store {
    /// The folder, made if need be.
    pub fn create(registry: &Registry, folder: &Path) -> Result<Store, StoreError> {
        let tasks = folder.join(TASKS);
        fs::create_dir_all(&tasks).map_err(|error| StoreError::Io { path: tasks, error })?;
        Ok(Store::open(registry, folder))
    }

    /// A folder that is there.
    pub fn open(registry: &Registry, folder: &Path) -> Store {
        Store { folder: folder.to_owned(), registry: registry.clone() }
    }

    /// Notes a run. Without `resume`, the same experiment and scale must not be there. With it, what was
    /// noted stays unless the experiment has changed since: reports are of the last one that was run.
    pub fn begin(&self, run: &RunInfo, resume: bool) -> Result<(), StoreError> {
        let path = self.folder.join(format!("{}.{}{RUN}", run.id.replace('/', "-"), run.scale));
        if path.exists() && !resume {
            let (id, scale) = (run.id.clone(), run.scale.clone());
            return Err(StoreError::Exists { path: self.folder.clone(), id, scale });
        }
        let is_same = |noted: RunInfo| (&noted.source, &noted.inputs) == (&run.source, &run.inputs);
        if read_run(&path).is_ok_and(is_same) {
            return Ok(());
        }
        let failed = |error| StoreError::Io { path: path.clone(), error };
        let text = serde_json::to_string_pretty(run).map_err(|error| failed(error.into()))?;
        file::replace(&path, (text + "\n").as_bytes()).map_err(failed)
    }

    /// All runs that were noted, by name.
    pub fn runs(&self) -> Result<Vec<RunInfo>, StoreError> {
        let failed = |error| StoreError::Io { path: self.folder.clone(), error };
        let mut paths = Vec::new();
        for entry in fs::read_dir(&self.folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            if path.to_string_lossy().ends_with(RUN) {
                paths.push(path);
            }
        }
        paths.sort();
        let runs: Vec<RunInfo> =
            paths.iter().map(|path| read_run(path)).collect::<Result<_, _>>()?;
        if runs.is_empty() { Err(StoreError::Empty(self.folder.clone())) } else { Ok(runs) }
    }

    /// The reports of all runs that were noted.
    pub fn reports(&self) -> Result<Vec<Report>, StoreError> {
        let mut reports = Vec::new();
        for run in self.runs()? {
            let report = Report::of_run(&run.experiment()?, &run.scale, self)?;
            reports.push(Report { run: Some(run), ..report });
        }
        // In the order of the papers; files of one's own come last.
        let place = |report: &Report| super::ids().position(|id| id == report.experiment.id);
        reports.sort_by_key(|report| place(report).unwrap_or(usize::MAX));
        Ok(reports)
    }

    /// Writes `results.jsonl`: what the tables need of all full records, in compact form.
    pub fn pack(&self) -> Result<PathBuf, StoreError> {
        let mut packed = Packed::read(self)?;
        for run in self.runs()? {
            packed.add(&run.experiment()?.plan(&run.id, &run.scale)?, self)?;
        }
        packed.write(self)
    }

    /// Writes `report.md` and `report.html`, of all runs that were noted, into the folder.
    pub fn write_reports(&self) -> Result<[PathBuf; 2], StoreError> {
        let (reports, raw) = (self.reports()?, self.raw_files()?);
        let write = |name: &str, text: String| {
            let path = self.folder.join(name);
            match file::replace(&path, text.as_bytes()) {
                Ok(()) => Ok(path),
                Err(error) => Err(StoreError::Io { path, error }),
            }
        };
        let (markdown, html) = (markdown(&reports, &raw), html(&reports, &raw));
        Ok([write("report.md", markdown)?, write("report.html", html)?])
    }

    /// What the reports are made of, by name in the folder: the compact results and archives with all
    /// moves, or the folder of full records.
    pub fn raw_files(&self) -> Result<Vec<String>, StoreError> {
        let failed = |error| StoreError::Io { path: self.folder.clone(), error };
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.folder).map_err(failed)? {
            names.push(entry.map_err(failed)?.file_name().to_string_lossy().into_owned());
        }
        names.retain(|name| name == packed::FILE || name.ends_with(".tar.xz"));
        names.sort();
        Ok(if names.is_empty() { vec![TASKS.to_owned() + "/"] } else { names })
    }

    /// The folder.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The games that records are checked with.
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Where the records of a task are.
    pub fn path(&self, task: &str) -> PathBuf {
        self.folder.join(TASKS).join(format!("{task}.jsonl"))
    }

    /// How many records of the first `wanted` ones a task has. All are checked.
    pub fn count(&self, task: &Task, wanted: u64) -> Result<u64, StoreError> {
        Ok(match task {
            Task::Match(_) => self.games(task)?.range(..wanted).count() as u64,
            Task::Analyses(_) => self.analyses(task, wanted)?.len() as u64,
        })
    }

    /// The results of a match; only games before `end` count. All are checked.
    pub(crate) fn tally(&self, task: &Task, end: u64) -> Result<Tally, StoreError> {
        Ok(tally_of(self.games(task)?.range(..end)))
    }

    /// The results of a match by number. All games are checked.
    pub(super) fn games(&self, task: &Task) -> Result<BTreeMap<u64, GameResult>, StoreError> {
        let Records::Games(games) = task.read(&self.registry, &self.path(&task.name()))? else {
            return Ok(BTreeMap::new());
        };
        Ok(games.iter().map(|game| (game.index, game.result)).collect())
    }

    /// The analyses of a task before `end`. All are checked.
    pub(super) fn analyses(
        &self,
        task: &Task,
        end: u64,
    ) -> Result<Vec<AnalysisRecord>, StoreError> {
        let Records::Analyses(mut records) = task.read(&self.registry, &self.path(&task.name()))?
        else {
            return Ok(Vec::new());
        };
        records.retain(|record| record.index < end);
        Ok(records)
    }
}

fn read_run(path: &Path) -> Result<RunInfo, StoreError> {
    let failed = |error| StoreError::Io { path: path.to_owned(), error };
    let text = fs::read_to_string(path).map_err(failed)?;
    serde_json::from_str(&text).map_err(|error| failed(error.into()))
}
