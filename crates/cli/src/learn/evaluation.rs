//! `spinney learn evaluation`: the weights of LOA's evaluation, from the results of games.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;
use serde::Serialize;
use spinney_arena::GameRecord;
use spinney_game::Game;
use spinney_games::loa::knowledge::evaluation::{COUNT, NAMES, features};
use spinney_games::loa::knowledge::lines::Lines;

use super::regression::{self, Example};
use super::{Board, Games, Played};

/// One game in this many is held out.
const HELD_OUT: usize = 5;
/// Opening moves say little about the result. Guess.
const SKIPPED_PLIES: usize = 6;
/// Beyond this value, at least this share of held-out positions must be won.
const DECISIVE: f64 = 700.0;
const DECISIVE_SHARE: f64 = 0.95;

#[derive(Args)]
pub(super) struct LearnEvaluation {
    #[command(flatten)]
    games: Games,
    /// Where to write the record of the run, as JSON; stdout if absent.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// What is kept of a run.
#[derive(Serialize)]
struct Record {
    /// How the games of the matches were made: players, limits and seeds.
    matches: Vec<String>,
    training: Fitted,
    /// What the weights say of games they were not learned from, by where those come from.
    held_out: Vec<HeldOut>,
    weights: Vec<(&'static str, f64)>,
}

#[derive(Serialize)]
struct Fitted {
    games: usize,
    positions: usize,
    /// The mean log-likelihood after each step.
    curve: Vec<f64>,
}

#[derive(Serialize)]
struct HeldOut {
    games_of: &'static str,
    games: usize,
    positions: usize,
    log_likelihood: f64,
    /// The share of positions whose sign of the evaluation is the winner.
    accuracy: f64,
    /// The positions beyond 700, and the share of them that were won.
    decisive_positions: usize,
    decisive_won: f64,
}

/// Examples from games of one kind: positions of decided games, for the side to move.
#[derive(Default)]
struct Corpus {
    games: usize,
    training: Vec<Example<COUNT>>,
    held_out: Vec<Example<COUNT>>,
}

impl Corpus {
    /// Adds a game, if it was decided.
    fn add<const N: usize>(&mut self, game: Played<N>) {
        let Played { start: mut position, moves, winner: Some(winner) } = game else { return };
        let target = match self.games % HELD_OUT {
            0 => &mut self.held_out,
            _ => &mut self.training,
        };
        self.games += 1;
        for (ply, &m) in moves.iter().enumerate() {
            if ply >= SKIPPED_PLIES {
                let features = features(&position, &Lines::new(&position)).map(f64::from);
                target.push(Example { features, won: position.to_move() == winner });
            }
            position.play(m);
        }
    }

    fn held_out_games(&self) -> usize {
        self.games.div_ceil(HELD_OUT)
    }
}

impl LearnEvaluation {
    pub(super) fn run(&self, out: &mut impl Write) -> Result<()> {
        // 1. Examples.
        let mut real = Corpus::default();
        self.games.archive()?.into_iter().for_each(|game| real.add(game));
        let mut own = Corpus::default();
        let mut matches = BTreeSet::new();
        match self.games.game {
            Board::Loa => self.games.read_matches::<8>(|record, game| {
                matches.insert(described(record));
                own.add(game);
            })?,
            Board::Loa6 => self.games.read_matches::<6>(|record, game| {
                matches.insert(described(record));
                own.add(game);
            })?,
        }
        let corpora: Vec<_> = [("people and programs", real), ("matches", own)]
            .into_iter()
            .filter(|(_, corpus)| corpus.games > 0)
            .collect();
        let mut training = Vec::new();
        for (_, corpus) in &corpora {
            if corpus.training.is_empty() {
                bail!("too few decided games to learn from: {}", corpus.games);
            }
            training.extend_from_slice(&corpus.training);
        }
        if training.is_empty() {
            bail!("no decided games to learn from");
        }
        // 2. The weights, up to their scale.
        let fit = regression::fit::<COUNT>(&training);
        // 3. The scale: 700 points are where the training positions are won often enough.
        let scale = DECISIVE / decisive_logit(&training, &fit.weights);
        let weights = fit.weights.map(|weight| weight * scale);
        let record = Record {
            matches: matches.into_iter().collect(),
            training: Fitted {
                games: corpora.iter().map(|(_, c)| c.games - c.held_out_games()).sum(),
                positions: training.len(),
                curve: fit.curve,
            },
            held_out: corpora
                .iter()
                .map(|(games_of, corpus)| HeldOut::new(games_of, corpus, &fit.weights, scale))
                .collect(),
            weights: NAMES.into_iter().zip(weights).collect(),
        };
        // 4. The record.
        let text = serde_json::to_string_pretty(&record)? + "\n";
        match &self.out {
            None => Ok(out.write_all(text.as_bytes())?),
            Some(path) => super::write(path, &text),
        }
    }
}

impl HeldOut {
    fn new(games_of: &'static str, corpus: &Corpus, weights: &[f64; COUNT], scale: f64) -> Self {
        let examples = &corpus.held_out;
        let judged: Vec<_> = examples.iter().map(|example| judgement(example, weights)).collect();
        let decisive = judged.iter().filter(|(size, _)| size * scale > DECISIVE);
        HeldOut {
            games_of,
            games: corpus.held_out_games(),
            positions: examples.len(),
            log_likelihood: regression::log_likelihood(examples, weights),
            accuracy: share(judged.iter()),
            decisive_positions: decisive.clone().count(),
            decisive_won: share(decisive),
        }
    }
}

/// The share of judgements that are right.
fn share<'a>(judged: impl Iterator<Item = &'a (f64, bool)>) -> f64 {
    let (mut right, mut all) = (0u32, 0u32);
    for (_, is_right) in judged {
        right += u32::from(*is_right);
        all += 1;
    }
    f64::from(right) / f64::from(all.max(1))
}

/// The size of an example's value, and whether its sign is the winner.
fn judgement(example: &Example<COUNT>, weights: &[f64; COUNT]) -> (f64, bool) {
    let value: f64 = example.features.iter().zip(weights).map(|(x, w)| x * w).sum();
    (value.abs(), (value > 0.0) == example.won)
}

/// How a game of a match was made.
fn described(record: &GameRecord) -> String {
    let GameRecord { a, b, limit_a, limit_b, match_seed, .. } = record;
    format!("{a} ({limit_a}) - {b} ({limit_b}), seed {match_seed}")
}

/// The least value beyond which a position is won often enough, with something to spare.
fn decisive_logit(examples: &[Example<COUNT>], weights: &[f64; COUNT]) -> f64 {
    let mut judged: Vec<_> = examples.iter().map(|example| judgement(example, weights)).collect();
    judged.sort_by(|a, b| b.0.total_cmp(&a.0));
    let margin = DECISIVE_SHARE + (1.0 - DECISIVE_SHARE) / 3.0;
    let (mut right, mut threshold) = (0, judged.first().map_or(1.0, |&(logit, _)| logit));
    for (count, &(logit, is_right)) in judged.iter().enumerate() {
        right += usize::from(is_right);
        if f64::from(right as u32) >= margin * (count + 1) as f64 {
            threshold = logit;
        }
    }
    threshold.max(1e-6)
}
