//! Progress of a long search: a line on the terminal, and a log.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use indicatif::{HumanBytes, HumanCount, ProgressBar};
use serde::Serialize;
use spinney_session::{Progress, Session, Side};

use crate::progress::spinner;

/// Moves on the line.
const SHOWN_MOVES: usize = 3;
/// A line of the log follows the last after a second, or after this part of the whole time.
const LOG_PARTS: u32 = 100;

/// Shows how far a search is.
pub(super) struct Watch<'a> {
    session: &'a Session,
    line: ProgressBar,
    log: Option<File>,
    /// When the next line of the log is due.
    next: Duration,
    /// Time and nodes of the last line.
    last: Option<(Duration, u64)>,
    failed: Option<std::io::Error>,
    problem: Option<String>,
}

/// A line of the log.
#[derive(Serialize)]
struct Entry {
    seconds: f64,
    nodes: u64,
    /// Nodes per second since the last line.
    rate: f64,
    /// Positions in the table, and its bytes.
    entries: usize,
    bytes: usize,
    /// The question: whether this side wins.
    attacker: &'static str,
    moves: Vec<Move>,
    /// Positions of the certificate, once the search has ended.
    certified: usize,
}

/// A move of the root; a number that is absent is infinite.
#[derive(Serialize)]
struct Move {
    #[serde(rename = "move")]
    text: String,
    proof: Option<u32>,
    disproof: Option<u32>,
}

impl<'a> Watch<'a> {
    /// A watch that writes to `log`, which is created, and to a terminal.
    pub(super) fn new(session: &'a Session, log: Option<&Path>) -> Result<Self> {
        let create =
            |path: &Path| File::create(path).with_context(|| format!("--log: {}", path.display()));
        let log = log.map(create).transpose()?;
        let line = spinner();
        let (next, last, failed, problem) = (Duration::ZERO, None, None, None);
        Ok(Watch { session, line, log, next, last, failed, problem })
    }

    pub(super) fn look(&mut self, progress: &Progress) {
        let Progress { elapsed, nodes, entries, bytes, certified, .. } = *progress;
        self.problem.clone_from(&progress.problem);
        // 1. The moves, the most promising first.
        let easiest = |numbers: (Option<u32>, Option<u32>)| {
            (numbers.0.unwrap_or(u32::MAX), std::cmp::Reverse(numbers.1.unwrap_or(u32::MAX)))
        };
        let attacks = progress.attacker == self.session.to_move();
        let mut moves: Vec<Move> = progress
            .moves
            .iter()
            .map(|(m, numbers)| Move {
                text: self.session.move_text(*m),
                proof: numbers.proof,
                disproof: numbers.disproof,
            })
            .collect();
        moves.sort_by_key(|m| match attacks {
            true => easiest((m.proof, m.disproof)),
            false => easiest((m.disproof, m.proof)),
        });
        // 2. The rate since the last line of the log.
        let (since, before) = self.last.unwrap_or((elapsed, nodes));
        let seconds = elapsed.saturating_sub(since).as_secs_f64();
        let rate = if seconds > 0.0 { nodes.saturating_sub(before) as f64 / seconds } else { 0.0 };
        self.last.get_or_insert((elapsed, nodes));
        let shown = moves.iter().take(SHOWN_MOVES).map(|m| {
            let number = |number: Option<u32>| number.map_or("∞".to_owned(), |n| n.to_string());
            format!("{} {}/{}", m.text, number(m.proof), number(m.disproof))
        });
        self.line.set_message(match certified {
            1.. => format!("{} positions in the certificate", HumanCount(certified as u64)),
            0 => format!(
                "{}M nodes, {:.2}M/s, {} of table; {}{}",
                nodes / 1_000_000,
                rate / 1e6,
                HumanBytes(bytes as u64),
                shown.collect::<Vec<_>>().join(", "),
                self.problem.as_ref().map_or(String::new(), |problem| format!("; {problem}")),
            ),
        });
        // 3. The log.
        if elapsed < self.next {
            return;
        }
        self.next = elapsed + (elapsed / LOG_PARTS).max(Duration::from_secs(1));
        self.last = Some((elapsed, nodes));
        let Some(log) = &mut self.log else { return };
        let attacker = match progress.attacker {
            Side::First => "first",
            Side::Second => "second",
        };
        let seconds = elapsed.as_secs_f64();
        let entry = Entry { seconds, nodes, rate, entries, bytes, attacker, moves, certified };
        let written = serde_json::to_string(&entry)
            .map_err(std::io::Error::from)
            .and_then(|line| writeln!(log, "{line}"));
        self.failed = self.failed.take().or(written.err());
    }

    /// Takes the line away; an error if something could not be written.
    pub(super) fn end(self) -> Result<()> {
        self.line.finish_and_clear();
        if let Some(error) = self.failed {
            return Err(error).context("--log");
        }
        match self.problem {
            Some(problem) => Err(anyhow::anyhow!(problem)),
            None => Ok(()),
        }
    }
}
