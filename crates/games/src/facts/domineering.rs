//! Domineering.
//!
//! **Moves in hand** (after Bullock 2002, "Domineering: solving large combinatorial search spaces"). A side
//! reserves places for its dominoes: those that the other side cannot touch, and places in every second file
//! (or rank), of which a domino of the other side spoils one at most. Such a place gains a move, costs the
//! other side one for each of its runs that are cut, and may leave a further place that the other side
//! cannot touch any more. The sides take or spoil the places in turn, the dearest first. What the side
//! gains is compared with the most dominoes that the other side can place in its runs: a side that is sure of
//! more moves moves last. See [`lead_in`].
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

/// Dominoes of a side for which the other side can never use a square.
#[inline(always)]
fn safe(free: u64, side: Side) -> u64 {
    pack(free & !beside(free, !side), side)
}

/// The moves that a side is sure of, less the most that the other side can make then.
#[inline(always)]
fn lead(free: u64, side: Side, moves_first: bool) -> i32 {
    // The board is turned so that the side plays vertically.
    let free = match side {
        Side::First => free,
        Side::Second => Size::EIGHT.transform_set(free, 4),
    };
    [EVEN_FILES, !EVEN_FILES]
        .map(|files| lead_in(free, files, moves_first))
        .into_iter()
        .max()
        .unwrap_or(0)
}

const EVEN_FILES: u64 = 0x5555_5555_5555_5555;

/// The lead of Vertical if it reserves places in some files, no two of them neighbours.
///
/// Horizontal places at most half of the length of a run of free squares in a rank, rounded down. Each
/// square that Vertical takes makes that one less, since all of them are an even number of files apart: the
/// parts between two of them are odd, and waste a square. The one exception is a run of odd length cut into
/// even parts: its first cut costs nothing.
#[inline(always)]
fn lead_in(free: u64, files: u64, moves_first: bool) -> i32 {
    let (left, right) = ((free & !FILE_H) << 1, (free & !FILE_A) >> 1);
    let safe = safe(free, Side::First);
    let reserved = pack(free & files & !safe, Side::First);
    let mut lead = safe.count_ones() as i32 / 2
        - most(free, Side::Second) as i32
        - wasted_cuts(free, reserved) as i32;
    // 1. What a place gains beyond its move: a cut in each of two ranks, and a safe place on either side,
    //    where there is room for one file only.
    let contested = left | right;
    let alone_left = left & !((left & !FILE_H) << 1);
    let alone_right = right & !((right & !FILE_A) >> 1);
    let [a, b] = [contested, contested >> 8];
    let [c, d] = [alone_left, alone_right].map(|set| set & set >> 8);
    // 2. The places by the number of these gains.
    let (both, either) = ([a & b, c & d], [a ^ b, c ^ d]);
    let four = both[0] & both[1];
    let three = both[0] & either[1] | both[1] & either[0];
    let two = (both[0] ^ both[1]) & !(either[0] | either[1]) | either[0] & either[1];
    let one = (either[0] ^ either[1]) & !(both[0] | both[1]);
    // 3. They are taken and spoiled in turn.
    let low = lower_squares(reserved);
    let mut is_own_turn = moves_first;
    for (places, gain) in [(four, 5), (three, 4), (two, 3), (one, 2)] {
        let count = (places & low).count_ones() as i32;
        lead += gain * ((count + i32::from(is_own_turn)) / 2);
        is_own_turn ^= count % 2 == 1;
    }
    lead
}

/// The lower squares of vertical dominoes.
#[inline(always)]
fn lower_squares(dominoes: u64) -> u64 {
    (0..7).fold(0, |low, rank| low | dominoes & !(low << 8) & (0xff << (8 * rank)))
}

/// The runs of odd length, three or more, that squares of a set cut into even parts.
#[inline(always)]
fn wasted_cuts(free: u64, cuts: u64) -> u32 {
    let right = |set: u64| (set & !FILE_H) << 1 & free;
    // Squares in steps of two from those of a set, to the end of the run.
    let every_second = |set: u64| (0..3).fold(set, |set, _| set | right(right(set)));
    let starts = free & !right(free);
    let ends = free & !((free & !FILE_A) >> 1) & !starts;
    let even = every_second(starts);
    (every_second(cuts & even) & ends).count_ones()
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
        if lead(free, side, true) > 0 {
            Some(GameValue::Win)
        } else if lead(free, !side, false) >= 0 {
            Some(GameValue::Loss)
        } else {
            None
        }
    }

    const PROMISES: bool = true;

    #[inline(always)]
    fn promise(&self, position: &Domineering, _: Domino, next: &Domineering) -> i32 {
        let side = position.to_move();
        let hope = |side| {
            let safe = safe(next.free(), side).count_ones() / 2;
            (next.places(side).count_ones() + safe) as i32
        };
        80 * (hope(side) - hope(!side))
    }

    #[inline(always)]
    fn key(&self, position: &Domineering) -> u128 {
        let sum = regions(position.free(), position.misere);
        let first = board::key([(sum >> 64) as u64, sum as u64], position.to_move());
        u128::from(first) << 64 | u128::from(sum as u64)
    }
}
