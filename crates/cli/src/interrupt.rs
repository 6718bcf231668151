//! Ctrl-C ends the work, and no file stays half-written: what is done is kept, and printed where a
//! command can print a part.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use spinney_game::file;
use spinney_session::Stop;

/// What a shell says of a program that Ctrl-C ended.
const INTERRUPTED: i32 = 130;
/// One interrupt can arrive twice: `timeout` sends it to the program and to its group.
const ECHO: Duration = Duration::from_millis(500);

/// A flag that the first Ctrl-C sets; a later one ends the program at once. Call it once.
pub(crate) fn stop_on_interrupt() -> Result<Stop> {
    let stop = Stop::new();
    let flag = stop.clone();
    let mut first: Option<Instant> = None;
    ctrlc::set_handler(move || {
        if first.get_or_insert_with(Instant::now).elapsed() > ECHO {
            file::exit(INTERRUPTED);
        }
        flag.stop();
    })
    .context("cannot listen for Ctrl-C")?;
    Ok(stop)
}

/// Lets Ctrl-C end the program once the file that is being written is complete. Call it once.
pub(crate) fn exit_on_interrupt() -> Result<()> {
    ctrlc::set_handler(|| file::exit(INTERRUPTED)).context("cannot listen for Ctrl-C")
}
