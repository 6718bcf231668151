//! `spinney engine`: a player that other programs talk to.

use std::io::{self, BufReader, Write};

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use spinney_protocol::Dialect;
use spinney_protocol::engine::{self, EngineError};
use spinney_session::Registry;

use crate::player::PlayerArguments;

#[derive(Args)]
pub(crate) struct Engine {
    /// The protocol: UCI for chess, UGI for every game, XBoard for chess and LOA.
    #[arg(long, value_name = "NAME", value_enum)]
    protocol: Protocol,
    /// The game, such as loa or breakthrough:8x8 (see `spinney games`).
    #[arg(long, value_name = "GAME", default_value = "chess")]
    game: String,
    #[command(flatten)]
    player: PlayerArguments,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Protocol {
    /// The Universal Chess Interface.
    Uci,
    /// The Universal Game Interface.
    Ugi,
    /// The Chess Engine Communication Protocol, for XBoard and WinBoard: chess and Lines of Action.
    #[value(alias = "cecp")]
    Xboard,
}

impl Engine {
    pub(crate) fn run(&self, registry: &Registry, out: &mut impl Write) -> Result<()> {
        let game = registry.game(&self.game)?;
        if self.protocol == Protocol::Uci && game.info().protocol != spinney_session::Protocol::Uci
        {
            bail!("UCI is for chess; --protocol ugi plays {game}");
        }
        let input = BufReader::new(io::stdin());
        let player = self.player.spec(&game)?;
        let seed = self.player.seed;
        let result = match self.protocol {
            Protocol::Uci => engine::run(Dialect::Uci, &game, &player, seed, input, out),
            Protocol::Ugi => engine::run(Dialect::Ugi, &game, &player, seed, input, out),
            Protocol::Xboard => engine::xboard::run(&game, &player, seed, input, out),
        };
        match result {
            // As an error of its own, so that a closed pipe is known as one.
            Err(EngineError::Output(error)) => Err(error.into()),
            result => Ok(result?),
        }
    }
}
