//! Endings: which men are on the board beside the kings.

use std::fmt;

use cozy_chess::{Color, Piece};

/// The pieces of a name, in their order.
pub(super) const ORDER: [Piece; 5] =
    [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight, Piece::Pawn];

/// A man that is no king.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Man {
    pub(super) color: Color,
    pub(super) piece: Piece,
}

/// Numbers of men, and [`NO_MAN`].
pub(super) const MEN: usize = 11;
/// The number in place of that of a man that is not there.
pub(super) const NO_MAN: usize = 10;

impl Man {
    /// From 0 to 9.
    #[inline]
    pub(super) fn number(self) -> usize {
        self.piece as usize + if self.color == Color::White { 0 } else { 5 }
    }
}

/// Three or four men. White is the stronger side or, with a man each, has the one that comes first
/// in the name. The first man, if there are two, is a pawn if either is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    pub(super) first: Option<Man>,
    pub(super) second: Man,
}

impl Ending {
    /// All endings with up to `men` men (kings included, at most four), none before what it can
    /// become by a capture or a promotion.
    pub fn up_to(men: u32) -> Vec<Ending> {
        let white = |piece| Man { color: Color::White, piece };
        let black = |piece| Man { color: Color::Black, piece };
        let mut endings = Vec::new();
        if men >= 3 {
            endings.extend(ORDER.map(|piece| Ending { first: None, second: white(piece) }));
        }
        if men >= 4 {
            for (index, &strong) in ORDER.iter().enumerate() {
                for &weak in &ORDER[index..] {
                    for first in [white(weak), black(weak)] {
                        endings.push(Ending { first: Some(first), second: white(strong) });
                    }
                }
            }
        }
        endings.sort_by_key(|ending| ending.rank());
        endings
    }

    /// Captures and promotions lead to an ending of lower rank.
    pub(super) fn rank(self) -> (u32, u32) {
        let is_pawn = |man: &Man| man.piece == Piece::Pawn;
        (self.men(), self.others().filter(is_pawn).count() as u32)
    }

    /// Men on the board, kings included.
    pub fn men(self) -> u32 {
        2 + self.others().count() as u32
    }

    /// The men beside the kings.
    pub(super) fn others(self) -> impl Iterator<Item = Man> {
        self.first.into_iter().chain([self.second])
    }

    pub(super) fn has_pawns(self) -> bool {
        self.others().any(|man| man.piece == Piece::Pawn)
    }
}

/// The usual name: `KQvK`, `KRPvK`, `KQvKR`.
impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let men = |color| {
            let of_color = move |man: &Man| man.color == color;
            let others: Vec<Man> = self.others().filter(of_color).collect();
            others.into_iter().rev().map(|man| char::from(man.piece).to_ascii_uppercase())
        };
        let side = |color| std::iter::once('K').chain(men(color)).collect::<String>();
        write!(f, "{}v{}", side(Color::White), side(Color::Black))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_order() {
        let names: Vec<String> = Ending::up_to(4).iter().map(Ending::to_string).collect();
        assert_eq!(names.len(), 35);
        assert_eq!(names[..5], ["KQvK", "KRvK", "KBvK", "KNvK", "KPvK"]);
        let pawnless = names[5..].iter().take_while(|name| !name.contains('P')).count();
        assert_eq!(pawnless, 20);
        assert_eq!(names[33..], ["KPPvK", "KPvKP"]);
        for name in ["KBNvK", "KQvKR", "KRvKP", "KQPvK"] {
            assert!(names.iter().any(|known| known == name), "{name}");
        }
        assert_eq!(Ending::up_to(3).len(), 5);
    }
}
