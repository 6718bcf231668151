//! From positions to a network.
//!
//! The target of a position is a mixture of the result of its game and of the probability of a win that
//! the search value stands for; off the path of a game it is the latter alone. The search value `v` is on a
//! scale from -1 to 1 of the player's own, so its logit is taken as `s · 2 artanh(v)`, with the `s` that
//! explains the results of the player's games best. The loss is the cross entropy, the optimiser Adam (Kingma and Ba 2015) with
//! a learning rate that falls along a cosine. Every tenth game is held out.
//!
//! The same positions and settings give the same network, whatever the number of threads: a batch is cut
//! into a fixed number of parts, whose gradients are added in their order.

use std::collections::HashSet;
use std::num::NonZero;
use std::thread;

use spinney_game::Rng;
use spinney_game::cpu::{self, Kernel};

use crate::data::Position;
use crate::model::{Example, Model, cross_entropy, sigmoid};
use crate::{FeatureSet, Network, POINTS_PER_LOGIT};

/// One game in this many is held out.
const HELD_OUT: u32 = 10;
/// The parts of a batch.
const PARTS: usize = 8;
/// Search values are cut to this size before they become logits.
const MOST_VALUE: f64 = 0.999;

/// How to train.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Hidden units of a view.
    pub hidden: usize,
    /// How often every position is seen.
    pub epochs: u32,
    /// Positions between two steps.
    pub batch: NonZero<usize>,
    /// The first learning rate.
    pub rate: f32,
    /// The weight of the result in the target, from 0 to 1.
    pub result_weight: f32,
    /// Hidden units are tied so that symmetric positions have equal values. Otherwise a random symmetry is
    /// drawn whenever a position is seen.
    pub symmetric: bool,
    /// Of the first weights, the order of positions and their symmetries.
    pub seed: u64,
    /// Threads at once.
    pub threads: NonZero<usize>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            hidden: 64,
            epochs: 10,
            batch: const { NonZero::new(2048).unwrap() },
            rate: 0.002,
            result_weight: 0.2,
            symmetric: true,
            seed: 1,
            threads: NonZero::<usize>::MIN,
        }
    }
}

/// Positions to train with and positions held out, without duplicates.
#[derive(Clone, Debug, Default)]
pub struct Corpus {
    /// To train with.
    pub training: Vec<Position>,
    /// To measure with.
    pub held_out: Vec<Position>,
    seen: HashSet<[u64; 2]>,
}

impl Corpus {
    /// Adds the positions of one player that are not there yet. Their values become what they say about the
    /// results of its games: returns the factor of their logits.
    pub fn add(&mut self, positions: &[Position]) -> f64 {
        let is_held_out = |position: &Position| position.game % HELD_OUT == HELD_OUT - 1;
        let scale = scale(positions.iter().filter(|position| !is_held_out(position)));
        for &position in positions {
            if self.seen.insert(position.sets) {
                let part = match is_held_out(&position) {
                    true => &mut self.held_out,
                    false => &mut self.training,
                };
                let value = (scale * search_logit(&position) / 2.0).tanh();
                part.push(Position { value, ..position });
            }
        }
        scale
    }

    /// The correlation of search values and results, over all games.
    pub fn correlation(&self) -> f64 {
        let all = self.training.iter().chain(&self.held_out);
        let pairs: Vec<[f64; 2]> =
            all.filter_map(|p| Some([search_logit(p), p.result?.into()])).collect();
        let count = pairs.len().max(1) as f64;
        let mean = [0, 1].map(|i: usize| pairs.iter().map(|pair| pair[i]).sum::<f64>() / count);
        let product = |i: usize, j: usize| {
            pairs.iter().map(|pair| (pair[i] - mean[i]) * (pair[j] - mean[j])).sum::<f64>()
        };
        product(0, 1) / (product(0, 0) * product(1, 1)).sqrt().max(1e-12)
    }
}

/// The factor of search logits that explains the results best.
fn scale<'a>(positions: impl Iterator<Item = &'a Position>) -> f64 {
    let pairs: Vec<[f64; 2]> =
        positions.filter_map(|p| Some([search_logit(p), f64::from(p.result? + 1) / 2.0])).collect();
    // The loss is convex: Newton's method, with a little of everything keeping it finite.
    let mut scale = 1.0;
    for _ in 0..20 {
        let (mut slope, mut curvature) = (1e-3 * (scale - 1.0), 1e-3);
        for [logit, target] in &pairs {
            let probability = 1.0 / (1.0 + (-scale * logit).exp());
            slope += (probability - target) * logit;
            curvature += probability * (1.0 - probability) * logit * logit;
        }
        scale = (scale - slope / curvature).clamp(0.01, 100.0);
    }
    scale
}

/// The logit of a search value.
fn search_logit(position: &Position) -> f64 {
    2.0 * position.value.clamp(-MOST_VALUE, MOST_VALUE).atanh()
}

/// The result of a position as a probability.
fn result(position: &Position) -> Option<f32> {
    position.result.map(|result| f32::from(result + 1) / 2.0)
}

/// What training made.
pub struct Trained<const H: usize> {
    /// The network in floating point.
    pub model: Model<H>,
    /// By epoch: the mean loss of training, and the held-out losses of the model.
    pub curve: Vec<(f64, Losses)>,
}

/// Mean losses of held-out positions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Losses {
    /// The positions, and those that have a result.
    pub positions: [usize; 2],
    /// The cross entropy with the targets.
    pub target: f64,
    /// The cross entropy with the results.
    pub result: f64,
    /// That of the search values.
    pub search: f64,
}

/// Trains a network with up to `H` hidden units. `progress` is called after every epoch.
pub fn train<const H: usize>(
    features: &FeatureSet,
    corpus: &Corpus,
    settings: &Settings,
    mut progress: impl FnMut(usize, f64, &Losses),
) -> Trained<H> {
    let mut rng = Rng::new(settings.seed);
    let mut model = Model::<H>::random(features, settings.hidden, &mut rng);
    let shape = model.shape();
    if settings.symmetric {
        Model::<H>::symmetrise(shape, features, model.parameters_mut());
    }
    let mut adam = Adam::new(model.parameters().len());
    let targets: Vec<f32> =
        corpus.training.iter().map(|p| target(p, settings.result_weight)).collect();
    let batch = settings.batch.get();
    let batches = corpus.training.len().div_ceil(batch);
    let steps = (batches * settings.epochs as usize).max(1);
    let mut step = 0;
    let mut curve = Vec::new();
    let mut order: Vec<usize> = (0..corpus.training.len()).collect();
    for epoch in 1..=settings.epochs as usize {
        // 1. Every position once, in a new order.
        rng.shuffle(&mut order);
        let mut loss = 0.0;
        for batch in order.chunks(batch) {
            let symmetries = if settings.symmetric { 1 } else { features.symmetries.len() as u32 };
            let samples: Vec<Sample> = batch
                .iter()
                .map(|&index| Sample {
                    sets: corpus.training[index].sets,
                    target: targets[index],
                    symmetry: rng.below(symmetries) as usize,
                })
                .collect();
            let (sum, mut gradient) = gradient(features, &model, &samples, settings.threads);
            loss += sum;
            if settings.symmetric {
                Model::<H>::symmetrise(shape, features, &mut gradient);
            }
            let turn = step as f32 / steps as f32;
            let rate = settings.rate * 0.5 * (1.0 + (std::f32::consts::PI * turn).cos());
            adam.step(model.parameters_mut(), &gradient, samples.len() as f32, rate);
            model.clamp(features);
            step += 1;
        }
        // 2. What is held out.
        let loss = loss / corpus.training.len().max(1) as f64;
        let weight = settings.result_weight;
        let held_out =
            losses(&corpus.held_out, weight, |position| model.logit(features, position.sets, 0));
        progress(epoch, loss, &held_out);
        curve.push((loss, held_out));
    }
    Trained { model, curve }
}

/// The target of a position.
fn target(position: &Position, result_weight: f32) -> f32 {
    let search = sigmoid(search_logit(position) as f32);
    match result(position) {
        Some(result) => result_weight * result + (1.0 - result_weight) * search,
        None => search,
    }
}

/// The mean losses of some positions, of which `logit` says what they are worth.
pub fn losses<'a>(
    positions: impl IntoIterator<Item = &'a Position>,
    result_weight: f32,
    mut logit: impl FnMut(&Position) -> f32,
) -> Losses {
    let mut losses = Losses::default();
    for position in positions {
        let logit = logit(position);
        let target = target(position, result_weight);
        losses.positions[0] += 1;
        losses.target += f64::from(cross_entropy(logit, target));
        if let Some(result) = result(position) {
            losses.positions[1] += 1;
            losses.result += f64::from(cross_entropy(logit, result));
            let search = search_logit(position) as f32;
            losses.search += f64::from(cross_entropy(search, result));
        }
    }
    let [all, played] = losses.positions.map(|count| count.max(1) as f64);
    losses.target /= all;
    losses.result /= played;
    losses.search /= played;
    losses
}

/// The logit that a network in whole numbers stands for.
pub fn integer_logit<const H: usize>(
    network: &Network<H>,
    features: &FeatureSet,
    position: [u64; 2],
) -> f32 {
    let (views, lines) = features.views(position);
    let sums = network.accumulators(&views, &lines);
    network.evaluate(&sums, 0) as f32 / POINTS_PER_LOGIT
}

/// A position of a batch.
#[derive(Clone, Copy)]
struct Sample {
    sets: [u64; 2],
    target: f32,
    symmetry: usize,
}

/// The sums of losses and gradients over a batch.
fn gradient<const H: usize>(
    features: &FeatureSet,
    model: &Model<H>,
    samples: &[Sample],
    threads: NonZero<usize>,
) -> (f64, Vec<f32>) {
    let parts: Vec<&[Sample]> = samples.chunks(samples.len().div_ceil(PARTS).max(1)).collect();
    let run = |samples: &&[Sample]| cpu::run_wide(Part { features, model, samples });
    let sums: Vec<(f64, Vec<f32>)> = match threads.get() {
        1 => parts.iter().map(run).collect(),
        threads => thread::scope(|scope| {
            let share = parts.len().div_ceil(threads).max(1);
            let run = &run;
            let handles: Vec<_> = parts
                .chunks(share)
                .map(|parts| scope.spawn(move || parts.iter().map(run).collect::<Vec<_>>()))
                .collect();
            let join = |handle: thread::ScopedJoinHandle<'_, Vec<_>>| {
                handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            handles.into_iter().flat_map(join).collect()
        }),
    };
    let mut total = vec![0.0; model.parameters().len()];
    let mut loss = 0.0;
    for (part_loss, part) in sums {
        loss += part_loss;
        total.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
    }
    (loss, total)
}

/// A part of a batch.
struct Part<'a, const H: usize> {
    features: &'a FeatureSet,
    model: &'a Model<H>,
    samples: &'a [Sample],
}

impl<const H: usize> Kernel for Part<'_, H> {
    type Output = (f64, Vec<f32>);

    #[inline(always)]
    fn run(self) -> (f64, Vec<f32>) {
        let mut gradient = vec![0.0; self.model.parameters().len()];
        let mut example = Example::default();
        let mut loss = 0.0;
        for sample in self.samples {
            example.fill(self.features, sample.sets, sample.symmetry);
            loss += f64::from(self.model.add_gradient(&example, sample.target, &mut gradient));
        }
        (loss, gradient)
    }
}

/// Adam (Kingma and Ba 2015), with the constants of its paper.
struct Adam {
    means: Vec<f32>,
    squares: Vec<f32>,
    /// The powers of the two factors, for the correction of the first steps.
    powers: [f32; 2],
}

impl Adam {
    const FACTORS: [f32; 2] = [0.9, 0.999];
    const EPSILON: f32 = 1e-8;

    fn new(size: usize) -> Self {
        Adam { means: vec![0.0; size], squares: vec![0.0; size], powers: [1.0; 2] }
    }

    /// A step against the mean of `count` gradients, whose sum is given.
    fn step(&mut self, parameters: &mut [f32], sum: &[f32], count: f32, rate: f32) {
        let [mean_factor, square_factor] = Self::FACTORS;
        self.powers = [self.powers[0] * mean_factor, self.powers[1] * square_factor];
        let [mean_bias, square_bias] = self.powers.map(|power| 1.0 - power);
        let moments = self.means.iter_mut().zip(&mut self.squares);
        for ((parameter, sum), (mean, square)) in parameters.iter_mut().zip(sum).zip(moments) {
            let gradient = sum / count;
            *mean = mean_factor * *mean + (1.0 - mean_factor) * gradient;
            *square = square_factor * *square + (1.0 - square_factor) * gradient * gradient;
            let size = (*square / square_bias).sqrt() + Self::EPSILON;
            *parameter -= rate * (*mean / mean_bias) / size;
        }
    }
}
