//! Ctrl-C ends the work, and no file stays half-written: what is done is kept, and printed where a
//! command can print a part.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use spinney_game::file;
use spinney_session::Stop;

use crate::exit::INTERRUPTED;

/// One interrupt can arrive twice: `timeout` sends it to the program and to its group.
const ECHO: Duration = Duration::from_millis(500);

/// A flag that the first Ctrl-C sets; a later one ends the program at once. Call it once.
pub(crate) fn stop_on_interrupt() -> Result<Stop> {
    let stop = Stop::new();
    let flag = stop.clone();
    let mut first: Option<Instant> = None;
    ctrlc::set_handler(move || {
        if first.get_or_insert_with(Instant::now).elapsed() > ECHO {
            file::exit(INTERRUPTED.into());
        }
        flag.stop();
    })
    .context("cannot listen for Ctrl-C")?;
    Ok(stop)
}

/// Ctrl-C in a dialogue: it ends the search that runs, or the program if none does.
pub(crate) struct Dialogue {
    running: Arc<Mutex<Option<Stop>>>,
}

impl Dialogue {
    /// Call it once.
    pub(crate) fn new() -> Result<Dialogue> {
        let running: Arc<Mutex<Option<Stop>>> = Arc::default();
        let dialogue = Dialogue { running: running.clone() };
        let interrupt = move || match running.lock().unwrap_or_else(PoisonError::into_inner).take()
        {
            Some(stop) => stop.stop(),
            None => file::exit(INTERRUPTED.into()),
        };
        ctrlc::set_handler(interrupt).context("cannot listen for Ctrl-C")?;
        Ok(dialogue)
    }

    /// Runs a search that Ctrl-C may end.
    pub(crate) fn search<T>(&self, search: impl FnOnce(&Stop) -> T) -> T {
        let stop = Stop::new();
        let set = |running| *self.running.lock().unwrap_or_else(PoisonError::into_inner) = running;
        set(Some(stop.clone()));
        let found = search(&stop);
        set(None);
        found
    }
}

/// Lets Ctrl-C end the program once the file that is being written is complete. Call it once.
pub(crate) fn exit_on_interrupt() -> Result<()> {
    ctrlc::set_handler(|| file::exit(INTERRUPTED.into())).context("cannot listen for Ctrl-C")
}
