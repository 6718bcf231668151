//! `spinney learn network`: a network from positions that `spinney learn games` made.

use std::fs;
use std::io::Write;
use std::num::NonZero;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::{ArgAction, Args};
use serde::Serialize;
use serde_json::Value;
use spinney_game::file;
use spinney_games::loa::knowledge::network::{HIDDEN, LoaNetwork, features};
use spinney_network::data::{Data, Position};
use spinney_network::training::{self, Corpus, Losses, Settings, Trained, integer_logit, losses};
use spinney_network::{FeatureSet, Model, POINTS_PER_LOGIT};

use super::Board;
use crate::interrupt::exit_on_interrupt;
use crate::progress;

#[derive(Args)]
pub(super) struct LearnNetwork {
    /// The game.
    #[arg(long, value_name = "GAME", default_value = "loa")]
    pub(super) game: Board,
    /// Files of positions that `spinney learn games` wrote, each by one player. What is in several of them
    /// is taken from the first.
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    pub(super) data: Vec<PathBuf>,
    /// Hidden units of each view: 8 to 64, by eights.
    #[arg(long, default_value_t = HIDDEN)]
    pub(super) hidden: usize,
    /// How often every position is seen.
    #[arg(long, default_value_t = 10)]
    pub(super) epochs: u32,
    /// Positions between two steps.
    #[arg(long, default_value = "2048")]
    pub(super) batch: NonZero<usize>,
    /// The first learning rate.
    #[arg(long, default_value_t = 0.002)]
    pub(super) rate: f32,
    /// The weight of the game's result in the target; the rest is that of the search value.
    #[arg(long, value_name = "W", default_value_t = 0.2)]
    pub(super) result_weight: f32,
    /// Tie hidden units so that symmetric positions have exactly the same value; otherwise a random
    /// symmetry is drawn whenever a position is seen.
    #[arg(long, value_name = "BOOL", default_value_t = true, action = ArgAction::Set)]
    pub(super) symmetric: bool,
    /// The seed of first weights, order and symmetries.
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,
    /// Threads at once; they change nothing but the time.
    #[arg(long, default_value = "1")]
    pub(super) threads: NonZero<usize>,
    /// Where to write the network.
    #[arg(long, value_name = "FILE")]
    pub(super) out: PathBuf,
}

/// How a network was made and what it is worth: printed, and in short a part of its file.
#[derive(Serialize)]
struct Record {
    data: Vec<Value>,
    hidden: usize,
    epochs: u32,
    batch: usize,
    rate: f32,
    result_weight: f32,
    symmetric: bool,
    seed: u64,
    training_positions: usize,
    /// The correlation of search values and results.
    correlation: f64,
    /// What search logits of each file were multiplied by.
    scales: Vec<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    held_out: Option<HeldOut>,
}

/// Losses of positions that were held out.
#[derive(Serialize)]
struct HeldOut {
    /// By epoch: the loss of training, then those held out.
    curve: Vec<(f64, Row)>,
    /// Of the network in whole numbers.
    network: Row,
    by_ply: Vec<Row>,
    by_men: Vec<Row>,
    /// How far whole numbers are from floating point, in points: on average, and at worst.
    rounding: [f32; 2],
}

/// Losses of some positions.
#[derive(Serialize)]
struct Row {
    /// The first ply or number of men of the group.
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<usize>,
    positions: usize,
    with_result: usize,
    /// The cross entropy with the targets, and with the results.
    target: f64,
    result: f64,
    /// That of the search values with the results.
    search: f64,
}

impl Row {
    fn new(from: Option<usize>, losses: &Losses) -> Row {
        let Losses { positions: [positions, with_result], target, result, search } = *losses;
        Row { from, positions, with_result, target, result, search }
    }
}

impl LearnNetwork {
    /// With the usual settings, from no files yet.
    pub(super) fn to(out: PathBuf) -> Self {
        let Settings { hidden, epochs, batch, rate, result_weight, symmetric, seed, threads } =
            Settings::default();
        let (game, data) = (Board::Loa, Vec::new());
        LearnNetwork {
            game,
            data,
            hidden,
            epochs,
            batch,
            rate,
            result_weight,
            symmetric,
            seed,
            threads,
            out,
        }
    }

    pub(super) fn run(&self, out: &mut impl Write) -> Result<()> {
        exit_on_interrupt()?;
        self.learn(out)
    }

    /// Trains, writes the network, and then its record to `out`.
    pub(super) fn learn(&self, out: &mut impl Write) -> Result<()> {
        match self.game {
            Board::Loa => self.train(features::<8>(), out),
            Board::Loa6 => self.train(features::<6>(), out),
        }
    }

    fn train(&self, features: &FeatureSet, out: &mut impl Write) -> Result<()> {
        // 1. What to learn from.
        if self.hidden == 0 || self.hidden > HIDDEN || !self.hidden.is_multiple_of(8) {
            bail!("--hidden {}: expected 8 to {HIDDEN}, by eights", self.hidden);
        }
        if !(0.0..=1.0).contains(&self.result_weight) {
            bail!("--result-weight {}: expected 0 to 1", self.result_weight);
        }
        let (corpus, data, scales) = self.read()?;
        if corpus.training.is_empty() || corpus.held_out.is_empty() {
            bail!("too few positions: every tenth game is held out, and none is left or none is");
        }
        // 2. Training.
        let settings = Settings {
            hidden: self.hidden,
            epochs: self.epochs,
            batch: self.batch,
            rate: self.rate,
            result_weight: self.result_weight,
            symmetric: self.symmetric,
            seed: self.seed,
            threads: self.threads,
        };
        let bar = progress::bar(self.epochs.into(), " epochs");
        let trained = training::train(features, &corpus, &settings, |_, loss, held_out| {
            bar.set_message(format!("loss {loss:.4}, held out {:.4}", held_out.target));
            bar.inc(1);
        });
        bar.finish_and_clear();
        // 3. The network, and what it is worth.
        let mut record = Record {
            data,
            hidden: self.hidden,
            epochs: self.epochs,
            batch: self.batch.get(),
            rate: self.rate,
            result_weight: self.result_weight,
            symmetric: self.symmetric,
            seed: self.seed,
            training_positions: corpus.training.len(),
            correlation: corpus.correlation(),
            scales,
            held_out: None,
        };
        let text = serde_json::to_string(&record)?;
        let network = trained.model.quantised(features, self.hidden, text);
        record.held_out = Some(self.measure(features, &corpus.held_out, &trained, &network));
        file::replace(&self.out, &network.to_bytes(features))
            .with_context(|| self.out.display().to_string())?;
        Ok(writeln!(out, "{}", serde_json::to_string_pretty(&record)?)?)
    }

    /// The positions of the files, how each was made, and the factors of their search values.
    fn read(&self) -> Result<(Corpus, Vec<Value>, Vec<f64>)> {
        let mut corpus = Corpus::default();
        let (mut recipes, mut scales) = (Vec::new(), Vec::new());
        for path in &self.data {
            let place = || path.display().to_string();
            let bytes = fs::read(path).with_context(place)?;
            let data = Data::from_bytes(&bytes).with_context(place)?;
            let recipe: Value = serde_json::from_str(&data.text).with_context(place)?;
            if recipe["game"] != self.game.name() {
                bail!("{}: positions of {}, not of {}", place(), recipe["game"], self.game.name());
            }
            scales.push(corpus.add(&data.positions));
            recipes.push(recipe);
        }
        Ok((corpus, recipes, scales))
    }

    fn measure(
        &self,
        features: &FeatureSet,
        positions: &[Position],
        trained: &Trained<HIDDEN>,
        network: &LoaNetwork,
    ) -> HeldOut {
        let Trained { model, curve } = trained;
        let loss = |positions: &[&Position]| {
            losses(positions.iter().copied(), self.result_weight, |position| {
                integer_logit(network, features, position.sets)
            })
        };
        let by = |size: usize, of: fn(&Position) -> usize| -> Vec<Row> {
            let most = positions.iter().map(of).max().unwrap_or(0);
            let rows = (0..=most / size).map(|group| {
                let some: Vec<_> = positions.iter().filter(|p| of(p) / size == group).collect();
                Row::new(Some(group * size), &loss(&some))
            });
            rows.filter(|row| row.positions > 0).collect()
        };
        HeldOut {
            curve: curve.iter().map(|(loss, held_out)| (*loss, Row::new(None, held_out))).collect(),
            network: Row::new(None, &loss(&positions.iter().collect::<Vec<_>>())),
            by_ply: by(10, |position| position.ply.into()),
            by_men: by(4, |position| {
                position.sets.iter().map(|set| set.count_ones() as usize).sum()
            }),
            rounding: rounding(features, positions, model, network),
        }
    }
}

/// How far whole numbers are from floating point, in points: on average, and at worst.
fn rounding(
    features: &FeatureSet,
    positions: &[Position],
    model: &Model<HIDDEN>,
    network: &LoaNetwork,
) -> [f32; 2] {
    let (mut sum, mut worst) = (0.0, 0.0f32);
    for position in positions {
        let exact = model.logit(features, position.sets, 0);
        let difference = integer_logit(network, features, position.sets) - exact;
        sum += difference.abs() * POINTS_PER_LOGIT;
        worst = worst.max(difference.abs() * POINTS_PER_LOGIT);
    }
    [sum / positions.len() as f32, worst]
}
