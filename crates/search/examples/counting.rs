//! The example of the README of the crate `treant`, as a game for two: from 0, a move adds or subtracts 1. The
//! first side wins at 10, the second at -10, and after 40 moves it is a draw.

#![allow(clippy::print_stdout, reason = "an example")]

use spinney_game::{Game, History, Outcome, Repetition, Side};
use spinney_search::mcts::{self, Mcts, Parallelism, Threads};
use spinney_search::{Limits, Stop, policy::Random};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Counting(i8, u8);

const ADD: u8 = 0;
const SUBTRACT: u8 = 1;

impl Game for Counting {
    type Move = u8;
    fn to_move(&self) -> Side {
        Side::BOTH[usize::from(self.1 % 2)]
    }
    fn legal_moves(&self, moves: &mut Vec<u8>) {
        moves.extend([ADD, SUBTRACT]);
    }
    fn play(&mut self, m: u8) {
        *self = Counting(if m == ADD { self.0 + 1 } else { self.0 - 1 }, self.1 + 1);
    }
    fn outcome(&self) -> Option<Outcome> {
        match *self {
            Counting(10, _) => Some(Outcome::Win(Side::First)),
            Counting(-10, _) => Some(Outcome::Win(Side::Second)),
            Counting(_, moves) => (moves >= 40).then_some(Outcome::Draw),
        }
    }
}
impl spinney_game::Hashed for Counting {}
impl Repetition for Counting {}

fn main() {
    let threads = Threads { number: 4, parallelism: Parallelism::Tree, ..Threads::default() };
    let config = mcts::Config { threads, ..mcts::Config::default() };
    let mut uct = Mcts::new(config, Random::default(), 1);
    let game = History::new(Counting(8, 0));
    let report = uct.search(&game, &Limits::simulations(10_000), &Stop::new(), &mut |_| ());
    assert_eq!(report.best, Some(ADD.into()));
}
