//! The Smart Game Format (`FF[1]` to `FF[4]`): text to a tree of nodes, and the beginnings of a text.
//!
//! Deviations that the archives have and this reader allows: property names with small letters in
//! them (`GaMe`, `SetUp`; `FF[1]` to `FF[3]` ignore small letters), text between games, a file that is
//! not UTF-8. For their sake it is written by hand.

use thiserror::Error;

/// A node: properties in the order of the file. A property may have several values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    properties: Vec<(String, Vec<String>)>,
}

impl Node {
    /// The properties in the order of the file: name, values.
    pub fn properties(&self) -> &[(String, Vec<String>)] {
        &self.properties
    }

    /// The first value of a property.
    pub fn value(&self, name: &str) -> Option<&str> {
        let (_, values) = self.properties.iter().find(|(known, _)| known == name)?;
        values.first().map(String::as_str)
    }

    /// The judgement of the move by its number in PGN: 1 for `!`, 2 for `?`.
    pub fn judgement(&self) -> Option<u8> {
        let stands = |&&(_, name, value): &&(u8, &str, &str)| {
            // `TE[]` and `BM[]` of old files are the plain ones.
            let plain = |text| if text == "2" { "2" } else { "1" };
            self.value(name).is_some_and(|text| value.is_empty() || plain(text) == value)
        };
        JUDGEMENTS.iter().find(stands).map(|&(nag, ..)| nag)
    }
}

/// Judgements: the number in PGN, the property, its value.
const JUDGEMENTS: [(u8, &str, &str); 6] =
    [(1, "TE", "1"), (2, "BM", "1"), (3, "TE", "2"), (4, "BM", "2"), (5, "IT", ""), (6, "DO", "")];

/// The property of a judgement, such as `TE[1]`; `None` if SGF has none for it.
pub fn judgement(nag: u8) -> Option<String> {
    let (_, name, value) = JUDGEMENTS.iter().find(|(known, ..)| *known == nag)?;
    Some(format!("{name}[{value}]"))
}

/// A game: a sequence of nodes, then variations, the first of which is the main line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameTree {
    /// The nodes before the first variation.
    pub nodes: Vec<Node>,
    /// What may follow them.
    pub variations: Vec<GameTree>,
}

impl GameTree {
    /// The nodes of the main line.
    pub fn main_line(&self) -> Vec<&Node> {
        let mut nodes = Vec::new();
        let mut tree = Some(self);
        while let Some(part) = tree {
            nodes.extend(&part.nodes);
            tree = part.variations.first();
        }
        nodes
    }
}

/// The number of LOA.
pub const LOA: &str = "9";
/// Our own properties: the game with its options, and where it starts.
pub const GAME: &str = "XSG";
/// See [`GAME`].
pub const START: &str = "XSP";

/// The first node of a text, without its end.
pub fn begin(game: &str, start: Option<&str>) -> String {
    let mut text = "(;FF[4]CA[UTF-8]AP[Spinney]".to_owned();
    if game.starts_with("loa") {
        let is_scrambled = game.contains("scrambled-eggs");
        let setup = if is_scrambled { "Scrambled-eggs" } else { "Standard" };
        text += &format!("GM[{LOA}]SU[{setup}]");
    }
    text += &format!("{GAME}[{}]", escaped(game));
    if let Some(start) = start {
        text += &format!("{START}[{}]", escaped(start));
    }
    text
}

/// A text as the value of a property.
pub fn escaped(text: &str) -> String {
    text.replace('\\', r"\\").replace(']', r"\]")
}

/// A text that is not SGF, and where it stops being so.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("SGF, line {line}: {problem}")]
pub struct SgfError {
    line: usize,
    problem: &'static str,
}

/// More variations inside each other than any game has; deeper files are refused.
const DEEPEST: usize = 1000;

/// Reads all games of a file.
pub fn parse(text: &str) -> Result<Vec<GameTree>, SgfError> {
    match read(text) {
        (games, None) => Ok(games),
        (_, Some(error)) => Err(error),
    }
}

/// Reads the games of a file up to its first mistake; the game with the mistake ends there.
pub fn read(text: &str) -> (Vec<GameTree>, Option<SgfError>) {
    let mut reader = Reader { text, at: 0 };
    let mut games = Vec::new();
    // What is not a game, between games, is a remark.
    while reader.skip_to('(') {
        let mut game = GameTree::default();
        let end = reader.game_tree(DEEPEST, &mut game);
        games.push(game);
        if let Err(error) = end {
            return (games, Some(error));
        }
    }
    (games, None)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next)
    }

    fn skip_white_space(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.next();
        }
    }

    fn skip_to(&mut self, wanted: char) -> bool {
        match self.text[self.at..].find(wanted) {
            Some(offset) => {
                self.at += offset;
                true
            }
            None => false,
        }
    }

    fn error(&self, problem: &'static str) -> SgfError {
        let line = 1 + self.text[..self.at].matches('\n').count();
        SgfError { line, problem }
    }

    /// `( node node … variation variation … )`; what comes before a mistake is in `tree`.
    fn game_tree(&mut self, deepest: usize, tree: &mut GameTree) -> Result<(), SgfError> {
        if deepest == 0 {
            return Err(self.error("too many variations inside each other"));
        }
        self.next();
        loop {
            self.skip_white_space();
            match self.peek() {
                Some(';') => {
                    self.next();
                    tree.nodes.push(self.node()?);
                }
                Some('(') => {
                    let mut variation = GameTree::default();
                    let end = self.game_tree(deepest - 1, &mut variation);
                    tree.variations.push(variation);
                    end?;
                }
                Some(')') => {
                    self.next();
                    return Ok(());
                }
                Some(_) => return Err(self.error("expected ';', '(' or ')'")),
                None => return Err(self.error("the game has no end: ')' is missing")),
            }
        }
    }

    /// `NAME[value][value] NAME[value] …`
    fn node(&mut self) -> Result<Node, SgfError> {
        let mut node = Node::default();
        loop {
            self.skip_white_space();
            if !self.peek().is_some_and(|c| c.is_ascii_alphabetic()) {
                return Ok(node);
            }
            let mut name = String::new();
            while let Some(letter) = self.peek().filter(char::is_ascii_alphanumeric) {
                if !letter.is_ascii_lowercase() {
                    name.push(letter);
                }
                self.next();
            }
            if name.is_empty() {
                return Err(self.error("the name of a property has no capital letter"));
            }
            let mut values = Vec::new();
            loop {
                self.skip_white_space();
                if self.peek() != Some('[') {
                    break;
                }
                values.push(self.value()?);
            }
            if values.is_empty() {
                return Err(self.error("a property without a value"));
            }
            node.properties.push((name, values));
        }
    }

    /// `[text]`, where `\` escapes the next character.
    fn value(&mut self) -> Result<String, SgfError> {
        self.next();
        let mut value = String::new();
        loop {
            match self.next() {
                Some(']') => return Ok(value),
                Some('\\') => match self.next() {
                    Some('\n') | None => {}
                    Some(escaped) => value.push(escaped),
                },
                Some(other) => value.push(other),
                None => return Err(self.error("a value has no end: ']' is missing")),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_nodes_variations_and_escapes() {
        let games = parse(
            "remark (;GaMe[9]SZ[8];B[b1-b3]C[a \\] b](;W[a2-c2])(;W[a3-c3];B[c1-c3])) (;GM[9])",
        )
        .unwrap();
        assert_eq!(games.len(), 2);
        assert_eq!(games[0].nodes[0].value("GM"), Some("9"));
        assert_eq!(games[0].nodes[1].value("C"), Some("a ] b"));
        let line: Vec<_> = games[0].main_line().iter().map(|node| node.value("W")).collect();
        assert_eq!(line, [None, None, Some("a2-c2")]);
        assert_eq!(games[0].variations.len(), 2);
    }

    #[test]
    fn judgements_are_read_and_written() {
        for nag in 1..=6 {
            let games = parse(&format!("(;B[d1-d3]{})", judgement(nag).unwrap())).unwrap();
            assert_eq!(games[0].nodes[0].judgement(), Some(nag));
        }
        assert_eq!(judgement(7), None);
        assert_eq!(parse("(;TE[])").unwrap()[0].nodes[0].judgement(), Some(1));
    }

    #[test]
    fn what_comes_before_a_mistake_is_read() {
        let (games, error) = read("(;GM[9];B[d1-d3](;W[a4-c4];B[c1");
        assert_eq!(error.unwrap().to_string(), "SGF, line 1: a value has no end: ']' is missing");
        assert_eq!(games[0].main_line().len(), 3);
    }

    #[test]
    fn mistakes_have_a_line() {
        let message = |text| parse(text).unwrap_err().to_string();
        assert_eq!(message("(;GM[9]\n;B[b1"), "SGF, line 2: a value has no end: ']' is missing");
        assert_eq!(message("(;GM[9]"), "SGF, line 1: the game has no end: ')' is missing");
        assert_eq!(message("(;GM)"), "SGF, line 1: a property without a value");
        let nameless = "SGF, line 1: the name of a property has no capital letter";
        assert_eq!(message("(;gm[9])"), nameless);
        assert!(message(&"(".repeat(2000)).contains("too many variations"));
    }
}
