//! How a search develops, and when its clock wants it to end.

use std::time::Duration;

use spinney_session::{Allotment, PackedMove, Report};

/// How a search develops.
#[derive(Clone, Debug)]
pub(super) struct Trend {
    best: Option<PackedMove>,
    /// When the best move came up, from the start of the search.
    best_since: Duration,
    /// The value of the first report, and of the last.
    values: Option<[f64; 2]>,
    /// Simulations a second, and by how many the first move leads, where the search counts so.
    race: Option<Race>,
    last: Counts,
    decided: bool,
}

#[derive(Clone, Copy, Debug)]
struct Race {
    pace: f64,
    lead: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    simulations: u64,
    visits: u64,
    elapsed: Duration,
}

/// A best move that holds for this part of a search is stable, and the search is given less.
const STABLE: f64 = 0.75;
const STABLE_FACTOR: f64 = 0.7;
/// A best move that came up in this last part of a search is unstable, and the search is given more.
const UNSTABLE: f64 = 0.25;
const UNSTABLE_FACTOR: f64 = 2.0;
/// A fall of the value that asks for more thought, and how much more.
const FALL: f64 = 0.1;
const FALL_FACTOR: f64 = 1.5;
/// Fewer new simulations between two reports are no pace.
const FEWEST_SIMULATIONS: u64 = 100;

impl Trend {
    pub(super) fn new() -> Self {
        Trend {
            best: None,
            best_since: Duration::ZERO,
            values: None,
            race: None,
            last: Counts::default(),
            decided: false,
        }
    }

    /// Takes note of a snapshot.
    pub(super) fn observe(&mut self, report: &Report) {
        if self.best != report.best {
            self.best_since = if self.best.is_none() { Duration::ZERO } else { report.elapsed };
            self.best = report.best;
        }
        let first = self.values.map_or(report.value, |[first, _]| first);
        self.values = Some([first, report.value]);
        self.decided |= report.proven.is_some();
        self.measure_race(report);
    }

    /// Where visits are simulations (an alpha-beta search reports nodes), how far the best move leads.
    fn measure_race(&mut self, report: &Report) {
        let visits = report.candidates.iter().map(|candidate| candidate.visits).sum();
        let now = Counts { simulations: report.simulations, visits, elapsed: report.elapsed };
        let last = std::mem::replace(&mut self.last, now);
        let done = now.simulations.saturating_sub(last.simulations);
        let counted = now.visits.saturating_sub(last.visits);
        let seconds = now.elapsed.saturating_sub(last.elapsed).as_secs_f64();
        self.race = None;
        // Proven moves get no visits any more, but what is proven may be played.
        let open = report.candidates.iter().all(|candidate| candidate.proven.is_none());
        if let [first, others @ ..] = &report.candidates[..]
            && open
            && done >= FEWEST_SIMULATIONS
            && done.abs_diff(counted) <= done / 10
            && seconds > 0.0
        {
            let second = others.iter().map(|candidate| candidate.visits).max().unwrap_or(0);
            let lead = first.visits.saturating_sub(second);
            self.race = Some(Race { pace: done as f64 / seconds, lead });
        }
    }

    /// When the search should end, from the start of its clock. `elapsed` is the time since the start
    /// of the search, `thought` that on its clock; they differ after pondering.
    pub(super) fn deadline(
        &self,
        allotment: Allotment,
        elapsed: Duration,
        thought: Duration,
    ) -> Duration {
        // 1. Nothing more to find out.
        if self.decided {
            return Duration::ZERO;
        }
        if allotment.is_fixed() || self.best.is_none() {
            return allotment.soft;
        }
        // 2. More time for a search that is not sure, less for one that is.
        let held = elapsed.saturating_sub(self.best_since).as_secs_f64();
        let part = held / elapsed.as_secs_f64().max(f64::MIN_POSITIVE);
        let mut factor = 1.0;
        if part >= STABLE {
            factor = STABLE_FACTOR;
        } else if part <= UNSTABLE {
            factor = UNSTABLE_FACTOR;
        }
        if self.values.is_some_and(|[first, last]| first - last > FALL) {
            factor *= FALL_FACTOR;
        }
        let deadline = allotment.soft.mul_f64(factor).min(allotment.hard);
        // 3. No more than the other moves could use to overtake the first.
        let left = deadline.saturating_sub(thought).as_secs_f64();
        match self.race {
            Some(Race { pace, lead }) if lead as f64 > pace * left => thought.min(deadline),
            _ => deadline,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spinney_session::{Candidate, GameValue};

    fn milliseconds(count: u64) -> Duration {
        Duration::from_millis(count)
    }

    #[test]
    fn a_fixed_time_is_kept() {
        let mut trend = Trend::new();
        trend.observe(&report(1, 0.0, 100, &[90, 10]));
        let fixed = Allotment::fixed(milliseconds(1000), milliseconds(20));
        assert_eq!(trend.deadline(fixed, milliseconds(900), milliseconds(900)), fixed.soft);
    }

    /// A snapshot after some milliseconds; the move is a number.
    fn report(best: u32, value: f64, elapsed: u64, visits: &[u64]) -> Report {
        let candidate = |(index, &visits)| Candidate {
            m: if index == 0 { best } else { 100 + index as u32 },
            visits,
            value,
            proven: None,
            plies: None,
            pv: Vec::new(),
        };
        Report {
            best: Some(best),
            value,
            candidates: visits.iter().enumerate().map(candidate).collect(),
            simulations: visits.iter().sum(),
            elapsed: milliseconds(elapsed),
            ..Report::empty()
        }
    }

    const LIMITS: Allotment =
        Allotment { soft: Duration::from_millis(1000), hard: Duration::from_millis(2500) };

    /// The deadline after these snapshots, in milliseconds.
    fn deadline(reports: &[Report]) -> u128 {
        let mut trend = Trend::new();
        reports.iter().for_each(|report| trend.observe(report));
        let now = reports.last().map_or(Duration::ZERO, |report| report.elapsed);
        trend.deadline(LIMITS, now, now).as_millis()
    }

    #[test]
    fn doubt_extends_and_certainty_shortens() {
        let even = &[500, 500];
        let at = |best, value, elapsed| report(best, value, elapsed, even);
        assert_eq!(deadline(&[]), 1000);
        assert_eq!(deadline(&[at(1, 0.0, 100), at(1, 0.0, 600)]), 700, "stable");
        assert_eq!(deadline(&[at(1, 0.0, 100), at(2, 0.0, 400), at(2, 0.0, 800)]), 1000);
        assert_eq!(deadline(&[at(1, 0.0, 100), at(2, 0.0, 900)]), 2000, "unstable");
        assert_eq!(deadline(&[at(1, 0.0, 100), at(2, -0.5, 900)]), 2500, "the hard limit");
        assert_eq!(deadline(&[at(1, 0.0, 100), at(1, -0.5, 900)]), 1050, "a falling value");
        let proven = Report { proven: Some(GameValue::Draw), ..at(1, 0.0, 100) };
        assert_eq!(deadline(&[proven]), 0, "nothing more to find out");
    }

    #[test]
    fn a_lead_that_cannot_be_overtaken_ends_the_search() {
        // 1000 simulations in 500 ms; until 700 ms there will be 400 more.
        let race = |visits| [report(1, 0.0, 0, &[0, 0]), report(1, 0.0, 500, visits)];
        assert_eq!(deadline(&race(&[750, 250])), 500);
        assert_eq!(deadline(&race(&[650, 350])), 700);
        // An alpha-beta search counts nodes and iterations: no race.
        let mut nodes = race(&[75_000, 250]);
        nodes[1].simulations = 5;
        assert_eq!(deadline(&nodes), 700);
    }
}
