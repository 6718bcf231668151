//! Lines of Action (paper `mcts-loa`, section II.A).
//!
//! Black (`x`, first) and White (`o`) move a man along a line exactly as many squares as there are
//! men of both colours on that line, over own men but not over enemy men, onto an empty square or
//! an enemy man, which is captured. A side wins when its men are connected, diagonals included.
//! Where sources disagree, [`Rules`] decides.
//!
//! A position is two sets of men and the side to move: 24 bytes, nothing to keep up to date. Random
//! moves need no list ([`Loa::random_move`] draws a man and a direction until they make a move);
//! lists and counts read whole lines from a table (`geometry.rs`).

mod connection;
mod geometry;
pub mod knowledge;
mod notation;
mod rules;

use spinney_game::{
    BoardInfo, BoardStyle, Game, GameInfo, GameOption, GameOptionKind, Hashed, Move as _, Outcome,
    RecordFormat, Repetition, Rng, Side, Symmetric, bits,
};

use self::connection::connected;
pub use self::connection::joints;
use self::geometry::{AXES, Geometry, LINE_MOVES, MOST_LINES, OFFSETS, TERNARY, View};
pub use self::rules::{NoMove, OptionError, RepetitionRule, Rules, Simultaneous, Start};
pub use crate::board::Move;
use crate::board::{self, FILE_A, Size, Square, squares};

/// Lines of Action on 8x8.
pub const INFO: GameInfo = GameInfo {
    board: BoardInfo::new(BoardStyle::Loa),
    options: OPTIONS,
    default_player: "spinney",
    record: RecordFormat::Sgf,
    ..GameInfo::new("loa", "Lines of Action", "Lines of Action on 8x8: connect all your men")
};

/// Lines of Action on 6x6.
pub const INFO_6X6: GameInfo = GameInfo {
    name: "loa6",
    title: "Lines of Action 6x6",
    summary: "Lines of Action on 6x6",
    ..INFO
};

/// The rules on which sources disagree, and the start.
const OPTIONS: &[GameOption] = &[
    option("start", &["standard", "scrambled-eggs"]),
    option("simultaneous", &["draw", "mover-wins"]),
    option("no-move", &["pass", "loses", "draw"]),
    option("repetition", &["third", "second", "none"]),
];

const fn option(key: &'static str, words: &'static [&'static str]) -> GameOption {
    GameOption { key, kind: GameOptionKind::Choice(words) }
}

/// A position of LOA on a board of `N` times `N` squares.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Loa<const N: usize = 8> {
    /// The men of the side to move, never none.
    own: u64,
    /// The men of the other side, never none.
    enemy: u64,
    to_move: Side,
    rules: Rules,
}

/// Room for the moves of any position: twelve men have no more than eight directions.
const MOST_MOVES: usize = 96;

/// The scaled-down board: solved by Winands (2008), and here (`records/loa6`).
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
    #[inline(always)]
    pub fn men(&self, side: Side) -> u64 {
        if side == self.to_move { self.own } else { self.enemy }
    }

    #[inline(always)]
    fn men_of_both(&self) -> [u64; 2] {
        Side::BOTH.map(|side| self.men(side))
    }

    /// The rules in force.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Whether the move takes a man.
    #[inline(always)]
    pub fn is_capture(&self, m: Move) -> bool {
        self.enemy & m.to.bit() != 0 && !m.is_pass()
    }

    /// The men of the mover and of the other side after a move.
    #[inline(always)]
    pub fn men_after(&self, m: Move) -> (u64, u64) {
        if m.is_pass() {
            return (self.own, self.enemy);
        }
        (self.own ^ m.from.bit() | m.to.bit(), self.enemy & !m.to.bit())
    }

    /// The same men with the other side to move: a null move, which is no move of the game.
    pub fn with_turn_passed(&self) -> Self {
        Loa { own: self.enemy, enemy: self.own, to_move: !self.to_move, rules: self.rules }
    }

    /// Whether a move, no pass, is legal here. Cheaper than the list of all moves.
    #[inline(always)]
    pub fn is_legal(&self, m: Move) -> bool {
        // Without branches: which of the conditions fails cannot be predicted.
        let direction = usize::from(geometry::DIRECTIONS[m.from.index()][m.to.index()]);
        let (to, legal) = self.target(m.from, direction);
        (self.own & m.from.bit() != 0) & (direction < 2 * AXES) & legal & (to == m.to)
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

    /// The move of a pair of a man and a direction, packed, and whether it is legal.
    #[inline(always)]
    fn candidate(&self, pair: u32) -> (u32, bool) {
        let from = Square(bits::select(self.own, pair >> 3) as u8);
        let (to, legal) = self.target(from, (pair & 7) as usize);
        (Move { from, to }.pack(), legal)
    }

    /// The numbers of all lines as the owner of `own` sees them, as indices into [`LINE_MOVES`].
    #[inline]
    fn line_indices(own: u64, enemy: u64) -> [u16; MOST_LINES] {
        let mut indices = [0; MOST_LINES];
        let [ranks, files, diagonals, second_diagonals, end] = Self::LINE_STARTS;
        // One loop for each way to read a line, so that none of them has to choose.
        for numbers in
            [ranks..files, files..diagonals, diagonals..second_diagonals, second_diagonals..end]
        {
            for number in numbers {
                let ternary = |set: u64| TERNARY[usize::from(Self::line_set(number, set))];
                let start = Self::GEOMETRY.lines[number].table_start;
                indices[number] = start + ternary(own) + 2 * ternary(enemy);
            }
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

    /// The squares of a line at some positions of it: the inverse of [`Loa::line_set`].
    #[inline]
    fn board_set(number: usize, positions: u8) -> u64 {
        let line = Self::GEOMETRY.lines[number];
        let positions = u64::from(positions);
        let [_, files, diagonals, ..] = Self::LINE_STARTS;
        if number < files {
            positions << (8 * number)
        } else if number < diagonals {
            // The multiplication brings bit r to the file a of rank r, seven bits a rank higher.
            (positions.wrapping_mul(0x0002_0408_1020_4081) & FILE_A) << (number - files)
        } else {
            ((positions << (line.first & 7)) * FILE_A) & line.squares
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
        moves.reserve(MOST_MOVES);
        let indices = Self::line_indices(self.own, self.enemy);
        for (axis, &offset) in OFFSETS[..AXES].iter().enumerate() {
            // 1. The men that can move up and down the lines of this axis.
            let (mut up, mut down) = (0, 0);
            for number in Self::LINE_STARTS[axis]..Self::LINE_STARTS[axis + 1] {
                let line_moves = LINE_MOVES[usize::from(indices[number])];
                up |= Self::board_set(number, line_moves.up);
                down |= Self::board_set(number, line_moves.down);
            }
            // 2. Their moves. The loops are few and long: the end of a loop is hard to predict.
            for (men, offset) in [(up, offset), (down, -offset)] {
                moves.extend(squares(men).map(|from| {
                    let index = indices[usize::from(Self::GEOMETRY.line_of[axis][from.index()])];
                    let distance = i32::from(LINE_MOVES[usize::from(index)].distance);
                    Move { from, to: Square((i32::from(from.0) + offset * distance) as u8) }
                }));
            }
        }
    }

    /// Perft for two plies: the enemy's moves after each own move, without playing it. Only the
    /// lines through its two squares change, so only they are counted again.
    fn count_two_plies(&self) -> u64 {
        let mut moves = Vec::with_capacity(MOST_MOVES);
        self.line_moves(&mut moves);
        if moves.is_empty() {
            let mut child = self.clone();
            child.play(Move::PASS);
            return child.perft(1);
        }
        let (own, enemy) = (self.own, self.enemy);
        let geometry = Self::GEOMETRY;
        // 1. The enemy's moves on each line: its men are the digit 1, ours the digit 2.
        let indices = Self::line_indices(enemy, own);
        let count = |index: u16| i32::from(LINE_MOVES[usize::from(index)].count);
        let total: i32 = indices[..Self::LINE_STARTS[AXES]].iter().map(|&index| count(index)).sum();
        let index_of = |square: Square, axis: usize| {
            indices[usize::from(geometry.line_of[axis][square.index()])]
        };
        // 2. The change on the four lines of each of our men when it leaves.
        let mut leaving = [[0; AXES]; 64];
        for man in squares(own) {
            for (axis, change) in leaving[man.index()].iter_mut().enumerate() {
                let index = index_of(man, axis);
                *change = count(index - 2 * geometry.weight[axis][man.index()]) - count(index);
            }
        }
        let no_move = match self.rules.no_move {
            NoMove::Pass => 1,
            NoMove::Loses | NoMove::Draw => 0,
        };
        let mut leaves = 0;
        for m in moves {
            // 3. A finished game is not expanded.
            let own_after = (own & !m.from.bit()) | m.to.bit();
            let enemy_after = enemy & !m.to.bit();
            let captures = enemy_after != enemy;
            if connected(own_after) || (captures && connected(enemy_after)) {
                continue;
            }
            // 4. The lines of the square it comes to change too. The line of the move is one of
            //    both squares.
            let mut after = total;
            for (axis, &leaving) in leaving[m.from.index()].iter().enumerate() {
                let index = index_of(m.to, axis);
                let comes = geometry.weight[axis][m.to.index()] * if captures { 1 } else { 2 };
                if geometry.line_of[axis][m.from.index()] == geometry.line_of[axis][m.to.index()] {
                    let leaves = 2 * geometry.weight[axis][m.from.index()];
                    after += count(index + comes - leaves) - count(index);
                } else {
                    after += count(index + comes) - count(index) + leaving;
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

impl<const N: usize> Game for Loa<N> {
    type Move = Move;

    #[inline(always)]
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

    #[inline(always)]
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
            let [a, b] = rng.two_below(pairs);
            let (a, b) = (self.candidate(a), self.candidate(b));
            if a.1 | b.1 {
                return Move::unpack(std::hint::select_unpredictable(a.1, a.0, b.0));
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
                let mut moves = Vec::with_capacity(MOST_MOVES);
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
    #[inline(always)]
    fn key(&self) -> u64 {
        board::key(self.men_of_both(), self.to_move)
    }
}

impl<const N: usize> Repetition for Loa<N> {
    #[inline(always)]
    fn drawn_at(&self) -> Option<u32> {
        match self.rules.repetition {
            RepetitionRule::Third => Some(3),
            RepetitionRule::Second => Some(2),
            RepetitionRule::None => None,
        }
    }

    #[inline(always)]
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
