//! MC-LOA, the Monte Carlo champion of Lines of Action (papers `mcts-loa` and `ab-playouts`): tree
//! search with informed play-outs, joined with LOA's knowledge.

use std::fmt::{self, Display};
use std::str::FromStr;

use spinney_games::loa::Loa;
use spinney_games::loa::knowledge::LoaKnowledge;
use spinney_games::loa::knowledge::cache::CachedEvaluation;
use spinney_games::loa::knowledge::evaluation::{Evaluation, Weights};
use spinney_search::mcts::{Bias, ChildOrder, Config, FinalMove};
use spinney_search::policy::{Informed, Playouts, Selective, Strategy};

use crate::mia::take_noise;
use crate::monte_carlo::{TreePlayer, take_max_plies, tree_search};
use crate::{OptionList, Player, PlayerError};

/// Which of the programs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// MC-LOA (`mcts-loa`, III to V).
    Plain,
    /// MC-LOA-T (`mcts-loa`, VI.E).
    Tuned,
    /// MC-LOA-αβ (`ab-playouts`).
    AlphaBeta,
}

/// C of formula 1, which the papers leave open. By short matches: see docs/methods.md.
const EXPLORATION: f32 = 1.0;
/// W of formula 1.
const BIAS_WEIGHT: f32 = 10.0;
/// The weight of proof numbers, which the paper does not have: see docs/methods.md.
const PROOF_BIAS: f32 = 8.0;
/// T: visits up to which the simulation strategy selects.
const POLICY_VISITS: u32 = 5;
/// A of the secure child (`mcts-loa`, IV.C).
const SECURE: f32 = 1.0;

/// What a point of the papers' evaluation is worth in ours. Thresholds are in the papers' points, so that
/// `threshold=700` stops play-outs as far from the end of the game as it did there: see docs/methods.md.
const PAPER_POINT: f64 = 0.38;

/// Points of the random factor of the evaluation: none, since simulations are random by themselves.
const NOISE: u32 = 0;

impl Kind {
    /// How the tree grows.
    fn tree(self) -> Config {
        Config {
            exploration: EXPLORATION,
            bias: match self {
                Kind::Plain => Bias::Losses(BIAS_WEIGHT),
                Kind::Tuned | Kind::AlphaBeta => Bias::RootOfLosses(BIAS_WEIGHT),
            },
            proof_bias: PROOF_BIAS,
            order: ChildOrder::Prior,
            policy_visits: POLICY_VISITS,
            look_ahead: true,
            final_move: FinalMove::Secure(SECURE),
            reuse: self == Kind::Tuned,
            ..Config::default()
        }
    }

    /// How play-outs go.
    fn playouts(self) -> Playouts {
        match self {
            Kind::Plain | Kind::Tuned => Playouts::default(),
            Kind::AlphaBeta => Playouts { strategy: Strategy::AlphaBeta, ..Playouts::default() },
        }
    }

    /// Where play-outs end (`mcts-loa`, V.A; `ab-playouts`, V).
    fn threshold(self) -> Threshold {
        Threshold(Some(match self {
            Kind::Plain | Kind::Tuned => 700,
            Kind::AlphaBeta => 600,
        }))
    }
}

/// Makes one of the programs.
pub(crate) fn create<const N: usize>(
    kind: Kind,
    options: &mut OptionList,
    seed: u64,
) -> Result<Box<dyn Player<Loa<N>>>, PlayerError> {
    let weights = options.take("weights", Weights::learned(N))?;
    let evaluation = CachedEvaluation::new(Evaluation::new(weights), true);
    let knowledge = LoaKnowledge::new(evaluation, take_noise(options, NOISE)?, seed);
    let policy = Informed::new(playouts(options, kind)?, knowledge);
    let config = tree_search(options, kind.tree())?;
    Ok(Box::new(TreePlayer::new(config, policy, seed)))
}

/// The options of the play-outs. Those of a strategy are there if it is used.
fn playouts(options: &mut OptionList, kind: Kind) -> Result<Playouts, PlayerError> {
    let default = kind.playouts();
    let strategy = options.take_choice(
        "strategy",
        default.strategy,
        &[
            ("default", Strategy::Default),
            ("corrective", Strategy::Corrective),
            ("greedy", Strategy::Greedy),
            ("mixed", Strategy::Mixed),
            ("alpha-beta", Strategy::AlphaBeta),
        ],
    )?;
    let threshold = options.take("threshold", kind.threshold())?;
    let mut playouts = Playouts {
        strategy,
        threshold: threshold.in_our_points(),
        max_plies: take_max_plies(options, default.max_plies)?,
        leaf_wins: options.take_switch("leaf-wins", default.leaf_wins)?,
        ..default
    };
    if matches!(strategy, Strategy::Default | Strategy::Corrective) && threshold.0.is_some() {
        playouts.first_look = options.take("first-look", playouts.first_look)?;
        playouts.look_every = options.take("look-every", playouts.look_every)?;
    }
    if matches!(strategy, Strategy::Corrective | Strategy::Mixed | Strategy::AlphaBeta) {
        playouts.min_weight = options.take("min-weight", playouts.min_weight)?;
    }
    if matches!(strategy, Strategy::Greedy | Strategy::Mixed) {
        playouts.candidates = options.take("k", playouts.candidates)?;
    }
    if strategy == Strategy::AlphaBeta {
        let Selective { searched, looked_at, killers } = playouts.selective;
        playouts.selective = Selective {
            searched: [
                options.take("searched", searched[0])?,
                options.take("replies-searched", searched[1])?,
            ],
            looked_at: [
                options.take("looked-at", Count(looked_at[0]))?.0,
                options.take("replies-looked-at", Count(looked_at[1]))?.0,
            ],
            killers: options.take_switch("killers", killers)?,
        };
    }
    let problem = if playouts.look_every == 0 {
        "look-every: expected a number from 1"
    } else if !(playouts.min_weight >= 0.0 && playouts.min_weight.is_finite()) {
        "min-weight: expected a number from 0"
    } else if playouts.candidates == 0 {
        "k: expected a number from 1"
    } else if playouts.selective.searched.contains(&0) {
        "searched, replies-searched: expected a number from 1"
    } else {
        return Ok(playouts);
    };
    Err(options.error(problem.to_owned()))
}

/// The threshold of the evaluation cut-off in points of the papers; `off` for none.
struct Threshold(Option<i32>);

impl Threshold {
    /// The same in points of our evaluation.
    fn in_our_points(&self) -> Option<i32> {
        self.0.map(|points| (f64::from(points) * PAPER_POINT).round() as i32)
    }
}

impl FromStr for Threshold {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.parse() {
            Ok(points @ 0..=100_000) => Ok(Threshold(Some(points))),
            _ if text == "off" => Ok(Threshold(None)),
            _ => Err("expected 0 to 100000, or off"),
        }
    }
}

impl Display for Threshold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(points) => points.fmt(f),
            None => f.write_str("off"),
        }
    }
}

/// A number of moves, or `all`.
struct Count(usize);

impl FromStr for Count {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.parse() {
            Ok(count) => Ok(Count(count)),
            _ if text == "all" => Ok(Count(usize::MAX)),
            _ => Err("expected a number, or all"),
        }
    }
}

impl Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            usize::MAX => f.write_str("all"),
            count => count.fmt(f),
        }
    }
}
