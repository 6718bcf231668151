//! `spinney`: the command line. Each command is a module; this file reads the arguments.
//!
//! [`run`] takes a registry of games, so that a program with games of its own has every command.
//!
//! The contract with scripts: results on stdout, one line of explanation on stderr when something
//! is wrong, exit code 2 for bad input; `exit.rs` has the other codes.

mod analyze;
mod bench;
mod board;
mod engine;
mod exit;
mod experiment;
mod export;
mod interrupt;
mod learn;
mod limit;
mod matches;
mod play;
mod player;
mod players;
mod progress;
mod rules;
mod serve;
mod shard;
mod shell;
mod solve;
mod table;
mod tablebase;
mod tournament;
mod tune;
mod verify;

use std::ffi::OsString;
use std::io::{self, Write};
use std::sync::OnceLock;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Parser, Subcommand};
use spinney_session::Registry;

use crate::exit::{Ending, FAILURE};

/// Game-tree search: play, analyse, solve and measure.
#[derive(Parser)]
#[command(name = "spinney", version, arg_required_else_help = true, after_help = exit::NOTES)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Play, analyse and look into the search, in the browser.
    Serve(serve::Serve),
    /// Play against the program in the terminal.
    Play(play::Play),
    /// List the games.
    Games,
    /// List the players, of all games or of one, or the options of a player.
    Players(players::Players),
    /// Count the positions after each number of plies.
    Perft(rules::Perft),
    /// List the legal moves of a position.
    Moves(rules::Moves),
    /// Ask a player what to play in a position.
    #[command(visible_alias = "analyse")]
    Analyze(analyze::Analyze),
    /// Speak a protocol, as an engine for other programs.
    Engine(engine::Engine),
    /// Let two players play many games, and compare their strength.
    Match(matches::MatchCommand),
    /// The tables of the papers, and your own: list, show, run and report.
    Experiment(experiment::Experiment),
    /// Experiments in pieces, for many machines: plan, run and merge.
    Shard(shard::Shard),
    /// Let many players play each other, and rate them.
    Tournament(tournament::TournamentCommand),
    /// Find better numbers for the options of a player, by games.
    Tune(tune::Tune),
    /// Write games that were kept as SGF (LOA), PGN (chess) or plain text.
    Export(export::Export),
    /// Make tables and weights from games.
    Learn(learn::Learn),
    /// Find the exact value of positions.
    Solve(solve::Solve),
    /// Check the proof of a value that `spinney solve --certificate` wrote, with the rules alone.
    Verify(verify::Verify),
    /// Endgame tables of chess: make, check and ask them.
    Tablebase(tablebase::Tablebase),
    /// Measure speed on fixed work; ends with a signature that changes only with behaviour.
    Bench(bench::Bench),
    /// Print completions for a shell.
    Completions(shell::Completions),
    /// Write the manual pages of all commands to a folder.
    Man(shell::Man),
}

static COMMAND_LINE: OnceLock<String> = OnceLock::new();

/// The command as it was typed, for records.
fn command_line() -> String {
    COMMAND_LINE.get().cloned().unwrap_or_default()
}

/// Runs a command on the games of a registry, with the name of the program in front of its arguments,
/// and returns its exit code. It is the only command of the process: Ctrl-C belongs to it.
pub fn run(registry: &Registry, arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let words = arguments.iter().skip(1).map(|word| word.to_string_lossy());
    let line = words.fold("spinney".to_owned(), |line, word| line + " " + &word);
    COMMAND_LINE.get_or_init(|| line);
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(error) => return report_usage(&error),
    };
    let mut out = io::stdout().lock();
    let result: anyhow::Result<Ending> = match arguments.command {
        Command::Serve(command) => command.run(registry, &mut out).map(Ending::from),
        Command::Play(command) => command.run(registry, &mut out),
        Command::Games => rules::games(registry, &mut out).map(Ending::from),
        Command::Players(command) => command.run(registry, &mut out).map(Ending::from),
        Command::Perft(command) => command.run(registry, &mut out).map(Ending::from),
        Command::Moves(command) => command.run(registry, &mut out).map(Ending::from),
        Command::Analyze(command) => command.run(registry, &mut out).map(Ending::from),
        Command::Engine(command) => command.run(registry, &mut out).map(Ending::from),
        Command::Match(command) => command.run(registry, &mut out),
        Command::Experiment(command) => command.run(registry, &mut out),
        Command::Shard(command) => command.run(registry, &mut out),
        Command::Tournament(command) => command.run(registry, &mut out),
        Command::Tune(command) => command.run(registry, &mut out),
        Command::Export(command) => command.run(registry, &mut out).map(Ending::from),
        Command::Learn(command) => command.run(&mut out),
        Command::Solve(command) => command.run(registry, &mut out),
        Command::Verify(command) => command.run(registry, &mut out).map(Ending::from),
        Command::Tablebase(command) => command.run(&mut out).map(Ending::from),
        Command::Bench(command) => command.run(&mut out).map(Ending::from),
        Command::Completions(command) => command.run(&mut out).map(Ending::from),
        Command::Man(command) => command.run(&mut out).map(Ending::from),
    };
    match result.and_then(|ending| Ok(out.flush().map(|()| ending)?)) {
        Ok(ending) => ending.code(),
        Err(error) if is_closed_pipe(&error) => 0,
        Err(error) => fail(&format!("{error:#}")),
    }
}

/// Help and version go to stdout; a mistake becomes one line.
fn report_usage(error: &clap::Error) -> u8 {
    match error.kind() {
        ErrorKind::DisplayHelp
        | ErrorKind::DisplayVersion
        | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            // Nobody is left to tell if stdout is closed.
            let _ = error.print();
            if error.use_stderr() { FAILURE } else { 0 }
        }
        _ => {
            let text = error.to_string();
            let message = text.split("\n\n").next().unwrap_or(&text);
            let words: Vec<&str> = message.split_whitespace().collect();
            fail(&format!("{}{}", words.join(" ").trim_start_matches("error: "), suggestion(error)))
        }
    }
}

/// `; did you mean 'perft'?`, where a name is nearly a known one.
fn suggestion(error: &clap::Error) -> String {
    let kinds =
        [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg, ContextKind::SuggestedValue];
    let suggested = kinds.into_iter().find_map(|kind| match error.get(kind)? {
        ContextValue::String(name) => Some(name),
        ContextValue::Strings(names) => names.last(), // The closest.
        _ => None,
    });
    suggested.map_or(String::new(), |name| format!("; did you mean '{name}'?"))
}

fn fail(message: &str) -> u8 {
    // Nobody is left to tell if stderr is closed.
    let _ = writeln!(io::stderr(), "error: {message}");
    FAILURE
}

/// `spinney moves loa | head -1` closes the pipe early: that is no error.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
