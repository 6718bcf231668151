//! The engine of the page without a server: `spinney_api` for WebAssembly.
//!
//! The worker of the page (`assets/worker.js`) writes a request into the [`buffer`]: its name, a line end,
//! and its fields as JSON. [`ask`] puts the answer in its place. As both are text, there is nothing for a
//! generator of bindings to do.
//!
//! Beside the requests of `spinney_api`, whose names and fields are those of the HTTP API, there are
//!
//! - `analyse`: begins a search, and answers its number;
//! - `step` with `search` and `thousands`: searches a slice, and answers an event;
//! - `tree`, `stop`: as in the HTTP API;
//! - `close` with `search`: forgets a search and its tree.
//!
//! A browser gives a worker one thread, and messages reach it only between two slices. Search is by one
//! thread as well (`Host`).

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::json;
use spinney_api::{
    Answer, Api, Event, GETS, NodeRequest, POSTS, Refusal, RootedTree, SearchRequest, SlicedSearch,
    StopRequest, read,
};
use spinney_session::{Host, Registry, Stop};

/// Megabytes for one search. Guess: a phone has room for two of them.
const MEMORY: usize = 128;

thread_local! {
    static ENGINE: RefCell<Engine> = RefCell::new(Engine::new());
    static BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Room for a request of `length` bytes; or where an answer of this length begins.
#[unsafe(no_mangle)]
pub extern "C" fn buffer(length: usize) -> *mut u8 {
    BUFFER.with_borrow_mut(|buffer| {
        buffer.resize(length, 0);
        buffer.as_mut_ptr()
    })
}

/// Answers the request in the buffer: `{"status": …, "body": …}`, a status of HTTP and what it would send.
/// Returns the length of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn ask() -> usize {
    let request = BUFFER.take();
    let answer = ENGINE.with_borrow_mut(|engine| engine.answer(&request));
    let length = answer.len();
    BUFFER.set(answer.into_bytes());
    length
}

/// What the worker lends.
#[cfg(target_family = "wasm")]
mod page {
    use std::sync::Arc;
    use std::time::Duration;

    use spinney_session::Host;

    unsafe extern "C" {
        /// Milliseconds since the worker began.
        safe fn now() -> f64;
        /// Says why the engine fails.
        safe fn complain(message: *const u8, length: usize);
    }

    pub(crate) fn host() -> Arc<Host> {
        std::panic::set_hook(Box::new(|panic| {
            let message = panic.to_string();
            complain(message.as_ptr(), message.len());
        }));
        let clock = || Duration::from_secs_f64(now().max(0.0) / 1000.0);
        Arc::new(Host { clock: Box::new(clock), threads: 1 })
    }
}

#[cfg(not(target_family = "wasm"))]
mod page {
    use std::sync::Arc;

    use spinney_session::Host;

    pub(crate) fn host() -> Arc<Host> {
        Arc::new(Host { threads: 1, ..Host::system() })
    }
}

struct Engine {
    api: Api,
    host: Arc<Host>,
    searches: BTreeMap<u64, Running>,
    next: u64,
}

/// A search until it is closed.
struct Running {
    /// `None` when it has ended.
    search: Option<SlicedSearch>,
    tree: Option<RootedTree>,
    stop: Stop,
}

#[derive(Deserialize)]
struct StepRequest {
    search: u64,
    thousands: NonZero<u64>,
}

impl Engine {
    fn new() -> Self {
        let api = Api { registry: Registry::builtin(), memory: MEMORY, threads: 1 };
        Engine { api, host: page::host(), searches: BTreeMap::new(), next: 0 }
    }

    fn answer(&mut self, request: &[u8]) -> String {
        let end = request.iter().position(|&byte| byte == b'\n').unwrap_or(request.len());
        let (name, body) = (&request[..end], request.get(end + 1..).unwrap_or_default());
        let answer = match name {
            b"analyse" => self.analyse(body),
            b"step" => self.step(body),
            b"tree" => self.open(body),
            b"stop" => read(body).and_then(|StopRequest { search }| {
                self.running(search)?.stop.stop();
                Ok(Answer::Nothing)
            }),
            b"close" => read(body).map(|StopRequest { search }| {
                self.searches.remove(&search);
                Answer::Nothing
            }),
            name => match GETS.iter().chain(POSTS).find(|(known, _)| known.as_bytes() == name) {
                Some((_, handler)) => handler(&self.api, body),
                None => Err(Refusal::missing("there is nothing here")),
            },
        };
        match answer {
            Ok(Answer::Json(body)) => format!("{{\"status\":200,\"body\":{body}}}"),
            Ok(Answer::Text(body)) => json!({ "status": 200, "body": body }).to_string(),
            Ok(Answer::Nothing) => json!({ "status": 204 }).to_string(),
            Err(Refusal { status, message }) => {
                json!({ "status": status, "body": { "error": message } }).to_string()
            }
        }
    }

    fn running(&mut self, search: u64) -> Result<&mut Running, Refusal> {
        self.searches.get_mut(&search).ok_or_else(|| Refusal::no_tree(search))
    }

    fn analyse(&mut self, body: &[u8]) -> Result<Answer, Refusal> {
        let request: SearchRequest = read(body)?;
        let session = request.session(&self.api)?;
        let stop = Stop::on(self.host.clone());
        let search = request.search(&self.api, session, stop.clone())?;
        let tree = if request.tree { search.tree() } else { None };
        self.next += 1;
        let number = self.next;
        let shown = tree.is_some().then_some(number);
        self.searches.insert(number, Running { search: Some(search.in_slices()), tree, stop });
        Answer::json(&json!({ "search": number, "tree": shown }))
    }

    fn step(&mut self, body: &[u8]) -> Result<Answer, Refusal> {
        let StepRequest { search: number, thousands } = read(body)?;
        let running = self.running(number)?;
        let search = running.search.as_mut().ok_or_else(|| Refusal::no_tree(number))?;
        let event = search.step(thousands);
        if !matches!(event, Event::Snapshot(_)) {
            running.search = None;
        }
        let (name, data) = (event.name(), event.data());
        Ok(Answer::Json(format!("{{\"event\":\"{name}\",\"data\":{data}}}")))
    }

    fn open(&mut self, body: &[u8]) -> Result<Answer, Refusal> {
        let NodeRequest { search, path } = read(body)?;
        let tree = self.running(search)?.tree.as_ref().ok_or_else(|| Refusal::no_tree(search))?;
        Answer::json(&tree.open(&path)?)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn ask_for(engine: &mut Engine, name: &str, body: &Value) -> (u64, Value) {
        let answer = engine.answer(format!("{name}\n{body}").as_bytes());
        let mut answer: Value = serde_json::from_str(&answer).unwrap();
        (answer["status"].as_u64().unwrap(), answer["body"].take())
    }

    #[test]
    fn requests_are_answered_as_by_the_server() {
        let mut engine = Engine::new();
        let (status, games) = ask_for(&mut engine, "games", &json!({}));
        assert_eq!((status, &games[0]["name"]), (200, &json!("loa")));
        let place = json!({ "game": "loa", "moves": ["d1-d3"] });
        let (_, position) = ask_for(&mut engine, "position", &place);
        assert_eq!(position["to_move"], 1);
        let (status, body) = ask_for(&mut engine, "position", &json!({ "game": "draughts" }));
        assert_eq!(status, 400);
        assert!(body["error"].as_str().unwrap().contains("draughts"), "{body}");
        assert_eq!(
            ask_for(&mut engine, "player", &json!({ "game": "loa", "player": "mia" })).0,
            204
        );
        assert_eq!(ask_for(&mut engine, "nothing", &json!({})).0, 404);
    }

    #[test]
    fn a_search_in_slices_is_stopped_and_its_tree_stays() {
        let mut engine = Engine::new();
        let request = json!({ "game": "loa6", "player": "uct", "tree": true });
        let (_, begun) = ask_for(&mut engine, "analyse", &request);
        let search = &begun["search"];
        assert_eq!(&begun["tree"], search);
        let step = json!({ "search": search, "thousands": 1 });
        let named = json!({ "search": search });
        assert_eq!(ask_for(&mut engine, "step", &step).1["event"], "snapshot");
        assert_eq!(ask_for(&mut engine, "stop", &named).0, 204);
        let (_, last) = ask_for(&mut engine, "step", &step);
        assert_eq!(last["event"], "done");
        let node = json!({ "search": search, "path": [last["data"]["best"]] });
        assert_eq!(ask_for(&mut engine, "tree", &node).1["to_move"], 1);
        assert_eq!(ask_for(&mut engine, "step", &step).0, 404);
        ask_for(&mut engine, "close", &named);
        assert_eq!(ask_for(&mut engine, "tree", &node).0, 404);
    }
}
