//! Stones, chains and liberties on a small board: what NoGo and AtariGo share.
//!
//! Stones of one side that touch orthogonally form a chain; the empty points beside a chain are
//! its liberties. All that the rules ask is whether a chain has no liberty, one, or more. So three
//! sets a side are kept up to date: its stones, those of them in chains with two liberties or
//! more, and the last liberties of chains that have one only. From these the legal points of the
//! whole board follow by a few operations on sets; and a new stone changes them only for the
//! chains that it touches, which are found by filling.

use spinney_game::{MoveError, Side};

use crate::board::{self, Diagram, Size, Square, orthogonal_neighbours, squares};

/// The stones on a board and the side to move, with what is known about the chains.
///
/// Everything is a function of the board and the side to move, so the derived equality is that of
/// positions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Stones {
    empty: u64,
    /// Of the side to move. Sides swap places at each move, which is cheaper than an index.
    mover: Chains,
    opponent: Chains,
    to_move: Side,
    size: Size,
    /// Whether who would win loses. Kept here, where it takes no room.
    pub(crate) misere: bool,
}

/// The squares of one colour, as on a chess board: no two are neighbours.
const DARK_SQUARES: u64 = 0xaa55_aa55_aa55_aa55;

/// The chains of one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Chains {
    stones: u64,
    /// The stones of chains with two liberties or more.
    safe: u64,
    /// The liberties of chains that have one only.
    last_liberties: u64,
}

impl Stones {
    /// The empty board, Black to move.
    pub(crate) fn new(size: Size) -> Stones {
        Stones::read(&Diagram { size, men: [0, 0], to_move: Side::First })
    }

    /// The stones of a diagram.
    pub(crate) fn read(diagram: &Diagram) -> Stones {
        let Diagram { size, men, to_move } = *diagram;
        let empty = size.squares() & !(men[0] | men[1]);
        let chains = |side: Side| Chains::read(men[side.index()], empty);
        let [mover, opponent] = [to_move, !to_move].map(chains);
        Stones { empty, mover, opponent, to_move, size, misere: false }
    }

    /// The board as a diagram.
    pub(crate) fn diagram(&self) -> Diagram {
        Diagram { size: self.size, men: self.men(), to_move: self.to_move }
    }

    /// The stones of each side.
    #[inline]
    pub(crate) fn men(&self) -> [u64; 2] {
        match self.to_move {
            Side::First => [self.mover.stones, self.opponent.stones],
            Side::Second => [self.opponent.stones, self.mover.stones],
        }
    }

    /// A key of the board and the side to move.
    #[inline]
    pub(crate) fn key(&self) -> u64 {
        board::key(self.men(), self.to_move)
    }

    /// The side to move.
    #[inline]
    pub(crate) fn to_move(&self) -> Side {
        self.to_move
    }

    /// The board.
    pub(crate) fn size(&self) -> Size {
        self.size
    }

    /// The empty points where a stone of the side to move captures.
    #[inline]
    pub(crate) fn captures(&self) -> u64 {
        self.opponent.last_liberties
    }

    /// The empty points where a stone of the side to move has a liberty, captures aside: beside
    /// an empty point, or beside an own chain that has another liberty.
    #[inline]
    pub(crate) fn breathing(&self) -> u64 {
        self.empty & orthogonal_neighbours(self.empty | self.mover.safe)
    }

    /// The empty points where a stone of the opponent would capture, if it were its turn.
    #[inline]
    pub(crate) fn threats(&self) -> u64 {
        self.mover.last_liberties
    }

    /// Like [`breathing`](Stones::breathing), if it were the opponent's turn.
    #[inline]
    pub(crate) fn opponent_breathing(&self) -> u64 {
        self.empty & orthogonal_neighbours(self.empty | self.opponent.safe)
    }

    /// Bounds on the moves that the side to move, and its opponent, will be able to make while nothing may
    /// be captured: the least and the most, given their legal points.
    ///
    /// A point that is illegal for a side stays so: a chain with one liberty grows only there. So legal
    /// points bound the moves from above. An eye, an empty point with neighbours of one side only, is
    /// illegal for the other side. Of eyes joined by chains all can be filled but one, since a chain needs a
    /// liberty; and that one too, if there is another liberty where the other side may not play.
    #[inline(always)]
    pub(crate) fn move_bounds(&self, legal: u64, opponent_legal: u64) -> [(u32, u32); 2] {
        let inner = self.empty & !orthogonal_neighbours(self.empty);
        let bounds = |own: &Chains, other: &Chains, own_legal: u64, other_legal: u64| {
            let mut eyes = inner & !orthogonal_neighbours(other.stones);
            let (mut least, mut most) = (0, own_legal.count_ones());
            while eyes != 0 {
                let group = fill(eyes & eyes.wrapping_neg(), own.stones | eyes);
                let joined = eyes & group;
                eyes &= !group;
                let count = joined.count_ones();
                let others = self.empty & orthogonal_neighbours(group & own.stones) & !joined;
                least += count - u32::from(others & !other_legal == 0);
                most -= u32::from(others == 0 && count > 1);
            }
            (least, most)
        };
        [
            bounds(&self.mover, &self.opponent, legal, opponent_legal),
            bounds(&self.opponent, &self.mover, opponent_legal, legal),
        ]
    }

    /// Whether there are this many points, legal for both sides, of which the side to move (the opponent if
    /// `turned`) can take every second one while nothing may be captured: a move of the other side spoils
    /// one at most. `legal` has the legal points of the side to move, and those of its opponent.
    ///
    /// A side that plays only on these points leaves all points empty where the other side may not play, and
    /// each of the points is beside such an empty point or beside an own chain that is. So its stones there
    /// always have a liberty. Two things spoil a point: a stone of the other side on it, or that it is the
    /// last liberty of a chain of the other side. No two of the points are neighbours, so a stone on one of
    /// them leaves a chain with liberties elsewhere. A stone elsewhere changes one chain only, and that one
    /// keeps its last liberty at the cost of one point.
    #[inline(always)]
    pub(crate) fn takes_in_turn(&self, number: u32, legal: [u64; 2], turned: bool) -> bool {
        let (own, other, other_legal) = match turned {
            false => (&self.mover, &self.opponent, legal[1]),
            true => (&self.opponent, &self.mover, legal[0]),
        };
        let common = legal[0] & legal[1];
        let quiet = self.empty & !other_legal;
        if common.count_ones() < number || quiet == 0 {
            return false;
        }
        let lasting = fill(orthogonal_neighbours(quiet), own.stones);
        let points = common & orthogonal_neighbours(lasting | quiet);
        if points.count_ones() < number {
            return false;
        }
        for colour in [DARK_SQUARES, !DARK_SQUARES] {
            // The points of one colour, and those of the other with none of the first beside them.
            let some = points & colour;
            let some = some | points & !orthogonal_neighbours(some);
            if some.count_ones() >= number {
                // Beside chains of the other side that have no liberty elsewhere, no point counts.
                let lasting = fill(orthogonal_neighbours(self.empty & !some), other.stones);
                let some = some & !orthogonal_neighbours(other.stones & !lasting);
                if some.count_ones() >= number {
                    return true;
                }
            }
        }
        false
    }

    /// The stones in chains without liberties, of the side to move and of its opponent.
    pub(crate) fn breathless(&self) -> [u64; 2] {
        [self.mover, self.opponent]
            .map(|chains| chains.stones & !fill(orthogonal_neighbours(self.empty), chains.stones))
    }

    /// The side to move puts a stone on an empty point, and the turn passes. Captured stones stay.
    #[inline(always)]
    pub(crate) fn place(&mut self, stone: u64) {
        self.empty &= !stone;
        // 1. The chain of the new stone. It may join chains whose last liberty the stone takes.
        let mover = &mut self.mover;
        mover.stones |= stone;
        mover.last_liberties &= !stone;
        mover.judge(fill(stone, mover.stones), self.empty);
        // 2. The opponent's chains beside it lose a liberty. Those not safe had no other.
        let opponent = &mut self.opponent;
        opponent.last_liberties &= !stone;
        let mut touched = orthogonal_neighbours(stone) & opponent.safe;
        while touched != 0 {
            let chain = fill(touched & touched.wrapping_neg(), opponent.stones);
            touched &= !chain;
            opponent.judge(chain, self.empty);
        }
        // 3. The turn.
        std::mem::swap(&mut self.mover, &mut self.opponent);
        self.to_move = !self.to_move;
    }

    /// The image under a symmetry of the board.
    pub(crate) fn transformed(&self, index: usize) -> Stones {
        let Diagram { size, men, to_move } = self.diagram();
        Stones::read(&Diagram { size, men: men.map(|set| size.transform_set(set, index)), to_move })
    }

    /// The key of the image under a symmetry of the board; the chains need not be found for it.
    #[inline]
    pub(crate) fn transformed_key(&self, index: usize) -> u64 {
        board::key(self.men().map(|set| self.size.transform_set(set, index)), self.to_move)
    }

    /// Reads the name of an empty point, in lower or upper case.
    pub(crate) fn parse_point(&self, text: &str) -> Result<Square, MoveError> {
        let error = |problem: &str| MoveError::new(text, problem);
        let point =
            Square::parse(text.trim()).ok_or_else(|| error("expected a point such as c3"))?;
        if !self.size.contains(point) {
            return Err(error(&format!("not a point of the {} board", self.size)));
        }
        if self.empty & point.bit() == 0 {
            return Err(error("there is a stone already"));
        }
        Ok(point)
    }
}

impl Chains {
    /// The chains that some stones form.
    fn read(stones: u64, empty: u64) -> Chains {
        let mut chains = Chains { stones, safe: 0, last_liberties: 0 };
        let mut rest = stones;
        while let Some(stone) = squares(rest).next() {
            let chain = fill(stone.bit(), stones);
            chains.judge(chain, empty);
            rest &= !chain;
        }
        chains
    }

    /// Counts the liberties of a chain anew.
    #[inline(always)]
    fn judge(&mut self, chain: u64, empty: u64) {
        let liberties = empty & orthogonal_neighbours(chain);
        if liberties & liberties.wrapping_sub(1) != 0 {
            self.safe |= chain;
        } else {
            self.safe &= !chain;
            self.last_liberties |= liberties;
        }
    }
}

/// The stones connected to `seed` through stones: whole chains.
///
/// Two steps before each look whether the fill still grows: the branch that ends it is hard to
/// predict, and costs more than a step.
#[inline(always)]
fn fill(seed: u64, stones: u64) -> u64 {
    let mut filled = seed & stones;
    loop {
        let step = filled | (orthogonal_neighbours(filled) & stones);
        filled = step | (orthogonal_neighbours(step) & stones);
        if filled == step {
            return filled;
        }
    }
}
