//! The player of a command, and the options that commands have for it.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args;
use spinney_session::{GameHandle, PlayerSpec};

use crate::limit::whole;

#[derive(Args)]
pub(crate) struct PlayerArguments {
    /// The player: name or name:key=value,key=value (see `spinney players`); if absent the strongest,
    /// mcc-plus for chess, spinney for loa, uct for other games.
    #[arg(long, value_name = "SPEC")]
    player: Option<PlayerSpec>,
    /// A folder of Syzygy tables, for players of chess: the player's option `syzygy`.
    #[arg(long, value_name = "DIR")]
    syzygy: Option<PathBuf>,
    /// The seed of the random numbers; an engine takes the next for every game.
    #[arg(long, value_name = "S", default_value_t = 0, value_parser = whole(0_u64..),
          allow_negative_numbers = true)]
    pub(crate) seed: u64,
}

impl PlayerArguments {
    /// The player of a game.
    pub(crate) fn spec(&self, game: &GameHandle) -> Result<PlayerSpec> {
        let spec = self.player.clone().unwrap_or_else(|| game.default_player());
        match &self.syzygy {
            Some(folder) => {
                add(spec, "syzygy", folder.to_str().context("--syzygy: the path is no text")?)
            }
            None => Ok(spec),
        }
    }
}

/// A player with one more option, unless it has it.
pub(crate) fn add(spec: PlayerSpec, key: &str, value: &str) -> Result<PlayerSpec> {
    if spec.value(key).is_some() {
        bail!("player \"{spec}\": {key} is given twice");
    }
    Ok(spec.with(key, value))
}
