//! Networks and positions to learn from. The first byte chooses; the checksum is made right.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use spinney_fuzz::with_checksum;
use spinney_games::loa::knowledge::network::{LoaNetwork, features, shipped};
use spinney_network::data::Data;
use spinney_network::{Active, FeatureSet, Network, Tie};

/// Features of a game with two squares.
static FEATURES: LazyLock<FeatureSet> = LazyLock::new(|| FeatureSet {
    game: "two",
    name: "squares",
    inputs: 4,
    most_active: 2,
    exchanged: vec![2, 3, 0, 1],
    symmetries: vec![vec![0, 1, 2, 3]],
    ties: vec![Tie { class: 0, sign: 1 }, Tie { class: 1, sign: -1 }],
    classes: 2,
    extract: |[own, other]: [u64; 2], active: &mut Active| {
        active.inputs.extend((0..2).filter(|square| own >> square & 1 == 1));
        active.inputs.extend((2..4).filter(|square| other >> (square - 2) & 1 == 1));
        active.lines.push((own & 1) as u16);
    },
});

fn check<const H: usize>(bytes: &[u8], features: &FeatureSet, position: [u64; 2]) {
    if let Ok(network) = Network::<H>::from_bytes(bytes, features) {
        assert_eq!(network.to_bytes(features), bytes);
        let (views, lines) = features.views(position);
        let sums = network.accumulators(&views, &lines);
        network.evaluate(&sums, 0);
        network.evaluate(&sums, 1);
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Some((&kind, bytes)) = bytes.split_first() else { return };
    match kind % 4 {
        0 => check::<8>(bytes, &FEATURES, [1, 2]),
        1 => check::<8>(&with_checksum(bytes), &FEATURES, [2, 1]),
        // The shipped network of 6x6 with some bytes changed: three for a place and one for a value.
        2 => {
            let mut file = shipped::<6>().to_vec();
            file.truncate(file.len() - 8);
            for edit in bytes.chunks_exact(4) {
                let place = u32::from_le_bytes([edit[0], edit[1], edit[2], 0]) as usize;
                let length = file.len();
                file[place % length] = edit[3];
            }
            let _ = LoaNetwork::from_bytes(&with_checksum(&file), features::<6>());
        }
        _ => {
            if let Ok(data) = Data::from_bytes(bytes) {
                let written = data.to_bytes();
                let again = Data::from_bytes(&written).expect("what was written can be read");
                assert_eq!(again.to_bytes(), written);
            }
        }
    }
});
