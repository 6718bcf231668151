//! All players: those of this program, and other programs.

use spinney_games::catalog::Playable;
use spinney_players::{EXTERNAL, OptionDescription, Player, PlayerError, PlayerSpec};

use crate::external::{Config, External};

/// Makes a player for the game of a start position. Another program is started and greeted.
pub fn create<G: Playable>(
    spec: &PlayerSpec,
    start: &G,
    seed: u64,
) -> Result<Box<dyn Player<G>>, PlayerError> {
    if spec.name() != EXTERNAL {
        return spinney_players::create(spec, start, seed);
    }
    if spec.is_sandboxed() {
        return Err(spec.forbidden("may not start other programs here"));
    }
    let mut options = spec.options();
    let config = Config::new::<G>(&mut options)?;
    options.finish()?;
    let player = External::new(config).map_err(|problem| spec.options().error(problem))?;
    Ok(Box::new(player))
}

/// The options that a player has; nothing is started.
pub fn describe<G: Playable>(
    spec: &PlayerSpec,
    start: &G,
) -> Result<Vec<OptionDescription>, PlayerError> {
    if spec.name() != EXTERNAL {
        return spinney_players::describe(spec, start);
    }
    if spec.is_sandboxed() {
        return Err(spec.forbidden("may not start other programs here"));
    }
    let mut options = spec.options();
    // Without a program there are the same options.
    let _ = Config::new::<G>(&mut options);
    options.finish()
}
