//! Searches, generic over the game: no file here names one.
//!
//! Every search takes a configuration, [`Limits`], a seed and a [`Stop`] flag, and returns a
//! [`Report`]; none prints. [`Stop::pausing`] ends one slice of a search, which its `resume` continues;
//! clock and threads are those of the [`Host`].
//!
//! | module | search |
//! |---|---|
//! | [`mcts`] | Monte Carlo tree search (UCT) that proves wins and losses, on one thread or many |
//! | [`nested`] | nested Monte Carlo search for two players |
//! | [`alpha_beta`] | principal variation search with a transposition table |
//! | [`proof_number`] | df-pn, PN, PN², PDS: is the position won? |
//! | [`brute_force`] | exact values of small games |
//! | [`flat`] | playouts of every move, without a tree |
//!
//! # A tour
//!
//! A game is any type that implements [`spinney_game::Game`]. Here two players add 1, 2 or 3 to a total
//! in turn, and whoever reaches 13 wins; `examples/race` has it as a program.
//!
//! ```
//! use spinney_game::{Game, Hashed, History, Outcome, Repetition, Side, Symmetric};
//! use spinney_search::{GameValue, Limits, Stop};
//!
//! #[derive(Clone, Debug, PartialEq, Eq, Hash)]
//! struct Race { total: u8, to_move: Side }
//!
//! impl Game for Race {
//!     type Move = u8;
//!     fn to_move(&self) -> Side { self.to_move }
//!     fn legal_moves(&self, moves: &mut Vec<u8>) { moves.extend((1..=3).filter(|m| self.total + m <= 13)); }
//!     fn play(&mut self, m: u8) { self.total += m; self.to_move = !self.to_move; }
//!     fn outcome(&self) -> Option<Outcome> { (self.total == 13).then_some(Outcome::Win(!self.to_move)) }
//! }
//! impl Hashed for Race {}     // A hash for tables,
//! impl Repetition for Race {} // no draw by repetition,
//! impl Symmetric for Race {}  // no symmetries: the defaults.
//!
//! let game = History::new(Race { total: 0, to_move: Side::First });
//! let stop = Stop::new();
//!
//! // UCT, with random playouts:
//! use spinney_search::{mcts::{self, Mcts}, policy::Random};
//! let mut uct = Mcts::new(mcts::Config::default(), Random::default(), 1);
//! let report = uct.search(&game, &Limits::simulations(10_000), &stop, &mut |_| ());
//! assert_eq!((report.best, report.proven), (Some(1), Some(GameValue::Win)));
//!
//! // Nested Monte Carlo search:
//! use spinney_search::nested;
//! let config = nested::Config { level: 2, ..nested::Config::default() };
//! let report = nested::search(&game, &config, &Limits::default(), &stop, 1);
//! assert_eq!(report.candidates.len(), 3);
//!
//! // Alpha-beta, which knows nothing of the game but its rules:
//! use spinney_search::{alpha_beta::{self, AlphaBeta}, knowledge::NoKnowledge};
//! let mut alpha_beta = AlphaBeta::new(alpha_beta::Config::default(), NoKnowledge)?;
//! let report = alpha_beta.search(&game, &Limits::nodes(100_000), &stop, &mut |_| ());
//! assert_eq!(report.proven, Some(GameValue::Win));
//!
//! // df-pn, which solves:
//! use spinney_search::proof_number::{Options, ProofNumber};
//! let mut solver = ProofNumber::new(Options::DEFAULT)?;
//! let report = solver.solve(game.position(), &Limits::default(), &stop);
//! assert_eq!((report.best, report.proven), (Some(1), Some(GameValue::Win)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What a game knows beyond its rules (an evaluation, an order of moves, moves that win at once) goes
//! into the traits of [`knowledge`]; how simulations end is a [`policy`].

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
