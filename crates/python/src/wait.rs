//! Long work without the interpreter's lock.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use spinney_session::Stop;

/// How soon Ctrl-C reaches the work; and how often the lock is taken for a moment.
const POLL: Duration = Duration::from_millis(40);

/// Does the work on another thread while this one waits, without the lock, for Ctrl-C. What the work
/// sends meanwhile goes to `on_message`, with the lock. If that fails, or at Ctrl-C, the work is
/// stopped and waited for.
pub(crate) fn interruptible<T: Send, M: Send>(
    py: Python<'_>,
    work: impl FnOnce(&Stop, &Sender<M>) -> T + Send,
    mut on_message: impl FnMut(Python<'_>, M) -> PyResult<()> + Send,
) -> PyResult<T> {
    let stop = Stop::new();
    let (result, failure) = py.detach(|| {
        let (sender, messages) = mpsc::channel();
        let stop = &stop;
        let mut failure = None;
        let result = thread::scope(|scope| {
            // The sender goes with the work: the channel closes when it is done.
            let worker = scope.spawn(move || work(stop, &sender));
            loop {
                let message = messages.recv_timeout(POLL);
                if matches!(message, Err(RecvTimeoutError::Disconnected)) {
                    break;
                }
                let told = Python::attach(|py| match message {
                    Ok(message) if failure.is_none() => on_message(py, message),
                    _ => py.check_signals(),
                });
                if let Err(error) = told {
                    stop.stop();
                    failure.get_or_insert(error);
                }
            }
            worker.join()
        });
        (result, failure)
    });
    match (result, failure) {
        (_, Some(error)) => Err(error),
        (Ok(result), None) => Ok(result),
        (Err(_), None) => Err(PyRuntimeError::new_err("the search failed")),
    }
}
