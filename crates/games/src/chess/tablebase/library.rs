//! The tables and where a position is in them.

use std::sync::{LazyLock, OnceLock};

use cozy_chess::{BitBoard, Color, Square};

use super::ending::{Ending, MEN, Man, NO_MAN};
use super::symmetry::KingPairs;
use super::value::Value;

/// Where the men of a position with up to four men stand; no castling, no en passant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placement {
    /// The white and the black king.
    pub(super) kings: [Square; 2],
    pub(super) men: [Option<(Man, Square)>; 2],
    pub(super) to_move: Color,
}

impl Placement {
    pub(super) fn occupied(&self) -> BitBoard {
        let squares = self.men.iter().flatten().map(|&(_, square)| square).chain(self.kings);
        squares.fold(BitBoard::EMPTY, |set, square| set | square.bitboard())
    }
}

/// How the positions of an ending are numbered: by kings, then by first man; that is a row of 64
/// positions, one for each square of the second man.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    pub(super) ending: Ending,
    pub(super) kings: &'static KingPairs,
    /// Squares of the first man, from `lowest` on: a pawn is not on the first or the last rank.
    slots: usize,
    lowest: usize,
}

/// Up to 64 positions: the kings and the first man stand, the second man is anywhere.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) number: usize,
    pub(super) pair: usize,
    pub(super) kings: [Square; 2],
    pub(super) first: Option<Square>,
}

impl Layout {
    pub(super) fn new(ending: Ending) -> Self {
        let (slots, lowest) = match ending.first {
            None => (1, 0),
            Some(_) if ending.has_pawns() => (48, 8),
            Some(_) => (64, 0),
        };
        Layout { ending, kings: KingPairs::get(ending.has_pawns()), slots, lowest }
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = Row> + use<> {
        let Layout { slots, lowest, ending, .. } = *self;
        self.kings.pairs.iter().enumerate().flat_map(move |(pair, &kings)| {
            (0..slots).map(move |slot| Row {
                number: pair * slots + slot,
                pair,
                kings,
                first: ending.first.map(|_| Square::index(slot + lowest)),
            })
        })
    }

    pub(super) fn row_count(&self) -> usize {
        self.kings.pairs.len() * self.slots
    }

    /// Positions for each side to move.
    pub(super) fn positions(&self) -> usize {
        self.row_count() * 64
    }

    #[inline]
    pub(super) fn row_number(&self, pair: usize, first: Option<Square>) -> usize {
        pair * self.slots + first.map_or(0, |square| square as usize - self.lowest)
    }

    /// A position of a row.
    pub(super) fn placement(&self, row: &Row, second: Square, to_move: Color) -> Placement {
        let men = [self.ending.first.zip(row.first), Some((self.ending.second, second))];
        Placement { kings: row.kings, men, to_move }
    }
}

/// The values of all positions of an ending.
pub(super) struct Table {
    pub(super) layout: Layout,
    /// For White and for Black to move: values as bytes, by number of position.
    pub(super) values: [Vec<u8>; 2],
}

impl Table {
    /// The longest win, in plies.
    pub(super) fn longest(&self) -> Option<u8> {
        let wins =
            |values: &Vec<u8>| values.iter().filter_map(|&byte| Value(byte).win_plies()).max();
        self.values.iter().filter_map(wins).max()
    }
}

/// Which table has an ending, and how to turn a position to fit it.
#[derive(Clone, Copy)]
struct Entry {
    table: u8,
    /// The men come in the other order.
    swapped: bool,
    /// The colours are the other way round.
    reversed: bool,
}

/// By the numbers of the two men.
static DIRECTORY: LazyLock<[[Option<Entry>; MEN]; MEN]> = LazyLock::new(|| {
    let mut directory = [[None; MEN]; MEN];
    for (table, ending) in Ending::up_to(4).into_iter().enumerate() {
        for reversed in [false, true] {
            let number = |man: Man| {
                Man { color: if reversed { !man.color } else { man.color }, ..man }.number()
            };
            let [first, second] = [ending.first.map_or(NO_MAN, number), number(ending.second)];
            let entry = |swapped| Some(Entry { table: table as u8, swapped, reversed });
            directory[first][second] = entry(false);
            if first != second {
                directory[second][first] = entry(true);
            }
        }
    }
    directory
});

/// The tables at hand, in the order of [`Ending::up_to`]; each is set once.
pub(super) struct Library {
    pub(super) tables: Vec<OnceLock<Table>>,
}

impl Library {
    pub(super) fn new() -> Self {
        Library { tables: Ending::up_to(4).iter().map(|_| OnceLock::new()).collect() }
    }

    /// The value of a position, [`Value::NONE`] for kings side by side; `None` if the table is not
    /// at hand.
    #[inline]
    pub(super) fn value(&self, placement: &Placement) -> Option<Value> {
        // 1. Find the table.
        let [mut first, mut second] = placement.men;
        let number = |man: Option<(Man, Square)>| man.map_or(NO_MAN, |(man, _)| man.number());
        let mut kings = placement.kings;
        if first.is_none() && second.is_none() {
            let apart = KingPairs::get(false).find(kings).is_some();
            return Some(if apart { Value::DRAW } else { Value::NONE });
        }
        let entry = DIRECTORY[number(first)][number(second)]?;
        let table = self.tables[entry.table as usize].get()?;
        // 2. Turn the position.
        let mut to_move = placement.to_move;
        if entry.swapped {
            [first, second] = [second, first];
        }
        let mut squares = [first, second].map(|man| man.map(|(_, square)| square));
        if entry.reversed {
            kings = [kings[1].flip_rank(), kings[0].flip_rank()];
            squares = squares.map(|square| square.map(Square::flip_rank));
            to_move = !to_move;
        }
        // 3. Look it up.
        let Some((pair, symmetry)) = table.layout.kings.find(kings) else {
            return Some(Value::NONE);
        };
        let [first, second] = squares.map(|square| square.map(|square| symmetry.apply(square)));
        let row = table.layout.row_number(pair, first);
        Some(Value(table.values[to_move as usize][row * 64 + second? as usize]))
    }
}
