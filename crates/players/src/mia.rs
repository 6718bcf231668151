//! MIA, the alpha-beta champion of Lines of Action (paper `mia`): the search joined with LOA's
//! knowledge.

use spinney_game::History;
use spinney_games::loa::Loa;
use spinney_games::loa::knowledge::LoaKnowledge;
use spinney_games::loa::knowledge::cache::CachedEvaluation;
use spinney_games::loa::knowledge::evaluation::{Evaluation, Weights};
use spinney_search::alpha_beta::{AlphaBeta, Config, MultiCut, Realisation};
use spinney_search::{Limits, Report, Stop};

use crate::{OptionList, Player, PlayerError};

/// The default size of the transposition table, in megabytes.
const TABLE_MEGABYTES: usize = 16;
/// Points of the random factor. Guess: small beside the weight of a move of mobility.
const NOISE: u32 = 5;

/// Which of the programs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// All of it.
    Mia,
    /// Without realisation probability, null move and multi-cut.
    Classic,
    /// With a plainer evaluation.
    Third,
}

/// Makes one of the programs.
pub(crate) fn create<const N: usize>(
    kind: Kind,
    options: &mut OptionList,
    seed: u64,
) -> Result<Box<dyn Player<Loa<N>>>, PlayerError> {
    let default = match kind {
        Kind::Mia | Kind::Third => Config::default(),
        Kind::Classic => Config::classic(),
    };
    let multi_cut = options.take_switch("multicut", default.multi_cut.is_some())?;
    let realisation = options.take_switch("realisation", default.realisation.is_some())?;
    let megabytes: usize = options.take("table", TABLE_MEGABYTES)?;
    let config = Config {
        table_bytes: megabytes.min(1_000_000) << 20,
        transposition_cutoffs: options.take_switch("etc", default.transposition_cutoffs)?,
        null_move: options.take_switch("null", default.null_move)?,
        multi_cut: multi_cut.then(MultiCut::default),
        realisation: realisation.then(Realisation::default),
        quiescence: options.take_switch("quiescence", default.quiescence)?,
        winning_moves: options.take_switch("wins", default.winning_moves)?,
        threats: options.take_switch("threats", default.threats)?,
        killers: options.take_switch("killers", default.killers)?,
        classes: options.take_switch("classes", default.classes)?,
        history: options.take_switch("history", default.history)?,
        threads: options.take("threads", default.threads)?,
        lines: options.take("lines", default.lines)?,
        ..default
    };
    if !(1..=256).contains(&config.threads) {
        return Err(options.error("threads: expected 1 to 256".to_owned()));
    }
    let mut weights = options.take("weights", Weights::learned(N))?;
    if kind == Kind::Third {
        // Concentration, centralisation, centre of mass and quads only.
        weights.0[5..].fill(0.0);
    }
    let noise = take_noise(options, NOISE)?;
    let remembers = options.take_switch("cache", true)?;
    let evaluation = CachedEvaluation::new(Evaluation::new(weights), remembers);
    let knowledge = LoaKnowledge::new(evaluation, noise, seed);
    let search = AlphaBeta::new(config, knowledge.clone())
        .map_err(|_| options.error(format!("table={megabytes}: no such memory")))?;
    Ok(Box::new(Mia { search, knowledge }))
}

/// The points of the random factor.
pub(crate) fn take_noise(options: &mut OptionList, default: u32) -> Result<u32, PlayerError> {
    let noise = options.take("noise", default)?;
    if noise > 10_000 {
        return Err(options.error("noise: expected 0 to 10000".to_owned()));
    }
    Ok(noise)
}

/// Alpha-beta as a player.
struct Mia<const N: usize> {
    search: AlphaBeta<Loa<N>, LoaKnowledge<N>>,
    /// What every game begins with.
    knowledge: LoaKnowledge<N>,
}

impl<const N: usize> Player<Loa<N>> for Mia<N> {
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
