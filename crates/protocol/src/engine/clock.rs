//! How long to think about a move: arithmetic on clocks, without a clock.
//!
//! Every move still to come is expected to bring the increment and to cost the overhead, so
//! `remaining + (moves - 1) (increment - overhead) - overhead` is there to be thought, in equal
//! parts: the soft limit. A search whose best move holds ends earlier, one that changes its mind goes
//! on, up to the hard limit.

use std::time::Duration;

use spinney_session::{PackedMove, Report};

/// The clock of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Clock {
    /// Time left.
    pub(super) remaining: Duration,
    /// What every move brings.
    pub(super) increment: Duration,
    /// Moves until time is added.
    pub(super) moves_to_go: Option<u32>,
}

/// The time for a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Allotment {
    /// What it should take.
    pub(super) soft: Duration,
    /// What it must not exceed.
    pub(super) hard: Duration,
}

/// Own moves that are expected to follow at the start of a game. Guess.
const MOVES_AT_START: u32 = 50;
/// Moves that are expected to follow, however long the game has lasted. Guess: with an increment the
/// clock settles where this part of it is the increment, so more is safer.
const MOVES_AT_END: u32 = 25;
/// The hard limit in soft limits.
const PATIENCE: f64 = 4.0;
/// Seconds before the first snapshot of a search. A shorter one has nothing to go by, so its limits
/// are one: it then ends by itself, however late this program is woken.
const SNAPSHOT: f64 = 0.1;
/// The largest part of a clock that a move may use.
const LARGEST_PART: f64 = 0.8;
/// The part of the clock for a move if the overheads alone may need all of it: the clock is then a
/// reserve, and as good as no time is thought.
const SMALLEST_PART: f64 = 0.002;

impl Clock {
    /// The time for a move after `ply` plies, if each move loses `overhead` on its way.
    pub(super) fn allot(&self, ply: u32, overhead: Duration) -> Allotment {
        // 1. Own moves to come: one less every four plies.
        let expected = MOVES_AT_START.saturating_sub(ply / 4).max(MOVES_AT_END);
        let moves = self.moves_to_go.map_or(expected, |moves| moves.clamp(1, expected));
        // 2. An equal part of what is there to be thought.
        let left = self.remaining.saturating_sub(overhead).as_secs_f64();
        let gain = self.increment.as_secs_f64() - overhead.as_secs_f64();
        let part = (left + f64::from(moves - 1) * gain) / f64::from(moves);
        let soft = part.max(left * SMALLEST_PART).min(left * LARGEST_PART);
        let patience = if soft < SNAPSHOT { 1.0 } else { PATIENCE };
        let hard = (soft * patience).min(left * LARGEST_PART);
        Allotment { soft: Duration::from_secs_f64(soft), hard: Duration::from_secs_f64(hard) }
    }
}

impl Allotment {
    /// A fixed time for a move, the overhead included: half of it at least is thought.
    pub(super) fn fixed(time: Duration, overhead: Duration) -> Allotment {
        let time = time.saturating_sub(overhead).max(time / 2);
        Allotment { soft: time, hard: time }
    }

    fn is_fixed(&self) -> bool {
        self.soft == self.hard
    }
}

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
    use spinney_session::{Candidate, GameValue, Rng};

    const OVERHEAD: Duration = Duration::from_millis(20);

    fn milliseconds(count: u64) -> Duration {
        Duration::from_millis(count)
    }

    /// Every move takes its hard limit and an overhead of up to `latency`: the flag never falls.
    fn survives(start: u64, increment: u64, moves: u32, every: Option<u32>, latency: u64) {
        let mut rng = Rng::new(start ^ increment);
        let mut remaining = milliseconds(start);
        for number in 0..moves {
            let moves_to_go = every.map(|every| every - number % every);
            if moves_to_go == every && number > 0 {
                remaining += milliseconds(start);
            }
            let increment = milliseconds(increment);
            let clock = Clock { remaining, increment, moves_to_go };
            let Allotment { soft, hard } = clock.allot(2 * number, OVERHEAD);
            assert!(soft <= hard);
            let used = hard + milliseconds(rng.next_u64() % (latency + 1));
            assert!(used < remaining, "move {number} of {start}+{increment:?}: {remaining:?}");
            remaining = remaining - used + increment;
        }
    }

    #[test]
    fn the_flag_never_falls() {
        survives(1000, 10, 1000, None, 10);
        survives(1000, 10, 200, None, 15);
        survives(60_000, 0, 60, None, 20);
        survives(60_000, 600, 1000, None, 20);
        survives(1000, 1000, 1000, None, 20);
        survives(60_000, 0, 400, Some(40), 20);
        survives(10_000, 100, 400, Some(1), 20);
        survives(10_000, 0, 400, Some(2), 20);
    }

    #[test]
    fn the_clock_is_used() {
        // With an increment, hardly more than a quarter of the clock is left over in the end.
        for (start, increment) in [(60_000, 600), (180_000, 2000)] {
            let mut remaining = milliseconds(start);
            let increment = milliseconds(increment);
            for number in 0..80 {
                let clock = Clock { remaining, increment, moves_to_go: None };
                remaining = remaining + increment - clock.allot(2 * number, OVERHEAD).soft;
            }
            assert!(remaining < milliseconds(start) / 4, "{remaining:?}");
        }
        // The last move before new time gets most of it, more time more, a later move more.
        let clock = |remaining, moves_to_go| Clock {
            remaining: milliseconds(remaining),
            increment: Duration::ZERO,
            moves_to_go,
        };
        let soft = |clock: Clock, ply| clock.allot(ply, OVERHEAD).soft;
        assert!(soft(clock(1000, Some(1)), 0) > milliseconds(700));
        assert!(soft(clock(5000, None), 0) > soft(clock(1000, None), 0));
        assert!(soft(clock(5000, None), 60) > soft(clock(5000, None), 0));
        assert!(soft(clock(5000, Some(5)), 0) > soft(clock(5000, Some(10)), 0));
        let with = Clock { increment: milliseconds(100), ..clock(5000, None) };
        assert!(soft(with, 0) > soft(clock(5000, None), 0));
        assert_eq!(soft(clock(10, None), 0), Duration::ZERO);
        // Only searches that are long enough to change their minds may be extended.
        let short = clock(1000, None).allot(0, OVERHEAD);
        assert_eq!(short.soft, short.hard);
        let long = clock(60_000, None).allot(0, OVERHEAD);
        assert_eq!(long.hard, long.soft * 4);
    }

    #[test]
    fn a_fixed_time_is_kept() {
        let fixed = |time| Allotment::fixed(milliseconds(time), OVERHEAD);
        assert_eq!(fixed(1000).hard, milliseconds(980));
        assert_eq!(fixed(10).hard, milliseconds(5));
        let mut trend = Trend::new();
        trend.observe(&report(1, 0.0, 100, &[90, 10]));
        let fixed = fixed(1000);
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
