//! `spinney analyze`: what a player thinks of a position.

use std::io::{IsTerminal, Write};
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use spinney_arena::Opening;
use spinney_game::Notation;
use spinney_games::catalog::{Playable, Visitor};
use spinney_players::{CATALOG, PlayerSpec, create};
use spinney_search::{Candidate, GameValue, Limits, Report};

use crate::interrupt::stop_on_interrupt;
use crate::limit::LimitArguments;
use crate::rules::Place;

/// Who analyses if nobody is named.
const DEFAULT_PLAYER: &str = CATALOG[0].name;
/// How long it may take if nothing is said.
pub(crate) const DEFAULT_TIME: Duration = Duration::from_secs(1);
/// The most candidates in a table that people read.
const LONGEST_TABLE: usize = 20;
/// Time between two updates of the line on a terminal.
const TICK: Duration = Duration::from_millis(100);

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
    /// The player who analyses: name or name:key=value,key=value (see `spinney players`).
    #[arg(long, value_name = "SPEC", default_value = DEFAULT_PLAYER)]
    player: PlayerSpec,
    /// The seed of the random numbers.
    #[arg(long, value_name = "S", default_value_t = 0, allow_negative_numbers = true)]
    seed: u64,
    /// Threads of the search: the player's option `threads`.
    #[arg(long, value_name = "T", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    limit: LimitArguments,
}

impl Analyze {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<()> {
        self.place.game().visit(AnalyzeVisitor(self, out))
    }

    /// The player, with the number of threads as one of its options.
    fn player(&self) -> Result<PlayerSpec> {
        let Some(threads) = self.threads else { return Ok(self.player.clone()) };
        let text = self.player.to_string();
        let separator = if text.contains(':') { ',' } else { ':' };
        Ok(format!("{text}{separator}threads={threads}").parse()?)
    }
}

/// The limits, or the default if there are none.
pub(crate) fn or_default(limits: Limits) -> Limits {
    if limits == Limits::default() { Limits::time(DEFAULT_TIME) } else { limits }
}

struct AnalyzeVisitor<'a, W>(&'a Analyze, &'a mut W);

impl<W: Write> Visitor for AnalyzeVisitor<'_, W> {
    type Output = Result<()>;

    fn visit<G: Playable>(self, start: G) -> Result<()> {
        let AnalyzeVisitor(command, out) = self;
        let position = command.place.read(start)?;
        let mut player = create(&command.player()?, &position, command.seed)?;
        let history = Opening::new(position, &command.moves).context("--moves")?.history;
        let position = history.position();

        let analysis = match history.outcome() {
            Some(outcome) => Analysis::finished(GameValue::of(outcome, position.to_move())),
            None => {
                let line = live_line();
                let mut show = |report: &Report<G::Move>| {
                    if !line.is_hidden() {
                        line.set_message(Analysis::new(position, report).live_text());
                    }
                };
                let limits = or_default(command.limit.limits());
                let report = player.analyse(&history, &limits, &stop_on_interrupt()?, &mut show);
                line.finish_and_clear();
                Analysis::new(position, &report)
            }
        };
        if command.json {
            writeln!(out, "{}", serde_json::to_string(&analysis)?)?;
        } else {
            analysis.write_text(out)?;
        }
        Ok(())
    }
}

/// One line that is rewritten, if a person is looking.
fn live_line() -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}");
    let line = ProgressBar::new_spinner()
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    line.enable_steady_tick(TICK);
    line
}

/// The JSON object. Values are as the side to move sees them.
#[derive(Serialize)]
struct Analysis {
    best: Option<String>,
    value: f64,
    proven: Option<&'static str>,
    plies: Option<u32>,
    pv: Vec<String>,
    candidates: Vec<CandidateText>,
    simulations: u64,
    nodes: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct CandidateText {
    #[serde(rename = "move")]
    m: String,
    visits: u64,
    value: f64,
    proven: Option<&'static str>,
    plies: Option<u32>,
    pv: Vec<String>,
}

impl Analysis {
    fn new<G: Notation>(position: &G, report: &Report<G::Move>) -> Self {
        Analysis {
            best: report.best.map(|m| position.move_text(m)),
            value: report.value,
            proven: report.proven.map(GameValue::name),
            plies: report.plies,
            pv: line_text(position, &report.pv),
            candidates: report
                .candidates
                .iter()
                .map(|candidate| CandidateText::new(position, candidate))
                .collect(),
            simulations: report.simulations,
            nodes: report.nodes,
            seconds: report.elapsed.as_secs_f64(),
        }
    }

    fn finished(value: GameValue) -> Self {
        Analysis {
            best: None,
            value: f64::from(value.score()),
            proven: Some(value.name()),
            plies: Some(0),
            pv: Vec::new(),
            candidates: Vec::new(),
            simulations: 0,
            nodes: 0,
            seconds: 0.0,
        }
    }

    fn live_text(&self) -> String {
        format!("{:+.3} {} ({} simulations)", self.value, self.pv.join(" "), self.simulations)
    }

    fn write_text(&self, out: &mut impl Write) -> Result<()> {
        let Some(best) = &self.best else {
            let result = self.proven.map_or("nothing is known", |proven| match proven {
                "win" => "the game is over: the side to move has won",
                "loss" => "the game is over: the side to move has lost",
                _ => "the game is over: a draw",
            });
            writeln!(out, "{result}")?;
            return Ok(());
        };
        let proven = proven_text(self.proven, self.plies);
        let proven = if proven.is_empty() { proven } else { format!(", proven {proven}") };
        writeln!(out, "best {best}, value {:+.3}{proven}", self.value)?;
        writeln!(out, "line {}", self.pv.join(" "))?;
        if !self.candidates.is_empty() {
            writeln!(out, "{:<10} {:>12} {:>7}  proven", "move", "visits", "value")?;
        }
        for candidate in self.candidates.iter().take(LONGEST_TABLE) {
            let row = format!(
                "{:<10} {:>12} {:>+7.3}  {}",
                candidate.m,
                candidate.visits,
                candidate.value,
                proven_text(candidate.proven, candidate.plies)
            );
            writeln!(out, "{}", row.trim_end())?;
        }
        if self.candidates.len() > LONGEST_TABLE {
            writeln!(out, "… and {} more", self.candidates.len() - LONGEST_TABLE)?;
        }
        writeln!(
            out,
            "{} simulations, {} nodes, {:.2} s",
            self.simulations, self.nodes, self.seconds
        )?;
        Ok(())
    }
}

impl CandidateText {
    fn new<G: Notation>(position: &G, candidate: &Candidate<G::Move>) -> Self {
        CandidateText {
            m: position.move_text(candidate.m),
            visits: candidate.visits,
            value: candidate.value,
            proven: candidate.proven.map(GameValue::name),
            plies: candidate.plies,
            pv: line_text(position, &candidate.pv),
        }
    }
}

/// `win in 7`, `draw`, or nothing.
fn proven_text(proven: Option<&str>, plies: Option<u32>) -> String {
    match (proven, plies) {
        (None, _) => String::new(),
        (Some(proven), None) => proven.to_owned(),
        (Some(proven), Some(plies)) => format!("{proven} in {plies}"),
    }
}

/// A line of moves as text. What a move is called depends on the position, so they are played; a
/// line from a table of positions can go wrong at its end, and is cut there.
fn line_text<G: Notation>(position: &G, line: &[G::Move]) -> Vec<String> {
    let mut position = position.clone();
    let mut texts = Vec::new();
    let mut legal = Vec::new();
    for &m in line {
        legal.clear();
        if position.outcome().is_none() {
            position.legal_moves(&mut legal);
        }
        if !legal.contains(&m) {
            break;
        }
        texts.push(position.move_text(m));
        position.play(m);
    }
    texts
}
