//! Connect Four: in turn a stone is dropped into a column; four in a row win, a full board is a draw.

use spinney_game::{
    BoardInfo, BoardStyle, Game, GameInfo, Hashed, MoveError, Notation, Outcome, PositionError,
    Repetition, Side, Symmetric,
};
use spinney_games::board::{Diagram, Letters, Size, Square, squares};

/// What front ends need to know.
pub const INFO: GameInfo = GameInfo {
    board: BoardInfo::new(BoardStyle::Men),
    ..GameInfo::new("connect-four", "Connect Four", "drop stones; four in a row win")
};

/// A position: the stones of each side, eight bits a rank.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ConnectFour {
    stones: [u64; 2],
}

const FILES: u64 = 0x7f;
const BOARD: u64 = 0x7f7f_7f7f_7f7f;

fn has_four(stones: u64) -> bool {
    [1, 7, 8, 9].iter().any(|step| {
        let pairs = stones & stones >> step;
        pairs & pairs >> (2 * step) != 0
    })
}

impl Game for ConnectFour {
    type Move = Square;

    fn to_move(&self) -> Side {
        let [first, second] = self.stones.map(u64::count_ones);
        if first == second { Side::First } else { Side::Second }
    }

    fn legal_moves(&self, moves: &mut Vec<Square>) {
        let taken = self.stones[0] | self.stones[1];
        moves.extend(squares((taken << 8 | FILES) & BOARD & !taken));
    }

    fn play(&mut self, m: Square) {
        self.stones[self.to_move().index()] |= m.bit();
    }

    fn outcome(&self) -> Option<Outcome> {
        let winner = !self.to_move();
        match self.stones[0] | self.stones[1] {
            _ if has_four(self.stones[winner.index()]) => Some(Outcome::Win(winner)),
            BOARD => Some(Outcome::Draw),
            _ => None,
        }
    }
}

impl Hashed for ConnectFour {}
impl Repetition for ConnectFour {}
impl Symmetric for ConnectFour {}

impl Notation for ConnectFour {
    fn position_text(&self) -> String {
        let diagram = Diagram { size: size(), men: self.stones, to_move: self.to_move() };
        diagram.text(Letters::BLACK_FIRST)
    }

    fn parse_position(&self, text: &str) -> Result<Self, PositionError> {
        let diagram = Diagram::parse(text, Letters::BLACK_FIRST)?;
        let position = ConnectFour { stones: diagram.men };
        let (taken, [first, second]) =
            (diagram.men[0] | diagram.men[1], diagram.men.map(u64::count_ones));
        let problem = if diagram.size != size() {
            "expected 7 files and 6 ranks"
        } else if (taken >> 8) & !taken != 0 {
            "a stone hangs in the air"
        } else if !(first == second || first == second + 1)
            || position.to_move() != diagram.to_move
            || has_four(diagram.men[diagram.to_move.index()])
        {
            "no game leads here"
        } else {
            return Ok(position);
        };
        Err(PositionError::new(text, problem))
    }

    fn move_text(&self, m: Square) -> String {
        m.to_string()
    }

    /// The square where the stone lands, or the letter of its file.
    fn parse_move(&self, text: &str) -> Result<Square, MoveError> {
        let mut moves = Vec::new();
        if self.outcome().is_none() {
            self.legal_moves(&mut moves);
        }
        let is_named = |m: &Square| {
            let name = m.to_string();
            name == text || name.starts_with(text) && text.len() == 1
        };
        moves
            .into_iter()
            .find(is_named)
            .ok_or_else(|| MoveError::new(text, "not a legal move here"))
    }
}

fn size() -> Size {
    Size::new(7, 6).unwrap_or(Size::EIGHT)
}
