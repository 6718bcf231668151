//! `spinney match`: games between two players, and what they say about their strength.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use spinney_arena::{
    Adjudication, End, Hypothesis, Match, Progress, RecordFile, Sprt, SprtState, Summary, Table,
    games_at_once, parse_limits, read_openings,
};
use spinney_session::{GameHandle, Limits, PlayerSpec, Registry, TimeControl};

use crate::analyze::or_default;
use crate::exit::Ending;
use crate::interrupt::stop_on_interrupt;
use crate::limit::{LimitArguments, whole};
use crate::progress;

/// More than anybody waits for.
const MOST_GAMES: u64 = 10_000_000;
/// More games at once than any machine has cores.
const MOST_TABLES: usize = 256;

/// What the help says after the options.
const NOTES: &str = "\
Games come in pairs: one opening, played twice with sides swapped. If the number of games is odd, \
the last opening is played once. A limit holds for each move; without one it is one second. Ctrl-C \
ends the match with the summary of the games that are done; --resume continues it.";

#[derive(Args)]
#[command(after_help = NOTES)]
pub(crate) struct MatchCommand {
    /// The game, such as loa, chess, breakthrough:8x8 (see `spinney games`).
    game: String,
    /// Player A: name or name:key=value,key=value (see `spinney players`).
    a: PlayerSpec,
    /// Player B.
    b: PlayerSpec,
    /// The number of games.
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = whole(1_u64..=MOST_GAMES))]
    games: u64,
    /// The limit of A, such as time=1s, simulations=1000, nodes=5000, depth=4, or some of them
    /// with commas between.
    #[arg(long, value_name = "LIMIT", value_parser = parse_limits)]
    limit_a: Option<Limits>,
    /// The limit of B.
    #[arg(long, value_name = "LIMIT", value_parser = parse_limits)]
    limit_b: Option<Limits>,
    /// A clock for each game, in place of a limit for each move: seconds at the start and for each
    /// move, such as 10+0.1. A player whose time runs out loses.
    #[arg(long, value_name = "TIME+INC", conflicts_with_all = ["time", "simulations", "nodes", "depth"])]
    tc: Option<TimeControl>,
    /// The clock of A.
    #[arg(long, value_name = "TIME+INC", conflicts_with = "limit_a")]
    tc_a: Option<TimeControl>,
    /// The clock of B.
    #[arg(long, value_name = "TIME+INC", conflicts_with = "limit_b")]
    tc_b: Option<TimeControl>,
    /// A file of openings: on each line a position, or moves from the start; # starts a comment.
    /// They are used in turn, again from the first when they run out.
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Stop as soon as a pentanomial sequential test of two differences in Elo is decided, with
    /// error rates of 5 %.
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// The seed of all random numbers. With limits that count (not time), a seed gives the same
    /// games whatever the concurrency.
    #[arg(long, value_name = "S", default_value_t = 0, value_parser = whole(0_u64..),
          allow_negative_numbers = true)]
    seed: u64,
    /// Games at once. With limits in time fewer, if there are no cores for all their threads.
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true,
          value_parser = whole(1_usize..=MOST_TABLES))]
    concurrency: usize,
    /// Plies after which a game is a draw, not counting the opening.
    #[arg(long, value_name = "N", default_value_t = 2000, allow_negative_numbers = true,
          value_parser = whole(1_u32..=1_000_000))]
    max_plies: u32,
    /// End a game when one player, or both, have proved its value.
    #[arg(long, value_name = "WHO", value_enum, default_value_t = Judges::None)]
    adjudicate: Judges,
    /// Print one JSON object at the end.
    #[arg(long)]
    json: bool,
    /// Append each game to this file as it ends, a line of JSON each.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Continue the match whose games are in the file of --out: they count and are not played
    /// again. A file of another match is refused.
    #[arg(long, requires = "out")]
    resume: bool,
    #[command(flatten)]
    limit: LimitArguments,
}

#[derive(Clone, Copy, ValueEnum)]
enum Judges {
    /// Every game is played to its end.
    None,
    /// One player is believed.
    One,
    /// Both must agree.
    Both,
}

impl MatchCommand {
    fn plan(&self, game: &GameHandle) -> Result<Match> {
        let openings = match &self.openings {
            None => vec![game.start()],
            Some(path) => {
                let file = || format!("openings {}", path.display());
                let text = std::fs::read_to_string(path).with_context(file)?;
                read_openings(game, &text).with_context(file)?
            }
        };
        let limits = or_default(self.limit.limits());
        let clock = |own: Option<TimeControl>, limit: Option<Limits>| {
            own.or(self.tc.filter(|_| limit.is_none()))
        };
        let clocks = [clock(self.tc_a, self.limit_a), clock(self.tc_b, self.limit_b)];
        // A clock is a limit in time, which some players do not take.
        let limit = |clock: Option<TimeControl>, own: Option<Limits>| match clock {
            Some(control) => Limits::time(control.start),
            None => own.unwrap_or(limits),
        };
        Ok(Match {
            game: game.clone(),
            players: [self.a.to_string(), self.b.to_string()],
            limits: [limit(clocks[0], self.limit_a), limit(clocks[1], self.limit_b)],
            clocks,
            openings,
            first_game: 0,
            games: self.games,
            seed: self.seed,
            max_plies: self.max_plies,
            adjudication: match self.adjudicate {
                Judges::None => Adjudication::Off,
                Judges::One => Adjudication::One,
                Judges::Both => Adjudication::Both,
            },
            sprt: self.sprt,
        })
    }
}

impl MatchCommand {
    pub(crate) fn run(&self, registry: &Registry, out: &mut impl Write) -> Result<Ending> {
        let command = self;
        let game = registry.game(&self.game)?;
        // 1. Whatever can be wrong is found before a game is played; the file comes last, so that
        //    nothing is created for a match that cannot begin.
        let plan = command.plan(&game)?;
        let specs = [command.a.clone(), command.b.clone()];
        let wanted = command.concurrency.min(command.games as usize);
        let tables = (0..games_at_once(wanted, &plan.limits, &specs))
            .map(|_| Table::new(&specs, &game, &plan.limits))
            .collect::<Result<Vec<_>, _>>()?;
        let stop = stop_on_interrupt()?;
        let (mut records, done) = match &command.out {
            None => (None, Vec::new()),
            Some(path) if command.resume => {
                let (records, done) =
                    RecordFile::resume(path, |record| plan.claim(record)).context("--out")?;
                (Some(records), done)
            }
            Some(path) => (Some(RecordFile::append_to(path).context("--out")?), Vec::new()),
        };

        // 2. Play.
        let bar = progress::bar(command.games, " games");
        bar.set_position(done.len() as u64);
        let summary = plan.resume(&done, tables, &stop, |record, progress| -> Result<()> {
            if let Some(records) = &mut records {
                records.append(record).context("--out")?;
            }
            if !bar.is_hidden() {
                bar.set_message(progress_text(progress));
            }
            bar.inc(1);
            Ok(())
        });
        bar.finish_and_clear();
        let summary = summary?;
        if let Some(records) = &mut records {
            records.sync().context("--out")?;
        }

        // 3. Tell.
        if command.json {
            writeln!(out, "{}", serde_json::to_string(&summary)?)?;
        } else {
            write_summary(&summary, command.games, out)?;
        }
        Ok(match summary.end {
            End::Stopped => Ending::Interrupted,
            End::Sprt | End::Complete => Ending::Complete,
        })
    }
}

fn progress_text(progress: &Progress) -> String {
    let score = progress.tally.score().unwrap_or(0.5);
    let sprt = progress.sprt.map_or(String::new(), |sprt| format!(", LLR {:.2}", sprt.llr));
    format!("{}{sprt}", score_text(score, progress.tally.interval()))
}

fn write_summary(summary: &Summary, wanted: u64, out: &mut impl Write) -> Result<()> {
    let Summary { games, wins_a, draws, wins_b, .. } = summary;
    match summary.end {
        End::Stopped => writeln!(out, "stopped after {games} of {wanted} games")?,
        End::Sprt | End::Complete => {}
    }
    let (Some(score), Some(elo), Some(normalised)) =
        (summary.score_a, summary.elo, summary.normalised_elo)
    else {
        return Ok(());
    };
    writeln!(
        out,
        "A {}, B {}, {} of {}: {} for A",
        counted(*wins_a, "win"),
        counted(*wins_b, "win"),
        counted(*draws, "draw"),
        counted(*games, "game"),
        score_text(score, summary.interval)
    )?;
    writeln!(out, "A is {}, B is {}", summary.a, summary.b)?;
    for (name, forfeits) in [("A", summary.forfeits_a), ("B", summary.forfeits_b)] {
        if forfeits > 0 {
            let failure = summary.failure.as_deref().unwrap_or("no legal move");
            writeln!(out, "{name} forfeited {}: {failure}", counted(forfeits, "game"))?;
        }
    }
    let [low, high] = summary.interval;
    let [elo_low, elo_high] = summary.elo_interval.map(elo_text);
    writeln!(
        out,
        "95 % interval {:.1} to {:.1} %, Elo {} ({elo_low} to {elo_high}), normalised Elo {}, \
         likelihood of superiority {:.1} %",
        100.0 * low,
        100.0 * high,
        elo_text(elo),
        elo_text(normalised),
        100.0 * summary.los
    )?;
    if let Some(SprtState { elo0, elo1, llr, lower, upper, accepted }) = summary.sprt {
        let verdict = match accepted {
            Some(Hypothesis::H0) => format!("Elo {elo0:+} accepted"),
            Some(Hypothesis::H1) => format!("Elo {elo1:+} accepted"),
            None => "not decided".to_owned(),
        };
        writeln!(
            out,
            "SPRT of Elo {elo0:+} against {elo1:+}: LLR {llr:.2} ({lower:.2} to {upper:.2}), \
             {verdict}"
        )?;
    }
    Ok(())
}

/// `68.0 % ± 6.2`, with half the width of the interval.
fn score_text(score: f64, [low, high]: [f64; 2]) -> String {
    format!("{:.1} % ± {:.1}", 100.0 * score, 50.0 * (high - low))
}

fn elo_text(elo: f64) -> String {
    // Adding zero to a rounded -0.2 makes it +0.
    if elo.is_finite() {
        format!("{:+}", elo.round() + 0.0)
    } else {
        format!("{elo:+}").replace("inf", "∞")
    }
}

fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
