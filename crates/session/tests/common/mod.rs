//! Games and players by name, and endgames of LOA to try them on.

// Every test file uses some of these.
#![allow(dead_code)]

use std::fs;

use spinney_session::{GameHandle, Limits, Player, PlayerSpec, Registry, Report, Session, Stop};

/// A game by name.
pub(crate) fn game(name: &str) -> GameHandle {
    Registry::builtin().game(name).expect("a game")
}

/// A position of a game.
pub(crate) fn position(game: &GameHandle, text: &str) -> Session {
    game.at(Some(text)).expect("a position")
}

/// A player of a game.
pub(crate) fn player(game: &GameHandle, spec: &str, seed: u64) -> Box<dyn Player> {
    let spec: PlayerSpec = spec.parse().expect("a player");
    game.player(&spec, seed).expect("known options")
}

/// What a player finds.
pub(crate) fn analyse(player: &mut dyn Player, session: &Session, limits: &Limits) -> Report {
    player.analyse(session, limits, &Stop::new(), &mut |_| ()).expect("limits that end it")
}

/// Why a player is not made.
pub(crate) fn refusal(game: &GameHandle, spec: &str) -> String {
    let parsed: PlayerSpec = spec.parse().expect("a player");
    match game.player(&parsed, 1) {
        Ok(_) => panic!("{spec} was accepted"),
        Err(error) => error.to_string(),
    }
}

/// A position of a real game of LOA whose value was proven by other programs.
pub(crate) struct Endgame {
    pub(crate) position: Session,
    /// For the side to move: win, draw or loss.
    pub(crate) value: String,
    /// The shortest win or the longest resistance, if it is known.
    pub(crate) plies: Option<u32>,
}

/// All endgames, in the order of the file.
pub(crate) fn endgames() -> Vec<Endgame> {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/positions/loa-endgames.tsv");
    let text = fs::read_to_string(file).expect("the file");
    let loa = game("loa");
    let lines = text.lines().filter(|line| line.starts_with('p')).map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        Endgame {
            position: position(&loa, fields[1]),
            value: fields[2].to_owned(),
            plies: fields[3].parse().ok(),
        }
    });
    lines.collect()
}
