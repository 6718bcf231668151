//! `spinney completions` and `spinney man`: what a package installs beside the program, and the same for the book.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::builder::StyledStr;
use clap::{Arg, Args, Command, CommandFactory};
use clap_complete::Shell;

use crate::Arguments;

#[derive(Args)]
pub(crate) struct Completions {
    /// The shell.
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<()> {
        // Into memory first: the generator panics if nobody reads.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Arguments::command(), "spinney", &mut script);
        Ok(out.write_all(&script)?)
    }
}

#[derive(Args)]
pub(crate) struct Man {
    /// The folder; it is made if it is not there.
    #[arg(required_unless_present = "markdown")]
    dir: Option<PathBuf>,
    /// Print the page docs/reference/commands.md: the help of all commands, as Markdown tables.
    #[arg(long, conflicts_with = "dir")]
    markdown: bool,
}

impl Man {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<()> {
        let Some(dir) = &self.dir else { return write_page(out) };
        let folder = || dir.display().to_string();
        fs::create_dir_all(dir).with_context(folder)?;
        clap_mangen::generate_to(Arguments::command(), dir).with_context(folder)?;
        Ok(writeln!(out, "{}", dir.join("spinney.1").display())?)
    }
}

fn write_page(out: &mut impl Write) -> Result<()> {
    let mut program = Arguments::command();
    program.build();
    writeln!(out, "# Commands\n\n<!-- Written by `spinney man --markdown`. -->\n")?;
    writeln!(out, "`spinney COMMAND --help` prints the same in the terminal.\n")?;
    writeln!(out, "| command | what it does |\n|---|---|")?;
    for command in listed(&program) {
        let name = command.get_name();
        writeln!(out, "| [`{name}`](#spinney-{name}) | {} |", about(command))?;
    }
    writeln!(out, "\n{}", text(program.get_after_help()))?;
    for command in listed(&program) {
        write_command(command, 2, out)?;
    }
    Ok(())
}

/// The commands of a command, without `help`.
fn listed(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|sub| sub.get_name() != "help")
}

fn write_command(command: &Command, level: usize, out: &mut impl Write) -> Result<()> {
    let name = command.get_bin_name().unwrap_or(command.get_name());
    writeln!(out, "\n{} {name}\n\n{}.", "#".repeat(level), about(command))?;
    let arguments = || command.get_arguments().filter(|argument| argument.get_id() != "help");
    if arguments().next().is_some() {
        let usage = command.clone().render_usage().to_string();
        writeln!(out, "\n`{}`", usage.trim_start_matches("Usage: "))?;
        writeln!(out, "\n| argument | meaning | default |\n|---|---|---|")?;
    }
    for argument in arguments() {
        writeln!(out, "{}", row(argument))?;
    }
    let notes = text(command.get_after_help());
    if !notes.is_empty() {
        writeln!(out, "\n{notes}")?;
    }
    listed(command).try_for_each(|sub| write_command(sub, level + 1, out))
}

/// An argument: how it is typed, its help, and its default.
fn row(argument: &Arg) -> String {
    let help = text(argument.get_long_help().or(argument.get_help()));
    let takes_value = argument.get_action().takes_values();
    let possible = argument.get_possible_values();
    let names: Vec<String> = match takes_value {
        true => possible.iter().map(|value| format!("`{}`", value.get_name())).collect(),
        false => Vec::new(),
    };
    let values = if names.is_empty() { String::new() } else { format!(": {}", names.join(", ")) };
    let defaults: Vec<String> =
        argument.get_default_values().iter().map(|value| value.to_string_lossy().into()).collect();
    let default = if takes_value { defaults.join(" ") } else { String::new() };
    let typed = argument.to_string().replace('|', "\\|");
    format!("| `{typed}` | {}{values} | {default} |", help.replace('|', "\\|"))
}

fn about(command: &Command) -> String {
    text(command.get_about())
}

/// A help text on one line; what looks like a tag is shown as it is.
fn text(help: Option<&StyledStr>) -> String {
    let help = help.map(StyledStr::to_string).unwrap_or_default();
    help.split_whitespace().collect::<Vec<_>>().join(" ").replace('<', "&lt;")
}
