//! `spinney analyze`: what a player thinks of a position.

use std::io::Write;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;
use spinney_protocol::Analysis;
use spinney_session::{GameHandle, Limits, PlayerSpec, Registry, Report, Role};

use crate::board::BoardArguments;
use crate::interrupt::stop_on_interrupt;
use crate::limit::{LimitArguments, whole};
use crate::player::{self, PlayerArguments};
use crate::progress::spinner;
use crate::rules::Place;

/// How long it may take if nothing is said.
pub(crate) const DEFAULT_TIME: Duration = Duration::from_secs(1);
/// The most candidates in a table that people read.
const LONGEST_TABLE: usize = 20;

/// What the help says after the options.
const NOTES: &str = "\
Values are as the side to move sees them, from -1 (loss) to 1 (win). Without a limit the analysis \
takes one second. Ctrl-C ends it and prints what is known.";

#[derive(Args)]
#[command(after_help = NOTES)]
pub(crate) struct Analyze {
    #[command(flatten)]
    place: Place,
    /// Moves to play from the position first, separated by blanks.
    #[arg(long, value_name = "MOVES", default_value = "", hide_default_value = true)]
    moves: String,
    #[command(flatten)]
    player: PlayerArguments,
    /// Threads of the search: the player's option `threads`.
    #[arg(long, value_name = "T", allow_negative_numbers = true,
          value_parser = whole(1_u32..=1024))]
    threads: Option<u32>,
    /// The best lines to print, each with its value.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(1_usize..=500),
          allow_negative_numbers = true)]
    multipv: usize,
    /// Print one JSON object.
    #[arg(long, conflicts_with = "board")]
    json: bool,
    #[command(flatten)]
    board: BoardArguments,
    #[command(flatten)]
    limit: LimitArguments,
}

impl Analyze {
    pub(crate) fn run(&self, registry: &Registry, out: &mut impl Write) -> Result<()> {
        let mut session = self.place.session(registry)?;
        let spec = self.player(session.game())?;
        let mut player = session.game().player(&spec, self.player.seed)?;
        session.play_texts(self.moves.split_whitespace()).context("--moves")?;

        let line = spinner();
        let mut show = |report: &Report| {
            if !line.is_hidden() {
                line.set_message(live_text(&Analysis::new(&session, report)));
            }
        };
        let limits = or_default(self.limit.limits());
        let report = player.analyse(&session, &limits, &stop_on_interrupt()?, &mut show);
        line.finish_and_clear();
        let analysis = Analysis::new(&session, &report.with_context(|| spec.to_string())?);
        if self.json {
            writeln!(out, "{}", serde_json::to_string(&analysis)?)?;
        } else {
            self.board.write(&session, out)?;
            write_text(&analysis, self.multipv, out)?;
        }
        Ok(())
    }

    /// The player, with the numbers of threads and lines as options of its own.
    fn player(&self, game: &GameHandle) -> Result<PlayerSpec> {
        let mut spec = self.player.spec(game)?;
        // A search that looks at one line only must know; others have values of all moves.
        if self.multipv > 1
            && let Some(key) = game.option_for(Role::Lines, &spec)
        {
            spec = player::add(spec, key, &self.multipv.to_string())?;
        }
        let Some(threads) = self.threads else { return Ok(spec) };
        // A player without threads refuses the option in its own words.
        let key = game.option_for(Role::Threads, &spec).unwrap_or("threads");
        player::add(spec, key, &threads.to_string())
    }
}

/// The limits, or the default if there are none.
pub(crate) fn or_default(limits: Limits) -> Limits {
    if limits == Limits::default() { Limits::time(DEFAULT_TIME) } else { limits }
}

fn live_text(analysis: &Analysis) -> String {
    let Analysis { value, pv, simulations, .. } = analysis;
    format!("{value:+.3} {} ({simulations} simulations)", pv.join(" "))
}

fn write_text(analysis: &Analysis, lines: usize, out: &mut impl Write) -> Result<()> {
    let Some(best) = &analysis.best else {
        let result = analysis.proven.map_or("nothing is known", |proven| match proven {
            "win" => "the game is over: the side to move has won",
            "loss" => "the game is over: the side to move has lost",
            _ => "the game is over: a draw",
        });
        writeln!(out, "{result}")?;
        return Ok(());
    };
    let proven = proven_text(analysis.proven, analysis.plies);
    let proven = if proven.is_empty() { proven } else { format!(", proven {proven}") };
    writeln!(out, "best {best}, value {:+.3}{proven}", analysis.value)?;
    if lines == 1 {
        writeln!(out, "line {}", analysis.pv.join(" "))?;
    } else {
        for (number, line) in (1..=lines).zip(&analysis.candidates) {
            writeln!(out, "line {number} {:+.3} {}", line.value, line.pv.join(" "))?;
        }
    }
    if !analysis.candidates.is_empty() {
        writeln!(out, "{:<10} {:>12} {:>7}  proven", "move", "visits", "value")?;
    }
    for candidate in analysis.candidates.iter().take(LONGEST_TABLE) {
        let row = format!(
            "{:<10} {:>12} {:>+7.3}  {}",
            candidate.m,
            candidate.visits,
            candidate.value,
            proven_text(candidate.proven, candidate.plies)
        );
        writeln!(out, "{}", row.trim_end())?;
    }
    if analysis.candidates.len() > LONGEST_TABLE {
        writeln!(out, "… and {} more", analysis.candidates.len() - LONGEST_TABLE)?;
    }
    writeln!(
        out,
        "{} simulations, {} nodes, {:.2} s",
        analysis.simulations, analysis.nodes, analysis.seconds
    )?;
    Ok(())
}

/// `win in 7`, `draw`, or nothing.
fn proven_text(proven: Option<&str>, plies: Option<u32>) -> String {
    match (proven, plies) {
        (None, _) => String::new(),
        (Some(proven), None) => proven.to_owned(),
        (Some(proven), Some(plies)) => format!("{proven} in {plies}"),
    }
}
