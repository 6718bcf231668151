//! Stones on a board in the plainest way: a grid of letters and a recursive search for liberties.

use std::collections::HashSet;

use spinney_game::Side;

/// A grid of `x`, `o` and `.`, the first rank first.
#[derive(Clone)]
pub(crate) struct Grid {
    ranks: Vec<Vec<char>>,
    pub(crate) to_move: Side,
}

fn letter(side: Side) -> char {
    match side {
        Side::First => 'x',
        Side::Second => 'o',
    }
}

impl Grid {
    pub(crate) fn read(text: &str) -> Grid {
        let (board, side) = text.split_once(' ').expect("a board and a side");
        let mut ranks = Vec::new();
        for rank_text in board.split('/') {
            let mut rank = Vec::new();
            for symbol in rank_text.chars() {
                match symbol.to_digit(10) {
                    Some(empty) => rank.extend(vec!['.'; empty as usize]),
                    None => rank.push(symbol),
                }
            }
            ranks.insert(0, rank);
        }
        Grid { ranks, to_move: if side == "b" { Side::First } else { Side::Second } }
    }

    pub(crate) fn text(&self) -> String {
        let ranks: Vec<String> = self.ranks.iter().rev().map(|rank| rank_text(rank)).collect();
        let side = if self.to_move == Side::First { "b" } else { "w" };
        format!("{} {side}", ranks.join("/"))
    }

    /// Every empty point by name, with the board after the side to move has put a stone there.
    pub(crate) fn placements(&self) -> Vec<(String, Grid)> {
        let mut placements = Vec::new();
        for (rank, file) in self.points() {
            if self.ranks[rank][file] == '.' {
                let mut after = self.clone();
                after.ranks[rank][file] = letter(self.to_move);
                after.to_move = !self.to_move;
                let point = format!("{}{}", char::from(b'a' + file as u8), rank + 1);
                placements.push((point, after));
            }
        }
        placements
    }

    /// Whether some chain of this side has no liberty.
    pub(crate) fn has_breathless_chain(&self, side: Side) -> bool {
        self.points().into_iter().any(|(rank, file)| {
            self.ranks[rank][file] == letter(side)
                && !self.reaches_liberty(rank, file, letter(side), &mut HashSet::new())
        })
    }

    fn points(&self) -> Vec<(usize, usize)> {
        let files = self.ranks[0].len();
        (0..self.ranks.len()).flat_map(|rank| (0..files).map(move |file| (rank, file))).collect()
    }

    fn reaches_liberty(
        &self,
        rank: usize,
        file: usize,
        stone: char,
        seen: &mut HashSet<(usize, usize)>,
    ) -> bool {
        match self.ranks.get(rank).and_then(|points| points.get(file)) {
            Some('.') => true,
            Some(&found) if found == stone && seen.insert((rank, file)) => {
                self.reaches_liberty(rank + 1, file, stone, seen)
                    || self.reaches_liberty(rank.wrapping_sub(1), file, stone, seen)
                    || self.reaches_liberty(rank, file + 1, stone, seen)
                    || self.reaches_liberty(rank, file.wrapping_sub(1), stone, seen)
            }
            _ => false,
        }
    }
}

fn rank_text(rank: &[char]) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for &symbol in rank.iter().chain(&['|']) {
        if symbol == '.' {
            empty += 1;
            continue;
        }
        if empty > 0 {
            text += &empty.to_string();
            empty = 0;
        }
        if symbol != '|' {
            text.push(symbol);
        }
    }
    text
}

/// Every way to fill a board with stones and empty points, as text, with either side to move.
pub(crate) fn all_diagrams(files: usize, ranks: usize) -> impl Iterator<Item = String> {
    let points = files * ranks;
    (0..2 * 3usize.pow(points as u32)).map(move |number| {
        let mut rest = number / 2;
        let mut grid =
            Grid { ranks: vec![vec!['.'; files]; ranks], to_move: Side::BOTH[number % 2] };
        for point in 0..points {
            grid.ranks[point / files][point % files] = ['.', 'x', 'o'][rest % 3];
            rest /= 3;
        }
        grid.text()
    })
}
