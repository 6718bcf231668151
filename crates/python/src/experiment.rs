//! Experiments: the tables of the papers, and those that users write.

use std::error::Error;
use std::path::PathBuf;

use pyo3::prelude::*;
use spinney_arena::Journal;
use spinney_arena::experiment::{
    self, Plan, Report, RunEvent, RunInfo, Store, StoreError, TaskRecord,
};

use crate::errors::SpinneyError;
use crate::player::to_json;
use crate::state::registry;
use crate::wait::{Background, interruptible};

/// An error with its causes, as the command line prints it.
fn refused(error: impl Error) -> PyErr {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    SpinneyError::new_err(text)
}

/// The folder of results unless another is given, as on the command line.
fn results() -> PathBuf {
    PathBuf::from("results")
}

/// The size of a piece.
fn positive(size: i64) -> PyResult<u64> {
    let size = u64::try_from(size).ok().filter(|&size| size > 0);
    size.ok_or_else(|| SpinneyError::new_err("size: expected a whole number from 1"))
}

/// An experiment at a scale: `Experiment(name, scale="quick")`, with the name of one that is part of
/// the program, such as mcts-loa/table-2, or the path of a file.
#[pyclass(frozen, module = "spinney")]
pub(crate) struct Experiment {
    name: String,
    scale: String,
    experiment: experiment::Experiment,
    plan: Plan,
}

impl Experiment {
    /// Notes in a folder of results what is run there. `command` does the same from a shell.
    fn begin(&self, store: &Store, command: String, resume: bool) -> PyResult<()> {
        let run = RunInfo::new(&self.experiment, &self.scale, command);
        store.begin(&run, resume).map_err(|error| match error {
            StoreError::Exists { path, id, scale } => {
                let path = path.display();
                SpinneyError::new_err(format!(
                    "{path}: has results of {id} at scale {scale}; resume=True continues them"
                ))
            }
            error => refused(error),
        })
    }
}

#[pymethods]
impl Experiment {
    #[new]
    #[pyo3(signature = (name, scale="quick"))]
    fn new(name: PathBuf, scale: &str) -> PyResult<Experiment> {
        let name = name.to_string_lossy().into_owned();
        let experiment = experiment::find(&name).map_err(refused)?;
        let plan = experiment.plan(&name, scale).map_err(refused)?;
        Ok(Experiment { name, scale: scale.to_owned(), experiment, plan })
    }

    /// The identifier, such as mcts-loa/table-2.
    #[getter]
    fn id(&self) -> &str {
        &self.experiment.id
    }

    /// What the table shows.
    #[getter]
    fn title(&self) -> &str {
        &self.experiment.title
    }

    /// What the table says, in a sentence.
    #[getter]
    fn claim(&self) -> String {
        let texts: Vec<&str> = self.experiment.claim.iter().map(|c| c.text.as_str()).collect();
        texts.join(" ")
    }

    /// The scale: quick, paper, or another of the file.
    #[getter]
    fn scale(&self) -> &str {
        &self.scale
    }

    /// The number of games and analyses.
    #[getter]
    fn units(&self) -> u64 {
        self.plan.units()
    }

    /// Raises SpinneyError if a player, an opening or a position is wrong.
    fn check(&self, py: Python<'_>) -> PyResult<()> {
        let checked = py.detach(|| self.plan.check(&registry()));
        checked.map_err(|error| SpinneyError::new_err(format!("{}: {error}", self.name)))
    }

    /// Plays the games and makes the analyses that are not in the folder `out` yet, and returns the
    /// report. `on_progress(done, units)` is called after each. Ctrl-C ends the run; what is done is
    /// kept. Results of an earlier run are refused unless `resume` is set.
    #[pyo3(
        signature = (out=results(), *, resume=false, concurrency=1, on_progress=None),
        text_signature = "($self, out='results', *, resume=False, concurrency=1, on_progress=None)"
    )]
    fn run(
        &self,
        py: Python<'_>,
        out: PathBuf,
        resume: bool,
        concurrency: usize,
        on_progress: Option<Py<PyAny>>,
    ) -> PyResult<String> {
        if !(1..=256).contains(&concurrency) {
            return Err(SpinneyError::new_err("concurrency: expected 1 to 256"));
        }
        self.check(py)?;
        let store = Store::create(&registry(), &out).map_err(refused)?;
        let Experiment { name, scale, .. } = self;
        let folder = out.display();
        let command = format!(
            "spinney experiment run {name} --scale {scale} --out {folder} --concurrency {concurrency}"
        );
        self.begin(&store, command, resume)?;
        let units = self.units();
        let mut done = 0;
        let ran = interruptible(
            py,
            |stop, sender| {
                self.plan.run(&store, concurrency, stop, &mut |event| {
                    done += match event {
                        RunEvent::Begins { done, .. } => done,
                        RunEvent::Done => 1,
                    };
                    // Nobody listens any more once it is stopped.
                    let _ = sender.send(done);
                })
            },
            |py, done: u64| match &on_progress {
                Some(on_progress) => on_progress.call1(py, (done, units)).map(|_| ()),
                None => Ok(()),
            },
        )?;
        ran.map_err(refused)?;
        self.report(py, out)
    }

    /// The results in the folder `out` as a table in Markdown.
    #[pyo3(signature = (out=results()), text_signature = "($self, out='results')")]
    fn report(&self, py: Python<'_>, out: PathBuf) -> PyResult<String> {
        let store = Store::open(&registry(), &out);
        let report = py.detach(|| Report::of_run(&self.experiment, &self.scale, &store));
        Ok(report.map_err(refused)?.text())
    }

    /// The experiment in pieces of at most `size` games or analyses, which any process or machine can
    /// do in any order.
    #[pyo3(signature = (size=20))]
    fn pieces(&self, size: i64) -> PyResult<Vec<Piece>> {
        let pieces = self.plan.pieces(positive(size)?);
        Ok(pieces.into_iter().map(|piece| Piece { piece }).collect())
    }

    /// Takes the records of pieces from the folder `source` into the folder `out`, each game once, and
    /// returns the pieces of this size that are not complete.
    #[pyo3(
        signature = (source, out=results(), size=20),
        text_signature = "($self, source, out='results', size=20)"
    )]
    fn merge(
        &self,
        py: Python<'_>,
        source: PathBuf,
        out: PathBuf,
        size: i64,
    ) -> PyResult<Vec<Piece>> {
        let size = positive(size)?;
        let store = Store::create(&registry(), &out).map_err(refused)?;
        let missing = py.detach(|| self.plan.merge(&source, &store, size)).map_err(refused)?;
        let Experiment { name, scale, .. } = self;
        let (source, out) = (source.display(), out.display());
        let command = format!(
            "spinney shard merge {name} --scale {scale} --size {size} --from {source} --out {out}"
        );
        self.begin(&store, command, true)?;
        Ok(missing.into_iter().map(|piece| Piece { piece }).collect())
    }

    fn __repr__(&self) -> String {
        format!("Experiment({:?}, {:?})", self.name, self.scale)
    }
}

/// Some games or analyses of an experiment, with all that they need. `str(piece)` is its text, and
/// `Piece(text)` reads that again.
#[pyclass(frozen, module = "spinney")]
pub(crate) struct Piece {
    piece: experiment::Piece,
}

#[pymethods]
impl Piece {
    #[new]
    fn new(text: &str) -> PyResult<Piece> {
        let piece = serde_json::from_str(text);
        Ok(Piece { piece: piece.map_err(|e| SpinneyError::new_err(format!("piece: {e}")))? })
    }

    /// The name of the task with the first number and the one after the last.
    #[getter]
    fn name(&self) -> String {
        self.piece.name()
    }

    /// The name of the match, or of the set of analyses, that it is part of.
    #[getter]
    fn task(&self) -> String {
        self.piece.task.name()
    }

    /// What it is, in one line.
    #[getter]
    fn summary(&self) -> String {
        self.piece.task.describe()
    }

    /// The number of its first game or analysis.
    #[getter]
    fn first(&self) -> u64 {
        self.piece.first
    }

    /// The number after its last game or analysis.
    #[getter]
    fn end(&self) -> u64 {
        self.piece.end
    }

    /// Writes it to the file NAME.json of a folder, as `spinney shard run` reads it.
    fn save(&self, folder: PathBuf) -> PyResult<PathBuf> {
        self.piece.save(&folder).map_err(refused)
    }

    /// Does what the file NAME.jsonl of a folder does not have yet, and returns the number of new
    /// records. Ctrl-C ends it; what is done is kept.
    fn run(&self, py: Python<'_>, folder: PathBuf) -> PyResult<u64> {
        let journal = Journal::File(self.piece.records(&folder));
        let mut done = 0;
        let ran = interruptible(
            py,
            |stop, _| self.piece.run(&registry(), &journal, stop, &mut |_| done += 1),
            |_, ()| Ok(()),
        )?;
        ran.map(|()| done).map_err(refused)
    }

    /// Does it without a file: an iterator over its records, lines of JSON, as they come. Those in
    /// `done`, records of an earlier run, are not done again. The work stops with the iterator.
    #[pyo3(signature = (done=Vec::new()), text_signature = "($self, done=())")]
    fn records(&self, done: Vec<String>) -> Records {
        let lines = done.iter().map(|line| line.trim_end().to_owned() + "\n");
        let journal = Journal::Caller(lines.collect());
        let piece = self.piece.clone();
        Records(Background::start(move |stop, sender| {
            let on_done = &mut |record: TaskRecord<'_>| {
                // Nobody listens any more once it is stopped.
                let _ = sender.send(to_json(&record));
            };
            piece.run(&registry(), &journal, stop, on_done).map_err(refused)
        }))
    }

    fn __str__(&self) -> PyResult<String> {
        to_json(&self.piece)
    }

    fn __repr__(&self) -> String {
        format!("<Piece {}>", self.name())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((slf.get_type().into_any(), (slf.get().__str__()?,)))
    }
}

/// The records of a piece, as they come.
#[pyclass(frozen, module = "spinney._native")]
pub(crate) struct Records(Background<PyResult<String>>);

#[pymethods]
impl Records {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.0.next(py)?.transpose()
    }
}

/// Writes report.md and report.html, of all experiments with results in a folder, into that folder,
/// and returns their paths.
#[pyfunction]
#[pyo3(signature = (folder=results()), text_signature = "(folder='results')")]
pub(crate) fn write_reports(py: Python<'_>, folder: PathBuf) -> PyResult<(PathBuf, PathBuf)> {
    let written = py.detach(|| Store::open(&registry(), &folder).write_reports());
    Ok(written.map_err(refused)?.into())
}

/// The experiments that are part of the program, each with its title.
#[pyfunction]
pub(crate) fn experiments() -> PyResult<Vec<(&'static str, String)>> {
    let title = |id| Ok((id, experiment::find(id).map_err(refused)?.title));
    experiment::ids().map(title).collect()
}
