//! The nine features of MIA's evaluation (paper `mia`, section 4), and their weighted sum.
//!
//! Six features depend on the men of one side only: concentration, centralisation, the position of
//! the centre of mass, quads, connectedness and uniformity. Mobility comes from [`Lines`]; walls and
//! the player to move are the rest. Quads and walls have two weights each, for three and four men,
//! and for two and three blocked directions.
//!
//! Values are for the side to move. The weights are learned by `spinney learn evaluation` and scaled
//! so that 700 is decisive.
//!
//! *Deviations*: concentration is 1 / (1 + the average surplus of distances), because the surplus can
//! be 0. The position of the centre of mass is worth the centralisation of its square. Uniformity is
//! the share of the board outside the smallest rectangle.

use spinney_game::Game;

use super::Sums;
use super::lines::{Lines, REGULAR};
use crate::board::{FILE_A, FILE_H, Square};
use crate::loa::Loa;

/// The number of weights.
pub const COUNT: usize = 11;

/// The names of the features, in order.
pub const NAMES: [&str; COUNT] = [
    "concentration",
    "centralisation",
    "centre-of-mass",
    "quads-of-three",
    "quads-of-four",
    "connectedness",
    "uniformity",
    "mobility",
    "walls-of-two",
    "walls-of-three",
    "player-to-move",
];

/// Features that depend on one side only come first.
const ONE_SIDED: usize = 7;

/// What each feature is worth, in points; 700 are decisive.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights(pub [f32; COUNT]);

impl Default for Weights {
    /// The learned weights.
    fn default() -> Self {
        Weights(LEARNED)
    }
}

/// Learned from 849 real games; the record is records/loa/evaluation.json.
const LEARNED: [f32; COUNT] = [1587.3, -5.3, 0.7, 6.0, -90.2, 172.7, 344.6, 25.0, 48.3, 60.8, 69.7];

/// The value of a square (`mia`, 4.2): corner, beside a corner, edge, rims of 6x6, 4x4, 2x2.
const SQUARE_VALUES: [i8; 64] = {
    let mut values = [0; 64];
    let mut index = 0;
    while index < 64 {
        let square = Square(index as u8);
        let (file, rank) = (square.file(), square.rank());
        let file = if file < 4 { file } else { 7 - file };
        let rank = if rank < 4 { rank } else { 7 - rank };
        let (low, high) = if file < rank { (file, rank) } else { (rank, file) };
        values[index] = match (low, high) {
            (0, 0) => -80,
            (0, 1) => -25,
            (0, _) => -20,
            (1, _) => 10,
            (2, _) => 25,
            _ => 50,
        };
        index += 1;
    }
    values
};

/// The squares worth less than the centre, nested, and how much less each set is worth than the one
/// around which it lies: sums are counts of bits.
const OUTSIDE: [(u64, i32); 5] = {
    // Below 50, 25, 10, -20, -25.
    let mut sets = [(0, 25), (0, 15), (0, 30), (0, 5), (0, 55)];
    let mut index = 0;
    while index < 64 {
        let mut value = 50;
        let mut set = 0;
        while set < 5 {
            if (SQUARE_VALUES[index] as i32) < value {
                sets[set].0 |= 1 << index;
            }
            value -= sets[set].1;
            set += 1;
        }
        index += 1;
    }
    sets
};

/// The squares at most so many king's steps from a square.
static BOXES: [[u64; 8]; 64] = {
    let mut boxes = [[0; 8]; 64];
    let mut centre = 0;
    while centre < 64 {
        let mut other = 0;
        while other < 64 {
            let distance = super::distance(Square(centre as u8), Square(other as u8)) as usize;
            let mut radius = distance;
            while radius < 8 {
                boxes[centre][radius] |= 1 << other;
                radius += 1;
            }
            other += 1;
        }
        centre += 1;
    }
    boxes
};

/// The least sum of distances to a square that so many men can have: one man on it, eight beside it,
/// the others two steps away (`mia`, 4.1).
const fn least_distances(men: u32) -> u32 {
    match men {
        0 => 0,
        1..=9 => men - 1,
        _ => 8 + 2 * (men - 9),
    }
}

/// 1 / n for a number of men.
static INVERSES: [f32; 65] = {
    let mut inverses = [0.0; 65];
    let mut count = 1;
    while count <= 64 {
        inverses[count] = 1.0 / count as f32;
        count += 1;
    }
    inverses
};

/// The features of one side's men that do not depend on the other side.
#[inline(always)]
pub fn one_sided(men: u64) -> [f32; ONE_SIDED] {
    let sums = Sums::of_men(men);
    let count = sums.count();
    let inverse = INVERSES[count as usize % 65];
    let centre = sums.centre();
    // 1. Concentration. A man at distance d lies outside the boxes of radius 0 to d - 1.
    let boxes = &BOXES[centre.index()];
    let mut distances = 0;
    for within in &boxes[..7] {
        distances += (men & !within).count_ones();
    }
    let surplus = distances.saturating_sub(least_distances(count));
    let concentration = 1.0 / (1.0 + surplus as f32 * inverse);
    // 2. Centralisation: every man counts as one in the centre, less what it lacks.
    let mut sum = 50 * count as i32;
    for (outside, lack) in OUTSIDE {
        sum -= (men & outside).count_ones() as i32 * lack;
    }
    // 3. Quads whose lower left square is at most two steps from the centre of mass, or one more to
    //    the left or below: the quad's nearest square is what counts.
    let near = boxes[2];
    let near = near | ((near & !FILE_A) >> 1);
    let near = near | near >> 8;
    let right = (men & !FILE_A) >> 1;
    let (above, diagonal) = (men >> 8, right >> 8);
    let four = men & right & above & diagonal & near;
    let three = ((men & right & (above ^ diagonal)) | (above & diagonal & (men ^ right))) & near;
    // 4. Connections: to the right, above, and on both diagonals above.
    let left = (men & !FILE_H) << 1;
    let connections = (men & right).count_ones()
        + (men & above).count_ones()
        + (men & diagonal).count_ones()
        + (men & (left >> 8)).count_ones();
    // 5. The smallest rectangle around all men.
    let ranks = (63 - men.leading_zeros()) / 8 - men.trailing_zeros() / 8 + 1;
    let folded = men | men >> 32;
    let folded = folded | folded >> 16;
    let files = (folded | folded >> 8) as u8;
    let width = 8 - files.leading_zeros() - files.trailing_zeros();
    [
        concentration,
        sum as f32 * inverse,
        f32::from(SQUARE_VALUES[centre.index()]),
        three.count_ones() as f32,
        four.count_ones() as f32,
        2.0 * connections as f32 * inverse,
        1.0 - (ranks * width) as f32 / 64.0,
    ]
}

const CORNERS: u64 = 0x8100_0000_0000_0081;
const RIM_A: u64 = FILE_A & !CORNERS;
const RIM_H: u64 = FILE_H & !CORNERS;
const RIM_1: u64 = 0xff & !CORNERS;
const RIM_8: u64 = (0xff << 56) & !CORNERS;

/// The men on the edge that `blockers` keep from the centre (`mia`, 4.6): in two of the three centre
/// directions, and in three. An enemy man beside an edge man always blocks that direction: there are
/// two men on the line at least, and nobody jumps over an enemy.
///
/// A man in a corner has three neighbours: two blocked count as a wall of three, all three as two.
#[inline(always)]
pub fn walls(men: u64, blockers: u64) -> [u32; 2] {
    let [north, south] = [blockers >> 8, blockers << 8];
    let (east, west) = (blockers >> 1, blockers << 1);
    let (north_east, south_east) = (blockers >> 9, blockers << 7);
    let (north_west, south_west) = (blockers >> 7, blockers << 9);
    // Straight ahead, and the two ways beside it, for all four edges at once.
    let ahead = (RIM_A & east) | (RIM_H & west) | (RIM_1 & north) | (RIM_8 & south);
    let one =
        (RIM_A & north_east) | (RIM_H & north_west) | (RIM_1 & north_east) | (RIM_8 & south_east);
    let other =
        (RIM_A & south_east) | (RIM_H & south_west) | (RIM_1 & north_west) | (RIM_8 & south_west);
    let three = men & ahead & one & other;
    let two = men & ((ahead & (one ^ other)) | (one & other & !ahead));
    let mut walls = [two.count_ones(), three.count_ones()];
    if men & CORNERS != 0 {
        for (corner, neighbours) in CORNER_NEIGHBOURS {
            if men & corner != 0 {
                walls[1] += (blockers & neighbours).count_ones().saturating_sub(1);
            }
        }
    }
    walls
}

/// Each corner and its three neighbours.
const CORNER_NEIGHBOURS: [(u64, u64); 4] = [
    (1, 0x302),
    (1 << 7, 0xc040),
    (1 << 56, 0x0203_0000_0000_0000),
    (1 << 63, 0x40c0_0000_0000_0000),
];

/// All features, own minus enemy, for the side to move.
pub fn features(position: &Loa, lines: &Lines) -> [f32; COUNT] {
    let side = position.to_move();
    let (own, enemy) = (position.men(side), position.men(!side));
    let (mine, theirs) = (one_sided(own), one_sided(enemy));
    let mut features = [0.0; COUNT];
    for (feature, (mine, theirs)) in features.iter_mut().zip(mine.iter().zip(&theirs)) {
        *feature = mine - theirs;
    }
    let [mobility, walls_of_two, walls_of_three] = two_sided(own, enemy, lines.mobility_of(side));
    features[7] = mobility;
    features[8] = walls_of_two;
    features[9] = walls_of_three;
    features[10] = 1.0;
    features
}

#[inline(always)]
fn two_sided(own: u64, enemy: u64, mobility: i32) -> [f32; 3] {
    let (ours, theirs) = (walls(own, enemy), walls(enemy, own));
    [
        mobility as f32 / REGULAR as f32,
        theirs[0] as f32 - ours[0] as f32,
        theirs[1] as f32 - ours[1] as f32,
    ]
}

/// The evaluation with a set of weights.
#[derive(Clone, Debug, Default)]
pub struct Evaluation {
    weights: Weights,
}

impl Evaluation {
    /// An evaluation with these weights.
    pub fn new(weights: Weights) -> Self {
        Evaluation { weights }
    }

    /// The value of a position for the side to move.
    #[inline(always)]
    pub fn evaluate(&self, position: &Loa, lines: &Lines) -> i32 {
        let side = position.to_move();
        let (own, enemy) = (position.men(side), position.men(!side));
        let alone = [own, enemy].map(|men| self.one_sided(men));
        self.join(alone, [own, enemy], lines.mobility_of(side))
    }

    /// The value for the side to move, from what its men and those of the other side are worth alone,
    /// from the men themselves, and from its surplus of mobility.
    #[inline(always)]
    pub(super) fn join(&self, alone: [f32; 2], [own, enemy]: [u64; 2], mobility: i32) -> i32 {
        let weights = &self.weights.0;
        let mut value = weights[10] + alone[0] - alone[1];
        let [mobility, walls_of_two, walls_of_three] = two_sided(own, enemy, mobility);
        value += weights[7] * mobility + weights[8] * walls_of_two + weights[9] * walls_of_three;
        value as i32
    }

    /// The part of the value that one side's men make alone.
    #[inline(always)]
    pub fn one_sided(&self, men: u64) -> f32 {
        let mut value = 0.0;
        for (feature, weight) in one_sided(men).iter().zip(&self.weights.0) {
            value += feature * weight;
        }
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spinney_game::{Notation, Rng};

    fn men(names: &str) -> u64 {
        names.split(' ').fold(0, |set, name| set | Square::parse(name).expect("a square").bit())
    }

    #[test]
    fn a_solid_block_has_no_surplus() {
        // Ten men: one in the middle, eight around it, one two steps away.
        let block = men("c3 d3 e3 c4 d4 e4 c5 d5 e5 f4");
        let [concentration, _, _, _, four, ..] = one_sided(block);
        assert_eq!(concentration, 1.0);
        assert_eq!(four, 4.0);
        assert_eq!(least_distances(10), 10);
    }

    #[test]
    fn quads_connections_and_rectangle_are_counted() {
        let [_, centralisation, _, three, four, connectedness, uniformity] =
            one_sided(men("d4 e4 d5 h8"));
        assert_eq!((three, four), (1.0, 0.0));
        assert_eq!(centralisation, (3.0 * 50.0 - 80.0) / 4.0);
        assert_eq!(connectedness, 2.0 * 3.0 / 4.0);
        assert_eq!(uniformity, 1.0 - 25.0 / 64.0);
    }

    #[test]
    fn walls_of_figure_6() {
        // a4 is blocked in three ways, h4 in two; the corner h8 in two counts as three; the corner
        // a8 in all three as two walls of three.
        assert_eq!(walls(men("a4"), men("b3 b4 b5")), [0, 1]);
        assert_eq!(walls(men("h4"), men("g4 g5")), [1, 0]);
        assert_eq!(walls(men("h8"), men("g8 g7")), [0, 1]);
        assert_eq!(walls(men("a8"), men("b8 b7 a7")), [0, 2]);
        assert_eq!(walls(men("a4"), men("b4 c3 h4")), [0, 0]);
        assert_eq!(walls(men("d1 d8"), men("c2 d2 e2 c7 e7")), [1, 1]);
    }

    #[test]
    fn the_value_is_the_weighted_sum_and_symmetric() {
        use spinney_game::Symmetric;
        let evaluation = Evaluation::default();
        let mut rng = Rng::new(4);
        for _ in 0..50 {
            let mut position = Loa::<8>::default();
            for _ in 0..30 {
                let lines = Lines::new(&position);
                let sum: f32 = features(&position, &lines)
                    .iter()
                    .zip(Weights::default().0)
                    .map(|(feature, weight)| feature * weight)
                    .sum();
                let value = evaluation.evaluate(&position, &lines);
                assert!((value as f32 - sum).abs() < 2.0, "{}", position.position_text());
                // Mirrors and turns move the rounded centre of mass by a square at most, so only
                // the identity is exact; the sign of clear positions stays.
                if value.abs() > 500 {
                    for index in 0..8 {
                        let image = position.transformed(index);
                        let image_value = evaluation.evaluate(&image, &Lines::new(&image));
                        assert!(value.signum() == image_value.signum());
                    }
                }
                if position.outcome().is_some() {
                    break;
                }
                position.play(position.random_move(&mut rng));
            }
        }
    }
}
