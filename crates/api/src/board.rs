//! A position as squares and men, for a page that knows no rules.
//!
//! Every game writes its positions the same way: ranks from the highest, digits for empty squares,
//! letters for men (`spinney_games::board::Diagram`, FEN). So the board is read from that text.

use serde::Serialize;
use spinney_session::{BoardInfo, BoardStyle, GameInfo, RecordFormat};

/// What the boards of a game look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Look {
    /// How men are drawn.
    pub style: &'static str,
    /// What the sides are called, the one that moves first in front.
    pub sides: [&'static str; 2],
    /// Whether the men of the first side are the light ones.
    light_first: bool,
    /// How its games are written to files.
    record: &'static str,
    /// The letters of positions, for an editor.
    letters: Letters,
}

/// The letters of positions, of both sides each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
struct Letters {
    /// Their men; chess has capital and small ones instead.
    men: [char; 2],
    /// Whose turn it is.
    turn: [char; 2],
}

/// A man.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Man {
    pub square: String,
    /// 0 for the side that moves first, else 1.
    pub side: u8,
    /// Its letter in FEN, in lower case; `m` where all men are alike.
    pub kind: char,
}

/// A position as squares and men.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Board {
    pub width: usize,
    pub height: usize,
    pub men: Vec<Man>,
}

impl Look {
    pub(crate) fn of(info: &GameInfo) -> Look {
        let BoardInfo { style, men, turn, light_first } = info.board;
        let letters = Letters { men, turn };
        let record = match info.record {
            RecordFormat::Pgn => "pgn",
            RecordFormat::Sgf => "sgf",
            RecordFormat::Text => "text",
        };
        Look { style: style.name(), sides: info.sides, light_first, record, letters }
    }
}

impl Board {
    /// Reads the first field of a position.
    pub(crate) fn read(info: &BoardInfo, position: &str) -> Board {
        let field = position.split(' ').next().unwrap_or_default();
        let ranks: Vec<&str> = field.split('/').collect();
        let mut board = Board { width: 0, height: ranks.len(), men: Vec::new() };
        for (rank, text) in ranks.iter().rev().enumerate() {
            let mut file = 0;
            for letter in text.chars() {
                if let Some(empty) = letter.to_digit(10) {
                    file += empty as usize;
                    continue;
                }
                let (side, kind) = match info.style {
                    BoardStyle::Chess => (letter.is_ascii_lowercase(), letter.to_ascii_lowercase()),
                    _ => (letter == info.men[1], 'm'),
                };
                let square = format!("{}{}", (b'a' + file as u8) as char, rank + 1);
                board.men.push(Man { square, side: side.into(), kind });
                file += 1;
            }
            board.width = board.width.max(file);
        }
        board
    }
}

/// The squares that a move names, in its order: origin and target, or all that it covers.
pub(crate) fn squares_of(text: &str) -> Vec<String> {
    let bytes = text.as_bytes();
    let is_square = |pair: &[u8]| matches!(pair, [b'a'..=b'h', b'1'..=b'8']);
    bytes
        .windows(2)
        .filter(|pair| is_square(pair))
        .map(|pair| String::from_utf8_lossy(pair).into_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use spinney_session::Registry;

    use super::*;

    #[test]
    fn men_stand_where_the_text_says() {
        let info = |name: &str| Registry::builtin().game(name).unwrap().info().board;
        let board = Board::read(&info("loa6"), "1xx3/6/6/o5/6/5x b");
        let men: Vec<_> = board.men.iter().map(|man| (man.square.as_str(), man.side)).collect();
        assert_eq!(men, [("f1", 0), ("a3", 1), ("b6", 0), ("c6", 0)]);
        assert_eq!((board.width, board.height), (6, 6));
        let board = Board::read(&info("chess"), "k7/8/8/8/8/8/8/6QK w - - 0 1");
        let men: Vec<_> = board.men.iter().map(|man| (man.kind, man.side)).collect();
        assert_eq!(men, [('q', 0), ('k', 0), ('k', 1)]);
        let board = Board::read(&info("breakthrough-misere:3x4"), "xxx/3/3/ooo w");
        assert_eq!((board.width, board.height, board.men[0].side), (3, 4, 0));
    }

    #[test]
    fn moves_name_their_squares() {
        assert_eq!(squares_of("d3xf5"), ["d3", "f5"]);
        assert_eq!(squares_of("e7e8q"), ["e7", "e8"]);
        assert_eq!(squares_of("c4"), ["c4"]);
        assert!(squares_of("pass").is_empty());
    }
}
