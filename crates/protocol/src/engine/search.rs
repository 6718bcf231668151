//! A search that runs in a thread of its own.

use std::sync::mpsc::Sender;
use std::time::Instant;

use spinney_game::History;
use spinney_games::catalog::Playable;
use spinney_players::Player;
use spinney_search::{GameValue, Limits, Report, Stop};

use super::clock::{Allotment, Trend};
use super::{Event, info, only};

/// A search that runs, or whose result waits to be told.
pub(super) struct Search<G: Playable> {
    pub(super) position: G,
    pub(super) stop: Stop,
    pub(super) started: Instant,
    /// The time on the clock, and since when it runs; not while pondering.
    pub(super) allotment: Option<Allotment>,
    pub(super) clock_started: Option<Instant>,
    /// The client wants no move before it says `stop` or `ponderhit`.
    pub(super) held: bool,
    /// A win in so many moves, or lines of such a length, are enough.
    pub(super) mate: Option<u32>,
    pub(super) depth: Option<u32>,
    pub(super) trend: Trend<G::Move>,
    /// What was found, once the search is done.
    pub(super) result: Option<Report<G::Move>>,
}

impl<G: Playable> Search<G> {
    /// When the clock wants the search to end.
    pub(super) fn deadline(&self) -> Option<Instant> {
        let (allotment, clock_started) = (self.allotment?, self.clock_started?);
        let deadline =
            self.trend.deadline(allotment, self.started.elapsed(), clock_started.elapsed());
        clock_started.checked_add(deadline)
    }

    /// Whether a snapshot is what the client asked for.
    pub(super) fn is_answered_by(&self, report: &Report<G::Move>) -> bool {
        let mated = self.mate.is_some_and(|moves| {
            let plies = moves.saturating_mul(2).saturating_sub(1);
            report.proven == Some(GameValue::Win) && report.plies.is_some_and(|n| n <= plies)
        });
        mated || self.depth.is_some_and(|depth| info::depth(report) >= depth)
    }
}

/// The thread of a search. If nobody listens any more, the program is about to end.
pub(super) fn run<G: Playable>(
    mut player: Box<dyn Player<G>>,
    history: &History<G>,
    only: &[G::Move],
    limits: &Limits,
    stop: &Stop,
    events: &Sender<Event<G>>,
) {
    let mut progress = |report: &Report<G::Move>| {
        let _ = events.send(Event::Progress(report.clone()));
    };
    let report = if only.is_empty() {
        player.analyse(history, limits, stop, &mut progress)
    } else {
        only::analyse(player.as_mut(), history, only, limits, stop, &mut progress)
    };
    let _ = events.send(Event::Done(player, report));
}
