//! When a search ends: limits, the stop flag, and the budget that searches spend.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What a search may use. Whatever comes first ends it; a search without limits runs until it is
/// stopped.
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

/// A flag that ends a search from another thread. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// A flag that is not set.
    pub fn new() -> Self {
        Stop::default()
    }

    /// Ends every search that looks at this flag.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the search is to end.
    #[inline]
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The time and positions that one thread of a search may still spend.
///
/// Reading the clock at every position would cost as much as the position; so it is read, with the
/// stop flag, once in a thousand positions: some ten to hundred microseconds.
#[derive(Clone, Debug)]
pub struct Budget {
    deadline: Option<Instant>,
    stop: Stop,
    /// Positions visited.
    visited: u64,
    /// Positions that took time but do not count.
    uncounted: u64,
    /// Plies of play-outs, which policies tell for the report.
    playout_plies: u64,
    /// The number of positions, counted or not, at which to look at the clock again.
    next_look: u64,
    /// Positions allowed.
    nodes: u64,
    exhausted: bool,
}

/// Positions between two looks at the clock.
const STRIDE: u64 = 1000;

impl Budget {
    /// The budget of a search that starts now.
    pub fn new(limits: &Limits, stop: &Stop) -> Self {
        Budget {
            // A time beyond what the clock can express is no limit.
            deadline: limits.time.and_then(|time| Instant::now().checked_add(time)),
            stop: stop.clone(),
            visited: 0,
            uncounted: 0,
            playout_plies: 0,
            next_look: 0,
            nodes: limits.nodes.unwrap_or(u64::MAX),
            exhausted: false,
        }
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

    /// Notes that so many positions took time that are not counted as visited; `true` if the search
    /// must end.
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

    /// Notes the length of a play-out. It has no influence on the search.
    #[inline(always)]
    pub fn note_playout(&mut self, plies: u64) {
        self.playout_plies += plies;
    }

    /// The plies of play-outs since this was asked last.
    pub fn take_playout_plies(&mut self) -> u64 {
        std::mem::take(&mut self.playout_plies)
    }

    /// The positions visited so far.
    pub fn visited(&self) -> u64 {
        self.visited
    }

    #[cold]
    #[inline(never)]
    fn look(&mut self) {
        let left = self.nodes.saturating_sub(self.visited);
        self.next_look = self.visited + self.uncounted + left.clamp(1, STRIDE);
        self.exhausted |= self.visited >= self.nodes
            || self.stop.is_set()
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_end_a_budget_exactly() {
        let mut budget = Budget::new(&Limits::nodes(2500), &Stop::new());
        let spent = (1..).find(|_| budget.spend(1)).unwrap();
        assert_eq!(spent, 2500);
        assert!(budget.is_exhausted());
        // What is not counted does not end it.
        let mut budget = Budget::new(&Limits::nodes(2500), &Stop::new());
        let spent = (1..).find(|_| budget.spend_uncounted(700) || budget.spend(1)).unwrap();
        assert_eq!(spent, 2500);
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
