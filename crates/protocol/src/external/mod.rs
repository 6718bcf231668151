//! Other programs as players: `external:cmd=stockfish,protocol=uci,option.Skill Level=0`.
//!
//! - `process.rs`: the program and its lines. `group.rs`: its children, and how all of them end.
//! - `info.rs`: what it says of a search.
//! - this file: the options, the conversation.
//!
//! A program that crashes, hangs, floods or plays an illegal move is ended; the search gives no move,
//! and says why. The next game starts it again.
//!
//! Only awaited answers count as signs of life. `ugiok` and `readyok` must come within the timeout,
//! whatever else the program writes meanwhile. A search ends by `bestmove`, and
//!
//! - with a limit on time, at the latest at that limit plus the timeout;
//! - after `stop`, at the latest after the timeout;
//! - otherwise it may take as long as it likes, but an `isready` is sent when the timeout has passed,
//!   and again one timeout after each `readyok`;
//! - in any case after [`MAX_SEARCH_LINES`] lines.

mod group;
mod info;
mod process;

use std::fmt::{self, Display};
use std::str::FromStr;
use std::time::{Duration, Instant};

use spinney_session::options::Declared;
use spinney_session::{
    Clock, Failure, GameHandle, GameValue, LimitKinds, Limits, Player, PlayerError, PlayerSpec,
    Protocol, Report, Session, Stop, options,
};

use self::info::Infos;
use self::process::{Process, READY};
use crate::Dialect;

/// How soon a stop reaches the program.
const STOP_LATENCY: Duration = Duration::from_millis(10);
/// Seconds that a program may take to answer.
const TIMEOUT: u64 = 10;
/// The most lines of one search. A program that answers `isready` but never ends its search and
/// writes all the time ends here; real engines write some hundreds.
const MAX_SEARCH_LINES: u32 = 1_000_000;
/// The most characters of a failure: it may quote the program.
const MAX_FAILURE: usize = 300;

/// Options of the program itself begin with this.
pub(crate) const ENGINE_OPTION: &str = "option.";

/// Which program, and how to talk to it.
#[derive(Clone, Debug)]
pub(crate) struct Config {
    /// The program and its arguments.
    command: CommandLine,
    dialect: Dialect,
    /// How long it may take to answer, and to move beyond the limit of a move.
    seconds: u64,
    /// Its own options.
    options: Vec<(String, String)>,
}

impl Config {
    /// No program yet, in the usual dialect of the game.
    pub(crate) fn default_for(game: &GameHandle) -> Config {
        let dialect = match game.info().protocol {
            Protocol::Uci => Dialect::Uci,
            Protocol::Ugi => Dialect::Ugi,
        };
        Config { command: CommandLine::default(), dialect, seconds: TIMEOUT, options: Vec::new() }
    }

    /// The options of the player.
    pub(crate) fn declare() -> Vec<Declared<Config>> {
        vec![
            options::text("cmd", "a program", |config: &mut Config| &mut config.command)
                .help("the program and its arguments"),
            options::choice("protocol", &Dialect::NAMES, |config: &mut Config| &mut config.dialect)
                .help("protocol that it speaks"),
            options::count("timeout", 1..=86_400, |config: &mut Config| &mut config.seconds)
                .unit("s")
                .help("time it may take to answer, and to move beyond its limit"),
        ]
    }

    /// The settings that a spec asks for.
    pub(crate) fn new(game: &GameHandle, spec: &PlayerSpec) -> Result<Config, PlayerError> {
        let (own, engine_options) = spec.split_prefixed(ENGINE_OPTION);
        let mut config = Config::default_for(game);
        options::apply(&own, &Config::declare(), &mut config)?;
        if engine_options.iter().any(|(name, value)| name.contains('\n') || value.contains('\n')) {
            return Err(spec.error("an option with a line break".to_owned()));
        }
        if config.command.0.is_empty() {
            return Err(spec.error("cmd: expected a program, such as cmd=stockfish".to_owned()));
        }
        config.options = engine_options;
        Ok(config)
    }

    fn timeout(&self) -> Duration {
        Duration::from_secs(self.seconds)
    }

    /// Starts the program, greets it and sets its options.
    fn start(&self) -> Result<Process, String> {
        let program = &self.command.0[0];
        let mut process =
            Process::start(&self.command.0).map_err(|error| format!("{program}: {error}"))?;
        let mut missing: Vec<&str> = self.options.iter().map(|(name, _)| name.as_str()).collect();
        process.send(&format!("{}\n", self.dialect.hello()))?;
        self.await_line(&mut process, self.dialect.hello_answer(), |_, line| {
            let name =
                line.strip_prefix("option name ").and_then(|line| line.split(" type ").next());
            if let Some(name) = name {
                missing.retain(|wanted| !wanted.eq_ignore_ascii_case(name));
            }
            line == self.dialect.hello_answer()
        })?;
        if let Some(name) = missing.first() {
            return Err(format!("{program} has no option {name:?}"));
        }
        let options = self.options.iter();
        let commands: Vec<String> =
            options.map(|(name, value)| format!("setoption name {name} value {value}\n")).collect();
        self.send_and_sync(&mut process, &commands.concat())?;
        Ok(process)
    }

    /// Sends commands, and waits until the program has followed them. What it has said until then is
    /// dropped.
    fn send_and_sync(&self, process: &mut Process, commands: &str) -> Result<(), String> {
        process.send(commands)?;
        process.ask_ready()?;
        self.await_line(process, READY, |process, _| process.is_ready())
    }

    /// Waits for the line `wanted`, which `is_wanted` recognises. Other lines do not prolong the wait.
    fn await_line(
        &self,
        process: &mut Process,
        wanted: &str,
        mut is_wanted: impl FnMut(&Process, &str) -> bool,
    ) -> Result<(), String> {
        let started = Instant::now();
        while let Some(rest) = self.timeout().checked_sub(started.elapsed()) {
            match process.hear(rest).map_err(|reason| format!("{reason}, without {wanted}"))? {
                Some(line) if is_wanted(process, &line) => return Ok(()),
                Some(_) => {}
                None => break,
            }
        }
        Err(self.no_answer(wanted))
    }

    fn no_answer(&self, wanted: &str) -> String {
        format!("no {wanted} within {:?}", self.timeout())
    }
}

/// A program and its arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct CommandLine(Vec<String>);

impl FromStr for CommandLine {
    type Err = &'static str;

    /// Splits at blanks, except between quotation marks of either kind. By hand, because shells (and the crate
    /// `shlex`) take the backslashes of paths on Windows for escapes.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
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
        if quote.is_some() {
            return Err("a quotation mark is not closed");
        }
        Ok(CommandLine(words))
    }
}

impl Display for CommandLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(" "))
    }
}

/// Another program as a player.
pub(crate) struct External {
    config: Config,
    /// None after a failure.
    process: Option<Process>,
    /// Why there is none.
    failure: String,
}

impl External {
    /// Starts the program.
    pub(crate) fn new(config: Config) -> Result<Self, String> {
        let process = Some(config.start()?);
        Ok(External { config, process, failure: String::new() })
    }

    /// Ends the program, for a reason.
    fn fail(&mut self, reason: &str) {
        self.process = None;
        self.failure = reason.chars().take(MAX_FAILURE).collect();
    }

    /// Tells the program to search, and listens until it moves: within `time`, if that is known.
    fn converse(
        &mut self,
        session: &Session,
        go: &str,
        time: Option<Duration>,
        stop: &Stop,
        progress: &mut dyn FnMut(&Report),
    ) -> Result<Report, String> {
        let timeout = self.config.timeout();
        let Some(process) = &mut self.process else {
            return Err("the program is not running".to_owned());
        };
        // A `bestmove` from before `readyok`, such as a second one of the last search, is dropped.
        self.config.send_and_sync(process, &format!("{}\n", position_command(session)))?;
        process.send(&format!("{go}\n"))?;
        let started = Instant::now();
        let mut infos = Infos::default();
        let mut lines = 0;
        // When it must have moved, if that is known. If not: when it is asked for a sign of life, or
        // must have given it.
        let mut deadline = time.and_then(|time| started.checked_add(time.saturating_add(timeout)));
        let mut check_at = started + timeout;
        let mut is_stopped = false;
        loop {
            if let Some(line) = process.hear(STOP_LATENCY)? {
                let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
                match word {
                    "info" if infos.note(rest) => {
                        progress(&infos.report(session, None, started.elapsed()));
                    }
                    "bestmove" => {
                        let text = rest.split_whitespace().next().unwrap_or_default();
                        let best = session.parse_move(text).map_err(|e| e.to_string())?;
                        return Ok(infos.report(session, Some(best), started.elapsed()));
                    }
                    READY => check_at = Instant::now() + timeout,
                    _ => {}
                }
                lines += 1;
                if lines >= MAX_SEARCH_LINES {
                    return Err(format!("{lines} lines without a move"));
                }
            }
            let now = Instant::now();
            if stop.is_set() && !is_stopped {
                is_stopped = true;
                process.send("stop\n")?;
                deadline = Some(now + timeout);
            }
            match deadline {
                Some(deadline) if now >= deadline => {
                    return Err(format!("no move within {:?}", started.elapsed()));
                }
                None if now >= check_at && process.is_ready() => {
                    process.ask_ready()?;
                    check_at = now + timeout;
                }
                None if now >= check_at => return Err(self.config.no_answer(READY)),
                _ => {}
            }
        }
    }
}

/// The command to search with a clock for the game.
fn clock_command(dialect: Dialect, clocks: &[Clock; 2]) -> String {
    let mut command = "go".to_owned();
    for (word, clock) in dialect.clocks().iter().zip(clocks) {
        // A side without a clock has a day.
        command += &format!(" {word} {}", clock.remaining.as_millis().clamp(1, 86_400_000));
    }
    for (word, clock) in dialect.increments().iter().zip(clocks) {
        command += &format!(" {word} {}", clock.increment.as_millis());
    }
    command
}

/// The command that tells the program of a game: its start and its moves.
fn position_command(session: &Session) -> String {
    let mut command = format!("position fen {}", session.start_text());
    let moves = session.move_texts();
    if !moves.is_empty() {
        command += " moves ";
        command += &moves.join(" ");
    }
    command
}

/// The command to search. A limit on simulations means nothing to another program.
fn go_command(limits: &Limits) -> String {
    let Limits { time, simulations: _, nodes, depth } = *limits;
    let parts = [
        time.map(|time| format!(" movetime {}", time.as_millis().max(1))),
        nodes.map(|nodes| format!(" nodes {nodes}")),
        depth.map(|depth| format!(" depth {depth}")),
    ];
    let parts: String = parts.into_iter().flatten().collect();
    if parts.is_empty() { "go infinite".to_owned() } else { format!("go{parts}") }
}

impl External {
    /// A conversation; a program that fails in it is ended.
    fn ask(
        &mut self,
        session: &Session,
        go: &str,
        time: Option<Duration>,
        stop: &Stop,
        progress: &mut dyn FnMut(&Report),
    ) -> Result<Report, Failure> {
        if self.process.is_some() {
            match self.converse(session, go, time, stop, progress) {
                Ok(report) => return Ok(report),
                Err(reason) => self.fail(&reason),
            }
        }
        Err(Failure::Program(self.failure.clone()))
    }
}

impl Player for External {
    fn analyse(
        &mut self,
        session: &Session,
        limits: &Limits,
        stop: &Stop,
        progress: &mut dyn FnMut(&Report),
    ) -> Result<Report, Failure> {
        if let Some(outcome) = session.outcome() {
            return Ok(Report::finished(GameValue::of(outcome, session.to_move())));
        }
        self.limit_kinds().check(limits)?;
        self.ask(session, &go_command(limits), limits.time, stop, progress)
    }

    fn analyse_on_clock(
        &mut self,
        session: &Session,
        clocks: &[Clock; 2],
        stop: &Stop,
        progress: &mut dyn FnMut(&Report),
    ) -> Result<Report, Failure> {
        let go = clock_command(self.config.dialect, clocks);
        let remaining = clocks[session.to_move().index()].remaining;
        self.ask(session, &go, Some(remaining), stop, progress)
    }

    fn limit_kinds(&self) -> LimitKinds {
        LimitKinds { simulations: false, ..LimitKinds::ALL }
    }

    fn new_game(&mut self, _seed: u64) {
        self.failure.clear();
        let ready = match &mut self.process {
            Some(process) => {
                let command = format!("{}\n", self.config.dialect.new_game());
                self.config.send_and_sync(process, &command)
            }
            None => self.config.start().map(|process| self.process = Some(process)),
        };
        if let Err(reason) = ready {
            self.fail(&reason);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spinney_session::Registry;

    #[test]
    fn commands_are_split_into_words() {
        let words = |text: &str| text.parse().map(|CommandLine(words)| words.join("|"));
        assert_eq!(words("stockfish"), Ok("stockfish".to_owned()));
        assert_eq!(words(" a  --b '/c d/e' \"f g\"h ''"), Ok("a|--b|/c d/e|f gh|".to_owned()));
        assert!(words("a 'b").is_err());
        assert_eq!(words(""), Ok(String::new()));
    }

    #[test]
    fn limits_become_a_command() {
        let limits =
            Limits { nodes: Some(5), depth: Some(3), ..Limits::time(Duration::from_micros(1500)) };
        assert_eq!(go_command(&limits), "go movetime 1 nodes 5 depth 3");
        assert_eq!(go_command(&Limits::default()), "go infinite");
    }

    #[test]
    fn clocks_become_a_command() {
        let clock = |text: &str| text.parse::<spinney_session::TimeControl>().unwrap().clock();
        let clocks = [clock("10+0.1"), clock("0.5")];
        let uci = "go wtime 10000 btime 500 winc 100 binc 0";
        assert_eq!(clock_command(Dialect::Uci, &clocks), uci);
        let ugi = "go p1time 10000 p2time 500 p1inc 100 p2inc 0";
        assert_eq!(clock_command(Dialect::Ugi, &clocks), ugi);
    }

    #[test]
    fn a_game_is_told_from_its_start() {
        let mut session = Registry::builtin().game("chess").unwrap().start();
        let start = format!("position fen {}", session.position_text());
        assert_eq!(position_command(&session), start);
        let moves = "e2e4 e7e5 e1e2 b8c6 e2e1 c6b8 g1f3";
        session.play_texts(moves.split(' ')).unwrap();
        assert_eq!(position_command(&session), format!("{start} moves {moves}"));
    }
}
