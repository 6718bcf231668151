//! How sure it is that Σ weight · cell + constant > 0: a signed root of a likelihood ratio.
//!
//! All tests give z, which is normal with variance 1 where the sum is exactly 0, so Φ(z) is how likely
//! the part is true and Φ(−z) how likely it is false.
//!
//! - **Scores.** A cell is a weighted sum of the scores x_t of matches, so cells that share games are
//!   correlated as they should be. The likelihood of n games with the score s is that of a binomial:
//!   D(x) = 2 n [s ln(s/x) + (1 − s) ln((1 − s)/(1 − x))], n being the effective number of games (see
//!   `statistics.rs`). With D the smallest Σ D_t(x_t) among all x for which the sum is 0, z = ±√D
//!   (Wilks 1938). At scores of 0 and 100 %, where errors are not normal, it still holds.
//! - **Runs.** Players are compared run by run, so that a position that is hard for all does not
//!   count: with d_i the sum in run i, z = Σ d_i / √(Σ d_i²). Such a self-normalised sum stays
//!   below the normal distribution in its tails, whatever the spread of the efforts (Giné, Götze and
//!   Mason 1997). One percentage alone is tested as scores are.
//! - **Estimates** (ratings), and sums of different kinds: the value over its standard error.

use std::collections::BTreeMap;

use super::Part;
use crate::Tally;

/// What is known of a cell.
#[derive(Clone, Debug, Default)]
pub enum Evidence {
    /// Nothing.
    #[default]
    None,
    /// Σ weight · score + constant over matches, by task; scores are from 0 to 1.
    Scores {
        /// Task, its games, and the weight of its score.
        matches: Vec<(String, Tally, f64)>,
        /// What is added.
        constant: f64,
    },
    /// The mean of these values, by number of the run.
    Runs {
        /// The values.
        values: BTreeMap<u64, f64>,
        /// Whether each is 0 or 100.
        is_share: bool,
    },
    /// A value with its standard error.
    Estimate(f64, f64),
}

impl Evidence {
    /// The value and its standard error.
    fn estimate(&self) -> Option<(f64, f64)> {
        match self {
            Evidence::None => None,
            Evidence::Estimate(value, error) => Some((*value, *error)),
            Evidence::Scores { matches, constant } => {
                let mut value = *constant;
                let mut variance = 0.0;
                for (_, tally, weight) in matches {
                    // Half a win and half a loss more: a clean sweep is not certain.
                    let games = tally.effective_games() + 1.0;
                    let score = (tally.score()? * (games - 1.0) + 0.5) / games;
                    value += weight * score;
                    variance += weight * weight * score * (1.0 - score) / games;
                }
                Some((value, variance.sqrt()))
            }
            Evidence::Runs { values, .. } => {
                let count = values.len() as f64;
                let mean = values.values().sum::<f64>() / count;
                let squares: f64 = values.values().map(|value| (value - mean).powi(2)).sum();
                (count > 1.0).then(|| (mean, (squares / (count - 1.0) / count).sqrt()))
            }
        }
    }
}

/// z of a part, given what is known of all cells; `None` if one of its cells is not measured.
pub(super) fn z(part: &Part, cells: &[Evidence]) -> Option<f64> {
    let terms: Vec<(&Evidence, f64)> =
        part.terms.iter().map(|&(cell, weight)| (&cells[cell], weight)).collect();
    if terms.iter().any(|(evidence, _)| matches!(evidence, Evidence::None)) {
        return None;
    }
    if terms.iter().all(|(evidence, _)| matches!(evidence, Evidence::Scores { .. })) {
        return Some(of_scores(&terms, part.constant));
    }
    if terms.iter().all(|(evidence, _)| matches!(evidence, Evidence::Runs { .. })) {
        return of_runs(&terms, part.constant);
    }
    let (mut sum, mut variance) = (part.constant, 0.0);
    for (evidence, weight) in terms {
        let (value, error) = evidence.estimate()?;
        sum += weight * value;
        variance += (weight * error).powi(2);
    }
    Some(if sum == 0.0 { 0.0 } else { sum / variance.sqrt() })
}

/// The score of a match, its effective number of games, and its weight in the sum.
struct Score {
    score: f64,
    games: f64,
    weight: f64,
}

impl Score {
    /// Where the likelihood ratio is best for a slope of Lagrange: n (s − x) = μ x (1 − x).
    fn at(&self, slope: f64) -> f64 {
        let (slope, games) = (slope * self.weight, self.games);
        let sum = slope + games;
        let root = (sum * sum - 4.0 * slope * games * self.score).max(0.0).sqrt();
        // The form of the root that does not cancel; where the sum is not positive, the slope is negative.
        let x = if sum > 0.0 {
            2.0 * games * self.score / (sum + root)
        } else {
            (sum - root) / (2.0 * slope)
        };
        x.clamp(0.0, 1.0)
    }

    /// D(x).
    fn deviance(&self, x: f64) -> f64 {
        let term = |seen: f64, x: f64| if seen > 0.0 { seen * (seen / x).ln() } else { 0.0 };
        2.0 * self.games * (term(self.score, x) + term(1.0 - self.score, 1.0 - x))
    }
}

fn of_scores(terms: &[(&Evidence, f64)], constant: f64) -> f64 {
    let mut constant = constant;
    let mut scores: BTreeMap<&str, Score> = BTreeMap::new();
    for (evidence, factor) in terms {
        let Evidence::Scores { matches, constant: own } = evidence else { continue };
        constant += factor * own;
        for (task, tally, weight) in matches {
            let games = tally.effective_games();
            let score = tally.score().unwrap_or(0.5);
            let entry = scores.entry(task).or_insert(Score { score, games, weight: 0.0 });
            entry.weight += factor * weight;
        }
    }
    scores.retain(|_, score| score.weight != 0.0);
    signed_root(&scores.into_values().collect::<Vec<_>>(), constant)
}

/// ±√D, D being the least deviance at which Σ weight · x + constant is 0.
fn signed_root(scores: &[Score], constant: f64) -> f64 {
    let sum = |slope: f64| -> f64 {
        constant + scores.iter().map(|score| score.weight * score.at(slope)).sum::<f64>()
    };
    let value = constant + scores.iter().map(|s| s.weight * s.score).sum::<f64>();
    if value == 0.0 {
        return 0.0;
    }
    // The sum falls as the slope rises: a slope beyond the one that makes it 0, then bisection.
    let mut beyond = value.signum();
    while sum(beyond) * value > 0.0 {
        beyond *= 4.0;
        if !beyond.is_finite() || beyond.abs() > 1e15 {
            return value.signum() * f64::INFINITY;
        }
    }
    let mut near = 0.0;
    for _ in 0..200 {
        let middle = f64::midpoint(near, beyond);
        *(if sum(middle) * value > 0.0 { &mut near } else { &mut beyond }) = middle;
    }
    let deviance: f64 = scores.iter().map(|score| score.deviance(score.at(near))).sum();
    value.signum() * deviance.max(0.0).sqrt()
}

fn of_runs(terms: &[(&Evidence, f64)], constant: f64) -> Option<f64> {
    if let [(Evidence::Runs { values, is_share: true }, weight)] = terms {
        let games = values.len() as f64;
        let score = values.values().sum::<f64>() / 100.0 / games;
        return (games > 0.0)
            .then(|| signed_root(&[Score { score, games, weight: 100.0 * weight }], constant));
    }
    let mut sums: BTreeMap<u64, (usize, f64)> = BTreeMap::new();
    for (evidence, weight) in terms {
        let Evidence::Runs { values, .. } = evidence else { continue };
        for (&run, value) in values {
            let (count, sum) = sums.entry(run).or_insert((0, constant));
            *count += 1;
            *sum += weight * value;
        }
    }
    // Only runs that all have.
    let sums = || sums.values().filter(|(count, _)| *count == terms.len()).map(|(_, sum)| *sum);
    let squares: f64 = sums().map(|sum| sum * sum).sum();
    (sums().count() > 0)
        .then(|| if squares == 0.0 { 0.0 } else { sums().sum::<f64>() / squares.sqrt() })
}
