//! MCC, Monte Carlo chess (paper `mcc`), and our own mixture `mcc-plus`: tree search joined with what
//! is known about chess.
//!
//! Every program is plain `mcc` with some options changed, and every option is open to all of them.

pub(crate) mod plus;

use std::path::Path;

use spinney_games::chess::Chess;
use spinney_games::chess::knowledge::{Adjudicator, ChessKnowledge, Greedy, Priors};
use spinney_games::chess::tablebase::Tablebases;
use spinney_search::mcts::{Bias, ChildOrder, Config};
use spinney_search::policy::{EpsilonGreedy, EpsilonGreedyConfig};

use crate::monte_carlo::{MAX_PLIES, TreePlayer, max_plies, tree_options};
use crate::options::{self, Declared};
use crate::{Player, PlayerError, Seat};

/// Which of the programs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// MCC: UCT with random play-outs (4.1).
    Plain,
    /// MCC_HP_EVAL: heavy play-outs by evaluation (4.2.1).
    Evaluation,
    /// MCC_HP_SEE: heavy play-outs by static exchanges (4.2.1).
    Exchange,
    /// MCC_GTB: tablebases in play-outs (4.2.1).
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
/// ε of the best program of Table 1 and of Table 3.
const EPSILON_EVALUATION: f32 = 0.6;
const EPSILON_EXCHANGE: f32 = 0.4;

impl Kind {
    /// How the tree grows. A prior is in centipawns; the scale from -1 to 1 is twice that of the paper.
    fn tree(self) -> Config {
        let has_bias = matches!(self, Kind::Bias | Kind::Combined);
        Config {
            exploration: EXPLORATION,
            bias: if has_bias { Bias::Visits } else { Bias::None },
            bias_weight: 2.0 * K_BIAS,
            order: ChildOrder::Generated,
            solver: self == Kind::Combined,
            shortest: self == Kind::Combined,
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
                epsilon: usual_epsilon(greedy),
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

/// ε of the best program with these greedy moves; without any, all moves are random.
fn usual_epsilon(greedy: Option<Greedy>) -> f32 {
    match greedy {
        None => 1.0,
        Some(Greedy::Evaluation) => EPSILON_EVALUATION,
        Some(Greedy::Exchange) => EPSILON_EXCHANGE,
    }
}

/// The options of the programs.
pub(crate) fn declare(default: &Settings) -> Vec<Declared<Settings>> {
    let mut all = vec![
        options::choice(
            "greedy",
            &[("none", None), ("eval", Some(Greedy::Evaluation)), ("see", Some(Greedy::Exchange))],
            default.greedy,
            |settings: &mut Settings, greedy| {
                settings.greedy = greedy;
                settings.playouts.epsilon = usual_epsilon(greedy);
            },
        )
        .help("what greedy moves of playouts maximise: evaluation or static exchange"),
        options::real(
            "epsilon",
            0.0..=1.0,
            default.playouts.epsilon,
            |s: &mut Settings, epsilon| {
                s.playouts.epsilon = epsilon;
            },
        )
        .help("share of random moves in playouts")
        .needs("greedy", &["eval", "see"]),
        options::switch("decisive", default.playouts.decisive, |s: &mut Settings, on| {
            s.playouts.decisive = on;
        })
        .help("playouts mate where they can"),
        options::switch("anti-decisive", default.playouts.anti_decisive, |s: &mut Settings, on| {
            s.playouts.anti_decisive = on;
        })
        .help("playouts avoid moves that allow a mate"),
        options::count(
            "tries",
            1..=u32::MAX.into(),
            default.playouts.tries.into(),
            |s: &mut Settings, tries| {
                s.playouts.tries = tries as u32;
            },
        )
        .help("playouts from a leaf until one is no draw"),
        max_plies(default.playouts.max_plies, |s: &mut Settings, plies| {
            s.playouts.max_plies = plies as u32;
        }),
    ];
    let tables = table_options(&default.tables).into_iter();
    all.extend(tables.map(|option| option.within(|s: &mut Settings| &mut s.tables)));
    let tree = tree_options(&default.tree, true).into_iter();
    all.extend(tree.map(|option| option.within(|s: &mut Settings| &mut s.tree)));
    all
}

/// Makes one of the programs.
pub(crate) fn build(
    settings: Settings,
    seat: Seat<'_>,
) -> Result<Box<dyn Player<Chess>>, PlayerError> {
    let Settings { playouts, greedy, tables, tree } = settings;
    // Without greedy moves nobody asks what they are best for.
    let greedy = greedy.unwrap_or(Greedy::Evaluation);
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
    /// The fewest men at the root with which tables are asked, if given.
    from: Option<u32>,
    usual_from: u32,
}

impl Tables {
    fn new(kind: Kind) -> Self {
        let men = if matches!(kind, Kind::Tablebase | Kind::Combined) { 3 } else { 0 };
        let usual_from = if kind == Kind::Tablebase { LEAST_MEN } else { 0 };
        Tables { men, syzygy: String::new(), from: None, usual_from }
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
        if tables.is_none() && self.from.is_some() {
            return Err(spec.error("tablebase-from: needs tablebase or syzygy".to_owned()));
        }
        Ok(Adjudicator::new(tables, self.from.unwrap_or(self.usual_from)))
    }
}

/// The options of tablebases.
pub(crate) fn table_options(default: &Tables) -> Vec<Declared<Tables>> {
    vec![
        options::choice(
            "tablebase",
            &[("off", 0), ("3", 3), ("4", 4)],
            default.men,
            |tables: &mut Tables, men| tables.men = men,
        )
        .help("men of the endgame tables that are asked"),
        options::path("syzygy", |tables: &mut Tables, folder| tables.syzygy = folder)
            .help("a folder of Syzygy tables, asked too"),
        options::count(
            "tablebase-from",
            0..=32,
            default.usual_from.into(),
            |tables: &mut Tables, men| {
                tables.from = Some(men as u32);
            },
        )
        .unit("men")
        .help("tables are asked if the root has at least this many men"),
    ]
}
