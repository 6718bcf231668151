//! Live searches: each on its own thread, its snapshots sent as server-sent events.
//!
//! A search ends when its limits say so, or when the client goes away; one that reads nothing is
//! cut off (`connections`). Only the newest snapshot is kept for it, so a slow client costs no
//! memory.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{Stream, unfold};
use serde::Deserialize;
use spinney_players::{EXTERNAL, PlayerSpec};
use spinney_protocol::Analysis;
use spinney_search::{Limits, Stop};
use tokio::sync::watch;
use tokio::time::timeout;

use crate::Shared;
use crate::body::JsonBody;
use crate::error::ApiError;
use crate::session::{self, Place, Session};

/// The longest search: a page that somebody forgot ends some time.
const LONGEST: Duration = Duration::from_secs(3600);
/// How long a request waits for a search to end: one that was just cancelled ends soon.
const QUEUE: Duration = Duration::from_secs(2);
/// Candidates in a snapshot, and moves of their lines.
const MOST_CANDIDATES: usize = 30;
const LONGEST_LINE: usize = 20;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Request {
    game: String,
    #[serde(default)]
    start: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
    player: String,
    #[serde(default)]
    seed: u64,
    #[serde(default)]
    limits: RequestLimits,
}

/// Whatever comes first ends the search.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct RequestLimits {
    /// Milliseconds.
    time: Option<u64>,
    simulations: Option<u64>,
    nodes: Option<u64>,
    depth: Option<u32>,
}

impl RequestLimits {
    fn limits(&self) -> Limits {
        let time = self.time.map_or(LONGEST, Duration::from_millis).min(LONGEST);
        let RequestLimits { simulations, nodes, depth, .. } = *self;
        Limits { time: Some(time), simulations, nodes, depth }
    }
}

/// What a search has to say.
#[derive(Clone)]
enum Message {
    Snapshot(Arc<Analysis>),
    Done(Arc<Analysis>),
    Failed(String),
}

/// Starts a search and streams what it finds.
pub(crate) async fn analyse(
    State(shared): State<Arc<Shared>>,
    JsonBody(request): JsonBody<Request>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, ApiError> {
    let limits = request.limits.limits();
    let place = Place { game: request.game, start: request.start, moves: request.moves };
    let session = session::open(&place)?;
    let player = player(session.as_ref(), &request.player, &shared)?;
    let place = timeout(QUEUE, shared.searches.clone().acquire_owned()).await;
    let Ok(Ok(permit)) = place else {
        let message = "too many searches at once; try again when one has ended";
        return Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, message));
    };

    let stop = Stop::new();
    let (sender, receiver) = watch::channel(None);
    let search = Search { session, player, seed: request.seed, limits, stop: stop.clone() };
    let thread = std::thread::Builder::new().name("search".to_owned()).spawn(move || {
        let last = search.run(&sender);
        // There is room for another search before the client can ask for one.
        drop(permit);
        sender.send_replace(Some(last));
    });
    thread.map_err(|error| {
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, format!("no thread: {error}"))
    })?;

    let reader = Reader { receiver, ended: false, _stop: StopOnDrop(stop) };
    let events =
        unfold(reader, |mut reader| async { reader.next().await.map(|event| (Ok(event), reader)) });
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(Duration::from_secs(5))))
}

/// Reads the player, within the memory and threads that one search may use.
fn player(session: &dyn Session, text: &str, shared: &Shared) -> Result<PlayerSpec, ApiError> {
    let mut spec: PlayerSpec = text.parse().map_err(ApiError::bad)?;
    if spec.name() == EXTERNAL {
        return Err(ApiError::new(StatusCode::FORBIDDEN, "a page may not start other programs"));
    }
    let most = [("memory", shared.memory), ("table", shared.memory), ("threads", shared.threads)];
    for (key, most) in most {
        let Some(given) = spec.value(key) else { continue };
        if !given.parse().is_ok_and(|given: usize| given <= most) {
            return Err(ApiError::bad(format!("player {text:?}: {key} may be {most} at most")));
        }
    }
    // Made only now: what was given is within bounds, so that nothing large is allocated.
    let options = session.options(&spec).map_err(ApiError::bad)?;
    for (key, most) in most {
        let option = options.iter().find(|option| option.key == key);
        let default = option.and_then(|option| option.default.parse::<usize>().ok());
        if spec.value(key).is_none() && default.is_some_and(|default| default > most) {
            spec = spec.with(key, &most.to_string());
        }
    }
    Ok(spec)
}

/// A search, ready to run.
struct Search {
    session: Box<dyn Session>,
    player: PlayerSpec,
    seed: u64,
    limits: Limits,
    stop: Stop,
}

impl Search {
    /// Searches, sends snapshots and returns the last word.
    fn run(&self, sender: &watch::Sender<Option<Message>>) -> Message {
        let Search { session, player, seed, limits, stop } = self;
        let mut progress = |analysis: Analysis| {
            sender.send_replace(Some(Message::Snapshot(Arc::new(shortened(analysis)))));
        };
        match session.search(player, *seed, limits, stop, &mut progress) {
            Ok(analysis) => Message::Done(Arc::new(shortened(analysis))),
            Err(failure) => Message::Failed(failure),
        }
    }
}

fn shortened(mut analysis: Analysis) -> Analysis {
    analysis.candidates.truncate(MOST_CANDIDATES);
    analysis.pv.truncate(LONGEST_LINE);
    for candidate in &mut analysis.candidates {
        candidate.pv.truncate(LONGEST_LINE);
    }
    analysis
}

struct StopOnDrop(Stop);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// The side of the client. The search ends with it.
struct Reader {
    receiver: watch::Receiver<Option<Message>>,
    ended: bool,
    _stop: StopOnDrop,
}

impl Reader {
    async fn next(&mut self) -> Option<Event> {
        if self.ended {
            return None;
        }
        let message = match self.receiver.changed().await {
            Ok(()) => self.receiver.borrow_and_update().clone(),
            // The thread is gone without a last word: it panicked.
            Err(_) => Some(Message::Failed("the search failed".to_owned())),
        };
        let (name, data) = match message? {
            Message::Snapshot(analysis) => ("snapshot", serde_json::to_string(&*analysis)),
            Message::Done(analysis) => ("done", serde_json::to_string(&*analysis)),
            Message::Failed(error) => {
                ("failed", Ok(serde_json::json!({ "error": error }).to_string()))
            }
        };
        self.ended = name != "snapshot";
        Some(Event::default().event(name).data(data.unwrap_or_default()))
    }
}
