//! A search in slices.

use std::borrow::Borrow;
use std::num::NonZero;
use std::ops::DerefMut;

use spinney_search::{Limits, Report, Stop};

use crate::{Failure, Player, Session};

/// A search in slices, for a program with one thread: between two slices it can do something else,
/// show what was found so far, or end the search. The player and the session may be its own or borrowed.
///
/// ```
/// # use std::num::NonZero;
/// # use spinney_session::{Limits, Registry, Slice, Slices, Stop};
/// # let game = Registry::builtin().game("breakthrough")?;
/// # let (session, mut player) = (game.start(), game.player(&"uct".parse()?, 1)?);
/// let limits = Limits::simulations(5000);
/// let mut search = Slices::new(&mut *player, &session, limits, Stop::new());
/// let report = loop {
///     match search.step(NonZero::<u64>::MIN)? {
///         Slice::Paused(so_far) => println!("{} simulations", so_far.simulations),
///         Slice::Done(report) => break report,
///     }
/// };
/// assert!(report.best.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Slices<P, S> {
    player: P,
    session: S,
    limits: Limits,
    stop: Stop,
    has_begun: bool,
}

/// What a search knows after a slice.
#[derive(Clone, Debug, PartialEq)]
pub enum Slice {
    /// The search continues with the next slice.
    Paused(Report),
    /// The search has ended.
    Done(Report),
}

impl<P: DerefMut<Target: Player>, S: Borrow<Session>> Slices<P, S> {
    /// A search that begins with its first slice.
    pub fn new(player: P, session: S, limits: Limits, stop: Stop) -> Self {
        Slices { player, session, limits, stop, has_begun: false }
    }

    /// The game that is searched.
    pub fn session(&self) -> &Session {
        self.session.borrow()
    }

    /// Searches for about `thousands` of positions. A simulation that has begun is completed. A player
    /// that cannot pause, such as another program, is done after its first slice.
    pub fn step(&mut self, thousands: NonZero<u64>) -> Result<Slice, Failure> {
        let Slices { player, limits, .. } = self;
        let session = self.session.borrow();
        let stop = self.stop.pausing(thousands);
        let report = match std::mem::replace(&mut self.has_begun, true) {
            false => player.analyse(session, limits, &stop, &mut |_| ()),
            true => player.resume(session, limits, &stop, &mut |_| ()),
        }?;
        let goes_on = stop.is_paused() && !self.stop.is_set();
        Ok(if goes_on { Slice::Paused(report) } else { Slice::Done(report) })
    }
}
