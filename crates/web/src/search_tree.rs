//! The trees of live searches, opened node by node.
//!
//! A search that was asked to show its tree has a number, and its tree can be looked into while it
//! runs and afterwards: until its client closes the connection, or another search needs its place
//! and the server closes it.
//! So there are never more trees than searches that may run, and memory stays within its limit.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use spinney_protocol::AnalysedMove;
use spinney_session::{Branch, NoNode, ProofNumbers, SearchTree, Session, Stop};
use tokio::sync::{OwnedSemaphorePermit, oneshot};

use crate::Shared;
use crate::api::blocking;
use crate::body::JsonBody;
use crate::error::ApiError;
use crate::state::MoveText;

/// Longer lines than any tree has.
const LONGEST_PATH: usize = 1000;

/// Which node.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Request {
    search: u64,
    /// The moves from the searched position to the node.
    #[serde(default)]
    path: Vec<String>,
}

/// A node of a tree, as a client sees it.
#[derive(Debug, Serialize)]
pub(crate) struct OpenedNode {
    /// Whose turn it is there.
    to_move: usize,
    moves: Vec<OpenedMove>,
}

#[derive(Debug, Serialize)]
struct OpenedMove {
    #[serde(flatten)]
    analysed: AnalysedMove,
    label: String,
    squares: Vec<String>,
    /// Moves that the tree has after it.
    children: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    numbers: Option<Numbers>,
}

/// `null` stands for infinity.
#[derive(Debug, Serialize)]
struct Numbers {
    attacker: usize,
    proof: Option<u32>,
    disproof: Option<u32>,
}

/// A tree with the game at its root.
pub(crate) struct RootedTree {
    pub root: Session,
    pub tree: Arc<dyn SearchTree>,
}

impl RootedTree {
    fn open(&self, path: &[String]) -> Result<OpenedNode, ApiError> {
        if path.len() > LONGEST_PATH {
            return Err(ApiError::wrong(format!("more than {LONGEST_PATH} moves")));
        }
        let mut session = self.root.clone();
        let mut moves = Vec::with_capacity(path.len());
        for (index, text) in path.iter().enumerate() {
            let m = session
                .parse_move(text)
                .map_err(|error| ApiError::wrong(format!("ply {}: {error}", index + 1)))?;
            session.play(m);
            moves.push(m);
        }
        let branches = self.tree.moves(&moves).map_err(|problem| match problem {
            NoNode::Missing => {
                ApiError::new(StatusCode::NOT_FOUND, "the tree has not grown to this node")
            }
            NoNode::Busy => ApiError::new(
                StatusCode::CONFLICT,
                "this search shows its tree only when it has ended",
            ),
        })?;
        let moves = branches.into_iter().map(|branch| opened(&session, branch)).collect();
        Ok(OpenedNode { to_move: session.to_move().index(), moves })
    }
}

fn opened(session: &Session, branch: Branch) -> OpenedMove {
    let Branch { candidate, children, numbers } = branch;
    let MoveText { label, squares, .. } = MoveText::of(session, candidate.m);
    let numbers = numbers.map(|ProofNumbers { attacker, proof, disproof }| Numbers {
        attacker: attacker.index(),
        proof,
        disproof,
    });
    let analysed = AnalysedMove { pv: Vec::new(), ..AnalysedMove::new(session, &candidate) };
    OpenedMove { analysed, label, squares, children, numbers }
}

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

fn gone(number: u64) -> ApiError {
    let message = format!("there is no tree of a search {number}, or no longer");
    ApiError::new(StatusCode::NOT_FOUND, message)
}

/// Opens a node.
pub(crate) async fn open(
    State(shared): State<Arc<Shared>>,
    JsonBody(Request { search, path }): JsonBody<Request>,
) -> Result<Json<OpenedNode>, ApiError> {
    let tree = shared.trees.lock().trees.get(&search).map(|kept| kept.tree.clone());
    let tree = tree.ok_or_else(|| gone(search))?;
    blocking(move || tree.open(&path)).await.map(Json)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StopRequest {
    search: u64,
}

/// Ends a search whose tree is shown; the tree stays.
pub(crate) async fn stop(
    State(shared): State<Arc<Shared>>,
    JsonBody(StopRequest { search }): JsonBody<StopRequest>,
) -> Result<StatusCode, ApiError> {
    let stop = shared.trees.lock().trees.get(&search).map(|kept| kept.stop.clone());
    stop.ok_or_else(|| gone(search))?.stop();
    Ok(StatusCode::NO_CONTENT)
}
