//! What the board in the browser asks, answered: JSON in, JSON out (docs/reference/http-api.md). No clock, thread
//! or network of its own, so it runs in a server and in the browser alike.
//!
//! - [`GETS`] and [`POSTS`]: requests that are answered at once, by their names.
//! - [`Search`]: a live search, which says [`Event`]s, in one go or in slices. [`RootedTree`]: its tree.
//! - `state`: a game at one moment; `board`: a position as squares and men; `lines`: what LOA shows beside
//!   them. `listing`: games and players. `reading`, `writing`: records of games.

mod board;
mod lines;
mod listing;
mod reading;
mod refusal;
mod search;
mod search_tree;
mod state;
mod writing;

use serde::Serialize;
use serde::de::DeserializeOwned;
use spinney_session::Registry;

pub use refusal::Refusal;
pub use search::{Event, Search, SearchRequest, SlicedSearch};
pub use search_tree::{NodeRequest, OpenedNode, RootedTree, StopRequest};
pub use state::Labelled;

/// What requests are answered from.
#[derive(Clone, Debug)]
pub struct Api {
    /// The games.
    pub registry: Registry,
    /// Megabytes that one search may use.
    pub memory: usize,
    /// Threads that one search may use.
    pub threads: usize,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// As JSON.
    Json(String),
    /// As plain text.
    Text(String),
    /// There is nothing to say.
    Nothing,
}

/// Answers requests of one kind, given as JSON.
pub type Handler = fn(&Api, &[u8]) -> Result<Answer, Refusal>;

/// Requests that HTTP makes by `GET`, with their fields in the query.
pub const GETS: &[(&str, Handler)] = &[
    ("games", |api, _| Answer::json(&listing::games(&api.registry))),
    ("players", |api, body| Answer::json(&listing::players(&api.registry, &read(body)?)?)),
];

/// Requests that HTTP makes by `POST`.
pub const POSTS: &[(&str, Handler)] = &[
    ("player", |api, body| search::check(api, &read(body)?).map(|()| Answer::Nothing)),
    ("position", |api, body| {
        Answer::json(&state::State::of(&state::open(&api.registry, &read(body)?)?))
    }),
    ("record", |api, body| Answer::json(&reading::read(&api.registry, &read(body)?)?)),
    ("export", |api, body| writing::write(&api.registry, &read(body)?).map(Answer::Text)),
];

/// Reads a request.
pub fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Refusal> {
    serde_json::from_slice(body).map_err(|error| Refusal::bad(format!("JSON: {error}")))
}

impl Answer {
    /// A value as JSON.
    pub fn json(value: &impl Serialize) -> Result<Answer, Refusal> {
        serde_json::to_string(value).map(Answer::Json).map_err(Refusal::failed)
    }
}
