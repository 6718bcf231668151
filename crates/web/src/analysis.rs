//! Live searches: each on its own thread, its snapshots sent as server-sent events.
//!
//! A search ends when its limits say so, or when the client goes away; one that reads nothing is
//! cut off (`connections`). Only the newest snapshot is kept for it, so a slow client costs no
//! memory. With `tree` the client hears a number by which the tree can be opened (`search_tree`),
//! and the stream stays open after the search until the client goes away.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{Stream, unfold};
use serde::Deserialize;
use serde_json::{Value, json};
use spinney_players::PlayerSpec;
use spinney_search::{Limits, Stop};
use tokio::sync::{OwnedSemaphorePermit, watch};
use tokio::time::timeout;

use crate::Shared;
use crate::body::JsonBody;
use crate::error::ApiError;
use crate::search_tree::Shown;
use crate::session::{self, Labelled, Place, Searcher, Session};

/// The longest search: a page that somebody forgot ends some time.
const LONGEST: Duration = Duration::from_secs(3600);
/// How long a request waits for a search to end: one that was just cancelled ends soon.
const QUEUE: Duration = Duration::from_secs(2);

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
    /// Whether the client wants to look into the tree.
    #[serde(default)]
    tree: bool,
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
    Snapshot(Arc<Labelled>),
    Done(Arc<Labelled>),
    Failed(String),
}

/// Starts a search and streams what it finds.
pub(crate) async fn analyse(
    State(shared): State<Arc<Shared>>,
    JsonBody(request): JsonBody<Request>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, ApiError> {
    let Request { game, start, moves, player: spec, seed, limits, tree: wants_tree } = request;
    let limits = limits.limits();
    let session = session::open(&Place { game, start, moves })?;
    let spec = player(session.as_ref(), &spec, &shared)?;
    let permit = place(&shared).await?;
    let searcher = session.searcher(&spec, seed).map_err(ApiError::player)?;

    let tree = if wants_tree { searcher.tree() } else { None };
    let stop = Stop::new();
    let shown = tree.map(|tree| shared.trees.show(tree, stop.clone()));
    let number = shown.as_ref().map(|shown| shown.number);
    let (sender, receiver) = watch::channel(None);
    let search = Search { searcher, limits, stop: stop.clone() };
    let thread = std::thread::Builder::new().name("search".to_owned()).spawn(move || {
        let last = search.run(&sender);
        // Before the client can ask for another search, there is room for one.
        match number {
            Some(number) => shared.trees.keep(number, permit),
            None => drop(permit),
        }
        sender.send_replace(Some(last));
    });
    thread.map_err(|error| {
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, format!("no thread: {error}"))
    })?;

    let greeting = wants_tree.then(|| json!({ "search": number }));
    let reader = Reader { greeting, receiver, ended: false, _stop: StopOnDrop(stop), shown };
    let events =
        unfold(reader, |mut reader| async { reader.next().await.map(|event| (Ok(event), reader)) });
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(Duration::from_secs(5))))
}

/// Waits for a place. Trees of searches that have ended give way.
async fn place(shared: &Shared) -> Result<OwnedSemaphorePermit, ApiError> {
    if let Ok(permit) = shared.searches.clone().try_acquire_owned() {
        return Ok(permit);
    }
    shared.trees.give_way();
    match timeout(QUEUE, shared.searches.clone().acquire_owned()).await {
        Ok(Ok(permit)) => Ok(permit),
        _ => {
            let message = "too many searches at once; try again when one has ended";
            Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, message))
        }
    }
}

/// Reads the player, within the memory and threads that one search may use. It may not read files
/// or start programs.
fn player(session: &dyn Session, text: &str, shared: &Shared) -> Result<PlayerSpec, ApiError> {
    let mut spec = text.parse::<PlayerSpec>().map_err(ApiError::player)?.sandboxed();
    let most = [("memory", shared.memory), ("table", shared.memory), ("threads", shared.threads)];
    for (key, most) in most {
        let Some(given) = spec.value(key) else { continue };
        if !given.parse().is_ok_and(|given: usize| given <= most) {
            return Err(ApiError::bad(format!("player {text:?}: {key} may be {most} at most")));
        }
    }
    // Made only now: what was given is within bounds, so that nothing large is allocated.
    let options = session.options(&spec).map_err(ApiError::player)?;
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
    searcher: Box<dyn Searcher>,
    limits: Limits,
    stop: Stop,
}

impl Search {
    /// Searches, sends snapshots and returns the last word. The player is gone afterwards.
    fn run(self, sender: &watch::Sender<Option<Message>>) -> Message {
        let Search { mut searcher, limits, stop } = self;
        let mut progress = |analysis: Labelled| {
            sender.send_replace(Some(Message::Snapshot(Arc::new(analysis))));
        };
        match searcher.run(&limits, &stop, &mut progress) {
            Ok(analysis) => Message::Done(Arc::new(analysis)),
            Err(failure) => Message::Failed(failure),
        }
    }
}

struct StopOnDrop(Stop);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// The side of the client. The search ends with it, and its tree goes.
struct Reader {
    /// What is said first.
    greeting: Option<Value>,
    receiver: watch::Receiver<Option<Message>>,
    ended: bool,
    _stop: StopOnDrop,
    shown: Option<Shown>,
}

impl Reader {
    async fn next(&mut self) -> Option<Event> {
        if let Some(greeting) = self.greeting.take() {
            return Some(Event::default().event("tree").data(greeting.to_string()));
        }
        if self.ended {
            if self.shown.is_some() {
                // The client closes the connection when it has seen enough.
                std::future::pending::<()>().await;
            }
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
            Message::Failed(error) => ("failed", Ok(json!({ "error": error }).to_string())),
        };
        self.ended = name != "snapshot";
        Some(Event::default().event(name).data(data.unwrap_or_default()))
    }
}
