//! Static evaluation.

use spinney_game::Game;

use super::{LeafValue, MoveOrder, Oracle, PlayoutModel};

/// The static value of a position, with state that is kept up to date move by move.
///
/// An evaluation of your own, without state:
///
/// ```
/// # mod race { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/race/game.rs")); }
/// # use race::Race;
/// # use spinney_game::History;
/// # use spinney_search::alpha_beta::{self, AlphaBeta};
/// # use spinney_search::{Limits, Stop};
/// use spinney_search::knowledge::{Evaluate, MoveOrder, Oracle};
///
/// #[derive(Clone)]
/// struct Distance;
///
/// impl Evaluate<Race> for Distance {
///     type State = ();
///     fn state(&mut self, _: &Race) {}
///     fn update(&mut self, (): &mut (), _: &Race, _: u8) {}
///     fn evaluate(&mut self, position: &Race, (): &()) -> i32 {
///         if position.total % 4 == 1 { -100 } else { 100 }
///     }
/// }
/// impl MoveOrder<Race> for Distance {}
/// impl Oracle<Race> for Distance {}
///
/// let mut search = AlphaBeta::new(alpha_beta::Config::default(), Distance)?;
/// let game = History::new(Race::START);
/// let report = search.search(&game, &Limits::nodes(100), &Stop::new(), &mut |_| ());
/// assert_eq!(report.best, Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Evaluate<G: Game>: Clone + Send + 'static {
    /// What is kept beside a position (line indices, sums); `()` if nothing is.
    type State: Clone + Send;

    /// The state of a position, from scratch.
    fn state(&mut self, position: &G) -> Self::State;

    /// Updates the state of `position` to that after the move `m`, which is not played yet.
    fn update(&mut self, state: &mut Self::State, position: &G, m: G::Move);

    /// Like [`update`](Self::update), for a position that is not searched further: only the moves of
    /// the side to move there and the values after them are asked for.
    #[inline(always)]
    fn update_for_replies(&mut self, state: &mut Self::State, position: &G, m: G::Move) {
        self.update(state, position, m);
    }

    /// The value of a position that is not finished.
    fn evaluate(&mut self, position: &G, state: &Self::State) -> i32;

    /// The value, for the mover, of the position after a move that does not end the game. Override it
    /// where that is cheaper without making the move.
    #[inline(always)]
    fn evaluate_after(&mut self, position: &G, state: &Self::State, m: G::Move) -> i32 {
        let (mut next, mut next_state) = (position.clone(), state.clone());
        self.update(&mut next_state, position, m);
        next.play(m);
        -self.evaluate(&next, &next_state)
    }

    /// The position with the other side to move, and its state; `None` if the game has no null move.
    #[inline(always)]
    fn null_move(&self, _position: &G, _state: &Self::State) -> Option<(G, Self::State)> {
        None
    }
}

/// The rules and nothing else: what a solver knows. Every position is worth a draw.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoKnowledge;

impl<G: Game> Evaluate<G> for NoKnowledge {
    type State = ();

    #[inline(always)]
    fn state(&mut self, _: &G) {}

    #[inline(always)]
    fn update(&mut self, (): &mut (), _: &G, _: G::Move) {}

    #[inline(always)]
    fn evaluate(&mut self, _: &G, (): &()) -> i32 {
        0
    }
}

impl<G: Game> MoveOrder<G> for NoKnowledge {}
impl<G: Game> PlayoutModel<G> for NoKnowledge {}
impl<G: Game> Oracle<G> for NoKnowledge {}
impl<G: Game> LeafValue<G> for NoKnowledge {}
