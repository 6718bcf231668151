// Two players add 1, 2 or 3 to a total in turn; whoever reaches 13 wins. The side that moves at a total
// of 1, 5 or 9 loses.

use spinney_game::{Game, Hashed, Outcome, Repetition, Side, Symmetric};

/// A position: the total, and whose turn it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Race {
    /// The sum of all moves.
    pub total: u8,
    /// The side to move.
    pub to_move: Side,
}

impl Race {
    /// Where the game begins.
    pub const START: Race = Race { total: 0, to_move: Side::First };
    /// Where it ends.
    pub const END: u8 = 13;
}

impl Game for Race {
    type Move = u8;

    fn to_move(&self) -> Side {
        self.to_move
    }

    fn legal_moves(&self, moves: &mut Vec<u8>) {
        moves.extend((1..=3).filter(|m| self.total + m <= Race::END));
    }

    fn play(&mut self, m: u8) {
        self.total += m;
        self.to_move = !self.to_move;
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.total == Race::END).then_some(Outcome::Win(!self.to_move))
    }
}

// A hash for tables, no draw by repetition, no symmetries: the defaults.
impl Hashed for Race {}
impl Repetition for Race {}
impl Symmetric for Race {}
