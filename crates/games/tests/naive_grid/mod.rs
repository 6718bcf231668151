//! A board of characters, for deliberately naive games: no sets of squares, nothing shared with the
//! library.

#![allow(dead_code, reason = "each test file uses a part")]

pub(crate) mod stones;

use spinney_game::conformance::Naive;
use spinney_game::{Outcome, Side};

#[derive(Clone)]
pub(crate) struct Grid {
    /// `ranks[0]` is the lowest rank; `.` is an empty square.
    pub(crate) ranks: Vec<Vec<char>>,
    /// The letter of the side to move.
    pub(crate) side: char,
}

impl Grid {
    pub(crate) fn read(text: &str) -> Grid {
        let (board, side) = text.split_once(' ').expect("a board and a side");
        let mut ranks: Vec<Vec<char>> = board
            .split('/')
            .map(|rank| {
                let mut squares = Vec::new();
                for c in rank.chars() {
                    match c.to_digit(10) {
                        Some(empty) => squares.extend((0..empty).map(|_| '.')),
                        None => squares.push(c),
                    }
                }
                squares
            })
            .collect();
        ranks.reverse();
        Grid { ranks, side: side.chars().next().expect("a side") }
    }

    pub(crate) fn text(&self) -> String {
        let ranks: Vec<String> = self
            .ranks
            .iter()
            .rev()
            .map(|rank| {
                let mut text: String = rank.iter().collect();
                for empty in (1..=8).rev() {
                    text = text.replace(&".".repeat(empty), &empty.to_string());
                }
                text
            })
            .collect();
        format!("{} {}", ranks.join("/"), self.side)
    }

    pub(crate) fn width(&self) -> i32 {
        self.ranks[0].len() as i32
    }

    pub(crate) fn height(&self) -> i32 {
        self.ranks.len() as i32
    }

    /// The character on a square, `#` beside the board.
    pub(crate) fn at(&self, file: i32, rank: i32) -> char {
        if (0..self.width()).contains(&file) && (0..self.height()).contains(&rank) {
            self.ranks[rank as usize][file as usize]
        } else {
            '#'
        }
    }

    pub(crate) fn set(&mut self, file: i32, rank: i32, man: char) {
        self.ranks[rank as usize][file as usize] = man;
    }

    pub(crate) fn squares(&self) -> Vec<(i32, i32)> {
        (0..self.height())
            .flat_map(|rank| (0..self.width()).map(move |file| (file, rank)))
            .collect()
    }

    pub(crate) fn name(file: i32, rank: i32) -> String {
        format!("{}{}", char::from(b'a' + file as u8), rank + 1)
    }
}

/// Breakthrough or Knightthrough.
#[derive(Clone)]
pub(crate) struct NaiveRace {
    pub(crate) grid: Grid,
    pub(crate) knights: bool,
}

impl Naive for NaiveRace {
    fn outcome(&self) -> Option<Outcome> {
        let has = |man: char, ranks: std::ops::Range<i32>| {
            ranks
                .into_iter()
                .any(|rank| (0..self.grid.width()).any(|f| self.grid.at(f, rank) == man))
        };
        let height = self.grid.height();
        if has('o', height - 1..height) || !has('x', 0..height) {
            Some(Outcome::Win(Side::First))
        } else if has('x', 0..1) || !has('o', 0..height) {
            Some(Outcome::Win(Side::Second))
        } else if self.successors().is_empty() {
            Some(Outcome::Win(!self.to_move()))
        } else {
            None
        }
    }

    fn to_move(&self) -> Side {
        if self.grid.side == 'w' { Side::First } else { Side::Second }
    }

    fn successors(&self) -> Vec<(String, Self)> {
        let (own, other, ahead, next) =
            if self.grid.side == 'w' { ('o', 'x', 1, 'b') } else { ('x', 'o', -1, 'w') };
        let mut successors = Vec::new();
        for (file, rank) in self.grid.squares() {
            if self.grid.at(file, rank) != own {
                continue;
            }
            for (to_file, to_rank) in self.grid.squares() {
                let aside = (to_file - file).abs();
                let forward = (to_rank - rank) * ahead;
                let target = self.grid.at(to_file, to_rank);
                let legal = if self.knights {
                    forward > 0 && aside * forward == 2 && target != own
                } else {
                    forward == 1 && (aside == 1 && target != own || aside == 0 && target == '.')
                };
                if legal {
                    let mut child = self.clone();
                    child.grid.set(file, rank, '.');
                    child.grid.set(to_file, to_rank, own);
                    child.grid.side = next;
                    let between = if target == other { 'x' } else { '-' };
                    let [from, to] = [Grid::name(file, rank), Grid::name(to_file, to_rank)];
                    successors.push((format!("{from}{between}{to}"), child));
                }
            }
        }
        successors
    }

    fn text(&self) -> String {
        self.grid.text()
    }
}
