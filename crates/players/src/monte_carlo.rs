//! The Monte Carlo players that need no knowledge of the game: `uct` and `flat`.

use std::sync::Arc;

use spinney_game::{History, PackedMove, Repetition, Rng};
use spinney_search::flat::Flat;
use spinney_search::mcts::{
    self, Bias, ChildOrder, Config, FinalMove, Mcts, Parallelism, Widening,
};
use spinney_search::policy::{Policy, Random};
use spinney_search::{LimitKinds, Limits, Report, SearchTree, Stop};

use crate::{OptionList, Player, PlayerError};

/// Plies after which a random play-out is a draw: more than nearly all games last.
pub(crate) const MAX_PLIES: u32 = 1000;
/// The exploration coefficient of `uct`. Guess, to be tuned by matches.
const EXPLORATION: f32 = 1.0;

/// Random play-outs as the options say.
pub(crate) fn random_policy(options: &mut OptionList) -> Result<Random, PlayerError> {
    Ok(Random { max_plies: take_max_plies(options, MAX_PLIES)? })
}

/// The most plies that a play-out may be allowed: one that is not interrupted still takes
/// milliseconds only.
const MOST_PLIES: u32 = 100_000;

/// The plies after which a play-out is a draw.
pub(crate) fn take_max_plies(options: &mut OptionList, default: u32) -> Result<u32, PlayerError> {
    match options.take("max-plies", default)? {
        plies @ 0..=MOST_PLIES => Ok(plies),
        _ => Err(options.error(format!("max-plies: expected 0 to {MOST_PLIES}"))),
    }
}

/// The options of a tree search. Those that use priors (bias, order by prior, widening) are there if
/// the default uses them: then the policy knows something of moves.
pub(crate) fn tree_search(
    options: &mut OptionList,
    default: Config,
) -> Result<Config, PlayerError> {
    let usual = Some(default.bias).filter(|&bias| bias != Bias::None);
    tree_search_with_priors(options, default, usual)
}

/// The options of a tree search with a policy that knows something of moves, if there is a usual bias:
/// the one with its weight that the option `bias` starts from.
pub(crate) fn tree_search_with_priors(
    options: &mut OptionList,
    default: Config,
    usual: Option<Bias>,
) -> Result<Config, PlayerError> {
    let secure = options.take_optional::<f32>("secure")?;
    let default_final = match default.final_move {
        FinalMove::Secure(a) => FinalMove::Secure(secure.unwrap_or(a)),
        other => other,
    };
    let final_move = options.take_choice(
        "final",
        default_final,
        &[
            ("visits", FinalMove::MostVisited),
            ("value", FinalMove::HighestValue),
            ("secure", FinalMove::Secure(secure.unwrap_or(1.0))),
        ],
    )?;
    if secure.is_some() && !matches!(final_move, FinalMove::Secure(_)) {
        return Err(options.error("secure=A needs final=secure".to_owned()));
    }
    const ORDERS: &[(&str, ChildOrder)] = &[
        ("shuffled", ChildOrder::Shuffled),
        ("generated", ChildOrder::Generated),
        ("prior", ChildOrder::Prior),
    ];
    let orders = if usual.is_none() { &ORDERS[..2] } else { ORDERS };
    let memory: Megabytes = options.take("memory", Megabytes(default.memory >> 20))?;
    let config = Config {
        exploration: options.take("c", default.exploration)?,
        bias: match usual {
            Some(usual) => take_bias(options, default.bias, usual)?,
            None => Bias::None,
        },
        rave: options.take_optional("rave")?.or(default.rave),
        widening: if usual.is_some() { take_widening(options)? } else { None },
        proof_bias: options.take("proof-bias", default.proof_bias)?,
        first_play: options.take_optional("first-play")?.or(default.first_play),
        policy_visits: options.take("policy-visits", default.policy_visits)?,
        look_ahead: options.take_switch("look-ahead", default.look_ahead)?,
        expand_at: options.take("expand-at", default.expand_at)?,
        transpositions: options.take_optional("transpositions")?.or(default.transpositions),
        order: options.take_choice("order", default.order, orders)?,
        solver: options.take_switch("solver", default.solver)?,
        shortest: options.take_switch("shortest", default.shortest)?,
        final_move,
        stop_early: options.take_switch("stop-early", default.stop_early)?,
        reuse: options.take_switch("reuse", default.reuse)?,
        memory: memory.0 << 20,
        threads: options.take("threads", default.threads)?,
        parallelism: options.take_choice(
            "parallel",
            default.parallelism,
            &[("root", Parallelism::Root), ("tree", Parallelism::Tree)],
        )?,
        virtual_loss: options.take("virtual-loss", default.virtual_loss)?,
    };
    let problem = if !(config.exploration >= 0.0 && config.exploration.is_finite()) {
        Some("c: expected a number from 0")
    } else if config.rave.is_some_and(|k| !(k > 0.0 && k.is_finite())) {
        Some("rave: expected a number above 0")
    } else if config.transpositions == Some(0) {
        Some("transpositions: expected a number from 1")
    } else if !(config.proof_bias >= 0.0 && config.proof_bias.is_finite()) {
        Some("proof-bias: expected a number from 0")
    } else if config.first_play.is_some_and(|reduction| !reduction.is_finite()) {
        Some("first-play: expected a number")
    } else if !(1..=256).contains(&config.threads) {
        Some("threads: expected 1 to 256")
    } else if config.virtual_loss > 1000 {
        Some("virtual-loss: expected 0 to 1000")
    } else {
        None
    };
    match problem {
        Some(problem) => Err(options.error(problem.to_owned())),
        None => Ok(config),
    }
}

/// The form of the progressive bias and its weight; `usual` has the weight where it is not given.
fn take_bias(options: &mut OptionList, default: Bias, usual: Bias) -> Result<Bias, PlayerError> {
    let weight = match usual {
        Bias::None => 0.0,
        Bias::Losses(weight)
        | Bias::RootOfLosses(weight)
        | Bias::Visits(weight)
        | Bias::Polynomial(weight) => weight,
    };
    let forms = |weight| {
        [
            ("losses", Bias::Losses(weight)),
            ("root", Bias::RootOfLosses(weight)),
            ("visits", Bias::Visits(weight)),
            ("puct", Bias::Polynomial(weight)),
            ("none", Bias::None),
        ]
    };
    let form = options.take_choice("bias", default, &forms(weight))?;
    let given: Option<f32> = options.take_optional("w")?;
    let same_form = |other: &Bias| std::mem::discriminant(other) == std::mem::discriminant(&form);
    let bias = forms(given.unwrap_or(weight))
        .into_iter()
        .map(|(_, bias)| bias)
        .find(same_form)
        .unwrap_or(form);
    let problem = match given {
        Some(_) if bias == Bias::None => "w: needs a bias",
        Some(weight) if !(weight >= 0.0 && weight.is_finite()) => "w: expected a number from 0",
        _ => return Ok(bias),
    };
    Err(options.error(problem.to_owned()))
}

/// Progressive widening: `widening` moves at first, one more each time that the visits have grown by
/// the factor `growth`, from `widen-after` visits on. Growth is a guess.
fn take_widening(options: &mut OptionList) -> Result<Option<Widening>, PlayerError> {
    let Some(first) = options.take_optional("widening")? else { return Ok(None) };
    let widening = Widening {
        first,
        growth: options.take("growth", 1.4)?,
        after: options.take("widen-after", 0)?,
    };
    if first == 0 || !(widening.growth > 1.0 && widening.growth.is_finite()) {
        let problem = "widening: expected a number from 1, and a growth above 1";
        return Err(options.error(problem.to_owned()));
    }
    Ok(Some(widening))
}

/// Memory in megabytes.
pub(crate) struct Megabytes(pub(crate) usize);

impl std::str::FromStr for Megabytes {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.parse() {
            Ok(megabytes @ 1..=1_000_000) => Ok(Megabytes(megabytes)),
            _ => Err("expected megabytes, from 1 to 1000000"),
        }
    }
}

impl std::fmt::Display for Megabytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// Tree search with any policy.
pub(crate) struct TreePlayer<G: Repetition> {
    search: Mcts<G>,
    config: Config,
}

impl<G: Repetition> TreePlayer<G> {
    pub(crate) fn new(config: Config, policy: impl Policy<G> + 'static, seed: u64) -> Self {
        TreePlayer { search: Mcts::new(config.clone(), policy, seed), config }
    }
}

impl<G: Repetition> Player<G> for TreePlayer<G> {
    fn analyse(
        &mut self,
        history: &History<G>,
        limits: &Limits,
        stop: &Stop,
        progress: &mut dyn FnMut(&Report),
    ) -> Report {
        self.search.search(history, limits, stop, progress)
    }

    fn resume(
        &mut self,
        history: &History<G>,
        limits: &Limits,
        stop: &Stop,
        progress: &mut dyn FnMut(&Report),
    ) -> Report {
        self.search.resume(history, limits, stop, progress)
    }

    fn limit_kinds(&self) -> LimitKinds {
        LimitKinds::NO_DEPTH
    }

    fn new_game(&mut self, seed: u64) {
        self.search.new_game(seed);
    }

    fn tree(&self) -> Option<Arc<dyn SearchTree>> {
        Some(self.search.tree())
    }

    fn merge(&self, legal: &[PackedMove], reports: &[Report]) -> Option<Report> {
        Some(mcts::merge(&self.config, legal, reports))
    }
}

/// Plain UCT, as the reference of paper `nmcs`.
pub(crate) fn uct() -> Config {
    Config { exploration: EXPLORATION, ..Config::default() }
}

/// Flat Monte Carlo.
pub(crate) struct FlatPlayer {
    policy: Random,
    rng: Rng,
    /// The last search.
    search: Option<Flat>,
}

impl FlatPlayer {
    pub(crate) fn new(policy: Random, seed: u64) -> Self {
        FlatPlayer { policy, rng: Rng::new(seed), search: None }
    }
}

impl<G: Repetition> Player<G> for FlatPlayer {
    fn analyse(
        &mut self,
        history: &History<G>,
        limits: &Limits,
        stop: &Stop,
        progress: &mut dyn FnMut(&Report),
    ) -> Report {
        self.search = Some(Flat::new(history, stop));
        Player::<G>::resume(self, history, limits, stop, progress)
    }

    fn resume(
        &mut self,
        history: &History<G>,
        limits: &Limits,
        stop: &Stop,
        _progress: &mut dyn FnMut(&Report),
    ) -> Report {
        let search = self.search.get_or_insert_with(|| Flat::new(history, stop));
        search.run(history, &mut self.policy, limits, stop, &mut self.rng)
    }

    fn limit_kinds(&self) -> LimitKinds {
        LimitKinds::NO_DEPTH
    }

    fn new_game(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
    }
}
