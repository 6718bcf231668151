//! `spinney serve`: the board in the browser.

use std::io::Write;
use std::net::SocketAddr;
use std::process::{Command, Stdio};
use std::thread;

use anyhow::{Context, Result, ensure};
use clap::Args;
use spinney_games::chess::tablebase::Tablebases;
use spinney_session::Registry;
use spinney_web::{Config, Server};

use crate::limit::{parse_memory, whole};

/// What the help says after the options.
const NOTES: &str = "\
The page is part of the program and needs no network. Only this machine can reach 127.0.0.1; with \
--addr 0.0.0.0:7878 every machine that reaches this one can use it, by its address.";

#[derive(Args)]
#[command(after_help = NOTES)]
pub(crate) struct Serve {
    /// Where to listen; port 0 takes a free one.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7878")]
    addr: SocketAddr,
    /// Searches at once; without it, one for each core.
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = whole(1_u16..=256))]
    searches: Option<u16>,
    /// Memory for the trees and tables of all searches together.
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = parse_memory)]
    memory: usize,
    /// Reads the endgame tables of `spinney tablebase build` at the start, for players of chess
    /// (`tablebase=4`).
    #[arg(long)]
    tablebases: bool,
    /// Open the page in the browser.
    #[arg(long)]
    open: bool,
}

impl Serve {
    pub(crate) fn run(&self, registry: &Registry, out: &mut impl Write) -> Result<()> {
        if self.tablebases {
            // Players find them in memory; a request never reads the disk.
            let tables = Tablebases::at_hand()?;
            ensure!(tables.men() >= 4, "--tablebases: `spinney tablebase build` makes the tables");
        }
        let mut config = Config::new(self.addr);
        config.searches = self.searches.map_or(config.searches, usize::from);
        config.memory = self.memory >> 20;
        let server = Server::bind(registry, config)?;
        writeln!(out, "Spinney is at http://{} (Ctrl-C ends it)", server.address())?;
        out.flush()?;
        if self.open {
            open_browser(&format!("http://{}", server.address()))?;
        }
        Ok(server.run()?)
    }
}

/// Hands an address to the program that opens addresses on this system.
fn open_browser(address: &str) -> Result<()> {
    let (program, arguments): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("cmd", &["/C", "start"]),
        _ => ("xdg-open", &[]),
    };
    let mut command = Command::new(program);
    command.args(arguments).arg(address).stdin(Stdio::null());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut opener = command.spawn().with_context(|| format!("--open: {program}"))?;
    // It may run as long as the browser does: somebody has to hear of its end.
    thread::spawn(move || opener.wait());
    Ok(())
}
