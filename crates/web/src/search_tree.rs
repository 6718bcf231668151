//! The trees of live searches, kept while somebody looks into them.
//!
//! A search that was asked to show its tree has a number, and its tree can be looked into while it
//! runs and afterwards: until its client closes the connection, or another search needs its place
//! and the server closes it.
//! So there are never more trees than searches that may run, and memory stays within its limit.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use spinney_api::{Answer, NodeRequest, Refusal, RootedTree, StopRequest, read};
use spinney_session::Stop;
use tokio::sync::{OwnedSemaphorePermit, oneshot};

use crate::Shared;
use crate::answers::{blocking, response};
use crate::body::JsonBody;
use crate::error::ApiError;

/// All trees that can be looked into, by the numbers of their searches.
#[derive(Default)]
pub(crate) struct Trees(Mutex<Shelf>);

#[derive(Default)]
struct Shelf {
    next: u64,
    trees: BTreeMap<u64, Kept>,
}

struct Kept {
    tree: Arc<RootedTree>,
    /// Ends the search.
    stop: Stop,
    /// The place of a search that has ended: its tree takes it up.
    place: Option<OwnedSemaphorePermit>,
    /// Dropped with the tree: its stream ends.
    _there: oneshot::Sender<Infallible>,
}

impl Trees {
    fn lock(&self) -> MutexGuard<'_, Shelf> {
        // Nothing is left half done under this lock.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes up a tree; it is there until the answer is dropped, or until [`Trees::give_way`].
    pub(crate) fn show(self: &Arc<Self>, tree: RootedTree, stop: Stop) -> Shown {
        let mut shelf = self.lock();
        shelf.next += 1;
        let number = shelf.next;
        let (there, gone) = oneshot::channel();
        let kept = Kept { tree: Arc::new(tree), stop, place: None, _there: there };
        shelf.trees.insert(number, kept);
        Shown { number, trees: self.clone(), gone }
    }

    /// The search has ended, and its tree stays in its place, if somebody still wants it.
    pub(crate) fn keep(&self, number: u64, place: OwnedSemaphorePermit) {
        if let Some(kept) = self.lock().trees.get_mut(&number) {
            kept.place = Some(place);
        }
    }

    /// Makes room for a search: the oldest tree whose search has ended goes, if there is one.
    pub(crate) fn give_way(&self) {
        let mut shelf = self.lock();
        let oldest = shelf.trees.iter().find(|(_, kept)| kept.place.is_some());
        if let Some(number) = oldest.map(|(&number, _)| number) {
            shelf.trees.remove(&number);
        }
    }
}

/// A tree that can be looked into, as long as this is not dropped.
pub(crate) struct Shown {
    pub number: u64,
    trees: Arc<Trees>,
    gone: oneshot::Receiver<Infallible>,
}

impl Shown {
    /// Waits until the tree has given way.
    pub(crate) async fn gone(&mut self) {
        // Nothing is ever sent: the channel ends with the tree.
        let _ = (&mut self.gone).await;
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        self.trees.lock().trees.remove(&self.number);
    }
}

/// Opens a node.
pub(crate) async fn open(
    State(shared): State<Arc<Shared>>,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let NodeRequest { search, path } = read(&body)?;
    let tree = shared.trees.lock().trees.get(&search).map(|kept| kept.tree.clone());
    let tree = tree.ok_or_else(|| Refusal::no_tree(search))?;
    blocking(move || Answer::json(&tree.open(&path)?)).await.map(response)
}

/// Ends a search whose tree is shown; the tree stays.
pub(crate) async fn stop(
    State(shared): State<Arc<Shared>>,
    JsonBody(body): JsonBody,
) -> Result<StatusCode, ApiError> {
    let StopRequest { search } = read(&body)?;
    let stop = shared.trees.lock().trees.get(&search).map(|kept| kept.stop.clone());
    stop.ok_or_else(|| Refusal::no_tree(search))?.stop();
    Ok(StatusCode::NO_CONTENT)
}
