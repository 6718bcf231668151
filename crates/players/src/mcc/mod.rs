//! MCC, Monte Carlo chess (paper `mcc`), and our own mixture `mcc-plus`: tree search joined with what
//! is known about chess.
//!
//! Every program is plain `mcc` with some options changed, and every option is open to all of them.

pub(crate) mod plus;

use std::path::Path;

use spinney_games::chess::Chess;
use spinney_games::chess::knowledge::{Adjudicator, ChessKnowledge, Greedy, Priors};
use spinney_games::chess::tablebase::Tablebases;
use spinney_search::mcts::{Bias, ChildOrder, Config, Growth, Proving, Selection};
use spinney_search::policy::{EpsilonGreedy, EpsilonGreedyConfig};

use crate::monte_carlo::{MAX_PLIES, TreePlayer, max_plies, tree_options};
use crate::options::{self, Declared, Named};
use crate::{Player, PlayerError, Seat};

/// Which of the programs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// MCC: UCT with random playouts (4.1).
    Plain,
    /// MCC_HP_EVAL: heavy playouts by evaluation (4.2.1).
    Evaluation,
    /// MCC_HP_SEE: heavy playouts by static exchanges (4.2.1).
    Exchange,
    /// MCC_GTB: tablebases in playouts (4.2.1).
    Tablebase,
    /// MCC_DecisiveMoves (4.2.1).
    Decisive,
    /// MCC_progressiveBias (4.2.2).
    Bias,
    /// MCC_Combined (5.3).
    Combined,
}

/// C of formula 1, which is 1, on the scale from -1 to 1: v + 2 C sqrt(2 ln n / n_i).
const EXPLORATION: f32 = 8.0;
/// k_bias of formula 4 (5.3).
const K_BIAS: f32 = 0.001;
/// The fewest men at the root with which MCC_GTB asks its tables (5.2.2).
const LEAST_MEN: u32 = 8;
/// More playouts from one leaf than anybody waits for.
const MOST_TRIES: u64 = 1000;
/// ε of the best program of Table 1 and of Table 3.
const EPSILON_EVALUATION: f32 = 0.6;
const EPSILON_EXCHANGE: f32 = 0.4;

impl Kind {
    /// How the tree grows. A prior is in centipawns; the scale from -1 to 1 is twice that of the paper.
    fn tree(self) -> Config {
        let has_bias = matches!(self, Kind::Bias | Kind::Combined);
        let is_combined = self == Kind::Combined;
        Config {
            selection: Selection {
                exploration: EXPLORATION,
                bias: if has_bias { Bias::Visits } else { Bias::None },
                bias_weight: 2.0 * K_BIAS,
                ..Selection::default()
            },
            growth: Growth { order: ChildOrder::Generated, ..Growth::default() },
            proof: Proving { solver: is_combined, shortest: is_combined, look_ahead: false },
            ..Config::default()
        }
    }

    /// What playouts are greedy for.
    fn greedy(self) -> Option<Greedy> {
        match self {
            Kind::Evaluation => Some(Greedy::Evaluation),
            Kind::Exchange | Kind::Combined => Some(Greedy::Exchange),
            _ => None,
        }
    }
}

/// The settings of a program.
#[derive(Clone)]
pub(crate) struct Settings {
    playouts: EpsilonGreedyConfig,
    greedy: Option<Greedy>,
    tables: Tables,
    tree: Config,
}

impl Settings {
    /// One of the programs.
    pub(crate) fn new(kind: Kind) -> Self {
        let greedy = kind.greedy();
        Settings {
            playouts: EpsilonGreedyConfig {
                epsilon: match greedy {
                    Some(Greedy::Exchange) => EPSILON_EXCHANGE,
                    Some(Greedy::Evaluation) | None => EPSILON_EVALUATION,
                },
                decisive: matches!(kind, Kind::Decisive | Kind::Combined),
                max_plies: MAX_PLIES,
                ..EpsilonGreedyConfig::default()
            },
            greedy,
            tables: Tables::new(kind),
            tree: kind.tree(),
        }
    }
}

/// The options of the programs.
pub(crate) fn declare() -> Vec<Declared<Settings>> {
    const GREEDY: &[Named<Option<Greedy>>] =
        &[("none", None), ("eval", Some(Greedy::Evaluation)), ("see", Some(Greedy::Exchange))];
    let mut all = vec![
        options::choice("greedy", GREEDY, |s: &mut Settings| &mut s.greedy)
            .help("what greedy moves of playouts maximise: evaluation or static exchange"),
    ];
    all.extend(options::within(playout_options(), |s: &mut Settings| &mut s.playouts));
    all.extend(options::within(table_options(), |s: &mut Settings| &mut s.tables));
    all.extend(options::within(tree_options(true), |s: &mut Settings| &mut s.tree));
    all
}

/// The options of the playouts.
fn playout_options() -> Vec<Declared<EpsilonGreedyConfig>> {
    vec![
        options::real("epsilon", 0.0..=1.0, |p: &mut EpsilonGreedyConfig| &mut p.epsilon)
            .help("share of random moves in playouts")
            .needs("greedy", &["eval", "see"]),
        options::switch("decisive", |p: &mut EpsilonGreedyConfig| &mut p.decisive)
            .help("playouts mate where they can"),
        options::switch("anti-decisive", |p: &mut EpsilonGreedyConfig| &mut p.anti_decisive)
            .help("playouts avoid moves that allow a mate"),
        options::count("tries", 1..=MOST_TRIES, |p: &mut EpsilonGreedyConfig| &mut p.tries)
            .help("playouts from a leaf until one is no draw"),
        max_plies(|p: &mut EpsilonGreedyConfig| &mut p.max_plies),
    ]
}

/// Makes one of the programs.
pub(crate) fn build(
    settings: Settings,
    seat: Seat<'_>,
) -> Result<Box<dyn Player<Chess>>, PlayerError> {
    let Settings { mut playouts, greedy, tables, tree } = settings;
    // Without greedy moves all are random.
    let greedy = greedy.unwrap_or_else(|| {
        playouts.epsilon = 1.0;
        Greedy::Evaluation
    });
    let knowledge = ChessKnowledge::new(greedy, Priors::Evaluation, tables.open(seat)?);
    let policy = EpsilonGreedy::new(playouts, knowledge);
    Ok(Box::new(TreePlayer::new(tree, policy, seat.seed)))
}

/// Which tablebases are asked.
#[derive(Clone)]
pub(crate) struct Tables {
    /// Men of our own tables: none, the embedded ones of three, or those of four that the user built.
    men: u32,
    /// A folder of Syzygy tables; empty for none.
    syzygy: String,
    /// The fewest men at the root with which tables are asked.
    from: u32,
}

impl Tables {
    fn new(kind: Kind) -> Self {
        let men = if matches!(kind, Kind::Tablebase | Kind::Combined) { 3 } else { 0 };
        let from = if kind == Kind::Tablebase { LEAST_MEN } else { 0 };
        Tables { men, syzygy: String::new(), from }
    }

    /// Opens the tables. A sandboxed player has those that are in memory.
    fn open(self, seat: Seat<'_>) -> Result<Adjudicator, PlayerError> {
        let spec = seat.spec;
        let has_four = || Tablebases::loaded().is_some_and(|tables| tables.men() >= 4);
        let mut tables = match self.men {
            0 => None,
            3 => Some(Tablebases::three_men()),
            _ if spec.is_sandboxed() && !has_four() => {
                return Err(spec.error("tablebase=4: the tables are not loaded here".to_owned()));
            }
            men => {
                let tables =
                    Tablebases::at_hand().map_err(|error| spec.error(error.to_string()))?;
                if tables.men() < men {
                    let problem =
                        "tablebase=4: `spinney tablebase build --pieces 4` makes the tables";
                    return Err(spec.error(problem.to_owned()));
                }
                Some(tables)
            }
        };
        if !self.syzygy.is_empty() {
            let folder = Path::new(&self.syzygy);
            let joined = match tables {
                Some(tables) => tables.with_syzygy(folder),
                None => Tablebases::syzygy(folder),
            };
            tables = Some(joined.map_err(|error| spec.error(format!("syzygy: {error}")))?);
        }
        if tables.is_none() && spec.value(FROM).is_some() {
            return Err(spec.error(format!("{FROM}: needs tablebase or syzygy")));
        }
        Ok(Adjudicator::new(tables, self.from))
    }
}

/// The options of tablebases.
pub(crate) fn table_options() -> Vec<Declared<Tables>> {
    const MEN: &[Named<u32>] = &[("off", 0), ("3", 3), ("4", 4)];
    vec![
        options::choice("tablebase", MEN, |tables: &mut Tables| &mut tables.men)
            .help("men of the endgame tables that are asked"),
        options::path("syzygy", |tables: &mut Tables| &mut tables.syzygy)
            .help("a folder of Syzygy tables, asked too"),
        options::count(FROM, 0..=32, |tables: &mut Tables| &mut tables.from)
            .unit("men")
            .help("tables are asked if the root has at least this many men"),
    ]
}

/// The option that says from how many men tables are asked.
const FROM: &str = "tablebase-from";
