//! Ratings of all players of a tournament, by the model of Bradley and Terry (1952).
//!
//! Player i beats player j with chance γ_i / (γ_i + γ_j), a draw is half a win, and the rating is
//! 400 log10 γ. The likelihood is maximised by minorisation (Hunter 2004): γ_i becomes
//! W_i / Σ_j n_ij / (γ_i + γ_j) again and again, W_i being the points of i and n_ij the games.
//!
//! A player who won or lost every game would have no finite rating, so every player is given
//! [`PRIOR`] drawn games, spread over its opponents (BayesElo does much the same).
//!
//! Intervals are by bootstrap: the pairs of games of every match are drawn anew, with replacement,
//! and the ratings computed again, 1000 times; the interval is what the middle 95 % say. A pair is
//! drawn as one, since its games share an opening. Beside the pairs of a match one of any result may
//! be drawn, so that a clean sweep of a few games is not taken for certain.

use spinney_session::Rng;

use crate::{Tally, elo_of_score, score_of_elo};

/// Drawn games that every player is given.
const PRIOR: f64 = 1.0;
/// Drawings of the bootstrap.
const REPLICATES: usize = 1000;
/// Rounds of minorisation end when no rating moves by more than this, in Elo, or after MOST_ROUNDS.
const PRECISION: f64 = 0.01;
const MOST_ROUNDS: usize = 10_000;
const SEED: u64 = 1;
/// No rating on any scale is higher, nor lower than minus it.
const HIGHEST_RATING: f64 = 10_000.0;

/// A match of a tournament: two players by number, and the results as the first one sees them.
pub type Encounter = (usize, usize, Tally);

/// The ratings of a tournament, with their uncertainty.
#[derive(Clone, Debug)]
pub struct Ratings {
    elo: Vec<f64>,
    replicates: Vec<Vec<f64>>,
}

impl Ratings {
    /// The ratings of players 0 to `players` - 1.
    pub fn new(players: usize, encounters: &[Encounter]) -> Ratings {
        let replicates = (0..REPLICATES as u64).map(|number| {
            let mut rng = Rng::stream(SEED, number);
            let drawn: Vec<Encounter> =
                encounters.iter().map(|&(i, j, tally)| (i, j, redraw(&tally, &mut rng))).collect();
            maximum_likelihood(players, &drawn)
        });
        Ratings { elo: maximum_likelihood(players, encounters), replicates: replicates.collect() }
    }

    /// How much better player `a` is than player `base`, in Elo, with the 95 % interval.
    pub fn difference(&self, a: usize, base: usize) -> (f64, [f64; 2]) {
        self.estimate(|elo| elo[a] - elo[base])
    }

    /// How much better player `a` is than all on average, in Elo, with the 95 % interval.
    pub fn above_mean(&self, a: usize) -> (f64, [f64; 2]) {
        self.estimate(|elo| elo[a])
    }

    /// A value, and what the middle 95 % of the drawings say of it. After clean sweeps most drawings are
    /// less extreme than what was played: the interval reaches as far as that.
    fn estimate(&self, value: impl Fn(&[f64]) -> f64) -> (f64, [f64; 2]) {
        let mut values: Vec<f64> = self.replicates.iter().map(|elo| value(elo)).collect();
        values.sort_by(f64::total_cmp);
        let [low, high] =
            [0.025, 0.975].map(|share| values[((REPLICATES - 1) as f64 * share).round() as usize]);
        let played = value(&self.elo);
        (played, [low.min(played), high.max(played)])
    }

    /// How likely player `a` is better than player `b`, from 0 to 1.
    pub fn superiority(&self, a: usize, b: usize) -> f64 {
        let points: f64 = self
            .replicates
            .iter()
            .map(|elo| match elo[a] - elo[b] {
                difference if difference > PRECISION => 1.0,
                difference if difference < -PRECISION => 0.0,
                _ => 0.5,
            })
            .sum();
        points / REPLICATES as f64
    }
}

/// The rating of a player by its games against opponents whose ratings are known and taken as exact, with
/// the 95 % interval; `None` without games. It is the rating of the greatest likelihood, at which as many
/// points are expected as were made, and for the ends of the interval as many as there. A clean sweep has
/// the rating that it has with a drawn game more, and an interval without an upper end.
pub fn performance(encounters: &[(f64, Tally)]) -> Option<(f64, [f64; 2])> {
    let all = encounters.iter().fold(Tally::default(), |all, (_, tally)| all.plus(tally));
    let games = all.count() as f64;
    let expected_score = |rating: f64| {
        let points = |(opponent, tally): &(f64, Tally)| {
            tally.count() as f64 * score_of_elo(rating - opponent)
        };
        encounters.iter().map(points).sum::<f64>() / games
    };
    let rating = |score: f64| {
        let [mut low, mut high] = [-HIGHEST_RATING, HIGHEST_RATING];
        while high - low > PRECISION {
            let middle = f64::midpoint(low, high);
            *(if expected_score(middle) < score { &mut low } else { &mut high }) = middle;
        }
        f64::midpoint(low, high)
    };
    let least = PRIOR / 2.0 / (games + PRIOR);
    let end = |score: f64| match score {
        0.0 => f64::NEG_INFINITY,
        1.0 => f64::INFINITY,
        _ => rating(score),
    };
    all.score().map(|score| (rating(score.clamp(least, 1.0 - least)), all.interval().map(end)))
}

/// As many pairs and single games, drawn from those of a tally.
fn redraw(tally: &Tally, rng: &mut Rng) -> Tally {
    let mut drawn = Tally::default();
    let mut draw = |counts: &[u64], drawn: &mut [u64]| {
        let count: u64 = counts.iter().sum();
        for _ in 0..count {
            let mut number = (rng.unit() * (count + 1) as f64) as u64;
            let result = counts.iter().position(|&count| {
                let is_here = number < count;
                number = number.saturating_sub(count);
                is_here
            });
            // One more than there are: of any result.
            drawn[result.unwrap_or_else(|| rng.below(counts.len() as u32) as usize)] += 1;
        }
    };
    draw(&tally.pairs, &mut drawn.pairs);
    draw(&tally.singles, &mut drawn.singles);
    // Points are all that ratings ask for: half of them wins, the rest losses.
    let half_points: u64 = (0..).zip(&drawn.pairs).map(|(points, count)| points * count).sum();
    let half_points: u64 =
        half_points + (0..).zip(&drawn.singles).map(|(points, count)| points * count).sum::<u64>();
    let games = 2 * drawn.pairs.iter().sum::<u64>() + drawn.singles.iter().sum::<u64>();
    let (wins, draws) = (half_points / 2, half_points % 2);
    drawn.games = [games - wins - draws, draws, wins];
    drawn
}

/// The ratings in Elo, with a mean of 0.
fn maximum_likelihood(players: usize, encounters: &[Encounter]) -> Vec<f64> {
    // 1. Games and points, with the prior.
    let mut games = vec![vec![0.0; players]; players];
    let mut points = vec![0.0; players];
    let opponents = |player: usize| {
        let met = |(i, j, tally): &&Encounter| (*i == player || *j == player) && tally.count() > 0;
        encounters.iter().filter(met).count() as f64
    };
    for &(i, j, tally) in encounters {
        let Some(score) = tally.score() else { continue };
        let count = tally.count() as f64;
        let draws = PRIOR / 2.0 * (1.0 / opponents(i) + 1.0 / opponents(j));
        games[i][j] += count + draws;
        games[j][i] += count + draws;
        points[i] += count * score + draws / 2.0;
        points[j] += count * (1.0 - score) + draws / 2.0;
    }
    // 2. Minorisation. A player without games stays at the mean.
    let mut strength = vec![1.0f64; players];
    for _ in 0..MOST_ROUNDS {
        let mut largest_step: f64 = 0.0;
        for i in 0..players {
            let expected: f64 = (0..players)
                .filter(|&j| games[i][j] > 0.0)
                .map(|j| games[i][j] / (strength[i] + strength[j]))
                .sum();
            if expected > 0.0 {
                let better = points[i] / expected;
                largest_step = largest_step.max((better / strength[i]).log10().abs() * 400.0);
                strength[i] = better;
            }
        }
        if largest_step < PRECISION / 10.0 {
            break;
        }
    }
    // 3. As Elo.
    let elo: Vec<f64> = strength.iter().map(|&gamma| elo_of_score(gamma / (gamma + 1.0))).collect();
    let mean = elo.iter().sum::<f64>() / players.max(1) as f64;
    elo.iter().map(|elo| elo - mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pairs by half points of the first player.
    fn tally(pairs: [u64; 5]) -> Tally {
        let [ll, ld, split, wd, ww] = pairs;
        let games = [2 * ll + ld + split, ld + wd, split + wd + 2 * ww];
        Tally { pairs, games, ..Tally::default() }
    }

    #[test]
    fn two_players_have_the_elo_of_their_score() {
        // 300 of 400 points; the prior adds a drawn game.
        let ratings = Ratings::new(2, &[(0, 1, tally([0, 0, 100, 0, 100]))]);
        let (elo, [low, high]) = ratings.difference(0, 1);
        let expected = 400.0 * (300.5f64 / 100.5).log10();
        assert!((elo - expected).abs() < 0.1, "{elo}, expected {expected}");
        assert!(low < elo && elo < high && high - low < 120.0, "{low} {high}");
        assert!(ratings.superiority(0, 1) > 0.999 && ratings.superiority(1, 0) < 0.001);
    }

    #[test]
    fn a_chain_of_opponents_adds_up() {
        // 0 beats 1 and 1 beats 2, 75 % each: 190.85 Elo a step, though 0 and 2 never met.
        let step = tally([0, 0, 5000, 0, 5000]);
        let ratings = Ratings::new(3, &[(0, 1, step), (1, 2, step)]);
        let (elo, _) = ratings.difference(0, 2);
        assert!((elo - 381.7).abs() < 1.0, "{elo}");
    }

    #[test]
    fn a_clean_sweep_has_a_finite_rating() {
        let ratings = Ratings::new(2, &[(0, 1, tally([0, 0, 0, 0, 50]))]);
        let (elo, [low, high]) = ratings.difference(0, 1);
        assert!(elo.is_finite() && low.is_finite() && high.is_finite() && elo > 500.0, "{elo}");
        // Four games say less than a hundred.
        let few = Ratings::new(2, &[(0, 1, tally([0, 0, 0, 0, 2]))]);
        let (_, [least, most]) = few.difference(0, 1);
        assert!(low < high && least < most && least < low - 100.0, "{least} {most} {low} {high}");
        // However seldom it is drawn, what was played lies within.
        let sweep = tally([0, 0, 0, 0, 25]);
        let ratings =
            Ratings::new(3, &[(0, 1, sweep), (0, 2, sweep), (1, 2, tally([0, 0, 3, 0, 22]))]);
        let (elo, [low, high]) = ratings.difference(0, 2);
        assert!(low < elo && elo <= high, "{elo} {low} {high}");
    }

    #[test]
    fn a_performance_is_the_rating_that_explains_the_points() {
        // 75 % against one opponent: 190.85 Elo above it.
        let [good, even] = [tally([0, 0, 50, 0, 50]), tally([25, 0, 50, 0, 25])];
        let (rating, [low, high]) = performance(&[(1500.0, good)]).unwrap();
        assert!((rating - 1690.85).abs() < 0.1, "{rating}");
        let [least, most] = good.elo_interval().map(|elo| 1500.0 + elo);
        assert!((low - least).abs() < 0.1 && (high - most).abs() < 0.1, "{low} {high}");
        // Even against both of two: between them. More games against one: nearer to it.
        let (rating, _) = performance(&[(1400.0, even), (1600.0, even)]).unwrap();
        assert!((rating - 1500.0).abs() < 0.1, "{rating}");
        let more = even.plus(&even);
        let (rating, _) = performance(&[(1400.0, even), (1600.0, more)]).unwrap();
        assert!((1520.0..1560.0).contains(&rating), "{rating}");
        // A clean sweep of a hundred games counts as 100.5 of 101.
        let (rating, [low, high]) = performance(&[(1500.0, tally([0, 0, 0, 0, 50]))]).unwrap();
        assert!((rating - 1500.0 - 400.0 * 201f64.log10()).abs() < 0.1, "{rating}");
        assert!(low < rating - 100.0 && high == f64::INFINITY, "{low} {high}");
        let (rating, [low, high]) = performance(&[(1500.0, tally([50, 0, 0, 0, 0]))]).unwrap();
        assert!(low == f64::NEG_INFINITY && rating < 1500.0 && high < 1500.0, "{rating} {high}");
        assert_eq!(performance(&[(1500.0, Tally::default())]), None);
    }

    #[test]
    fn equal_players_are_told_apart_by_nobody() {
        let ratings = Ratings::new(2, &[(0, 1, tally([20, 0, 60, 0, 20]))]);
        let superiority = ratings.superiority(0, 1);
        assert!((0.4..0.6).contains(&superiority), "{superiority}");
        let (elo, [low, high]) = ratings.difference(0, 1);
        assert!(elo.abs() < 0.1 && low < 0.0 && 0.0 < high, "{elo} {low} {high}");
    }

    /// Tournaments of three players drawn from known ratings: the interval holds the true difference
    /// of the first and the last one.
    #[test]
    fn intervals_hold_the_truth() {
        let strength = [2.0f64, 1.2, 0.8];
        let truth = 400.0 * (strength[0] / strength[2]).log10();
        let tournaments = 150;
        let covered = (0..tournaments).filter(|&number| {
            let mut rng = Rng::stream(9, number);
            let mut encounter = |i: usize, j: usize| {
                let chance = strength[i] / (strength[i] + strength[j]);
                let mut pairs = [0; 5];
                for _ in 0..50 {
                    let points = (0..2).filter(|_| rng.unit() < chance).count();
                    pairs[2 * points] += 1;
                }
                (i, j, tally(pairs))
            };
            let encounters = [encounter(0, 1), encounter(0, 2), encounter(1, 2)];
            let (_, [low, high]) = Ratings::new(3, &encounters).difference(0, 2);
            (low..=high).contains(&truth)
        });
        let coverage = covered.count() as f64 / tournaments as f64;
        assert!((0.89..=0.99).contains(&coverage), "{coverage}");
    }
}
