//! Extended Position Description: positions of chess with operations, one on a line.
//!
//! `r1bq1rk1/… w - - bm Nf3 O-O; id "test 1";`: the first four fields of FEN, then operations, each a
//! name, operands and a semicolon.

use std::fmt;

use spinney_game::{MoveError, Notation};
use spinney_games::chess::{Chess, Move};
use thiserror::Error;

/// A position with operations.
#[derive(Clone, Debug, PartialEq)]
pub struct Epd {
    /// The position. Its counters come from `hmvc` and `fmvn`, where they are given.
    pub position: Chess,
    /// The operations in their order: name, operands.
    pub operations: Vec<(String, Vec<String>)>,
}

/// A line that is not EPD, and why.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("EPD: {0}")]
pub struct EpdError(String);

impl Epd {
    /// Reads a line.
    pub fn parse(line: &str) -> Result<Epd, EpdError> {
        // 1. Four fields.
        let mut rest = line.trim();
        let mut fields = Vec::new();
        for _ in 0..4 {
            let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
            fields.push(&rest[..end]);
            rest = rest[end..].trim_start();
        }
        // 2. Operations.
        let mut operations: Vec<(String, Vec<String>)> = Vec::new();
        while !rest.is_empty() {
            let (operation, after) = read_operation(rest)?;
            operations.push(operation);
            rest = after.trim_start();
        }
        // 3. The counters of FEN are operations here.
        let operand = |name: &str, default: &'static str| {
            let found = operations.iter().find(|(known, _)| known == name);
            found.and_then(|(_, operands)| operands.first()).cloned().unwrap_or(default.to_owned())
        };
        let fen = format!("{} {} {}", fields.join(" "), operand("hmvc", "0"), operand("fmvn", "1"));
        let position =
            Chess::start().parse_position(&fen).map_err(|error| EpdError(error.to_string()))?;
        Ok(Epd { position, operations })
    }

    /// The operands of an operation, if it is there.
    pub fn operands(&self, name: &str) -> Option<&[String]> {
        let (_, operands) = self.operations.iter().find(|(known, _)| known == name)?;
        Some(operands)
    }

    /// The operands of an operation as moves: `bm`, the best ones, or `am`, those to avoid. Empty if
    /// it is not there.
    pub fn moves(&self, name: &str) -> Result<Vec<Move>, MoveError> {
        let operands = self.operands(name).unwrap_or_default();
        operands.iter().map(|text| self.position.parse_move(text)).collect()
    }
}

/// `name operand operand;`, where an operand may be in quotes. The last semicolon may be missing.
fn read_operation(text: &str) -> Result<((String, Vec<String>), &str), EpdError> {
    let mut words = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        if let Some(quoted) = rest.strip_prefix('"') {
            let (word, after) = quoted
                .split_once('"')
                .ok_or_else(|| EpdError(format!("{text:?}: a quote has no end")))?;
            words.push(word.to_owned());
            rest = after;
        } else if let Some(after) = rest.strip_prefix(';') {
            rest = after;
            break;
        } else if rest.is_empty() {
            break;
        } else {
            let ends = |c: char| c.is_whitespace() || matches!(c, ';' | '"');
            let end = rest.find(ends).unwrap_or(rest.len());
            words.push(rest[..end].to_owned());
            rest = &rest[end..];
        }
    }
    if words.is_empty() || text.starts_with('"') {
        return Err(EpdError(format!("{text:?}: expected the name of an operation")));
    }
    let name = words.remove(0);
    Ok(((name, words), rest))
}

impl fmt::Display for Epd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fen = self.position.position_text();
        let fields: Vec<&str> = fen.split(' ').take(4).collect();
        f.write_str(&fields.join(" "))?;
        for (name, operands) in &self.operations {
            write!(f, " {name}")?;
            for operand in operands {
                // Numbers and moves need no quotes.
                let plain = |c: char| c.is_ascii_alphanumeric() || "+-=#.".contains(c);
                let is_text = matches!(name.as_bytes(), [b'c' | b'v', b'0'..=b'9'] | b"id");
                if is_text || operand.is_empty() || !operand.chars().all(plain) {
                    write!(f, " \"{operand}\"")?;
                } else {
                    write!(f, " {operand}")?;
                }
            }
            f.write_str(";")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn real_lines_are_read_and_written() {
        for (line, moves) in [
            (r#"1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id "BK.01";"#, "d6d1"),
            (
                r#"r1b1kb1r/3q1ppp/pBp1pn2/8/Np3P2/5B2/PPP3PP/R2Q1RK1 w kq - bm Nc5 Bxc6; id "x; y";"#,
                "a4c5 f3c6",
            ),
            ("8/8/8/8/8/6k1/5p2/7K b - - hmvc 12; fmvn 60;", ""),
            (r#"4k3/8/8/8/8/8/4P3/4K3 w - - c0 "a comment"; ce 120; dm 3;"#, ""),
            ("4k3/8/8/8/8/8/4P3/4K3 w - -", ""),
        ] {
            let epd = Epd::parse(line).unwrap();
            assert_eq!(epd.to_string(), line);
            let found: Vec<String> =
                epd.moves("bm").unwrap().iter().map(|&m| epd.position.move_text(m)).collect();
            assert_eq!(found.join(" "), moves);
        }
        let epd = Epd::parse("8/8/8/8/8/6k1/5p2/7K b - -   hmvc 12;fmvn 60").unwrap();
        assert!(epd.position.position_text().ends_with(" 12 60"));
        assert_eq!(epd.operands("id"), None);
    }

    #[test]
    fn mistakes_are_explained() {
        let message = |line: &str| Epd::parse(line).unwrap_err().to_string();
        assert!(message("").contains("position"));
        assert!(message("8/8 w - -").contains("ranks"));
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        assert!(message(&format!("{start} id \"x")).contains("no end"));
        assert!(message(&format!("{start} ;")).contains("name of an operation"));
        assert!(message(&format!("{start} hmvc x;")).contains("half-move clock"));
        assert!(message(&format!("{start} \"a b\" c;")).contains("name of an operation"));
        // A quote begins an operand also without a blank before it.
        assert!(message(&format!("{start} id x\";")).contains("no end"));
        let epd = Epd::parse(&format!("{start} bm Qh5;")).unwrap();
        assert!(epd.moves("bm").is_err());
    }
}
