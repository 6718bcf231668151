//! A position as squares and men, for a page that knows no rules.
//!
//! Every game writes its positions the same way: ranks from the highest, digits for empty squares,
//! letters for men (`spinney_games::board::Diagram`, FEN). So the board is read from that text.

use serde::Serialize;
use spinney_games::board::Square;
use spinney_games::catalog::GameSpec;

/// What the boards of a game look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Look {
    /// How men are drawn.
    pub style: Style,
    /// What the sides are called, the one that moves first in front.
    pub sides: [&'static str; 2],
    /// Their letters in positions; chess has capital and small ones instead.
    #[serde(skip)]
    letters: [char; 2],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Style {
    /// Draughtsmen, whose groups matter.
    Loa,
    /// Draughtsmen.
    Men,
    Chess,
    Knights,
    Dominoes,
    /// Stones on the crossings of lines.
    Stones,
    /// Crosses and noughts.
    Marks,
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
    pub(crate) fn of(game: &GameSpec) -> Look {
        let name = game.entry().name;
        let look = |style, sides, letters| Look { style, sides, letters };
        const BLACK_FIRST: [&str; 2] = ["Black", "White"];
        const WHITE_FIRST: [&str; 2] = ["White", "Black"];
        match name.strip_suffix("-misere").unwrap_or(name) {
            "chess" => look(Style::Chess, WHITE_FIRST, ['\0', '\0']),
            "loa" | "loa6" => look(Style::Loa, BLACK_FIRST, ['x', 'o']),
            "breakthrough" => look(Style::Men, WHITE_FIRST, ['o', 'x']),
            "knightthrough" => look(Style::Knights, WHITE_FIRST, ['o', 'x']),
            "domineering" => look(Style::Dominoes, ["Vertical", "Horizontal"], ['x', 'o']),
            "tictactoe" => look(Style::Marks, ["Crosses", "Noughts"], ['x', 'o']),
            _ => look(Style::Stones, BLACK_FIRST, ['x', 'o']),
        }
    }
}

impl Board {
    /// Reads the first field of a position.
    pub(crate) fn read(look: Look, position: &str) -> Board {
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
                let (side, kind) = match look.style {
                    Style::Chess => (letter.is_ascii_lowercase(), letter.to_ascii_lowercase()),
                    _ => (letter == look.letters[1], 'm'),
                };
                let square = Square::at(file as u8, rank as u8).to_string();
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
    use super::*;

    #[test]
    fn men_stand_where_the_text_says() {
        let loa: GameSpec = "loa6".parse().unwrap();
        let board = Board::read(Look::of(&loa), "1xx3/6/6/o5/6/5x b");
        let men: Vec<_> = board.men.iter().map(|man| (man.square.as_str(), man.side)).collect();
        assert_eq!(men, [("f1", 0), ("a3", 1), ("b6", 0), ("c6", 0)]);
        assert_eq!((board.width, board.height), (6, 6));
        let chess: GameSpec = "chess".parse().unwrap();
        let board = Board::read(Look::of(&chess), "k7/8/8/8/8/8/8/6QK w - - 0 1");
        let men: Vec<_> = board.men.iter().map(|man| (man.kind, man.side)).collect();
        assert_eq!(men, [('q', 0), ('k', 0), ('k', 1)]);
        let race: GameSpec = "breakthrough-misere:3x4".parse().unwrap();
        let board = Board::read(Look::of(&race), "xxx/3/3/ooo w");
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
