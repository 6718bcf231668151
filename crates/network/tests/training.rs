//! Training: gradients, whole numbers, determinism, and a function that is learned.

mod toy;

use std::num::NonZero;

use spinney_game::Rng;
use spinney_network::data::Position;
use spinney_network::training::{Corpus, Settings, Trained, integer_logit, losses, train};
use spinney_network::{Model, POINTS_PER_LOGIT};

fn cross_entropy(model: &Model<{ toy::ROOM }>, sets: [u64; 2], target: f64) -> f64 {
    let logit = f64::from(model.logit(&toy::features(), sets, 0));
    let probability = 1.0 / (1.0 + (-logit).exp());
    -target * probability.ln() - (1.0 - target) * (1.0 - probability).ln()
}

#[test]
fn gradients_are_those_of_finite_differences() {
    const STEP: f32 = 1e-2;
    let features = toy::features();
    let mut rng = Rng::new(1);
    let mut compared = 0;
    for seed in 0..20 {
        let model = toy::model(&features, seed);
        let (sets, target) = (toy::position(&mut rng), rng.unit());
        let (loss, gradient) = model.gradient(&features, sets, target as f32);
        assert!((f64::from(loss) - cross_entropy(&model, sets, target)).abs() < 1e-5);
        for (index, &slope) in gradient.iter().enumerate() {
            let shifted = |step: f32| {
                let mut model = model.clone();
                model.parameters_mut()[index] += step;
                cross_entropy(&model, sets, target)
            };
            let [below, here, above] = [-STEP, 0.0, STEP].map(shifted);
            let slopes = [(here - below) / f64::from(STEP), (above - here) / f64::from(STEP)];
            // A hidden unit that is clamped on one side only has no gradient.
            if (slopes[0] - slopes[1]).abs() > 0.02 {
                continue;
            }
            let difference = (slopes[0] + slopes[1]) / 2.0 - f64::from(slope);
            assert!(difference.abs() < 2e-3, "seed {seed}, parameter {index}: {difference}");
            compared += 1;
        }
    }
    assert!(compared > 1500, "{compared}");
}

#[test]
fn whole_numbers_differ_little_from_floating_point() {
    let features = toy::features();
    let mut rng = Rng::new(2);
    for seed in 0..20 {
        let model = toy::model(&features, seed);
        let network = toy::network(&features, seed);
        for _ in 0..20 {
            let sets = toy::position(&mut rng);
            let exact = model.logit(&features, sets, 0);
            let whole = integer_logit(&network, &features, sets);
            assert!((exact - whole).abs() * POINTS_PER_LOGIT < 12.0, "{exact} {whole}");
        }
    }
}

/// Positions that the side with more men on the left half wins, and the scale of their values.
fn corpus(count: u32) -> (Corpus, f64) {
    let mut rng = Rng::new(3);
    let mut corpus = Corpus::default();
    let position = |game| {
        let sets = toy::position(&mut rng);
        let surplus = (sets[0] & 3).count_ones() as i8 - (sets[1] & 3).count_ones() as i8;
        let result = (game % 3 != 0).then_some(surplus.signum());
        let value = f64::from(surplus) * 0.3;
        Position { sets, game, value, result, ply: 0 }
    };
    let scale = corpus.add(&(0..count).map(position).collect::<Vec<_>>());
    (corpus, scale)
}

fn trained(settings: &Settings) -> Trained<{ toy::ROOM }> {
    train(&toy::features(), &corpus(500).0, settings, |_, _, _| ())
}

fn settings() -> Settings {
    let batch = NonZero::new(16).expect("not 0");
    let symmetric = false;
    Settings { hidden: toy::ROOM, epochs: 30, batch, rate: 0.02, symmetric, ..Settings::default() }
}

#[test]
fn what_decides_is_learned() {
    let (corpus, scale) = corpus(500);
    // Duplicates are left out: there are 81 positions.
    assert!(corpus.training.len() + corpus.held_out.len() <= 81);
    assert!(corpus.correlation() > 0.8);
    let Trained { model, curve } = trained(&settings());
    assert!(curve[29].0 < 0.8 * curve[0].0, "{curve:?}");
    assert!(scale > 1.0, "results are more certain than the values say");
    let features = toy::features();
    let all = || corpus.training.iter().chain(&corpus.held_out);
    let of_model = losses(all(), 0.2, |p| model.logit(&features, p.sets, 0));
    assert!(of_model.result < 0.5 && of_model.target < 0.6, "{of_model:?}");
}

#[test]
fn a_seed_gives_the_same_network_with_any_number_of_threads() {
    let parameters = |seed, threads: usize| {
        let threads = NonZero::new(threads).expect("not 0");
        let settings = Settings { seed, threads, epochs: 3, ..settings() };
        trained(&settings).model.parameters().to_vec()
    };
    let first = parameters(1, 1);
    assert_eq!(first, parameters(1, 3));
    assert_ne!(first, parameters(2, 1));
}

#[test]
fn tied_units_give_images_the_same_value() {
    let features = toy::features();
    let model = trained(&Settings { symmetric: true, ..settings() }).model;
    let network = model.quantised(&features, toy::ROOM, String::new());
    let mirror = |set: u64| set.reverse_bits() >> 60;
    let mut rng = Rng::new(4);
    let mut values = std::collections::BTreeSet::new();
    for _ in 0..50 {
        let sets = toy::position(&mut rng);
        let value = integer_logit(&network, &features, sets);
        assert_eq!(value, integer_logit(&network, &features, sets.map(mirror)));
        values.insert(value.to_bits());
    }
    assert!(values.len() > 10);
}

#[test]
fn units_beyond_the_hidden_ones_stay_0() {
    let model = trained(&Settings { hidden: 4, epochs: 3, ..settings() }).model;
    let rows = model.parameters()[..11 * toy::ROOM].chunks(toy::ROOM);
    assert!(rows.flat_map(|row| &row[4..]).all(|&weight| weight == 0.0));
}
