//! Long work without the interpreter's lock.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
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
            let worker = scope.spawn(move || known_to_python(|| work(stop, &sender)));
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
        (Err(_), None) => Err(panicked()),
    }
}

/// Work on a thread that the interpreter knows from its beginning: rules in Python then take the lock at a
/// tenth of the cost. The lock is free meanwhile.
fn known_to_python<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    Python::attach(|py| py.detach(work))
}

fn panicked() -> PyErr {
    PyRuntimeError::new_err("the search failed")
}

/// Work on a thread of its own whose messages are taken one by one. It is stopped at Ctrl-C, and when
/// this is dropped.
pub(crate) struct Background<M> {
    stop: Stop,
    messages: Mutex<Receiver<M>>,
    worker: Mutex<Option<JoinHandle<PyResult<()>>>>,
}

impl<M: Send + 'static> Background<M> {
    pub(crate) fn start(
        work: impl FnOnce(&Stop, &Sender<M>) -> PyResult<()> + Send + 'static,
    ) -> Self {
        let stop = Stop::new();
        let flag = stop.clone();
        let (sender, messages) = mpsc::channel();
        let worker = thread::spawn(move || known_to_python(|| work(&flag, &sender)));
        Background { stop, messages: Mutex::new(messages), worker: Mutex::new(Some(worker)) }
    }

    /// Waits for the next message without the lock; `None` once the work is done.
    pub(crate) fn next(&self, py: Python<'_>) -> PyResult<Option<M>> {
        loop {
            match py.detach(|| lock(&self.messages).recv_timeout(POLL)) {
                Ok(message) => return Ok(Some(message)),
                Err(RecvTimeoutError::Timeout) => {
                    py.check_signals().inspect_err(|_| self.stop.stop())?;
                }
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        match py.detach(|| lock(&self.worker).take().map(JoinHandle::join)) {
            Some(Ok(Err(error))) => Err(error),
            Some(Err(_)) => Err(panicked()),
            _ => Ok(None),
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<M> Drop for Background<M> {
    fn drop(&mut self) {
        self.stop.stop();
    }
}
