//! `spinney learn evaluation`: the weights of LOA's evaluation, from the results of games.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args;
use serde::Serialize;
use spinney_game::{Game, Outcome};
use spinney_games::loa::knowledge::evaluation::{COUNT, NAMES, features};
use spinney_games::loa::knowledge::lines::Lines;
use spinney_protocol::loa_archive;

use super::regression::{self, Example};

/// One game in so many is held out.
const HELD_OUT: usize = 5;
/// Opening moves say little about the result. Guess.
const SKIPPED_PLIES: usize = 6;
/// Beyond this value, at least so many held-out positions must be won.
const DECISIVE: f64 = 700.0;
const DECISIVE_SHARE: f64 = 0.95;

#[derive(Args)]
pub(super) struct LearnEvaluation {
    /// Folders of game records in SGF.
    #[arg(long, value_name = "DIR", required = true)]
    games: Vec<PathBuf>,
    /// Where to write the record of the run, as JSON; stdout if absent.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// What is kept of a run.
#[derive(Serialize)]
struct Record {
    games: usize,
    training_positions: usize,
    held_out_positions: usize,
    /// The mean log-likelihood of the training positions after each step.
    curve: Vec<f64>,
    held_out_log_likelihood: f64,
    /// The share of held-out positions whose sign of the evaluation is the winner.
    held_out_accuracy: f64,
    /// Held-out positions beyond 700, and the share of them that were won.
    decisive_positions: usize,
    decisive_won: f64,
    weights: Vec<(&'static str, f64)>,
}

impl LearnEvaluation {
    pub(super) fn run(&self, out: &mut impl Write) -> Result<()> {
        // 1. Examples: positions of decided games, for the side to move.
        let (mut training, mut held_out) = (Vec::new(), Vec::new());
        let mut games = 0;
        for folder in &self.games {
            for game in loa_archive::read(folder)? {
                let Some(Outcome::Win(winner)) = game.outcome else { continue };
                let target = if games % HELD_OUT == 0 { &mut held_out } else { &mut training };
                games += 1;
                let mut position = game.start.clone();
                for (ply, &m) in game.moves.iter().enumerate() {
                    if ply >= SKIPPED_PLIES {
                        let features = features(&position, &Lines::new(&position)).map(f64::from);
                        target.push(Example { features, won: position.to_move() == winner });
                    }
                    position.play(m);
                }
            }
        }
        if training.is_empty() || held_out.is_empty() {
            bail!("too few decided games to learn from: {games}");
        }
        // 2. The weights, up to their scale.
        let fit = regression::fit::<COUNT>(&training);
        // 3. The scale: 700 points are where the training positions are won often enough.
        let scale = DECISIVE / decisive_logit(&training, &fit.weights);
        let value = |example: &Example<COUNT>| -> f64 {
            scale * example.features.iter().zip(&fit.weights).map(|(x, w)| x * w).sum::<f64>()
        };
        let decisive: Vec<bool> = held_out
            .iter()
            .filter(|example| value(example).abs() > DECISIVE)
            .map(|example| (value(example) > 0.0) == example.won)
            .collect();
        let right = held_out.iter().filter(|example| (value(example) > 0.0) == example.won).count();
        let record = Record {
            games,
            training_positions: training.len(),
            held_out_positions: held_out.len(),
            held_out_log_likelihood: regression::log_likelihood(&held_out, &fit.weights),
            held_out_accuracy: right as f64 / held_out.len() as f64,
            decisive_positions: decisive.len(),
            decisive_won: share(&decisive),
            curve: fit.curve,
            weights: NAMES.into_iter().zip(fit.weights.map(|weight| weight * scale)).collect(),
        };
        // 4. The record.
        let text = serde_json::to_string_pretty(&record)? + "\n";
        match &self.out {
            None => Ok(out.write_all(text.as_bytes())?),
            Some(path) => fs::write(path, text).with_context(|| path.display().to_string()),
        }
    }
}

fn share(won: &[bool]) -> f64 {
    won.iter().filter(|&&won| won).count() as f64 / won.len().max(1) as f64
}

/// The least value beyond which a position is won often enough, with something to spare.
fn decisive_logit(examples: &[Example<COUNT>], weights: &[f64; COUNT]) -> f64 {
    let mut judged: Vec<(f64, bool)> = examples
        .iter()
        .map(|example| {
            let logit: f64 = example.features.iter().zip(weights).map(|(x, w)| x * w).sum();
            (logit.abs(), (logit > 0.0) == example.won)
        })
        .collect();
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
