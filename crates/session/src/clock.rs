//! Clocks of games, and how long to think about a move: arithmetic, without a clock.
//!
//! Every move still to come is expected to bring the increment and to cost the overhead, so
//! `remaining + (moves - 1) (increment - overhead) - overhead` is there to be thought, in equal
//! parts: the soft limit. A search whose best move holds ends earlier, one that changes its mind goes
//! on, up to the hard limit.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// The time of a side for a game: a start, and what every move brings. As text `10+0.1`, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// Time at the start.
    pub start: Duration,
    /// What every move brings.
    pub increment: Duration,
}

impl TimeControl {
    /// The clock before the first move.
    pub fn clock(&self) -> Clock {
        Clock { remaining: self.start, increment: self.increment, moves_to_go: None }
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{}", self.start.as_secs_f64(), self.increment.as_secs_f64())
    }
}

impl FromStr for TimeControl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let seconds = |text: &str| {
            let is_plain = text.chars().all(|c| c.is_ascii_digit() || c == '.');
            let seconds = text.parse().ok().filter(|_| is_plain)?;
            Duration::try_from_secs_f64(seconds).ok()
        };
        let (start, increment) = text.split_once('+').unwrap_or((text, "0"));
        match (seconds(start), seconds(increment)) {
            (Some(start), Some(increment)) if !start.is_zero() => {
                Ok(TimeControl { start, increment })
            }
            _ => Err("expected seconds for the game and for each move, such as 10+0.1".to_owned()),
        }
    }
}

/// A clock that runs down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Time left.
    pub remaining: Duration,
    /// What every move brings.
    pub increment: Duration,
    /// Moves until time is added.
    pub moves_to_go: Option<u32>,
}

/// The time for a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allotment {
    /// What it should take.
    pub soft: Duration,
    /// What it must not exceed.
    pub hard: Duration,
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
    pub fn allot(&self, ply: u32, overhead: Duration) -> Allotment {
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
    pub fn fixed(time: Duration, overhead: Duration) -> Allotment {
        let time = time.saturating_sub(overhead).max(time / 2);
        Allotment { soft: time, hard: time }
    }

    /// Whether there is no choice.
    pub fn is_fixed(&self) -> bool {
        self.soft == self.hard
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spinney_game::Rng;

    const OVERHEAD: Duration = Duration::from_millis(20);

    fn milliseconds(count: u64) -> Duration {
        Duration::from_millis(count)
    }

    #[test]
    fn time_controls_are_read_back() {
        for text in ["10+0.1", "1+0.01", "0.5+0", "300+2"] {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), text);
        }
        assert_eq!("60".parse::<TimeControl>().unwrap().to_string(), "60+0");
        for text in ["", "+1", "0+1", "10+", "10s", "-1+1", "1e9+0", "inf", "1+1+1", "."] {
            assert!(text.parse::<TimeControl>().is_err(), "{text:?}");
        }
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
    }
}
