//! A made-up game on a line of four squares, with its mirror image.

use spinney_game::Rng;
use spinney_network::{Active, FeatureSet, Model, Network, Tie};

/// Room for hidden units.
pub(crate) const ROOM: usize = 8;

/// Inputs: my men on four squares, then theirs. Lines: both halves of the board, the outer square first, to
/// the base three.
pub(crate) fn features() -> FeatureSet {
    let mirror = |input: u16| input / 4 * 4 + 3 - input % 4;
    // An empty half is 0; those that are each other's opposite share a class.
    let exchanged =
        |value: u16| [0, 2, 1][usize::from(value % 3)] + 3 * [0, 2, 1][usize::from(value / 3)];
    let mut ties = vec![Tie { class: 0, sign: 0 }; 9];
    let mut classes = 0;
    for value in (0..9).filter(|&value| value < exchanged(value)) {
        ties[usize::from(value)] = Tie { class: classes, sign: 1 };
        ties[usize::from(exchanged(value))] = Tie { class: classes, sign: -1 };
        classes += 1;
    }
    FeatureSet {
        game: "toy",
        name: "squares",
        inputs: 8,
        most_active: 4,
        exchanged: (0..8).map(|input| input ^ 4).collect(),
        symmetries: vec![(0..8).collect(), (0..8).map(mirror).collect()],
        ties,
        classes: classes.into(),
        extract,
    }
}

fn extract([own, other]: [u64; 2], active: &mut Active) {
    let digit = |square: u64| (own >> square & 1) as u16 + 2 * (other >> square & 1) as u16;
    for square in 0..4 {
        match digit(square) {
            0 => {}
            man => active.inputs.push(4 * (man - 1) + square as u16),
        }
    }
    active.lines.extend([digit(0) + 3 * digit(1), digit(3) + 3 * digit(2)]);
}

/// Any position.
#[allow(dead_code)]
pub(crate) fn position(rng: &mut Rng) -> [u64; 2] {
    let own = rng.next_u64() & 15;
    [own, rng.next_u64() & 15 & !own]
}

/// A model with random weights everywhere.
pub(crate) fn model(features: &FeatureSet, seed: u64) -> Model<ROOM> {
    let mut rng = Rng::new(seed);
    let mut model = Model::random(features, ROOM, &mut rng);
    for weight in model.parameters_mut() {
        *weight += 0.6 * rng.unit() as f32 - 0.2;
    }
    model
}

/// A network with random weights.
#[allow(dead_code)]
pub(crate) fn network(features: &FeatureSet, seed: u64) -> Network<ROOM> {
    model(features, seed).quantised(features, ROOM, r#"{"seed":1}"#.to_owned())
}
