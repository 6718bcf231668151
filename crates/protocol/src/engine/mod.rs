//! A player as an engine that speaks UCI or UGI: one loop for both.
//!
//! - `command.rs`: lines as commands. `settings.rs`: options. `info.rs`: what is said of a search.
//! - `clock.rs`: how long to think. `search.rs`: a search that runs. `only.rs`: one among some moves.
//! - this file: the loop.
//!
//! One thread reads lines, one searches, and the loop hears of both through one channel; it alone
//! writes, and it alone decides when a search ends. The player lives where it is used: with the search
//! while it runs, else here.

mod clock;
mod command;
mod info;
mod only;
mod search;
mod settings;

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use spinney_game::{History, Outcome, Side};
use spinney_games::catalog::Playable;
use spinney_players::{Player, PlayerSpec};
use spinney_search::{GameValue, Limits, Report, Stop};

use self::clock::{Allotment, Clock, Trend};
use self::command::{Command, Go};
use self::info::info_lines;
use self::search::Search;
use self::settings::{Change, Settings};
use crate::analysis::line_text;
use crate::players::create;
use crate::{Dialect, Score};

/// The time of a search whose limits would not end it.
const INSTEAD: Duration = Duration::from_secs(1);

/// A search that is not worth a thread, and after which a `stop` still seems to be heard at once.
const SHORT: Duration = Duration::from_millis(5);

/// Speaks a protocol until `quit` or the end of the input. An error is about the player, before
/// anything is said, or about the output.
pub fn run<G: Playable>(
    dialect: Dialect,
    start: G,
    spec: &PlayerSpec,
    seed: u64,
    input: impl BufRead + Send + 'static,
    output: &mut dyn Write,
) -> Result<(), EngineError> {
    let settings = Settings::new(spec.clone(), &start).map_err(EngineError::Player)?;
    let (sender, events) = mpsc::channel();
    let lines = sender.clone();
    thread::spawn(move || read_lines(input, &lines));
    let engine = Engine {
        dialect,
        game: Some(Place { history: History::new(start.clone()), plies: 0 }),
        start,
        settings,
        seed,
        player: None,
        search: None,
        debug: false,
        sender,
        events,
        waiting: VecDeque::new(),
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

/// What the loop hears of.
enum Event<G: Playable> {
    /// A line of the client, and when it came: its clock runs since then.
    Line(String, Instant),
    /// The end of the input.
    End,
    /// A snapshot of the search.
    Progress(Report<G::Move>),
    /// The end of the search.
    Done(Box<dyn Player<G>>, Report<G::Move>),
}

/// Lines need not be UTF-8: what is not becomes a word nobody knows.
fn read_lines<G: Playable>(mut input: impl BufRead, events: &Sender<Event<G>>) {
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let event = match input.read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => Event::End,
            Ok(_) => Event::Line(String::from_utf8_lossy(&bytes).into_owned(), Instant::now()),
        };
        let ends = matches!(event, Event::End);
        if events.send(event).is_err() || ends {
            return;
        }
    }
}

/// Where the game is.
#[derive(Clone)]
struct Place<G: Playable> {
    history: History<G>,
    /// Moves played to get here, as far as they are known.
    plies: u32,
}

struct Engine<'a, G: Playable> {
    dialect: Dialect,
    start: G,
    settings: Settings,
    /// The seed of the next game.
    seed: u64,
    /// None while it searches, and before it is made.
    player: Option<Box<dyn Player<G>>>,
    /// None after a position that cannot be.
    game: Option<Place<G>>,
    search: Option<Search<G>>,
    debug: bool,
    sender: Sender<Event<G>>,
    events: Receiver<Event<G>>,
    /// Lines that came while a search was being ended.
    waiting: VecDeque<Event<G>>,
    out: &'a mut dyn Write,
}

impl<G: Playable> Engine<'_, G> {
    fn run(mut self) -> io::Result<()> {
        loop {
            match self.next_event() {
                Some(Event::Line(line, heard)) => {
                    let Some(command) = Command::parse(self.dialect, &line) else { continue };
                    if command == Command::Quit {
                        break;
                    }
                    self.obey(command, heard)?;
                }
                Some(Event::End) => break,
                Some(Event::Progress(report)) => self.on_progress(&report)?,
                Some(Event::Done(player, report)) => self.on_done(player, report)?,
                None => self.stop_search(),
            }
        }
        // The search is not waited for: it ends with the program, or by itself.
        self.stop_search();
        Ok(())
    }

    /// The next event; `None` if the time of the search is up.
    fn next_event(&mut self) -> Option<Event<G>> {
        if let Some(event) = self.waiting.pop_front() {
            return Some(event);
        }
        let running = self.search.as_ref().filter(|search| !search.stop.is_set());
        let Some(deadline) = running.and_then(Search::deadline) else {
            return self.events.recv().ok().or(Some(Event::End));
        };
        match self.events.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(event) => Some(event),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Event::End),
        }
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
        for line in self.settings.list(&self.start) {
            self.say(&line)?;
        }
        self.say(self.dialect.hello_answer())
    }

    /// Makes the player if there is none.
    fn prepare(&mut self) -> io::Result<()> {
        if self.player.is_some() || self.search.is_some() {
            return Ok(());
        }
        match create(&self.settings.spec, &self.start, self.seed) {
            Ok(player) => self.player = Some(player),
            Err(error) => self.remark(&error.to_string())?,
        }
        Ok(())
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> io::Result<()> {
        self.end_search()?;
        match self.settings.set(name, value, &self.start) {
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
            Ok(place) => self.game = Some(place),
            Err(problem) => {
                // A move from another position would be worse than none.
                self.game = None;
                self.remark(&problem)?;
            }
        }
        Ok(())
    }

    fn read_position(&self, text: Option<&str>, moves: &[String]) -> Result<Place<G>, String> {
        let position = match text {
            Some(text) => self.start.parse_position(text).map_err(|error| error.to_string())?,
            None => self.start.clone(),
        };
        let mut place = Place { history: History::new(position), plies: 0 };
        for text in moves {
            let position = place.history.position();
            let after_draw = self.moves_after_draw(position);
            let m = match after_draw.into_iter().find(|&m| position.move_text(m) == *text) {
                Some(m) => m,
                None => position.parse_move(text).map_err(|error| error.to_string())?,
            };
            place.history.play(m);
            place.plies += 1;
        }
        Ok(place)
    }

    /// The moves of a drawn position that is no stalemate, where the client may play on: those of UCI
    /// end games by rules of their own. (Chess lists moves as long as there are any.)
    fn moves_after_draw(&self, position: &G) -> Vec<G::Move> {
        let mut moves = Vec::new();
        if self.dialect == Dialect::Uci && position.outcome() == Some(Outcome::Draw) {
            position.legal_moves(&mut moves);
        }
        moves
    }

    fn go(&mut self, go: &Go, heard: Instant) -> io::Result<()> {
        self.end_search()?;
        self.prepare()?;
        // 1. Is there anything to search?
        let Some(place) = self.game.clone() else {
            self.remark("there is no position to search")?;
            return self.say("bestmove (none)");
        };
        let Place { mut history, plies } = place;
        if let Some(outcome) = history.position().outcome() {
            return self.tell_end(outcome, history.position());
        }
        if history.outcome().is_some() {
            // Drawn by repetition, but the client plays on: as if it began here.
            history = History::new(history.position().clone());
        }
        let Some(player) = self.player.take() else { return self.say("bestmove (none)") };
        let mut only = Vec::new();
        for text in &go.search_moves {
            match history.position().parse_move(text) {
                Ok(m) if only.contains(&m) => {}
                Ok(m) => only.push(m),
                Err(error) => self.remark(&error.to_string())?,
            }
        }
        // 2. How long?
        let mut allotment = self.allot(go, history.position().to_move(), plies);
        if go.move_time.is_none() && history.position().count_moves() == 1 {
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
        // A depth is that of the expected line, where a search tells it; else it ends nothing.
        let kinds = player.limit_kinds();
        if let Err(error) = kinds.check(&limits)
            && player.tree().is_none()
        {
            self.remark(&format!("{error}; searching for {INSTEAD:?}"))?;
            limits.time = Some(INSTEAD);
        }
        if self.debug
            && let Some(Allotment { soft, hard }) = allotment
        {
            self.remark(&format!("thinking for {soft:?}, at most {hard:?}"))?;
        }
        // 3. Search.
        let stop = Stop::new();
        self.search = Some(Search {
            position: history.position().clone(),
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
        let sender = self.sender.clone();
        let search = move || {
            let time = limits.time.map(|time| time.saturating_sub(heard.elapsed()));
            search::run(player, &history, &only, &Limits { time, ..limits }, &stop, &sender);
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
    fn tell_end(&mut self, outcome: Outcome, position: &G) -> io::Result<()> {
        let value = GameValue::of(outcome, position.to_move());
        let score = Score::new(value.score().into(), Some(value), Some(0));
        self.say(&format!("info depth 0 score {score}"))?;
        let any = self.moves_after_draw(position).first().map(|&m| position.move_text(m));
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
        let Some(mut report) = search.result else { return Ok(()) };
        let failure = self.player.as_ref().and_then(|player| player.failure().map(str::to_owned));
        if let Some(failure) = failure {
            self.remark(&failure)?;
        } else if report.best.is_none() {
            // It had no time for anything.
            let mut moves = Vec::new();
            search.position.legal_moves(&mut moves);
            report.best = moves.first().copied();
        }
        for line in info_lines(&search.position, &report, self.settings.lines) {
            self.say(&line)?;
        }
        let line = line_text(&search.position, &report.pv);
        let best = report.best.map(|m| search.position.move_text(m));
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
        while self.search.is_some() {
            match self.events.recv() {
                Ok(Event::Done(player, report)) => self.on_done(player, report)?,
                Ok(Event::Progress(_)) => {}
                Ok(event) => self.waiting.push_back(event),
                Err(_) => return Ok(()),
            }
        }
        Ok(())
    }

    fn on_progress(&mut self, report: &Report<G::Move>) -> io::Result<()> {
        let Some(search) = &mut self.search else { return Ok(()) };
        if search.stop.is_set() {
            return Ok(());
        }
        search.trend.observe(report);
        let lines = info_lines(&search.position, report, self.settings.lines);
        if search.is_answered_by(report) {
            search.stop.stop();
        }
        lines.iter().try_for_each(|line| self.say(line))
    }

    fn on_done(&mut self, player: Box<dyn Player<G>>, report: Report<G::Move>) -> io::Result<()> {
        self.player = Some(player);
        if let Some(search) = &mut self.search {
            search.result = Some(report);
            // A stop that came from the clock while pondering went on is one of the client.
            search.held &= !search.stop.is_set();
        }
        self.release_if_done()
    }

    /// Answers a question of UGI about the position.
    fn answer(&mut self, question: &str) -> io::Result<()> {
        let Some(place) = &self.game else { return self.remark("there is no position") };
        let outcome = place.history.outcome();
        let answer = match question {
            "gameover" => outcome.is_some().to_string(),
            "p1turn" => (place.history.position().to_move() == Side::First).to_string(),
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
