//! Moves in the order of their weights, the heaviest first, one at a time.
//!
//! A choice looks at a few of many moves. Sorting mispredicts a branch at every other move; here each
//! step takes the maximum of all that is left, by instructions that handle several moves at once.

/// The indices of some weights, the heaviest first; of equal ones the first.
#[derive(Clone, Debug)]
pub(super) struct Ranking {
    /// For each weight its upper bits, which are in the order of the weights, and below them how far its
    /// index is from the last possible one. Filled up with zeros to whole blocks.
    keys: Vec<i32>,
    /// The indices found so far: those of keys from the limit on.
    order: Vec<u16>,
    limit: i32,
}

/// Bits for the index; what is beyond the last of them is left out. No list of moves is so long.
const INDEX_BITS: u32 = 10;
const LAST: usize = (1 << INDEX_BITS) - 1;
/// The most that are found before they are asked for.
const MOST_AT_ONCE: usize = 16;
/// Keys that are handled together.
const BLOCK: usize = 16;

impl Ranking {
    pub(super) fn with_capacity(room: usize) -> Self {
        let keys = Vec::with_capacity(room.next_multiple_of(BLOCK));
        Ranking { keys, order: Vec::with_capacity(room), limit: 0 }
    }

    /// Starts again with these weights, none of them negative, and finds the first `count` at once: how
    /// many are asked for cannot be predicted.
    #[inline(always)]
    pub(super) fn set(&mut self, weights: &[f32], count: usize) {
        let weights = &weights[..weights.len().min(LAST)];
        self.keys.clear();
        self.keys.extend(weights.iter().enumerate().map(|(index, weight)| {
            (weight.to_bits() as i32 & !(LAST as i32)) | (LAST - index) as i32
        }));
        self.keys.resize(weights.len().next_multiple_of(BLOCK), 0);
        self.order.clear();
        self.limit = i32::MAX;
        for _ in 0..count.min(MOST_AT_ONCE) {
            self.next();
        }
    }

    /// The index in some place of the order; that before it was asked for already.
    #[inline(always)]
    pub(super) fn nth(&mut self, place: usize) -> Option<usize> {
        match self.order.get(place) {
            Some(&index) => Some(index.into()),
            None => self.next(),
        }
    }

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        let mut best = [0; BLOCK];
        for block in self.keys.chunks_exact(BLOCK) {
            for (best, &key) in best.iter_mut().zip(block) {
                let key = if key < self.limit { key } else { 0 };
                *best = key.max(*best);
            }
        }
        let best = best.into_iter().fold(0, i32::max);
        if best == 0 {
            return None;
        }
        let index = LAST - (best as usize & LAST);
        self.limit = best;
        self.order.push(index as u16);
        Some(index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spinney_game::Rng;

    #[test]
    fn the_heaviest_come_first_and_the_first_of_equals() {
        let mut rng = Rng::new(1);
        let mut ranking = Ranking::with_capacity(8);
        for length in 0..70 {
            let weights: Vec<f32> = (0..length).map(|_| rng.below(20) as f32 / 16.0).collect();
            let mut expected: Vec<usize> = (0..length).collect();
            expected.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]));
            ranking.set(&weights, length % 7);
            for _ in 0..2 {
                let found: Vec<usize> = (0..).map_while(|place| ranking.nth(place)).collect();
                assert_eq!(found, expected);
            }
        }
    }
}
