//! NoGo and AtariGo.
//!
//! **NoGo.** Legal points bound the moves of a side from above, and its eyes bound them from below
//! (`Stones::move_bounds`). Of some points that are legal for both, a side can take every second one: each
//! gains a move and costs the other side one (`Stones::taken_in_turn`). A side that is sure of more moves
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

/// A random number for a stone of a side on each square.
static STONES: [[u64; 64]; 2] = stones();
/// Tells the side to move.
const SECOND_MOVES: u64 = 0x9e6c_63d0_876a_68de;

/// SplitMix64 (Steele, Lea and Flood 2014, "Fast splittable pseudorandom number generators").
const fn stones() -> [[u64; 64]; 2] {
    let mut stones = [[0; 64]; 2];
    let mut index = 0;
    while index < 128 {
        let mut z = (index as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        stones[index / 64][index % 64] = z ^ (z >> 31);
        index += 1;
    }
    stones
}

/// The Zobrist keys of all images of a position. A stone more changes each by one number.
#[derive(Clone, Copy)]
struct Images {
    keys: [u64; 8],
    size: Size,
}

impl Images {
    #[inline(always)]
    fn of<R: Rule>(position: &Placement<R>) -> Images {
        let to_move = position.to_move();
        let mut images = Images { keys: [0; 8], size: position.size() };
        for (side, men) in [Side::First, Side::Second].into_iter().zip(position.stones.men()) {
            squares(men).for_each(|stone| images.add(side, stone));
        }
        if to_move == Side::Second {
            images.turn();
        }
        images
    }

    #[inline(always)]
    fn add(&mut self, side: Side, stone: Square) {
        let stones = &STONES[side.index()];
        for (index, key) in self.keys.iter_mut().enumerate().take(self.size.symmetries()) {
            *key ^= stones[self.size.transform_square(stone, index).index()];
        }
    }

    #[inline(always)]
    fn turn(&mut self) {
        self.keys.iter_mut().for_each(|key| *key ^= SECOND_MOVES);
    }

    /// The least, and the sum.
    #[inline(always)]
    fn key(&self) -> u128 {
        let (mut least, mut sum) = (u64::MAX, 0_u64);
        for &key in &self.keys[..self.size.symmetries()] {
            least = least.min(key);
            sum = sum.wrapping_add(key);
        }
        u128::from(least) << 64 | u128::from(sum)
    }
}

#[inline(always)]
fn keys_after<R: Rule>(position: &Placement<R>, moves: &[Square], keys: &mut Vec<u128>) {
    let mut images = Images::of(position);
    images.turn();
    let side = position.to_move();
    for &m in moves {
        let mut images = images;
        images.add(side, m);
        keys.push(images.key());
    }
}

impl Facts<NoGo> for Known {
    #[inline(always)]
    fn value(&self, position: &NoGo) -> Option<GameValue> {
        let stones = &position.stones;
        let opponent_legal = stones.opponent_breathing() & !stones.threats();
        let [own, opponent] = stones.move_bounds(position.legal, opponent_legal);
        let misere = stones.misere;
        let common = (position.legal & opponent_legal).count_ones();
        // Points taken in turn, if there may be enough of them; nobody needs to take any by misère rules.
        let taken = |lack: u32, turned: bool| {
            if misere || lack == 0 || lack > common + u32::from(!turned) {
                0
            } else {
                stones.taken_in_turn(position.legal, opponent_legal, turned)
            }
        };
        // The side to move moves first: it needs one move more than the opponent to move last.
        let lack = (opponent.1 + 1).saturating_sub(own.0);
        let last = lack <= taken(lack, false).div_ceil(2) * 2;
        let lack = own.1.saturating_sub(opponent.0);
        let first = lack <= taken(lack, true) / 2 * 2;
        match (last, first) {
            (true, _) if misere => Some(GameValue::Loss),
            (true, _) => Some(GameValue::Win),
            (_, true) if misere => Some(GameValue::Win),
            (_, true) => Some(GameValue::Loss),
            _ => None,
        }
    }

    const PROMISES: bool = true;

    #[inline(always)]
    fn promise(&self, _: &NoGo, _: Square, next: &NoGo) -> i32 {
        let replies = next.legal.count_ones() as i32;
        if next.stones.misere { 40 * replies } else { -DECISIVE * replies }
    }

    #[inline(always)]
    fn key(&self, position: &NoGo) -> u128 {
        Images::of(position).key()
    }

    #[inline(always)]
    fn keys_after(&self, position: &NoGo, moves: &[Square], keys: &mut Vec<u128>) {
        keys_after(position, moves, keys);
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
        Images::of(position).key()
    }

    #[inline(always)]
    fn keys_after(&self, position: &AtariGo, moves: &[Square], keys: &mut Vec<u128>) {
        keys_after(position, moves, keys);
    }
}
