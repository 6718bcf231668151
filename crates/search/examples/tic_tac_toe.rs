//! The example `ttt` of the crate `minimax`: tic-tac-toe, played to its end by alpha-beta.

#![allow(clippy::print_stdout, reason = "an example")]

use std::fmt::{self, Display};

use spinney_game::{Game, Hashed, History, Outcome, Repetition, Side, Symmetric};
use spinney_search::alpha_beta::{AlphaBeta, Config};
use spinney_search::knowledge::NoKnowledge;
use spinney_search::{Limits, Stop};

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Board {
    men: [u16; 2],
}

const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
const FULL: u16 = 0o777;

impl Game for Board {
    type Move = u8;

    fn to_move(&self) -> Side {
        let men = (self.men[0] | self.men[1]).count_ones();
        if men.is_multiple_of(2) { Side::First } else { Side::Second }
    }

    fn legal_moves(&self, moves: &mut Vec<u8>) {
        moves.extend((0..9).filter(|square| (self.men[0] | self.men[1]) >> square & 1 == 0));
    }

    fn play(&mut self, m: u8) {
        self.men[self.to_move().index()] |= 1 << m;
    }

    fn outcome(&self) -> Option<Outcome> {
        let winner = !self.to_move();
        let men = self.men[winner.index()];
        match self.men[0] | self.men[1] {
            _ if LINES.iter().any(|line| men & line == *line) => Some(Outcome::Win(winner)),
            FULL => Some(Outcome::Draw),
            _ => None,
        }
    }
}

impl Hashed for Board {}
impl Repetition for Board {}
impl Symmetric for Board {}

impl Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in [0, 3, 6] {
            let man = |square: u8| match self.men.map(|men| men >> (row + square) & 1) {
                [1, _] => 'X',
                [_, 1] => 'O',
                _ => ' ',
            };
            writeln!(f, "{} | {} | {}", man(0), man(1), man(2))?;
        }
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut search = AlphaBeta::new(Config::default(), NoKnowledge)?;
    let mut game = History::new(Board::default());
    while game.position().outcome().is_none() {
        println!("{}", game.position());
        let report = search.search(&game, &Limits::nodes(100_000), &Stop::new(), &mut |_| ());
        game.play(report.best.ok_or("no move")? as u8);
    }
    println!("{}", game.position());
    assert_eq!(game.position().outcome(), Some(Outcome::Draw));
    Ok(())
}
