//! The sequential probability ratio test: stop a match as soon as it is decided.
//!
//! Two hypotheses about the difference in Elo: H0, it is `elo0`, and H1, it is `elo1`. After every
//! pair the logarithm of the likelihood ratio (LLR) is compared with Wald's (1945) bounds
//! log(β / (1 − α)) and log((1 − β) / α), α = β = 0.05.
//!
//! A pair has five results, a = 0, ¼, ½, ¾, 1, with unknown chances, so the ratio is the
//! generalised one, of the maximum likelihoods under each hypothesis: LLR = N Σ p̂ log(p₁ / p₀) with
//! p̂ the frequencies in N pairs and p_k = p̂ / (1 + θ_k (a − s_k)), where s_k is the score that H_k
//! expects and θ_k the only root that makes Σ p_k (a − s_k) = 0 (M. Van den Bergh, "The generalized
//! maximum likelihood ratio for the expectation value of a distribution"; the test of Stockfish's
//! fishtest). Games without a partner do not count.
//!
//! A result that has not happened counts as a thousandth of a pair, as in fishtest: with only one
//! kind of result there would be no distribution with the wanted score.

use std::str::FromStr;

use serde::Serialize;
use thiserror::Error;

use crate::statistics::score_of_elo;

/// The chance to accept H1 if H0 is true, and the other way round.
const ERROR_RATE: f64 = 0.05;
/// The pairs that a result which has not happened counts for.
const NEVER_SEEN: f64 = 1e-3;
/// Differences beyond this cannot be told from certainty by any match.
const LARGEST_ELO: f64 = 1000.0;

/// A test of `elo0` against `elo1`, as player A sees them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
}

/// A text that is no test, and why.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{0:?}: expected two differences in Elo, elo0,elo1, with -1000 <= elo0 < elo1 <= 1000")]
pub struct SprtError(String);

/// One of the two hypotheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Hypothesis {
    /// The difference is `elo0`.
    H0,
    /// The difference is `elo1`.
    H1,
}

/// Where a test stands.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SprtState {
    /// The difference in Elo of H0.
    pub elo0: f64,
    /// The difference in Elo of H1.
    pub elo1: f64,
    /// The logarithm of the likelihood ratio of H1 and H0.
    pub llr: f64,
    /// H0 is accepted at or below it.
    pub lower: f64,
    /// H1 is accepted at or above it.
    pub upper: f64,
    /// The hypothesis that is accepted, if any.
    pub accepted: Option<Hypothesis>,
}

impl FromStr for Sprt {
    type Err = SprtError;

    fn from_str(text: &str) -> Result<Sprt, SprtError> {
        let elo = |text: &str| {
            let elo: f64 = text.trim().parse().ok()?;
            (elo.abs() <= LARGEST_ELO).then_some(elo)
        };
        text.split_once(',')
            .and_then(|(elo0, elo1)| Some(Sprt { elo0: elo(elo0)?, elo1: elo(elo1)? }))
            .filter(|sprt| sprt.elo0 < sprt.elo1)
            .ok_or_else(|| SprtError(text.chars().take(40).collect()))
    }
}

impl Sprt {
    /// Where the test stands after these pairs, counted by the half points of A.
    pub fn state(&self, pairs: &[u64; 5]) -> SprtState {
        let upper = ((1.0 - ERROR_RATE) / ERROR_RATE).ln();
        let lower = -upper; // The error rates are equal.
        let llr = self.log_likelihood_ratio(pairs);
        let accepted = if llr >= upper {
            Some(Hypothesis::H1)
        } else if llr <= lower {
            Some(Hypothesis::H0)
        } else {
            None
        };
        SprtState { elo0: self.elo0, elo1: self.elo1, llr, lower, upper, accepted }
    }

    fn log_likelihood_ratio(&self, pairs: &[u64; 5]) -> f64 {
        if pairs.iter().sum::<u64>() == 0 {
            return 0.0;
        }
        let counts = pairs.map(|count| if count == 0 { NEVER_SEEN } else { count as f64 });
        log_likelihood(&counts, score_of_elo(self.elo1))
            - log_likelihood(&counts, score_of_elo(self.elo0))
    }
}

/// The score of A in a pair, by its half points.
fn pair_scores() -> [f64; 5] {
    [0.0, 0.25, 0.5, 0.75, 1.0]
}

/// The greatest log-likelihood of the counts with an expected score, less a constant that does not
/// depend on that score.
fn log_likelihood(counts: &[f64; 5], score: f64) -> f64 {
    let terms = || counts.iter().zip(pair_scores()).map(|(count, a)| (count, a - score));
    // Σ count · d / (1 + θ d) falls with θ, from +∞ to −∞ between the two ends at which a chance
    // becomes infinite: halve the interval until it is a point.
    let (mut low, mut high) = (-1.0 / (1.0 - score), 1.0 / score);
    loop {
        let theta = (low + high) / 2.0;
        if theta <= low || theta >= high {
            return -terms().map(|(count, d)| count * (theta * d).ln_1p()).sum::<f64>();
        }
        if terms().map(|(count, d)| count * d / (1.0 + theta * d)).sum::<f64>() > 0.0 {
            low = theta;
        } else {
            high = theta;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn llr(pairs: [u64; 5], elo0: f64, elo1: f64) -> f64 {
        Sprt { elo0, elo1 }.state(&pairs).llr
    }

    #[test]
    fn with_two_results_the_ratio_is_the_binomial_one() {
        // 60 pairs 2-0 and 40 pairs 0-2, 0 Elo (s = 1/2) against 190.8485 (s = 3/4):
        // 60 ln(3/4 / 1/2) + 40 ln(1/4 / 1/2) = 24.3279 − 27.7259 = −3.3980.
        let actual = llr([40, 0, 0, 0, 60], 0.0, 190.848_501_887_864_98);
        assert!((actual + 3.397_98).abs() < 0.01, "{actual}");
        // 75 and 25: 75 ln 1.5 − 25 ln 2 = 30.4099 − 17.3287 = 13.0812.
        let actual = llr([25, 0, 0, 0, 75], 0.0, 190.848_501_887_864_98);
        assert!((actual - 13.081_2).abs() < 0.01, "{actual}");
    }

    #[test]
    fn with_many_pairs_the_ratio_is_that_of_the_normal_distribution() {
        // Pairs 10-40-100-50-20: mean of a = 0.534090…, variance 0.0531, N = 220; then
        // LLR ≈ N (s1 − s0) (2 mean − s0 − s1) / (2 variance).
        let pairs = [10, 40, 100, 50, 20];
        let (s0, s1) = (score_of_elo(0.0), score_of_elo(10.0));
        let mean = (40.0 * 0.25 + 100.0 * 0.5 + 50.0 * 0.75 + 20.0) / 220.0;
        let squares = (40.0 * 0.0625 + 100.0 * 0.25 + 50.0 * 0.5625 + 20.0) / 220.0;
        let variance = squares - mean * mean;
        let expected = 220.0 * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance);
        let actual = llr(pairs, 0.0, 10.0);
        assert!((actual - expected).abs() < 0.02 * expected, "{actual}, expected {expected}");
    }

    /// Two tests of Stockfish, with the ratios that fastchess and fishtest give to two places.
    #[test]
    fn the_ratio_is_that_of_fishtest() {
        let actual = llr([223, 9863, 20279 + 1000, 10037, 246], 0.5, 2.5);
        assert!((actual + 3.07).abs() < 0.03, "{actual}");
        let actual = llr([871, 26175, 55003 + 980, 26678, 821], 0.0, 2.0);
        assert!((actual + 4.98).abs() < 0.05, "{actual}");
    }

    #[test]
    fn the_bounds_are_walds() {
        let sprt: Sprt = "-5,15".parse().unwrap();
        let state = sprt.state(&[0; 5]);
        assert_eq!((state.llr, state.accepted), (0.0, None));
        assert!((state.upper - 2.944_439).abs() < 1e-6 && state.lower == -state.upper);
        assert_eq!(sprt.state(&[0, 0, 0, 0, 100]).accepted, Some(Hypothesis::H1));
        assert_eq!(sprt.state(&[100, 0, 0, 0, 0]).accepted, Some(Hypothesis::H0));
        assert_eq!(sprt.state(&[5, 0, 0, 0, 5]).accepted, None);
    }

    #[test]
    fn mistakes_are_explained() {
        for text in ["", "5", "5,5", "10,0", "0,x", "0,inf", "nan,5", "0,1e9", "0,5,9"] {
            let message = text.parse::<Sprt>().unwrap_err().to_string();
            assert!(message.contains("elo0,elo1"), "{message}");
        }
        assert_eq!("0, 10".parse(), Ok(Sprt { elo0: 0.0, elo1: 10.0 }));
    }
}
