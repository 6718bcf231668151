//! `spinney learn games`: positions to train networks with, by self-play.
//!
//! How games are played is in `spinney_arena::SelfPlay`. Positions that are in the file already are left out.
//! Games are written in their order, so the file does not depend on the number of threads, and a file that was
//! cut off anywhere is continued: its last game is played again.

use std::collections::HashSet;
use std::fs;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::{Context, Error, Result, bail};
use clap::Args;
use serde::Serialize;
use spinney_arena::{Sample, SelfPlay};
use spinney_game::{Notation, file};
use spinney_games::loa::Loa;
use spinney_network::data::{self, Data, Position};
use spinney_session::{PlayerSpec, Registry, Session, Stop};

use super::Board;
use crate::exit::Ending;
use crate::interrupt::stop_on_interrupt;
use crate::progress;

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
        let first = written.next;
        let bar = progress::bar((end - first).into(), " games");
        let mut failure = None;
        let note = |session: &Session| self.game.sets(session).map_err(|error| error.to_string());
        let mut done = |game, samples: Vec<Sample<[u64; 2]>>| {
            let positions = samples.into_iter().map(position).collect();
            bar.inc(1);
            match written.add(game, positions) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    failure = Some(error.context(self.out.display().to_string()));
                    ControlFlow::Break(())
                }
            }
        };
        let self_play = SelfPlay {
            player: self.player.clone(),
            nodes: self.nodes,
            off_path: self.off_path,
            seed: self.seed,
            threads: self.threads,
        };
        self_play.play(&game, first..end, stop, &note, &mut done).map_err(Error::msg)?;
        if let Some(error) = failure {
            return Err(error);
        }
        Ok(written)
    }
}

/// A sample as a record of the file.
fn position(sample: Sample<[u64; 2]>) -> Position {
    let Sample { position: sets, game, value, result, ply } = sample;
    Position { sets, game, value, result, ply }
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
