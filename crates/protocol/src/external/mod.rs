//! Other programs as players: `external:cmd=stockfish,protocol=uci,option.Skill Level=0`.
//!
//! - `process.rs`: the program and its lines. `info.rs`: what it says of a search.
//! - this file: the options, the conversation.
//!
//! A program that crashes, hangs or plays an illegal move is ended; the search gives no move, and
//! [`Player::failure`] says why. The next game starts it again.

mod info;
mod process;

use std::any::TypeId;
use std::time::{Duration, Instant};

use spinney_game::{History, Path};
use spinney_games::catalog::Playable;
use spinney_games::chess::Chess;
use spinney_players::{OptionList, Player, PlayerError};
use spinney_search::{Limits, Report, Stop};

use self::info::Infos;
use self::process::{Heard, Process};
use crate::Dialect;

/// How soon a stop reaches the program.
const STOP_LATENCY: Duration = Duration::from_millis(10);
/// Seconds that a program may take to answer.
const TIMEOUT: u64 = 10;

/// Which program, and how to talk to it.
#[derive(Clone, Debug)]
pub(crate) struct Config {
    /// The program and its arguments.
    command: Vec<String>,
    dialect: Dialect,
    /// How long it may take to answer, and to move beyond the limit of a move.
    timeout: Duration,
    /// Its own options.
    options: Vec<(String, String)>,
}

impl Config {
    /// Takes the options of the player.
    pub(crate) fn new<G: Playable>(options: &mut OptionList) -> Result<Config, PlayerError> {
        let command: Option<String> = options.take_optional("cmd")?;
        let is_chess = TypeId::of::<G>() == TypeId::of::<Chess>();
        let default = if is_chess { Dialect::Uci } else { Dialect::Ugi };
        let dialect = options.take_choice("protocol", default, &Dialect::NAMES)?;
        let timeout: u64 = options.take("timeout", TIMEOUT)?;
        if !(1..=86_400).contains(&timeout) {
            return Err(options.error("timeout: expected 1 to 86400 seconds".to_owned()));
        }
        let engine_options = options.take_prefixed("option.");
        if engine_options
            .iter()
            .flat_map(|(name, value)| [name, value])
            .any(|text| text.contains('\n'))
        {
            return Err(options.error("an option with a line break".to_owned()));
        }
        let command = split_words(command.as_deref().unwrap_or_default())
            .filter(|words| !words.is_empty())
            .ok_or_else(|| {
                options.error("cmd: expected a program, such as cmd=stockfish".to_owned())
            })?;
        let timeout = Duration::from_secs(timeout);
        Ok(Config { command, dialect, timeout, options: engine_options })
    }

    /// Starts the program, greets it and sets its options.
    fn start(&self) -> Result<Process, String> {
        let program = &self.command[0];
        let mut process =
            Process::start(&self.command).map_err(|error| format!("{program}: {error}"))?;
        let mut offered = Vec::new();
        process.send(self.dialect.hello());
        self.await_word(&mut process, self.dialect.hello_answer(), |line| {
            let name =
                line.strip_prefix("option name ").and_then(|line| line.split(" type ").next());
            offered.extend(name.map(str::to_owned));
        })?;
        for (name, value) in &self.options {
            if !offered.iter().any(|known| known.eq_ignore_ascii_case(name)) {
                return Err(format!("{program} has no option {name:?}"));
            }
            process.send(&format!("setoption name {name} value {value}"));
        }
        self.await_ready(&mut process)?;
        Ok(process)
    }

    fn await_ready(&self, process: &mut Process) -> Result<(), String> {
        process.send("isready");
        self.await_word(process, "readyok", |_| ())
    }

    /// Waits for a line that is one word; other lines go to `on_line`.
    fn await_word(
        &self,
        process: &mut Process,
        word: &str,
        mut on_line: impl FnMut(&str),
    ) -> Result<(), String> {
        let started = Instant::now();
        loop {
            match process.hear(self.timeout.saturating_sub(started.elapsed())) {
                Heard::Line(line) if line.trim() == word => return Ok(()),
                Heard::Line(line) => on_line(line.trim()),
                Heard::Silence => return Err(format!("no {word} within {:?}", self.timeout)),
                Heard::End => return Err(format!("{}, without {word}", process.end())),
            }
            if started.elapsed() >= self.timeout {
                return Err(format!("no {word} within {:?}", self.timeout));
            }
        }
    }
}

/// Words separated by blanks; quotes, single or double, keep a word together. `None` if a quote has
/// no end.
fn split_words(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for character in text.chars() {
        match quote {
            Some(end) if character == end => quote = None,
            None if matches!(character, '\'' | '"') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            None if character.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

/// Another program as a player.
pub(crate) struct External<G> {
    config: Config,
    /// None after a failure.
    process: Option<Process>,
    failure: Option<String>,
    game: Option<Known<G>>,
}

/// A game as the program is told of it. A [`History`] does not know its moves; they are found again
/// from the keys of its positions.
struct Known<G> {
    start: String,
    moves: Vec<String>,
    position: G,
    path: Path,
}

impl<G: Playable> Known<G> {
    fn new(history: &History<G>) -> Self {
        Known {
            start: history.position().position_text(),
            moves: Vec::new(),
            position: history.position().clone(),
            path: history.path().clone(),
        }
    }

    /// Goes on to a later position of the same game; `None` if it is none.
    fn advance(mut self, history: &History<G>) -> Option<Self> {
        let mut keys = history.path().keys();
        if !self.path.keys().all(|key| keys.next() == Some(key)) {
            return None;
        }
        for m in history.moves_since(self.path.len() - 1, &self.position)? {
            self.moves.push(self.position.move_text(m));
            self.position.play(m);
        }
        self.path = history.path().clone();
        Some(self)
    }

    /// The command that tells the program of it.
    fn command(&self) -> String {
        let Known { start, moves, .. } = self;
        if moves.is_empty() {
            format!("position fen {start}")
        } else {
            format!("position fen {start} moves {}", moves.join(" "))
        }
    }
}

impl<G: Playable> External<G> {
    /// Starts the program.
    pub(crate) fn new(config: Config) -> Result<Self, String> {
        let process = Some(config.start()?);
        Ok(External { config, process, failure: None, game: None })
    }

    /// Ends the program, for a reason.
    fn fail(&mut self, reason: String) -> Report<G::Move> {
        self.process = None;
        self.failure = Some(reason);
        Report::empty()
    }

    /// Tells the program to search, and listens until it moves.
    fn converse(
        &mut self,
        history: &History<G>,
        limits: &Limits,
        stop: &Stop,
        progress: &mut dyn FnMut(&Report<G::Move>),
    ) -> Result<Report<G::Move>, String> {
        let go = go_command(limits)?;
        let game = self.game.take().and_then(|game| game.advance(history));
        let game = self.game.insert(game.unwrap_or_else(|| Known::new(history)));
        let timeout = self.config.timeout;
        let Some(process) = &mut self.process else {
            return Err("the program is not running".to_owned());
        };
        process.send(&game.command());
        process.send(&go);
        let position = history.position();
        let started = Instant::now();
        let mut infos = Infos::default();
        // When it must have moved, if that is known, and whether it must show that it is alive.
        let mut deadline = limits.time.and_then(|time| started.checked_add(time + timeout));
        let mut heard = started;
        let mut asked = false;
        let mut stopped = false;
        loop {
            match process.hear(STOP_LATENCY) {
                Heard::Line(line) => {
                    (heard, asked) = (Instant::now(), false);
                    let (word, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
                    match word {
                        "info" if infos.note(rest) => {
                            progress(&infos.report(position, None, started.elapsed()));
                        }
                        "bestmove" => {
                            let text = rest.split_whitespace().next().unwrap_or_default();
                            let best = position.parse_move(text).map_err(|e| e.to_string())?;
                            return Ok(infos.report(position, Some(best), started.elapsed()));
                        }
                        _ => {}
                    }
                }
                Heard::Silence => {}
                Heard::End => return Err(process.end()),
            }
            if stop.is_set() && !stopped {
                stopped = true;
                process.send("stop");
                deadline = Instant::now().checked_add(timeout);
            }
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return Err(format!("no move within {:?}", started.elapsed()));
            }
            // A search by nodes or depth may take long, but the program must answer meanwhile.
            if heard.elapsed() >= timeout {
                if asked {
                    return Err(format!("no sign of life within {timeout:?}"));
                }
                process.send("isready");
                (heard, asked) = (Instant::now(), true);
            }
        }
    }
}

/// The command to search.
fn go_command(limits: &Limits) -> Result<String, String> {
    let Limits { time, simulations, nodes, depth } = *limits;
    let parts = [
        time.map(|time| format!(" movetime {}", time.as_millis().max(1))),
        nodes.map(|nodes| format!(" nodes {nodes}")),
        depth.map(|depth| format!(" depth {depth}")),
    ];
    let parts: String = parts.into_iter().flatten().collect();
    match (parts.is_empty(), simulations) {
        (false, _) => Ok(format!("go{parts}")),
        (true, None) => Ok("go infinite".to_owned()),
        (true, Some(_)) => {
            Err("simulations mean nothing to another program; limit time, nodes or depth"
                .to_owned())
        }
    }
}

impl<G: Playable> Player<G> for External<G> {
    fn analyse(
        &mut self,
        history: &History<G>,
        limits: &Limits,
        stop: &Stop,
        progress: &mut dyn FnMut(&Report<G::Move>),
    ) -> Report<G::Move> {
        if self.process.is_none() {
            return Report::empty(); // Why is known since it failed.
        }
        match self.converse(history, limits, stop, progress) {
            Ok(report) => report,
            Err(reason) => self.fail(reason),
        }
    }

    fn new_game(&mut self, _seed: u64) {
        self.game = None;
        self.failure = None;
        let ready = match &mut self.process {
            Some(process) => {
                process.send(self.config.dialect.new_game());
                self.config.await_ready(process)
            }
            None => self.config.start().map(|process| self.process = Some(process)),
        };
        if let Err(reason) = ready {
            self.fail(reason);
        }
    }

    fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spinney_game::Notation;

    #[test]
    fn commands_are_split_into_words() {
        let words = |text| split_words(text).map(|words| words.join("|"));
        assert_eq!(words("stockfish"), Some("stockfish".to_owned()));
        assert_eq!(words(" a  --b '/c d/e' \"f g\"h ''"), Some("a|--b|/c d/e|f gh|".to_owned()));
        assert_eq!(words("a 'b"), None);
        assert_eq!(words(""), Some(String::new()));
    }

    #[test]
    fn limits_become_a_command() {
        let limits =
            Limits { nodes: Some(5), depth: Some(3), ..Limits::time(Duration::from_micros(1500)) };
        assert_eq!(go_command(&limits).unwrap(), "go movetime 1 nodes 5 depth 3");
        assert_eq!(go_command(&Limits::default()).unwrap(), "go infinite");
        assert!(go_command(&Limits::simulations(9)).is_err());
    }

    #[test]
    fn the_moves_of_a_game_are_found_again() {
        let mut history = History::new(Chess::start());
        let mut known = Known::new(&history);
        for text in ["e2e4", "e7e5", "e1e2", "b8c6", "e2e1", "c6b8", "g1f3", "a7a6"] {
            let m = history.position().parse_move(text).unwrap();
            history.play(m);
            if history.path().len() % 2 == 1 {
                known = known.advance(&history).unwrap();
            }
        }
        let start = Chess::start().position_text();
        let moves = "e2e4 e7e5 e1e2 b8c6 e2e1 c6b8 g1f3 a7a6";
        assert_eq!(known.command(), format!("position fen {start} moves {moves}"));
        // Another game begins anew.
        assert!(known.advance(&History::new(Chess::start())).is_none());
    }
}
