//! The players of paper `nmcs`: nested search by itself, and as the play-out of UCT; and UCT with
//! minimax play-outs (MCTS-MR), its rival there.

use spinney_game::{History, Repetition, Rng};
use spinney_search::nested::{Config, Order, RootChoice};
use spinney_search::{LimitKinds, Limits, Report, Stop};

use crate::Player;
use crate::monte_carlo::{MAX_PLIES, max_plies};
use crate::options::{self, Declared};

/// Deeper nesting would not end in a lifetime.
const DEEPEST_LEVEL: u64 = 8;

/// Words for nesting levels up to which something is active.
const LEVEL_WORDS: &[&str] = &["off", "on"];
const WORD_LEVELS: &[u64] = &[0, u32::MAX as u64];

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
pub(crate) fn nested_options(default: &Config) -> Vec<Declared<Config>> {
    vec![
        options::count(
            "level",
            0..=DEEPEST_LEVEL,
            default.level.into(),
            |c: &mut Config, level| {
                c.level = level as u32;
            },
        )
        .help("nesting level; 0 is a random playout"),
        options::switch("discounting", default.discounting, |c: &mut Config, on| {
            c.discounting = on
        })
        .help("prefer short wins and long losses"),
        options::count_or_words(
            "cow",
            0..=DEEPEST_LEVEL,
            LEVEL_WORDS,
            WORD_LEVELS,
            default.cut_on_win.into(),
            |c: &mut Config, level| c.cut_on_win = level as u32,
        )
        .help("cut on win at levels up to this"),
        options::count_or_words(
            "pod",
            0..=DEEPEST_LEVEL,
            LEVEL_WORDS,
            WORD_LEVELS,
            default.prune_on_depth.into(),
            |c: &mut Config, level| c.prune_on_depth = level as u32,
        )
        .help("prune on depth at levels up to this")
        .needs("discounting", &["on"]),
        options::choice(
            "nested-order",
            &[("generated", Order::Generation), ("random", Order::Random)],
            default.order,
            |c: &mut Config, order| c.order = order,
        )
        .help("order of the moves in nested playouts"),
        max_plies(default.max_plies, |c: &mut Config, plies| c.max_plies = plies as u32),
    ]
}

/// The options of nested search as a player.
pub(crate) fn player_options(default: &Config) -> Vec<Declared<Config>> {
    let mut all = nested_options(default);
    all.push(
        options::switch("repeat", default.repeat, |c: &mut Config, on| c.repeat = on)
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
