//! What an engine hears from XBoard: a line as a command.

use std::time::Duration;

/// A command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// The version of the protocol: the client wants to know the features.
    Features,
    New,
    Variant(String),
    Quit,
    Force,
    Go,
    PlayOther,
    /// Moves to the next time, the time at the start (and then), and what a move brings.
    Level {
        moves: u32,
        start: Duration,
        increment: Duration,
    },
    /// Exactly this time for a move.
    MoveTime(Duration),
    Depth(u32),
    /// Time left on the engine's own clock.
    Time(Duration),
    Move(String),
    MoveNow,
    Ping(String),
    Position(String),
    Hint,
    /// Takes back this many plies.
    Undo(usize),
    Post(bool),
    Analyze(bool),
    Result,
    Memory(String),
    Cores(String),
    SetOption {
        name: String,
        value: String,
    },
    /// The user lifts a man: where may it go?
    Lift(String),
    /// Nothing has to be done.
    Ignored,
    Unknown,
}

impl Command {
    /// Reads a line; `None` if it is empty.
    pub(super) fn parse(line: &str) -> Option<Command> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let text = || rest.to_owned();
        let command = match word {
            "" => return None,
            "protover" => Some(Command::Features),
            "new" => Some(Command::New),
            "variant" => Some(Command::Variant(text())),
            "quit" => Some(Command::Quit),
            "force" => Some(Command::Force),
            "go" => Some(Command::Go),
            "playother" => Some(Command::PlayOther),
            "level" => parse_level(rest),
            "st" => seconds(rest).map(Command::MoveTime),
            "sd" => rest.parse().ok().map(Command::Depth),
            "time" => centiseconds(rest).map(Command::Time),
            "usermove" => Some(Command::Move(text())),
            "?" => Some(Command::MoveNow),
            "ping" => Some(Command::Ping(text())),
            "setboard" => Some(Command::Position(text())),
            "hint" => Some(Command::Hint),
            "undo" => Some(Command::Undo(1)),
            "remove" => Some(Command::Undo(2)),
            "post" => Some(Command::Post(true)),
            "nopost" => Some(Command::Post(false)),
            "analyze" => Some(Command::Analyze(true)),
            "exit" => Some(Command::Analyze(false)),
            "result" => Some(Command::Result),
            "memory" => Some(Command::Memory(text())),
            "cores" => Some(Command::Cores(text())),
            "option" => {
                let (name, value) = rest.split_once('=').unwrap_or((rest, ""));
                Some(Command::SetOption { name: name.to_owned(), value: value.to_owned() })
            }
            "lift" => Some(Command::Lift(text())),
            "xboard" | "accepted" | "rejected" | "otim" | "random" | "hard" | "easy"
            | "computer" | "name" | "rating" | "ics" | "draw" | "bk" | "." | "put" | "hover" => {
                Some(Command::Ignored)
            }
            _ => None,
        };
        Some(command.unwrap_or(Command::Unknown))
    }
}

/// `40 5 0`, `0 2:30 12`: moves, minutes, seconds.
fn parse_level(text: &str) -> Option<Command> {
    let mut words = text.split_whitespace();
    let moves = words.next()?.parse().ok()?;
    let (minutes, rest) = {
        let word = words.next()?;
        word.split_once(':').unwrap_or((word, "0"))
    };
    let start = seconds(minutes)?.checked_mul(60)?.checked_add(seconds(rest)?)?;
    Some(Command::Level { moves, start, increment: seconds(words.next()?)? })
}

fn seconds(text: &str) -> Option<Duration> {
    Duration::try_from_secs_f64(text.parse().ok()?).ok()
}

/// A clock can be below zero.
fn centiseconds(text: &str) -> Option<Duration> {
    let count: i64 = text.parse().ok()?;
    Some(Duration::from_millis(count.max(0).unsigned_abs().saturating_mul(10)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read() {
        let level = |moves, start, increment| {
            let [start, increment] = [start, increment].map(Duration::from_millis);
            Some(Command::Level { moves, start, increment })
        };
        for (line, expected) in [
            ("level 40 5 0\n", level(40, 300_000, 0)),
            ("level 0 2:30 12", level(0, 150_000, 12_000)),
            ("level 0 0:01 0.01", level(0, 1000, 10)),
            ("level 0 x 0", Some(Command::Unknown)),
            ("st 1", Some(Command::MoveTime(Duration::from_secs(1)))),
            ("st nan", Some(Command::Unknown)),
            ("time -7", Some(Command::Time(Duration::ZERO))),
            ("time 150", Some(Command::Time(Duration::from_millis(1500)))),
            ("usermove b1b3", Some(Command::Move("b1b3".to_owned()))),
            ("setboard 8/8 w", Some(Command::Position("8/8 w".to_owned()))),
            ("ping 3", Some(Command::Ping("3".to_owned()))),
            ("accepted ping", Some(Command::Ignored)),
            ("joho", Some(Command::Unknown)),
            ("  ", None),
        ] {
            assert_eq!(Command::parse(line), expected, "{line}");
        }
        let option = Command::SetOption { name: "C x".to_owned(), value: "a=b".to_owned() };
        assert_eq!(Command::parse("option C x=a=b"), Some(option));
    }
}
