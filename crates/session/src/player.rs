//! Players of a session, whichever game it is.

use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

use spinney_game::{History, Playable};
use spinney_search::{GameValue, LimitKinds, Limits, Report, SearchTree, Stop, UnsupportedLimits};
use thiserror::Error;

use crate::place::Place;
use crate::{Allotment, Clock, Session};

/// A player: chooses a move by searching.
pub trait Player: Send {
    /// Searches the present position of a game, and calls `progress` now and then with what it knows
    /// so far. The report has a best move, unless the game is over.
    fn analyse(
        &mut self,
        session: &Session,
        limits: &Limits,
        stop: &Stop,
        progress: &mut dyn FnMut(&Report),
    ) -> Result<Report, Failure>;

    /// Searches with a clock for the game, which may run for another moment after the answer. `clocks`
    /// has both sides' time, the first side's first. A player without a plan of its own takes an equal
    /// part of its clock.
    fn analyse_on_clock(
        &mut self,
        session: &Session,
        clocks: &[Clock; 2],
        stop: &Stop,
        progress: &mut dyn FnMut(&Report),
    ) -> Result<Report, Failure> {
        /// What a busy machine loses around a search. Guess.
        const OVERHEAD: Duration = Duration::from_millis(10);
        let plies = session.moves().len() as u32;
        let Allotment { soft, .. } = clocks[session.to_move().index()].allot(plies, OVERHEAD);
        self.analyse(session, &Limits::time(soft), stop, progress)
    }

    /// Goes on with the last search, which was paused ([`Stop::pausing`]), in the same position and
    /// with the same limits. A player that cannot do that searches anew, without a pause.
    /// [`Slices`](crate::Slices) calls it.
    fn resume(
        &mut self,
        session: &Session,
        limits: &Limits,
        stop: &Stop,
        progress: &mut dyn FnMut(&Report),
    ) -> Result<Report, Failure> {
        self.analyse(session, limits, &stop.unpausing(), progress)
    }

    /// The kinds of limit that end a search of this player; others are refused.
    fn limit_kinds(&self) -> LimitKinds {
        LimitKinds::ALL
    }

    /// Forgets what it knows from earlier searches, and starts its random numbers anew.
    fn new_game(&mut self, seed: u64);

    /// Joins the reports of independent searches of one position by players like this one, as root
    /// parallelism joins its trees; `None` if the player grows no tree.
    fn merge(&self, _session: &Session, _reports: &[Report]) -> Option<Report> {
        None
    }

    /// A look into the tree of the last search, or of the first if there was none yet; for players
    /// that keep one.
    fn tree(&self) -> Option<Arc<dyn SearchTree>> {
        None
    }
}

/// Why a search gave no move.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Failure {
    /// Its limits would not end it.
    #[error(transparent)]
    Limits(#[from] UnsupportedLimits),
    /// Another program or an outside player failed.
    #[error("{0}")]
    Program(String),
    /// The player is one of another game.
    #[error("a player of another game")]
    OtherGame,
}

/// A player of the game `G` as one of any session.
pub(crate) struct Seated<G>(pub(crate) Box<dyn spinney_players::Player<G>>);

/// The game inside a session, if it is `G`: the one place where a type is found again.
pub(crate) fn history<G: Playable>(session: &Session) -> Option<&History<G>> {
    let place: &dyn Place = session.place();
    (place as &dyn Any).downcast_ref()
}

impl<G: Playable> Player for Seated<G> {
    fn analyse(
        &mut self,
        session: &Session,
        limits: &Limits,
        stop: &Stop,
        progress: &mut dyn FnMut(&Report),
    ) -> Result<Report, Failure> {
        let history = history::<G>(session).ok_or(Failure::OtherGame)?;
        if let Some(outcome) = session.outcome() {
            return Ok(Report::finished(GameValue::of(outcome, session.to_move())));
        }
        self.0.limit_kinds().check(limits)?;
        Ok(self.0.analyse(history, limits, stop, progress))
    }

    fn resume(
        &mut self,
        session: &Session,
        limits: &Limits,
        stop: &Stop,
        progress: &mut dyn FnMut(&Report),
    ) -> Result<Report, Failure> {
        let history = history::<G>(session).ok_or(Failure::OtherGame)?;
        Ok(self.0.resume(history, limits, stop, progress))
    }

    fn limit_kinds(&self) -> LimitKinds {
        self.0.limit_kinds()
    }

    fn new_game(&mut self, seed: u64) {
        self.0.new_game(seed);
    }

    fn merge(&self, session: &Session, reports: &[Report]) -> Option<Report> {
        if let Some(outcome) = session.outcome() {
            return Some(Report::finished(GameValue::of(outcome, session.to_move())));
        }
        self.0.merge(&session.legal_moves(), reports)
    }

    fn tree(&self) -> Option<Arc<dyn SearchTree>> {
        self.0.tree()
    }
}
