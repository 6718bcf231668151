//! What an engine says of its search: `info` lines.

use spinney_session::{Candidate, Report, Session};

use crate::score::Score;

/// The lines that tell of a search, the best move first, at most `lines` of them.
///
/// The depth is the length of the expected line: searches of a tree that grows where it likes have no
/// other.
pub(super) fn info_lines(session: &Session, report: &Report, lines: usize) -> Vec<String> {
    let best = Candidate {
        m: match report.best {
            Some(m) => m,
            None => return Vec::new(),
        },
        visits: 0,
        value: report.value,
        proven: report.proven,
        plies: report.plies,
        pv: report.pv.clone(),
    };
    let others = report.candidates.iter().filter(|other| Some(other.m) != report.best);
    // Moves that the search has not looked at say nothing.
    let others = others.filter(|other| other.visits > 0 || other.proven.is_some());
    let milliseconds = report.elapsed.as_millis();
    let speed = report.nodes as f64 / report.elapsed.as_secs_f64().max(1e-3);
    (1..=lines)
        .zip(std::iter::once(&best).chain(others))
        .map(|(number, candidate)| {
            let pv = session.line_texts(&candidate.pv);
            let score = Score::new(candidate.value, candidate.proven, candidate.plies);
            format!(
                "info depth {} multipv {number} score {score} nodes {} nps {speed:.0} \
                 time {milliseconds} pv {}",
                pv.len().max(1),
                report.nodes,
                pv.join(" ")
            )
        })
        .collect()
}

/// The depth that [`info_lines`] tells.
pub(super) fn depth(report: &Report) -> u32 {
    u32::try_from(report.pv.len()).unwrap_or(u32::MAX)
}
