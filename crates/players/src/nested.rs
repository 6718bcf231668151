//! The players of paper `nmcs`: nested search by itself, and as the play-out of UCT; and UCT with
//! minimax play-outs (MCTS-MR), its rival there.

use std::fmt::{self, Display};
use std::str::FromStr;

use spinney_game::{History, Repetition, Rng};
use spinney_search::nested::{Config, Order, RootChoice};
use spinney_search::{LimitKinds, Limits, Report, Stop};

use crate::monte_carlo::{MAX_PLIES, take_max_plies};
use crate::{OptionList, Player, PlayerError};

/// Deeper nesting would not end in a lifetime.
const DEEPEST_LEVEL: u32 = 8;

/// Nesting levels from 1 to i at which something is active: `off`, `on`, or i.
struct Levels(u32);

impl FromStr for Levels {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "off" => Ok(Levels(0)),
            "on" => Ok(Levels(u32::MAX)),
            _ => text.parse().map(Levels).map_err(|_| "expected off, on or the highest level"),
        }
    }
}

impl Display for Levels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.write_str("off"),
            u32::MAX => f.write_str("on"),
            level => level.fmt(f),
        }
    }
}

/// The options of nested search.
pub(crate) fn config(options: &mut OptionList) -> Result<Config, PlayerError> {
    let config = Config {
        level: options.take("level", 1)?,
        discounting: options.take_switch("discounting", false)?,
        cut_on_win: options.take("cow", Levels(0))?.0,
        prune_on_depth: options.take("pod", Levels(0))?.0,
        order: options.take_choice(
            "nested-order",
            Config::default().order,
            &[("generated", Order::Generation), ("random", Order::Random)],
        )?,
        max_plies: take_max_plies(options, MAX_PLIES)?,
        repeat: false,
    };
    if config.level > DEEPEST_LEVEL {
        return Err(options.error(format!("level: expected 0 to {DEEPEST_LEVEL}")));
    }
    if config.prune_on_depth > 0 && !config.discounting {
        return Err(options.error("pod means nothing without discounting=on".to_owned()));
    }
    Ok(config)
}

/// Nested search as a player.
pub(crate) struct NestedPlayer {
    config: Config,
    rng: Rng,
    /// The last search.
    search: Option<RootChoice>,
}

impl NestedPlayer {
    pub(crate) fn new(config: Config, seed: u64) -> Self {
        NestedPlayer { config, rng: Rng::new(seed), search: None }
    }
}

impl<G: Repetition> Player<G> for NestedPlayer {
    fn analyse(
        &mut self,
        history: &History<G>,
        limits: &Limits,
        stop: &Stop,
        _progress: &mut dyn FnMut(&Report),
    ) -> Report {
        let search = RootChoice::new(history, self.config, stop, self.rng.next_u64());
        self.search.insert(search).run(history, limits, stop)
    }

    fn resume(
        &mut self,
        history: &History<G>,
        limits: &Limits,
        stop: &Stop,
        progress: &mut dyn FnMut(&Report),
    ) -> Report {
        match &mut self.search {
            Some(search) => search.run(history, limits, stop),
            None => self.analyse(history, limits, stop, progress),
        }
    }

    fn limit_kinds(&self) -> LimitKinds {
        LimitKinds::NO_DEPTH
    }

    fn new_game(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
    }
}
