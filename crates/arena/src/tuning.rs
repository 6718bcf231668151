//! Tuning the options of a player by games: simultaneous perturbation stochastic approximation (Spall
//! 1992, "Multivariate stochastic approximation using a simultaneous perturbation gradient approximation").
//!
//! In each iteration every number is moved by its step, up or down by chance, and the player with these
//! numbers plays the one with all of them moved the other way. The numbers then go towards the winner: the
//! clearer it won, the further. Steps and gains shrink, as Spall advises.
//!
//! An iteration follows from the numbers before it, the seed and its own number; so a course that was
//! interrupted continues from its last line.

use serde::{Deserialize, Serialize};
use spinney_game::file::fnv_1a;
use spinney_session::{PlayerSpec, Rng};

use crate::Record;

/// How fast steps and gains shrink (Spall 1998, "Implementation of the simultaneous perturbation algorithm").
const STEPS_SHRINK: f64 = 0.101;
const GAINS_SHRINK: f64 = 0.602;
/// Gains begin as if this share of the iterations was over.
const BEGUN: f64 = 0.1;

/// A number to tune.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Varied {
    /// The option.
    pub key: String,
    /// Its value at first.
    pub start: f64,
    /// How far it is moved in the last iteration.
    pub step: f64,
    /// The values that the player accepts.
    pub range: [f64; 2],
    /// Whether they are whole numbers.
    pub is_whole: bool,
}

/// What is tuned, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tuning {
    /// The game.
    pub game: String,
    /// The player, without the numbers.
    pub player: String,
    /// The limit of each move, and the openings.
    pub conditions: String,
    /// The numbers.
    pub varied: Vec<Varied>,
    /// How many iterations there are.
    pub iterations: u64,
    /// Games of an iteration: an even number.
    pub games: u64,
    /// Steps by which numbers move in the last iteration if every game is won.
    pub gain: f64,
    /// The seed of everything.
    pub seed: u64,
}

/// One iteration: a line of the course.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Iteration {
    /// The game.
    pub game: String,
    /// Its number, from 0.
    pub iteration: u64,
    /// A hash of what is tuned and how.
    pub tuning: String,
    /// The share of the points for the numbers moved their way, from 0 to 1.
    pub score: f64,
    /// The numbers after it.
    pub values: Vec<f64>,
}

impl Record for Iteration {
    fn index(&self) -> u64 {
        self.iteration
    }

    fn is_timed(&self) -> bool {
        true
    }
}

impl Tuning {
    /// The name of this tuning: a course with another name belongs to another one.
    pub fn hash(&self) -> String {
        format!("{:016x}", fnv_1a(format!("{self:?}").as_bytes()))
    }

    /// The numbers before the first iteration.
    pub fn start(&self) -> Vec<f64> {
        self.varied.iter().map(|varied| varied.start).collect()
    }

    /// How far each number is moved in an iteration; up is positive.
    pub fn moved(&self, iteration: u64) -> Vec<f64> {
        let mut rng = Rng::stream(self.seed, iteration);
        let left = self.iterations as f64 / (iteration + 1) as f64;
        let size = left.powf(STEPS_SHRINK);
        let mut sign = || if rng.below(2) == 0 { -size } else { size };
        self.varied.iter().map(|varied| sign() * varied.step).collect()
    }

    /// The numbers after an iteration. `score` is the share of the points for the numbers moved their way.
    pub fn next(&self, values: &[f64], iteration: u64, score: f64) -> Vec<f64> {
        let begun = BEGUN * self.iterations as f64;
        let left = (begun + self.iterations as f64) / (begun + (iteration + 1) as f64);
        let gain = self.gain * left.powf(GAINS_SHRINK) * (2.0 * score - 1.0);
        let moved = self.moved(iteration);
        let go = |((value, moved), varied): ((&f64, f64), &Varied)| {
            (value + gain * moved).clamp(varied.range[0], varied.range[1])
        };
        values.iter().zip(moved).zip(&self.varied).map(go).collect()
    }

    /// The player with these numbers.
    pub fn player(&self, spec: &PlayerSpec, values: &[f64]) -> PlayerSpec {
        let mut player = spec.clone();
        for (varied, value) in self.varied.iter().zip(values) {
            let value = value.clamp(varied.range[0], varied.range[1]);
            let text = if varied.is_whole {
                format!("{value:.0}")
            } else {
                // Four digits say more than games can.
                format!("{value:.4}").trim_end_matches('0').trim_end_matches('.').to_owned()
            };
            player = player.with(&varied.key, &text);
        }
        player
    }

    /// What comes out of a course: the mean of the numbers over its second half, which varies less than the
    /// last ones.
    pub fn result(&self, course: &[Iteration]) -> Vec<f64> {
        let half = &course[course.len() / 2..];
        if half.is_empty() {
            return self.start();
        }
        let mean = |place: usize| {
            half.iter().map(|iteration| iteration.values[place]).sum::<f64>() / half.len() as f64
        };
        (0..self.varied.len()).map(mean).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tuning(iterations: u64) -> Tuning {
        let varied = |key: &str, start: f64, step: f64| Varied {
            key: key.to_owned(),
            start,
            step,
            range: [0.0, 1000.0],
            is_whole: true,
        };
        Tuning {
            game: String::new(),
            player: String::new(),
            conditions: String::new(),
            varied: vec![varied("a", 20.0, 10.0), varied("b", 500.0, 50.0)],
            iterations,
            games: 8,
            gain: 0.2,
            seed: 1,
        }
    }

    /// Games whose chances fall with the distance from known numbers.
    fn course(tuning: &Tuning) -> Vec<Iteration> {
        let mut rng = Rng::new(2);
        let elo = |values: &[f64]| {
            let [a, b] = [(values[0] - 60.0) / 20.0, (values[1] - 300.0) / 100.0];
            -30.0 * (a * a + b * b)
        };
        let mut values = tuning.start();
        let mut course = Vec::new();
        for iteration in 0..tuning.iterations {
            let moved = tuning.moved(iteration);
            let at = |sign: f64| -> Vec<f64> {
                values.iter().zip(&moved).map(|(value, moved)| value + sign * moved).collect()
            };
            let chance = crate::score_of_elo(elo(&at(1.0)) - elo(&at(-1.0)));
            let wins = (0..tuning.games).filter(|_| rng.unit() < chance).count();
            let score = wins as f64 / tuning.games as f64;
            values = tuning.next(&values, iteration, score);
            let (game, hash) = (String::new(), String::new());
            course.push(Iteration { game, iteration, tuning: hash, score, values: values.clone() });
        }
        course
    }

    #[test]
    fn numbers_find_their_best_values() {
        let tuning = tuning(2000);
        let [a, b] = tuning.result(&course(&tuning))[..] else { panic!("two numbers") };
        assert!((a - 60.0).abs() < 10.0, "{a}");
        assert!((b - 300.0).abs() < 50.0, "{b}");
    }

    #[test]
    fn players_get_values_that_they_accept() {
        let tuning = tuning(10);
        let spec = PlayerSpec::plain("mia");
        let player = tuning.player(&spec, &[-5.0, 12.6]);
        assert_eq!(player.to_string(), "mia:a=0,b=13");
    }
}
