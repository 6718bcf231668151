//! Playout policies: how a simulation continues below the tree.

mod epsilon_greedy;
mod informed;
mod leaf;
mod minimax;

use spinney_game::{Chooser, Game, Outcome, Path, Repetition, Rng, playout, random_playout};

use crate::Budget;
use crate::knowledge::Known;

pub use epsilon_greedy::{EpsilonGreedy, EpsilonGreedyConfig};
pub use informed::{Informed, Playouts, Selective, Strategy};
pub use leaf::{LeafSearch, LeafSearchConfig};
pub use minimax::MinimaxRollouts;

/// What a simulation has at hand.
pub struct Simulation<'a, G: Game> {
    /// The way to the present position; a policy leaves it as it found it.
    pub path: &'a mut Path,
    /// The only source of randomness.
    pub rng: &'a mut Rng,
    /// Counts visited positions, and says when the search must end.
    pub budget: &'a mut Budget,
    /// Where to note the moves of the playout, if the search wants to know them.
    pub trace: Option<&'a mut Vec<G::Move>>,
}

/// A simulation strategy.
///
/// One of your own says how a position is played out. This one ends the game at once by a guess:
///
/// ```
/// # mod race { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/race/game.rs")); }
/// # use race::Race;
/// # use spinney_game::{Game, History, Rng, Side};
/// # use spinney_search::mcts::{self, Mcts};
/// # use spinney_search::{Budget, Limits, Stop};
/// use spinney_search::policy::{Policy, Simulation};
///
/// #[derive(Clone)]
/// struct Guess;
///
/// impl Policy<Race> for Guess {
///     fn playout(&mut self, position: Race, _: &mut Simulation<'_, Race>) -> Option<f32> {
///         let mover = if position.total % 4 == 1 { -1.0 } else { 1.0 };
///         Some(if position.to_move == Side::First { mover } else { -mover })
///     }
///
///     fn choose(&mut self, position: &Race, rng: &mut Rng, _: &mut Budget) -> u8 {
///         position.random_move(rng)
///     }
/// }
///
/// let mut uct = Mcts::new(mcts::Config::default(), Guess, 1);
/// let game = History::new(Race::START);
/// let report = uct.search(&game, &Limits::simulations(50), &Stop::new(), &mut |_| ());
/// assert_eq!(report.best, Some(1));
/// ```
pub trait Policy<G: Game>: ClonePolicy<G> + Send {
    /// Plays the game out from a position that is not finished. The result as the first side sees
    /// it, from -1 to 1; `None` if the budget ran out before there was one.
    fn playout(&mut self, position: G, simulation: &mut Simulation<'_, G>) -> Option<f32>;

    /// The move that the strategy makes in a position that is not finished; any legal move if the
    /// budget runs out meanwhile.
    fn choose(&mut self, position: &G, rng: &mut Rng, budget: &mut Budget) -> G::Move;

    /// How good a move looks; used by the search to bias and to order moves.
    fn prior(&mut self, _position: &G, _m: G::Move) -> f32 {
        0.0
    }

    /// Appends the priors of all legal moves. A policy may find out once what they share.
    fn priors(&mut self, position: &G, moves: &[G::Move], priors: &mut Vec<f32>) {
        for &m in moves {
            priors.push(self.prior(position, m));
        }
    }

    /// What is known of a position that is not finished; asked once for each node of a tree.
    #[inline(always)]
    fn known(&mut self, _position: &G) -> Option<Known> {
        None
    }

    /// A search of this position begins.
    fn begin(&mut self, _root: &G) {}

    /// `Some` if playouts are uniformly random: the tree search then compiles them into its loop.
    fn uniform(&self) -> Option<Random> {
        None
    }
}

/// Clones behind pointers; every policy that is [`Clone`] has it.
pub trait ClonePolicy<G: Game> {
    /// A clone.
    fn boxed(&self) -> Box<dyn Policy<G>>;
}

impl<G: Game, P: Policy<G> + Clone + 'static> ClonePolicy<G> for P {
    fn boxed(&self) -> Box<dyn Policy<G>> {
        Box::new(self.clone())
    }
}

impl<G: Game> Clone for Box<dyn Policy<G>> {
    fn clone(&self) -> Self {
        self.as_ref().boxed()
    }
}

impl<G: Game> Policy<G> for Box<dyn Policy<G>> {
    fn playout(&mut self, position: G, simulation: &mut Simulation<'_, G>) -> Option<f32> {
        self.as_mut().playout(position, simulation)
    }

    fn choose(&mut self, position: &G, rng: &mut Rng, budget: &mut Budget) -> G::Move {
        self.as_mut().choose(position, rng, budget)
    }

    fn prior(&mut self, position: &G, m: G::Move) -> f32 {
        self.as_mut().prior(position, m)
    }

    fn priors(&mut self, position: &G, moves: &[G::Move], priors: &mut Vec<f32>) {
        self.as_mut().priors(position, moves, priors);
    }

    fn known(&mut self, position: &G) -> Option<Known> {
        self.as_mut().known(position)
    }

    fn begin(&mut self, root: &G) {
        self.as_mut().begin(root);
    }

    fn uniform(&self) -> Option<Random> {
        self.as_ref().uniform()
    }
}

/// Uniformly random moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Random {
    /// Plies after which a playout is a draw.
    pub max_plies: u32,
}

impl Default for Random {
    /// No limit: for games that always end.
    fn default() -> Self {
        Random { max_plies: u32::MAX }
    }
}

impl<G: Repetition> Policy<G> for Random {
    #[inline(always)]
    fn playout(&mut self, position: G, simulation: &mut Simulation<'_, G>) -> Option<f32> {
        let Simulation { path, rng, budget, trace } = simulation;
        let playout = match trace {
            None => random_playout(position, path, self.max_plies, rng),
            Some(trace) => playout(position, path, self.max_plies, Traced { rng, trace }),
        };
        budget.spend(u64::from(playout.plies));
        budget.note_playout(playout.plies.into());
        Some(playout.outcome.unwrap_or(Outcome::Draw).score_for_first())
    }

    #[inline(always)]
    fn choose(&mut self, position: &G, rng: &mut Rng, _budget: &mut Budget) -> G::Move {
        position.random_move(rng)
    }

    fn uniform(&self) -> Option<Random> {
        Some(self.clone())
    }
}

/// Uniformly random moves that are noted.
struct Traced<'a, M> {
    rng: &'a mut Rng,
    trace: &'a mut Vec<M>,
}

impl<G: Game> Chooser<G> for Traced<'_, G::Move> {
    #[inline(always)]
    fn choose(&mut self, position: &G) -> G::Move {
        let m = position.random_move(self.rng);
        self.trace.push(m);
        m
    }
}
