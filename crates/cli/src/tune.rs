//! `spinney tune`: better numbers for the options of a player, by games.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args;
use spinney_arena::{
    Adjudication, End, Iteration, Match, RecordFile, Table, Tuning, Varied, games_at_once,
    limits_text, read_openings,
};
use spinney_session::{GameHandle, OptionKind, PlayerSpec, Registry, Session};

use crate::analyze::or_default;
use crate::exit::Ending;
use crate::interrupt::stop_on_interrupt;
use crate::limit::LimitArguments;
use crate::progress;

/// What the help says after the options.
const NOTES: &str = "\
In each iteration all numbers are moved up or down by chance, the player plays itself with all of \
them moved the other way, and they go towards the winner (SPSA). The result is the mean of the \
second half. Run the same command again to continue after Ctrl-C.";

#[derive(Args)]
#[command(after_help = NOTES)]
pub(crate) struct Tune {
    /// The game (see `spinney games`).
    game: String,
    /// The player, with the options that stay as they are.
    player: PlayerSpec,
    /// A number to tune: its option, where it starts, and how far it is moved.
    #[arg(long, value_name = "KEY=START:STEP", required = true)]
    vary: Vec<String>,
    /// The number of iterations.
    #[arg(long, value_name = "N", default_value_t = 1000,
          value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    iterations: u64,
    /// Pairs of games in each iteration.
    #[arg(long, value_name = "N", default_value_t = 4,
          value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pairs: u64,
    /// Steps by which the numbers move in the last iteration if every game is won.
    #[arg(long, value_name = "STEPS", default_value_t = 0.1)]
    gain: f64,
    /// A file of openings, as for `spinney match`.
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// The seed of all random numbers.
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Games at once.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    concurrency: u16,
    /// The course: a line of JSON for each iteration. A file that is there already is continued.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    limit: LimitArguments,
}

impl Tune {
    pub(crate) fn run(&self, registry: &Registry, out: &mut impl Write) -> Result<Ending> {
        let game = registry.game(&self.game)?;
        // 1. What is wrong is found before a game is played.
        let tuning = self.tuning(&game)?;
        let hash = tuning.hash();
        let mut next = 0;
        let claim = |line: &Iteration| {
            if line.tuning != hash || line.iteration != next {
                return Err("of another tuning".to_owned());
            }
            next += 1;
            Ok(())
        };
        let openings = self.openings(&game)?;
        let stop = stop_on_interrupt()?;
        let (mut file, mut course) = RecordFile::resume(&self.out, claim).context("--out")?;
        // 2. Iterations.
        let bar = progress::bar(self.iterations, " iterations");
        bar.set_position(course.len() as u64);
        let mut values =
            course.last().map_or(tuning.start(), |last: &Iteration| last.values.clone());
        for iteration in course.len() as u64..self.iterations {
            let Some(score) = self.play(&game, &tuning, &values, iteration, &openings, &stop)?
            else {
                break;
            };
            values = tuning.next(&values, iteration, score);
            let (name, tuning) = (tuning.game.clone(), hash.clone());
            let line = Iteration { game: name, iteration, tuning, score, values: values.clone() };
            file.append(&line).context("--out")?;
            course.push(line);
            bar.inc(1);
        }
        bar.finish_and_clear();
        // 3. The result.
        writeln!(out, "{} of {} iterations", course.len(), self.iterations)?;
        writeln!(out, "{}", tuning.player(&self.player, &tuning.result(&course)))?;
        let is_complete = course.len() as u64 == self.iterations;
        Ok(if is_complete { Ending::Complete } else { Ending::Interrupted })
    }

    fn tuning(&self, game: &GameHandle) -> Result<Tuning> {
        if !(self.gain > 0.0 && self.gain <= 100.0) {
            bail!("--gain {}: expected a number above 0 and at most 100", self.gain);
        }
        let varied = self.vary.iter().map(|text| self.varied(game, text));
        let limits = or_default(self.limit.limits());
        let openings = self.openings.as_ref().map_or(String::new(), |path| {
            format!(", {}", path.file_name().unwrap_or_default().to_string_lossy())
        });
        let tuning = Tuning {
            game: game.to_string(),
            player: self.player.to_string(),
            conditions: limits_text(&limits) + &openings,
            varied: varied.collect::<Result<_>>()?,
            iterations: self.iterations,
            games: 2 * self.pairs,
            gain: self.gain,
            seed: self.seed,
        };
        game.check(&tuning.player(&self.player, &tuning.start()))?;
        Ok(tuning)
    }

    /// Reads KEY=START:STEP, and asks the player for the range.
    fn varied(&self, game: &GameHandle, text: &str) -> Result<Varied> {
        let expected = || format!("--vary {text}: expected KEY=START:STEP");
        let (key, numbers) = text.split_once('=').with_context(expected)?;
        let (start, step) = numbers.split_once(':').with_context(expected)?;
        let start: f64 = start.parse().with_context(expected)?;
        let step: f64 = step.parse().with_context(expected)?;
        let options = game.options(&self.player)?;
        let Some(option) = options.into_iter().find(|option| option.key == key) else {
            bail!("--vary {text}: {} has no option {key}", self.player.name());
        };
        let (range, is_whole) = match option.kind {
            OptionKind::Count(range, _) => ([*range.start() as f64, *range.end() as f64], true),
            OptionKind::Real(range, _) => ([*range.start(), *range.end()].map(f64::from), false),
            _ => bail!("--vary {text}: {key} is no number"),
        };
        if !((range[0]..=range[1]).contains(&start) && step > 0.0 && step.is_finite()) {
            bail!("--vary {text}: {key} is from {} to {}, a step is above 0", range[0], range[1]);
        }
        Ok(Varied { key: key.to_owned(), start, step, range, is_whole })
    }

    fn openings(&self, game: &GameHandle) -> Result<Vec<Session>> {
        let Some(path) = &self.openings else { return Ok(vec![game.start()]) };
        let file = || format!("openings {}", path.display());
        let text = std::fs::read_to_string(path).with_context(file)?;
        read_openings(game, &text).with_context(file)
    }

    /// The score of the numbers moved their way; `None` if the games were stopped.
    fn play(
        &self,
        game: &GameHandle,
        tuning: &Tuning,
        values: &[f64],
        iteration: u64,
        openings: &[Session],
        stop: &spinney_session::Stop,
    ) -> Result<Option<f64>> {
        let moved = tuning.moved(iteration);
        let specs = [1.0, -1.0].map(|sign: f64| {
            let there = values.iter().zip(&moved).map(|(value, moved)| value + sign * moved);
            tuning.player(&self.player, &there.collect::<Vec<_>>())
        });
        let limits = [or_default(self.limit.limits()); 2];
        let tables = (0..games_at_once(self.concurrency.into(), &limits, &specs))
            .map(|_| Table::new(&specs, game, &limits))
            .collect::<Result<Vec<_>, _>>()?;
        let plan = Match {
            game: game.clone(),
            players: specs.map(|spec| spec.to_string()),
            limits,
            openings: openings.to_vec(),
            first_game: iteration * tuning.games,
            games: (iteration + 1) * tuning.games,
            seed: self.seed,
            max_plies: 2000,
            adjudication: Adjudication::One,
            sprt: None,
            clocks: [None; 2],
        };
        let summary = plan.run(tables, stop, |_, _| Ok::<_, std::convert::Infallible>(()))?;
        if summary.forfeits_a + summary.forfeits_b > 0 {
            bail!("{}", summary.failure.unwrap_or_else(|| "a player has no move".to_owned()));
        }
        Ok(summary.score_a.filter(|_| summary.end == End::Complete))
    }
}
