//! `spinney learn`: what is committed is what the command makes.

mod common;

use common::{assert_refused, stdout};

#[test]
fn the_openings_of_loa_are_made_by_the_command_in_their_header() {
    let committed = include_str!("../../../testdata/openings/loa-100.txt");
    assert!(
        committed.contains("`spinney learn openings --plies 3 --count 100 --balance 50 --seed 1`")
    );
    assert_eq!(stdout(&["learn", "openings"]), committed);
    let others = stdout(&["learn", "openings", "--seed", "2"]);
    assert_ne!(others, committed);
    let committed = include_str!("../../../testdata/openings/loa6-100.txt");
    assert_eq!(stdout(&["learn", "openings", "--game", "loa6"]), committed);
    assert_refused(&["learn", "openings", "--count", "100000"], "openings are so balanced");
}
