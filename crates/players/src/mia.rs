//! MIA, the alpha-beta champion of Lines of Action (paper `mia`): the search joined with LOA's
//! knowledge.

use spinney_game::{History, Repetition, Rng};
use spinney_games::loa::Loa;
use spinney_games::loa::knowledge::cache::CachedEvaluation;
use spinney_games::loa::knowledge::evaluation::{Evaluation, Weights};
use spinney_games::loa::knowledge::network::NetworkEvaluation;
use spinney_games::loa::knowledge::{LoaEvaluation, LoaKnowledge};
use spinney_search::alpha_beta::{AlphaBeta, Config, Count, HistoryOrder, LateMoves, Margins};
use spinney_search::{Candidate, Limits, Report, Stop, real};

use crate::Player;
use crate::loa_evaluation::{self, Source};
use crate::monte_carlo::threads;
use crate::options::{self, Declared, Field, Named, Role};
use crate::prover::Beside;
use crate::solvers::{LoaOracle, loa_oracle};

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
    /// The percentage of the nodes for a proof-number search beside; 0 for none.
    proofs: u64,
    /// Draws the move among good ones: thousandths of the winning chance, or 0.
    temperature: u32,
}

/// Points of the random factor. Guess: small beside the weight of a move of mobility.
const NOISE: u32 = 5;

/// The percentage of proof-number search in the strongest program.
const PROOFS: u64 = 0;

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
    /// The strongest: with a learned evaluation, and a search that trusts it.
    Spinney,
}

impl Settings {
    /// A program on a board with sides of this length.
    pub(crate) fn new(kind: Kind, length: usize) -> Self {
        let search = match kind {
            Kind::Mia | Kind::Third => Config::default(),
            Kind::Plus => Config { winning_moves: true, threats: true, ..Config::default() },
            Kind::Classic => Config::classic(),
            Kind::Spinney => spinney(),
        };
        let by_network = kind == Kind::Spinney;
        Settings {
            search,
            evaluation: if by_network { Source::built_in() } else { Source::default() },
            weights: Weights::learned(length),
            is_plain: kind == Kind::Third,
            noise: NOISE,
            cache: true,
            proofs: if kind == Kind::Spinney { PROOFS } else { 0 },
            temperature: 0,
        }
    }

    /// The same program with a table of another size.
    pub(crate) fn with_table(mut self, bytes: usize) -> Self {
        self.search.table_bytes = bytes;
        self
    }

    /// The same program that draws its moves.
    pub(crate) fn at_temperature(self, temperature: u32) -> Self {
        Settings { temperature, ..self }
    }
}

/// The search of the strongest program. The numbers come from SPSA (640 iterations of 8 games with 10,000 nodes
/// a move). They are no stronger than the round numbers that it started from: 49.8 % ± 4.0 of 400 games.
fn spinney() -> Config {
    Config {
        winning_moves: true,
        threats: true,
        multi_cut: None,
        transposition_cutoffs: false,
        history: HistoryOrder::Gains,
        late_moves: LateMoves { slope: 55, base: 57, history: 59 },
        margins: Margins { above: 43, below: 48, plies: 5 },
        window: 21,
        ..Config::default()
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
            .help("remember what the men of one side are worth")
            .needs("evaluation", &["features"]),
    );
    all.push(
        options::count_or("proofs", 1..=90, &[("off", 0)], |settings: &mut Settings| {
            &mut settings.proofs
        })
        .unit("percent")
        .help("share of the nodes for a proof-number search beside (df-pn), with a quarter of the table; a win that it proves is played"),
    );
    all.push(
        options::count_or("temperature", 1..=1000, &[("off", 0)], |settings: &mut Settings| {
            &mut settings.temperature
        })
        .unit("thousandths of the winning chance")
        .help(
            "draw the move by softmax of the values: among the best `lines`, or all if that is 1",
        ),
    );
    all
}

const HISTORIES: &[Named<HistoryOrder>] = &[
    ("relative", HistoryOrder::Relative),
    ("plain", HistoryOrder::Plain),
    ("gains", HistoryOrder::Gains),
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
        or_off("reduce", 1000, |c| &mut c.late_moves.slope).unit("hundredths of a ply").help(
            "late-move reductions: the factor of ln i times ln d, for move i with d plies to go",
        ),
        options::count("reduce-base", 0..=500, |c: &mut Config| &mut c.late_moves.base)
            .unit("hundredths of a ply")
            .help("late-move reductions: what is added for every move")
            .needs("reduce", &[]),
        options::count("reduce-history", 0..=1000, |c: &mut Config| &mut c.late_moves.history)
            .unit("hundredths of a ply")
            .help("late-move reductions: what the best history takes away and the worst adds")
            .needs("reduce", &[]),
        or_off("above", 10_000, |c| &mut c.margins.above)
            .unit("points")
            .help("reverse futility pruning: margin above beta for each ply to go"),
        or_off("below", 10_000, |c| &mut c.margins.below)
            .unit("points")
            .help("futility pruning of quiet moves: margin below alpha for each ply to go")
            .needs("above", &[]),
        options::count("margin-plies", 1..=100, |c: &mut Config| &mut c.margins.plies)
            .unit("plies")
            .help("the most plies to go at which above and below prune")
            .needs("above", &[]),
        or_off("window", 10_000, |c| &mut c.window)
            .unit("points")
            .help("aspiration window: half its width around the value of the last iteration"),
        options::megabytes("table", 0, |c: &mut Config| &mut c.table_bytes)
            .help("transposition table"),
        threads(|c: &mut Config| &mut c.threads),
        options::count("lines", 1..=500, |c: &mut Config| &mut c.lines)
            .help("moves of the root that get exact values")
            .role(Role::Lines),
    ]
}

/// A number up to `most`; 0 is `off`.
fn or_off(key: &'static str, most: u64, field: Field<Config, i32>) -> Declared<Config> {
    options::count_or(key, 1..=most, &[("off", 0)], field)
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
    let Settings {
        mut search,
        evaluation,
        mut weights,
        is_plain,
        noise,
        cache,
        proofs,
        temperature,
    } = settings;
    if temperature > 0 && search.lines == 1 {
        search.lines = usize::MAX;
    }
    let draw = Draw { temperature, seed };
    // Whoever asks for the values of several moves wants them searched, whether one is proved or not.
    let has_beside = proofs > 0 && search.lines == 1;
    let memory = if has_beside { search.table_bytes / 4 } else { 0 };
    search.table_bytes -= memory;
    let beside = has_beside.then(|| Beside::new(proofs, memory, loa_oracle())).transpose()?;
    if let Some(network) = evaluation.network::<N>()? {
        return join(search, NetworkEvaluation::new(network), noise, draw, beside);
    }
    if is_plain {
        weights.0[5..].fill(0.0);
    }
    join(search, CachedEvaluation::new(Evaluation::new(weights), cache), noise, draw, beside)
}

/// Joins search and evaluation.
fn join<const N: usize, E: LoaEvaluation<N>>(
    config: Config,
    evaluation: E,
    noise: u32,
    draw: Draw,
    beside: Option<Beside<Loa<N>, LoaOracle<N>>>,
) -> Result<Box<dyn Player<Loa<N>>>, String> {
    let knowledge = LoaKnowledge::new(evaluation, noise, draw.seed);
    let megabytes = config.table_bytes >> 20;
    let search = AlphaBeta::new(config, knowledge.clone())
        .map_err(|_| format!("table={megabytes}: no such memory"))?;
    Ok(Box::new(Mia { search, knowledge, draw, beside }))
}

/// How a weaker opponent chooses: like a person, who finds some good move and not always the best.
struct Draw {
    /// Thousandths of the winning chance; 0 always plays the best.
    temperature: u32,
    seed: u64,
}

impl Draw {
    /// Draws the move of a report. The same seed draws the same move in the same place, however often
    /// it is asked; equal on every machine, since winning chances are rounded to thousandths.
    fn apply<G: Repetition>(&self, history: &History<G>, mut report: Report) -> Report {
        if self.temperature == 0 {
            return report;
        }
        let chance = |candidate: &Candidate| (500.0 * candidate.value).round() as f32;
        let best = report.candidates.iter().map(chance).fold(f32::MIN, f32::max);
        let weight =
            |candidate: &Candidate| real::exp((chance(candidate) - best) / self.temperature as f32);
        let ply = history.path().len() as u64;
        let mut rng = Rng::new(self.seed ^ history.position().key().wrapping_add(ply));
        let mut left = rng.unit() as f32 * report.candidates.iter().map(weight).sum::<f32>();
        let drawn = report.candidates.iter().find(|candidate| {
            left -= weight(candidate);
            left < 0.0
        });
        if let Some(Candidate { m, value, proven, plies, pv, .. }) = drawn.cloned() {
            report = Report { best: Some(m), value, proven, plies, pv, ..report };
        }
        report
    }
}

/// Alpha-beta as a player.
struct Mia<const N: usize, E: LoaEvaluation<N>> {
    search: AlphaBeta<Loa<N>, LoaKnowledge<N, E>>,
    /// What every game begins with.
    knowledge: LoaKnowledge<N, E>,
    draw: Draw,
    /// A proof-number search beside it.
    beside: Option<Beside<Loa<N>, LoaOracle<N>>>,
}

impl<const N: usize, E: LoaEvaluation<N>> Mia<N, E> {
    /// Searches, or continues a search that was paused.
    fn go_on(
        &mut self,
        history: &History<Loa<N>>,
        limits: &Limits,
        stop: &Stop,
        progress: &mut dyn FnMut(&Report),
        resumes: bool,
    ) -> Report {
        let search = match resumes {
            true => AlphaBeta::resume,
            false => AlphaBeta::search,
        };
        let Some(beside) = &mut self.beside else {
            return search(&mut self.search, history, limits, stop, progress);
        };
        let position = history.position();
        if !resumes {
            beside.begin();
        }
        let enough = stop.child();
        if beside.has_won() {
            enough.stop();
        }
        let own = beside.limits_of_other(limits);
        let mut report = search(&mut self.search, history, &own, &enough, &mut |report| {
            progress(report);
            beside.look(position, report, limits, &enough);
            if beside.has_won() {
                enough.stop();
            }
        });
        beside.complete(&mut report);
        report
    }
}

impl<const N: usize, E: LoaEvaluation<N>> Player<Loa<N>> for Mia<N, E> {
    fn analyse(
        &mut self,
        history: &History<Loa<N>>,
        limits: &Limits,
        stop: &Stop,
        progress: &mut dyn FnMut(&Report),
    ) -> Report {
        let report = self.go_on(history, limits, stop, progress, false);
        self.draw.apply(history, report)
    }

    fn resume(
        &mut self,
        history: &History<Loa<N>>,
        limits: &Limits,
        stop: &Stop,
        progress: &mut dyn FnMut(&Report),
    ) -> Report {
        let report = self.go_on(history, limits, stop, progress, true);
        self.draw.apply(history, report)
    }

    fn new_game(&mut self, seed: u64) {
        self.search.new_game(&self.knowledge.clone().with_seed(seed));
        if let Some(beside) = &mut self.beside {
            beside.new_game();
        }
        self.draw.seed = seed;
    }
}
