//! Moves as retrograde analysis needs them: quiet moves for a whole row of positions at once, and
//! the moves that leave a table, position by position.

use cozy_chess::{
    BitBoard, Color, Piece, Rank, Square, get_between_rays, get_bishop_moves, get_king_moves,
    get_knight_moves, get_pawn_attacks, get_rook_moves,
};

use super::ending::Man;
use super::library::{Layout, Placement, Row};
use super::symmetry::Symmetry;
use crate::board::{FILE_A, FILE_H};
use crate::chess::random::{PROMOTION_RANKS, PROMOTIONS, shifted};

/// The stride of a rook's and of a bishop's directions, and the file that a step cannot end on.
const STRAIGHT: [(i32, u64); 4] = [(8, 0), (-8, 0), (1, FILE_A), (-1, FILE_H)];
const DIAGONAL: [(i32, u64); 4] = [(9, FILE_A), (-7, FILE_A), (7, FILE_H), (-9, FILE_H)];

/// The squares that a man attacks.
#[inline]
pub(super) fn attacks(man: Man, from: Square, occupied: BitBoard) -> BitBoard {
    match man.piece {
        Piece::Pawn => get_pawn_attacks(from, man.color),
        Piece::Knight => get_knight_moves(from),
        Piece::Bishop => get_bishop_moves(from, occupied),
        Piece::Rook => get_rook_moves(from, occupied),
        Piece::Queen => get_bishop_moves(from, occupied) | get_rook_moves(from, occupied),
        Piece::King => get_king_moves(from),
    }
}

/// The squares from which a man attacks a square.
pub(super) fn attackers(man: Man, to: Square, occupied: BitBoard) -> BitBoard {
    let reversed = if man.piece == Piece::Pawn { !man.color } else { man.color };
    attacks(Man { color: reversed, ..man }, to, occupied)
}

/// The stride of a pawn.
fn forward(color: Color) -> i32 {
    if color == Color::White { 8 } else { -8 }
}

/// The squares beside a square on its rank.
fn beside(square: Square) -> BitBoard {
    get_king_moves(square) & square.rank().bitboard()
}

/// The quiet moves of an ending: no captures, no promotions.
pub(super) struct QuietMoves {
    layout: Layout,
    /// For each side and each placement of the kings: the placements after a step of its king,
    /// each with the symmetry that leads to it.
    steps: [Vec<Vec<(usize, Symmetry)>>; 2],
}

impl QuietMoves {
    pub(super) fn new(layout: Layout) -> Self {
        let steps = Color::ALL.map(|side| {
            let steps_of = |&kings: &[Square; 2]| {
                let after = |to| {
                    let mut after = kings;
                    after[side as usize] = to;
                    layout.kings.find(after)
                };
                get_king_moves(kings[side as usize]).into_iter().filter_map(after).collect()
            };
            layout.kings.pairs.iter().map(steps_of).collect()
        });
        QuietMoves { layout, steps }
    }

    /// The positions of a row from which `side` has a move into the set. The set, given by rows,
    /// holds legal positions only; what is returned may hold impossible ones. Left out are double
    /// steps of a pawn that could be answered by a capture en passant.
    #[inline]
    pub(super) fn moving_into(&self, row: &Row, side: Color, set: &[u64]) -> u64 {
        let ending = self.layout.ending;
        let mut origins = 0;
        // 1. The king. No set has positions in which it stands on another man.
        for &(pair, symmetry) in &self.steps[side as usize][row.pair] {
            let first = row.first.map(|square| symmetry.apply(square));
            origins |= symmetry.undo(set[self.layout.row_number(pair, first)]);
        }
        // 2. The first man; the second may stand in its way.
        if let Some((man, from)) = ending.first.zip(row.first)
            && man.color == side
        {
            if man.piece == Piece::Pawn {
                origins |= self.first_pawn(row, side, from, set);
            } else {
                let kings = row.kings[0].bitboard() | row.kings[1].bitboard();
                for to in attacks(man, from, kings) {
                    let to_row = self.layout.row_number(row.pair, Some(to));
                    origins |= set[to_row] & !get_between_rays(from, to).0;
                }
            }
        }
        // 3. The second man, from all squares at once.
        if ending.second.color == side {
            origins |= self.second(row, set[row.number]);
        }
        origins
    }

    fn first_pawn(&self, row: &Row, side: Color, from: Square, set: &[u64]) -> u64 {
        let step = |from| Square::index((from as i32 + forward(side)) as usize);
        let target = |to| set[self.layout.row_number(row.pair, Some(to))];
        let to = step(from);
        if is_promotion(to) {
            return 0;
        }
        let single = target(to);
        if from.rank() != Rank::Second.relative_to(side) || row.kings.contains(&to) {
            return single;
        }
        let double = step(to);
        let is_enemy_pawn = self.layout.ending.second == Man { color: !side, piece: Piece::Pawn };
        let captures = if is_enemy_pawn { beside(double).0 } else { 0 };
        single | target(double) & !to.bitboard().0 & !captures
    }

    /// Where the second man can come from to the squares of a set. Only pawns do not move back as
    /// they move forth.
    #[inline]
    fn second(&self, row: &Row, targets: u64) -> u64 {
        let Man { color, piece } = self.layout.ending.second;
        let first = row.first.map_or(0, |square| square.bitboard().0);
        let occupied = row.kings[0].bitboard().0 | row.kings[1].bitboard().0 | first;
        let spread = |directions: [(i32, u64); 4]| {
            directions
                .iter()
                .fold(0, |all, &(stride, rim)| all | slide(targets, occupied, stride, rim))
        };
        match piece {
            Piece::Pawn => {
                let back = -forward(color);
                let singles = shifted(targets, back);
                let mut doubles = targets;
                if let Some((man, square)) = self.layout.ending.first.zip(row.first)
                    && man == (Man { color: !color, piece: Piece::Pawn })
                {
                    doubles &= !beside(square).0;
                }
                let doubles = shifted(shifted(doubles, back) & !occupied, back);
                (singles | doubles & Rank::Second.relative_to(color).bitboard().0)
                    & !PROMOTION_RANKS
            }
            Piece::Knight => {
                let [one, two] = [
                    (targets & !FILE_A) >> 1 | (targets & !FILE_H) << 1,
                    (targets & !FILE_AB) >> 2 | (targets & !FILE_GH) << 2,
                ];
                one << 16 | one >> 16 | two << 8 | two >> 8
            }
            Piece::Bishop => spread(DIAGONAL),
            Piece::Rook => spread(STRAIGHT),
            Piece::Queen => spread(DIAGONAL) | spread(STRAIGHT),
            Piece::King => 0,
        }
    }
}

/// The first two and the last two files.
const FILE_AB: u64 = FILE_A | FILE_A << 1;
const FILE_GH: u64 = FILE_H | FILE_H >> 1;

/// All squares that a slide from the set reaches in one direction, in three doublings.
#[inline(always)]
fn slide(set: u64, occupied: u64, stride: i32, rim: u64) -> u64 {
    let mut free = !occupied & !rim;
    let mut reached = set;
    for doubling in 0..3 {
        reached |= free & shifted(reached, stride << doubling);
        free &= shifted(free, stride << doubling);
    }
    shifted(reached, stride) & !rim
}

fn is_promotion(to: Square) -> bool {
    BitBoard(PROMOTION_RANKS).has(to)
}

/// The positions after each capture and each promotion, legal or not.
pub(super) fn for_each_exit(placement: &Placement, mut visit: impl FnMut(Placement)) {
    let side = placement.to_move;
    let next = Placement { to_move: !side, ..*placement };
    let occupied = placement.occupied();
    let king = placement.kings[side as usize];
    for index in 0..2 {
        let Some((man, square)) = placement.men[index] else { continue };
        if man.color != side {
            // 1. The king or the other man takes it.
            let mut after = next;
            after.men[index] = None;
            if get_king_moves(king).has(square) {
                let mut after = after;
                after.kings[side as usize] = square;
                visit(after);
            }
            if let Some((hunter, from)) = placement.men[1 - index]
                && hunter.color == side
                && attacks(hunter, from, occupied).has(square)
            {
                arrive(after, 1 - index, hunter, square, &mut visit);
            }
        } else if man.piece == Piece::Pawn {
            // 2. It promotes.
            let to = Square::index((square as i32 + forward(side)) as usize);
            if is_promotion(to) && !occupied.has(to) {
                arrive(next, index, man, to, &mut visit);
            }
        }
    }
}

/// Puts a man on its target square, as whatever it can become there.
fn arrive(
    mut after: Placement,
    index: usize,
    man: Man,
    to: Square,
    visit: &mut impl FnMut(Placement),
) {
    if man.piece == Piece::Pawn && is_promotion(to) {
        for piece in PROMOTIONS {
            after.men[index] = Some((Man { piece, ..man }, to));
            visit(after);
        }
    } else {
        after.men[index] = Some((man, to));
        visit(after);
    }
}

/// A double step in a position and the capture en passant that may answer it: the position after
/// the step, and that after the capture.
pub(super) fn en_passant(placement: &Placement) -> Option<(Placement, Placement)> {
    let side = placement.to_move;
    let own = |man: &Option<(Man, Square)>| man.is_some_and(|(man, _)| man.color == side);
    let index = placement.men.iter().position(own)?;
    let ((pawn, from), (enemy, square)) = (placement.men[index]?, placement.men[1 - index]?);
    let [pass, to] = [1, 2].map(|steps| from as i32 + steps * forward(side));
    if [pawn.piece, enemy.piece] != [Piece::Pawn; 2]
        || enemy.color == side
        || from.rank() != Rank::Second.relative_to(side)
    {
        return None;
    }
    let [pass, to] = [pass, to].map(|square| Square::index(square as usize));
    let way = pass.bitboard() | to.bitboard();
    if !beside(to).has(square) || !way.is_disjoint(placement.occupied()) {
        return None;
    }
    let mut step = Placement { to_move: !side, ..*placement };
    step.men[index] = Some((pawn, to));
    let mut capture = *placement;
    capture.men[index] = None;
    capture.men[1 - index] = Some((enemy, pass));
    Some((step, capture))
}
