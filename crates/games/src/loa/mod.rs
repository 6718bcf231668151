//! Lines of Action (paper `mcts-loa`, section II.A).
//!
//! Black (`x`, first) and White (`o`) move a man along a line exactly as many squares as there are
//! men of both colours on that line, over own men but not over enemy men, onto an empty square or
//! an enemy man, which is captured. A side wins when its men are connected, diagonals included.
//! Where sources disagree, [`Rules`] decides.
//!
//! A position is two sets of men and the side to move: 24 bytes, nothing to keep up to date. Random
//! moves need no list ([`Loa::random_move`] draws a man and a direction until they make a move);
//! lists and counts read whole lines from a table ([`geometry`]).

mod geometry;
mod notation;
mod rules;

use std::fmt;

use spinney_game::{Game, Hashed, Outcome, Repetition, Rng, Side, Symmetric, bits};

use self::geometry::{AXES, Geometry, LINE_MOVES, MOST_LINES, OFFSETS, TERNARY, View};
pub use self::rules::{NoMove, OptionError, RepetitionRule, Rules, Simultaneous, Start};
use crate::board::{self, FILE_A, FILE_H, Size, Square};

/// A move from one square to another; both are a1 for a pass.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move {
    /// Where the man stands.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
}

impl Move {
    /// The move of a side that has no other.
    pub const PASS: Move = Move { from: Square(0), to: Square(0) };

    /// Whether this is a pass.
    #[inline]
    pub fn is_pass(self) -> bool {
        self.from == self.to
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_pass() { f.write_str("pass") } else { write!(f, "{}-{}", self.from, self.to) }
    }
}

/// A position of LOA on a board of `N` times `N` squares.
#[derive(Clone, PartialEq, Eq)]
pub struct Loa<const N: usize = 8> {
    /// The men of the side to move, never none.
    own: u64,
    /// The men of the other side, never none.
    enemy: u64,
    to_move: Side,
    rules: Rules,
}

/// The scaled-down board that has been solved (Winands 2008).
pub type Loa6 = Loa<6>;

impl<const N: usize> Loa<N> {
    /// The board.
    pub const SIZE: Size = Size::square(N);
    const GEOMETRY: &'static Geometry = &const { Geometry::new(N) };
    const LINE_STARTS: [usize; AXES + 1] = Geometry::line_starts(N);

    /// The start of a game.
    pub fn new(start: Start, rules: Rules) -> Self {
        let ranks = Self::SIZE.first_rank() | Self::SIZE.last_rank();
        let files = Self::SIZE.transform_set(ranks, 4);
        let corners = ranks & files;
        let standard = [ranks & !corners, files & !corners];
        // The squares whose file and rank add up to an odd number, a1 being 0 and 0. Along the
        // rim they alternate with the others.
        let odd = 0x55aa_55aa_55aa_55aa;
        let men = match start {
            Start::Standard => standard,
            Start::ScrambledEggs => {
                let white = (standard[0] & !odd) | (standard[1] & odd);
                [(standard[0] | standard[1]) & !white, white]
            }
        };
        Self::from_men(men, Side::First, rules)
    }

    fn from_men(men: [u64; 2], to_move: Side, rules: Rules) -> Self {
        let (own, enemy) = (men[to_move.index()], men[to_move.opponent().index()]);
        Loa { own, enemy, to_move, rules }
    }

    /// The men of a side.
    #[inline]
    pub fn men(&self, side: Side) -> u64 {
        if side == self.to_move { self.own } else { self.enemy }
    }

    #[inline]
    fn men_of_both(&self) -> [u64; 2] {
        Side::BOTH.map(|side| self.men(side))
    }

    /// The rules in force.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Whether the move takes a man.
    #[inline]
    pub fn is_capture(&self, m: Move) -> bool {
        self.enemy & m.to.bit() != 0 && !m.is_pass()
    }

    /// Where a man of the side to move goes in a direction, and whether that is a legal move.
    #[inline(always)]
    fn target(&self, from: Square, direction: usize) -> (Square, bool) {
        let (own, enemy) = (self.own, self.enemy);
        let View { line, ray } = Self::GEOMETRY.views[from.index()][direction & 7];
        let distance = ((own | enemy) & line).count_ones() as i32;
        let to = Square((i32::from(from.0) + OFFSETS[direction & 7] * distance) as u8 & 63);
        // The squares in between are those of the ray between the two bits.
        let span = from.bit().max(to.bit()) - from.bit().min(to.bit());
        let lands = ray & !own & to.bit() != 0;
        let blocked = ray & span & enemy & !to.bit() != 0;
        (to, lands & !blocked)
    }

    /// The numbers of all lines as the owner of `own` sees them, as indices into [`LINE_MOVES`].
    #[inline]
    fn line_indices(own: u64, enemy: u64) -> [u16; MOST_LINES] {
        let mut indices = [0; MOST_LINES];
        for (number, line) in Self::GEOMETRY.lines.iter().enumerate().take(Self::LINE_STARTS[AXES])
        {
            let ternary = |set: u64| TERNARY[usize::from(Self::line_set(number, set))];
            indices[number] = line.table_start + ternary(own) + 2 * ternary(enemy);
        }
        indices
    }

    /// The members of a set on a line, bit 0 for the first square of the line.
    #[inline]
    fn line_set(number: usize, set: u64) -> u8 {
        let line = Self::GEOMETRY.lines[number];
        let [_, files, diagonals, ..] = Self::LINE_STARTS;
        if number < files {
            (set >> (8 * number)) as u8
        } else if number < diagonals {
            // The multiplication brings rank r of the file to bit 56 + r.
            let file = (set >> (number - files)) & FILE_A;
            (file.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
        } else {
            // A diagonal has one square on each file: add up all ranks.
            let files = ((set & line.squares).wrapping_mul(FILE_A) >> 56) as u8;
            files >> (line.first & 7)
        }
    }

    /// Moves without passes, as the owner of `own` could make them.
    #[inline]
    fn count_line_moves(own: u64, enemy: u64) -> u64 {
        let indices = Self::line_indices(own, enemy);
        indices[..Self::LINE_STARTS[AXES]]
            .iter()
            .map(|&index| u64::from(LINE_MOVES[usize::from(index)].count))
            .sum()
    }

    /// Appends the moves that are not passes.
    fn line_moves(&self, moves: &mut Vec<Move>) {
        let indices = Self::line_indices(self.own, self.enemy);
        for (axis, &offset) in OFFSETS[..AXES].iter().enumerate() {
            let numbers = Self::LINE_STARTS[axis]..Self::LINE_STARTS[axis + 1];
            for (&index, line) in
                indices[numbers.clone()].iter().zip(&Self::GEOMETRY.lines[numbers])
            {
                let line_moves = LINE_MOVES[usize::from(index)];
                let first = i32::from(line.first);
                let length = offset * i32::from(line_moves.distance);
                for (men, step) in [(line_moves.up, length), (line_moves.down, -length)] {
                    moves.extend(bits::iterate(u64::from(men)).map(|position| {
                        let from = first + offset * position as i32;
                        Move { from: Square(from as u8), to: Square((from + step) as u8) }
                    }));
                }
            }
        }
    }

    /// Perft for two plies: the enemy's moves after each own move, without playing it. Only the
    /// lines through its two squares change, so only they are counted again.
    fn count_two_plies(&self) -> u64 {
        let mut moves = Vec::with_capacity(96);
        self.line_moves(&mut moves);
        if moves.is_empty() {
            let mut child = self.clone();
            child.play(Move::PASS);
            return child.perft(1);
        }
        let (own, enemy) = (self.own, self.enemy);
        // The enemy counts its moves: its men are the digit 1, ours the digit 2.
        let indices = Self::line_indices(enemy, own);
        let count = |index: u16| i32::from(LINE_MOVES[usize::from(index)].count);
        let before: i32 =
            indices[..Self::LINE_STARTS[AXES]].iter().map(|&index| count(index)).sum();
        let no_move = match self.rules.no_move {
            NoMove::Pass => 1,
            NoMove::Loses | NoMove::Draw => 0,
        };
        let mut leaves = 0;
        for m in moves {
            // 1. A finished game is not expanded.
            let own_after = (own & !m.from.bit()) | m.to.bit();
            let enemy_after = enemy & !m.to.bit();
            let captures = enemy_after != enemy;
            if connected(own_after) || (captures && connected(enemy_after)) {
                continue;
            }
            // 2. The lines that change: our man leaves one square and comes to another.
            let mut after = before;
            for axis in 0..AXES {
                let (from, to) = (m.from.index(), m.to.index());
                let from_line = Self::GEOMETRY.line_of[axis][from];
                let to_line = Self::GEOMETRY.line_of[axis][to];
                let leaves = 2 * Self::GEOMETRY.weight[axis][from];
                let comes = Self::GEOMETRY.weight[axis][to] * if captures { 1 } else { 2 };
                let from_index = indices[usize::from(from_line)];
                let to_index = indices[usize::from(to_line)];
                if from_line == to_line {
                    after += count(from_index - leaves + comes) - count(from_index);
                } else {
                    after += count(from_index - leaves) - count(from_index);
                    after += count(to_index + comes) - count(to_index);
                }
            }
            leaves += if after > 0 { after as u64 } else { no_move };
        }
        leaves
    }
}

impl<const N: usize> Default for Loa<N> {
    fn default() -> Self {
        Loa::new(Start::default(), Rules::default())
    }
}

/// Whether the men form one group; a single man does.
#[inline(always)]
fn connected(men: u64) -> bool {
    // Nearly always some man stands alone, and then no flood fill is needed.
    let alone = men & !neighbours(men);
    if alone != 0 {
        return men == alone && men.is_power_of_two();
    }
    flood_fills(men)
}

/// Whether a flood fill from one man reaches all.
#[cold]
#[inline(never)]
fn flood_fills(men: u64) -> bool {
    let mut group = men & men.wrapping_neg();
    loop {
        let grown = (group | neighbours(group)) & men;
        if grown == group {
            return group == men;
        }
        group = grown;
    }
}

/// The squares next to a set, diagonally too.
#[inline]
const fn neighbours(set: u64) -> u64 {
    let beside = ((set & !FILE_H) << 1) | ((set & !FILE_A) >> 1);
    let row = set | beside;
    beside | (row << 8) | (row >> 8)
}

impl<const N: usize> Game for Loa<N> {
    type Move = Move;

    #[inline]
    fn to_move(&self) -> Side {
        self.to_move
    }

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        let before = moves.len();
        self.line_moves(moves);
        if moves.len() == before {
            moves.push(Move::PASS);
        }
    }

    #[inline]
    fn play(&mut self, m: Move) {
        let (mut own, mut enemy) = (self.own, self.enemy);
        if !m.is_pass() {
            own ^= m.from.bit() | m.to.bit();
            enemy &= !m.to.bit();
        }
        (self.own, self.enemy) = (enemy, own);
        self.to_move = !self.to_move;
    }

    #[inline(always)]
    fn outcome(&self) -> Option<Outcome> {
        match (connected(self.own), connected(self.enemy)) {
            (false, false) => match self.rules.no_move {
                NoMove::Pass => None,
                rule => self.outcome_without_move(rule),
            },
            (true, false) => Some(Outcome::Win(self.to_move)),
            (false, true) => Some(Outcome::Win(!self.to_move)),
            (true, true) => Some(match self.rules.simultaneous {
                Simultaneous::Draw => Outcome::Draw,
                Simultaneous::MoverWins => Outcome::Win(!self.to_move),
            }),
        }
    }

    #[inline(always)]
    fn random_move(&self, rng: &mut Rng) -> Move {
        // Every pair of a man and a direction is drawn equally often and stands for one move at
        // most, so the first that is a move is uniform. About half of them are.
        const TRIES: usize = 30;
        let pairs = 8 * self.own.count_ones();
        for _ in 0..TRIES {
            // Both candidates are tried at once: which of them is a move cannot be predicted, and
            // a wrong guess of the processor costs more than the second trial.
            let [a, b] = rng.two_below(pairs).map(|pair| {
                let from = Square(bits::select(self.own, pair >> 3) as u8);
                let (to, legal) = self.target(from, (pair & 7) as usize);
                (u32::from(from.0) | u32::from(to.0) << 8, legal)
            });
            if a.1 | b.1 {
                let squares = std::hint::select_unpredictable(a.1, a.0, b.0);
                return Move { from: Square(squares as u8), to: Square((squares >> 8) as u8) };
            }
        }
        self.random_move_from_list(rng)
    }

    #[inline]
    fn count_moves(&self) -> u64 {
        Self::count_line_moves(self.own, self.enemy).max(1)
    }

    fn perft(&self, plies: u32) -> u64 {
        match plies {
            0 => 1,
            _ if self.outcome().is_some() => 0,
            1 => self.count_moves(),
            2 => self.count_two_plies(),
            _ => {
                let mut moves = Vec::with_capacity(96);
                self.legal_moves(&mut moves);
                moves
                    .into_iter()
                    .map(|m| {
                        let mut child = self.clone();
                        child.play(m);
                        child.perft(plies - 1)
                    })
                    .sum()
            }
        }
    }
}

impl<const N: usize> Loa<N> {
    /// The result under rules without passes, if nobody is connected.
    fn outcome_without_move(&self, rule: NoMove) -> Option<Outcome> {
        if Self::count_line_moves(self.own, self.enemy) > 0 {
            return None;
        }
        match rule {
            NoMove::Pass => None,
            NoMove::Loses => Some(Outcome::Win(!self.to_move)),
            NoMove::Draw => Some(Outcome::Draw),
        }
    }

    /// A random move where moves are rare, or the pass.
    #[cold]
    fn random_move_from_list(&self, rng: &mut Rng) -> Move {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        moves[rng.below(moves.len() as u32) as usize]
    }
}

impl<const N: usize> Hashed for Loa<N> {
    #[inline]
    fn key(&self) -> u64 {
        board::key(self.men_of_both(), self.to_move)
    }
}

impl<const N: usize> Repetition for Loa<N> {
    #[inline]
    fn drawn_at(&self) -> Option<u32> {
        match self.rules.repetition {
            RepetitionRule::Third => Some(3),
            RepetitionRule::Second => Some(2),
            RepetitionRule::None => None,
        }
    }

    #[inline]
    fn is_irreversible(&self, m: Move) -> bool {
        self.is_capture(m)
    }
}

impl<const N: usize> Symmetric for Loa<N> {
    fn symmetries(&self) -> usize {
        Self::SIZE.symmetries()
    }

    fn transformed(&self, index: usize) -> Self {
        let image = |men| Self::SIZE.transform_set(men, index);
        Loa { own: image(self.own), enemy: image(self.enemy), ..*self }
    }

    fn transform_move(&self, m: Move, index: usize) -> Move {
        if m.is_pass() {
            return m;
        }
        let [from, to] = [m.from, m.to].map(|square| Self::SIZE.transform_square(square, index));
        Move { from, to }
    }
}
