//! Connection: whether a side's men form one group, and the moves that make them one.

use spinney_game::{Game, Outcome};

use super::geometry::{AXES, DIRECTIONS, OFFSETS};
use super::{Loa, Move};
use crate::board::{FILE_A, FILE_H, Square, squares};

/// Whether the men form one group; a single man does.
#[inline(always)]
pub(super) fn connected(men: u64) -> bool {
    // Nearly always some man stands alone, and then no flood fill is needed.
    let alone = men & !neighbours(men);
    if alone != 0 {
        return men == alone && men.is_power_of_two();
    }
    flood_fills(men)
}

/// Whether a flood fill from one man reaches all.
#[cold]
#[inline(never)]
fn flood_fills(men: u64) -> bool {
    group(men) == men
}

/// The group of the first man.
#[inline(always)]
fn group(men: u64) -> u64 {
    let mut group = men & men.wrapping_neg();
    loop {
        let grown = (group | neighbours(group)) & men;
        if grown == group {
            return group;
        }
        group = grown;
    }
}

/// The squares next to a set, diagonally too; those of the set that have a neighbour in it included.
#[inline(always)]
pub(super) const fn neighbours(set: u64) -> u64 {
    let beside = ((set & !FILE_H) << 1) | ((set & !FILE_A) >> 1);
    let row = set | beside;
    beside | (row << 8) | (row >> 8)
}

/// The squares from which one more man may make one group of all: next to every group, but for one
/// man that stands alone, who may be the one that comes. No other square connects the men by a move.
#[inline(always)]
pub fn joints(men: u64) -> u64 {
    // Next to all groups so far; and next to all but one man alone.
    let (mut all, mut but_one) = (!men, 0);
    let near = neighbours(men);
    let mut alone = men & !near;
    while alone != 0 {
        let around = neighbours(alone & alone.wrapping_neg());
        alone &= alone - 1;
        but_one = (but_one & around) | all;
        all &= around;
        if but_one == 0 {
            return 0;
        }
    }
    let mut rest = men & near;
    while rest != 0 {
        let group = group(rest);
        rest &= !group;
        let around = neighbours(group);
        (all, but_one) = (all & around, but_one & around);
        if all | but_one == 0 {
            return 0;
        }
    }
    all | but_one
}

impl<const N: usize> Loa<N> {
    /// A move that connects the men of the side to move and wins, by way of the `joints` of these men.
    #[inline(always)]
    pub fn connecting_move(&self, joints: u64) -> Option<Move> {
        if joints == 0 { None } else { self.search_connecting_move(joints & Self::SIZE.squares()) }
    }

    #[inline(never)]
    fn search_connecting_move(&self, joints: u64) -> Option<Move> {
        squares(joints).find_map(|to| self.moves_to(to).find(|&m| self.wins(m)))
    }

    /// The lines of the moves to empty squares by which the side to move connects its men and wins, by way
    /// of the `joints` of these men.
    #[inline(always)]
    pub(super) fn winning_lines(&self, joints: u64) -> impl Iterator<Item = u64> {
        let empty = Self::SIZE.squares() & !(self.own | self.enemy);
        let moves = squares(joints & empty).flat_map(|to| self.moves_to(to));
        moves.filter(|&m| self.wins(m)).map(Self::line_of)
    }

    /// The squares of the line that a move is on.
    #[inline(always)]
    fn line_of(m: Move) -> u64 {
        let direction = usize::from(DIRECTIONS[m.from.index()][m.to.index()]);
        Self::GEOMETRY.views[m.from.index()][direction & 7].line
    }

    fn wins(&self, m: Move) -> bool {
        let mut child = self.clone();
        child.play(m);
        child.outcome() == Some(Outcome::Win(self.to_move))
    }

    /// The moves to a square that no own man stands on.
    #[inline(always)]
    pub fn moves_to(&self, to: Square) -> impl Iterator<Item = Move> {
        (0..2 * AXES).filter_map(move |direction| {
            // Back along the line as far as a move on it goes.
            let view = Self::GEOMETRY.views[to.index()][direction];
            let distance = ((self.own | self.enemy) & view.line).count_ones() as i32;
            let from = Square((i32::from(to.0) + OFFSETS[direction] * distance) as u8 & 63);
            let span = from.bit().max(to.bit()) - from.bit().min(to.bit());
            let blocked = view.ray & span & self.enemy & !to.bit() != 0;
            (view.ray & self.own & from.bit() != 0 && !blocked).then_some(Move { from, to })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spinney_game::{Notation, Rng};

    /// A winning move is found if and only if there is one; moves to a square are those of the list.
    fn check<const N: usize>(position: &Loa<N>) {
        let text = position.position_text();
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let wins = |m: &Move| !m.is_pass() && position.wins(*m);
        let found = position.connecting_move(joints(position.own));
        assert_eq!(found.is_some(), moves.iter().any(wins), "{text}");
        assert!(found.is_none_or(|m| moves.contains(&m) && wins(&m)), "{text}");
        for to in squares(!position.own & Loa::<N>::SIZE.squares()) {
            let expected = moves.iter().filter(|m| m.to == to && !m.is_pass());
            assert_eq!(position.moves_to(to).count(), expected.clone().count(), "{text} {to}");
            assert!(expected.clone().all(|m| position.moves_to(to).any(|other| other == *m)));
        }
    }

    #[test]
    fn connecting_moves_are_found() {
        let mut rng = Rng::new(1);
        let mut found = 0;
        for _ in 0..300 {
            let mut position = Loa::<8>::default();
            let mut small = Loa::<6>::default();
            while position.outcome().is_none() {
                check(&position);
                found += u32::from(position.connecting_move(joints(position.own)).is_some());
                position.play(position.random_move(&mut rng));
            }
            while small.outcome().is_none() {
                check(&small);
                small.play(small.random_move(&mut rng));
            }
        }
        assert!(found > 300, "{found}");
    }
}
