//! The players of paper `nmcs`: nested search by itself, and as the playout of UCT; and UCT with
//! minimax playouts (MCTS-MR), its rival there.

use spinney_game::{History, Repetition, Rng};
use spinney_search::nested::{Config, Order, RootChoice};
use spinney_search::{LimitKinds, Limits, Report, Stop};

use crate::Player;
use crate::monte_carlo::{MAX_PLIES, max_plies};
use crate::options::{self, Declared, Field, Named};

/// Deeper nesting would not end in a lifetime.
const DEEPEST_LEVEL: u64 = 8;

/// Nested search of level 1, without any of its enhancements.
pub(crate) fn default_config() -> Config {
    Config {
        level: 1,
        discounting: false,
        cut_on_win: 0,
        prune_on_depth: 0,
        order: Config::default().order,
        max_plies: MAX_PLIES,
        repeat: false,
    }
}

/// The options of nested search as a playout.
pub(crate) fn nested_options() -> Vec<Declared<Config>> {
    const ORDERS: &[Named<Order>] = &[("generated", Order::Generation), ("random", Order::Random)];
    vec![
        options::count("level", 0..=DEEPEST_LEVEL, |c: &mut Config| &mut c.level)
            .help("nesting level; 0 is a random playout"),
        options::switch("discounting", |c: &mut Config| &mut c.discounting)
            .help("prefer short wins and long losses"),
        up_to_level("cow", |c| &mut c.cut_on_win).help("cut on win at levels up to this"),
        up_to_level("pod", |c| &mut c.prune_on_depth)
            .help("prune on depth at levels up to this")
            .needs("discounting", &["on"]),
        options::choice("nested-order", ORDERS, |c: &mut Config| &mut c.order)
            .help("order of the moves in nested playouts"),
        max_plies(|c: &mut Config| &mut c.max_plies),
    ]
}

/// The nesting levels up to which something is active.
fn up_to_level(key: &'static str, field: Field<Config, u32>) -> Declared<Config> {
    options::count_or(key, 0..=DEEPEST_LEVEL, &[("off", 0), ("on", u32::MAX)], field)
}

/// The options of nested search as a player.
pub(crate) fn player_options() -> Vec<Declared<Config>> {
    let mut all = nested_options();
    all.push(
        options::switch("repeat", |c: &mut Config| &mut c.repeat)
            .help("repeat the search until a limit is reached"),
    );
    all
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
