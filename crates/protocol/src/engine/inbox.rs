//! What an engine hears of: the lines of its client, and its own search.

use std::collections::VecDeque;
use std::io::BufRead;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Instant;

use spinney_session::{Failure, Player, Report};

use super::search::Search;

/// What the loop of an engine hears of.
pub(super) enum Event {
    /// A line of the client, and when it came: its clock runs since then.
    Line(String, Instant),
    /// The end of the input.
    End,
    /// A snapshot of the search.
    Progress(Report),
    /// The end of the search.
    Done(Box<dyn Player>, Result<Report, Failure>),
}

/// Events in the order in which they are to be handled.
pub(super) struct Inbox {
    sender: Sender<Event>,
    events: Receiver<Event>,
    /// Lines that came while a search was being ended.
    waiting: VecDeque<Event>,
}

impl Inbox {
    /// The lines of an input are read by a thread of their own.
    pub(super) fn new(input: impl BufRead + Send + 'static) -> Self {
        let (sender, events) = mpsc::channel();
        let lines = sender.clone();
        thread::spawn(move || read_lines(input, &lines));
        Inbox { sender, events, waiting: VecDeque::new() }
    }

    /// Where a search sends its events.
    pub(super) fn sender(&self) -> Sender<Event> {
        self.sender.clone()
    }

    /// The next event; `None` if the time of the search is up.
    pub(super) fn next(&mut self, search: Option<&Search>) -> Option<Event> {
        if let Some(event) = self.waiting.pop_front() {
            return Some(event);
        }
        let running = search.filter(|search| !search.stop.is_set());
        let Some(deadline) = running.and_then(Search::deadline) else {
            return self.events.recv().ok().or(Some(Event::End));
        };
        match self.events.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(event) => Some(event),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Event::End),
        }
    }

    /// Waits for the end of the search, which was told to stop; lines wait meanwhile.
    pub(super) fn done(&mut self) -> Option<(Box<dyn Player>, Result<Report, Failure>)> {
        loop {
            match self.events.recv().ok()? {
                Event::Done(player, result) => return Some((player, result)),
                Event::Progress(_) => {}
                event => self.waiting.push_back(event),
            }
        }
    }
}

/// Lines need not be UTF-8: what is not becomes a word nobody knows.
fn read_lines(mut input: impl BufRead, events: &Sender<Event>) {
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
