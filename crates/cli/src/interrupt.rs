//! Ctrl-C ends the work, not the program: what is done is kept and printed.

use anyhow::{Context, Result};
use spinney_search::Stop;

/// What a shell says of a program that Ctrl-C ended.
const INTERRUPTED: i32 = 130;

/// A flag that the first Ctrl-C sets; the second ends the program at once. Call it once.
pub(crate) fn stop_on_interrupt() -> Result<Stop> {
    let stop = Stop::new();
    let flag = stop.clone();
    ctrlc::set_handler(move || {
        if flag.is_set() {
            std::process::exit(INTERRUPTED);
        }
        flag.stop();
    })
    .context("cannot listen for Ctrl-C")?;
    Ok(stop)
}
