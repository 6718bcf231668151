//! What is known about LOA beyond its rules: move categories and how likely each is played, and the
//! evaluation of positions.

pub mod cache;
pub mod categories;
pub mod evaluation;
pub mod lines;
mod mass;

pub use mass::{centre_of_mass, distance};
