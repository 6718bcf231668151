//! `mcc-plus`: a value in place of a playout, priors in place of exploration by chance.

use spinney_games::chess::Chess;
use spinney_games::chess::knowledge::{ChessKnowledge, Greedy, Priors};
use spinney_search::mcts::{Bias, ChildOrder, Config};
use spinney_search::policy::{LeafSearch, LeafSearchConfig};

use super::{Kind, Tables, table_options};
use crate::monte_carlo::{TreePlayer, tree_options};
use crate::options::{self, Declared};
use crate::{Player, PlayerError, Seat};

/// The settings of the program.
#[derive(Clone)]
pub(crate) struct Settings {
    leaves: LeafSearchConfig,
    tables: Tables,
    temperature: f32,
    evenness: f32,
    tree: Config,
}

impl Default for Settings {
    /// PUCT, where priors do all the exploring. The scale makes 100 centipawns 64 %, as a rating of 100
    /// Elo more would.
    fn default() -> Self {
        Settings {
            leaves: LeafSearchConfig { quiescence: true, margin: 150, scale: 174.0, look: true },
            tables: Tables::new(Kind::Plain),
            temperature: 200.0,
            evenness: 0.1,
            tree: Config {
                exploration: 0.0,
                bias: Bias::Polynomial,
                bias_weight: 2.0,
                first_play: Some(0.2),
                order: ChildOrder::Prior,
                shortest: true,
                reuse: true,
                ..Config::default()
            },
        }
    }
}

/// The options of the program.
pub(crate) fn declare(default: &Settings) -> Vec<Declared<Settings>> {
    let leaves = &default.leaves;
    let mut all = vec![
        options::switch("quiescence", leaves.quiescence, |s: &mut Settings, on| {
            s.leaves.quiescence = on;
        })
        .help("search captures and the like before a leaf is evaluated"),
        options::count("margin", 0..=100_000, leaves.margin as u64, |s: &mut Settings, margin| {
            s.leaves.margin = margin as i32;
        })
        .unit("centipawns")
        .help("delta pruning: what a move may gain beyond its prize"),
        options::real("scale", 0.1..=1e6, leaves.scale, |s: &mut Settings, scale| {
            s.leaves.scale = scale;
        })
        .unit("centipawns")
        .help("advantage at which the odds of winning are e to 1"),
        options::switch("look", leaves.look, |s: &mut Settings, on| s.leaves.look = on)
            .help("detect a mate in one before a leaf is evaluated"),
        options::real("temperature", 10.0..=1e6, default.temperature, |s: &mut Settings, t| {
            s.temperature = t;
        })
        .unit("centipawns")
        .help("promise that makes a move e times as likely"),
        options::real("evenness", 0.0..=1.0, default.evenness, |s: &mut Settings, share| {
            s.evenness = share;
        })
        .help("share of the priors that all moves have alike"),
    ];
    let tables = table_options(&default.tables).into_iter();
    all.extend(tables.map(|option| option.within(|s: &mut Settings| &mut s.tables)));
    let tree = tree_options(&default.tree, true).into_iter();
    all.extend(tree.map(|option| option.within(|s: &mut Settings| &mut s.tree)));
    all
}

/// Makes the program.
pub(crate) fn build(
    settings: Settings,
    seat: Seat<'_>,
) -> Result<Box<dyn Player<Chess>>, PlayerError> {
    let Settings { leaves, tables, temperature, evenness, tree } = settings;
    let priors = Priors::Promise { temperature, evenness };
    let knowledge = ChessKnowledge::new(Greedy::Evaluation, priors, tables.open(seat)?);
    let policy = LeafSearch::new(leaves, knowledge);
    Ok(Box::new(TreePlayer::new(tree, policy, seat.seed)))
}
