//! A player as an engine that speaks CECP, the protocol of XBoard and WinBoard, version 2.
//!
//! - `command.rs`: lines as commands. `features.rs`: options. `notation.rs`: positions and moves.
//! - this file: the loop.
//!
//! The client tells moves one by one and the engine keeps the game. Threads, searches and the use of the
//! clock are those of the other protocols (`engine/mod.rs`). The engine does not ponder.

mod command;
mod features;
mod notation;

use std::io::{self, BufRead, Write};
use std::thread;
use std::time::{Duration, Instant};

use spinney_session::{
    Allotment, Clock, Failure, GameHandle, Limits, PackedMove, Player, PlayerSpec, Report, Session,
    Stop,
};

use self::command::Command;
use self::features::feature_option;
use self::notation::Notation;
use super::inbox::{Event, Inbox};
use super::search::{self, Search};
use super::settings::{Change, Settings};
use super::trend::Trend;
use super::{EngineError, info};
use crate::Score;

/// The clock before the client has told one: five minutes for forty moves, as the protocol has it.
const DEFAULT_LEVEL: Level =
    Level { moves: 40, start: Duration::from_secs(300), increment: Duration::ZERO };

/// What a score of a forced end has in addition to its moves.
const MATE: i64 = 100_000;

/// Speaks CECP until `quit` or the end of the input. An error is about the game or the player, before
/// anything is said, or about the output.
pub fn run(
    game: &GameHandle,
    spec: &PlayerSpec,
    seed: u64,
    input: impl BufRead + Send + 'static,
    output: &mut dyn Write,
) -> Result<(), EngineError> {
    let notation = Notation::new(game).ok_or_else(|| {
        EngineError::Player(format!("XBoard shows chess and Lines of Action, not {game}"))
    })?;
    let settings = Settings::new(spec.clone(), game).map_err(EngineError::Player)?;
    let engine = Engine {
        session: game.start(),
        game: game.clone(),
        notation,
        settings,
        seed,
        player: None,
        search: None,
        mode: Mode::Play,
        level: DEFAULT_LEVEL,
        move_time: None,
        depth: None,
        remaining: None,
        shows_thinking: false,
        hint: None,
        pings: Vec::new(),
        inbox: Inbox::new(input),
        out: output,
    };
    Ok(engine.run()?)
}

/// What the engine does after a move of the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// Nothing.
    Force,
    /// It moves.
    Play,
    /// It analyses.
    Analyze,
}

/// A time control.
#[derive(Clone, Copy, Debug)]
struct Level {
    /// Moves to the next `start`; 0: it comes once.
    moves: u32,
    start: Duration,
    increment: Duration,
}

struct Engine<'a> {
    game: GameHandle,
    notation: Notation,
    settings: Settings,
    /// The seed of the next game.
    seed: u64,
    /// None while it searches, and before it is made.
    player: Option<Box<dyn Player>>,
    session: Session,
    search: Option<Search>,
    mode: Mode,
    level: Level,
    move_time: Option<Duration>,
    depth: Option<u32>,
    /// Time left, as the client told last.
    remaining: Option<Duration>,
    shows_thinking: bool,
    /// The answer that is expected to the engine's last move.
    hint: Option<PackedMove>,
    /// To be answered after the move.
    pings: Vec<String>,
    inbox: Inbox,
    out: &'a mut dyn Write,
}

impl Engine<'_> {
    fn run(mut self) -> io::Result<()> {
        loop {
            match self.inbox.next(self.search.as_ref()) {
                Some(Event::Line(line, heard)) => match Command::parse(&line) {
                    None => {}
                    Some(Command::Quit) => break,
                    Some(Command::Unknown) => {
                        self.say(&format!("Error (unknown command): {}", line.trim()))?;
                    }
                    Some(command) => self.obey(command, heard)?,
                },
                Some(Event::End) => break,
                Some(Event::Progress(report)) => self.on_progress(&report)?,
                Some(Event::Done(player, result)) => self.on_done(player, result)?,
                None => self.stop_search(),
            }
        }
        // The search is not waited for: it ends with the program, or by itself.
        self.stop_search();
        Ok(())
    }

    fn say(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.out, "{line}")?;
        self.out.flush()
    }

    fn obey(&mut self, command: Command, heard: Instant) -> io::Result<()> {
        match command {
            Command::Features => self.introduce()?,
            Command::New => self.new_game()?,
            Command::Variant(name) if name == self.notation.variant() => {
                if let Some(setup) = self.notation.setup() {
                    self.say(&setup)?;
                }
            }
            Command::Variant(name) => self.say(&format!("Error (unknown variant): {name}"))?,
            Command::Force => {
                self.drop_search();
                self.mode = Mode::Force;
            }
            Command::Go => {
                self.drop_search();
                self.mode = Mode::Play;
                self.think(heard)?;
            }
            Command::PlayOther => {
                self.drop_search();
                self.mode = Mode::Play;
            }
            Command::Level { moves, start, increment } => {
                self.level = Level { moves, start, increment };
                (self.move_time, self.remaining) = (None, None);
            }
            Command::MoveTime(time) => self.move_time = Some(time),
            Command::Depth(depth) => self.depth = Some(depth).filter(|&depth| depth > 0),
            Command::Time(time) => self.remaining = Some(time),
            Command::Move(text) => self.on_move(&text, heard)?,
            Command::MoveNow => self.stop_search(),
            Command::Ping(number) if self.search.is_some() && self.mode == Mode::Play => {
                self.pings.push(number);
            }
            Command::Ping(number) => self.say(&format!("pong {number}"))?,
            Command::Position(fen) => self.set_position(&fen, heard)?,
            Command::Hint => {
                if let Some(m) = self.hint {
                    self.say(&format!("Hint: {}", self.notation.move_text(&self.session, m)))?;
                }
            }
            Command::Undo(plies) => self.undo(plies, heard)?,
            Command::Post(on) => self.shows_thinking = on,
            Command::Analyze(on) => {
                self.drop_search();
                self.mode = if on { Mode::Analyze } else { Mode::Force };
                self.go_on(heard)?;
            }
            Command::Result => {
                self.drop_search();
                self.mode = Mode::Force;
            }
            Command::Memory(megabytes) => self.set_option("Hash", &megabytes)?,
            Command::Cores(threads) => self.set_option("Threads", &threads)?,
            Command::SetOption { name, value } => self.set_option(&name, &value)?,
            Command::Lift(square) => {
                if let Some(marks) = self.notation.highlight(&self.session, &square) {
                    self.say(&marks)?;
                }
            }
            Command::Ignored | Command::Quit | Command::Unknown => {}
        }
        Ok(())
    }

    fn introduce(&mut self) -> io::Result<()> {
        let name = format!("Spinney {} {}", env!("CARGO_PKG_VERSION"), self.settings.spec);
        // Where XBoard knows the rules, it marks the squares itself.
        let highlight = u8::from(!self.notation.is_known());
        self.say("feature done=0")?;
        self.say(&format!(
            "feature myname=\"{}\" variants=\"{}\" ping=1 setboard=1 playother=1 usermove=1 time=1 \
             draw=0 sigint=0 sigterm=0 reuse=1 analyze=1 colors=0 memory=1 smp=1 highlight={highlight}",
            name.replace('"', "'"),
            self.notation.variant()
        ))?;
        for line in self.settings.list(&self.game) {
            if let Some(option) = feature_option(&line) {
                self.say(&format!("feature option=\"{option}\""))?;
            }
        }
        self.say("feature done=1")
    }

    fn new_game(&mut self) -> io::Result<()> {
        self.drop_search();
        // Every game has random numbers of its own.
        self.seed = self.seed.wrapping_add(1);
        if let Some(player) = &mut self.player {
            player.new_game(self.seed);
        }
        self.session = self.game.start();
        self.mode = Mode::Play;
        (self.depth, self.remaining, self.hint) = (None, None, None);
        Ok(())
    }

    fn set_option(&mut self, name: &str, value: &str) -> io::Result<()> {
        let was_searching = self.search.is_some();
        self.drop_search();
        match self.settings.set(name, Some(value), &self.game) {
            Ok(Change::Player) => self.player = None,
            Ok(Change::Protocol) => {}
            // Not every player has memory and threads to set.
            Err(problem) => self.say(&format!("# {problem}"))?,
        }
        if was_searching { self.go_on(Instant::now()) } else { Ok(()) }
    }

    fn set_position(&mut self, fen: &str, heard: Instant) -> io::Result<()> {
        self.drop_search();
        match self.game.at(Some(&self.notation.position(fen))) {
            Ok(session) => {
                self.session = session;
                if self.mode == Mode::Analyze { self.go_on(heard) } else { Ok(()) }
            }
            Err(error) => self.say(&format!("tellusererror Illegal position: {error}")),
        }
    }

    fn on_move(&mut self, text: &str, heard: Instant) -> io::Result<()> {
        self.drop_search();
        let m = match self.session.outcome() {
            None => self.notation.read_move(&self.session, text),
            Some(_) => None,
        };
        let Some(m) = m else { return self.say(&format!("Illegal move: {text}")) };
        self.session.play(m);
        self.hint = None;
        self.tell_end()?;
        self.go_on(heard)
    }

    fn undo(&mut self, plies: usize, heard: Instant) -> io::Result<()> {
        self.drop_search();
        let moves = self.session.moves();
        let Some(left) = moves.len().checked_sub(plies) else {
            return self.say("Error (command not legal now): undo");
        };
        self.session = self.session.from_start();
        for &m in &moves[..left] {
            self.session.play(m);
        }
        if self.mode == Mode::Analyze { self.go_on(heard) } else { Ok(()) }
    }

    /// Searches the present position, if the mode wants it and the game is not over.
    fn go_on(&mut self, heard: Instant) -> io::Result<()> {
        if self.mode == Mode::Force { Ok(()) } else { self.think(heard) }
    }

    fn think(&mut self, heard: Instant) -> io::Result<()> {
        if self.session.outcome().is_some() {
            return Ok(());
        }
        let player = match self.player.take() {
            Some(player) => Ok(player),
            None => self.game.player(&self.settings.spec, self.seed),
        };
        let player = match player {
            Ok(player) => player,
            Err(error) => return self.say(&format!("tellusererror {error}")),
        };
        let allotment = (self.mode == Mode::Play).then(|| self.allot());
        let time = allotment.map(|allotment| allotment.hard);
        let mut limits = Limits { time, depth: self.depth, ..Limits::default() };
        if player.limit_kinds().check(&limits).is_err() {
            // The depth of the expected line will do.
            limits.depth = None;
        }
        let stop = Stop::new();
        self.search = Some(Search {
            session: self.session.clone(),
            stop: stop.clone(),
            started: heard,
            allotment,
            clock_started: Some(heard),
            held: false,
            mate: None,
            depth: self.depth,
            trend: Trend::new(),
            result: None,
        });
        let (session, sender) = (self.session.clone(), self.inbox.sender());
        thread::spawn(move || {
            let time = limits.time.map(|time| time.saturating_sub(heard.elapsed()));
            search::run(player, &session, &[], &Limits { time, ..limits }, &stop, &sender);
        });
        Ok(())
    }

    /// The time for the next move.
    fn allot(&self) -> Allotment {
        let overhead = self.settings.overhead;
        if let Some(time) = self.move_time {
            return Allotment::fixed(time, overhead);
        }
        let plies = self.session.moves().len() as u32;
        let Level { moves, start, increment } = self.level;
        let clock = Clock {
            remaining: self.remaining.unwrap_or(start),
            increment,
            moves_to_go: (moves > 0).then(|| moves - plies / 2 % moves),
        };
        let allotment = clock.allot(plies, overhead);
        match self.session.count_moves() {
            // The only move needs no thought.
            1 => Allotment { soft: Duration::ZERO, ..allotment },
            _ => allotment,
        }
    }

    fn stop_search(&mut self) {
        if let Some(search) = &self.search {
            search.stop.stop();
        }
    }

    /// Ends the search, if there is one; its result is not wanted any more. Other commands wait meanwhile.
    fn drop_search(&mut self) {
        self.stop_search();
        if self.search.is_some()
            && let Some((player, _)) = self.inbox.done()
        {
            self.player = Some(player);
            self.search = None;
        }
    }

    fn on_progress(&mut self, report: &Report) -> io::Result<()> {
        let Some(search) = &mut self.search else { return Ok(()) };
        if search.stop.is_set() {
            return Ok(());
        }
        search.trend.observe(report);
        if search.is_answered_by(report) {
            search.stop.stop();
        }
        self.show_thinking(report)
    }

    fn on_done(
        &mut self,
        player: Box<dyn Player>,
        result: Result<Report, Failure>,
    ) -> io::Result<()> {
        self.player = Some(player);
        if self.search.take().is_none() || self.mode != Mode::Play {
            return Ok(());
        }
        let report = match result {
            Ok(report) => report,
            Err(failure) => {
                self.say(&format!("tellusererror {failure}"))?;
                Report::empty()
            }
        };
        self.show_thinking(&report)?;
        // It may have had no time for anything.
        let best = report.best.or_else(|| self.session.legal_moves().first().copied());
        if let Some(m) = best {
            self.say(&format!("move {}", self.notation.move_text(&self.session, m)))?;
            self.session.play(m);
            self.hint = report.pv.get(1).copied();
            self.tell_end()?;
        }
        for number in std::mem::take(&mut self.pings) {
            self.say(&format!("pong {number}"))?;
        }
        Ok(())
    }

    /// Depth, score, hundredths of a second, nodes and the expected line.
    fn show_thinking(&mut self, report: &Report) -> io::Result<()> {
        if !self.shows_thinking && self.mode != Mode::Analyze || report.best.is_none() {
            return Ok(());
        }
        let score = match Score::new(report.value, report.proven, report.plies) {
            Score::Centipawns(points) => points.into(),
            Score::Mate(moves) if moves > 0 => MATE + i64::from(moves),
            Score::Mate(moves) => i64::from(moves) - MATE,
        };
        let mut session = self.session.clone();
        let mut line = String::new();
        for &m in &report.pv {
            if !session.listed_moves().contains(&m) {
                break;
            }
            line += " ";
            line += &self.notation.move_text(&session, m);
            session.play(m);
        }
        let (depth, nodes) = (info::depth(report), report.nodes);
        let time = report.elapsed.as_millis() / 10;
        self.say(&format!("{depth} {score} {time} {nodes}{line}"))
    }

    /// Says how the game ended, if it has.
    fn tell_end(&mut self) -> io::Result<()> {
        match self.session.outcome() {
            Some(outcome) => self.say(&self.notation.result(outcome, self.session.ending())),
            None => Ok(()),
        }
    }
}
