//! MIA, the alpha-beta champion of Lines of Action (paper `mia`): the search joined with LOA's
//! knowledge.

use spinney_game::History;
use spinney_games::loa::Loa;
use spinney_games::loa::knowledge::cache::CachedEvaluation;
use spinney_games::loa::knowledge::evaluation::{Evaluation, Weights};
use spinney_games::loa::knowledge::network::NetworkEvaluation;
use spinney_games::loa::knowledge::{LoaEvaluation, LoaKnowledge};
use spinney_search::alpha_beta::{AlphaBeta, Config, Count, HistoryOrder};
use spinney_search::{Limits, Report, Stop};

use crate::Player;
use crate::loa_evaluation::{self, Source};
use crate::monte_carlo::threads;
use crate::options::{self, Declared, Field, Named, Role};

/// The settings of a program.
#[derive(Clone)]
pub(crate) struct Settings {
    search: Config,
    evaluation: Source,
    weights: Weights,
    /// Leaves out all features but concentration, centralisation, centre of mass and quads.
    is_plain: bool,
    /// Points of the random factor.
    noise: u32,
    /// Remembers what the men of one side are worth.
    cache: bool,
}

/// Points of the random factor. Guess: small beside the weight of a move of mobility.
const NOISE: u32 = 5;

/// Which of the programs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// MIA 4.5.
    Mia,
    /// MIA 4.5 that also detects winning moves and threats.
    Plus,
    /// Without realisation probability, null move and multi-cut.
    Classic,
    /// With a plainer evaluation.
    Third,
}

impl Settings {
    /// A program on a board with sides of this length.
    pub(crate) fn new(kind: Kind, length: usize) -> Self {
        let search = match kind {
            Kind::Mia | Kind::Third => Config::default(),
            Kind::Plus => Config { winning_moves: true, threats: true, ..Config::default() },
            Kind::Classic => Config::classic(),
        };
        Settings {
            search,
            evaluation: Source::default(),
            weights: Weights::learned(length),
            is_plain: kind == Kind::Third,
            noise: NOISE,
            cache: true,
        }
    }
}

/// The options of the programs.
pub(crate) fn declare() -> Vec<Declared<Settings>> {
    let mut all = Vec::new();
    all.extend(options::within(search_options(), |settings: &mut Settings| &mut settings.search));
    all.extend(options::within(loa_evaluation::declare(), |settings: &mut Settings| {
        &mut settings.evaluation
    }));
    all.push(weights(|settings: &mut Settings| &mut settings.weights));
    all.push(noise(|settings: &mut Settings| &mut settings.noise));
    all.push(
        options::switch("cache", |settings: &mut Settings| &mut settings.cache)
            .help("remember what the men of one side are worth"),
    );
    all
}

const HISTORIES: &[Named<HistoryOrder>] = &[
    ("relative", HistoryOrder::Relative),
    ("plain", HistoryOrder::Plain),
    ("off", HistoryOrder::Off),
];

const COUNTS: &[Named<Count>] = &[("all", Count::All), ("new", Count::New)];

/// The options of alpha-beta search.
fn search_options() -> Vec<Declared<Config>> {
    let switch = options::switch::<Config>;
    vec![
        options::feature("realisation", |c: &mut Config| &mut c.realisation)
            .help("realisation-probability search: reduce unlikely moves"),
        switch("null", |c| &mut c.null_move).help("null-move pruning"),
        options::feature("multicut", |c: &mut Config| &mut c.multi_cut).help("multi-cut pruning"),
        switch("etc", |c| &mut c.transposition_cutoffs).help("enhanced transposition cut-offs"),
        switch("quiescence", |c| &mut c.quiescence)
            .help("search tactical moves beyond the last ply"),
        switch("wins", |c| &mut c.winning_moves)
            .help("detect moves that win at once without a search"),
        switch("threats", |c| &mut c.threats)
            .help("extend by a ply where the opponent threatens to win"),
        switch("killers", |c| &mut c.killers).help("order by killer moves"),
        switch("classes", |c| &mut c.classes).help("order by the game's classes of moves"),
        options::choice("history", HISTORIES, |c: &mut Config| &mut c.history)
            .help("order by the history heuristic"),
        options::choice("count", COUNTS, |c: &mut Config| &mut c.count)
            .help("nodes: every visit, or only plies that no earlier iteration searched"),
        options::megabytes("table", 0, |c: &mut Config| &mut c.table_bytes)
            .help("transposition table"),
        threads(|c: &mut Config| &mut c.threads),
        options::count("lines", 1..=500, |c: &mut Config| &mut c.lines)
            .help("moves of the root that get exact values")
            .role(Role::Lines),
    ]
}

/// The weights of the evaluation.
pub(crate) fn weights<C: 'static>(field: Field<C, Weights>) -> Declared<C> {
    options::text("weights", "11 numbers with slashes between", field)
        .help("weights of the evaluation's features")
        .needs("evaluation", &["features"])
}

/// The random factor of the evaluation.
pub(crate) fn noise<C: 'static>(field: Field<C, u32>) -> Declared<C> {
    options::count("noise", 0..=10_000, field)
        .unit("points")
        .help("random factor of the evaluation, up or down")
}

/// Makes one of the programs.
pub(crate) fn build<const N: usize>(
    settings: Settings,
    seed: u64,
) -> Result<Box<dyn Player<Loa<N>>>, String> {
    let Settings { search, evaluation, mut weights, is_plain, noise, cache } = settings;
    if let Some(network) = evaluation.network::<N>()? {
        return join(search, NetworkEvaluation::new(network, cache), noise, seed);
    }
    if is_plain {
        weights.0[5..].fill(0.0);
    }
    join(search, CachedEvaluation::new(Evaluation::new(weights), cache), noise, seed)
}

/// Joins search and evaluation.
fn join<const N: usize, E: LoaEvaluation<N>>(
    config: Config,
    evaluation: E,
    noise: u32,
    seed: u64,
) -> Result<Box<dyn Player<Loa<N>>>, String> {
    let knowledge = LoaKnowledge::new(evaluation, noise, seed);
    let megabytes = config.table_bytes >> 20;
    let search = AlphaBeta::new(config, knowledge.clone())
        .map_err(|_| format!("table={megabytes}: no such memory"))?;
    Ok(Box::new(Mia { search, knowledge }))
}

/// Alpha-beta as a player.
struct Mia<const N: usize, E: LoaEvaluation<N>> {
    search: AlphaBeta<Loa<N>, LoaKnowledge<N, E>>,
    /// What every game begins with.
    knowledge: LoaKnowledge<N, E>,
}

impl<const N: usize, E: LoaEvaluation<N>> Player<Loa<N>> for Mia<N, E> {
    fn analyse(
        &mut self,
        history: &History<Loa<N>>,
        limits: &Limits,
        stop: &Stop,
        progress: &mut dyn FnMut(&Report),
    ) -> Report {
        self.search.search(history, limits, stop, progress)
    }

    fn resume(
        &mut self,
        history: &History<Loa<N>>,
        limits: &Limits,
        stop: &Stop,
        progress: &mut dyn FnMut(&Report),
    ) -> Report {
        self.search.resume(history, limits, stop, progress)
    }

    fn new_game(&mut self, seed: u64) {
        self.search.new_game(&self.knowledge.clone().with_seed(seed));
    }
}
