//! Logistic regression: the weights that make results most likely.
//!
//! The probability of a win is 1 / (1 + exp(-w·x)). Newton's method on the log-likelihood with a
//! small ridge; it converges in a few steps and has no step size to choose (Bishop 2006, 4.3.3).

#![expect(clippy::needless_range_loop, reason = "matrices are clearest with their indices")]

/// A position's features and whether its side won.
#[derive(Clone, Copy)]
pub(super) struct Example<const N: usize> {
    pub(super) features: [f64; N],
    pub(super) won: bool,
}

/// The fitted weights, and the mean log-likelihood before each step and at the end.
pub(super) struct Fit<const N: usize> {
    pub(super) weights: [f64; N],
    pub(super) curve: Vec<f64>,
}

const STEPS: usize = 12;
/// Keeps features that never differ from making the system singular. Guess; it changes nothing else.
const RIDGE: f64 = 1e-3;

pub(super) fn fit<const N: usize>(examples: &[Example<N>]) -> Fit<N> {
    let mut weights = [0.0; N];
    let mut curve = vec![log_likelihood(examples, &weights)];
    for _ in 0..STEPS {
        // 1. Gradient and Hessian of the log-likelihood.
        let mut gradient = [0.0; N];
        let mut hessian = [[0.0; N]; N];
        for example in examples {
            let chance = probability(&example.features, &weights);
            let error = f64::from(u8::from(example.won)) - chance;
            let spread = chance * (1.0 - chance);
            for i in 0..N {
                gradient[i] += error * example.features[i];
                for j in 0..N {
                    hessian[i][j] += spread * example.features[i] * example.features[j];
                }
            }
        }
        for i in 0..N {
            gradient[i] -= RIDGE * weights[i];
            hessian[i][i] += RIDGE;
        }
        // 2. The step.
        let step = solve(hessian, gradient);
        for (weight, step) in weights.iter_mut().zip(step) {
            *weight += step;
        }
        curve.push(log_likelihood(examples, &weights));
    }
    Fit { weights, curve }
}

pub(super) fn log_likelihood<const N: usize>(examples: &[Example<N>], weights: &[f64; N]) -> f64 {
    let sum: f64 = examples
        .iter()
        .map(|example| {
            let chance = probability(&example.features, weights);
            if example.won { chance.ln() } else { (1.0 - chance).ln() }
        })
        .sum();
    sum / examples.len().max(1) as f64
}

fn probability<const N: usize>(features: &[f64; N], weights: &[f64; N]) -> f64 {
    let logit: f64 = features.iter().zip(weights).map(|(x, w)| x * w).sum();
    // Bounded, so that the logarithm of a hopeless guess stays finite.
    (1.0 / (1.0 + (-logit).exp())).clamp(1e-9, 1.0 - 1e-9)
}

/// The solution of a symmetric, positive definite system, by elimination with pivots.
fn solve<const N: usize>(mut matrix: [[f64; N]; N], mut right: [f64; N]) -> [f64; N] {
    for column in 0..N {
        let pivot = (column..N)
            .max_by(|&a, &b| matrix[a][column].abs().total_cmp(&matrix[b][column].abs()))
            .unwrap_or(column);
        matrix.swap(column, pivot);
        right.swap(column, pivot);
        for row in column + 1..N {
            let factor = matrix[row][column] / matrix[column][column];
            for i in column..N {
                matrix[row][i] -= factor * matrix[column][i];
            }
            right[row] -= factor * right[column];
        }
    }
    for row in (0..N).rev() {
        for i in row + 1..N {
            right[row] -= matrix[row][i] * right[i];
        }
        right[row] /= matrix[row][row];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;
    use spinney_game::Rng;

    #[test]
    fn weights_are_found_again() {
        let truth = [1.5, -0.7, 0.2];
        let mut rng = Rng::new(1);
        let examples: Vec<Example<3>> = (0..20_000)
            .map(|_| {
                let features = [0; 3].map(|_| 4.0 * rng.unit() - 2.0);
                let won = rng.unit() < probability(&features, &truth);
                Example { features, won }
            })
            .collect();
        let fit = fit(&examples);
        for (weight, truth) in fit.weights.iter().zip(truth) {
            assert!((weight - truth).abs() < 0.1, "{:?}", fit.weights);
        }
        assert!(fit.curve.windows(2).all(|pair| pair[1] >= pair[0] - 1e-9));
    }
}
