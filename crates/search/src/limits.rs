//! When a search ends: limits, the stop flag, and the budget that searches spend.

use std::fmt;
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Duration;
#[cfg(not(target_family = "wasm"))]
use std::time::Instant;

use thiserror::Error;

/// What a search may use. Whatever comes first ends it; a search without limits runs until it is
/// stopped. A search ignores the kinds of limit that mean nothing to it ([`LimitKinds`]).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Simulations, all threads together.
    pub simulations: Option<u64>,
    /// Positions visited, or nodes as the search counts them.
    pub nodes: Option<u64>,
    /// Plies.
    pub depth: Option<u32>,
}

impl Limits {
    /// A limit on time alone.
    pub fn time(time: Duration) -> Self {
        Limits { time: Some(time), ..Limits::default() }
    }

    /// A limit on simulations alone.
    pub fn simulations(simulations: u64) -> Self {
        Limits { simulations: Some(simulations), ..Limits::default() }
    }

    /// A limit on nodes alone.
    pub fn nodes(nodes: u64) -> Self {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }
}

/// The kinds of limit that end a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimitKinds {
    /// Ends at [`Limits::time`].
    pub time: bool,
    /// Ends at [`Limits::simulations`].
    pub simulations: bool,
    /// Ends at [`Limits::nodes`].
    pub nodes: bool,
    /// Ends at [`Limits::depth`].
    pub depth: bool,
}

/// Limits that would not end a search.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("a limit on {given} does not end this search; limit {supported}")]
pub struct UnsupportedLimits {
    given: String,
    supported: String,
}

impl LimitKinds {
    /// Every kind.
    pub const ALL: LimitKinds =
        LimitKinds { time: true, simulations: true, nodes: true, depth: true };
    /// Every kind but depth.
    pub const NO_DEPTH: LimitKinds = LimitKinds { depth: false, ..LimitKinds::ALL };

    /// Refuses limits if none of them ends the search. No limits at all are accepted: such a search
    /// runs until it is stopped.
    pub fn check(&self, limits: &Limits) -> Result<(), UnsupportedLimits> {
        let kinds = [
            ("time", limits.time.is_some(), self.time),
            ("simulations", limits.simulations.is_some(), self.simulations),
            ("nodes", limits.nodes.is_some(), self.nodes),
            ("depth", limits.depth.is_some(), self.depth),
        ];
        let given = |&(_, given, _): &(&str, bool, bool)| given;
        if !kinds.iter().any(given) || kinds.iter().any(|&(_, given, ends)| given && ends) {
            return Ok(());
        }
        let names = |keep: &dyn Fn(&(&'static str, bool, bool)) -> bool, last: &str| {
            let names: Vec<_> = kinds.iter().filter(|kind| keep(kind)).map(|kind| kind.0).collect();
            match names.split_last() {
                Some((name, [])) => (*name).to_owned(),
                Some((name, others)) => format!("{} {last} {name}", others.join(", ")),
                None => String::new(),
            }
        };
        Err(UnsupportedLimits {
            given: names(&given, "and"),
            supported: names(&|&(_, _, ends)| ends, "or"),
        })
    }
}

/// What a search takes from the machine that it runs on.
///
/// Where the standard library has neither a clock nor threads (WebAssembly in a browser), the program
/// supplies the clock; without one, time stands still there and a limit on it ends nothing.
pub struct Host {
    /// The time since some moment in the past. It never goes back.
    pub clock: Box<dyn Fn() -> Duration + Send + Sync>,
    /// The most threads that a search may use, whatever its options say.
    pub threads: usize,
}

impl Host {
    /// The clock and the threads of the standard library.
    #[cfg(not(target_family = "wasm"))]
    pub fn system() -> Self {
        let start = Instant::now();
        Host { clock: Box::new(move || start.elapsed()), threads: usize::MAX }
    }

    /// No clock and one thread.
    #[cfg(target_family = "wasm")]
    pub fn system() -> Self {
        Host { clock: Box::new(|| Duration::ZERO), threads: 1 }
    }
}

impl fmt::Debug for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Host").field("threads", &self.threads).finish_non_exhaustive()
    }
}

/// A flag that ends a search from another thread, and the host that the search runs on. Clones share
/// both.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    flag: Arc<Flag>,
    /// Ends this slice of the search.
    pause: Option<Arc<Countdown>>,
    host: Option<Arc<Host>>,
    /// Searches use one thread, whatever the host has.
    is_alone: bool,
}

#[derive(Debug, Default)]
struct Flag {
    is_set: AtomicBool,
    by_itself: Countdown,
    /// Sets this one too.
    parent: Option<Arc<Flag>>,
}

impl Flag {
    #[inline]
    fn is_set(&self) -> bool {
        if self.by_itself.look() {
            self.is_set.store(true, Ordering::Relaxed);
        }
        self.is_set.load(Ordering::Relaxed)
            || self.parent.as_ref().is_some_and(|parent| parent.is_set())
    }
}

/// Looks left until something happens; 0: it never does, or has happened.
#[derive(Debug, Default)]
struct Countdown(AtomicU64);

impl Countdown {
    /// Counts a look; `true` at the last.
    #[inline]
    fn look(&self) -> bool {
        self.0.load(Ordering::Relaxed) > 0 && self.0.fetch_sub(1, Ordering::Relaxed) == 1
    }

    fn is_over(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }
}

impl Stop {
    /// A flag that is not set, on the host of the standard library.
    pub fn new() -> Self {
        Stop::default()
    }

    /// A flag that is not set, on another host.
    pub fn on(host: Arc<Host>) -> Self {
        Stop { host: Some(host), ..Stop::default() }
    }

    /// A flag that is set when it is looked at for the `looks`-th time: a stop at a moment that
    /// depends on the work done and not on the clock, for tests.
    pub fn at_look(looks: u64) -> Self {
        let by_itself = Countdown(looks.into());
        Stop { flag: Arc::new(Flag { by_itself, ..Flag::default() }), ..Stop::new() }
    }

    /// The same flag for one slice of a search, which pauses after about `thousands` of positions. A
    /// simulation that has begun is completed.
    pub fn pausing(&self, thousands: NonZero<u64>) -> Self {
        // A search looks before its first position, and then once a thousand.
        let looks = thousands.get().saturating_add(1);
        Stop { pause: Some(Arc::new(Countdown(looks.into()))), ..self.clone() }
    }

    /// The same flag for searches that are to use one thread.
    pub fn alone(&self) -> Self {
        Stop { is_alone: true, ..self.clone() }
    }

    /// The same flag without a pause.
    pub fn unpausing(&self) -> Self {
        Stop { pause: None, ..self.clone() }
    }

    /// A flag of its own that is also set when this one is: who is shown a search can end it, and nothing
    /// else.
    pub fn child(&self) -> Self {
        let parent = Some(Arc::clone(&self.flag));
        Stop { flag: Arc::new(Flag { parent, ..Flag::default() }), ..self.clone() }
    }

    /// A flag of its own, for one of the threads of a search, with the same host and pause.
    pub(crate) fn sibling(&self) -> Self {
        Stop { flag: Arc::default(), ..self.clone() }
    }

    /// Ends every search that looks at this flag.
    pub fn stop(&self) {
        self.flag.is_set.store(true, Ordering::Relaxed);
    }

    /// Whether the search is to end.
    #[inline]
    pub fn is_set(&self) -> bool {
        self.flag.is_set()
    }

    /// Whether this slice is over. The search may have ended in the same moment.
    pub fn is_paused(&self) -> bool {
        self.pause.as_ref().is_some_and(|pause| pause.is_over())
    }

    fn host(&self) -> &Host {
        static SYSTEM: LazyLock<Host> = LazyLock::new(Host::system);
        self.host.as_deref().unwrap_or(&SYSTEM)
    }

    /// The time on the clock of the host.
    pub(crate) fn now(&self) -> Duration {
        (self.host().clock)()
    }

    /// The threads to use of those wanted.
    pub(crate) fn threads(&self, wanted: usize) -> usize {
        if self.is_alone { 1 } else { wanted.clamp(1, self.host().threads.max(1)) }
    }
}

/// The time and positions that one thread of a search may still spend.
///
/// Reading the clock at every position would cost as much as the position, so it is read, with the
/// stop flag, once per [`STRIDE`] positions: every ten to hundred microseconds. Work that takes much
/// longer than a position is noted by [`spend_uncounted`](Budget::spend_uncounted).
#[derive(Clone, Debug)]
pub struct Budget {
    /// By the clock of the host.
    deadline: Option<Duration>,
    stop: Stop,
    /// Whether a pause ends it wherever it is.
    pauses_anywhere: bool,
    /// Positions visited.
    visited: u64,
    /// Positions that took time but do not count.
    uncounted: u64,
    /// Plies of playouts, which policies tell for the report.
    playout_plies: u64,
    /// The number of positions, counted or not, at which to look at the clock again.
    next_look: u64,
    /// Positions allowed.
    nodes: u64,
    exhausted: bool,
    interrupted: bool,
    paused: bool,
}

/// Positions between two looks at the clock.
pub const STRIDE: u64 = 1000;

/// A limit on positions ends a search that counts few of them when this many times as many were visited
/// uncounted. In playouts by knowledge 27 uncounted positions come to a counted one.
const MOST_UNCOUNTED: u64 = 1000;

impl Budget {
    /// The budget of a search that starts now.
    pub fn new(limits: &Limits, stop: &Stop) -> Self {
        Budget::resumed(limits, stop, stop.now(), 0)
    }

    /// The budget of a search that was paused: when it started, and the positions it has visited. The
    /// limits are those of the whole search.
    pub(crate) fn resumed(limits: &Limits, stop: &Stop, started: Duration, visited: u64) -> Self {
        Budget {
            // A time beyond what the clock can express is no limit.
            deadline: limits.time.and_then(|time| started.checked_add(time)),
            stop: stop.clone(),
            pauses_anywhere: false,
            visited,
            uncounted: 0,
            playout_plies: 0,
            next_look: 0,
            nodes: limits.nodes.unwrap_or(u64::MAX),
            // The search of a position begins whatever its limit.
            exhausted: visited > 0 && limits.nodes.is_some_and(|nodes| visited >= nodes),
            interrupted: false,
            paused: false,
        }
    }

    /// The same, but ended by a pause wherever it is, as by a limit: for searches that find their way
    /// back to that place.
    pub fn pausing_anywhere(self) -> Self {
        Budget { pauses_anywhere: true, ..self }
    }

    /// The same after work that was not counted, as [`uncounted`](Budget::uncounted) told it.
    pub(crate) fn after_uncounted(self, uncounted: u64) -> Self {
        Budget { uncounted, ..self }
    }

    /// Budgets for `others` more threads of the same search: what is left of the positions is shared
    /// equally by all.
    pub(crate) fn split(&mut self, others: usize) -> Vec<Budget> {
        if others == 0 {
            return Vec::new();
        }
        let left = self.nodes.saturating_sub(self.visited);
        let share = left / (others as u64 + 1);
        let other = Budget { visited: 0, uncounted: 0, next_look: 0, nodes: share, ..self.clone() };
        self.nodes -= share * others as u64;
        vec![other; others]
    }

    /// Takes back what [`split`](Self::split) gave away, and counts what was visited.
    pub(crate) fn join(&mut self, others: &[Budget]) {
        for other in others {
            self.visited += other.visited;
            self.nodes += other.nodes;
            self.interrupted |= other.interrupted;
            self.paused |= other.paused;
        }
        self.exhausted |= self.is_spent();
    }

    /// The threads to use of those wanted.
    pub(crate) fn threads(&self, wanted: usize) -> usize {
        self.stop.threads(wanted)
    }

    /// A budget without end, for work that is small by itself.
    pub fn unlimited() -> Self {
        Budget::new(&Limits::default(), &Stop::new())
    }

    /// Counts visited positions; `true` if the search must end.
    #[inline]
    pub fn spend(&mut self, positions: u64) -> bool {
        self.visited += positions;
        self.look_now_and_then()
    }

    /// Notes work worth `positions` that is not counted as visited; `true` if the search must end.
    #[inline]
    pub fn spend_uncounted(&mut self, positions: u64) -> bool {
        self.uncounted += positions;
        self.look_now_and_then()
    }

    #[inline(always)]
    fn look_now_and_then(&mut self) -> bool {
        if self.visited + self.uncounted >= self.next_look {
            self.look();
        }
        self.exhausted
    }

    /// Whether the search must end.
    #[inline]
    pub fn is_exhausted(&self) -> bool {
        self.exhausted
    }

    /// Whether the time is over or the search was stopped, as last seen. A simulation that has begun
    /// is completed when its positions run out, but not when this is true.
    #[inline]
    pub fn is_interrupted(&self) -> bool {
        self.interrupted
    }

    /// Whether the search is to pause as soon as it can go on later from where it is.
    #[inline]
    pub fn is_paused(&self) -> bool {
        self.paused
    }

    /// Notes the length of a playout. It has no influence on the search.
    #[inline(always)]
    pub fn note_playout(&mut self, plies: u64) {
        self.playout_plies += plies;
    }

    /// The plies of playouts since this was asked last.
    pub fn take_playout_plies(&mut self) -> u64 {
        std::mem::take(&mut self.playout_plies)
    }

    /// The positions visited so far.
    pub fn visited(&self) -> u64 {
        self.visited
    }

    /// The work so far that was not counted.
    pub(crate) fn uncounted(&self) -> u64 {
        self.uncounted
    }

    fn is_spent(&self) -> bool {
        self.interrupted
            || self.visited >= self.nodes
            || self.uncounted / MOST_UNCOUNTED >= self.nodes
            || (self.paused && self.pauses_anywhere)
    }

    #[cold]
    #[inline(never)]
    fn look(&mut self) {
        let left = self.nodes.saturating_sub(self.visited);
        self.next_look = self.visited + self.uncounted + left.clamp(1, STRIDE);
        let Budget { stop, deadline, .. } = self;
        self.interrupted |=
            stop.is_set() || deadline.is_some_and(|deadline| stop.now() >= deadline);
        self.paused |= stop.pause.as_ref().is_some_and(|pause| pause.look() || pause.is_over());
        self.exhausted |= self.is_spent();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_that_end_nothing_are_refused() {
        let kinds = LimitKinds::NO_DEPTH;
        let depth = Limits { depth: Some(3), ..Limits::default() };
        let message = kinds.check(&depth).unwrap_err().to_string();
        assert_eq!(
            message,
            "a limit on depth does not end this search; limit time, simulations or nodes"
        );
        assert_eq!(kinds.check(&Limits { nodes: Some(9), ..depth }), Ok(()));
        assert_eq!(kinds.check(&Limits::default()), Ok(()));
        assert_eq!(LimitKinds::ALL.check(&depth), Ok(()));
    }

    #[test]
    fn a_flag_can_set_itself() {
        let stop = Stop::at_look(3);
        let looks: Vec<bool> = (0..5).map(|_| stop.clone().is_set()).collect();
        assert_eq!(looks, [false, false, true, true, true]);
    }

    #[test]
    fn a_child_is_set_by_itself_and_with_its_parent() {
        let stop = Stop::new();
        let (one, other) = (stop.child(), stop.child());
        one.stop();
        assert!(one.is_set() && !other.is_set() && !stop.is_set());
        stop.stop();
        assert!(other.is_set() && other.child().is_set());
    }

    #[test]
    fn a_pause_ends_a_slice_and_not_the_search() {
        let stop = Stop::new();
        let slice = stop.pausing(NonZero::<u64>::MIN);
        let mut budget = Budget::new(&Limits::default(), &slice);
        assert!(!budget.spend(1) && !budget.is_paused() && !slice.is_paused());
        assert!(!budget.spend(STRIDE) && budget.is_paused() && slice.is_paused());
        let slice = slice.pausing(NonZero::<u64>::MIN);
        let mut budget = Budget::new(&Limits::default(), &slice).pausing_anywhere();
        assert!(!budget.spend(1) && budget.spend(STRIDE) && !budget.is_interrupted());
        assert!(!stop.is_set() && !slice.unpausing().is_paused());
    }

    #[test]
    fn time_is_that_of_the_host() {
        let readings = AtomicU64::new(0);
        let clock = move || Duration::from_secs(readings.fetch_add(1, Ordering::Relaxed));
        let stop = Stop::on(Arc::new(Host { clock: Box::new(clock), threads: 1 }));
        // The clock is read once at the start, and then once a stride.
        let mut budget = Budget::new(&Limits::time(Duration::from_secs(3)), &stop);
        assert_eq!((1..).find(|_| budget.spend(STRIDE)), Some(3));
        assert_eq!(stop.threads(8), 1);
    }

    #[test]
    fn nodes_end_a_budget_exactly() {
        let mut budget = Budget::new(&Limits::nodes(2500), &Stop::new());
        let spent = (1..).find(|_| budget.spend(1)).unwrap();
        assert_eq!(spent, 2500);
        assert!(budget.is_exhausted());
        // What is not counted does not end it, unless nothing else would.
        let mut budget = Budget::new(&Limits::nodes(2500), &Stop::new());
        let spent = (1..).find(|_| budget.spend_uncounted(700) || budget.spend(1)).unwrap();
        assert_eq!(spent, 2500);
        let mut budget = Budget::new(&Limits::nodes(2500), &Stop::new());
        assert!((0..2600).any(|_| budget.spend_uncounted(1000)));
    }

    #[test]
    fn time_and_stop_end_a_budget() {
        let mut budget = Budget::new(&Limits::time(Duration::ZERO), &Stop::new());
        assert!(budget.spend(1));
        let stop = Stop::new();
        let mut budget = Budget::new(&Limits::default(), &stop);
        assert!(!budget.spend(1));
        stop.stop();
        assert!(budget.spend(STRIDE));
        let stop = Stop::new();
        let mut budget = Budget::new(&Limits::default(), &stop);
        assert!(!budget.spend_uncounted(1));
        stop.stop();
        assert!(budget.spend_uncounted(STRIDE));
        let mut endless = Budget::new(&Limits::time(Duration::MAX), &Stop::new());
        assert!(!endless.spend(STRIDE));
    }
}
