//! Solving that can be interrupted: a table that is kept in a file, and progress.
//!
//! A checkpoint is the whole table. It is written by the thread that watches the search, which does not
//! stop for it, and replaces the last one only when it is complete. A solver that is killed loses what it
//! did since then, and the same command continues from it. A file of proofs has only the results that cost
//! most work; it is small enough to be kept and to be carried to another machine.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use spinney_game::{PackedMove, Playable, Side, file};
use spinney_players::{Algorithm, Prover, Solver, Solvers};
use spinney_search::proof_number::Snapshot;
use spinney_search::{GameValue, Limits, ProofNumbers, Report, Stop};

use crate::Session;
use crate::certificate::{self, certify};

/// Time between two checkpoints. A kill loses at most this and the time that writing takes.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(30);

/// What a solver may use, and where its table is kept.
pub struct Solving<'a> {
    /// Bytes for the table.
    pub memory: usize,
    /// Threads.
    pub threads: usize,
    /// A file for the table: read before the search if it exists, and written during the search and
    /// after it.
    pub checkpoint: Option<PathBuf>,
    /// Time between two checkpoints.
    pub checkpoint_every: Duration,
    /// A table or proofs to begin with.
    pub load: Option<PathBuf>,
    /// A file for the proofs that cost most, written after the search.
    pub save: Option<PathBuf>,
    /// A file for the certificate ([`crate::verify`]), written if the value is found.
    pub certificate: Option<PathBuf>,
    /// Is told how far the search is, several times a second.
    pub progress: Option<&'a mut dyn FnMut(&Progress)>,
}

impl Default for Solving<'_> {
    fn default() -> Self {
        Solving {
            memory: 1 << 30,
            threads: 1,
            checkpoint: None,
            checkpoint_every: CHECKPOINT_EVERY,
            load: None,
            save: None,
            certificate: None,
            progress: None,
        }
    }
}

/// How far a search is.
#[derive(Clone, Debug)]
pub struct Progress {
    /// Positions generated, those of earlier runs included.
    pub nodes: u64,
    /// Time spent, that of earlier runs included.
    pub elapsed: Duration,
    /// Positions in the table.
    pub entries: usize,
    /// Bytes that the table uses.
    pub bytes: usize,
    /// The side whose win is in question.
    pub attacker: Side,
    /// The moves of the root with their numbers, as last stored.
    pub moves: Vec<(PackedMove, ProofNumbers)>,
    /// Positions of the certificate so far.
    pub certified: usize,
    /// Why a file could not be written.
    pub problem: Option<String>,
}

/// What earlier runs spent.
#[derive(Clone, Copy, Default)]
struct Spent {
    nodes: u64,
    time: Duration,
}

/// The line of a file that tells what its table is of.
struct Header<'a> {
    game: &'a str,
    symmetry: bool,
}

impl Header<'_> {
    fn text(&self, spent: Spent) -> String {
        let Header { game, symmetry } = self;
        let Spent { nodes, time } = spent;
        format!("symmetry={symmetry} nodes={nodes} milliseconds={} game={game}", time.as_millis())
    }

    /// Reads a line that [`text`](Self::text) made; an error says why the table is of no use here.
    fn parse(&self, text: &str) -> Result<Spent, String> {
        let value = |key: &str| {
            let mut words = text.split(' ');
            words.find_map(|word| word.strip_prefix(key)?.strip_prefix('=')).unwrap_or_default()
        };
        let (game, symmetry) = (value("game"), value("symmetry"));
        if game != self.game {
            return Err(format!("a table of {game}, not of {}", self.game));
        }
        if symmetry != self.symmetry.to_string() {
            return Err(format!("a table with symmetry={symmetry}"));
        }
        let number = |key| value(key).parse::<u64>().map_err(|_| format!("no number of {key}"));
        let time = Duration::from_millis(number("milliseconds")?);
        Ok(Spent { nodes: number("nodes")?, time })
    }
}

impl Solving<'_> {
    /// Refuses what an algorithm does not have.
    pub fn check(&self, algorithm: &Algorithm) -> Result<(), String> {
        let (is_parallel, keeps_table) = match algorithm {
            Algorithm::Solver(solver) => (solver.is_parallel(), solver.keeps_table()),
            Algorithm::Player(_) => (false, false),
        };
        let refused = [
            ("threads", self.threads > 1 && !is_parallel),
            ("checkpoint", self.checkpoint.is_some() && !keeps_table),
            ("load", self.load.is_some() && !keeps_table),
            ("save", self.save.is_some() && !keeps_table),
        ];
        match refused.iter().find(|(_, is_refused)| *is_refused) {
            Some((option, _)) => Err(format!("{option}: {algorithm} has none; df-pn has")),
            None => Ok(()),
        }
    }

    /// Solves a position with the table and the files.
    pub(crate) fn run<G: Playable>(
        mut self,
        session: &Session,
        position: &G,
        solver: &Solver,
        solvers: &Solvers<G>,
        limits: &Limits,
        stop: &Stop,
    ) -> Result<Report, String> {
        let mut prover = solver.prover(self.memory, self.threads, solvers)?;
        let header =
            Header { game: &session.game().to_string(), symmetry: solver.folds_symmetry() };
        // 1. What is known already.
        let mut spent = Spent::default();
        if let Some(path) = &self.load {
            read(&mut *prover, path, &header)?;
        }
        if let Some(path) = self.checkpoint.as_ref().filter(|path| path.exists()) {
            spent = read(&mut *prover, path, &header)?;
        }
        // 2. The search, watched if there is anything to do meanwhile.
        let is_watched = self.checkpoint.is_some() || self.progress.is_some();
        let every = self.checkpoint_every;
        let started = Instant::now();
        let mut next = started + every;
        let mut problem = None;
        let total =
            |nodes: u64| Spent { nodes: spent.nodes + nodes, time: spent.time + started.elapsed() };
        let mut observer = |snapshot: &Snapshot<'_>| {
            let spent = total(snapshot.nodes);
            if let Some(path) = self.checkpoint.as_ref().filter(|_| Instant::now() >= next) {
                let begun = Instant::now();
                problem = write(path, |out| snapshot.write(&header.text(spent), out)).err();
                // At most a tenth of the time goes into writing.
                next = Instant::now() + every.max(9 * begun.elapsed());
            }
            if let Some(progress) = &mut self.progress {
                progress(&Progress::new(Some(snapshot), spent, problem.clone()));
            }
        };
        let mut report = match is_watched {
            true => prover.solve(position, limits, stop, Some(&mut observer)),
            false => prover.solve(position, limits, stop, None),
        };
        // 3. What is kept for later runs, and the proof.
        let spent = total(report.nodes);
        (report.nodes, report.elapsed) = (spent.nodes, spent.time);
        let mut problems = Vec::new();
        let mut last = Progress::new(None, spent, None);
        if let Some(snapshot) = prover.snapshot() {
            last = Progress::new(Some(&snapshot), spent, None);
            let text = header.text(spent);
            let kept =
                self.checkpoint.as_ref().map(|path| write(path, |out| snapshot.write(&text, out)));
            let saved =
                self.save.as_ref().map(|path| write(path, |out| snapshot.write_proofs(&text, out)));
            problems.extend([kept, saved].into_iter().flatten().filter_map(Result::err));
        }
        if let Some(value) = report.proven
            && self.certificate.is_some()
        {
            if let Some(strategist) = solver.strategist() {
                prover = strategist.prover(self.memory, 1, solvers)?;
            }
            let begun = Instant::now();
            let mut count = |certified| {
                if let Some(progress) = &mut self.progress {
                    let elapsed = spent.time + begun.elapsed();
                    progress(&Progress { certified, elapsed, ..last.clone() });
                }
            };
            let made = certify(position, value, &mut *prover, stop, &mut count);
            problems.extend(self.keep(session, value, made).err());
        }
        let problem = (!problems.is_empty()).then(|| problems.join("; "));
        match &mut self.progress {
            Some(progress) => progress(&Progress { problem, ..last }),
            None => problem.map_or(Ok(()), Err)?,
        }
        Ok(report)
    }

    /// Writes the certificate of a value that somebody else has found: df-pn looks for the moves.
    pub(crate) fn certify<G: Playable>(
        &self,
        session: &Session,
        position: &G,
        value: GameValue,
        solvers: &Solvers<G>,
        stop: &Stop,
    ) -> Result<(), String> {
        let mut prover = Solver::DF_PN.prover(self.memory, 1, solvers)?;
        let made = certify(position, value, &mut *prover, stop, &mut |_| ());
        self.keep(session, value, made)
    }

    fn keep(
        &self,
        session: &Session,
        value: GameValue,
        made: Result<Vec<u8>, String>,
    ) -> Result<(), String> {
        let Some(path) = &self.certificate else { return Ok(()) };
        let moves = made.map_err(|problem| format!("certificate: {problem}"))?;
        certificate::write(path, session, value, &moves)
    }
}

impl Progress {
    fn new(snapshot: Option<&Snapshot<'_>>, spent: Spent, problem: Option<String>) -> Progress {
        Progress {
            nodes: spent.nodes,
            elapsed: spent.time,
            entries: snapshot.map_or(0, Snapshot::entries),
            bytes: snapshot.map_or(0, Snapshot::bytes),
            attacker: snapshot.map_or(Side::First, |snapshot| snapshot.attacker),
            moves: snapshot.map_or(Vec::new(), |snapshot| snapshot.moves.clone()),
            certified: 0,
            problem,
        }
    }
}

/// Reads a table into a solver; what was spent on it.
fn read<G: Playable>(
    prover: &mut dyn Prover<G>,
    path: &Path,
    header: &Header<'_>,
) -> Result<Spent, String> {
    let named = |problem: &dyn std::fmt::Display| format!("{}: {problem}", path.display());
    let mut input = File::open(path).map_err(|error| named(&error))?;
    let text = prover.restore(&mut input).map_err(|error| named(&error))?;
    header.parse(&text).map_err(|problem| named(&problem))
}

/// Writes a whole file or none.
fn write(
    path: &Path,
    write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>,
) -> Result<(), String> {
    file::replace_with(path, write).map_err(|error| format!("{}: {error}", path.display()))
}
