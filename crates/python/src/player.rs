//! Players.

use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use spinney_arena::parse_limits;
use spinney_protocol::{Analysis, EXTERNAL};
use spinney_session::{GameHandle, Limits, PlayerSpec};

use crate::errors::{PlayerError, SpinneyError};
use crate::failure;
use crate::state::{Game, State, registry};
use crate::wait::interruptible;

/// A player. It is made for the game of the first state that it sees, and again when that changes.
#[pyclass(frozen, module = "spinney._native")]
pub(crate) struct Player {
    spec: PlayerSpec,
    made: Mutex<Made>,
}

struct Made {
    seed: u64,
    player: Option<(GameHandle, Box<dyn spinney_session::Player>)>,
}

impl Made {
    /// The player for the game of a state.
    fn player(
        &mut self,
        spec: &PlayerSpec,
        state: &State,
    ) -> Result<&mut dyn spinney_session::Player, String> {
        let game = state.session.game();
        let player = match self.player.take().filter(|(made_for, _)| made_for == game) {
            Some((_, player)) => player,
            None => game.player(spec, self.seed).map_err(|error| error.to_string())?,
        };
        Ok(self.player.insert((game.clone(), player)).1.as_mut())
    }
}

pub(crate) fn read_limits(text: &str) -> PyResult<Limits> {
    match text {
        "" => Ok(Limits::default()),
        text => {
            parse_limits(text).map_err(|problem| SpinneyError::new_err(format!("limit: {problem}")))
        }
    }
}

pub(crate) fn to_json(value: &impl serde::Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(|error| SpinneyError::new_err(error.to_string()))
}

/// Whether some game has this player, with these options.
fn check(spec: &PlayerSpec) -> Result<(), String> {
    let mut problem = format!("player {:?}: no game has it", spec.name());
    let registry = registry();
    for info in registry.games() {
        let game = registry.game(info.name).map_err(|error| error.to_string())?;
        let described = game.options(spec);
        if game.players().iter().any(|entry| entry.name == spec.name()) {
            return described.map(|_| ()).map_err(|error| error.to_string());
        }
        problem = described.err().map_or(problem, |error| error.to_string());
    }
    Err(problem)
}

#[pymethods]
impl Player {
    #[new]
    fn new(spec: &str, seed: u64) -> PyResult<Player> {
        let spec: PlayerSpec =
            spec.parse().map_err(|error| PlayerError::new_err(format!("{error}")))?;
        if spec.name() != EXTERNAL {
            check(&spec).map_err(PlayerError::new_err)?;
        }
        Ok(Player { spec, made: Mutex::new(Made { seed, player: None }) })
    }

    #[getter]
    fn spec(&self) -> String {
        self.spec.to_string()
    }

    /// Searches, and returns the JSON analysis format; `progress` gets snapshots in it.
    fn analyse(
        &self,
        py: Python<'_>,
        state: &State,
        limit: &str,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<String> {
        let limits = read_limits(limit)?;
        let wants_progress = progress.is_some();
        let analysis = interruptible(
            py,
            |stop, sender| {
                let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
                let player = made.player(&self.spec, state)?;
                let report = player.analyse(&state.session, &limits, stop, &mut |report| {
                    if wants_progress {
                        // Nobody listens any more once it is stopped.
                        let _ = sender.send(Analysis::new(&state.session, report));
                    }
                });
                match report {
                    Ok(report) => Ok(Analysis::new(&state.session, &report)),
                    Err(failure) => Err(failure.to_string()),
                }
            },
            |py, analysis: Analysis| match &progress {
                Some(progress) => progress.call1(py, (to_json(&analysis)?,)).map(|_| ()),
                None => Ok(()),
            },
        )?;
        failure::check(state.session.game())?;
        to_json(&analysis.map_err(PlayerError::new_err)?)
    }

    /// Joins independent analyses of a state, as root parallelism joins its trees.
    fn merge(&self, py: Python<'_>, state: &State, analyses: Vec<String>) -> PyResult<String> {
        let read = |text: &String| {
            serde_json::from_str(text).map_err(|error| SpinneyError::new_err(error.to_string()))
        };
        let analyses = analyses.iter().map(read).collect::<PyResult<Vec<Analysis>>>()?;
        let session = &state.session;
        let merged = py.detach(|| {
            let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
            let reports = analyses.iter().map(|analysis| analysis.report(session));
            let reports =
                reports.collect::<Result<Vec<_>, _>>().map_err(|error| error.to_string())?;
            let merged = made.player(&self.spec, state)?.merge(session, &reports);
            let merged = merged.ok_or("the player grows no tree whose moves could be added up")?;
            Ok::<_, String>(Analysis::new(session, &merged))
        });
        to_json(&merged.map_err(PlayerError::new_err)?)
    }

    /// Forgets what it knows, and starts its random numbers anew.
    fn new_game(&self, py: Python<'_>, seed: u64) {
        py.detach(|| {
            let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
            made.seed = seed;
            if let Some((_, player)) = &mut made.player {
                player.new_game(seed);
            }
        });
    }
}

/// The players of a game, each with one line on what it is.
#[pyfunction]
pub(crate) fn players(game: &Game) -> Vec<(&'static str, &'static str)> {
    game.handle.players().iter().map(|entry| (entry.name, entry.summary)).collect()
}
