//! Networks of LOA: what is kept up to date is what it is from scratch, on both boards.

use std::num::NonZero;
use std::sync::Arc;

use spinney_game::file::fnv_1a;
use spinney_game::{Game, Notation, Rng, Symmetric};
use spinney_games::loa::knowledge::LoaEvaluation;
use spinney_games::loa::knowledge::network::{
    HIDDEN, LoaNetwork, NetworkEvaluation, features, shipped,
};
use spinney_games::loa::{Loa, Move};
use spinney_network::data::Position;
use spinney_network::training::{Corpus, Settings, integer_logit, train};
use spinney_network::{Model, POINTS_PER_LOGIT};

/// A network with random weights, in the table over lines too.
fn network<const N: usize>(seed: u64) -> LoaNetwork {
    let mut rng = Rng::new(seed);
    let mut model = Model::<HIDDEN>::random(features::<N>(), HIDDEN, &mut rng);
    let lines = model.parameters().len() - features::<N>().classes;
    for weight in &mut model.parameters_mut()[lines..] {
        *weight = 0.2 * rng.unit() as f32 - 0.1;
    }
    model.quantised(features::<N>(), HIDDEN, String::new())
}

/// Random games; `check` gets each position that is not finished.
fn random_games<const N: usize>(games: u64, mut check: impl FnMut(&Loa<N>, Move)) {
    for seed in 0..games {
        let mut rng = Rng::new(seed);
        let mut position = Loa::<N>::default();
        for _ in 0..100 {
            if position.outcome().is_some() {
                break;
            }
            let m = position.random_move(&mut rng);
            check(&position, m);
            position.play(m);
        }
    }
}

fn men<const N: usize>(position: &Loa<N>) -> [u64; 2] {
    [position.to_move(), !position.to_move()].map(|side| position.men(side))
}

fn updates_are_exact<const N: usize>() {
    let network = Arc::new(network::<N>(1));
    let mut evaluation = NetworkEvaluation::<N>::new(network.clone());
    let mut captures = 0;
    random_games::<N>(40, |position, m| {
        let text = position.position_text();
        let state = evaluation.state(position);
        let value = evaluation.evaluate(position, &state);
        // The features are declared in the same way for training, as the side to move sees them.
        let declared = integer_logit(&network, features::<N>(), men(position));
        assert_eq!(value, (declared * POINTS_PER_LOGIT).round() as i32, "{text}");
        let mut next = position.clone();
        next.play(m);
        let mut updated = state.clone();
        evaluation.play(&mut updated, position, m);
        assert_eq!(updated, evaluation.state(&next), "{text} {m:?}");
        let after = -evaluation.evaluate(&next, &updated);
        assert_eq!(evaluation.evaluate_after(position, &state, m), after, "{text} {m:?}");
        // A pass changes the side to move only.
        let passed = position.with_turn_passed();
        let passed_state = evaluation.state(&passed);
        let value = -evaluation.evaluate(&passed, &passed_state);
        assert_eq!(evaluation.evaluate_after(position, &state, Move::PASS), value, "{text}");
        captures += u32::from(position.is_capture(m));
    });
    assert!(captures > 100, "{captures}");
}

#[test]
fn updates_are_exact_on_both_boards() {
    updates_are_exact::<8>();
    updates_are_exact::<6>();
}

/// The table over lines has the symmetries of the board and of the sides by itself.
fn lines_are_symmetric<const N: usize>() {
    let features = features::<N>();
    random_games::<N>(20, |position, _| {
        let lines = |position: &Loa<N>| {
            let (_, lines) = features.views(men(position));
            let mut classes = std::collections::BTreeMap::new();
            for tie in lines.iter().map(|&entry| features.ties[usize::from(entry)]) {
                *classes.entry(tie.class).or_insert(0) += i32::from(tie.sign);
            }
            classes.retain(|_, sum| *sum != 0);
            classes
        };
        let here = lines(position);
        for index in 1..position.symmetries() {
            assert_eq!(lines(&position.transformed(index)), here, "{}", position.position_text());
        }
        let opposite = here.into_iter().map(|(class, sum)| (class, -sum)).collect();
        assert_eq!(lines(&position.with_turn_passed()), opposite);
    });
}

#[test]
fn lines_are_symmetric_on_both_boards() {
    lines_are_symmetric::<8>();
    lines_are_symmetric::<6>();
}

/// A network whose hidden units are tied gives every image of a position the same value.
fn tied_values_are_symmetric<const N: usize>() {
    let features = features::<N>();
    let mut corpus = Corpus::default();
    let mut rng = Rng::new(7);
    random_games::<N>(20, |position, _| {
        let value = 1.6 * rng.unit() - 0.8;
        let game = rng.below(1000);
        corpus.add(&[Position { sets: men(position), game, value, result: Some(1), ply: 0 }]);
    });
    let batch = NonZero::new(64).expect("not 0");
    let settings = Settings {
        hidden: 16,
        epochs: 2,
        batch,
        rate: 0.05,
        symmetric: true,
        ..Settings::default()
    };
    let trained = train::<HIDDEN>(features, &corpus, &settings, |_, _, _| ());
    let network = trained.model.quantised(features, 16, String::new());
    let mut values = std::collections::HashSet::new();
    random_games::<N>(10, |position, _| {
        let value = |position: &Loa<N>| integer_logit(&network, features, men(position));
        let here = value(position);
        for index in 1..position.symmetries() {
            let image = value(&position.transformed(index));
            assert_eq!(image, here, "{}", position.position_text());
        }
        values.insert(here.to_bits());
    });
    assert!(values.len() > 50, "{}", values.len());
}

#[test]
fn tied_values_are_symmetric_on_both_boards() {
    tied_values_are_symmetric::<8>();
    tied_values_are_symmetric::<6>();
}

fn is_the_one_in_its_name<const N: usize>(name: u64) {
    let bytes = shipped::<N>();
    let network = LoaNetwork::from_bytes(bytes, features::<N>()).expect("a network");
    let (content, sum) = bytes.split_last_chunk().expect("a checksum");
    assert_eq!(u64::from_le_bytes(*sum), name);
    assert_eq!(fnv_1a(content), name);
    // It was trained with tied units.
    random_games::<N>(10, |position, _| {
        let value = |position: &Loa<N>| integer_logit(&network, features::<N>(), men(position));
        let here = value(position);
        assert!((1..8).all(|index| value(&position.transformed(index)) == here));
    });
}

#[test]
fn the_shipped_networks_are_those_in_their_names() {
    is_the_one_in_its_name::<8>(0xaf1b_0b28_3bac_7999);
    is_the_one_in_its_name::<6>(0xd695_0b88_73af_9544);
}

#[test]
fn a_network_of_one_board_is_refused_on_the_other() {
    let bytes = network::<6>(1).to_bytes(features::<6>());
    let error = LoaNetwork::from_bytes(&bytes, features::<8>()).err().expect("a refusal");
    assert_eq!(error.to_string(), r#"a network of "loa6", not of "loa""#);
    let sizes = [features::<8>(), features::<6>()].map(|f| (f.ties.len(), f.classes));
    assert_eq!(sizes, [(36_084, 9_038), (3_279, 824)]);
}
