//! Move categories and their transition probabilities (paper `mcts-loa`, III.A, formula 2).
//!
//! A category is: capture or not, the region of the origin, the region of the destination, and the
//! squares travelled towards or away from the centre of mass of the mover's men. Regions are the
//! corners, the rest of the rim, and the rims of the inner 6x6, 4x4 and 2x2 boards.
//!
//! The probability of a category is the number of positions in which a move of it was played,
//! divided by the number in which one was available. `categories.tsv` holds these numbers, counted
//! in real games by `spinney learn categories`.

use super::{centre_of_mass, distance};
use crate::board::Square;
use crate::loa::{Loa, Move};

const REGIONS: usize = 5;
/// Squares travelled towards the centre of mass: from -7 to 7.
const TRAVELS: usize = 15;
/// The number of categories by their definition; not all can occur.
pub const COUNT: usize = 2 * REGIONS * REGIONS * TRAVELS;

/// The number of a category, below [`COUNT`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Category(pub u16);

impl Category {
    /// The category of a move that is no pass on a board of `N` times `N` squares, for a mover whose men
    /// have this centre of mass.
    #[inline(always)]
    pub fn of<const N: usize>(m: Move, captures: bool, centre: Square) -> Category {
        let number = Tables::<N>::ORIGINS[centre.index()][m.from.index()]
            + Tables::<N>::DESTINATIONS[centre.index()][m.to.index()]
            + if captures { CAPTURES } else { 0 };
        Category(number as u16)
    }

    /// Capture or not, origin region, destination region, squares towards the centre of mass.
    pub fn parts(self) -> (bool, usize, usize, i32) {
        let number = usize::from(self.0);
        let regions = number / TRAVELS % (REGIONS * REGIONS);
        (
            number / (TRAVELS * REGIONS * REGIONS) == 1,
            regions / REGIONS,
            regions % REGIONS,
            (number % TRAVELS) as i32 - 7,
        )
    }

    /// The transition probability on a board of `N` times `N` squares.
    #[inline(always)]
    pub fn probability<const N: usize>(self) -> f32 {
        Tables::<N>::PROBABILITIES[usize::from(self.0) % ROOM]
    }
}

/// What a capture adds to the number of a category.
const CAPTURES: i16 = (REGIONS * REGIONS * TRAVELS) as i16;

/// The tables of a board of `N` times `N` squares.
struct Tables<const N: usize>;

impl<const N: usize> Tables<N> {
    /// What the origin and the destination of a move add to the number of its category, for each centre
    /// of mass.
    const ORIGINS: &'static [[i16; 64]; 64] =
        &const { parts_by_centre(N, (REGIONS * TRAVELS) as i16, 1, 7) };
    const DESTINATIONS: &'static [[i16; 64]; 64] =
        &const { parts_by_centre(N, TRAVELS as i16, -1, 0) };
    const PROBABILITIES: &'static [f32; ROOM] = match N {
        6 => &PROBABILITIES_6X6,
        _ => &PROBABILITIES,
    };
}

/// For each centre and square: the region and the distance to the centre with these factors, and a
/// constant.
const fn parts_by_centre(length: usize, region: i16, steps: i16, constant: i16) -> [[i16; 64]; 64] {
    let regions = regions(length);
    let mut parts = [[0; 64]; 64];
    let mut centre = 0;
    while centre < 64 {
        let mut square = 0;
        while square < 64 {
            let distance = distance(Square(square as u8), Square(centre as u8)) as i16;
            parts[centre][square] = region * regions[square] as i16 + steps * distance + constant;
            square += 1;
        }
        centre += 1;
    }
    parts
}

/// The category of a move in a position; a pass has none.
pub fn category<const N: usize>(position: &Loa<N>, m: Move) -> Option<Category> {
    let centre = centre_of_mass(position.men(spinney_game::Game::to_move(position)));
    (!m.is_pass()).then(|| Category::of::<N>(m, position.is_capture(m), centre))
}

/// The region of each square: 0 corner, 1 rim, 2 to 4 the rims of the inner 6x6, 4x4 and 2x2 boards.
const fn regions(length: usize) -> [u8; 64] {
    let mut regions = [0; 64];
    let mut index = 0;
    while index < 64 {
        regions[index] = match super::steps_to_edges(Square(index as u8), length) {
            None | Some((0, 0)) => 0,
            Some((0, _)) => 1,
            Some((ring, _)) => 4 - super::steps_to_centre(ring, length),
        };
        index += 1;
    }
    regions
}

/// Positions in which a move of a category was played, and in which one was available.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Played.
    pub played: u32,
    /// Available.
    pub available: u32,
}

/// The learned table: lines of `category played available`, after a comment on where it is from.
pub const TABLE_TEXT: &str = include_str!("categories.tsv");
/// The same for the 6x6 board.
pub const TABLE_TEXT_6X6: &str = include_str!("categories-6x6.tsv");

/// Counts categories over the moves of many games.
pub struct Census {
    counts: [Counts; COUNT],
}

impl Default for Census {
    fn default() -> Self {
        Census { counts: [Counts::default(); COUNT] }
    }
}

impl Census {
    /// Adds a position and the move that was played in it.
    pub fn add<const N: usize>(&mut self, position: &Loa<N>, played: Move) {
        let mut moves = Vec::new();
        spinney_game::Game::legal_moves(position, &mut moves);
        let mut available: Vec<Category> =
            moves.into_iter().filter_map(|m| category(position, m)).collect();
        available.sort();
        available.dedup();
        for category in available {
            self.counts[usize::from(category.0)].available += 1;
        }
        if let Some(category) = category(position, played) {
            self.counts[usize::from(category.0)].played += 1;
        }
    }

    /// The table as text, without comment.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (number, counts) in self.counts.iter().enumerate() {
            if counts.available > 0 {
                text += &format!("{number}\t{}\t{}\n", counts.played, counts.available);
            }
        }
        text
    }
}

/// What a category that never occurred in the games is worth: little. Guess.
const UNSEEN: f32 = 0.01;

/// As long as the next power of two, so that masked numbers need no check.
const ROOM: usize = COUNT.next_power_of_two();

static PROBABILITIES: [f32; ROOM] = probabilities(TABLE_TEXT);
static PROBABILITIES_6X6: [f32; ROOM] = probabilities(TABLE_TEXT_6X6);

/// Reads a table at compile time. A category seen rarely is pulled towards a small probability, so that
/// one lucky game does not make it a favourite: one play in a hundred positions is added.
const fn probabilities(text: &str) -> [f32; ROOM] {
    let mut table = [UNSEEN; ROOM];
    let text = text.as_bytes();
    let mut at = 0;
    while at < text.len() {
        if text[at] == b'#' {
            while at < text.len() && text[at] != b'\n' {
                at += 1;
            }
            at += 1;
            continue;
        }
        let mut fields = [0u32; 3];
        let mut field = 0;
        while at < text.len() && text[at] != b'\n' {
            if text[at] == b'\t' {
                field += 1;
            } else {
                fields[field] = fields[field] * 10 + (text[at] - b'0') as u32;
            }
            at += 1;
        }
        at += 1;
        let [number, played, available] = fields;
        table[number as usize] = (played as f32 + 1.0) / (available as f32 + 100.0);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_are_rings() {
        let region =
            |length, name: &str| regions(length)[Square::parse(name).expect("a square").index()];
        let names = ["a1", "h8", "b1", "a7", "b2", "g5", "c3", "f4", "d4", "e5"];
        assert_eq!(names.map(|name| region(8, name)), [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]);
        let names = ["a1", "f6", "b1", "a5", "b2", "e4", "c3", "d4"];
        assert_eq!(names.map(|name| region(6, name)), [0, 0, 1, 1, 3, 3, 4, 4]);
    }

    #[test]
    fn a_category_knows_its_parts() {
        let m = Move { from: Square::at(1, 0), to: Square::at(3, 2) };
        let category = Category::of::<8>(m, true, Square::at(4, 3));
        assert_eq!(category.parts(), (true, 1, 3, 2));
    }

    #[test]
    fn captures_into_the_centre_are_likelier_than_retreats_to_the_corner() {
        let centre = Square::at(4, 4);
        let forward = Move { from: Square::at(4, 0), to: Square::at(4, 3) };
        let back = Move { from: Square::at(4, 4), to: Square::at(0, 0) };
        let probability = |m, captures| Category::of::<8>(m, captures, centre).probability::<8>();
        assert!(probability(forward, true) > 3.0 * probability(back, false));
    }
}
