//! One line on the terminal that tells how far something is; nothing where nobody looks.

use std::io::{IsTerminal, stderr};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// How often the line moves, also while nothing is told.
const TICK: Duration = Duration::from_millis(200);

/// The time so far and a message.
pub(crate) fn spinner() -> ProgressBar {
    line(ProgressBar::new_spinner(), "{spinner} {elapsed} {wide_msg}")
}

/// A bar from 0 to `length`, with the name of its units (such as ` games`) and a message.
pub(crate) fn bar(length: u64, units: &str) -> ProgressBar {
    let template = format!("{{bar:20}} {{pos}}/{{len}}{units}, {{eta}} left  {{wide_msg}}");
    line(ProgressBar::new(length), &template)
}

fn line(line: ProgressBar, template: &str) -> ProgressBar {
    if !stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    line.enable_steady_tick(TICK);
    match ProgressStyle::with_template(template) {
        Ok(style) => line.with_style(style),
        Err(_) => line,
    }
}
