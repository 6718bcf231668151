//! What is known about LOA beyond its rules: categories of moves, and how likely each is played.

pub mod categories;
mod mass;

pub use mass::{centre_of_mass, distance};
