//! The board of a position as squares, for people who read text.

use std::fmt;

use spinney_game::{BoardInfo, BoardStyle, Side};

use crate::Session;

/// A board: what stands on each square. Its text has one line per rank, the highest first, and the names
/// of ranks and files at the edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagram {
    /// The highest rank first; all have the same length.
    ranks: Vec<Vec<Option<Man>>>,
}

/// A man on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Man {
    /// Whose it is.
    pub side: Side,
    /// Its letter in the text of a position.
    pub letter: char,
}

impl Session {
    /// The present board as text: its squares, or what the game draws, or the text of the position.
    pub fn board_text(&self) -> String {
        let squares = self.diagram().map(|diagram| diagram.to_string());
        squares.or_else(|| self.place().board_text()).unwrap_or_else(|| self.position_text())
    }

    /// The present board; `None` if the text of the position does not begin with one.
    pub fn diagram(&self) -> Option<Diagram> {
        Diagram::read(&self.game().info().board, &self.position_text())
    }
}

impl Diagram {
    /// Reads the first word of a position: ranks separated by slashes, digits for empty squares.
    fn read(info: &BoardInfo, position: &str) -> Option<Diagram> {
        let man = |letter: char| {
            let is_second = match info.style {
                BoardStyle::Chess if letter.is_ascii_alphabetic() => letter.is_ascii_lowercase(),
                _ => info.men.iter().position(|&man| man == letter)? == 1,
            };
            Some(Man { side: if is_second { Side::Second } else { Side::First }, letter })
        };
        let mut ranks = Vec::new();
        for text in position.split(' ').next()?.split('/') {
            let mut rank = Vec::new();
            for letter in text.chars() {
                match letter.to_digit(10) {
                    Some(empty) => rank.extend((0..empty).map(|_| None)),
                    None => rank.push(Some(man(letter)?)),
                }
            }
            ranks.push(rank);
        }
        let files = ranks[0].len();
        // A number alone is no rank of empty squares.
        let is_board = ranks.len() > 1
            && (1..=26).contains(&files)
            && ranks.iter().all(|rank| rank.len() == files);
        is_board.then_some(Diagram { ranks })
    }

    /// The number of files.
    pub fn files(&self) -> usize {
        self.ranks[0].len()
    }

    /// The number of ranks.
    pub fn ranks(&self) -> usize {
        self.ranks.len()
    }

    /// What stands on the squares, from a1, rank by rank.
    pub fn squares(&self) -> impl Iterator<Item = Option<Man>> {
        self.ranks.iter().rev().flatten().copied()
    }

    /// The board as the first word of FEN, with the letters that `letter` gives to squares.
    pub fn fen(&self, mut letter: impl FnMut(&str, Option<Man>) -> Option<char>) -> String {
        let mut text = String::new();
        for (index, rank) in self.ranks.iter().enumerate() {
            if index > 0 {
                text += "/";
            }
            let mut empty = 0;
            for (file, &man) in ('a'..='z').zip(rank) {
                let letter = letter(&format!("{file}{}", self.ranks() - index), man);
                if letter.is_some() && empty > 0 {
                    text += &std::mem::take(&mut empty).to_string();
                }
                match letter {
                    Some(letter) => text.push(letter),
                    None => empty += 1,
                }
            }
            if empty > 0 {
                text += &empty.to_string();
            }
        }
        text
    }

    /// The text, with squares written by `paint`, which gets the name of the square and what stands there.
    pub fn text(&self, mut paint: impl FnMut(&str, Option<Man>) -> String) -> String {
        let files: Vec<char> = ('a'..='z').take(self.ranks[0].len()).collect();
        let mut text = String::new();
        for (index, rank) in self.ranks.iter().enumerate() {
            let number = self.ranks.len() - index;
            text += &format!("{number:>2} ");
            for (file, &man) in files.iter().zip(rank) {
                text += " ";
                text += &paint(&format!("{file}{number}"), man);
            }
            text += "\n";
        }
        text += "   ";
        for file in files {
            text += &format!(" {file}");
        }
        text + "\n"
    }
}

/// The plain text, with dots for empty squares.
impl fmt::Display for Diagram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(|_, man| man.map_or('.', |man| man.letter).to_string()))
    }
}

#[cfg(test)]
mod tests {
    use crate::Registry;

    #[test]
    fn boards_are_drawn() {
        let registry = Registry::builtin();
        let board = |game: &str, position| {
            let session = registry.game(game).unwrap().at(Some(position)).unwrap();
            session.diagram().unwrap().to_string()
        };
        let text = " 3  x . .\n 2  . o .\n 1  . . x\n    a b c\n";
        assert_eq!(board("tictactoe", "x2/1o1/2x o"), text);
        let chess = board("chess", "k7/8/8/8/8/8/8/6QK w - - 0 1");
        assert!(chess.starts_with(" 8  k . . . . . . .\n"), "{chess}");
        assert!(chess.contains(" 1  . . . . . . Q K\n    a b c d e f g h\n"), "{chess}");
    }

    #[test]
    fn every_game_has_a_board() {
        let registry = Registry::builtin();
        for info in registry.games() {
            assert!(registry.game(info.name).unwrap().start().diagram().is_some(), "{}", info.name);
        }
    }
}
