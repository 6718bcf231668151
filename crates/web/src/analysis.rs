//! Live searches: each on its own thread, its snapshots sent as server-sent events.
//!
//! A search ends when its limits say so, or when its client goes away. A client that does not read
//! is cut off (`connections`); when all searches are taken, the one that is read least recently gives
//! way. Only the newest snapshot is kept for a client, so a slow one costs no memory. With `tree` the
//! client hears a number by which the tree can be opened (`search_tree`), and the stream stays open
//! after the search until the client goes away or the tree gives way to another search.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{Stream, unfold};
use serde::Deserialize;
use serde_json::{Value, json};
use spinney_session::{GameHandle, Limits, Player, PlayerSpec, Role, Session, Stop};
use tokio::sync::{OwnedSemaphorePermit, watch};
use tokio::time::timeout;

use crate::Shared;
use crate::api::blocking;
use crate::body::JsonBody;
use crate::connections::Client;
use crate::error::ApiError;
use crate::search_tree::{RootedTree, Shown};
use crate::state::{self, Labelled, Place};

/// The longest search: a page that somebody forgot ends some time.
const LONGEST: Duration = Duration::from_secs(3600);
/// Requests that wait for a search to end. Each takes up a connection.
pub(crate) const LONGEST_QUEUE: usize = 32;
/// Bytes of the comment that a quiet stream sends. They fill the buffers of a client that does not
/// read, within minutes; only then can it be told from one that does.
const HEARTBEAT_BYTES: usize = 1 << 14;

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
        Limits { time: Some(time), ..self.given() }
    }

    /// Without the limit that every search has.
    fn given(&self) -> Limits {
        let RequestLimits { time, simulations, nodes, depth } = *self;
        Limits { time: time.map(Duration::from_millis), simulations, nodes, depth }
    }
}

/// A player that somebody wants to play against.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Opponent {
    game: String,
    player: String,
    #[serde(default)]
    limits: RequestLimits,
}

/// Says whether there is such a player, with these options and limits.
pub(crate) async fn check(
    State(shared): State<Arc<Shared>>,
    JsonBody(Opponent { game, player, limits }): JsonBody<Opponent>,
) -> Result<StatusCode, ApiError> {
    blocking(move || {
        let game = shared.registry.game(&game).map_err(ApiError::bad)?;
        let spec = player_spec(&game, &player, &shared)?;
        let player = game.player(&spec, 0).map_err(ApiError::player)?;
        player.limit_kinds().check(&limits.given()).map_err(ApiError::bad)?;
        Ok(StatusCode::NO_CONTENT)
    })
    .await
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
    Extension(client): Extension<Arc<Client>>,
    JsonBody(request): JsonBody<Request>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, ApiError> {
    let Request { game, start, moves, player: spec, seed, limits, tree: wants_tree } = request;
    let limits = limits.limits();
    let registry = shared.registry.clone();
    let session = blocking(move || state::open(&registry, &Place { game, start, moves })).await?;
    let permit = place(&shared).await?;
    let heartbeat = shared.config.heartbeat;
    // The permit goes along: if the client goes away now, its place is taken until this returns.
    let (search, permit, shared) = blocking(move || {
        let spec = player_spec(session.game(), &spec, &shared)?;
        let player = session.game().player(&spec, seed).map_err(ApiError::player)?;
        Ok((Search { session, player, limits, stop: Stop::new() }, permit, shared))
    })
    .await?;

    let tree = if wants_tree { search.tree() } else { None };
    let stop = search.stop.clone();
    let shown = tree.map(|tree| shared.trees.show(tree, stop.clone()));
    let number = shown.as_ref().map(|shown| shown.number);
    let (sender, receiver) = watch::channel(None);
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
    client.set_searching(true);
    let search = Running { stop, client };
    let reader = Reader { greeting, receiver, search: Some(search), shown };
    let events =
        unfold(reader, |mut reader| async { reader.next().await.map(|event| (Ok(event), reader)) });
    let comment = KeepAlive::new().interval(heartbeat).text(" ".repeat(HEARTBEAT_BYTES));
    Ok(Sse::new(events).keep_alive(comment))
}

/// Waits for a place. Trees of searches that have ended give way, and searches that nobody reads.
async fn place(shared: &Shared) -> Result<OwnedSemaphorePermit, ApiError> {
    let busy = || {
        let message = "too many searches at once; try again when one has ended";
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, message)
    };
    if let Ok(permit) = shared.searches.clone().try_acquire_owned() {
        return Ok(permit);
    }
    shared.trees.give_way();
    shared.connections.cut_unread_search();
    let _turn = shared.queue.try_acquire().map_err(|_| busy())?;
    match timeout(shared.config.queue, shared.searches.clone().acquire_owned()).await {
        Ok(Ok(permit)) => Ok(permit),
        _ => Err(busy()),
    }
}

/// Reads the player, within the memory and threads that one search may use. It may not read files
/// or start programs.
fn player_spec(game: &GameHandle, text: &str, shared: &Shared) -> Result<PlayerSpec, ApiError> {
    let mut spec = text.parse::<PlayerSpec>().map_err(ApiError::player)?.sandboxed();
    for option in game.options(&spec).map_err(ApiError::player)? {
        let most = match option.role {
            Role::Memory => shared.memory,
            Role::Threads => shared.threads,
            _ => continue,
        };
        let key = option.key;
        let number = |text: &str| text.parse().unwrap_or(0_usize);
        match spec.value(key).map(number) {
            Some(given) if given > most => {
                return Err(ApiError::bad(format!("player {text:?}: {key} may be {most} at most")));
            }
            None if number(&option.default) > most => spec = spec.with(key, &most.to_string()),
            _ => (),
        }
    }
    Ok(spec)
}

/// A search, ready to run.
struct Search {
    session: Session,
    player: Box<dyn Player>,
    limits: Limits,
    stop: Stop,
}

impl Search {
    /// Searches, sends snapshots and returns the last word. The player is gone afterwards.
    fn run(self, sender: &watch::Sender<Option<Message>>) -> Message {
        let Search { session, mut player, limits, stop } = self;
        // Alpha-beta alone ends at a depth, and keeps no tree.
        let deepens = player.limit_kinds().depth && player.tree().is_none();
        let report = player.analyse(&session, &limits, &stop, &mut |report| {
            let analysis = Labelled::new(&session, report, deepens);
            sender.send_replace(Some(Message::Snapshot(Arc::new(analysis))));
        });
        match report {
            Ok(report) => Message::Done(Arc::new(Labelled::new(&session, &report, deepens))),
            Err(failure) => Message::Failed(failure.to_string()),
        }
    }

    /// A look into its tree, if it keeps one.
    fn tree(&self) -> Option<RootedTree> {
        let root = self.session.from_here();
        self.player.tree().map(|tree| RootedTree { root, tree })
    }
}

/// A search whose client is there. It is told to stop when this is dropped.
struct Running {
    stop: Stop,
    client: Arc<Client>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.stop();
        self.client.set_searching(false);
    }
}

/// The side of the client. The search ends with it, and its tree goes.
struct Reader {
    /// What is said first.
    greeting: Option<Value>,
    receiver: watch::Receiver<Option<Message>>,
    /// `None` when it has ended.
    search: Option<Running>,
    shown: Option<Shown>,
}

impl Reader {
    async fn next(&mut self) -> Option<Event> {
        if let Some(greeting) = self.greeting.take() {
            return Some(Event::default().event("tree").data(greeting.to_string()));
        }
        if self.search.is_none() {
            if let Some(shown) = &mut self.shown {
                // The client closes the connection when it has seen enough.
                shown.gone().await;
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
        if name != "snapshot" {
            self.search = None;
        }
        Some(Event::default().event(name).data(data.unwrap_or_default()))
    }
}
