//! `spinney learn climb`: generations of networks, each from games that the one before it played.
//!
//! A generation is made in three steps: games by the last network that was accepted (the first by the
//! evaluation without one), a network from the games of the last generations, and matches. It is accepted
//! if it is stronger than the last one, and not weaker than any before. Two generations in a row that gain
//! little end the climb.
//!
//! The folder has everything: a climb that was interrupted continues where it was. But for the time that they
//! take, the files follow from the settings.

use std::fs;
use std::io::Write;
use std::num::NonZero;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args;
use serde::{Deserialize, Serialize};
use spinney_arena::{Adjudication, End, Hypothesis, Match, RecordFile, Sprt, Table, read_openings};
use spinney_game::file;
use spinney_session::{GameHandle, Limits, PlayerSpec, Registry, Stop};

use super::Board;
use super::games::LearnGames;
use super::network::LearnNetwork;
use crate::exit::Ending;
use crate::interrupt::stop_on_interrupt;
use crate::progress;

/// Elo below which a generation gains little.
const LITTLE: f64 = 15.0;
/// A generation that gains less than this, in Elo, doubles the games of those after it.
const MODEST: f64 = 40.0;
/// The sequential tests that a network passes, in Elo: against the last one, and against those before.
const STRONGER: &str = "0,15";
const NOT_WEAKER: &str = "-15,0";
/// The openings of the matches.
const OPENINGS: [&str; 2] = [
    include_str!("../../../../testdata/openings/loa-100.txt"),
    include_str!("../../../../testdata/openings/loa6-100.txt"),
];

#[derive(Args)]
pub(super) struct Climb {
    /// The game.
    #[arg(long, value_name = "GAME", default_value = "loa")]
    game: Board,
    /// Who plays, with and without networks.
    #[arg(long, value_name = "SPEC", default_value = "spinney:table=2")]
    player: PlayerSpec,
    /// The most generations.
    #[arg(long, value_name = "N", default_value_t = 12)]
    generations: u32,
    /// Games of a generation; twice as many after each generation that gained less than 40 Elo.
    #[arg(long, value_name = "N", default_value_t = 12_000)]
    games: u32,
    /// Nodes of the search for each move of them.
    #[arg(long, value_name = "N", default_value_t = 2000)]
    nodes: u64,
    /// The generations whose games a network learns from.
    #[arg(long, value_name = "N", default_value = "6")]
    window: NonZero<usize>,
    /// How often a network sees every position.
    #[arg(long, default_value_t = 10)]
    epochs: u32,
    /// The most games of a match.
    #[arg(long, value_name = "N", default_value_t = 2000)]
    match_games: u64,
    /// Nodes for each move of a match.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    match_nodes: u64,
    /// The seed of everything.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads; they change nothing but the time.
    #[arg(long, default_value = "1")]
    threads: NonZero<usize>,
    /// The folder of all files.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

/// A generation.
#[derive(Serialize, Deserialize)]
pub(super) struct Generation {
    pub(super) number: u32,
    /// The generation whose network played its games; 0 has none.
    pub(super) player: u32,
    pub(super) games: u32,
    /// The checksum of its network.
    pub(super) network: String,
    /// Against the last network that was accepted, and those before it, the newest first.
    pub(super) matches: Vec<Played>,
    pub(super) is_accepted: bool,
}

impl Generation {
    /// In Elo, against the last network that was accepted.
    pub(super) fn gain(&self) -> f64 {
        match self.matches.first() {
            Some(first) if self.is_accepted => first.elo.unwrap_or(f64::INFINITY),
            _ => 0.0,
        }
    }
}

/// The generations whose networks were accepted, the oldest first. Before the first there is the evaluation
/// without a network.
fn accepted(climbed: &[Generation]) -> Vec<u32> {
    let numbers = climbed.iter().filter(|one| one.is_accepted).map(|one| one.number);
    std::iter::once(0).chain(numbers).collect()
}

/// A match of a generation.
#[derive(Serialize, Deserialize)]
pub(super) struct Played {
    /// The generation of the opponent; 0 has no network.
    pub(super) against: u32,
    /// The test.
    pub(super) sprt: String,
    pub(super) games: u64,
    /// The share of the points, from 0 to 1.
    pub(super) score: f64,
    pub(super) elo: Option<f64>,
    pub(super) is_passed: bool,
}

impl Climb {
    pub(super) fn run(&self, out: &mut impl Write) -> Result<Ending> {
        let registry = Registry::builtin();
        let game = registry.game(self.game.name())?;
        game.check(&self.player)?;
        fs::create_dir_all(&self.out).with_context(|| self.out.display().to_string())?;
        self.claim_folder()?;
        let stop = stop_on_interrupt()?;
        let mut climbed = Vec::new();
        for number in 1..=self.generations {
            let Some(generation) = self.generation(number, &climbed, &game, &stop, out)? else {
                writeln!(out, "interrupted; the same command continues")?;
                return Ok(Ending::Interrupted);
            };
            climbed.push(generation);
            if let [.., before, last] = &climbed[..]
                && before.gain().max(last.gain()) < LITTLE
            {
                break;
            }
        }
        match accepted(&climbed).last() {
            Some(&best) if best > 0 => {
                writeln!(out, "the network: {}", self.file(best, "net").display())?;
            }
            _ => writeln!(out, "no network was accepted")?,
        }
        Ok(Ending::Complete)
    }

    /// Refuses a folder of a climb with other settings. More generations are no other settings.
    fn claim_folder(&self) -> Result<()> {
        let Climb { game, player, games, nodes, window, epochs, match_games, match_nodes, .. } =
            self;
        let settings = format!(
            "{}: {player}, {games} games of {nodes} nodes a move, window {window}, {epochs} epochs, \
             matches of {match_games} games and {match_nodes} nodes, seed {}\n",
            game.name(),
            self.seed
        );
        let path = self.out.join("settings.txt");
        match fs::read_to_string(&path) {
            Ok(text) if text == settings => Ok(()),
            Ok(text) => bail!("{}: made with other settings: {}", path.display(), text.trim()),
            Err(_) => file::replace(&path, settings.as_bytes())
                .with_context(|| path.display().to_string()),
        }
    }

    /// Makes a generation, as far as it is not made yet; `None` if the flag was set.
    fn generation(
        &self,
        number: u32,
        climbed: &[Generation],
        game: &GameHandle,
        stop: &Stop,
        out: &mut impl Write,
    ) -> Result<Option<Generation>> {
        let path = self.file(number, "json");
        if let Ok(text) = fs::read_to_string(&path) {
            return serde_json::from_str(&text)
                .map(Some)
                .with_context(|| path.display().to_string());
        }
        let accepted = accepted(climbed);
        let player = accepted.last().copied().unwrap_or(0);
        let doublings = climbed.iter().filter(|one| one.gain() < MODEST).count();
        let games = u32::try_from(doublings)
            .ok()
            .and_then(|doublings| self.games.checked_mul(2_u32.checked_pow(doublings)?))
            .context("too many games")?;
        // 1. Games. Those of earlier generations are played again if their files are gone.
        let before = climbed.iter().map(|one| (one.number, one.player, one.games));
        let window: Vec<_> =
            before.chain([(number, player, games)]).rev().take(self.window.get()).collect();
        let network = self.file(number, "net");
        let record_path = self.file(number, "training.json");
        if !record_path.exists() {
            for &(number, player, games) in window.iter().rev() {
                if !self.games(number, player, games).make(stop)? {
                    return Ok(None);
                }
            }
            // 2. A network, which learns from the newest games first.
            let learn = LearnNetwork {
                game: self.game,
                data: window.iter().map(|&(number, ..)| self.file(number, "data")).collect(),
                epochs: self.epochs,
                seed: self.seed,
                threads: self.threads,
                ..LearnNetwork::to(network.clone())
            };
            let mut record = Vec::new();
            learn.learn(&mut record)?;
            file::replace(&record_path, &record)
                .with_context(|| record_path.display().to_string())?;
        }
        // 3. Matches, the first of which it must win.
        let mut matches: Vec<Played> = Vec::new();
        for &opponent in accepted.iter().rev() {
            let test = if matches.is_empty() { STRONGER } else { NOT_WEAKER };
            let Some(played) = self.play(number, opponent, test, game, stop)? else {
                return Ok(None);
            };
            writeln!(
                out,
                "generation {number} against {opponent}: {:.1} % of {} games, {}",
                100.0 * played.score,
                played.games,
                if played.is_passed { "passed" } else { "failed" }
            )?;
            out.flush()?;
            let is_passed = played.is_passed;
            matches.push(played);
            if !is_passed {
                break;
            }
        }
        let generation = Generation {
            number,
            player,
            games,
            network: super::games::checksum(&network)?,
            is_accepted: matches.iter().all(|played| played.is_passed),
            matches,
        };
        let text = serde_json::to_string_pretty(&generation)? + "\n";
        file::replace(&path, text.as_bytes()).with_context(|| path.display().to_string())?;
        Ok(Some(generation))
    }

    /// The games of a generation.
    fn games(&self, number: u32, player: u32, games: u32) -> LearnGames {
        LearnGames {
            game: self.game,
            player: self.player_of(player),
            nodes: self.nodes,
            first: 0,
            games,
            off_path: 0.35,
            seed: self.seed.wrapping_add(u64::from(number) - 1),
            threads: self.threads,
            out: self.file(number, "data"),
        }
    }

    /// A match of two generations; `None` if the flag was set.
    fn play(
        &self,
        number: u32,
        opponent: u32,
        test: &str,
        game: &GameHandle,
        stop: &Stop,
    ) -> Result<Option<Played>> {
        let sprt: Sprt = test.parse()?;
        let specs = [number, opponent].map(|number| self.player_of(number));
        let limits = Limits { nodes: Some(self.match_nodes), ..Limits::default() };
        let openings = OPENINGS[usize::from(self.game == Board::Loa6)];
        let plan = Match {
            game: game.clone(),
            // Not where the files are.
            players: [number, opponent].map(|number| format!("generation {number}")),
            limits: [limits; 2],
            openings: read_openings(game, openings)?,
            first_game: 0,
            games: self.match_games,
            seed: self.seed,
            max_plies: 2000,
            adjudication: Adjudication::One,
            sprt: Some(sprt),
            clocks: [None; 2],
        };
        let path = self.file(number, &format!("against-{opponent}.jsonl"));
        let (mut records, done) = RecordFile::resume(&path, |record| plan.claim(record))?;
        let tables = (0..self.threads.get())
            .map(|_| Table::new(&specs, game, &plan.limits))
            .collect::<Result<Vec<_>, _>>()?;
        let bar = progress::bar(self.match_games, " games");
        bar.set_position(done.len() as u64);
        let summary = plan.resume(&done, tables, stop, |record, _| {
            bar.inc(1);
            records.append(record)
        })?;
        bar.finish_and_clear();
        records.sync()?;
        if summary.end == End::Stopped {
            return Ok(None);
        }
        let verdict = summary.sprt.and_then(|sprt| sprt.accepted);
        Ok(Some(Played {
            against: opponent,
            sprt: test.to_owned(),
            games: summary.games,
            score: summary.score_a.unwrap_or(0.5),
            elo: summary.elo.filter(|elo| elo.is_finite()),
            is_passed: verdict == Some(Hypothesis::H1),
        }))
    }

    /// The player with the network of a generation; 0 has none.
    fn player_of(&self, number: u32) -> PlayerSpec {
        match number {
            0 => self.player.with("evaluation", "features"),
            _ => self
                .player
                .with("evaluation", "network")
                .with("network", &self.file(number, "net").to_string_lossy()),
        }
    }

    /// A file of a generation.
    fn file(&self, number: u32, ending: &str) -> PathBuf {
        self.out.join(format!("{number}.{ending}"))
    }
}
