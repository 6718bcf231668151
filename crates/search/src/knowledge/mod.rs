//! What a game knows beyond its rules, in small traits by use.
//!
//! | trait | answers | asked by |
//! |---|---|---|
//! | [`Evaluate`] | what is this position worth? | alpha-beta, playouts, leaf evaluation |
//! | [`MoveOrder`] | which moves come first, and how probable is each? | the same, and priors of trees |
//! | [`PlayoutModel`] | which move does a playout make, and what did it change? | playouts |
//! | [`Oracle`] | is the result known without a search? | all of them |
//! | [`Facts`] | which values and keys are certain without a search? | brute force |
//! | [`LeafValue`] | which moves must be seen before a leaf is evaluated? | leaf evaluation |
//!
//! A game implements what it has: only the value of a position has no default. One type implements all
//! of them, because they share the state that is kept beside a position.
//!
//! Values are in points of the game's own scale, for the side to move unless a method says otherwise.
//!
//! Mark methods `#[inline(always)]` where speed matters: they are called at every node, and what is
//! inlined is compiled for the processor at hand (`spinney_game::cpu`).

mod evaluate;
mod facts;
mod leaf_value;
mod move_order;
mod oracle;
mod playout_model;

pub use evaluate::{Evaluate, NoKnowledge};
pub use facts::{DECISIVE, Facts, orbit_key};
pub use leaf_value::{LeafValue, UNBOUNDED_GAIN};
pub use move_order::MoveOrder;
pub use oracle::{Known, Oracle};
pub use playout_model::PlayoutModel;
