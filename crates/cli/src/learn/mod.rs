//! `spinney learn`: tables and weights made from games.

mod climb;
mod evaluation;
mod games;
mod network;
mod openings;
mod puzzles;
mod regression;
mod report;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Error, Result, bail};
use clap::{Args, Subcommand, ValueEnum};
use spinney_arena::{Contestant, GameRecord, GameResult};
use spinney_game::{Game, Notation, Outcome, Side, file};
use spinney_games::loa::knowledge::categories::Census;
use spinney_games::loa::{Loa, Move};
use spinney_protocol::loa_archive;
use spinney_session::Registry;

use crate::exit::Ending;
use crate::interrupt::exit_on_interrupt;

#[derive(Args)]
pub(crate) struct Learn {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// How often LOA moves of each category are played.
    Categories(Categories),
    /// The weights of LOA's evaluation, from the results of games.
    Evaluation(evaluation::LearnEvaluation),
    /// A strong network from nothing: self-play, training and matches, again and again.
    Climb(climb::Climb),
    /// Positions to train networks with, by self-play.
    Games(games::LearnGames),
    /// A network from the positions that `games` made.
    Network(network::LearnNetwork),
    /// Balanced openings of LOA for matches, distinct up to symmetry.
    Openings(openings::Openings),
    /// A page about a climb and a tuning: generations, losses, the course of numbers.
    Report(report::LearnReport),
    /// Puzzles of LOA from games: positions in which one move wins, proven.
    Puzzles(puzzles::Puzzles),
}

/// The boards of LOA.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Board {
    /// 8x8.
    Loa,
    /// 6x6.
    Loa6,
}

/// Games to learn from.
#[derive(Args)]
struct Games {
    /// The game.
    #[arg(long, value_name = "GAME", default_value = "loa")]
    game: Board,
    /// Folders of game records in SGF, of loa.
    #[arg(long, value_name = "DIR")]
    games: Vec<PathBuf>,
    /// Files of games that `spinney match GAME ... --out FILE` wrote.
    #[arg(long, value_name = "FILE")]
    matches: Vec<PathBuf>,
}

/// A game to learn from.
struct Played<const N: usize> {
    start: Loa<N>,
    moves: Vec<Move>,
    winner: Option<Side>,
}

#[derive(Args)]
struct Categories {
    #[command(flatten)]
    games: Games,
    /// Where to write the table; stdout if absent.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Learn {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<Ending> {
        match &self.what {
            What::Categories(command) => command.run(out).map(Ending::from),
            What::Evaluation(command) => command.run(out).map(Ending::from),
            What::Climb(command) => command.run(out),
            What::Games(command) => command.run(out),
            What::Network(command) => command.run(out).map(Ending::from),
            What::Openings(command) => command.run(out).map(Ending::from),
            What::Report(command) => command.run(out).map(Ending::from),
            What::Puzzles(command) => command.run(out),
        }
    }
}

impl Games {
    /// The games of the folders; those on the small board are in matches only.
    fn archive(&self) -> Result<Vec<Played<8>>> {
        let mut games = Vec::new();
        for folder in &self.games {
            if self.game != Board::Loa {
                bail!("--games: SGF records are of loa; use --matches");
            }
            games.extend(loa_archive::read(folder)?.into_iter().map(|game| {
                let winner = match game.outcome {
                    Some(Outcome::Win(winner)) => Some(winner),
                    _ => None,
                };
                Played { start: game.start, moves: game.moves, winner }
            }));
        }
        Ok(games)
    }

    /// The games of the matches; `found` gets each with its record.
    fn read_matches<const N: usize>(
        &self,
        mut found: impl FnMut(&GameRecord, Played<N>),
    ) -> Result<()> {
        let registry = Registry::builtin();
        for path in &self.matches {
            let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
            for (number, line) in (1..).zip(text.lines()) {
                let place = || format!("{}, line {number}", path.display());
                let record: GameRecord = serde_json::from_str(line).with_context(place)?;
                record.check(&registry).map_err(Error::msg).with_context(place)?;
                found(&record, Played::new(&record).with_context(place)?);
            }
        }
        Ok(())
    }
}

impl<const N: usize> Played<N> {
    fn new(record: &GameRecord) -> Result<Self> {
        let winner = match record.result {
            GameResult::Draw => None,
            GameResult::A => Some(Contestant::A.side(record.first)),
            GameResult::B => Some(Contestant::B.side(record.first)),
        };
        let start = Loa::default().parse_position(&record.start)?;
        let mut position = start.clone();
        let mut moves = Vec::new();
        for text in record.opening.iter().chain(record.moves.iter().map(|played| &played.m)) {
            let m = position.parse_move(text)?;
            moves.push(m);
            position.play(m);
        }
        Ok(Played { start, moves, winner })
    }
}

/// Counts the categories of games.
#[derive(Default)]
struct Counted {
    census: Census,
    games: usize,
    plies: usize,
}

impl Counted {
    fn add<const N: usize>(&mut self, game: Played<N>) {
        let mut position = game.start;
        for &m in &game.moves {
            self.census.add(&position, m);
            position.play(m);
        }
        self.games += 1;
        self.plies += game.moves.len();
    }
}

impl Categories {
    fn run(&self, out: &mut impl Write) -> Result<()> {
        let mut counted = Counted::default();
        self.games.archive()?.into_iter().for_each(|game| counted.add(game));
        match self.games.game {
            Board::Loa => self.games.read_matches::<8>(|_, game| counted.add(game))?,
            Board::Loa6 => self.games.read_matches::<6>(|_, game| counted.add(game))?,
        }
        let Counted { census, games, plies } = counted;
        let text = format!(
            "# Move categories of LOA: number, positions in which it was played, available.\n\
             # Made by `spinney learn categories` from {games} games, {plies} plies.\n{}",
            census.text()
        );
        match &self.out {
            None => Ok(out.write_all(text.as_bytes())?),
            Some(path) => write(path, &text),
        }
    }
}

/// Writes what was learned to a file.
fn write(path: &Path, text: &str) -> Result<()> {
    exit_on_interrupt()?;
    file::replace(path, text.as_bytes()).with_context(|| path.display().to_string())
}
