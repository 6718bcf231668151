//! Python objects as players: anything with a method `step(state)` that returns a move, as its number
//! or as text. If it has `new_game(seed)`, that is called before every game.

use pyo3::prelude::*;
use pyo3::types::PyString;
use spinney_game::History;
use spinney_games::catalog::{GameSpec, Playable};
use spinney_players::Player;
use spinney_search::{Limits, Report, Stop};

use crate::place::find_move;
use crate::state::State;

pub(crate) struct Bot {
    pub(crate) object: Py<PyAny>,
    pub(crate) game: GameSpec,
    pub(crate) failure: Option<String>,
}

impl Bot {
    fn step<G: Playable>(&self, py: Python<'_>, history: &History<G>) -> PyResult<Option<G::Move>> {
        let state = State::after(self.game, history)?;
        let answer = self.object.bind(py).call_method1("step", (state,))?;
        if let Ok(text) = answer.cast::<PyString>() {
            return Ok(history.position().parse_move(&text.to_cow()?).ok());
        }
        Ok(find_move(history, answer.extract()?))
    }
}

impl<G: Playable> Player<G> for Bot {
    fn analyse(
        &mut self,
        history: &History<G>,
        _limits: &Limits,
        _stop: &Stop,
        _progress: &mut dyn FnMut(&Report<G::Move>),
    ) -> Report<G::Move> {
        let answer = Python::attach(|py| self.step(py, history).map_err(|error| error.to_string()));
        self.failure = match &answer {
            Err(failure) => Some(failure.clone()),
            Ok(None) => Some("its answer is no legal move".to_owned()),
            Ok(Some(_)) => None,
        };
        Report { best: answer.unwrap_or(None), ..Report::empty() }
    }

    fn new_game(&mut self, seed: u64) {
        let told = Python::attach(|py| -> PyResult<()> {
            let object = self.object.bind(py);
            if object.hasattr("new_game")? {
                object.call_method1("new_game", (seed,))?;
            }
            Ok(())
        });
        self.failure = told.err().map(|error| error.to_string());
    }

    fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }
}
