//! Other programs among the players of a registry.

use spinney_session::{
    GameHandle, OptionInfo, Player, PlayerEntry, PlayerError, PlayerSpec, ProgramKind, Registry,
    options,
};

use crate::external::{Config, ENGINE_OPTION, External};

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
        options: external_options,
    });
}

/// Starts a program and greets it.
fn make(game: &GameHandle, spec: &PlayerSpec) -> Result<Box<dyn Player>, PlayerError> {
    let config = Config::new(game, spec)?;
    let player = External::new(config).map_err(|problem| spec.error(problem))?;
    Ok(Box::new(player))
}

/// The options; nothing is started.
fn external_options(game: &GameHandle, spec: &PlayerSpec) -> Result<Vec<OptionInfo>, PlayerError> {
    let mut config = Config::default_for(game);
    let declared = Config::declare();
    let listed = options::list(&declared, &mut config);
    options::apply(&spec.split_prefixed(ENGINE_OPTION).0, &declared, &mut config)?;
    Ok(listed)
}
