//! Python objects as players: anything with a method `step(state)` that returns a move, as its number
//! or as text. If it has `new_game(seed)`, that is called before every game.

use pyo3::prelude::*;
use pyo3::types::PyString;
use spinney_session::{Failure, Limits, PackedMove, Player, Report, Session, Stop};

use crate::state::State;

pub(crate) struct Bot {
    object: Py<PyAny>,
    /// Why it cannot play the game that begins.
    failure: Option<Failure>,
}

impl Bot {
    pub(crate) fn new(object: Py<PyAny>) -> Self {
        Bot { object, failure: None }
    }

    fn step(&self, py: Python<'_>, session: &Session) -> PyResult<Option<PackedMove>> {
        let state = State { session: session.clone() };
        let answer = self.object.bind(py).call_method1("step", (state,))?;
        if let Ok(text) = answer.cast::<PyString>() {
            return Ok(session.parse_move(&text.to_cow()?).ok());
        }
        let action = answer.extract()?;
        Ok(session.legal_moves().contains(&action).then_some(action))
    }
}

fn failure(error: PyErr) -> Failure {
    Failure::Program(error.to_string())
}

impl Player for Bot {
    fn analyse(
        &mut self,
        session: &Session,
        _limits: &Limits,
        _stop: &Stop,
        _progress: &mut dyn FnMut(&Report),
    ) -> Result<Report, Failure> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        match Python::attach(|py| self.step(py, session).map_err(failure))? {
            Some(m) => Ok(Report { best: Some(m), ..Report::empty() }),
            None => Err(Failure::Program("its answer is no legal move".to_owned())),
        }
    }

    fn new_game(&mut self, seed: u64) {
        let told = Python::attach(|py| -> PyResult<()> {
            let object = self.object.bind(py);
            if object.hasattr("new_game")? {
                object.call_method1("new_game", (seed,))?;
            }
            Ok(())
        });
        self.failure = told.err().map(failure);
    }
}
