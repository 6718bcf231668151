//! Breakthrough and Knightthrough.
//!
//! **Race patterns** in Breakthrough (Saffidine, Jouandeau and Cazenave 2011, "Solving Breakthrough with
//! race patterns and job-level proof number search"). A man that goes straight up is met by a man of the
//! opponent that stands `gap` ranks ahead and `aside` files to the side only if `aside` is at most `gap / 2`,
//! or `(gap + 1) / 2` if the opponent moves first: both approach by one rank per move of either, the opponent
//! changes files once per move of its own, and has no more of these than the runner. If nobody stands there,
//! the man cannot be stopped, and wins if it arrives first. A man of its own side ahead of it does so earlier.
//!
//! **Misère**: a side all of whose moves end the game has lost.
//!
//! Either side sees the board in the same way: a position with the sides and the ranks turned has the same
//! value for the side to move, and the same key.

use spinney_game::{Game, Side};
use spinney_search::GameValue;
use spinney_search::knowledge::{DECISIVE, Facts};

use super::Known;
use crate::board::{self, Move, Size, squares};
use crate::race::{Gait, Race};

/// The men of the side to move, which go up, and those of the opponent, which go down.
#[derive(Clone, Copy)]
struct View {
    own: u64,
    other: u64,
    size: Size,
}

impl View {
    #[inline(always)]
    fn of<G: Gait>(position: &Race<G>) -> View {
        let size = position.size();
        let [white, black] = [Side::First, Side::Second].map(|side| position.men(side));
        match position.to_move() {
            Side::First => View { own: white, other: black, size },
            Side::Second => View { own: white, other: black, size }.turned(),
        }
    }

    /// As the opponent sees it.
    #[inline(always)]
    fn turned(self) -> View {
        let flip = |men| self.size.transform_set(men, 2);
        View { own: flip(self.other), other: flip(self.own), ..self }
    }

    #[inline(always)]
    fn mirrored(self) -> View {
        let mirror = |men| self.size.transform_set(men, 1);
        View { own: mirror(self.own), other: mirror(self.other), ..self }
    }

    /// The ranks that the foremost man has to go.
    #[inline(always)]
    fn distance(self) -> u32 {
        let rank = (63 - (self.own | 1).leading_zeros()) / 8;
        u32::from(self.size.height()) - 1 - rank
    }
}

/// Squares ahead of a square from which a man of the opponent may meet one that goes straight up, if
/// its own side moves next, and if the opponent does.
static CONES: [[u64; 64]; 2] = cones();

const fn cones() -> [[u64; 64]; 2] {
    let mut cones = [[0; 64]; 2];
    let mut square = 0;
    while square < 64 {
        let (file, rank) = (square % 8, square / 8);
        let mut other = 8 * (rank + 1);
        while other < 64 {
            let gap = other / 8 - rank;
            let aside = (other % 8_usize).abs_diff(file);
            if aside <= gap / 2 {
                cones[0][square] |= 1 << other;
            }
            if aside <= gap.div_ceil(2) {
                cones[1][square] |= 1 << other;
            }
            other += 1;
        }
        square += 1;
    }
    cones
}

/// Whether a man that goes straight up, at most `distance` ranks from the goal, meets nobody.
#[inline(always)]
fn has_runner(view: View, distance: u32, cones: &[u64; 64]) -> bool {
    let height = u32::from(view.size.height());
    let ahead = u64::MAX << (8 * (height - 1).saturating_sub(distance));
    squares(view.own & ahead).any(|man| cones[man.index()] & view.other == 0)
}

/// The value by race patterns.
#[inline(always)]
fn race(view: View) -> Option<GameValue> {
    let turned = view.turned();
    let (distance, other_distance) = (view.distance(), turned.distance());
    // 1. One step, always possible.
    if distance == 1 {
        return Some(GameValue::Win);
    }
    // 2. The opponent's one step must be stopped by a capture.
    if other_distance == 1 {
        let threats = view.other & (0xff << 8);
        let first = view.own & 0xff;
        let attacked = (first << 9) | (first & !1) << 7;
        let lost = threats & (threats - 1) != 0 || threats & attacked == 0;
        return lost.then_some(GameValue::Loss);
    }
    // 3. A man that nobody can meet arrives first.
    if distance <= other_distance {
        has_runner(view, other_distance, &CONES[0]).then_some(GameValue::Win)
    } else {
        has_runner(turned, distance - 1, &CONES[1]).then_some(GameValue::Loss)
    }
}

/// Moves of a side, if it is its turn, that lose nothing by misère rules: they neither reach the goal nor
/// take the last man.
#[inline(always)]
fn safe_moves<G: Gait>(position: &Race<G>, side: Side) -> i32 {
    let other = position.men(!side);
    let last_man = if other & other.wrapping_sub(1) == 0 { other } else { 0 };
    let losing = position.goal(side) | last_man;
    position.targets(side).iter().map(|targets| (targets & !losing).count_ones() as i32).sum()
}

impl<G: Gait> Facts<Race<G>> for Known {
    #[inline(always)]
    fn value(&self, position: &Race<G>) -> Option<GameValue> {
        if position.misere {
            // On narrow boards a side without a move has won.
            if position.size().width() < G::FREE_WIDTH {
                return None;
            }
            let is_lost = safe_moves(position, position.to_move()) == 0;
            is_lost.then_some(GameValue::Loss)
        } else if G::WALKS {
            race(View::of(position))
        } else {
            None
        }
    }

    const PROMISES: bool = true;

    #[inline(always)]
    fn promise(&self, position: &Race<G>, m: Move, next: &Race<G>) -> i32 {
        if position.misere {
            let side = position.to_move();
            DECISIVE * (safe_moves(next, side) - 2 * next.count_moves() as i32)
        } else {
            let captures = position.men(!position.to_move()) & m.to.bit() != 0;
            let ranks = match position.to_move() {
                Side::First => m.to.rank(),
                Side::Second => position.size().height() - 1 - m.to.rank(),
            };
            DECISIVE * (i32::from(ranks) + 8 * i32::from(captures) - next.count_moves() as i32)
        }
    }

    /// The same for both sides, each as it sees the board.
    #[inline(always)]
    fn key(&self, position: &Race<G>) -> u128 {
        let view = View::of(position);
        let key = |view: View| board::key([view.own, view.other], Side::First);
        let (one, other) = (key(view), key(view.mirrored()));
        u128::from(one.min(other)) << 64 | u128::from(one.wrapping_add(other))
    }
}
