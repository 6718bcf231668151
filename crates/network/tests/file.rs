//! Files of networks and of positions: read as they were written, and refused if they are damaged.

mod toy;

use proptest::prelude::*;
use spinney_game::file::fnv_1a;
use spinney_network::data::{Data, DataError, Position, RECORD};
use spinney_network::file::FileError;
use spinney_network::{FeatureSet, Network};

type Toy = Network<{ toy::ROOM }>;

fn refusal(bytes: &[u8], features: &FeatureSet) -> String {
    match Toy::from_bytes(bytes, features) {
        Ok(_) => "none".to_owned(),
        Err(error) => error.to_string(),
    }
}

/// The same bytes with a checksum that fits.
fn signed(mut bytes: Vec<u8>) -> Vec<u8> {
    let content = bytes.len() - 8;
    let sum = fnv_1a(&bytes[..content]);
    bytes[content..].copy_from_slice(&sum.to_le_bytes());
    bytes
}

#[test]
fn a_network_is_read_as_it_was_written() {
    let features = toy::features();
    let network = toy::network(&features, 1);
    let bytes = network.to_bytes(&features);
    let read = Toy::from_bytes(&bytes, &features).expect("a network");
    assert!(read == network);
    assert_eq!(read.record(), r#"{"seed":1}"#);
    // More room changes nothing but the units that are 0.
    let wide = Network::<16>::from_bytes(&bytes, &features).expect("a network");
    assert_eq!(wide.to_bytes(&features), bytes);
}

#[test]
fn foreign_files_are_refused_in_one_line() {
    let features = toy::features();
    let bytes = toy::network(&features, 1).to_bytes(&features);
    assert_eq!(refusal(b"", &features), "not a network");
    assert_eq!(refusal(b"spindata and more", &features), "not a network");
    let mut newer = bytes.clone();
    newer[8] = 2;
    let expected = "a network of version 2; this program reads version 1";
    assert_eq!(refusal(&signed(newer), &features), expected);
    let other = FeatureSet { game: "other", ..toy::features() };
    assert_eq!(refusal(&bytes, &other), r#"a network of "toy", not of "other""#);
    let other = FeatureSet { name: "other", ..toy::features() };
    assert_eq!(refusal(&bytes, &other), r#"features "squares"; this program has "other""#);
    let small = Network::<4>::from_bytes(&bytes, &features).err();
    assert_eq!(small, Some(FileError::Hidden { found: 8, room: 4 }));
    let other = FeatureSet { most_active: 1000, ..toy::features() };
    assert_eq!(refusal(&bytes, &other), "damaged: a weight is out of range");
    let mut longer = bytes.clone();
    longer.extend([0; 8]);
    assert_eq!(refusal(&signed(longer), &features), "damaged: something follows the weights");
}

#[test]
fn positions_are_read_as_they_were_written() {
    let position = |game, value, result| Position { sets: [5, 8], game, value, result, ply: 7 };
    let positions = vec![
        position(0, 0.0, None),
        position(3, -1.0, Some(-1)),
        position(u32::MAX, 12345.0 / 32767.0, Some(1)),
    ];
    let data = Data { text: "how".to_owned(), positions };
    let bytes = data.to_bytes();
    assert_eq!(bytes.len(), 16 + 3 + 3 * RECORD);
    assert_eq!(Data::from_bytes(&bytes), Ok(data.clone()));
    // A record that was cut off is left out.
    let cut = Data::from_bytes(&bytes[..bytes.len() - 1]).expect("two positions");
    assert_eq!(cut.positions, data.positions[..2]);
    assert_eq!(Data::from_bytes(&bytes[..17]), Err(DataError::Header));
    assert_eq!(Data::from_bytes(b"else"), Err(DataError::Magic));
    let mut wrong = bytes;
    wrong[16 + 3 + RECORD + 22] = 9;
    assert_eq!(Data::from_bytes(&wrong), Err(DataError::Position(2)));
}

proptest! {
    #[test]
    fn damaged_networks_are_refused(place in 0usize..1000, change in 1u8.., length in 0usize..1000) {
        let features = toy::features();
        let bytes = toy::network(&features, 1).to_bytes(&features);
        let mut changed = bytes.clone();
        let place = place % bytes.len();
        changed[place] ^= change;
        prop_assert!(Toy::from_bytes(&changed, &features).is_err());
        prop_assert!(Toy::from_bytes(&bytes[..length % bytes.len()], &features).is_err());
        // Even where someone has made the checksum fit, nothing but an error can come of it.
        if place < bytes.len() - 8
            && let Ok(network) = Toy::from_bytes(&signed(changed), &features)
        {
            let (views, lines) = features.views([1, 8]);
            network.evaluate(&network.accumulators(&views, &lines), 0);
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let mut network = b"spinnet\n\x01\0\0\0".to_vec();
        network.extend(&bytes);
        network.extend([0; 8]);
        prop_assert!(Toy::from_bytes(&signed(network), &toy::features()).is_err());
        let mut data = b"spindata\x01\0\0\0".to_vec();
        data.extend(&bytes);
        let _ = Data::from_bytes(&data);
    }
}
