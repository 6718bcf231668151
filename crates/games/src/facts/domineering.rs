//! Domineering.
//!
//! **Moves in hand.** The dominoes of a side that fit bound its moves from above. From below (after Bullock
//! 2002, "Domineering: solving large combinatorial search spaces"): all places that the other side cannot
//! touch, and half of those of which each domino of the other side spoils one at most. A side that is sure
//! of more moves than the other can make moves last.
//!
//! **Regions.** Free squares that are not connected are independent games. A position is looked up by the
//! set of its regions, wherever they lie and however they are mirrored. Where the last to move wins, the
//! sum of games tells more (Conway 1976, "On numbers and games"): a region where one side alone can move
//! is a number of moves, and a region cancels another that is its quarter turn.

use spinney_game::{Game, Side};
use spinney_search::GameValue;
use spinney_search::knowledge::Facts;

use super::Known;
use crate::board::{self, FILE_A, FILE_H, Size, orthogonal_neighbours};
use crate::domineering::{Domineering, Domino};

/// The squares before and after those of a set, in the direction of a side's dominoes.
#[inline(always)]
fn beside(set: u64, side: Side) -> u64 {
    match side {
        Side::First => set << 8 | set >> 8,
        Side::Second => (set & !FILE_H) << 1 | (set & !FILE_A) >> 1,
    }
}

/// The squares that dominoes of a side cover when as many as fit are placed in a set.
#[inline(always)]
fn pack(set: u64, side: Side) -> u64 {
    let (shift, line) = match side {
        Side::First => (8, 0xff),
        Side::Second => (1, FILE_A),
    };
    let mut covered = 0;
    for number in 0..7 {
        let low = set & (set >> shift) & (line << (shift * number)) & !covered;
        covered |= low | low << shift;
    }
    covered
}

/// The most dominoes of a side that fit.
#[inline(always)]
fn most(free: u64, side: Side) -> u32 {
    pack(free, side).count_ones() / 2
}

/// Dominoes that a side can place whatever the other does.
#[inline(always)]
fn sure(free: u64, side: Side, moves_first: bool) -> u32 {
    // 1. Places that the other side cannot touch.
    let safe = pack(free & !beside(free, !side), side);
    // 2. Other places in every second line: a domino of the other side spoils one of them at most.
    let rest = pack(free & !safe, side);
    let lines = match side {
        Side::First => 0x5555_5555_5555_5555,
        Side::Second => 0x00ff_00ff_00ff_00ff,
    };
    let contested = (rest & lines).count_ones().max((rest & !lines).count_ones()) / 2;
    safe.count_ones() / 2 + if moves_first { contested.div_ceil(2) } else { contested / 2 }
}

/// The squares connected to the lowest of a set.
#[inline(always)]
fn region(set: u64) -> u64 {
    let mut region = set & set.wrapping_neg();
    loop {
        let larger = region | orthogonal_neighbours(region) & set;
        if larger == region {
            return region;
        }
        region = larger;
    }
}

/// A set moved to the lowest rank and the first file.
#[inline(always)]
fn to_corner(set: u64) -> u64 {
    let low = set >> (set.trailing_zeros() & !7);
    let files = (0..3).fold(low, |files, step| files | files >> (32 >> step));
    low >> (files & 0xff).trailing_zeros()
}

/// A number for a region and its mirror images, wherever they lie; or for its quarter turns.
#[inline(always)]
fn shape(region: u64, turns: usize) -> u128 {
    let image = |index: usize| Size::EIGHT.transform_set(region, index | turns << 2);
    let least = (0..4).map(|index| to_corner(image(index))).min().unwrap_or(0);
    let [first, second] = [0, u64::MAX].map(|other| board::key([least, other], Side::First));
    u128::from(first) << 64 | u128::from(second)
}

/// A number that tells which regions there are.
#[inline(always)]
fn regions(free: u64, misere: bool) -> u128 {
    // Squares that fit no domino play no part.
    let mut left = free & orthogonal_neighbours(free);
    let (mut sum, mut odd, mut number) = (0_u128, 0_u128, 0_i64);
    while left != 0 {
        let region = region(left);
        left &= !region;
        let [vertical, horizontal] =
            [Side::First, Side::Second].map(|side| region & beside(region, side) != 0);
        if misere {
            sum = sum.wrapping_add(shape(region, 0));
        } else if !horizontal {
            number += i64::from(most(region, Side::First));
        } else if !vertical {
            number -= i64::from(most(region, Side::Second));
        } else {
            // A shape less its quarter turn: opposites cancel. Two of a shape that is its own opposite
            // cancel too.
            let [upright, turned] = [0, 1].map(|turns| shape(region, turns));
            if upright == turned {
                odd ^= upright;
            } else {
                sum = sum.wrapping_add(upright).wrapping_sub(turned);
            }
        }
    }
    sum.wrapping_add(odd).wrapping_add((number as u128).wrapping_mul(NUMBER))
}

/// Tells a number of moves: an odd number without structure, here 2^128 by the golden ratio.
const NUMBER: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;

impl Facts<Domineering> for Known {
    #[inline(always)]
    fn value(&self, position: &Domineering) -> Option<GameValue> {
        if position.misere {
            return None;
        }
        let (free, side) = (position.free(), position.to_move());
        if sure(free, side, true) > most(free, !side) {
            Some(GameValue::Win)
        } else if sure(free, !side, false) >= most(free, side) {
            Some(GameValue::Loss)
        } else {
            None
        }
    }

    const PROMISES: bool = true;

    #[inline(always)]
    fn promise(&self, position: &Domineering, _: Domino, next: &Domineering) -> i32 {
        let side = position.to_move();
        let free = next.free();
        let hope = |side, moves_first| {
            (next.places(side).count_ones() + 2 * sure(free, side, moves_first)) as i32
        };
        40 * (hope(side, false) - hope(!side, true))
    }

    #[inline(always)]
    fn key(&self, position: &Domineering) -> u128 {
        let sum = regions(position.free(), position.misere);
        let first = board::key([(sum >> 64) as u64, sum as u64], position.to_move());
        u128::from(first) << 64 | u128::from(sum as u64)
    }
}
