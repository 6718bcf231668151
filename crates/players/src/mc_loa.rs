//! MC-LOA, the Monte Carlo champion of Lines of Action (papers `mcts-loa` and `ab-playouts`): tree
//! search with informed playouts, joined with LOA's knowledge.

use std::ops::RangeInclusive;

use spinney_games::loa::Loa;
use spinney_games::loa::knowledge::LoaKnowledge;
use spinney_games::loa::knowledge::cache::CachedEvaluation;
use spinney_games::loa::knowledge::evaluation::{Evaluation, Weights};
use spinney_games::loa::knowledge::network::NetworkEvaluation;
use spinney_search::mcts::{
    Bias, ChildOrder, Config, Decision, FinalMove, Growth, Proving, Selection,
};
use spinney_search::policy::{Informed, Playouts, Strategy};

use crate::Player;
use crate::loa_evaluation::{self, Source};
use crate::mia::{noise, weights};
use crate::monte_carlo::{TreePlayer, max_plies, tree_options};
use crate::options::{self, Declared, Named};

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

/// C of formula 1, which the papers leave open. By short matches: see docs/how/uct.md.
const EXPLORATION: f32 = 1.0;
/// W of formula 1.
const BIAS_WEIGHT: f32 = 10.0;
/// The weight of proof numbers in the programs that have them: see docs/how/uct.md.
const PROOF_BIAS: f32 = 8.0;
/// T: visits up to which the simulation strategy selects.
const POLICY_VISITS: u32 = 5;
/// A of the secure child (`mcts-loa`, IV.C).
const SECURE: f32 = 1.0;

/// What a point of the papers' evaluation is worth in ours. Thresholds are in the papers' points, so that
/// `threshold=700` stops playouts as far from the end of the game as it did there: see docs/how/playouts.md.
const PAPER_POINT: f64 = 0.38;

/// Points of the random factor of the evaluation: none, since simulations are random by themselves.
const NOISE: u32 = 0;

impl Kind {
    /// How the tree grows.
    fn tree(self) -> Config {
        Config {
            selection: Selection {
                exploration: EXPLORATION,
                bias: match self {
                    Kind::Plain => Bias::Losses,
                    Kind::Tuned | Kind::AlphaBeta => Bias::RootOfLosses,
                },
                bias_weight: BIAS_WEIGHT,
                policy_visits: POLICY_VISITS,
                ..Selection::default()
            },
            growth: Growth {
                order: ChildOrder::Prior,
                reuse: self == Kind::Tuned,
                ..Growth::default()
            },
            proof: Proving { look_ahead: true, ..Proving::default() },
            decision: Decision {
                final_move: FinalMove::Secure,
                secure: SECURE,
                ..Decision::default()
            },
            ..Config::default()
        }
    }

    /// How playouts go.
    fn playouts(self) -> Playouts {
        match self {
            Kind::Plain | Kind::Tuned => Playouts::default(),
            Kind::AlphaBeta => Playouts { strategy: Strategy::AlphaBeta, ..Playouts::default() },
        }
    }

    /// Where playouts end (`mcts-loa`, V.A; `ab-playouts`, V), in points of the papers.
    fn threshold(self) -> u64 {
        match self {
            Kind::Plain | Kind::Tuned => 700,
            Kind::AlphaBeta => 600,
        }
    }
}

/// The settings of a program.
#[derive(Clone)]
pub(crate) struct Settings {
    tree: Config,
    playouts: Playouts,
    /// In points of the papers.
    threshold: Option<u64>,
    evaluation: Source,
    weights: Weights,
    /// Points of the random factor.
    noise: u32,
}

impl Settings {
    /// A program on a board with sides of this length.
    pub(crate) fn new(kind: Kind, length: usize) -> Self {
        Settings {
            tree: kind.tree(),
            playouts: kind.playouts(),
            threshold: Some(kind.threshold()),
            evaluation: Source::default(),
            weights: Weights::learned(length),
            noise: NOISE,
        }
    }

    /// The same program with what the papers do not have: proof numbers in selection, and nodes proven by
    /// a win at once.
    pub(crate) fn plus(mut self) -> Self {
        self.tree.selection.proof_bias = PROOF_BIAS;
        self.playouts.leaf_wins = true;
        self
    }
}

/// The options of the programs.
pub(crate) fn declare() -> Vec<Declared<Settings>> {
    const STRATEGIES: &[Named<Strategy>] = &[
        ("default", Strategy::Default),
        ("corrective", Strategy::Corrective),
        ("greedy", Strategy::Greedy),
        ("mixed", Strategy::Mixed),
        ("alpha-beta", Strategy::AlphaBeta),
    ];
    let mut all = vec![
        options::choice("strategy", STRATEGIES, |s: &mut Settings| &mut s.playouts.strategy)
            .help("how a playout chooses its moves"),
        options::count_or_off("threshold", 0..=100_000, |s: &mut Settings| &mut s.threshold)
            .unit("points of the papers")
            .help("evaluation at which a playout is decided"),
    ];
    all.extend(options::within(playout_options(), |s: &mut Settings| &mut s.playouts));
    all.extend(options::within(loa_evaluation::declare(), |s: &mut Settings| &mut s.evaluation));
    all.push(weights(|s: &mut Settings| &mut s.weights));
    all.push(noise(|s: &mut Settings| &mut s.noise));
    all.extend(options::within(tree_options(true), |s: &mut Settings| &mut s.tree));
    all
}

/// The options of the playouts.
fn playout_options() -> Vec<Declared<Playouts>> {
    const ONE_PLY: &[&str] = &["default", "corrective"];
    const ALPHA_BETA: &[&str] = &["alpha-beta"];
    const ALL: &[Named<usize>] = &[("all", usize::MAX)];
    const PLIES: RangeInclusive<u64> = 0..=100_000;
    const MOVES: RangeInclusive<u64> = 1..=1000;
    vec![
        max_plies(|p: &mut Playouts| &mut p.max_plies),
        options::switch("leaf-wins", |p: &mut Playouts| &mut p.leaf_wins)
            .help("prove a node where a move wins at once by its first visit"),
        options::count("first-look", PLIES, |p: &mut Playouts| &mut p.first_look)
            .unit("plies")
            .help("ply of the first check against the threshold")
            .needs("strategy", ONE_PLY)
            .needs("threshold", &[]),
        options::count("look-every", 1..=100_000, |p: &mut Playouts| &mut p.look_every)
            .unit("plies")
            .help("plies between two checks against the threshold")
            .needs("strategy", ONE_PLY)
            .needs("threshold", &[]),
        options::real("min-weight", 0.0..=1000.0, |p: &mut Playouts| &mut p.min_weight)
            .help("weight of a move that does not improve the evaluation")
            .needs("strategy", &["corrective", "mixed", "alpha-beta"]),
        options::count("k", MOVES, |p: &mut Playouts| &mut p.candidates)
            .help("moves that are evaluated, the likeliest first")
            .needs("strategy", &["greedy", "mixed"]),
        options::count("searched", MOVES, |p: &mut Playouts| &mut p.selective.searched[0])
            .help("moves that a playout's search tries")
            .needs("strategy", ALPHA_BETA),
        options::count("replies-searched", MOVES, |p: &mut Playouts| &mut p.selective.searched[1])
            .help("replies that a playout's search tries")
            .needs("strategy", ALPHA_BETA),
        options::count_or("looked-at", 0..=1000, ALL, |p: &mut Playouts| {
            &mut p.selective.looked_at[0]
        })
        .help("further moves that are checked for a win")
        .needs("strategy", ALPHA_BETA),
        options::count_or("replies-looked-at", 0..=1000, ALL, |p: &mut Playouts| {
            &mut p.selective.looked_at[1]
        })
        .help("further replies that are checked for a win")
        .needs("strategy", ALPHA_BETA),
        options::switch("killers", |p: &mut Playouts| &mut p.selective.killers)
            .help("try killer moves first")
            .needs("strategy", ALPHA_BETA),
    ]
}

/// Makes one of the programs.
pub(crate) fn build<const N: usize>(
    settings: Settings,
    seed: u64,
) -> Result<Box<dyn Player<Loa<N>>>, String> {
    let Settings { tree, playouts, threshold, evaluation, weights, noise } = settings;
    let threshold = threshold.map(|points| (points as f64 * PAPER_POINT).round() as i32);
    let playouts = Playouts { threshold, ..playouts };
    if let Some(network) = evaluation.network::<N>()? {
        let knowledge = LoaKnowledge::new(NetworkEvaluation::new(network), noise, seed);
        return Ok(Box::new(TreePlayer::new(tree, Informed::new(playouts, knowledge), seed)));
    }
    let evaluation = CachedEvaluation::new(Evaluation::new(weights), true);
    let knowledge = LoaKnowledge::new(evaluation, noise, seed);
    Ok(Box::new(TreePlayer::new(tree, Informed::new(playouts, knowledge), seed)))
}
