//! Retrograde analysis: the distance to mate of every position of an ending.
//!
//! Ply by ply: a position is won in n if a move leads to one lost in n - 1 or less, and lost in n if
//! every move leads to one won in n - 1 or less. Both are asked for 64 positions at once, a row of
//! the table, as sets of squares of the second man. Every set is looked at once a ply; following
//! single positions back from the mates needs many times the work.
//!
//! Captures and promotions lead to tables that are already there. Their values are looked up once
//! and enter at their ply. A double step that can be answered en passant leads to a position that is
//! in no table: its value is the better one, for the side that may capture, of the capture and the
//! same position without that right. (With two pawns and the kings alone that side has another
//! move, and the capture is legal.)

use std::array;

use cozy_chess::{BitBoard, Color, Piece, get_between_rays};
use spinney_game::bits;

use super::ending::Ending;
use super::library::{Layout, Library, Row, Table};
use super::moves::{QuietMoves, attackers, attacks, en_passant, for_each_exit};
use super::value::Value;
use crate::chess::random::PROMOTION_RANKS;

/// The table of an ending; the library has those of all endings it can become.
pub(super) fn build(ending: Ending, smaller: &Library) -> Table {
    let mut analysis = Analysis::new(Layout::new(ending), smaller);
    let mut quiet = 0;
    for ply in 1.. {
        let found = if ply % 2 == 1 { analysis.find_wins(ply) } else { analysis.find_losses(ply) };
        quiet = if found { 0 } else { quiet + 1 };
        if quiet >= 2 && ply >= analysis.last_exit {
            break;
        }
    }
    let Analysis { layout, values, .. } = analysis;
    Table { layout, values }
}

/// What is known of the positions, for each side to move. Sets are given by rows.
struct Analysis {
    layout: Layout,
    moves: QuietMoves,
    values: [Vec<u8>; 2],
    /// The legal positions that are not known to be won.
    open: [Vec<u64>; 2],
    /// The positions known to be lost.
    lost: [Vec<u64>; 2],
    /// The positions with a way out of a loss: a stalemate, or a capture or promotion that does not
    /// lose yet.
    safe: [Vec<u64>; 2],
    /// By plies: the positions in which the best capture or promotion wins or loses so late.
    exits: [Vec<Vec<u32>>; 2],
    /// The last ply at which an exit or a capture en passant may count.
    last_exit: u8,
    double_steps: [Vec<DoubleStep>; 2],
}

/// A double step of a pawn that can be answered en passant.
struct DoubleStep {
    before: usize,
    /// The position after the step without that right.
    after: usize,
    /// What the capture is worth to the side that makes it.
    capture: Value,
}

impl Analysis {
    /// Everything up to ply 0: legal positions, exits, mates and stalemates.
    fn new(layout: Layout, smaller: &Library) -> Self {
        let moves = QuietMoves::new(layout);
        let legal = Color::ALL.map(|side| -> Vec<u64> {
            layout.rows().map(|row| legal(&layout, &row, side)).collect()
        });
        let mut new = Analysis {
            layout,
            moves,
            values: array::from_fn(|_| vec![Value::NONE.0; layout.positions()]),
            open: legal.clone(),
            lost: array::from_fn(|_| vec![0; layout.row_count()]),
            safe: array::from_fn(|_| vec![0; layout.row_count()]),
            exits: array::from_fn(|_| vec![Vec::new(); 1 + Value::LONGEST as usize]),
            last_exit: 0,
            double_steps: array::from_fn(|_| Vec::new()),
        };
        for side in Color::ALL {
            for row in layout.rows() {
                new.start(&row, side, &legal, smaller);
            }
        }
        new
    }

    /// Ply 0 of a row.
    fn start(&mut self, row: &Row, side: Color, legal: &[Vec<u64>; 2], smaller: &Library) {
        let [this, other] = [side as usize, !side as usize];
        let possible = legal[this][row.number];
        let mut movable = self.moves.moving_into(row, side, &legal[other]);
        // 1. Captures, promotions, and double steps that can be answered en passant.
        for second in BitBoard(possible) {
            let position = row.number * 64 + second as usize;
            self.values[this][position] = Value::DRAW.0;
            let placement = self.layout.placement(row, second, side);
            let mut best = Value::NONE;
            for_each_exit(&placement, |after| {
                let value = smaller.value(&after).expect("smaller endings come first");
                best = best.max(value.before());
            });
            if best != Value::NONE {
                movable |= second.bitboard().0;
                self.safe[this][row.number] |= second.bitboard().0;
                if let Some(plies) = best.win_plies().or(best.loss_plies()) {
                    self.exits[this][plies as usize].push(position as u32);
                    self.last_exit = self.last_exit.max(plies);
                }
            }
            if let Some((step, capture)) = en_passant(&placement) {
                let [first, second] = step.men.map(|man| man.map(|(_, square)| square));
                let to_row = self.layout.row_number(row.pair, first);
                let to = second.map_or(0, |square| square as usize);
                if legal[other][to_row] & 1 << to != 0 {
                    movable |= 1 << (position % 64);
                    let value = smaller.value(&capture).expect("smaller endings come first");
                    let capture = value.before();
                    if let Some(plies) = capture.win_plies().or(capture.loss_plies()) {
                        self.last_exit = self.last_exit.max(plies + 1);
                    }
                    let after = to_row * 64 + to;
                    self.double_steps[this].push(DoubleStep { before: position, after, capture });
                }
            }
        }
        // 2. Mates and stalemates. In check: the other side could not be to move.
        let stuck = possible & !movable;
        let mated = stuck & !legal[other][row.number];
        self.safe[this][row.number] |= stuck ^ mated;
        self.lost[this][row.number] = mated;
        for second in bits::iterate(mated) {
            self.values[this][row.number * 64 + second as usize] = Value::loss(0).0;
        }
    }

    /// The positions of a row whose value is not known.
    fn unknown(&self, side: Color, row: usize) -> u64 {
        self.open[side as usize][row] & !self.lost[side as usize][row]
    }

    /// Finds the positions that are won in `ply` plies; returns whether there are any.
    fn find_wins(&mut self, ply: u8) -> bool {
        let mut found = false;
        for side in Color::ALL {
            let mut winning = vec![0; self.layout.row_count()];
            for &position in &self.exits[side as usize][ply as usize] {
                winning[position as usize / 64] |= 1 << (position % 64);
            }
            for step in &self.double_steps[side as usize] {
                let capture_loses = step.capture.loss_plies().is_some_and(|plies| plies < ply);
                if capture_loses && has(&self.lost[!side as usize], step.after) {
                    winning[step.before / 64] |= 1 << (step.before % 64);
                }
            }
            for row in self.layout.rows() {
                let unknown = self.unknown(side, row.number);
                if unknown == 0 {
                    continue;
                }
                let quiet = self.moves.moving_into(&row, side, &self.lost[!side as usize]);
                let won = unknown & (quiet | winning[row.number]);
                self.open[side as usize][row.number] &= !won;
                self.note(side, row.number, won, Value::win(ply));
                found |= won != 0;
            }
        }
        found
    }

    /// Finds the positions that are lost in `ply` plies; returns whether there are any.
    fn find_losses(&mut self, ply: u8) -> bool {
        let mut found = false;
        for side in Color::ALL {
            for &position in &self.exits[side as usize][ply as usize] {
                self.safe[side as usize][position as usize / 64] &= !(1 << (position % 64));
            }
            let mut holding = vec![0; self.layout.row_count()];
            for step in &self.double_steps[side as usize] {
                let capture_wins = step.capture.win_plies().is_some_and(|plies| plies < ply);
                if !capture_wins && has(&self.open[!side as usize], step.after) {
                    holding[step.before / 64] |= 1 << (step.before % 64);
                }
            }
            for row in self.layout.rows() {
                let safe = self.safe[side as usize][row.number] | holding[row.number];
                let unknown = self.unknown(side, row.number) & !safe;
                if unknown == 0 {
                    continue;
                }
                let lost =
                    unknown & !self.moves.moving_into(&row, side, &self.open[!side as usize]);
                self.lost[side as usize][row.number] |= lost;
                self.note(side, row.number, lost, Value::loss(ply));
                found |= lost != 0;
            }
        }
        found
    }

    fn note(&mut self, side: Color, row: usize, positions: u64, value: Value) {
        for second in bits::iterate(positions) {
            self.values[side as usize][row * 64 + second as usize] = value.0;
        }
    }
}

/// Whether a set given by rows has a position.
fn has(set: &[u64], position: usize) -> bool {
    set[position / 64] & 1 << (position % 64) != 0
}

/// The legal positions of a row with `side` to move: no two men on a square, no pawn on the first
/// or the last rank, and `side` does not attack the other king.
pub(super) fn legal(layout: &Layout, row: &Row, side: Color) -> u64 {
    let Ending { first, second } = layout.ending;
    let [own_king, king] = [row.kings[side as usize], row.kings[!side as usize]];
    let mut occupied = own_king.bitboard() | king.bitboard();
    if row.first.is_some_and(|square| occupied.has(square)) {
        return 0;
    }
    let mut attacking = BitBoard::EMPTY;
    if let Some((man, from)) = first.zip(row.first) {
        if man.color == side && attacks(man, from, own_king.bitboard()).has(king) {
            attacking |= !get_between_rays(from, king);
        }
        occupied |= from.bitboard();
    }
    if second.color == side {
        attacking |= attackers(second, king, occupied);
    }
    let pawnless = if second.piece == Piece::Pawn { PROMOTION_RANKS } else { 0 };
    (!(occupied | attacking)).0 & !pawnless
}
