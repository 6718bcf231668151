//! What the results of a match say: score, interval, Elo, likelihood of superiority.
//!
//! Two games of a pair share an opening, so they are not independent: an opening that is good for
//! one side gives each player a win. All variances are therefore taken over *clusters*, a cluster
//! being a pair, or a game whose partner was not played. With n games in C clusters, cluster c of
//! n_c games in which A scored S_c points:
//!
//! - score s = Σ S_c / n, and its variance that of a ratio of cluster totals (Cochran 1977,
//!   "Sampling Techniques", 6.4 and 9A): Var = C / (C − 1) · Σ (S_c − n_c s)² / n².
//! - interval: Wilson's (1927) with the *effective* number of games n* = s (1 − s) / Var in place of
//!   n (Kish 1965; Franco, Little, Louis and Slud 2019 find it to cover well). Near 50 % it is the
//!   normal interval s ± z √Var; near 0 and 100 % it stays inside and does not shrink to a point;
//!   draws and pairs that balance out narrow it, pairs that go the same way widen it.
//! - Elo = 400 log10(s / (1 − s)), with the ends of the interval for s.
//! - normalised Elo = (800 / ln 10) (s − ½) / σ with σ² = Σ (S_c − n_c s)² / n, the variance of a game as
//!   the clusters tell it; its standard error is (800 / ln 10) / √n (M. Van den Bergh, "Normalized Elo").
//!   It says how many games a difference takes to be seen, whatever the share of draws.
//! - likelihood of superiority = Φ(Σ d_c / √(Σ d_c²)), d_c = S_c − n_c / 2: the normal test of
//!   s = ½ with the variance at s = ½. For single games it is the well-known
//!   Φ((wins − losses) / √(wins + losses)).
//!
//! *Deviation.* The dispersion Var · n / (s (1 − s)) is the mean over the clusters and half a
//! notional cluster of independent games without draws, whose dispersion is 1. So it is defined for
//! a score of 0 or 1, where the interval becomes Wilson's for n games, and never 0 when all pairs
//! went the same way. Half was chosen by simulation: with none, 20 pairs of mostly drawn games are
//! covered 90 % of the time, with a whole one 99 %.

use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, Normal};

use crate::GameResult;

/// How sure the intervals are.
const CONFIDENCE: f64 = 0.95;
/// The weight of the notional cluster, chosen by simulation.
const NOTIONAL_CLUSTERS: f64 = 0.5;

/// The results of a match, as player A sees them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Complete pairs by the half points of A, from 0 to 4: the pentanomial counts.
    pub pairs: [u64; 5],
    /// Games without a partner by the half points of A, from 0 to 2.
    pub singles: [u64; 3],
    /// Games that A lost, drew and won.
    pub games: [u64; 3],
}

impl Tally {
    /// Counts a game; `partner` is the result of the other game of its pair if that was counted
    /// before.
    pub fn add(&mut self, result: GameResult, partner: Option<GameResult>) {
        let half_points = result.half_points_a();
        self.games[half_points] += 1;
        match partner {
            None => self.singles[half_points] += 1,
            Some(partner) => {
                self.singles[partner.half_points_a()] -= 1;
                self.pairs[half_points + partner.half_points_a()] += 1;
            }
        }
    }

    /// The results as player B sees them.
    pub fn reversed(mut self) -> Tally {
        self.pairs.reverse();
        self.singles.reverse();
        self.games.reverse();
        self
    }

    /// The results of two matches together.
    pub fn plus(mut self, other: &Tally) -> Tally {
        let counts = self.pairs.iter_mut().chain(&mut self.singles).chain(&mut self.games);
        let others = other.pairs.iter().chain(&other.singles).chain(&other.games);
        counts.zip(others).for_each(|(count, other)| *count += other);
        self
    }

    /// The number of games.
    pub fn count(&self) -> u64 {
        self.games.iter().sum()
    }

    /// The share of the points that A got, from 0 to 1; `None` without games.
    pub fn score(&self) -> Option<f64> {
        let [_, draws, wins] = self.games;
        let count = self.count();
        (count > 0).then(|| (wins as f64 + draws as f64 / 2.0) / count as f64)
    }

    /// The 95 % interval of the score; everything is possible without games.
    pub fn interval(&self) -> [f64; 2] {
        let Some(score) = self.score() else { return [0.0, 1.0] };
        wilson(score, self.effective_games(), two_sided_quantile(CONFIDENCE))
    }

    /// The number of independent games without draws that would tell as much of the score.
    pub fn effective_games(&self) -> f64 {
        self.score().map_or(0.0, |score| self.count() as f64 / self.dispersion(score))
    }

    /// The difference in Elo; infinite for a score of 0 or 1, `None` without games.
    pub fn elo(&self) -> Option<f64> {
        self.score().map(elo_of_score)
    }

    /// The 95 % interval of the difference in Elo.
    pub fn elo_interval(&self) -> [f64; 2] {
        self.interval().map(elo_of_score)
    }

    /// The difference in normalised Elo; infinite if all pairs went the same way, `None` without games.
    pub fn normalised_elo(&self) -> Option<f64> {
        let surplus = self.score()? - 0.5;
        let deviation = (self.squares(surplus + 0.5) / self.count() as f64).sqrt();
        Some(if surplus == 0.0 { 0.0 } else { normalised_unit() * surplus / deviation })
    }

    /// The 95 % interval of the difference in normalised Elo.
    pub fn normalised_elo_interval(&self) -> [f64; 2] {
        let Some(elo) = self.normalised_elo() else { return [f64::NEG_INFINITY, f64::INFINITY] };
        let games = self.count() as f64;
        let error = two_sided_quantile(CONFIDENCE) * normalised_unit() / games.sqrt();
        [elo - error, elo + error]
    }

    /// How likely A is the stronger player, from 0 to 1.
    pub fn likelihood_of_superiority(&self) -> f64 {
        let (mut sum, mut sum_of_squares) = (0.0, 0.0);
        for cluster in self.clusters() {
            let surplus = cluster.points - cluster.games / 2.0;
            sum += cluster.count * surplus;
            sum_of_squares += cluster.count * surplus * surplus;
        }
        if sum_of_squares == 0.0 { 0.5 } else { standard_normal().cdf(sum / sum_of_squares.sqrt()) }
    }

    /// The variance of the score, in terms of that of as many independent games without draws.
    fn dispersion(&self, score: f64) -> f64 {
        let clusters: f64 = self.clusters().map(|cluster| cluster.count).sum();
        let deviations = self.squares(score);
        let independent = self.count() as f64 * score * (1.0 - score);
        if clusters < 2.0 || independent == 0.0 {
            return 1.0;
        }
        let dispersion = clusters / (clusters - 1.0) * deviations / independent;
        (clusters * dispersion + NOTIONAL_CLUSTERS) / (clusters + NOTIONAL_CLUSTERS)
    }

    /// Σ (S_c − n_c s)².
    fn squares(&self, score: f64) -> f64 {
        let square = |cluster: &Cluster| (cluster.points - cluster.games * score).powi(2);
        self.clusters().map(|cluster| cluster.count * square(&cluster)).sum()
    }

    fn clusters(&self) -> impl Iterator<Item = Cluster> {
        let cluster = |games: f64| {
            move |(half_points, &count): (usize, &u64)| Cluster {
                count: count as f64,
                games,
                points: half_points as f64 / 2.0,
            }
        };
        let pairs = self.pairs.iter().enumerate().map(cluster(2.0));
        pairs.chain(self.singles.iter().enumerate().map(cluster(1.0)))
    }
}

/// Pairs, or single games, with the same points for A.
struct Cluster {
    count: f64,
    games: f64,
    points: f64,
}

/// The difference in Elo at which this score is expected.
pub fn elo_of_score(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// The score that is expected at this difference in Elo.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// A standard deviation of a game, in normalised Elo.
fn normalised_unit() -> f64 {
    800.0 / std::f64::consts::LN_10
}

/// Wilson's interval for a proportion seen in `games` games.
fn wilson(score: f64, games: f64, z: f64) -> [f64; 2] {
    let shrink = 1.0 + z * z / games;
    let centre = (score + z * z / (2.0 * games)) / shrink;
    let half = z / shrink * (score * (1.0 - score) / games + z * z / (4.0 * games * games)).sqrt();
    // At a score of 0 or 1 the end is exact but for rounding.
    let low = if score == 0.0 { 0.0 } else { (centre - half).max(0.0) };
    let high = if score == 1.0 { 1.0 } else { (centre + half).min(1.0) };
    [low, high]
}

fn two_sided_quantile(confidence: f64) -> f64 {
    standard_normal().inverse_cdf((1.0 + confidence) / 2.0)
}

fn standard_normal() -> Normal {
    Normal::standard()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GameResult::{A, B, Draw};
    use spinney_session::Rng;

    /// Single games only.
    fn singles(wins: u64, draws: u64, losses: u64) -> Tally {
        let games = [losses, draws, wins];
        Tally { singles: games, games, ..Tally::default() }
    }

    /// Pairs only, by half points of A; a split pair counts as a win and a loss.
    fn pairs(pairs: [u64; 5]) -> Tally {
        let [ll, ld, split, wd, ww] = pairs;
        let games = [2 * ll + ld + split, ld + wd, split + wd + 2 * ww];
        Tally { pairs, games, ..Tally::default() }
    }

    fn close(actual: f64, expected: f64, tolerance: f64) {
        assert!((actual - expected).abs() < tolerance, "{actual}, expected {expected}");
    }

    #[test]
    fn games_become_pairs() {
        let mut tally = Tally::default();
        tally.add(A, None);
        tally.add(Draw, None);
        assert_eq!((tally.singles, tally.count()), ([0, 1, 1], 2));
        tally.add(B, Some(A));
        assert_eq!((tally.singles, tally.pairs), ([0, 1, 0], [0, 0, 1, 0, 0]));
        tally.add(A, Some(Draw));
        assert_eq!((tally.singles, tally.pairs), ([0, 0, 0], [0, 0, 1, 1, 0]));
        assert_eq!((tally.games, tally.score()), ([1, 1, 2], Some(0.625)));
    }

    #[test]
    fn nothing_is_known_without_games() {
        let tally = Tally::default();
        assert_eq!((tally.score(), tally.elo()), (None, None));
        assert_eq!(tally.interval(), [0.0, 1.0]);
        assert_eq!(tally.likelihood_of_superiority(), 0.5);
    }

    #[test]
    fn without_draws_and_pairs_the_interval_is_wilsons() {
        // 10 of 10: z² = 3.8415, so the lower end is 10 / 13.8415.
        let [low, high] = singles(10, 0, 0).interval();
        close(low, 0.722_467, 1e-6);
        assert_eq!(high, 1.0);
        let [low, high] = singles(0, 0, 10).interval();
        assert_eq!(low, 0.0);
        close(high, 0.277_533, 1e-6);
        // 60 of 100: Wilson's is 0.5020 to 0.6906; C / (C − 1) moves the ends by less than 0.0006.
        let [low, high] = singles(60, 0, 40).interval();
        close(low, 0.502_0, 6e-4);
        close(high, 0.690_6, 6e-4);
    }

    #[test]
    fn draws_narrow_the_interval() {
        // 30 wins, 50 draws, 20 losses: s = 0.55, and the mean square deviation of a game is
        // (30 · 0.45² + 50 · 0.05² + 20 · 0.55²) / 100 = 0.1225, so the normal interval is
        // 0.55 ± 1.96 · √(0.1225 / 100) = 0.55 ± 0.0686.
        let [low, high] = singles(30, 50, 20).interval();
        close(low, 0.55 - 0.0686, 0.003);
        close(high, 0.55 + 0.0686, 0.003);
    }

    #[test]
    fn the_variance_is_that_of_pairs() {
        // 100 pairs, half of them 2-0 and half 0-2: as uncertain as 100 games, not 200.
        let [low, high] = pairs([50, 0, 0, 0, 50]).interval();
        close((high - low) / 2.0, 1.96 * 0.5 / 100f64.sqrt(), 0.003);
        // 20 pairs 2-0, 60 pairs 1-1, 20 pairs 0-2: Σ (S_c − 1)² = 40, so Var = 40 / 200² = 0.0316²
        // where 200 independent games have 0.0354².
        let [low, high] = pairs([20, 0, 60, 0, 20]).interval();
        close((high - low) / 2.0, 1.96 * 40f64.sqrt() / 200.0, 0.001);
        // All pairs 1-1: narrow, not a point.
        let [low, high] = pairs([0, 0, 100, 0, 0]).interval();
        close((high - low) / 2.0, 1.96 * 0.5 / (200f64 * 201.0).sqrt(), 1e-4);
    }

    #[test]
    fn elo_follows_from_the_score() {
        close(elo_of_score(0.5), 0.0, 1e-12);
        close(elo_of_score(0.75), 190.848_5, 1e-4); // 400 log10 3
        close(elo_of_score(10.0 / 11.0), 400.0, 1e-9);
        close(score_of_elo(-400.0), 1.0 / 11.0, 1e-12);
        assert_eq!(singles(3, 0, 0).elo(), Some(f64::INFINITY));
        assert_eq!(singles(0, 0, 3).elo(), Some(f64::NEG_INFINITY));
        let [low, high] = singles(60, 0, 40).elo_interval();
        close(low, 1.4, 0.5);
        close(high, 139.5, 0.6);
    }

    /// Elo with half of its interval, likelihood of superiority and normalised Elo as fishtest
    /// computes them (`stat_util.get_elo`, `LLRcalc`) for five tests.
    #[test]
    fn pairs_have_the_numbers_of_fishtest() {
        let cases = [
            ([10789, 19328, 33806, 19402, 10543], -0.773_577, 1.277_580, 0.117_659, -0.951_629),
            ([39, 2226, 31451, 2412, 40], 0.902_981, 0.662_531, 0.996_222, 3.450_800),
            ([1187, 7410, 13475, 7378, 1164], -0.442_608, 1.729_859, 0.308_014, -0.704_141),
            ([50, 400, 1000, 450, 60], 6.204_866, 6.235_842, 0.974_463, 10.825_692),
            ([0, 3, 10, 5, 2], 52.491_130, 66.490_549, 0.944_241, 87.420_817),
        ];
        for (counts, elo, half, superiority, normalised) in cases {
            let tally = pairs(counts);
            // fishtest counts a thousandth of a pair for what has not happened.
            let rounding = if counts.contains(&0) { 0.05 } else { 1e-5 };
            close(tally.elo().unwrap(), elo, rounding);
            // Here it is Wilson's, and the variance has C / (C − 1) and the notional cluster.
            let [low, high] = tally.elo_interval();
            close(
                (high - low) / 2.0,
                half,
                if tally.count() > 100 { 1e-3 * half } else { 0.1 * half },
            );
            // Here it is the variance at s = ½.
            close(tally.likelihood_of_superiority(), superiority, 0.02);
            close(tally.normalised_elo().unwrap(), normalised, rounding);
            let [low, high] = tally.normalised_elo_interval();
            let error = 1.959_964 * 347.435_586 / (tally.count() as f64).sqrt();
            close((high - low) / 2.0, error, 1e-3);
        }
    }

    #[test]
    fn normalised_elo_does_not_ask_for_draws() {
        // 60 wins and 40 losses: σ² = 0.6 · 0.4, so 347.4356 · 0.1 / 0.4899.
        close(singles(60, 0, 40).normalised_elo().unwrap(), 70.920, 1e-3);
        assert_eq!(singles(7, 0, 7).normalised_elo(), Some(0.0));
        assert_eq!(singles(7, 0, 0).normalised_elo(), Some(f64::INFINITY));
        assert_eq!(singles(0, 0, 7).normalised_elo(), Some(f64::NEG_INFINITY));
        assert_eq!(Tally::default().normalised_elo(), None);
    }

    #[test]
    fn superiority_of_single_games_is_the_known_formula() {
        // (60 − 40) / √100 = 2 standard deviations, whatever the draws.
        close(singles(60, 0, 40).likelihood_of_superiority(), 0.977_250, 1e-6);
        close(singles(60, 77, 40).likelihood_of_superiority(), 0.977_250, 1e-6);
        close(singles(0, 9, 0).likelihood_of_superiority(), 0.5, 1e-12);
        // Pairs: d = 1 (45 times), 0, −1 (20 times): 25 / √65 = 3.1009.
        close(pairs([20, 0, 35, 0, 45]).likelihood_of_superiority(), 0.999_035, 1e-6);
        close(pairs([0, 0, 0, 0, 4]).likelihood_of_superiority(), 0.977_250, 1e-6);
    }

    /// Plays matches by the chances of the first game of a pair and, given its result, of the
    /// second; the share of them whose interval holds the true score.
    fn coverage(matches: u64, pair_count: u64, chances: [[f64; 3]; 4]) -> f64 {
        let draw = |rng: &mut Rng, [loss, draw, _]: [f64; 3]| match rng.unit() {
            u if u < loss => B,
            u if u < loss + draw => Draw,
            _ => A,
        };
        let mean = |[_, draw, win]: [f64; 3]| win + draw / 2.0;
        let [first, given @ ..] = chances;
        let truth = (mean(first) + (0..3).map(|i| first[i] * mean(given[i])).sum::<f64>()) / 2.0;
        let covered = (0..matches).filter(|&index| {
            let mut rng = Rng::stream(1, index);
            let mut tally = Tally::default();
            for _ in 0..pair_count {
                let result = draw(&mut rng, first);
                tally.add(result, None);
                tally.add(draw(&mut rng, given[result.half_points_a()]), Some(result));
            }
            let [low, high] = tally.interval();
            (low..=high).contains(&truth)
        });
        covered.count() as f64 / matches as f64
    }

    #[test]
    fn intervals_hold_the_truth_nineteen_times_of_twenty() {
        let independent = |chances| [chances; 4];
        let cases = [
            ("even", independent([0.5, 0.0, 0.5])),
            ("draws", independent([0.2, 0.5, 0.3])),
            ("strong", independent([0.1, 0.0, 0.9])),
            ("very strong", independent([0.04, 0.02, 0.94])),
            ("drawn", independent([0.03, 0.92, 0.05])),
            // The opening decides, and sides are swapped.
            ("split", [[0.5, 0.0, 0.5], [0.1, 0.0, 0.9], [0.3, 0.4, 0.3], [0.9, 0.0, 0.1]]),
            // One player understands the opening.
            ("same", [[0.5, 0.0, 0.5], [0.9, 0.0, 0.1], [0.3, 0.4, 0.3], [0.1, 0.0, 0.9]]),
        ];
        for (name, chances) in cases {
            for pair_count in [50, 200] {
                let coverage = coverage(10_000, pair_count, chances);
                assert!((0.93..=0.97).contains(&coverage), "{name}, {pair_count}: {coverage}");
            }
        }
    }
}
