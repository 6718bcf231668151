//! A network in floating point: its loss and the gradient of it.

use spinney_game::Rng;

use crate::file::{expanded, most_first};
use crate::network::{FACTOR_BITS, FULL, MOST_OUTPUT, Network, PARTS, POINTS_PER_LOGIT};
use crate::{Active, FeatureSet};

/// Where the parameters of a model with room for `H` hidden units lie in one list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Rows of the first layer; its bias and the output weights of both views are three more.
    pub(crate) inputs: usize,
    /// Weights of lines; the bias of the output is before them.
    pub(crate) classes: usize,
}

/// The bias and the two views of the output, as rows behind those of the inputs.
const BIAS: usize = 0;
const OWN: usize = 1;
const OTHER: usize = 2;
const ROWS: usize = 3;
/// Sums are made in this many lanes, so that they are the same with any vectors.
const LANES: usize = 8;

/// A network in floating point with room for `H` hidden units, a multiple of 8.
#[derive(Clone, Debug, PartialEq)]
pub struct Model<const H: usize> {
    shape: Shape,
    parameters: Vec<f32>,
}

/// A position as a model sees it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Example {
    views: [Vec<u16>; 2],
    lines: Vec<(u16, f32)>,
    active: Active,
}

impl Example {
    /// Becomes a position, as it looks under a symmetry.
    pub(crate) fn fill(&mut self, features: &FeatureSet, position: [u64; 2], symmetry: usize) {
        self.active.inputs.clear();
        self.active.lines.clear();
        (features.extract)(position, &mut self.active);
        let images = &features.symmetries[symmetry];
        let [own, other] = &mut self.views;
        own.clear();
        own.extend(self.active.inputs.iter().map(|&input| images[usize::from(input)]));
        other.clear();
        other.extend(own.iter().map(|&input| features.exchanged[usize::from(input)]));
        self.lines.clear();
        let ties = self.active.lines.iter().map(|&entry| features.ties[usize::from(entry)]);
        let ties = ties.filter(|tie| tie.sign != 0);
        self.lines.extend(ties.map(|tie| (tie.class, f32::from(tie.sign))));
    }
}

impl<const H: usize> Model<H> {
    /// A model with random weights in its first `hidden` units; the others stay 0.
    pub fn random(features: &FeatureSet, hidden: usize, rng: &mut Rng) -> Self {
        let shape = Shape { inputs: features.inputs, classes: features.classes };
        let mut model = Model { shape, parameters: vec![0.0; shape.size::<H>()] };
        let mut uniform = |most: f32| most * (2.0 * rng.unit() as f32 - 1.0);
        let most_first = 1.0 / (features.most_active.max(1) as f32).sqrt();
        for row in 0..shape.inputs + ROWS {
            let most = if row < shape.inputs { most_first } else { 1.0 / (H as f32).sqrt() };
            let start = row * H;
            for weight in &mut model.parameters[start..start + hidden.min(H)] {
                *weight = uniform(most);
            }
        }
        model
    }

    /// The parameters: rows of `H` for the inputs, the bias, the own and the other view of the output;
    /// then the bias of the output and the weights of lines.
    pub fn parameters(&self) -> &[f32] {
        &self.parameters
    }

    /// The same, to change them.
    pub fn parameters_mut(&mut self) -> &mut [f32] {
        &mut self.parameters
    }

    /// Cuts the first layer to what fits in whole numbers.
    pub(crate) fn clamp(&mut self, features: &FeatureSet) {
        let most = f32::from(most_first(features)) / f32::from(FULL);
        for weight in &mut self.parameters[..(self.shape.inputs + 1) * H] {
            *weight = weight.clamp(-most, most);
        }
    }

    /// The logit of a position under a symmetry.
    pub fn logit(&self, features: &FeatureSet, position: [u64; 2], symmetry: usize) -> f32 {
        let mut example = Example::default();
        example.fill(features, position, symmetry);
        self.forward(&example).0
    }

    /// The logit, and the hidden units of both views, clamped.
    #[inline(always)]
    pub(crate) fn forward(&self, example: &Example) -> (f32, [[f32; H]; 2]) {
        let (rows, rest) = self.shape.split::<H>(&self.parameters);
        let after = &rows[self.shape.inputs..];
        let mut lanes = [0.0; LANES];
        let hidden = [0, 1].map(|view: usize| {
            let mut hidden = after[BIAS];
            for &input in &example.views[view] {
                let row = &rows[usize::from(input)];
                for (sum, weight) in hidden.iter_mut().zip(row) {
                    *sum += weight;
                }
            }
            hidden.map(|unit| unit.clamp(0.0, 1.0))
        });
        for view in [0, 1] {
            let units = hidden[view].as_chunks::<LANES>().0;
            let weights = after[OWN + view].as_chunks::<LANES>().0;
            for (units, weights) in units.iter().zip(weights) {
                for lane in 0..LANES {
                    lanes[lane] += weights[lane] * units[lane] * units[lane];
                }
            }
        }
        let lines: f32 =
            example.lines.iter().map(|&(class, sign)| sign * rest[1 + usize::from(class)]).sum();
        (lanes.iter().sum::<f32>() + rest[0] + lines, hidden)
    }

    /// Adds the gradient of the loss at an example to `gradient`, and returns the loss: the cross entropy of
    /// the target probability and that of the model.
    #[inline(always)]
    pub(crate) fn add_gradient(&self, example: &Example, target: f32, gradient: &mut [f32]) -> f32 {
        let (logit, hidden) = self.forward(example);
        let error = sigmoid(logit) - target;
        let (weights, _) = self.shape.split::<H>(&self.parameters);
        let (rows, rest) = self.shape.split_mut::<H>(gradient);
        let inputs = self.shape.inputs;
        rest[0] += error;
        for &(class, sign) in &example.lines {
            rest[1 + usize::from(class)] += error * sign;
        }
        for view in [0, 1] {
            let output = &weights[inputs + OWN + view];
            let mut backward = [0.0; H];
            for unit in 0..H {
                let clamped = hidden[view][unit];
                rows[inputs + OWN + view][unit] += error * clamped * clamped;
                let is_open = clamped > 0.0 && clamped < 1.0;
                backward[unit] = if is_open { error * output[unit] * 2.0 * clamped } else { 0.0 };
            }
            for &input in &example.views[view] {
                for (sum, part) in rows[usize::from(input)].iter_mut().zip(&backward) {
                    *sum += part;
                }
            }
            for (sum, part) in rows[inputs + BIAS].iter_mut().zip(&backward) {
                *sum += part;
            }
        }
        cross_entropy(logit, target)
    }

    /// The loss at a position, and its gradient.
    pub fn gradient(
        &self,
        features: &FeatureSet,
        position: [u64; 2],
        target: f32,
    ) -> (f32, Vec<f32>) {
        let mut example = Example::default();
        example.fill(features, position, 0);
        let mut gradient = vec![0.0; self.parameters.len()];
        let loss = self.add_gradient(&example, target, &mut gradient);
        (loss, gradient)
    }

    /// Makes parameters, or a gradient, symmetric: hidden units come in groups, one unit for each symmetry,
    /// and unit `s` of a group sees the image under symmetry `s` of what the first sees. So every position
    /// has exactly the value of its images.
    pub(crate) fn symmetrise(shape: Shape, features: &FeatureSet, values: &mut [f32]) {
        let count = features.symmetries.len();
        let (rows, _) = shape.split_mut::<H>(values);
        for group in (0..H / count).map(|group| group * count) {
            for row in 0..shape.inputs + ROWS {
                let place = |symmetry: usize| {
                    features.symmetries[symmetry].get(row).map_or(row, |&image| image.into())
                };
                let sum: f32 = (0..count).map(|s| rows[place(s)][group + s]).sum();
                (0..count).for_each(|s| rows[place(s)][group + s] = sum / count as f32);
            }
        }
    }

    pub(crate) fn shape(&self) -> Shape {
        self.shape
    }

    /// The model in whole numbers.
    pub fn quantised(&self, features: &FeatureSet, hidden: usize, record: String) -> Network<H> {
        let (rows, rest) = self.shape.split::<H>(&self.parameters);
        let (first, after) = rows.split_at(self.shape.inputs);
        let most = f32::from(most_first(features));
        let full = |row: &[f32; H]| {
            row.map(|weight| (weight * f32::from(FULL)).round().clamp(-most, most) as i16)
        };
        let greatest = after[OWN..].as_flattened().iter().fold(1e-3, |m: f32, w| m.max(w.abs()));
        let unit = (f32::from(MOST_OUTPUT) / greatest).floor().max(1.0);
        let output = [OWN, OTHER].map(|row| {
            let most = f32::from(MOST_OUTPUT);
            after[row].map(|weight| (weight * unit).round().clamp(-most, most) as i16)
        });
        let parts = f64::from(POINTS_PER_LOGIT) * f64::from(1 << PARTS);
        let factor =
            parts * 2f64.powi(FACTOR_BITS as i32) / (f64::from(FULL).powi(2) * f64::from(unit));
        let in_parts = |weight: f32| (f64::from(weight) * parts).round();
        let most = f64::from(i16::MAX);
        let classes: Vec<i16> =
            rest[1..].iter().map(|&weight| in_parts(weight).clamp(-most, most) as i16).collect();
        Network {
            hidden,
            first: first.iter().map(full).collect(),
            bias: full(&after[BIAS]),
            output,
            factor: factor.round() as u32,
            output_bias: in_parts(rest[0]) as i32,
            lines: expanded(&classes, &features.ties),
            classes,
            record,
        }
    }
}

impl Shape {
    fn size<const H: usize>(self) -> usize {
        (self.inputs + ROWS) * H + 1 + self.classes
    }

    /// The rows, and the rest.
    #[inline(always)]
    fn split<const H: usize>(self, values: &[f32]) -> (&[[f32; H]], &[f32]) {
        let (rows, rest) = values.split_at((self.inputs + ROWS) * H);
        (rows.as_chunks().0, rest)
    }

    #[inline(always)]
    fn split_mut<const H: usize>(self, values: &mut [f32]) -> (&mut [[f32; H]], &mut [f32]) {
        let (rows, rest) = values.split_at_mut((self.inputs + ROWS) * H);
        (rows.as_chunks_mut().0, rest)
    }
}

/// The probability of a logit.
pub(crate) fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

/// The cross entropy of a target probability and that of a logit.
pub(crate) fn cross_entropy(logit: f32, target: f32) -> f32 {
    // -t ln p - (1 - t) ln (1 - p), without the logarithm of a small number.
    logit.max(0.0) - logit * target + (-logit.abs()).exp().ln_1p()
}
