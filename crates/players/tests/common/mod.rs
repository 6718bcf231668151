//! Players of LOA and endgames to try them on.

// Every test file uses some of these.
#![allow(dead_code)]

use std::fs;

use spinney_game::{Game, History, Notation};
use spinney_games::loa::Loa;
use spinney_players::{Player, PlayerSpec, create};
use spinney_search::{Limits, Report, Stop};

/// A player with seed 1.
pub(crate) fn player(spec: &str) -> Box<dyn Player<Loa>> {
    let spec: PlayerSpec = spec.parse().expect("a player");
    create(&spec, &Loa::<8>::default(), 1).expect("known options")
}

/// What a player finds.
pub(crate) fn analyse(
    player: &mut dyn Player<Loa>,
    position: &Loa,
    limits: &Limits,
) -> Report<<Loa as Game>::Move> {
    player.analyse(&History::new(position.clone()), limits, &Stop::new(), &mut |_| ())
}

/// A position of a real game whose value was proven by other programs.
pub(crate) struct Endgame {
    pub(crate) position: Loa,
    /// For the side to move: win, draw or loss.
    pub(crate) value: String,
    /// The shortest win or the longest resistance, if it is known.
    pub(crate) plies: Option<u32>,
}

/// All endgames, in the order of the file.
pub(crate) fn endgames() -> Vec<Endgame> {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/positions/loa-endgames.tsv");
    let text = fs::read_to_string(file).expect("the file");
    let start = Loa::<8>::default();
    let lines = text.lines().filter(|line| line.starts_with('p')).map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        Endgame {
            position: start.parse_position(fields[1]).expect("a position"),
            value: fields[2].to_owned(),
            plies: fields[3].parse().ok(),
        }
    });
    lines.collect()
}
