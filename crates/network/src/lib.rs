//! Small networks that evaluate positions, in whole numbers.
//!
//! A position is seen twice, as either side sees it. Each view switches on some of the *inputs* (a man of
//! mine here, a man of theirs there). An input adds its weights to the hidden units of its view, so a
//! move changes the sums by a few rows of weights: they are kept beside the position ([`Accumulators`]).
//! Both views share these weights. The output joins the two views, the side to move first:
//!
//! ```text
//! h(view)  = clamp(b + Σ W[input], 0, 1)²          for each hidden unit (SCReLU)
//! logit    = c + u · h(own view) + v · h(other view) + Σ ± T[line]
//! points   = 240 · logit
//! ```
//!
//! `T` is a table with a value for every arrangement of each *line* of the board; its sum is kept too.
//! The first layer and its use beside a position are those of NNUE (Nasu 2018, "Efficiently updatable
//! neural-network-based evaluation functions for computer shogi"); the table over lines is older than any
//! network (Buro 1998, "From simple features to sophisticated evaluation functions").
//!
//! Nothing here names a game: a game declares its inputs, lines and symmetries as a [`FeatureSet`].
//!
//! | module | content |
//! |---|---|
//! | `features` | what a game declares |
//! | `network` | the network in whole numbers: the same value on every machine |
//! | [`file`](mod@file) | its file format |
//! | [`data`] | the file format of positions to learn from |
//! | `model` | the network in floating point: loss and gradient |
//! | [`training`] | from positions to a network |

pub mod data;
mod features;
pub mod file;
mod model;
mod network;
pub mod training;

pub use features::{Active, FeatureSet, Tie};
pub use model::Model;
pub use network::{Accumulators, Change, Network, POINTS_PER_LOGIT};
