//! What every side shares: the clock, the counters and the random playouts.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};
use spinney_game::{Game, Hashed, Outcome, Path, Rng, Side, cpu, random_playout};
use spinney_games::breakthrough::Breakthrough;

/// One search to do.
#[derive(Clone, Copy)]
pub(crate) struct Task {
    pub(crate) start: Breakthrough,
    pub(crate) simulations: u64,
    pub(crate) seed: u64,
}

/// What a search did.
pub(crate) struct Done {
    /// Simulations through the root, as the search itself counted them.
    pub(crate) simulations: u64,
    pub(crate) counts: Counts,
    pub(crate) time: Spent,
}

/// How the simulations ended: in a random playout, or in a position where the game was over.
#[derive(Clone, Copy)]
pub(crate) struct Counts {
    pub(crate) playouts: u64,
    pub(crate) finished: u64,
    /// Of all playouts together.
    pub(crate) plies: u64,
}

/// Time since some moment.
#[derive(Clone, Copy)]
pub(crate) struct Spent {
    pub(crate) wall: Duration,
    /// Of all threads of this process: what other programs do at the same time hardly matters.
    pub(crate) processor: Duration,
}

/// A moment.
#[derive(Clone, Copy)]
pub(crate) struct Clock {
    wall: Instant,
    processor: Duration,
}

impl Clock {
    pub(crate) fn now() -> Clock {
        let time = clock_gettime(ClockId::ProcessCPUTime);
        let processor = Duration::new(time.tv_sec as u64, time.tv_nsec as u32);
        Clock { wall: Instant::now(), processor }
    }

    pub(crate) fn until(self, later: Clock) -> Spent {
        Spent { wall: later.wall - self.wall, processor: later.processor - self.processor }
    }
}

/// Counts simulations by how they end. Shared with the search, but used by one thread only: plain
/// loads and stores keep its cost out of the comparison.
pub(crate) struct Tally {
    playouts: AtomicU64,
    finished: AtomicU64,
    plies: AtomicU64,
    /// When the last simulation ended. The searches differ in what they do afterwards; one frees
    /// its tree before it returns.
    end: OnceLock<Clock>,
    expected: u64,
}

impl Tally {
    pub(crate) fn new(expected: u64) -> Tally {
        Tally {
            playouts: AtomicU64::new(0),
            finished: AtomicU64::new(0),
            plies: AtomicU64::new(0),
            end: OnceLock::new(),
            expected,
        }
    }

    /// A simulation ended with a playout.
    #[inline]
    pub(crate) fn add_playout(&self, plies: u64) {
        self.playouts.store(self.playouts.load(Relaxed) + 1, Relaxed);
        self.plies.store(self.plies.load(Relaxed) + plies, Relaxed);
        self.note_end();
    }

    /// A simulation ended where the game was over.
    #[inline]
    pub(crate) fn add_finished(&self) {
        self.finished.store(self.finished.load(Relaxed) + 1, Relaxed);
        self.note_end();
    }

    #[inline]
    fn note_end(&self) {
        if self.playouts.load(Relaxed) + self.finished.load(Relaxed) == self.expected {
            self.end.get_or_init(Clock::now);
        }
    }

    pub(crate) fn counts(&self) -> Counts {
        Counts {
            playouts: self.playouts.load(Relaxed),
            finished: self.finished.load(Relaxed),
            plies: self.plies.load(Relaxed),
        }
    }

    /// When the last of the expected simulations ended; `None` if there were fewer.
    pub(crate) fn end(&self) -> Option<Clock> {
        self.end.get().copied()
    }
}

/// The random playouts of the peers: those of Spinney, with its random numbers.
pub(crate) struct Player {
    rng: Rng,
    path: Path,
}

impl Player {
    pub(crate) fn new(seed: u64) -> Player {
        Player { rng: Rng::new(seed), path: Path::new(Breakthrough::default().key()) }
    }

    /// The result for the first side of a simulation that ends here.
    pub(crate) fn evaluate(&mut self, position: &Breakthrough, tally: &Tally) -> i32 {
        if let Some(outcome) = position.outcome() {
            tally.add_finished();
            return outcome.score_for(Side::First);
        }
        let playout = cpu::run(OnePlayout { player: self, position: *position });
        tally.add_playout(u64::from(playout.plies));
        playout.outcome.unwrap_or(Outcome::Draw).score_for(Side::First)
    }
}

/// A playout with the best instructions of the processor, which Spinney's search uses too.
struct OnePlayout<'a> {
    player: &'a mut Player,
    position: Breakthrough,
}

impl cpu::Kernel for OnePlayout<'_> {
    type Output = spinney_game::Playout;

    #[inline(always)]
    fn run(self) -> Self::Output {
        let Player { rng, path } = self.player;
        random_playout(self.position, path, u32::MAX, rng)
    }
}
