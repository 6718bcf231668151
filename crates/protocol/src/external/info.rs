//! What another engine says of its search.

use std::time::Duration;

use spinney_session::{Candidate, PackedMove, Report, Session};

use crate::score::Score;

/// An `info` line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Info {
    depth: Option<u64>,
    /// Which line it is about, from 1.
    multipv: Option<usize>,
    score: Option<Score>,
    nodes: Option<u64>,
    /// The moves of the line, separated by blanks.
    pv: String,
}

/// More lines than anybody asks for.
const MOST_LINES: usize = 1000;
/// The most bytes of the moves of a line. More moves are not kept.
const MAX_PV: usize = 1024;
/// Counts are capped at this value, so that sums of them do not overflow.
const MAX_COUNT: u64 = 1 << 53;

impl Info {
    /// Reads what follows `info`; what is unknown is skipped.
    fn parse(line: &str) -> Info {
        let mut info = Info::default();
        let mut words = line.split_whitespace();
        let count = |word: Option<&str>| {
            let count: u64 = word?.parse().ok()?;
            Some(count.min(MAX_COUNT))
        };
        while let Some(word) = words.next() {
            match word {
                "string" => break,
                "depth" => info.depth = count(words.next()),
                "multipv" => info.multipv = words.next().and_then(|word| word.parse().ok()),
                "nodes" => info.nodes = count(words.next()),
                "cp" => {
                    let points = words.next().and_then(|word| word.parse().ok());
                    info.score = points.map(Score::Centipawns);
                }
                "mate" => {
                    let moves = words.next().and_then(|word| word.parse().ok());
                    info.score = moves.map(Score::Mate);
                }
                // A bound is no score.
                "lowerbound" | "upperbound" => info.score = None,
                "pv" => {
                    let fits = |pv: &str, word: &str| pv.len() + word.len() < MAX_PV;
                    while let Some(word) = words.next().filter(|word| fits(&info.pv, word)) {
                        info.pv += word;
                        info.pv.push(' ');
                    }
                    break;
                }
                _ => {}
            }
        }
        info
    }
}

/// All that an engine has said of a search.
#[derive(Clone, Debug, Default)]
pub(super) struct Infos {
    /// By the number of the line.
    lines: Vec<Info>,
    depth: u64,
    nodes: u64,
}

impl Infos {
    /// Takes note of what follows `info`; whether it says something new of the best line.
    pub(super) fn note(&mut self, line: &str) -> bool {
        let info = Info::parse(line);
        self.depth = info.depth.unwrap_or(self.depth);
        self.nodes = info.nodes.unwrap_or(self.nodes);
        let number = info.multipv.unwrap_or(1);
        if info.score.is_none() || info.pv.is_empty() || !(1..=MOST_LINES).contains(&number) {
            return false;
        }
        if self.lines.len() < number {
            self.lines.resize(number, Info::default());
        }
        self.lines[number - 1] = info;
        number == 1
    }

    /// What was said, as a report on a search of the present position with the move
    /// `best`, or the best so far.
    pub(super) fn report(
        &self,
        session: &Session,
        best: Option<PackedMove>,
        elapsed: Duration,
    ) -> Report {
        let mut candidates: Vec<_> =
            self.lines.iter().filter_map(|info| candidate(session, info)).collect();
        let best = best.or_else(|| candidates.first().map(|candidate| candidate.m));
        // The move that is played comes first, whatever was said of it before.
        candidates.sort_by_key(|candidate| Some(candidate.m) != best);
        let first = candidates.first().filter(|candidate| Some(candidate.m) == best);
        Report {
            best,
            // A move of which nothing was said, as weakened engines play it, is no better than the best.
            value: candidates.first().map_or(0.0, |candidate| candidate.value),
            proven: first.and_then(|candidate| candidate.proven),
            plies: first.and_then(|candidate| candidate.plies),
            pv: first.map_or_else(|| best.into_iter().collect(), |first| first.pv.clone()),
            simulations: self.depth,
            nodes: self.nodes,
            playout_plies: 0,
            elapsed,
            candidates,
        }
    }
}

/// The move that a line is about. The line is cut where it goes wrong.
fn candidate(session: &Session, info: &Info) -> Option<Candidate> {
    let score = info.score?;
    let pv = session.parse_line(info.pv.split_whitespace());
    let (proven, plies) = score.proven().unzip();
    let m = *pv.first()?;
    Some(Candidate { m, visits: info.nodes.unwrap_or(0), value: score.value(), proven, plies, pv })
}

#[cfg(test)]
mod tests {
    use super::*;
    use spinney_session::{GameValue, Registry};

    #[test]
    fn lines_of_real_engines_become_a_report() {
        let start = Registry::builtin().game("chess").unwrap().start();
        let mut infos = Infos::default();
        for (line, is_new) in [
            ("string NNUE evaluation enabled", false),
            ("depth 9 currmove e2e4 currmovenumber 1", false),
            ("depth 9 seldepth 12 multipv 1 score cp 100 lowerbound nodes 90 pv e2e4", false),
            (
                "depth 10 seldepth 13 multipv 1 score cp 100 nodes 9151 nps 7 hashfull 3 tbhits 0 \
                 time 13 pv e2e4 e7e5 e1e3",
                true,
            ),
            ("depth 10 multipv 2 score mate -2 nodes 9151 pv d2d4 d7d5", false),
            ("depth x score cp nodes y multipv 99999999999 pv", false),
        ] {
            assert_eq!(infos.note(line), is_new, "{line}");
        }
        let report = infos.report(&start, None, Duration::from_millis(5));
        let text = |m| start.move_text(m);
        assert_eq!(report.best.map(text).as_deref(), Some("e2e4"));
        assert_eq!(report.pv.len(), 2, "an impossible move ends the line");
        assert_eq!((report.nodes, report.simulations), (9151, 10));
        assert!((report.value - Score::Centipawns(100).value()).abs() < 1e-9);
        assert_eq!(report.candidates.len(), 2);
        let lost = &report.candidates[1];
        assert_eq!((lost.proven, lost.plies), (Some(GameValue::Loss), Some(4)));
        // The move that is played counts, whatever was said before.
        let played = start.parse_move("g1f3").ok();
        let report = infos.report(&start, played, Duration::ZERO);
        assert_eq!((report.best, report.pv.len(), report.proven), (played, 1, None));
    }
}
