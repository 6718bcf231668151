//! MCC, Monte Carlo chess (paper `mcc`), and our own mixture `mcc-plus`: tree search joined with what
//! is known about chess.
//!
//! Every program is plain `mcc` with some options changed, and every option is open to all of them.

mod plus;

use std::path::Path;

use spinney_games::chess::Chess;
use spinney_games::chess::knowledge::{Adjudicator, ChessKnowledge, Greedy, Priors};
use spinney_games::chess::tablebase::Tablebases;
use spinney_search::mcts::{Bias, ChildOrder, Config};
use spinney_search::policy::{EpsilonGreedy, EpsilonGreedyConfig};

use crate::monte_carlo::{MAX_PLIES, TreePlayer, take_max_plies, tree_search_with_priors};
use crate::{OptionList, Player, PlayerError};

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
    /// No program of the paper: evaluation at the leaves.
    Plus,
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
    /// How the tree grows.
    fn tree(self, usual_bias: Bias) -> Config {
        let has_bias = matches!(self, Kind::Bias | Kind::Combined);
        Config {
            exploration: EXPLORATION,
            bias: if has_bias { usual_bias } else { Bias::None },
            order: ChildOrder::Generated,
            solver: self == Kind::Combined,
            shortest: self == Kind::Combined,
            ..Config::default()
        }
    }

    /// What play-outs are greedy for.
    fn greedy(self) -> Option<Greedy> {
        match self {
            Kind::Evaluation => Some(Greedy::Evaluation),
            Kind::Exchange | Kind::Combined => Some(Greedy::Exchange),
            _ => None,
        }
    }
}

/// Makes one of the programs.
pub(crate) fn create(
    kind: Kind,
    options: &mut OptionList,
    seed: u64,
) -> Result<Box<dyn Player<Chess>>, PlayerError> {
    if kind == Kind::Plus {
        return plus::create(options, seed);
    }
    let (playing, greedy) = playing(options, kind)?;
    let adjudicator = adjudicator(options, kind)?;
    // Without greedy moves nobody asks what they are best for.
    let greedy = greedy.unwrap_or(Greedy::Evaluation);
    let knowledge = ChessKnowledge::new(greedy, Priors::Evaluation, adjudicator);
    let policy = EpsilonGreedy::new(playing, knowledge);
    // A prior is in centipawns; the scale from -1 to 1 is twice that of the paper.
    let k_bias: Option<f32> = options.take_optional("k-bias")?;
    let usual_bias = Bias::Visits(2.0 * k_bias.unwrap_or(K_BIAS));
    let config = tree_search_with_priors(options, kind.tree(usual_bias), Some(usual_bias))?;
    let problem = match k_bias {
        Some(k) if !(k >= 0.0 && k.is_finite()) => "k-bias: expected a number from 0",
        Some(_) if config.bias != usual_bias => "k-bias: needs bias=visits and no w",
        _ => return Ok(Box::new(TreePlayer::new(config, policy, seed))),
    };
    Err(options.error(problem.to_owned()))
}

/// The tablebases: `off`, the embedded ones of three men, or those of four men that the user has
/// built; and the Syzygy tables of a folder. A sandboxed player has the tables that are in memory.
fn adjudicator(options: &mut OptionList, kind: Kind) -> Result<Adjudicator, PlayerError> {
    let has_tables = matches!(kind, Kind::Tablebase | Kind::Combined);
    let has_four = || Tablebases::loaded().is_some_and(|tables| tables.men() >= 4);
    let choices = [("off", 0), ("3", 3), ("4", 4)];
    let count = if options.may_read_files() || has_four() { 3 } else { 2 };
    let default = if has_tables { 3 } else { 0 };
    let men = options.take_choice("tablebase", default, &choices[..count])?;
    let mut tables = match men {
        0 => None,
        3 => Some(Tablebases::three_men()),
        _ => {
            let tables = Tablebases::at_hand().map_err(|error| options.error(error.to_string()))?;
            if tables.men() < men {
                let problem = "tablebase=4: `spinney tablebase build --pieces 4` makes the tables";
                return Err(options.error(problem.to_owned()));
            }
            Some(tables)
        }
    };
    let folder = options.take_path("syzygy")?;
    if !folder.is_empty() {
        let folder = Path::new(&folder);
        let joined = match tables {
            Some(tables) => tables.with_syzygy(folder),
            None => Tablebases::syzygy(folder),
        };
        tables = Some(joined.map_err(|error| options.error(format!("syzygy: {error}")))?);
    }
    if tables.is_none() {
        return Ok(Adjudicator::new(None, 0));
    }
    let least_men = if kind == Kind::Tablebase { LEAST_MEN } else { 0 };
    Ok(Adjudicator::new(tables, options.take("tablebase-from", least_men)?))
}

/// The options of the play-outs.
fn playing(
    options: &mut OptionList,
    kind: Kind,
) -> Result<(EpsilonGreedyConfig, Option<Greedy>), PlayerError> {
    let greedy = options.take_choice(
        "greedy",
        kind.greedy(),
        &[("none", None), ("eval", Some(Greedy::Evaluation)), ("see", Some(Greedy::Exchange))],
    )?;
    let epsilon = match greedy {
        None => 1.0,
        Some(Greedy::Evaluation) => options.take("epsilon", EPSILON_EVALUATION)?,
        Some(Greedy::Exchange) => options.take("epsilon", EPSILON_EXCHANGE)?,
    };
    let playing = EpsilonGreedyConfig {
        epsilon,
        decisive: options
            .take_switch("decisive", matches!(kind, Kind::Decisive | Kind::Combined))?,
        anti_decisive: options.take_switch("anti-decisive", false)?,
        tries: options.take("tries", 1)?,
        max_plies: take_max_plies(options, MAX_PLIES)?,
    };
    let problem = if !(0.0..=1.0).contains(&epsilon) {
        "epsilon: expected a number from 0 to 1"
    } else if playing.tries == 0 {
        "tries: expected a number from 1"
    } else {
        return Ok((playing, greedy));
    };
    Err(options.error(problem.to_owned()))
}
