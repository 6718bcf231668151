//! Searches, generic over the game: no file here names one.
//!
//! Every search takes a configuration, [`Limits`], a seed and a [`Stop`] flag, and returns a
//! [`Report`]; none prints.

pub mod alpha_beta;
pub mod brute_force;
pub mod flat;
mod limits;
pub mod mcts;
pub mod nested;
pub mod policy;
pub mod proof_number;
pub mod real;
mod report;
mod tree;
mod value;

pub use limits::{Budget, LimitKinds, Limits, STRIDE, Stop, UnsupportedLimits};
pub use report::{Candidate, Report};
pub use tree::{Branch, NoNode, ProofNumbers, SearchTree};
pub use value::GameValue;
