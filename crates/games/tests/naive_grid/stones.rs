//! Stones on a grid: liberties by a recursive search.

use std::collections::HashSet;

use spinney_game::conformance::Naive;
use spinney_game::{Outcome, Side};

use super::Grid;

/// NoGo or AtariGo.
#[derive(Clone)]
pub(crate) struct NaiveStones {
    pub(crate) grid: Grid,
    pub(crate) captures_win: bool,
}

impl Naive for NaiveStones {
    fn outcome(&self) -> Option<Outcome> {
        let own = if self.grid.side == 'b' { 'x' } else { 'o' };
        let lost = has_breathless_chain(&self.grid, own) || self.successors().is_empty();
        lost.then(|| Outcome::Win(!self.to_move()))
    }

    fn to_move(&self) -> Side {
        if self.grid.side == 'b' { Side::First } else { Side::Second }
    }

    fn successors(&self) -> Vec<(String, Self)> {
        let (own, other, next) =
            if self.grid.side == 'b' { ('x', 'o', 'w') } else { ('o', 'x', 'b') };
        let mut successors = Vec::new();
        for (file, rank) in self.grid.squares() {
            if self.grid.at(file, rank) != '.' {
                continue;
            }
            let mut child = self.clone();
            child.grid.set(file, rank, own);
            child.grid.side = next;
            let captures = has_breathless_chain(&child.grid, other);
            let suicide = has_breathless_chain(&child.grid, own);
            if if self.captures_win { captures || !suicide } else { !captures && !suicide } {
                successors.push((Grid::name(file, rank), child));
            }
        }
        successors
    }

    fn text(&self) -> String {
        self.grid.text()
    }
}

/// Whether some chain of these stones has no liberty.
pub(crate) fn has_breathless_chain(grid: &Grid, stone: char) -> bool {
    grid.squares().into_iter().any(|(file, rank)| {
        grid.at(file, rank) == stone
            && !reaches_liberty(grid, file, rank, stone, &mut HashSet::new())
    })
}

fn reaches_liberty(
    grid: &Grid,
    file: i32,
    rank: i32,
    stone: char,
    seen: &mut HashSet<(i32, i32)>,
) -> bool {
    let found = grid.at(file, rank);
    found == '.'
        || found == stone
            && seen.insert((file, rank))
            && [(0, 1), (0, -1), (1, 0), (-1, 0)]
                .into_iter()
                .any(|(right, up)| reaches_liberty(grid, file + right, rank + up, stone, seen))
}

/// Every way to fill a board with stones and empty points, as text, with either side to move.
pub(crate) fn all_diagrams(files: usize, ranks: usize) -> impl Iterator<Item = String> {
    let points = files * ranks;
    (0..2 * 3usize.pow(points as u32)).map(move |number| {
        let mut rest = number / 2;
        let mut grid = Grid { ranks: vec![vec!['.'; files]; ranks], side: ['b', 'w'][number % 2] };
        for point in 0..points {
            grid.ranks[point / files][point % files] = ['.', 'x', 'o'][rest % 3];
            rest /= 3;
        }
        grid.text()
    })
}
