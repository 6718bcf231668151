//! Exceptions in rules that Python has. Searches do not know them: the position where one is raised becomes a
//! draw, and the call that searched raises it in the end.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use pyo3::prelude::*;
use spinney_session::GameHandle;

/// The first exception of each game since somebody asked, by its name.
static ALL: LazyLock<Mutex<HashMap<String, Failure>>> = LazyLock::new(Mutex::default);

/// The first exception in the rules of a game since somebody asked.
#[derive(Clone, Default)]
pub(crate) struct Failure(Arc<Mutex<Option<PyErr>>>);

impl Failure {
    /// Where the exceptions of the game with this name go.
    pub(crate) fn of(name: &str) -> Failure {
        let failure = Failure::default();
        ALL.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned(), failure.clone());
        failure
    }

    pub(crate) fn note(&self, error: PyErr) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    }
}

/// Raises what the rules of a game have raised since the last call, if Python has them.
pub(crate) fn check(game: &GameHandle) -> PyResult<()> {
    let failure = {
        let all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(game.info().name).cloned()
    };
    let error =
        failure.and_then(|failure| failure.0.lock().unwrap_or_else(PoisonError::into_inner).take());
    error.map_or(Ok(()), Err)
}
