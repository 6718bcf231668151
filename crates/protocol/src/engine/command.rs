//! What an engine hears: a line of UCI or UGI as a command.

use std::time::Duration;

use crate::Dialect;

/// A command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// The greeting: `uci` or `ugi`.
    Hello,
    Debug(bool),
    IsReady,
    SetOption {
        name: String,
        value: Option<String>,
    },
    NewGame,
    /// A position as text, or the start, and the moves from there.
    Position {
        position: Option<String>,
        moves: Vec<String>,
    },
    Go(Box<Go>),
    Stop,
    PonderHit,
    /// A question of UGI.
    Query(String),
    Quit,
}

/// How to search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Go {
    /// Time left, the first side first.
    pub(super) clocks: [Option<Duration>; 2],
    pub(super) increments: [Duration; 2],
    pub(super) moves_to_go: Option<u32>,
    pub(super) move_time: Option<Duration>,
    pub(super) nodes: Option<u64>,
    pub(super) depth: Option<u32>,
    /// Search for a mate in this many moves.
    pub(super) mate: Option<u32>,
    pub(super) infinite: bool,
    pub(super) ponder: bool,
    /// Only these moves, if there are any.
    pub(super) search_moves: Vec<String>,
}

impl Command {
    /// Reads a line. As UCI wants it, words that are unknown at the start are skipped, and a line
    /// without a known word is no command.
    pub(super) fn parse(dialect: Dialect, line: &str) -> Option<Command> {
        let mut words = line.split_whitespace();
        loop {
            let word = words.next()?;
            let command = match word {
                _ if word == dialect.hello() => Some(Command::Hello),
                _ if word == dialect.new_game() => Some(Command::NewGame),
                "debug" => match words.clone().next() {
                    Some("off") => Some(Command::Debug(false)),
                    _ => Some(Command::Debug(true)),
                },
                "isready" => Some(Command::IsReady),
                "setoption" => parse_option(words.clone()),
                "position" => parse_position(words.clone()),
                "go" => Some(Command::Go(Box::new(parse_go(dialect, words.clone())))),
                "stop" => Some(Command::Stop),
                "ponderhit" => Some(Command::PonderHit),
                "query" if dialect == Dialect::Ugi => {
                    Some(Command::Query(words.clone().next().unwrap_or_default().to_owned()))
                }
                "quit" => Some(Command::Quit),
                _ => None,
            };
            if command.is_some() {
                return command;
            }
        }
    }
}

/// `name N [value V]`, where both may have blanks in them.
fn parse_option<'a>(mut words: impl Iterator<Item = &'a str>) -> Option<Command> {
    words.next().filter(|&word| word == "name")?;
    let words: Vec<&str> = words.collect();
    let (name, value) = match words.iter().position(|&word| word == "value") {
        Some(at) => (&words[..at], Some(words[at + 1..].join(" "))),
        None => (&words[..], None),
    };
    Some(Command::SetOption { name: name.join(" "), value })
}

/// `startpos [moves …]` or `fen P [moves …]`.
fn parse_position<'a>(mut words: impl Iterator<Item = &'a str>) -> Option<Command> {
    let kind = words.next()?;
    let mut before: Vec<&str> = words.by_ref().take_while(|&word| word != "moves").collect();
    let position = match kind {
        "startpos" => {
            before.clear();
            None
        }
        "fen" => Some(before.join(" ")),
        _ => return None,
    };
    Some(Command::Position { position, moves: words.map(str::to_owned).collect() })
}

fn parse_go<'a>(dialect: Dialect, words: impl Iterator<Item = &'a str>) -> Go {
    let (clocks, increments) = (dialect.clocks(), dialect.increments());
    let mut words = words.peekable();
    let mut go = Go::default();
    while let Some(word) = words.next() {
        let side = |names: [&str; 2]| names.iter().position(|&name| name == word);
        // A word that should be a number and is none is read as the next word instead.
        let mut number = || {
            let number: i64 = words.peek()?.parse().ok()?;
            words.next();
            // A clock can be below zero.
            Some(number.max(0).unsigned_abs())
        };
        let small = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        match word {
            "infinite" => go.infinite = true,
            "ponder" => go.ponder = true,
            "movetime" => go.move_time = number().map(Duration::from_millis),
            "movestogo" => go.moves_to_go = number().map(small),
            "nodes" => go.nodes = number(),
            "depth" => go.depth = number().map(small),
            "mate" => go.mate = number().map(small),
            "searchmoves" => {
                let is_move = |word: &&str| !is_go_word(dialect, word);
                while let Some(m) = words.next_if(is_move) {
                    go.search_moves.push(m.to_owned());
                }
            }
            _ => {
                if let Some(side) = side(clocks) {
                    go.clocks[side] = number().map(Duration::from_millis);
                } else if let Some(side) = side(increments) {
                    go.increments[side] = number().map_or(Duration::ZERO, Duration::from_millis);
                }
            }
        }
    }
    go
}

/// Whether a word of `go` is none of the moves of `searchmoves`.
fn is_go_word(dialect: Dialect, word: &str) -> bool {
    const WORDS: [&str; 8] =
        ["infinite", "ponder", "movetime", "movestogo", "nodes", "depth", "mate", "searchmoves"];
    WORDS.contains(&word)
        || dialect.clocks().contains(&word)
        || dialect.increments().contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uci(line: &str) -> Option<Command> {
        Command::parse(Dialect::Uci, line)
    }

    fn go(dialect: Dialect, line: &str) -> Go {
        match Command::parse(dialect, line) {
            Some(Command::Go(go)) => *go,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn unknown_words_are_skipped() {
        assert_eq!(uci("joho debug on"), Some(Command::Debug(true)));
        assert_eq!(uci("  debug\toff "), Some(Command::Debug(false)));
        for line in ["", "joho", "ugi", "uginewgame", "query p1turn", "setoption", "position"] {
            assert_eq!(uci(line), None, "{line}");
        }
        let ugi = |line| Command::parse(Dialect::Ugi, line);
        assert_eq!((ugi("ugi"), ugi("uci")), (Some(Command::Hello), None));
        assert_eq!(ugi("query p1turn"), Some(Command::Query("p1turn".to_owned())));
    }

    #[test]
    fn options_and_positions_have_blanks() {
        let option = |name: &str, value: Option<&str>| {
            Some(Command::SetOption { name: name.to_owned(), value: value.map(str::to_owned) })
        };
        assert_eq!(uci("setoption name Move Overhead value 5"), option("Move Overhead", Some("5")));
        assert_eq!(uci("setoption name Clear Hash"), option("Clear Hash", None));
        assert_eq!(uci("setoption name A value B c"), option("A", Some("B c")));
        assert_eq!(uci("setoption name A value"), option("A", Some("")));
        let position = |position: Option<&str>, moves: &[&str]| {
            let moves = moves.iter().map(|&m| m.to_owned()).collect();
            Some(Command::Position { position: position.map(str::to_owned), moves })
        };
        assert_eq!(uci("position startpos"), position(None, &[]));
        assert_eq!(uci("position startpos moves e2e4 e7e5"), position(None, &["e2e4", "e7e5"]));
        assert_eq!(uci("position fen 8/8 w - -"), position(Some("8/8 w - -"), &[]));
        assert_eq!(uci("position fen 8/8 w moves a1a2"), position(Some("8/8 w"), &["a1a2"]));
    }

    #[test]
    fn every_limit_of_go_is_read() {
        let milliseconds = |count| Some(Duration::from_millis(count));
        let clock = go(Dialect::Uci, "go wtime 1000 btime -5 winc 10 binc 20 movestogo 7");
        assert_eq!(clock.clocks, [milliseconds(1000), milliseconds(0)]);
        assert_eq!(clock.increments, [Duration::from_millis(10), Duration::from_millis(20)]);
        assert_eq!(clock.moves_to_go, Some(7));
        let ugi = go(Dialect::Ugi, "go p1time 1 p2time 2 p1inc 3 p2inc 4 wtime 9");
        assert_eq!(ugi.clocks, [milliseconds(1), milliseconds(2)]);
        assert_eq!(ugi.increments, [Duration::from_millis(3), Duration::from_millis(4)]);
        let rest = go(Dialect::Uci, "go ponder searchmoves e2e4 d2d4 nodes 5 depth 6 mate 3");
        assert_eq!((rest.ponder, rest.infinite), (true, false));
        assert_eq!(rest.search_moves, ["e2e4", "d2d4"]);
        assert_eq!((rest.nodes, rest.depth, rest.mate), (Some(5), Some(6), Some(3)));
        assert_eq!(go(Dialect::Uci, "go movetime 50").move_time, milliseconds(50));
        assert!(go(Dialect::Uci, "go infinite").infinite);
        // What is no number does not swallow the next word.
        let odd = go(Dialect::Uci, "go depth infinite nodes 99999999999999999999 movetime 3");
        assert_eq!((odd.depth, odd.infinite, odd.nodes), (None, true, None));
        assert_eq!(odd.move_time, milliseconds(3));
    }
}
