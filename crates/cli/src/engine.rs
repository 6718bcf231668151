//! `spinney engine`: a player that other programs talk to.

use std::io::{self, BufReader, Write};

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use spinney_games::catalog::{GameSpec, Playable, Visitor};
use spinney_protocol::Dialect;
use spinney_protocol::engine::{self, EngineError};

use crate::player::PlayerArguments;

#[derive(Args)]
pub(crate) struct Engine {
    /// The protocol: UCI for chess, or UGI for every game.
    #[arg(long, value_name = "NAME", value_enum)]
    protocol: Protocol,
    /// The game, such as loa or breakthrough:8x8 (see `spinney games`).
    #[arg(long, value_name = "GAME", default_value = "chess")]
    game: GameSpec,
    #[command(flatten)]
    player: PlayerArguments,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Protocol {
    /// The Universal Chess Interface.
    Uci,
    /// The Universal Game Interface.
    Ugi,
}

impl Engine {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<()> {
        if self.protocol == Protocol::Uci && self.game.entry().name != "chess" {
            bail!("UCI is for chess; --protocol ugi plays {}", self.game);
        }
        self.game.visit(EngineVisitor(self, out))
    }
}

struct EngineVisitor<'a, W>(&'a Engine, &'a mut W);

impl<W: Write> Visitor for EngineVisitor<'_, W> {
    type Output = Result<()>;

    fn visit<G: Playable>(self, start: G) -> Result<()> {
        let EngineVisitor(command, out) = self;
        let dialect = match command.protocol {
            Protocol::Uci => Dialect::Uci,
            Protocol::Ugi => Dialect::Ugi,
        };
        let input = BufReader::new(io::stdin());
        let player = command.player.spec(&command.game)?;
        match engine::run(dialect, start, &player, command.player.seed, input, out) {
            // As an error of its own, so that a closed pipe is known as one.
            Err(EngineError::Output(error)) => Err(error.into()),
            result => Ok(result?),
        }
    }
}
