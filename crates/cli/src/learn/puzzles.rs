//! `spinney learn puzzles`: positions of recorded games in which exactly one move wins.
//!
//! Positions are tried in which the other side threatens to win at once: there a move that does not win
//! mostly loses, and that can be proven. Every verdict is proven: the shortest win by a search of full width, and for each other legal move by
//! df-pn that it does not win. Along the main line (the fastest win, and the defence that lasts longest)
//! all winning moves of every step are kept, so that whoever shows the puzzle can tell right from wrong
//! without a solver.
//!
//! All limits count nodes: the same games give the same puzzles.

use std::collections::{BTreeMap, HashSet};
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Error, Result, bail};
use clap::Args;
use serde::{Deserialize, Serialize};
use spinney_arena::{GameRecord, GameResult, Record, RecordFile};
use spinney_game::{Notation, Symmetric};
use spinney_games::loa::Loa;
use spinney_session::{
    Algorithm, GameHandle, GameValue, Limits, Outcome, PlayerSpec, Registry, Session, Solver, Stop,
};

use crate::exit::Ending;
use crate::interrupt::stop_on_interrupt;
use crate::limit::whole;
use crate::progress;

/// Alpha-beta that leaves nothing out, so that the first win it finds is the shortest.
const FULL_WIDTH: &str =
    "spinney:realisation=off,null=off,threats=off,quiescence=off,reduce=off,above=off,window=off";
/// Nodes for the shortest win of a position.
const NODES: u64 = 60_000;
/// Nodes for the proof that a move does not win.
const PROOF_NODES: u64 = 3_000_000;
/// Bytes of df-pn's table: a proof is small.
const PROOF_MEMORY: usize = 1 << 25;
/// The longest win, in plies.
const LONGEST: u32 = 11;

#[derive(Args)]
pub(super) struct Puzzles {
    /// Files of games of loa that `spinney match` or `spinney experiment` wrote; the file of --out keeps the
    /// numbers of games in this order.
    #[arg(required = true, value_name = "FILE")]
    matches: Vec<PathBuf>,
    /// At most this many puzzles of each length.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = whole(1_usize..))]
    each: usize,
    /// The file of the puzzles, a line of JSON each. The same command continues it.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// A position in which one move wins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Puzzle {
    game: String,
    /// The number of the game, times [`PLIES`], and the ply.
    index: u64,
    position: String,
    /// Plies until the win.
    plies: u32,
    /// The fastest win against the longest defence.
    line: Vec<String>,
    /// For each move of the winner in the line, all moves that win.
    wins: Vec<Vec<String>>,
}

/// More plies than a game has.
const PLIES: u64 = 10_000;

impl Record for Puzzle {
    fn index(&self) -> u64 {
        self.index
    }

    fn is_timed(&self) -> bool {
        false
    }
}

impl Puzzles {
    pub(super) fn run(&self, out: &mut impl Write) -> Result<Ending> {
        let registry = Registry::builtin();
        let games = self.games(&registry)?;
        let stop = stop_on_interrupt()?;
        let claim = |puzzle: &Puzzle| match puzzle.game.as_str() {
            "loa" => Ok(()),
            game => Err(format!("a puzzle of {game}")),
        };
        let (mut file, done) = RecordFile::resume(&self.out, claim).context("--out")?;
        let mut seen = HashSet::new();
        let mut counts = BTreeMap::<u32, usize>::new();
        for puzzle in &done {
            seen.insert(class(&puzzle.position)?);
            *counts.entry(puzzle.plies).or_default() += 1;
        }
        let next = done.iter().map(|puzzle| puzzle.index / PLIES + 1).max().unwrap_or(0);
        let search = Search::new(registry.game("loa")?, &stop)?;
        let bar = progress::bar(games.len() as u64, " games");
        for (number, record) in (0..).zip(&games).skip(next as usize) {
            bar.set_position(number);
            // One of each length, so that those of a length differ.
            let mut found = BTreeMap::new();
            for (ply, session) in search.threatened(record)? {
                let Some(mut puzzle) = search.puzzle(&session)? else { continue };
                let is_wanted = counts.get(&puzzle.plies).is_none_or(|&count| count < self.each);
                if is_wanted && !seen.contains(&class(&puzzle.position)?) {
                    puzzle.index = number * PLIES + ply as u64;
                    found.entry(puzzle.plies).or_insert(puzzle);
                }
            }
            // A game is searched to its end or not at all.
            if stop.is_set() {
                break;
            }
            for (plies, puzzle) in found {
                seen.insert(class(&puzzle.position)?);
                *counts.entry(plies).or_default() += 1;
                file.append(&puzzle).context("--out")?;
            }
        }
        bar.finish_and_clear();
        file.sync().context("--out")?;
        for (plies, count) in &counts {
            writeln!(out, "win in {}: {count}", plies.div_ceil(2))?;
        }
        Ok(if stop.is_set() { Ending::Interrupted } else { Ending::Complete })
    }

    /// All games that somebody won.
    fn games(&self, registry: &Registry) -> Result<Vec<GameRecord>> {
        let mut games = Vec::new();
        for path in &self.matches {
            let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
            for (number, line) in (1..).zip(text.lines()) {
                let place = || format!("{}, line {number}", path.display());
                let record: GameRecord = serde_json::from_str(line).with_context(place)?;
                record.check(registry).map_err(Error::msg).with_context(place)?;
                if record.game == "loa" && record.result != GameResult::Draw {
                    games.push(record);
                }
            }
        }
        if games.is_empty() {
            bail!("no game of loa that somebody won");
        }
        Ok(games)
    }
}

/// The least key of the images of a position.
fn class(position: &str) -> Result<u64> {
    let position = Loa::<8>::default().parse_position(position)?;
    let images = (0..position.symmetries()).map(|index| position.transformed_key(index));
    Ok(images.min().unwrap_or_default())
}

/// What decides positions.
struct Search<'a> {
    game: GameHandle,
    full_width: PlayerSpec,
    stop: &'a Stop,
}

impl<'a> Search<'a> {
    fn new(game: GameHandle, stop: &'a Stop) -> Result<Self> {
        Ok(Search { game, full_width: FULL_WIDTH.parse()?, stop })
    }

    /// The positions of a game, from the last on, in which the side that waits threatens to win at once, with
    /// their plies.
    fn threatened(&self, record: &GameRecord) -> Result<Vec<(usize, Session)>> {
        let moves = record.opening.iter().chain(record.moves.iter().map(|played| &played.m));
        let session = self.game.read(Some(&record.start), moves)?;
        let mut found = Vec::new();
        for (ply, session) in
            session.replay(|session, _| session.from_here()).into_iter().enumerate().rev()
        {
            if self.is_threatened(&session)? {
                found.push((ply, session));
            }
        }
        Ok(found)
    }

    /// Whether the side that waits would win by a move.
    fn is_threatened(&self, session: &Session) -> Result<bool> {
        let text = session.position_text();
        let turned = match text.strip_suffix(" b") {
            Some(board) => format!("{board} w"),
            None => text.replace(" w", " b"),
        };
        let waiting = self.game.at(Some(&turned))?;
        let wins = |m| {
            let mut next = waiting.clone();
            next.play(m);
            next.outcome() == Some(Outcome::Win(waiting.to_move()))
        };
        Ok(waiting.legal_moves().into_iter().any(wins))
    }

    /// The puzzle that a position is, if exactly one move wins and that is proven.
    fn puzzle(&self, start: &Session) -> Result<Option<Puzzle>> {
        let mut session = start.clone();
        let (mut line, mut wins) = (Vec::new(), Vec::new());
        let Some((GameValue::Win, plies, _)) = self.decide(&session, 2)? else { return Ok(None) };
        if plies > LONGEST {
            return Ok(None);
        }
        loop {
            // 1. The winner: the fastest move, and all that win.
            let Some((GameValue::Win, _, best)) = self.decide(&session, 1)? else {
                return Ok(None);
            };
            let most = if line.is_empty() { 1 } else { usize::MAX };
            let Some(winning) = self.winning(&session, most)? else { return Ok(None) };
            if !winning.contains(&best) {
                bail!("{}: the solvers do not agree on {best}", session.position_text());
            }
            wins.push(winning);
            session.play_texts([&best])?;
            line.push(best);
            if session.outcome().is_some() {
                break;
            }
            // 2. The other side: what lasts longest.
            let Some((GameValue::Loss, _, reply)) = self.decide(&session, 1)? else {
                return Ok(None);
            };
            session.play_texts([&reply])?;
            line.push(reply);
            if session.outcome().is_some() {
                break;
            }
        }
        let position = start.position_text();
        Ok(Some(Puzzle { game: self.game.to_string(), index: 0, position, plies, line, wins }))
    }

    /// The value of a position, its distance to the end in plies and the best move, if that is decided. A
    /// second move that wins as well is no win of the first alone: with two `lines` it leaves the
    /// position undecided.
    fn decide(&self, session: &Session, lines: u32) -> Result<Option<(GameValue, u32, String)>> {
        let spec = self.full_width.with("lines", &lines.to_string());
        let mut player = self.game.player(&spec, 0)?;
        let limits = Limits { depth: Some(LONGEST), ..Limits::nodes(NODES) };
        let report = player.analyse(&session.from_here(), &limits, self.stop, &mut |_| ())?;
        let (Some(value), Some(plies), Some(best)) = (report.proven, report.plies, report.best)
        else {
            return Ok(None);
        };
        let second = report.candidates.get(1).and_then(|second| second.proven);
        let is_unique = lines == 1 || second != Some(GameValue::Win);
        Ok(is_unique.then(|| (value, plies, session.move_text(best))))
    }

    /// All moves that win, each other one proven not to; `None` if there are more than `most`, or if a
    /// proof is out of reach.
    fn winning(&self, session: &Session, most: usize) -> Result<Option<Vec<String>>> {
        let algorithm = Algorithm::Solver(Solver::DF_PN);
        let mut winning = Vec::new();
        for m in session.legal_moves() {
            let mut next = session.from_here();
            next.play(m);
            let limits = Limits::nodes(PROOF_NODES);
            let report = next.solve(&algorithm, PROOF_MEMORY, &limits, self.stop);
            match report.map_err(Error::msg)?.proven {
                None => return Ok(None),
                Some(GameValue::Loss) => winning.push(session.move_text(m)),
                Some(_) => {}
            }
            if winning.len() > most {
                return Ok(None);
            }
        }
        Ok(Some(winning))
    }
}
