//! Portable Game Notation: games of chess with comments, judgements and variations.
//!
//! Reading follows the import format: any white space, `;` and `{}` comments, lines escaped by `%`,
//! `$n` and `!?` for judgements, move numbers or none, variations inside variations, moves in SAN as
//! people write it. Writing is the export format: the seven tags first, lines of at most 80 columns.
//!
//! Null moves (`--`) are not moves and are refused. A game may go on after a third repetition, which
//! players need not claim, but not after the other ends.

use std::fmt::{self, Write};

use spinney_game::{Game, Notation, Side};
use spinney_games::chess::{Chess, Move};
use thiserror::Error;

/// A game.
#[derive(Clone, Debug, PartialEq)]
pub struct PgnGame {
    /// The tags in the order of the file: name, value.
    pub tags: Vec<(String, String)>,
    /// Where it begins.
    pub start: Chess,
    /// What was played.
    pub line: Line,
    /// How it ended.
    pub result: PgnResult,
}

/// Moves from a position on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// What is said before the first move.
    pub comment: String,
    /// The moves.
    pub moves: Vec<PgnMove>,
}

/// A move, and what is said of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnMove {
    /// The move.
    pub m: Move,
    /// Judgements by their numbers: 1 for `!`, 2 for `?`.
    pub nags: Vec<u8>,
    /// What is said after it.
    pub comment: String,
    /// What could have been played instead.
    pub variations: Vec<Line>,
}

/// How a game ended, as the last word says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PgnResult {
    /// `1-0`
    White,
    /// `0-1`
    Black,
    /// `1/2-1/2`
    Draw,
    /// `*`
    #[default]
    Unknown,
}

/// A text that is not PGN, and where it stops being so.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("PGN, line {line}: {problem}")]
pub struct PgnError {
    line: usize,
    problem: String,
}

/// The tags that every game has, in their order, with what they are if nothing is known.
const ROSTER: [(&str, &str); 6] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
];
/// The judgements that have signs, by their numbers from 1.
const SIGNS: [&str; 6] = ["!", "?", "!!", "??", "!?", "?!"];
/// The longest line that is written.
const WIDTH: usize = 80;
/// More variations inside each other than any game has; deeper files are refused.
const DEEPEST: usize = 100;

impl PgnResult {
    const ALL: [PgnResult; 4] =
        [PgnResult::White, PgnResult::Black, PgnResult::Draw, PgnResult::Unknown];

    /// The word for it.
    pub fn text(self) -> &'static str {
        match self {
            PgnResult::White => "1-0",
            PgnResult::Black => "0-1",
            PgnResult::Draw => "1/2-1/2",
            PgnResult::Unknown => "*",
        }
    }

    fn parse(word: &str) -> Option<PgnResult> {
        PgnResult::ALL.into_iter().find(|result| result.text() == word)
    }
}

impl PgnGame {
    /// A game without moves.
    pub fn new(start: Chess) -> Self {
        PgnGame { tags: Vec::new(), start, line: Line::default(), result: PgnResult::Unknown }
    }

    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The moves of the main line.
    pub fn moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.line.moves.iter().map(|played| played.m)
    }
}

impl From<Move> for PgnMove {
    fn from(m: Move) -> Self {
        PgnMove { m, nags: Vec::new(), comment: String::new(), variations: Vec::new() }
    }
}

/// Reads all games of a file.
pub fn parse(text: &str) -> Result<Vec<PgnGame>, PgnError> {
    match read(text) {
        (games, None) => Ok(games),
        (_, Some(error)) => Err(error),
    }
}

/// Reads the games of a file up to its first mistake; the game with the mistake ends there.
pub fn read(text: &str) -> (Vec<PgnGame>, Option<PgnError>) {
    let mut reader = Reader { text, at: 0 };
    let mut games = Vec::new();
    let end = reader.games(&mut games);
    (games, end.err())
}

/// A piece of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Token<'a> {
    /// `[`
    Tag,
    /// `(`
    Open,
    /// `)`
    Close,
    /// A comment, without its braces.
    Comment(&'a str),
    /// `$5`
    Nag(u8),
    /// A move, a number of one, a result, a sign.
    Word(&'a str),
    End,
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn error(&self, problem: impl Into<String>) -> PgnError {
        let line = 1 + self.text[..self.at].matches('\n').count();
        PgnError { line, problem: problem.into() }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Up to and without `end`, which is skipped.
    fn take_until(&mut self, end: char) -> Option<&'a str> {
        let (taken, _) = self.rest().split_once(end)?;
        self.at += taken.len() + end.len_utf8();
        Some(taken)
    }

    fn take_line(&mut self) -> &'a str {
        let line = self.rest().split('\n').next().unwrap_or_default();
        self.at = (self.at + line.len() + 1).min(self.text.len());
        line
    }

    fn peek_token(&mut self) -> Result<Token<'a>, PgnError> {
        self.skip_blanks();
        let at = self.at;
        let token = self.token();
        self.at = at;
        token
    }

    /// White space, and lines that a `%` in their first column escapes.
    fn skip_blanks(&mut self) {
        loop {
            let blank =
                self.rest().trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
            self.at = self.text.len() - blank.len();
            if !(blank.starts_with('%') && (self.at == 0 || self.text[..self.at].ends_with('\n'))) {
                return;
            }
            self.take_line();
        }
    }

    fn token(&mut self) -> Result<Token<'a>, PgnError> {
        self.skip_blanks();
        let Some(first) = self.rest().chars().next() else { return Ok(Token::End) };
        let single = match first {
            '[' => Some(Token::Tag),
            '(' => Some(Token::Open),
            ')' => Some(Token::Close),
            _ => None,
        };
        if let Some(token) = single {
            self.at += 1;
            return Ok(token);
        }
        match first {
            '{' => {
                self.at += 1;
                match self.take_until('}') {
                    Some(comment) => Ok(Token::Comment(comment)),
                    None => Err(self.error("a comment has no end: '}' is missing")),
                }
            }
            ';' => {
                self.at += 1;
                Ok(Token::Comment(self.take_line()))
            }
            '$' => {
                let digits = self.word(|c| c == '$' || c.is_ascii_digit());
                let number = digits[1..].parse();
                number.map(Token::Nag).map_err(|_| self.error(format!("{digits}: no judgement")))
            }
            '!' | '?' => Ok(Token::Word(self.word(|c| matches!(c, '!' | '?')))),
            _ => {
                // The dots after a number end it: `1.e4`, `1...e5`.
                let word = self.word(|c| {
                    !c.is_whitespace()
                        && !matches!(c, '(' | ')' | '{' | '}' | ';' | '$' | '!' | '?' | '.' | '[')
                });
                if word.is_empty() {
                    self.at += first.len_utf8();
                    return match first {
                        '.' => Ok(Token::Word(".")),
                        _ => Err(self.error(format!("{first:?} does not belong here"))),
                    };
                }
                Ok(Token::Word(word))
            }
        }
    }

    fn word(&mut self, belongs: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c| !belongs(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn games(&mut self, games: &mut Vec<PgnGame>) -> Result<(), PgnError> {
        while self.peek_token()? != Token::End {
            let mut game = self.tags()?;
            let end = self.line(&game.start, 0, &mut game.line);
            let read = end.map(|result| game.result = result);
            games.push(game);
            read?;
        }
        Ok(())
    }

    /// The tags of a game, whose moves follow.
    fn tags(&mut self) -> Result<PgnGame, PgnError> {
        let mut tags = Vec::new();
        while self.peek_token()? == Token::Tag {
            self.token()?;
            tags.push(self.tag()?);
        }
        let fen = tags.iter().find(|(name, _)| name == "FEN").map(|(_, value)| value);
        let start = match fen {
            Some(fen) => {
                Chess::start().parse_position(fen).map_err(|error| self.error(error.to_string()))?
            }
            None => Chess::start(),
        };
        Ok(PgnGame { tags, ..PgnGame::new(start) })
    }

    /// `Name "value"]`, where a backslash escapes the next character.
    fn tag(&mut self) -> Result<(String, String), PgnError> {
        self.skip_blanks();
        let name = self.word(|c| c.is_ascii_alphanumeric() || c == '_').to_owned();
        self.skip_blanks();
        if name.is_empty() || !self.rest().starts_with('"') {
            return Err(self.error("a tag: expected [Name \"value\"]"));
        }
        self.at += 1;
        let mut value = String::new();
        let mut characters = self.rest().char_indices();
        let end = loop {
            let next = match characters.next() {
                Some((at, '"')) => break at,
                Some((_, '\\')) => characters.next(),
                other => other,
            };
            match next {
                Some((_, '\n')) | None => return Err(self.error("the value of a tag has no end")),
                Some((_, c)) => value.push(c),
            }
        };
        self.at += end + 1;
        self.skip_blanks();
        if !self.rest().starts_with(']') {
            return Err(self.error("a tag has no end: ']' is missing"));
        }
        self.at += 1;
        Ok((name, value))
    }

    /// Moves to the end of the game or, inside a variation, to its `)`. What comes before a mistake is
    /// in `line`.
    fn line(
        &mut self,
        start: &Chess,
        depth: usize,
        line: &mut Line,
    ) -> Result<PgnResult, PgnError> {
        if depth > DEEPEST {
            return Err(self.error("too many variations inside each other"));
        }
        let mut position = start.clone();
        // The position before the last move, where its variations begin.
        let mut before = start.clone();
        loop {
            match self.peek_token()? {
                // The tags of the next game end one whose result is missing.
                Token::Tag | Token::End if depth == 0 => return Ok(PgnResult::Unknown),
                Token::Tag | Token::End => {
                    return Err(self.error("a variation has no end: ')' is missing"));
                }
                _ => {}
            }
            match self.token()? {
                Token::Comment(comment) => {
                    let place = match line.moves.last_mut() {
                        Some(played) => &mut played.comment,
                        None => &mut line.comment,
                    };
                    add_comment(place, comment);
                }
                Token::Open => {
                    let mut variation = Line::default();
                    self.line(&before, depth + 1, &mut variation)?;
                    match line.moves.last_mut() {
                        Some(played) => played.variations.push(variation),
                        None => return Err(self.error("a variation without a move before it")),
                    }
                }
                Token::Close if depth > 0 => return Ok(PgnResult::Unknown),
                Token::Close => return Err(self.error("')' without '('")),
                Token::Nag(nag) => self.judge(line, nag)?,
                Token::Word(word) => {
                    if let Some(result) = PgnResult::parse(word) {
                        // Inside a variation the result is a remark on it.
                        if depth == 0 {
                            return Ok(result);
                        }
                    } else if let Some(sign) = SIGNS.iter().position(|&sign| sign == word) {
                        self.judge(line, sign as u8 + 1)?;
                    } else if word != "." && !word.bytes().all(|byte| byte.is_ascii_digit()) {
                        let m = position
                            .parse_move(word)
                            .map_err(|error| self.error(error.to_string()))?;
                        before = position.clone();
                        position.play(m);
                        line.moves.push(m.into());
                    }
                }
                Token::Tag | Token::End => {}
            }
        }
    }

    fn judge(&self, line: &mut Line, nag: u8) -> Result<(), PgnError> {
        match line.moves.last_mut() {
            Some(played) => played.nags.push(nag),
            None => return Err(self.error("a judgement without a move before it")),
        }
        Ok(())
    }
}

/// Several comments on one place are one; line breaks inside mean nothing.
fn add_comment(place: &mut String, comment: &str) {
    for word in comment.split_whitespace() {
        if !place.is_empty() {
            place.push(' ');
        }
        place.push_str(word);
    }
}

impl fmt::Display for PgnGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // 1. Tags: the seven that every game has, then the others.
        let is_extra =
            |name: &str| name != "Result" && ROSTER.iter().all(|&(known, _)| known != name);
        for (name, unknown) in ROSTER {
            f.write_str(&tag_line(name, self.tag(name).unwrap_or(unknown)))?;
        }
        f.write_str(&tag_line("Result", self.result.text()))?;
        let mut extra: Vec<(&str, String)> = self
            .tags
            .iter()
            .filter(|(name, _)| is_extra(name) && name != "FEN" && name != "SetUp")
            .map(|(name, value)| (name.as_str(), value.clone()))
            .collect();
        if self.start != Chess::start() {
            extra.push(("SetUp", "1".to_owned()));
            extra.push(("FEN", self.start.position_text()));
        }
        extra.iter().try_for_each(|(name, value)| f.write_str(&tag_line(name, value)))?;
        f.write_char('\n')?;
        // 2. Moves.
        let mut words = Words { text: String::new(), column: 0, depth: 0 };
        words.line(&self.line, &self.start);
        words.add(self.result.text());
        writeln!(f, "{}", words.text)
    }
}

/// A line with a tag. A value is one line.
pub fn tag_line(name: &str, value: &str) -> String {
    let value = value.replace('\n', " ").replace('\\', r"\\").replace('"', "\\\"");
    format!("[{name} \"{value}\"]\n")
}

/// Words in lines of limited width.
struct Words {
    text: String,
    column: usize,
    /// Variations that are open: each needs room for its end.
    depth: usize,
}

impl Words {
    fn add(&mut self, word: &str) {
        let length = word.chars().count();
        if self.column > 0 && self.column + 1 + length + self.depth > WIDTH {
            self.text.push('\n');
            self.column = 0;
        } else if self.column > 0 && !self.text.ends_with('(') {
            self.text.push(' ');
            self.column += 1;
        }
        self.text.push_str(word);
        self.column += length;
    }

    fn comment(&mut self, comment: &str) {
        if comment.is_empty() {
            return;
        }
        // A brace would end the comment.
        let comment = comment.replace('}', ")");
        let words: Vec<&str> = comment.split_whitespace().collect();
        for (index, word) in words.iter().enumerate() {
            let open = if index == 0 { "{" } else { "" };
            let close = if index + 1 == words.len() { "}" } else { "" };
            self.add(&format!("{open}{word}{close}"));
        }
    }

    fn line(&mut self, line: &Line, start: &Chess) {
        self.comment(&line.comment);
        let mut position = start.clone();
        // Black's move has a number only where none precedes it.
        let mut needs_number = true;
        for played in &line.moves {
            let number = position.board().fullmove_number();
            match position.to_move() {
                Side::First => self.add(&format!("{number}.")),
                Side::Second if needs_number => self.add(&format!("{number}...")),
                Side::Second => {}
            }
            self.add(&position.san(played.m));
            played.nags.iter().for_each(|nag| self.add(&format!("${nag}")));
            self.comment(&played.comment);
            for variation in &played.variations {
                self.add("(");
                self.depth += 1;
                self.line(variation, &position);
                self.depth -= 1;
                self.text.push(')');
                self.column += 1;
            }
            needs_number = !played.comment.is_empty() || !played.variations.is_empty();
            position.play(played.m);
        }
    }
}
