//! Self-play: positions of games that a player plays against itself, with what a search says of them.
//!
//! A game begins with 5 to 12 random plies. Then the player moves for both sides, with the same work for
//! every move, until it proves a value, which is the result. Every position on the way is kept with the
//! value of its search. With a certain probability the position after a random move in its place is
//! searched and kept too: a network must also know positions off the path of good play. Positions with a
//! proven value are left out.
//!
//! Game number i follows from the seed and i alone, and games are passed on in their order.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc;
use std::thread;

use spinney_session::{
    GameHandle, GameValue, Limits, Outcome, Player, PlayerSpec, Rng, Session, Side, Stop,
};

/// The fewest random plies of an opening, and how many numbers of plies there are.
const FEWEST_PLIES: u32 = 5;
const NUMBERS_OF_PLIES: u32 = 8;
/// A game is a draw after this many plies. Guess: most games of LOA have less than 60.
const MOST_PLIES: usize = 200;

/// Who plays, and how.
#[derive(Clone, Debug)]
pub struct SelfPlay {
    /// Who plays both sides.
    pub player: PlayerSpec,
    /// Nodes of the search for each move.
    pub nodes: u64,
    /// The probability that the position after a random move is kept too.
    pub off_path: f64,
    /// The seed of all games.
    pub seed: u64,
    /// Games at once.
    pub threads: NonZero<usize>,
}

/// A position that was searched; values are for the side to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample<P> {
    /// What was noted of the position.
    pub position: P,
    /// The number of the game.
    pub game: u32,
    /// What the search says, from -1 to 1.
    pub value: f64,
    /// The result of the game: -1, 0 or 1; `None` if the game did not pass through the position.
    pub result: Option<i8>,
    /// Plies since the start of the game, at most 255.
    pub ply: u8,
}

/// What is kept of a position.
pub trait Note<P>: Fn(&Session) -> Result<P, String> + Sync {}

impl<P, F: Fn(&Session) -> Result<P, String> + Sync> Note<P> for F {}

impl SelfPlay {
    /// Plays games and passes the samples of each on, in their order, until `done` has enough of them or the
    /// flag is set.
    pub fn play<P: Send>(
        &self,
        game: &GameHandle,
        numbers: Range<u32>,
        stop: &Stop,
        note: &impl Note<P>,
        done: &mut dyn FnMut(u32, Vec<Sample<P>>) -> ControlFlow<()>,
    ) -> Result<(), String> {
        let taken = AtomicU32::new(numbers.start);
        let (sender, receiver) = mpsc::channel();
        thread::scope(|scope| {
            for _ in 0..self.threads.get() {
                let (sender, taken, end) = (sender.clone(), &taken, numbers.end);
                scope.spawn(move || {
                    let work = || -> Result<(), String> {
                        let player = game.player(&self.player, self.seed);
                        let mut player = player.map_err(|error| error.to_string())?;
                        loop {
                            let number = taken.fetch_add(1, Ordering::Relaxed);
                            if number >= end {
                                return Ok(());
                            }
                            match self.play_game(number, &mut *player, game.start(), stop, note)? {
                                Some(samples) => drop(sender.send(Ok((number, samples)))),
                                None => return Ok(()),
                            }
                        }
                    };
                    if let Err(error) = work() {
                        drop(sender.send(Err(error)));
                    }
                });
            }
            drop(sender);
            let mut next = numbers.start;
            let mut waiting = BTreeMap::new();
            for message in receiver {
                let (number, samples) = message.inspect_err(|_| stop.stop())?;
                waiting.insert(number, samples);
                while let Some(samples) = waiting.remove(&next) {
                    if done(next, samples).is_break() {
                        stop.stop();
                        return Ok(());
                    }
                    next += 1;
                }
            }
            Ok(())
        })
    }

    /// The samples of one game; `None` if the flag was set.
    fn play_game<P>(
        &self,
        number: u32,
        player: &mut dyn Player,
        mut session: Session,
        stop: &Stop,
        note: &impl Note<P>,
    ) -> Result<Option<Vec<Sample<P>>>, String> {
        let mut rng = Rng::stream(self.seed, number.into());
        player.new_game(rng.next_u64());
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        let mut search = |session: &Session| {
            let report = player.analyse(session, &limits, stop, &mut |_| ());
            report.map_err(|failure| failure.to_string())
        };
        let sample = |session: &Session, value: f64| -> Result<Sample<P>, String> {
            let ply = session.moves().len().min(255) as u8;
            Ok(Sample { position: note(session)?, game: number, value, result: None, ply })
        };
        // 1. The opening.
        for _ in 0..FEWEST_PLIES + rng.below(NUMBERS_OF_PLIES) {
            session.play(session.random_move(&mut rng));
            if session.outcome().is_some() {
                return Ok(Some(Vec::new()));
            }
        }
        // 2. The game, up to a value that is known. A position of the game has a side to move.
        let mut samples: Vec<(Sample<P>, Option<Side>)> = Vec::new();
        let outcome = loop {
            if let Some(outcome) = session.outcome() {
                break outcome;
            }
            if session.moves().len() >= MOST_PLIES {
                break Outcome::Draw;
            }
            let report = search(&session)?;
            if stop.is_set() {
                return Ok(None);
            }
            let side = session.to_move();
            match report.proven {
                Some(GameValue::Win) => break Outcome::Win(side),
                Some(GameValue::Loss) => break Outcome::Win(!side),
                Some(GameValue::Draw) => break Outcome::Draw,
                None => samples.push((sample(&session, report.value)?, Some(side))),
            }
            let best = report.best.ok_or_else(|| format!("{} has no move", self.player))?;
            // 3. Off the path.
            let random = session.random_move(&mut rng);
            if rng.unit() < self.off_path && random != best {
                let mut other = session.clone();
                other.play(random);
                let report = search(&other)?;
                if stop.is_set() {
                    return Ok(None);
                }
                if report.proven.is_none() {
                    samples.push((sample(&other, report.value)?, None));
                }
            }
            session.play(best);
        };
        let with_result = |(sample, side): (Sample<P>, Option<Side>)| Sample {
            result: side.map(|side| GameValue::of(outcome, side).score() as i8),
            ..sample
        };
        Ok(Some(samples.into_iter().map(with_result).collect()))
    }
}
