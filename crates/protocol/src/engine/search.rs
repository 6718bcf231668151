//! A search that runs in a thread of its own.

use std::sync::mpsc::Sender;
use std::time::Instant;

use spinney_session::{
    Allotment, Failure, GameValue, Limits, PackedMove, Player, Report, Session, Stop,
};

use super::inbox::Event;
use super::trend::Trend;
use super::{info, searchmoves};

/// A search that runs, or whose result waits to be told.
pub(super) struct Search {
    pub(super) session: Session,
    pub(super) stop: Stop,
    pub(super) started: Instant,
    /// The time on the clock, and since when it runs; not while pondering.
    pub(super) allotment: Option<Allotment>,
    pub(super) clock_started: Option<Instant>,
    /// The client wants no move before it says `stop` or `ponderhit`.
    pub(super) held: bool,
    /// Stops at a win in this many moves, or at lines of this length.
    pub(super) mate: Option<u32>,
    pub(super) depth: Option<u32>,
    pub(super) trend: Trend,
    /// What was found, once the search is done.
    pub(super) result: Option<Result<Report, Failure>>,
}

impl Search {
    /// When the clock wants the search to end.
    pub(super) fn deadline(&self) -> Option<Instant> {
        let (allotment, clock_started) = (self.allotment?, self.clock_started?);
        let deadline =
            self.trend.deadline(allotment, self.started.elapsed(), clock_started.elapsed());
        clock_started.checked_add(deadline)
    }

    /// Whether a snapshot is what the client asked for.
    pub(super) fn is_answered_by(&self, report: &Report) -> bool {
        let mated = self.mate.is_some_and(|moves| {
            let plies = moves.saturating_mul(2).saturating_sub(1);
            report.proven == Some(GameValue::Win) && report.plies.is_some_and(|n| n <= plies)
        });
        mated || self.depth.is_some_and(|depth| info::depth(report) >= depth)
    }
}

/// The thread of a search. If nobody listens any more, the program is about to end.
pub(super) fn run(
    mut player: Box<dyn Player>,
    session: &Session,
    only: &[PackedMove],
    limits: &Limits,
    stop: &Stop,
    events: &Sender<Event>,
) {
    let mut progress = |report: &Report| {
        let _ = events.send(Event::Progress(report.clone()));
    };
    let report = if only.is_empty() {
        player.analyse(session, limits, stop, &mut progress)
    } else {
        searchmoves::analyse(player.as_mut(), session, only, limits, stop, &mut progress)
    };
    let _ = events.send(Event::Done(player, report));
}
