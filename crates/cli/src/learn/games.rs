//! `spinney learn games`: positions to train networks with, by self-play.
//!
//! A game begins with 5 to 12 random plies. Then the player moves for both sides, with the same work for
//! every move, until it proves a value, which is the result. Every position on the way is kept with the
//! value of its search. With a certain probability the position after a random move in its place is
//! searched and kept too: a network must also know positions off the path of good play. Positions with a
//! proven value, and those that are in the file already, are left out.
//!
//! Game number i follows from the seed and i alone, and games are written in their order. So the file does
//! not depend on the number of threads, and a file that was cut off anywhere is continued: its last game
//! is played again.

use std::collections::{BTreeMap, HashSet};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc;
use std::{fs, thread};

use anyhow::{Context, Error, Result, bail};
use clap::Args;
use serde::Serialize;
use spinney_game::{Notation, file};
use spinney_games::loa::Loa;
use spinney_network::data::{self, Data, Position};
use spinney_session::{
    GameHandle, GameValue, Limits, Outcome, Player, PlayerSpec, Registry, Rng, Session, Side, Stop,
};

use super::Board;
use crate::exit::Ending;
use crate::interrupt::stop_on_interrupt;
use crate::progress;

/// The fewest random plies of an opening, and how many numbers of plies there are.
const FEWEST_PLIES: u32 = 5;
const NUMBERS_OF_PLIES: u32 = 8;
/// A game is a draw after this many plies. Guess: most games have less than 60.
const MOST_PLIES: usize = 200;

#[derive(Args)]
pub(super) struct LearnGames {
    /// The game.
    #[arg(long, value_name = "GAME", default_value = "loa")]
    pub(super) game: Board,
    /// Who plays both sides.
    #[arg(long, value_name = "SPEC", default_value = "mia-plus:table=2")]
    pub(super) player: PlayerSpec,
    /// Nodes of the search for each move.
    #[arg(long, default_value_t = 1500)]
    pub(super) nodes: u64,
    /// The number of the first game: shards have different ones.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) first: u32,
    /// The number of games.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(super) games: u32,
    /// The probability that the position after a random move is kept too.
    #[arg(long, value_name = "P", default_value_t = 0.35)]
    pub(super) off_path: f64,
    /// The seed of all games.
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,
    /// Games at once.
    #[arg(long, default_value = "1")]
    pub(super) threads: NonZero<usize>,
    /// The file of positions; one that is there already is continued.
    #[arg(long, value_name = "FILE")]
    pub(super) out: PathBuf,
}

/// How the positions of a file were made.
#[derive(Serialize)]
struct Recipe {
    game: String,
    /// Without the file of a network.
    player: String,
    /// The checksum of the network.
    #[serde(skip_serializing_if = "Option::is_none")]
    network: Option<String>,
    nodes: u64,
    off_path: f64,
    seed: u64,
    first: u32,
}

impl LearnGames {
    pub(super) fn run(&self, out: &mut impl Write) -> Result<Ending> {
        let written = self.write(&stop_on_interrupt()?)?;
        writeln!(out, "{} games, {} positions", written.next - self.first, written.count)?;
        let is_complete = written.next == self.first + self.games;
        Ok(if is_complete { Ending::Complete } else { Ending::Interrupted })
    }

    /// Makes what is missing in the file; `false` if the flag was set before the end.
    pub(super) fn make(&self, stop: &Stop) -> Result<bool> {
        Ok(self.write(stop)?.next == self.first + self.games)
    }

    fn write(&self, stop: &Stop) -> Result<Written> {
        if !(0.0..=1.0).contains(&self.off_path) {
            bail!("--off-path {}: expected a probability", self.off_path);
        }
        let Some(end) = self.first.checked_add(self.games) else {
            bail!("--first {} --games {}: too many games", self.first, self.games);
        };
        let registry = Registry::builtin();
        let game = registry.game(self.game.name())?;
        game.check(&self.player)?;
        let recipe = Recipe {
            game: game.to_string(),
            player: self.player.without("network").to_string(),
            network: self.player.value("network").map(checksum).transpose()?,
            nodes: self.nodes,
            off_path: self.off_path,
            seed: self.seed,
            first: self.first,
        };
        let text = serde_json::to_string(&recipe)?;
        let mut written = Written::open(&self.out, &text, self.first)
            .with_context(|| self.out.display().to_string())?;
        self.play(&game, written.next..end, stop, &mut |game, positions| {
            written.add(game, positions).with_context(|| self.out.display().to_string())
        })?;
        Ok(written)
    }

    /// Plays games and passes them on in their order, until the flag is set.
    fn play(
        &self,
        game: &GameHandle,
        numbers: std::ops::Range<u32>,
        stop: &Stop,
        done: &mut dyn FnMut(u32, Vec<Position>) -> Result<()>,
    ) -> Result<()> {
        let bar = progress::bar(numbers.len() as u64, " games");
        let taken = AtomicU32::new(numbers.start);
        let (sender, receiver) = mpsc::channel();
        thread::scope(|scope| {
            for _ in 0..self.threads.get() {
                let (sender, taken, end) = (sender.clone(), &taken, numbers.end);
                scope.spawn(move || {
                    let work = || -> Result<()> {
                        let mut player = game.player(&self.player, self.seed)?;
                        loop {
                            let number = taken.fetch_add(1, Ordering::Relaxed);
                            if number >= end {
                                return Ok(());
                            }
                            match self.play_game(number, &mut *player, game.start(), stop)? {
                                Some(positions) => drop(sender.send(Ok((number, positions)))),
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
                let result = message.and_then(|(number, positions)| {
                    waiting.insert(number, positions);
                    while let Some(positions) = waiting.remove(&next) {
                        done(next, positions)?;
                        bar.inc(1);
                        next += 1;
                    }
                    Ok(())
                });
                if result.is_err() {
                    stop.stop();
                    return result;
                }
            }
            Ok(())
        })
    }

    /// The positions of one game; `None` if the flag was set.
    fn play_game(
        &self,
        number: u32,
        player: &mut dyn Player,
        mut session: Session,
        stop: &Stop,
    ) -> Result<Option<Vec<Position>>> {
        let mut rng = Rng::stream(self.seed, number.into());
        player.new_game(rng.next_u64());
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        let mut search = |session: &Session| player.analyse(session, &limits, stop, &mut |_| ());
        let position = |session: &Session, value: f64| -> Result<Position> {
            let sets = self.game.sets(session)?;
            let ply = session.moves().len().min(255) as u8;
            Ok(Position { sets, game: number, value, result: None, ply })
        };
        // 1. The opening.
        for _ in 0..FEWEST_PLIES + rng.below(NUMBERS_OF_PLIES) {
            session.play(session.random_move(&mut rng));
            if session.outcome().is_some() {
                return Ok(Some(Vec::new()));
            }
        }
        // 2. The game, up to a value that is known. A position of the game has a side to move.
        let mut positions: Vec<(Position, Option<Side>)> = Vec::new();
        let outcome = loop {
            if let Some(outcome) = session.outcome() {
                break outcome;
            }
            if session.moves().len() >= MOST_PLIES {
                break Outcome::Draw;
            }
            let report = search(&session).map_err(Error::msg)?;
            if stop.is_set() {
                return Ok(None);
            }
            let side = session.to_move();
            match report.proven {
                Some(GameValue::Win) => break Outcome::Win(side),
                Some(GameValue::Loss) => break Outcome::Win(!side),
                Some(GameValue::Draw) => break Outcome::Draw,
                None => positions.push((position(&session, report.value)?, Some(side))),
            }
            let Some(best) = report.best else { bail!("{} has no move", self.player) };
            // 3. Off the path.
            let random = session.random_move(&mut rng);
            if rng.unit() < self.off_path && random != best {
                let mut other = session.clone();
                other.play(random);
                let report = search(&other).map_err(Error::msg)?;
                if stop.is_set() {
                    return Ok(None);
                }
                if report.proven.is_none() {
                    positions.push((position(&other, report.value)?, None));
                }
            }
            session.play(best);
        };
        let with_result = |(position, side): (Position, Option<Side>)| Position {
            result: side.map(|side| GameValue::of(outcome, side).score() as i8),
            ..position
        };
        Ok(Some(positions.into_iter().map(with_result).collect()))
    }
}

/// The checksum of a network: the last bytes of its file.
pub(super) fn checksum(path: impl AsRef<Path>) -> Result<String> {
    let path = path.as_ref();
    let bytes = fs::read(path).with_context(|| path.display().to_string())?;
    let sum = bytes.last_chunk().map_or(0, |sum| u64::from_le_bytes(*sum));
    Ok(format!("{sum:016x}"))
}

impl Board {
    /// The name of the game.
    pub(super) fn name(self) -> &'static str {
        match self {
            Board::Loa => "loa",
            Board::Loa6 => "loa6",
        }
    }

    /// The men of the side to move and of the other.
    fn sets(self, session: &Session) -> Result<[u64; 2]> {
        let sides = [session.to_move(), !session.to_move()];
        let text = session.position_text();
        Ok(match self {
            Board::Loa => {
                let position = Loa::<8>::default().parse_position(&text)?;
                sides.map(|side| position.men(side))
            }
            Board::Loa6 => {
                let position = Loa::<6>::default().parse_position(&text)?;
                sides.map(|side| position.men(side))
            }
        })
    }
}

/// A file of positions, and what is in it.
struct Written {
    file: File,
    seen: HashSet<[u64; 2]>,
    /// The number of positions.
    count: usize,
    /// The first game that is missing.
    next: u32,
}

impl Written {
    /// Begins a file, or continues one with the same text.
    fn open(path: &Path, text: &str, first: u32) -> Result<Written> {
        let header = data::header(text);
        let mut data = match path.exists() {
            true => Data::from_bytes(&fs::read(path)?)?,
            false => Data { text: text.to_owned(), positions: Vec::new() },
        };
        if data.text != text {
            bail!("made with other settings: {}", data.text);
        }
        // The last game may be incomplete.
        let next = data.positions.last().map_or(first, |position| position.game);
        data.positions.retain(|position| position.game < next);
        let mut file = OpenOptions::new().append(true).create(true).open(path)?;
        let length = header.len() + data.positions.len() * data::RECORD;
        if file.metadata()?.len() == 0 {
            file.write_all(&header)?;
        }
        file.set_len(length as u64)?;
        let seen = data.positions.iter().map(|position| position.sets).collect();
        Ok(Written { file, seen, count: data.positions.len(), next })
    }

    /// Adds the next game.
    fn add(&mut self, game: u32, mut positions: Vec<Position>) -> Result<()> {
        positions.retain(|position| self.seen.insert(position.sets));
        let bytes: Vec<u8> = positions.iter().flat_map(Position::to_bytes).collect();
        file::uninterrupted(|| self.file.write_all(&bytes))?;
        self.count += positions.len();
        self.next = game + 1;
        Ok(())
    }
}
