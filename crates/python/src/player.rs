//! Players.

use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use spinney_arena::parse_limits;
use spinney_games::catalog::{CATALOG, GameSpec};
use spinney_players::{EXTERNAL, PlayerSpec};
use spinney_protocol::Analysis;
use spinney_search::Limits;

use crate::errors::{PlayerError, SpinneyError};
use crate::place::{self, Seat};
use crate::state::{Game, State};
use crate::wait::interruptible;

/// A player. It is made for the game of the first state that it sees, and again when that changes.
#[pyclass(frozen, module = "spinney._native")]
pub(crate) struct Player {
    spec: PlayerSpec,
    made: Mutex<Made>,
}

struct Made {
    seed: u64,
    seat: Option<(GameSpec, Box<dyn Seat>)>,
}

impl Made {
    /// The player for the game of a state.
    fn seat(&mut self, spec: &PlayerSpec, state: &State) -> Result<&mut dyn Seat, String> {
        let is_there = self.seat.as_ref().is_some_and(|(game, _)| *game == state.game);
        if !is_there {
            let seat = state.place.player(spec, self.seed).map_err(|error| error.to_string())?;
            self.seat = Some((state.game, seat));
        }
        match &mut self.seat {
            Some((_, seat)) => Ok(seat.as_mut()),
            None => Err("no player".to_owned()),
        }
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
    let name: PlayerSpec = spec.name().parse().map_err(|error| format!("{error}"))?;
    for entry in CATALOG {
        let game: GameSpec = entry.name.parse().map_err(|error| format!("{error}"))?;
        let place = place::open(&game, None).map_err(|error| error.to_string())?;
        if place.check(&name).is_ok() {
            return place.check(spec).map_err(|error| error.to_string());
        }
    }
    Err(format!("player {:?}: no game has it", spec.name()))
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
        Ok(Player { spec, made: Mutex::new(Made { seed, seat: None }) })
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
                let seat = made.seat(&self.spec, state)?;
                seat.analyse(state.place.as_ref(), &limits, stop, &mut |analysis| {
                    if wants_progress {
                        // Nobody listens any more once it is stopped.
                        let _ = sender.send(analysis);
                    }
                })
            },
            |py, analysis: Analysis| match &progress {
                Some(progress) => progress.call1(py, (to_json(&analysis)?,)).map(|_| ()),
                None => Ok(()),
            },
        )?;
        to_json(&analysis.map_err(PlayerError::new_err)?)
    }

    /// Joins independent analyses of a state, as root parallelism joins its trees.
    fn merge(&self, py: Python<'_>, state: &State, analyses: Vec<String>) -> PyResult<String> {
        let read = |text: &String| {
            serde_json::from_str(text).map_err(|error| SpinneyError::new_err(error.to_string()))
        };
        let analyses = analyses.iter().map(read).collect::<PyResult<Vec<Analysis>>>()?;
        let merged = py.detach(|| {
            let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
            made.seat(&self.spec, state)?.merge(state.place.as_ref(), &analyses)
        });
        to_json(&merged.map_err(PlayerError::new_err)?)
    }

    /// Forgets what it knows, and starts its random numbers anew.
    fn new_game(&self, py: Python<'_>, seed: u64) {
        py.detach(|| {
            let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
            made.seed = seed;
            if let Some((_, seat)) = &mut made.seat {
                seat.new_game(seed);
            }
        });
    }
}

/// The players of a game, each with one line on what it is.
#[pyfunction]
pub(crate) fn players(game: &Game) -> PyResult<Vec<(&'static str, &'static str)>> {
    let place =
        place::open(&game.spec, None).map_err(|error| SpinneyError::new_err(error.to_string()))?;
    let plays = |name: &str| name.parse().is_ok_and(|spec| place.check(&spec).is_ok());
    let players = spinney_players::CATALOG.iter().map(|entry| (entry.name, entry.summary));
    Ok(players.filter(|(name, _)| plays(name)).collect())
}
