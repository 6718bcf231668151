//! Searches, generic over the game: no file here names one.
//!
//! Every search takes a configuration, [`Limits`], a seed and a [`Stop`] flag, and returns a
//! [`Report`]; none prints. [`Stop::pausing`] ends one slice of a search, which its `resume` continues;
//! clock and threads are those of the [`Host`].

pub mod alpha_beta;
pub mod brute_force;
pub mod flat;
pub mod knowledge;
mod limits;
pub mod mcts;
mod memory;
pub mod nested;
pub mod policy;
pub mod proof_number;
pub mod real;
mod report;
mod threads;
mod tree;
mod tries;
mod value;

pub use limits::{Budget, Host, LimitKinds, Limits, STRIDE, Stop, UnsupportedLimits};
pub use report::{Candidate, Report};
pub use tree::{Branch, NoNode, ProofNumbers, SearchTree};
pub use value::GameValue;
