//! `mcc-plus`: a value in place of a play-out, priors in place of exploration by chance.

use spinney_games::chess::Chess;
use spinney_games::chess::knowledge::{ChessKnowledge, Greedy, Priors};
use spinney_search::mcts::{Bias, ChildOrder, Config};
use spinney_search::policy::{LeafSearch, LeafSearchConfig};

use super::{Kind, adjudicator};
use crate::monte_carlo::{TreePlayer, tree_search};
use crate::{OptionList, Player, PlayerError};

/// How the tree grows: PUCT, where priors do all the exploring.
fn tree() -> Config {
    Config {
        exploration: 0.0,
        bias: Bias::Polynomial(2.0),
        first_play: Some(0.2),
        order: ChildOrder::Prior,
        shortest: true,
        reuse: true,
        ..Config::default()
    }
}

/// The value of a leaf. The scale makes 100 centipawns 64 %, as a rating of 100 Elo more would.
fn leaves() -> LeafSearchConfig {
    LeafSearchConfig { quiescence: true, margin: 150, scale: 174.0, look: true }
}

/// Makes the program.
pub(super) fn create(
    options: &mut OptionList,
    seed: u64,
) -> Result<Box<dyn Player<Chess>>, PlayerError> {
    let default = leaves();
    let leaves = LeafSearchConfig {
        quiescence: options.take_switch("quiescence", default.quiescence)?,
        margin: options.take("margin", default.margin)?,
        scale: options.take("scale", default.scale)?,
        look: options.take_switch("look", default.look)?,
    };
    let adjudicator = adjudicator(options, Kind::Plus)?;
    let temperature: f32 = options.take("temperature", 200.0)?;
    let evenness: f32 = options.take("evenness", 0.1)?;
    let config = tree_search(options, tree())?;
    let problem = if !(leaves.scale > 0.0 && leaves.scale.is_finite()) {
        "scale: expected a number above 0"
    } else if !(0..=100_000).contains(&leaves.margin) {
        "margin: expected 0 to 100000"
    } else if !(temperature >= 10.0 && temperature.is_finite()) {
        "temperature: expected a number from 10"
    } else if !(0.0..=1.0).contains(&evenness) {
        "evenness: expected a number from 0 to 1"
    } else {
        let priors = Priors::Promise { temperature, evenness };
        let knowledge = ChessKnowledge::new(Greedy::Evaluation, priors, adjudicator);
        let policy = LeafSearch::new(leaves, knowledge);
        return Ok(Box::new(TreePlayer::new(config, policy, seed)));
    };
    Err(options.error(problem.to_owned()))
}
