//! Opponents by strength: from a first game of Lines of Action to all that `spinney` can do.
//!
//! A level is `spinney` with a limit that counts, so that it plays the same on every machine. The weaker
//! ones look a few plies ahead and draw their move among good ones, as people do: the temperature says
//! how much winning chance they give away. The strongest has no limit but that of its host.
//!
//! The numbers were chosen by matches between neighbours, each of which the stronger one wins by 65 to
//! 85 %. The ratings are those of the tournament in `records/loa/levels`: Elo above random moves.

use spinney_game::History;
use spinney_games::loa::Loa;
use spinney_search::alpha_beta::Config;
use spinney_search::{LimitKinds, Limits, Report, Stop};

use crate::mia;
use crate::options::{self, Declared};
use crate::{Player, PlayerKind};

/// An opponent of some strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// What people call it.
    pub name: &'static str,
    /// Elo above a player of random moves, if it was measured.
    pub rating: Option<u32>,
    /// How it draws its move ([`mia::Settings::at_temperature`]).
    temperature: u32,
    limit: Limit,
}

/// What ends its search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Limit {
    Depth(u32),
    Nodes(u64),
    /// What the host says.
    Host,
}

use Limit::{Depth, Host, Nodes};

const fn level(name: &'static str, rating: u32, temperature: u32, limit: Limit) -> Level {
    let rating = if rating == 0 { None } else { Some(rating) };
    Level { name, rating, temperature, limit }
}

/// The name of the player whose `number` is a level.
pub const LEVEL: &str = "level";

/// The levels of Lines of Action, the easiest first.
pub const LEVELS: [Level; 16] = [
    level("Acorn", 288, 300, Depth(1)),
    level("Sprout", 470, 175, Depth(1)),
    level("Seedling", 637, 104, Depth(1)),
    level("Sapling", 868, 92, Depth(2)),
    level("Hazel", 1167, 62, Depth(2)),
    level("Rowan", 1342, 47, Depth(2)),
    level("Birch", 1485, 45, Depth(3)),
    level("Alder", 1635, 30, Depth(3)),
    level("Ash", 1903, 24, Depth(4)),
    level("Maple", 2176, 0, Nodes(3_600)),
    level("Beech", 2411, 0, Nodes(10_000)),
    level("Elm", 2575, 0, Nodes(26_000)),
    level("Oak", 2788, 0, Nodes(62_000)),
    level("Yew", 2952, 0, Nodes(200_000)),
    level("Sequoia", 3124, 0, Nodes(650_000)),
    level("Spinney", 3230, 0, Host),
];

impl Level {
    /// The limits of its search: its own, or those of the host where they are tighter.
    fn limits(&self, host: &Limits) -> Limits {
        let least = |own: u64, host: Option<u64>| Some(host.map_or(own, |host| host.min(own)));
        match self.limit {
            Depth(depth) => {
                let depth = host.depth.map_or(depth, |host| host.min(depth));
                Limits { depth: Some(depth), ..*host }
            }
            Nodes(nodes) => Limits { nodes: least(nodes, host.nodes), ..*host },
            Host => *host,
        }
    }
}

/// The settings of an opponent.
#[derive(Clone)]
struct Settings {
    /// The number of its level, from 1.
    number: usize,
    /// Of its transposition table.
    table_bytes: usize,
}

/// The levels as a player.
pub fn levels() -> PlayerKind<Loa<8>> {
    let declare: fn() -> Vec<Declared<Settings>> = || {
        let most = LEVELS.len() as u64;
        vec![
            options::count("number", 1..=most, |settings: &mut Settings| &mut settings.number)
                .help("the strength, from a first game to all that spinney can do"),
            options::megabytes("table", 0, |settings: &mut Settings| &mut settings.table_bytes)
                .help("transposition table"),
        ]
    };
    let summary = "LOA: spinney as an opponent of some strength";
    let default = Settings { number: 1, table_bytes: Config::default().table_bytes };
    PlayerKind::new(LEVEL, summary, default, declare, |Settings { number, table_bytes }, seat| {
        let level = LEVELS[number - 1];
        let settings = mia::Settings::new(mia::Kind::Spinney, 8);
        let settings = settings.at_temperature(level.temperature).with_table(table_bytes);
        let player = mia::build(settings, seat.seed).map_err(|problem| seat.spec.error(problem))?;
        Ok(Box::new(Opponent { level, player }))
    })
}

/// A player that searches no more than its level does.
struct Opponent {
    level: Level,
    player: Box<dyn Player<Loa<8>>>,
}

impl Player<Loa<8>> for Opponent {
    fn analyse(
        &mut self,
        history: &History<Loa<8>>,
        limits: &Limits,
        stop: &Stop,
        progress: &mut dyn FnMut(&Report),
    ) -> Report {
        self.player.analyse(history, &self.level.limits(limits), stop, progress)
    }

    fn resume(
        &mut self,
        history: &History<Loa<8>>,
        limits: &Limits,
        stop: &Stop,
        progress: &mut dyn FnMut(&Report),
    ) -> Report {
        self.player.resume(history, &self.level.limits(limits), stop, progress)
    }

    fn limit_kinds(&self) -> LimitKinds {
        self.player.limit_kinds()
    }

    fn new_game(&mut self, seed: u64) {
        self.player.new_game(seed);
    }
}
