//! NoGo and AtariGo.
//!
//! **NoGo.** Legal points bound the moves of a side from above, and its eyes bound them from below
//! (`Stones::move_bounds`). Of some points that are legal for both, a side can take every second one: each
//! gains a move and costs the other side one (`Stones::takes_in_turn`). A side that is sure of more moves
//! than the other can make moves last.
//!
//! **AtariGo.** A chain of the opponent with one liberty is captured, which wins. Two chains of one's
//! own with one liberty each, at different points, cannot both be saved.

use spinney_search::GameValue;
use spinney_search::knowledge::{DECISIVE, Facts};

use super::Known;
use crate::atarigo::AtariGo;
use crate::board::{Size, Square, squares};
use crate::nogo::NoGo;
use crate::placement::{Placement, Rule};
use spinney_game::{Game, Side};

/// The Zobrist keys of all images of a position. A stone more changes each by one number.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Images([u64; 8]);

/// Places as seen from the centre of a board: twice the distance by files and by ranks, from -7 to 7. There
/// a mirror only changes signs, so one table serves boards of all sizes.
const SPAN: usize = 15;

/// What a stone of a side at a place changes.
static STONES: [[Images; SPAN * SPAN]; 2] = stones();
/// Tells the side to move.
const SECOND_MOVES: u64 = 0x9e6c_63d0_876a_68de;

const fn stones() -> [[Images; SPAN * SPAN]; 2] {
    let mut stones = [[Images([0; 8]); SPAN * SPAN]; 2];
    let mut number = 0;
    while number < 2 * SPAN * SPAN * 8 {
        let (side, place, index) =
            (number / 8 / (SPAN * SPAN), number / 8 % (SPAN * SPAN), number % 8);
        let (file, rank) = (place % SPAN, place / SPAN);
        // As in `Size::transform_square`.
        let file = if index & 1 != 0 { SPAN - 1 - file } else { file };
        let rank = if index & 2 != 0 { SPAN - 1 - rank } else { rank };
        let image = if index & 4 != 0 { SPAN * file + rank } else { SPAN * rank + file };
        stones[side][place].0[index] = random((SPAN * SPAN * side + image) as u64);
        number += 1;
    }
    stones
}

/// SplitMix64 (Steele, Lea and Flood 2014, "Fast splittable pseudorandom number generators").
const fn random(index: u64) -> u64 {
    let mut z = (index + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Images {
    #[inline(always)]
    fn of<R: Rule>(position: &Placement<R>) -> Images {
        let size = position.size();
        let mut images = Images([0; 8]);
        for (side, men) in [Side::First, Side::Second].into_iter().zip(position.stones.men()) {
            squares(men).for_each(|stone| images.add(size, side, stone));
        }
        if position.to_move() == Side::Second {
            images.turn();
        }
        images
    }

    #[inline(always)]
    fn add(&mut self, size: Size, side: Side, stone: Square) {
        let [file, rank] = [(size.width(), stone.file()), (size.height(), stone.rank())]
            .map(|(length, at)| usize::from(8 - length + 2 * at));
        let changes = &STONES[side.index()][SPAN * rank + file];
        for (key, change) in self.0.iter_mut().zip(changes.0) {
            *key ^= change;
        }
    }

    #[inline(always)]
    fn turn(&mut self) {
        self.0.iter_mut().for_each(|key| *key ^= SECOND_MOVES);
    }

    /// The least, and the sum.
    #[inline(always)]
    fn key(&self, size: Size) -> u128 {
        let (mut least, mut sum) = (u64::MAX, 0_u64);
        for &key in &self.0[..size.symmetries()] {
            least = least.min(key);
            sum = sum.wrapping_add(key);
        }
        u128::from(least) << 64 | u128::from(sum)
    }
}

#[inline(always)]
fn keys_after<R: Rule>(position: &Placement<R>, moves: &[Square], mut add: impl FnMut(u128)) {
    let mut images = Images::of(position);
    images.turn();
    let (size, side) = (position.size(), position.to_move());
    for &m in moves {
        let mut images = images;
        images.add(size, side, m);
        add(images.key(size));
    }
}

impl Facts<NoGo> for Known {
    #[inline(always)]
    fn value(&self, position: &NoGo) -> Option<GameValue> {
        let stones = &position.stones;
        let opponent_legal = stones.opponent_breathing() & !stones.threats();
        let [own, opponent] = stones.move_bounds(position.legal, opponent_legal);
        // Points taken in turn make up for missing moves: the side that takes the first of them takes one more
        // of an odd number. Nobody needs to take any by misère rules.
        let legal = [position.legal, opponent_legal];
        // The side to move moves first: it needs one move more than the opponent to move last.
        let lack = (opponent.1 + 1).saturating_sub(own.0);
        if lack == 0
            || !stones.misere && stones.takes_in_turn(lack.next_multiple_of(2) - 1, legal, false)
        {
            return Some(if stones.misere { GameValue::Loss } else { GameValue::Win });
        }
        let lack = own.1.saturating_sub(opponent.0);
        if lack == 0
            || !stones.misere && stones.takes_in_turn(lack.next_multiple_of(2), legal, true)
        {
            return Some(if stones.misere { GameValue::Win } else { GameValue::Loss });
        }
        None
    }

    const PROMISES: bool = true;

    #[inline(always)]
    fn promise(&self, _: &NoGo, _: Square, next: &NoGo) -> i32 {
        let replies = next.legal.count_ones() as i32;
        if next.stones.misere { 40 * replies } else { -DECISIVE * replies }
    }

    #[inline(always)]
    fn key(&self, position: &NoGo) -> u128 {
        Images::of(position).key(position.size())
    }

    #[inline(always)]
    fn keys_after(&self, position: &NoGo, moves: &[Square], add: impl FnMut(u128)) {
        keys_after(position, moves, add);
    }
}

impl Facts<AtariGo> for Known {
    #[inline(always)]
    fn value(&self, position: &AtariGo) -> Option<GameValue> {
        let stones = &position.stones;
        if stones.misere {
            return None;
        }
        let threats = stones.threats();
        if stones.captures() != 0 {
            Some(GameValue::Win)
        } else if threats & threats.wrapping_sub(1) != 0 {
            Some(GameValue::Loss)
        } else {
            None
        }
    }

    #[inline(always)]
    fn key(&self, position: &AtariGo) -> u128 {
        Images::of(position).key(position.size())
    }

    #[inline(always)]
    fn keys_after(&self, position: &AtariGo, moves: &[Square], add: impl FnMut(u128)) {
        keys_after(position, moves, add);
    }
}
