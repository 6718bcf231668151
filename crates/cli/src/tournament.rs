//! `spinney tournament`: many players, everybody against everybody or one against all.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use spinney_arena::experiment::{Run, Store};
use spinney_arena::{Journal, Pairings, Standing, Tournament};
use spinney_session::{PlayerSpec, Registry};

use crate::analyze::or_default;
use crate::exit::Ending;
use crate::interrupt::stop_on_interrupt;
use crate::limit::{LimitArguments, whole};
use crate::progress;

/// Plies after which a game is a draw.
const MAX_PLIES: u32 = 2000;

#[derive(Args)]
#[command(after_help = "\
Ratings are those of Bradley and Terry, above the mean of all players; intervals are by bootstrap over \
pairs of games. Every game is kept in the folder as it ends, and games that are there are not played \
again: the same command continues a tournament that was killed, and more rounds or players can be \
added.")]
pub(crate) struct TournamentCommand {
    /// The game, such as loa, chess, breakthrough:8x8 (see `spinney games`).
    game: String,
    /// The players: name or name:key=value,key=value (see `spinney players`).
    #[arg(required = true, num_args = 2.., value_name = "PLAYER")]
    players: Vec<PlayerSpec>,
    /// Rounds: in each, two games of each pair with sides swapped.
    #[arg(long, value_name = "N", value_parser = whole(1_u64..=1_000_000))]
    rounds: u64,
    /// The first player against each of the others, who do not play each other.
    #[arg(long)]
    gauntlet: bool,
    /// Each player against the next alone.
    #[arg(long, conflicts_with = "gauntlet")]
    neighbours: bool,
    /// A file of openings: on each line a position, or moves from the start; # starts a comment.
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// The seed of all random numbers.
    #[arg(long, value_name = "S", default_value_t = 0, value_parser = whole(0_u64..))]
    seed: u64,
    /// Games at once. With limits in time fewer, if there are no cores for all their threads.
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = whole(1_u16..=256))]
    concurrency: u16,
    /// The folder of the games.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    limit: LimitArguments,
}

impl TournamentCommand {
    pub(crate) fn run(&self, registry: &Registry, out: &mut impl Write) -> Result<Ending> {
        // 1. Whatever can be wrong is found before a game is played.
        let openings = match &self.openings {
            None => String::new(),
            Some(path) => {
                fs::read_to_string(path).with_context(|| format!("openings {}", path.display()))?
            }
        };
        let tournament = Tournament {
            game: registry.game(&self.game)?.to_string(),
            players: self.players.iter().map(PlayerSpec::to_string).collect(),
            limit: or_default(self.limit.limits()),
            openings,
            rounds: self.rounds,
            seed: self.seed,
            max_plies: MAX_PLIES,
            pairings: match (self.gauntlet, self.neighbours) {
                (true, _) => Pairings::Gauntlet,
                (_, true) => Pairings::Neighbours,
                _ => Pairings::RoundRobin,
            },
        };
        let matches = tournament.matches();
        for (_, _, task) in &matches {
            task.check(registry)?;
        }
        let stop = stop_on_interrupt()?;
        let store = Store::create(registry, &self.out)?;

        // 2. Play, a round of everybody at a time, so that a tournament that is stopped is fair.
        let bar = progress::bar(tournament.games() * matches.len() as u64, " games");
        let concurrency = usize::from(self.concurrency);
        // As many rounds at once as keep every table busy.
        let step = 2 * self.concurrency.max(1) as u64;
        let mut end = 0;
        while end < tournament.games() && !stop.is_set() {
            end = (end + step).min(tournament.games());
            for (_, _, task) in &matches {
                let journal = Journal::File(store.path(&task.name()));
                let run = Run {
                    journal: &journal,
                    concurrency,
                    stop: &stop,
                    on_done: &mut |_| bar.inc(1),
                };
                task.run(registry, 0..end, run)?;
            }
        }
        bar.finish_and_clear();

        // 3. Tell.
        writeln!(out, "{:>8} {:>16} {:>9} {:>7}  player", "Elo", "95 %", "points", "games")?;
        for Standing { player, games, points, elo, interval: [low, high] } in
            tournament.standings(&store)?
        {
            let interval = format!("{low:+.0} to {high:+.0}");
            writeln!(out, "{elo:>+8.0} {interval:>16} {points:>9.1} {games:>7}  {player}")?;
        }
        if stop.is_set() {
            writeln!(out, "stopped; the same command continues")?;
            return Ok(Ending::Interrupted);
        }
        Ok(Ending::Complete)
    }
}
