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

use std::fmt::{self, Display};
use std::str::FromStr;

use spinney_game::Game;
use thiserror::Error;

use super::lines::{Lines, REGULAR};
use super::mass::{Sums, VALUE_SHIFT, VALUE_UNIT, square_values};
use crate::board::{FILE_A, Square};
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

impl Weights {
    /// The learned weights of a board with sides of this length.
    pub fn learned(length: usize) -> Self {
        Weights(if length == 6 { LEARNED_6X6 } else { LEARNED })
    }
}

impl Display for Weights {
    /// All weights, in the order of [`NAMES`], with slashes between.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, others @ ..] = &self.0;
        write!(f, "{first}")?;
        others.iter().try_for_each(|weight| write!(f, "/{weight}"))
    }
}

impl FromStr for Weights {
    type Err = WeightsError;

    /// Reads what `Display` writes.
    fn from_str(text: &str) -> Result<Self, WeightsError> {
        let mut weights = [0.0; COUNT];
        let mut parts = text.split('/');
        for weight in &mut weights {
            let part = parts.next().ok_or(WeightsError)?;
            *weight = part.parse().map_err(|_| WeightsError)?;
            if !(-MOST..=MOST).contains(weight) {
                return Err(WeightsError);
            }
        }
        if parts.next().is_some() { Err(WeightsError) } else { Ok(Weights(weights)) }
    }
}

/// The largest weight that can be read: values stay far from overflow.
const MOST: f32 = 20_000.0;

/// A text that is not the weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("expected {COUNT} numbers from -{MOST} to {MOST} with slashes between, for {}", NAMES.join(", "))]
pub struct WeightsError;

/// Learned from games of people and programs, and more of `mia` with itself; the record is
/// records/loa/evaluation.json, the commands are in records/loa/evaluation.sh.
const LEARNED: [f32; COUNT] =
    [2827.4, 0.9, -2.1, -12.4, -109.9, 176.1, 477.5, 33.1, 73.6, 94.5, 110.0];

/// The same for 6x6, from games of `mia` with itself; the record is records/loa6/evaluation.json, the
/// commands are in records/loa6/learn.sh.
const LEARNED_6X6: [f32; COUNT] =
    [2313.0, 8.5, -5.3, -8.5, -88.0, 339.8, 57.9, 67.1, 90.3, 123.1, 178.9];

/// The squares at least 1 to 7 king's steps from each square.
static BEYOND: [[u64; 7]; 64] = {
    let mut beyond = [[0; 7]; 64];
    let mut centre = 0;
    while centre < 64 {
        let mut other = 0;
        while other < 64 {
            let distance = super::distance(Square(centre as u8), Square(other as u8)) as usize;
            let mut steps = 0;
            while steps < distance {
                beyond[centre][steps] |= 1 << other;
                steps += 1;
            }
            other += 1;
        }
        centre += 1;
    }
    beyond
};

/// The lower left squares of the quads near a square: of those that have a square at most two steps
/// from it.
static NEAR: [u64; 64] = {
    let mut near = [0; 64];
    let mut centre = 0;
    while centre < 64 {
        let within = !BEYOND[centre][2];
        let within = within | ((within & !FILE_A) >> 1);
        near[centre] = within | within >> 8;
        centre += 1;
    }
    near
};

/// The least sum of distances to a square, by the number of men: one man on it, eight beside it,
/// the others two steps away (`mia`, 4.1).
static LEAST_DISTANCES: [u32; 65] = {
    let mut least = [0; 65];
    let mut men = 2;
    while men <= 64 {
        least[men] = least[men - 1] + if men <= 9 { 1 } else { 2 };
        men += 1;
    }
    least
};

/// What is counted of one side's men alone.
struct Counts {
    men: u32,
    centre: Square,
    /// The sum of the distances to the centre of mass beyond the least that is possible (4.1).
    surplus: u32,
    /// The values of the squares (4.2), in units of [`VALUE_UNIT`], each more by [`VALUE_SHIFT`].
    shifted_values: u32,
    /// Quads of three and four men near the centre of mass (4.4).
    quads: [u32; 2],
    /// Pairs of neighbours (4.7).
    connections: u32,
    /// The squares of the smallest rectangle around all men (4.8).
    area: u32,
}

impl Counts {
    #[inline(always)]
    fn new<const N: usize>(men: u64, sums: Sums<N>) -> Counts {
        let count = men.count_ones();
        let centre = sums.centre(count);
        // 1. Concentration.
        let mut distances = 0;
        let (near, far) = BEYOND[centre.index()].split_at(4);
        for beyond in near {
            distances += (men & beyond).count_ones();
        }
        // Seldom is a man farther away.
        if men & far[0] != 0 {
            for beyond in far {
                distances += (men & beyond).count_ones();
            }
        }
        // 2. Quads, by their lower left square.
        let near = NEAR[centre.index()];
        let right = (men & !FILE_A) >> 1;
        let (above, diagonal) = (men >> 8, right >> 8);
        let (row, column) = (men & right, men & above);
        let upper_row = above & diagonal;
        let four = row & upper_row & near;
        let three = ((row & (above ^ diagonal)) | (upper_row & (men ^ right))) & near;
        // 3. Connections: to the right, above, and on both diagonals.
        let connections = row.count_ones()
            + column.count_ones()
            + (men & diagonal).count_ones()
            + (right & above).count_ones();
        // 4. The smallest rectangle.
        let ranks = (63 - men.leading_zeros()) / 8 - men.trailing_zeros() / 8 + 1;
        let folded = men | men >> 32;
        let folded = folded | folded >> 16;
        let files = (folded | folded >> 8) as u8;
        Counts {
            men: count,
            centre,
            surplus: distances - LEAST_DISTANCES[count as usize % 65],
            shifted_values: sums.shifted_values(),
            quads: [three.count_ones(), four.count_ones()],
            connections,
            area: ranks * u32::from(SPANS[usize::from(files)]),
        }
    }
}

/// From the lowest to the highest bit of a byte.
static SPANS: [u8; 256] = {
    let mut spans = [0; 256];
    let mut files = 1;
    while files < 256 {
        spans[files] = (8 - (files as u8).leading_zeros() - (files as u8).trailing_zeros()) as u8;
        files += 1;
    }
    spans
};

/// The features of one side's men that do not depend on the other side.
fn one_sided<const N: usize>(men: u64) -> [f32; ONE_SIDED] {
    let counts = Counts::new(men, Sums::<N>::of_men(men));
    let count = counts.men as f32;
    [
        count / (count + counts.surplus as f32),
        (counts.shifted_values as i32 * VALUE_UNIT) as f32 / count - VALUE_SHIFT as f32,
        f32::from(square_values(N)[counts.centre.index()]),
        counts.quads[0] as f32,
        counts.quads[1] as f32,
        2.0 * counts.connections as f32 / count,
        1.0 - counts.area as f32 / (N * N) as f32,
    ]
}

/// The edges of a board.
struct Edges<const N: usize>;

impl<const N: usize> Edges<N> {
    const RIGHT: u64 = FILE_A << (N - 1);
    const LOWER: u64 = u64::MAX >> (64 - N);
    const UPPER: u64 = Self::LOWER << (8 * (N - 1));
    const CORNERS: u64 = (Self::LOWER | Self::UPPER) & (FILE_A | Self::RIGHT);
    /// The lower and the upper edge without the corners.
    const ENDS: u64 = (Self::LOWER | Self::UPPER) & !Self::CORNERS;
}

/// The men on the edge that `blockers` keep from the centre (`mia`, 4.6): in two of the three centre
/// directions, and in three. An enemy man beside an edge man always blocks that direction: there are
/// two men on the line at least, and nobody jumps over an enemy.
///
/// A man in a corner has three neighbours: two blocked count as a wall of three, all three as two.
#[inline(always)]
fn walls<const N: usize>(men: u64, blockers: u64) -> [i32; 2] {
    let (lower, upper) = (Edges::<N>::LOWER, Edges::<N>::UPPER);
    let (corners, ends) = (Edges::<N>::CORNERS, Edges::<N>::ENDS);
    // Who stands beside each square of the left and right edge, and of the lower and upper edge.
    let beside = (blockers >> 1 & FILE_A) | (blockers << 1 & Edges::<N>::RIGHT);
    let across = (blockers >> 8 & lower) | (blockers << 8 & upper);
    // Straight ahead, and the two ways beside it; of a corner, its three neighbours.
    let ahead = beside | (across & ends);
    let one = beside >> 8 | (across >> 1 & ends) | (across & upper & corners);
    let other = beside << 8 | (across << 1 & ends) | (across & lower & corners);
    let both = ahead & one;
    let three = men & both & other;
    let two_or_three = men & (both | (other & (ahead | one)));
    let mut walls = [two_or_three, three].map(|walls| walls.count_ones() as i32);
    walls[0] -= walls[1];
    if two_or_three & corners != 0 {
        let two = (two_or_three & !three & corners).count_ones() as i32;
        walls[0] -= two;
        walls[1] += two + (three & corners).count_ones() as i32;
    }
    walls
}

/// All features, own minus enemy, for the side to move.
pub fn features<const N: usize>(position: &Loa<N>, lines: &Lines<N>) -> [f32; COUNT] {
    let side = position.to_move();
    let (own, enemy) = (position.men(side), position.men(!side));
    let (mine, theirs) = (one_sided::<N>(own), one_sided::<N>(enemy));
    let mut features = [0.0; COUNT];
    for (feature, (mine, theirs)) in features.iter_mut().zip(mine.iter().zip(&theirs)) {
        *feature = mine - theirs;
    }
    features[7] = lines.mobility().of(side) as f32 / REGULAR as f32;
    let [walls_of_two, walls_of_three] = walls_surplus::<N>(own, enemy);
    features[8] = walls_of_two as f32;
    features[9] = walls_of_three as f32;
    features[10] = 1.0;
    features
}

/// Walls of the enemy over those of our own, of two and of three.
#[inline(always)]
fn walls_surplus<const N: usize>(own: u64, enemy: u64) -> [i32; 2] {
    let (ours, theirs) = (walls::<N>(own, enemy), walls::<N>(enemy, own));
    [theirs[0] - ours[0], theirs[1] - ours[1]]
}

/// The evaluation on a board of `N` times `N` squares, with a set of weights.
///
/// It counts in whole numbers, so that it is the same everywhere: weights and values inside are in
/// parts of a point, `PARTS` to one.
#[derive(Clone, Debug)]
pub struct Evaluation<const N: usize = 8> {
    /// By the number of men: the weight of concentration times it.
    concentration: [i64; 65],
    /// For a [`VALUE_UNIT`] of the values of the squares.
    centralisation: i32,
    /// By the centre of mass.
    centre_of_mass: [i32; 64],
    quads: [i32; 2],
    /// For a pair of neighbours.
    connectedness: i32,
    /// For a square of the rectangle.
    uniformity: i32,
    /// For a unit of mobility.
    mobility: i32,
    walls: [i32; 2],
    player_to_move: i32,
}

/// The parts of a point.
const PARTS: u32 = 256;

/// 2^24 / n, rounded up.
static INVERSES: [i64; 512] = {
    let mut inverses = [0; 512];
    let mut n = 1;
    while n < 512 {
        inverses[n] = (1i64 << 24).div_euclid(n as i64) + 1;
        n += 1;
    }
    inverses
};

/// A number divided by a small one: nearly, but always in the same way.
#[inline(always)]
fn divide(dividend: i64, divisor: u32) -> i32 {
    ((dividend * INVERSES[divisor as usize % 512]) >> 24) as i32
}

impl<const N: usize> Default for Evaluation<N> {
    fn default() -> Self {
        Evaluation::new(Weights::learned(N))
    }
}

impl<const N: usize> Evaluation<N> {
    /// An evaluation with these weights.
    pub fn new(Weights(weights): Weights) -> Self {
        let parts = |weight: f32| (weight * PARTS as f32).round() as i32;
        let [concentration, centralisation, centre_of_mass, ..] = weights;
        let [.., player_to_move] = weights;
        Evaluation {
            concentration: std::array::from_fn(|men| i64::from(parts(concentration)) * men as i64),
            centralisation: parts(centralisation * VALUE_UNIT as f32),
            centre_of_mass: square_values(N).map(|value| parts(centre_of_mass * f32::from(value))),
            quads: [parts(weights[3]), parts(weights[4])],
            connectedness: parts(2.0 * weights[5]),
            uniformity: parts(-weights[6] / (N * N) as f32),
            mobility: parts(weights[7] / REGULAR as f32),
            walls: [parts(weights[8]), parts(weights[9])],
            player_to_move: parts(player_to_move),
        }
    }

    /// The value of a position for the side to move.
    pub fn evaluate(&self, position: &Loa<N>, lines: &Lines<N>) -> i32 {
        let side = position.to_move();
        let men = [side, !side].map(|side| position.men(side));
        let alone = men.map(|men| self.one_sided(men, Sums::of_men(men)));
        self.join(alone, men, lines.mobility().of(side))
    }

    /// The value for the side to move, from what its men and those of the other side are worth alone,
    /// from the men themselves, and from its surplus of mobility.
    #[inline(always)]
    pub(super) fn join(&self, alone: [i32; 2], [own, enemy]: [u64; 2], mobility: i32) -> i32 {
        let [walls_of_two, walls_of_three] = walls_surplus::<N>(own, enemy);
        let parts = alone[0] - alone[1]
            + self.player_to_move
            + self.mobility * mobility
            + self.walls[0] * walls_of_two
            + self.walls[1] * walls_of_three;
        parts >> PARTS.ilog2()
    }

    /// The part of the value that one side's men make alone, in parts of a point; `sums` are theirs.
    #[inline(always)]
    pub(super) fn one_sided(&self, men: u64, sums: Sums<N>) -> i32 {
        let counts = Counts::new(men, sums);
        // The shift of the values is the same for both sides, so it does not count.
        let averaged = self.centralisation * counts.shifted_values as i32
            + self.connectedness * counts.connections as i32;
        divide(self.concentration[counts.men as usize % 65], counts.men + counts.surplus)
            + divide(averaged.into(), counts.men)
            + self.centre_of_mass[counts.centre.index()]
            + self.quads[0] * counts.quads[0] as i32
            + self.quads[1] * counts.quads[1] as i32
            + self.uniformity * counts.area as i32
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
        let [concentration, _, _, _, four, ..] = one_sided::<8>(block);
        assert_eq!(concentration, 1.0);
        assert_eq!(four, 4.0);
        assert_eq!(LEAST_DISTANCES[10], 10);
    }

    #[test]
    fn quads_connections_and_rectangle_are_counted() {
        let [_, centralisation, _, three, four, connectedness, uniformity] =
            one_sided::<8>(men("d4 e4 d5 h8"));
        assert_eq!((three, four), (1.0, 0.0));
        assert_eq!(centralisation, (3.0 * 50.0 - 80.0) / 4.0);
        assert_eq!(connectedness, 2.0 * 3.0 / 4.0);
        assert_eq!(uniformity, 1.0 - 25.0 / 64.0);
    }

    #[test]
    fn walls_of_figure_6() {
        // a4 is blocked in three ways, h4 in two; the corner h8 in two counts as three; the corner
        // a8 in all three as two walls of three.
        assert_eq!(walls::<8>(men("a4"), men("b3 b4 b5")), [0, 1]);
        assert_eq!(walls::<8>(men("h4"), men("g4 g5")), [1, 0]);
        assert_eq!(walls::<8>(men("h8"), men("g8 g7")), [0, 1]);
        assert_eq!(walls::<8>(men("a8"), men("b8 b7 a7")), [0, 2]);
        assert_eq!(walls::<8>(men("a4"), men("b4 c3 h4")), [0, 0]);
        assert_eq!(walls::<8>(men("d1 d8"), men("c2 d2 e2 c7 e7")), [1, 1]);
        // The same on 6x6.
        assert_eq!(walls::<6>(men("a4"), men("b3 b4 b5")), [0, 1]);
        assert_eq!(walls::<6>(men("f4"), men("e4 e5")), [1, 0]);
        assert_eq!(walls::<6>(men("f6"), men("e6 e5")), [0, 1]);
        assert_eq!(walls::<6>(men("a6"), men("b6 b5 a5")), [0, 2]);
        assert_eq!(walls::<6>(men("d1 d6"), men("c2 d2 e2 c5 e5")), [1, 1]);
    }

    #[test]
    fn weights_are_read_or_refused() {
        let text = "1/-2/3.5/4/5/6/7/8/9/10/11";
        let weights: Weights = text.parse().expect("weights");
        assert_eq!(weights.0[..3], [1.0, -2.0, 3.5]);
        assert_eq!(weights.to_string(), text);
        for wrong in ["", "1/2", "1/2/3/4/5/6/7/8/9/10/x", "1/2/3/4/5/6/7/8/9/10/11/12"] {
            assert_eq!(wrong.parse::<Weights>(), Err(WeightsError), "{wrong}");
        }
        assert!(text.replace("3.5", "1e9").parse::<Weights>().is_err());
        assert!(text.replace("3.5", "NaN").parse::<Weights>().is_err());
    }

    #[test]
    fn the_value_is_the_weighted_sum_and_symmetric() {
        check_values::<8>();
        check_values::<6>();
    }

    fn check_values<const N: usize>() {
        use spinney_game::Symmetric;
        let evaluation = Evaluation::default();
        let mut rng = Rng::new(4);
        for _ in 0..50 {
            let mut position = Loa::<N>::default();
            for _ in 0..30 {
                let lines = Lines::new(&position);
                let sum: f32 = features(&position, &lines)
                    .iter()
                    .zip(Weights::learned(N).0)
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
