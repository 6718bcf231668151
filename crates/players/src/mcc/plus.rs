//! `mcc-plus`: a value in place of a playout, priors in place of exploration by chance.

use spinney_games::chess::Chess;
use spinney_games::chess::knowledge::{ChessKnowledge, Greedy, Priors};
use spinney_search::mcts::{Bias, ChildOrder, Config, Growth, Proving, Selection};
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
            leaves: LeafSearchConfig {
                quiescence: true,
                margin: 150,
                scale: 174.0,
                detect_mate: true,
            },
            tables: Tables::new(Kind::Plain),
            temperature: 200.0,
            evenness: 0.1,
            tree: Config {
                selection: Selection {
                    exploration: 0.0,
                    bias: Bias::Polynomial,
                    bias_weight: 2.0,
                    first_play: Some(0.2),
                    ..Selection::default()
                },
                growth: Growth { order: ChildOrder::Prior, reuse: true, ..Growth::default() },
                proof: Proving { shortest: true, ..Proving::default() },
                ..Config::default()
            },
        }
    }
}

/// The options of the program.
pub(crate) fn declare() -> Vec<Declared<Settings>> {
    let mut all = Vec::new();
    all.extend(options::within(leaf_options(), |s: &mut Settings| &mut s.leaves));
    all.extend([
        options::real("temperature", 10.0..=1e6, |s: &mut Settings| &mut s.temperature)
            .unit("centipawns")
            .help("promise that makes a move e times as likely"),
        options::real("evenness", 0.0..=1.0, |s: &mut Settings| &mut s.evenness)
            .help("share of the priors that all moves have alike"),
    ]);
    all.extend(options::within(table_options(), |s: &mut Settings| &mut s.tables));
    all.extend(options::within(tree_options(true), |s: &mut Settings| &mut s.tree));
    all
}

/// How a leaf is evaluated.
fn leaf_options() -> Vec<Declared<LeafSearchConfig>> {
    vec![
        options::switch("quiescence", |leaf: &mut LeafSearchConfig| &mut leaf.quiescence)
            .help("search captures and the like before a leaf is evaluated"),
        options::count("margin", 0..=100_000, |leaf: &mut LeafSearchConfig| &mut leaf.margin)
            .unit("centipawns")
            .help("delta pruning: what a move may gain beyond its prize")
            .needs("quiescence", &["on"]),
        options::real("scale", 0.1..=1e6, |leaf: &mut LeafSearchConfig| &mut leaf.scale)
            .unit("centipawns")
            .help("advantage at which the odds of winning are e to 1"),
        options::switch("look", |leaf: &mut LeafSearchConfig| &mut leaf.detect_mate)
            .help("detect a mate in one before a leaf is evaluated"),
    ]
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
