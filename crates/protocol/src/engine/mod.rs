//! A player as an engine that speaks UCI or UGI: one loop for both.
//!
//! - `inbox.rs`: lines of the client and events of the search. `command.rs`: lines as commands.
//! - `settings.rs`: options. `info.rs`: what is said of a search.
//! - `trend.rs`: when a search on a clock should end. `search.rs`: a search that runs. `searchmoves.rs`: one among
//!   some moves.
//! - this file: the loop. `xboard/`: the loop of another protocol.
//!
//! One thread reads lines, one searches, and the loop hears of both through one channel; it alone
//! writes, and it alone decides when a search ends. The player lives where it is used: with the search
//! while it runs, else here.

mod command;
mod inbox;
mod info;
mod search;
mod searchmoves;
mod settings;
mod trend;
pub mod xboard;

use std::io::{self, BufRead, Write};
use std::thread;
use std::time::{Duration, Instant};

use spinney_session::{
    Allotment, Clock, Failure, GameHandle, GameValue, Limits, Outcome, PackedMove, Player,
    PlayerSpec, Report, Session, Side, Stop,
};

use self::command::{Command, Go};
use self::inbox::{Event, Inbox};
use self::info::info_lines;
use self::search::Search;
use self::settings::{Change, Settings};
use self::trend::Trend;
use crate::{Dialect, Score};

/// The time of a search whose limits would not end it.
const INSTEAD: Duration = Duration::from_secs(1);

/// A search that is not worth a thread, and after which a `stop` still seems to be heard at once.
const SHORT: Duration = Duration::from_millis(5);

/// Speaks a protocol until `quit` or the end of the input. An error is about the player, before
/// anything is said, or about the output.
pub fn run(
    dialect: Dialect,
    game: &GameHandle,
    spec: &PlayerSpec,
    seed: u64,
    input: impl BufRead + Send + 'static,
    output: &mut dyn Write,
) -> Result<(), EngineError> {
    let settings = Settings::new(spec.clone(), game).map_err(EngineError::Player)?;
    let engine = Engine {
        dialect,
        session: Some(game.start()),
        game: game.clone(),
        settings,
        seed,
        player: None,
        search: None,
        debug: false,
        inbox: Inbox::new(input),
        out: output,
    };
    Ok(engine.run()?)
}

/// Why an engine ended before it was told to.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// There is no such player.
    #[error("{0}")]
    Player(String),
    /// Nobody listens any more.
    #[error(transparent)]
    Output(#[from] io::Error),
}

struct Engine<'a> {
    dialect: Dialect,
    game: GameHandle,
    settings: Settings,
    /// The seed of the next game.
    seed: u64,
    /// None while it searches, and before it is made.
    player: Option<Box<dyn Player>>,
    /// None after a position that cannot be.
    session: Option<Session>,
    search: Option<Search>,
    debug: bool,
    inbox: Inbox,
    out: &'a mut dyn Write,
}

impl Engine<'_> {
    fn run(mut self) -> io::Result<()> {
        loop {
            match self.inbox.next(self.search.as_ref()) {
                Some(Event::Line(line, heard)) => {
                    let Some(command) = Command::parse(self.dialect, &line) else { continue };
                    if command == Command::Quit {
                        break;
                    }
                    self.obey(command, heard)?;
                }
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

    /// A remark for people.
    fn remark(&mut self, text: &str) -> io::Result<()> {
        self.say(&format!("info string {text}"))
    }

    fn obey(&mut self, command: Command, heard: Instant) -> io::Result<()> {
        match command {
            Command::Hello => self.introduce(),
            Command::Debug(on) => {
                self.debug = on;
                Ok(())
            }
            Command::IsReady => {
                self.prepare()?;
                self.say("readyok")
            }
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::NewGame => self.new_game(),
            Command::Position { position, moves } => self.set_position(position, &moves),
            Command::Go(go) => self.go(&go, heard),
            Command::Stop => {
                self.stop_search();
                self.release()
            }
            Command::PonderHit => self.ponder_hit(heard),
            Command::Query(question) => self.answer(&question),
            Command::Quit => Ok(()),
        }
    }

    fn introduce(&mut self) -> io::Result<()> {
        self.say(&format!("id name Spinney {} {}", env!("CARGO_PKG_VERSION"), self.settings.spec))?;
        self.say("id author the Spinney authors")?;
        for line in self.settings.list(&self.game) {
            self.say(&line)?;
        }
        self.say(self.dialect.hello_answer())
    }

    /// Makes the player if there is none.
    fn prepare(&mut self) -> io::Result<()> {
        if self.player.is_some() || self.search.is_some() {
            return Ok(());
        }
        match self.game.player(&self.settings.spec, self.seed) {
            Ok(player) => self.player = Some(player),
            Err(error) => self.remark(&error.to_string())?,
        }
        Ok(())
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> io::Result<()> {
        self.end_search()?;
        match self.settings.set(name, value, &self.game) {
            Ok(Change::Player) => self.player = None,
            Ok(Change::Protocol) => {}
            Err(problem) => self.remark(&problem)?,
        }
        Ok(())
    }

    fn new_game(&mut self) -> io::Result<()> {
        self.end_search()?;
        // Every game has random numbers of its own.
        self.seed = self.seed.wrapping_add(1);
        if let Some(player) = &mut self.player {
            player.new_game(self.seed);
        }
        Ok(())
    }

    fn set_position(&mut self, position: Option<String>, moves: &[String]) -> io::Result<()> {
        match self.read_position(position.as_deref(), moves) {
            Ok(session) => self.session = Some(session),
            Err(problem) => {
                // A move from another position would be worse than none.
                self.session = None;
                self.remark(&problem)?;
            }
        }
        Ok(())
    }

    fn read_position(&self, text: Option<&str>, moves: &[String]) -> Result<Session, String> {
        let mut session = self.game.at(text).map_err(|error| error.to_string())?;
        for text in moves {
            let mut after_draw = self.moves_after_draw(&session).into_iter();
            let m = match after_draw.find(|&m| session.move_text(m) == *text) {
                Some(m) => m,
                None => session.parse_move(text).map_err(|error| error.to_string())?,
            };
            session.play(m);
        }
        Ok(session)
    }

    /// The moves of a drawn position that is no stalemate, where the client may play on: those of UCI
    /// end games by rules of their own.
    fn moves_after_draw(&self, session: &Session) -> Vec<PackedMove> {
        match self.dialect {
            Dialect::Uci => session.moves_after_draw(),
            Dialect::Ugi => Vec::new(),
        }
    }

    fn go(&mut self, go: &Go, heard: Instant) -> io::Result<()> {
        self.end_search()?;
        self.prepare()?;
        // 1. Is there anything to search?
        let Some(mut session) = self.session.clone() else {
            self.remark("there is no position to search")?;
            return self.say("bestmove (none)");
        };
        if let Some(outcome) = session.outcome_by_rules() {
            return self.tell_end(outcome, &session);
        }
        let plies = session.moves().len() as u32;
        if session.outcome().is_some() {
            // Drawn by repetition, but the client plays on: as if it began here.
            session = session.from_here();
        }
        let Some(player) = self.player.take() else { return self.say("bestmove (none)") };
        let mut only = Vec::new();
        for text in &go.search_moves {
            match session.parse_move(text) {
                Ok(m) if only.contains(&m) => {}
                Ok(m) => only.push(m),
                Err(error) => self.remark(&error.to_string())?,
            }
        }
        // 2. How long?
        let mut allotment = self.allot(go, session.to_move(), plies);
        if go.move_time.is_none() && session.count_moves() == 1 {
            // The only move needs no thought.
            allotment = allotment.map(|allotment| Allotment { soft: Duration::ZERO, ..allotment });
        }
        let mut limits = Limits {
            // The loop ends the search; if it is late, the search ends by itself.
            time: allotment.filter(|_| !go.ponder).map(|allotment| allotment.hard),
            simulations: None,
            nodes: go.nodes,
            depth: go.depth,
        };
        // A depth that ends no search of the player is that of the expected line, where one is told.
        if let Err(error) = player.limit_kinds().check(&limits) {
            limits.depth = None;
            if player.tree().is_none() {
                self.remark(&format!("{error}; searching for {INSTEAD:?}"))?;
                limits.time = Some(INSTEAD);
            }
        }
        if self.debug
            && let Some(Allotment { soft, hard }) = allotment
        {
            self.remark(&format!("thinking for {soft:?}, at most {hard:?}"))?;
        }
        // 3. Search.
        let stop = Stop::new();
        self.search = Some(Search {
            session: session.clone(),
            stop: stop.clone(),
            started: heard,
            allotment,
            clock_started: (!go.ponder).then_some(heard),
            held: go.infinite || go.ponder,
            mate: go.mate,
            depth: go.depth,
            trend: Trend::new(),
            result: None,
        });
        let sender = self.inbox.sender();
        let search = move || {
            let time = limits.time.map(|time| time.saturating_sub(heard.elapsed()));
            search::run(player, &session, &only, &Limits { time, ..limits }, &stop, &sender);
        };
        // On a busy machine a thread wakes up later than so short a search ends.
        if limits.time.is_some_and(|time| time <= SHORT) && !go.infinite {
            search();
        } else {
            thread::spawn(search);
        }
        Ok(())
    }

    /// The time for a move, if there is a clock.
    fn allot(&self, go: &Go, side: Side, plies: u32) -> Option<Allotment> {
        let overhead = self.settings.overhead;
        if go.infinite {
            return None;
        }
        if let Some(time) = go.move_time {
            return Some(Allotment::fixed(time, overhead));
        }
        // A client that tells one clock only means it for both.
        let [own, other] = [side, !side].map(|side| go.clocks[side.index()]);
        let clock = Clock {
            remaining: own.or(other)?,
            increment: go.increments[side.index()],
            moves_to_go: go.moves_to_go,
        };
        Some(clock.allot(plies, overhead))
    }

    /// There is nothing to search: the game is over. If the client plays on, any move will do.
    fn tell_end(&mut self, outcome: Outcome, session: &Session) -> io::Result<()> {
        let value = GameValue::of(outcome, session.to_move());
        let score = Score::new(value.score().into(), Some(value), Some(0));
        self.say(&format!("info depth 0 score {score}"))?;
        let any = self.moves_after_draw(session).first().map(|&m| session.move_text(m));
        self.say(&format!("bestmove {}", any.as_deref().unwrap_or("(none)")))
    }

    fn ponder_hit(&mut self, heard: Instant) -> io::Result<()> {
        if let Some(search) = &mut self.search {
            search.clock_started.get_or_insert(heard);
            search.held = false;
        }
        self.release_if_done()
    }

    fn stop_search(&mut self) {
        if let Some(search) = &self.search {
            search.stop.stop();
        }
    }

    /// Tells a result that was held back.
    fn release(&mut self) -> io::Result<()> {
        if let Some(search) = &mut self.search {
            search.held = false;
        }
        self.release_if_done()
    }

    fn release_if_done(&mut self) -> io::Result<()> {
        let Some(search) = self.search.take_if(|search| !search.held && search.result.is_some())
        else {
            return Ok(());
        };
        let Some(result) = search.result else { return Ok(()) };
        let report = match result {
            Ok(mut report) => {
                // It may have had no time for anything.
                report.best = report.best.or_else(|| search.session.legal_moves().first().copied());
                report
            }
            Err(failure) => {
                self.remark(&failure.to_string())?;
                Report::empty()
            }
        };
        for line in info_lines(&search.session, &report, self.settings.lines) {
            self.say(&line)?;
        }
        let line = search.session.line_texts(&report.pv);
        let best = report.best.map(|m| search.session.move_text(m));
        self.say(&match (best, line.get(1)) {
            (Some(best), Some(reply)) => format!("bestmove {best} ponder {reply}"),
            (Some(best), None) => format!("bestmove {best}"),
            (None, _) => "bestmove (none)".to_owned(),
        })
    }

    /// Ends the search, if there is one, and tells its result. Other commands wait meanwhile.
    fn end_search(&mut self) -> io::Result<()> {
        self.stop_search();
        self.release()?;
        while self.search.is_some()
            && let Some((player, result)) = self.inbox.done()
        {
            self.on_done(player, result)?;
        }
        Ok(())
    }

    fn on_progress(&mut self, report: &Report) -> io::Result<()> {
        let Some(search) = &mut self.search else { return Ok(()) };
        if search.stop.is_set() {
            return Ok(());
        }
        search.trend.observe(report);
        let lines = info_lines(&search.session, report, self.settings.lines);
        if search.is_answered_by(report) {
            search.stop.stop();
        }
        lines.iter().try_for_each(|line| self.say(line))
    }

    fn on_done(
        &mut self,
        player: Box<dyn Player>,
        result: Result<Report, Failure>,
    ) -> io::Result<()> {
        self.player = Some(player);
        if let Some(search) = &mut self.search {
            search.result = Some(result);
            // A stop that came from the clock while pondering went on is one of the client.
            search.held &= !search.stop.is_set();
        }
        self.release_if_done()
    }

    /// Answers a question of UGI about the position.
    fn answer(&mut self, question: &str) -> io::Result<()> {
        let Some(session) = &self.session else { return self.remark("there is no position") };
        let outcome = session.outcome();
        let answer = match question {
            "gameover" => outcome.is_some().to_string(),
            "p1turn" => (session.to_move() == Side::First).to_string(),
            "result" => match outcome {
                None => "none",
                Some(Outcome::Draw) => "draw",
                Some(Outcome::Win(Side::First)) => "p1win",
                Some(Outcome::Win(Side::Second)) => "p2win",
            }
            .to_owned(),
            _ => return self.remark(&format!("unknown query {question:?}")),
        };
        self.say(&format!("response {answer}"))
    }
}
