//! Other programs among the players of a registry.

use spinney_session::{
    GameHandle, OptionList, Player, PlayerEntry, PlayerError, ProgramKind, Registry,
};

use crate::external::{Config, External};

/// The player that is another program.
pub const EXTERNAL: &str = "external";

/// The games that come with Spinney, with other programs as players.
pub fn registry() -> Registry {
    let mut registry = Registry::builtin();
    add_external(&mut registry);
    registry
}

/// Adds other programs as players to the games of a registry.
pub fn add_external(registry: &mut Registry) {
    registry.add_program(ProgramKind {
        entry: PlayerEntry {
            name: EXTERNAL,
            summary: "another program: external:cmd=stockfish,protocol=uci",
        },
        make,
        describe,
    });
}

/// Starts a program and greets it.
fn make(
    game: &GameHandle,
    options: &mut OptionList,
    _seed: u64,
) -> Result<Box<dyn Player>, PlayerError> {
    let config = Config::new(game, options)?;
    options.refuse_rest()?;
    let player = External::new(config).map_err(|problem| options.error(problem))?;
    Ok(Box::new(player))
}

/// Takes the options; nothing is started.
fn describe(game: &GameHandle, options: &mut OptionList) -> Result<(), PlayerError> {
    // Without a program there are the same options.
    let _ = Config::new(game, options);
    Ok(())
}
