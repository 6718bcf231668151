//! Live searches: each on its own thread, its snapshots sent as server-sent events.
//!
//! A search ends when its limits say so, or when its client goes away. A client that does not read
//! is cut off (`connections`); when all searches are taken, the one that is read least recently gives
//! way. Only the newest snapshot is kept for a client, so a slow one costs no memory. With `tree` the
//! client hears a number by which the tree can be opened (`search_tree`), and the stream stays open
//! after the search until the client goes away or the tree gives way to another search.

use std::convert::Infallible;
use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::sse::{self, KeepAlive, Sse};
use futures_util::stream::{Stream, unfold};
use serde_json::{Value, json};
use spinney_api::{Event, SearchRequest, read};
use spinney_session::Stop;
use tokio::sync::{OwnedSemaphorePermit, watch};
use tokio::time::timeout;

use crate::Shared;
use crate::answers::blocking;
use crate::body::JsonBody;
use crate::connections::Client;
use crate::error::ApiError;
use crate::search_tree::Shown;

/// Requests that wait for a search to end. Each takes up a connection.
pub(crate) const LONGEST_QUEUE: usize = 32;
/// Bytes of the comment that a quiet stream sends. They fill the buffers of a client that does not
/// read, within minutes; only then can it be told from one that does.
const HEARTBEAT_BYTES: usize = 1 << 14;

/// Starts a search and streams what it finds.
pub(crate) async fn analyse(
    State(shared): State<Arc<Shared>>,
    Extension(client): Extension<Arc<Client>>,
    JsonBody(body): JsonBody,
) -> Result<Sse<impl Stream<Item = Result<sse::Event, Infallible>>>, ApiError> {
    let request: SearchRequest = read(&body)?;
    let wants_tree = request.tree;
    let api = shared.api.clone();
    let (request, session) = blocking(move || {
        let session = request.session(&api)?;
        Ok((request, session))
    })
    .await?;
    let permit = place(&shared).await?;
    let heartbeat = shared.config.heartbeat;
    let stop = Stop::new();
    let flag = stop.clone();
    // The permit goes along: if the client goes away now, its place is taken until this returns.
    let (search, permit, shared) = blocking(move || {
        let search = request.search(&shared.api, session, flag)?;
        Ok((search, permit, shared))
    })
    .await?;

    let tree = if wants_tree { search.tree() } else { None };
    let shown = tree.map(|tree| shared.trees.show(tree, stop.clone()));
    let number = shown.as_ref().map(|shown| shown.number);
    let (sender, receiver) = watch::channel::<Option<Arc<Event>>>(None);
    let thread = std::thread::Builder::new().name("search".to_owned()).spawn(move || {
        let last = search.run(&mut |event| {
            sender.send_replace(Some(Arc::new(event)));
        });
        // Before the client can ask for another search, there is room for one.
        match number {
            Some(number) => shared.trees.keep(number, permit),
            None => drop(permit),
        }
        sender.send_replace(Some(Arc::new(last)));
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
    receiver: watch::Receiver<Option<Arc<Event>>>,
    /// `None` when it has ended.
    search: Option<Running>,
    shown: Option<Shown>,
}

impl Reader {
    async fn next(&mut self) -> Option<sse::Event> {
        if let Some(greeting) = self.greeting.take() {
            return Some(sse::Event::default().event("tree").data(greeting.to_string()));
        }
        if self.search.is_none() {
            if let Some(shown) = &mut self.shown {
                // The client closes the connection when it has seen enough.
                shown.gone().await;
            }
            return None;
        }
        let event = match self.receiver.changed().await {
            Ok(()) => self.receiver.borrow_and_update().clone(),
            // The thread is gone without a last word: it panicked.
            Err(_) => Some(Arc::new(Event::Failed("the search failed".to_owned()))),
        }?;
        if !matches!(*event, Event::Snapshot(_)) {
            self.search = None;
        }
        Some(sse::Event::default().event(event.name()).data(event.data()))
    }
}
