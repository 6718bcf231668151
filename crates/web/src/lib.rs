//! The board in the browser: a small HTTP server with the page inside it.
//!
//! - `assets/`: the page, embedded in the program; plain SVG and ES modules.
//! - [`Server`]: binds and serves. The API is stateless: every request names its game, start and
//!   moves (docs/reference/http-api.md).
//! - `answers`: requests that are answered at once, by `spinney_api`. `analysis`: live searches as
//!   server-sent events. `search_tree`: their trees.
//! - `guard`: who may ask. `connections`: how many clients, and how long they may keep the server
//!   waiting. `body`: how much they may send.

mod analysis;
mod answers;
mod assets;
mod body;
mod connections;
mod error;
mod guard;
mod search_tree;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::middleware;
use axum::routing::{get, post};
use spinney_api::{Api, GETS, POSTS};
use spinney_session::Registry;
use thiserror::Error;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Semaphore;

use crate::connections::Connections;
use crate::search_tree::Trees;

/// What the server may use, and how long it waits. docs/reference/http-api.md has the limits in a table.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where it listens.
    pub address: SocketAddr,
    /// Searches at once; further ones are refused until one ends.
    pub searches: usize,
    /// Megabytes for the trees and tables of all searches together.
    pub memory: usize,
    /// Connections at once. A further one takes the place of the connection that has waited longest
    /// for its client.
    pub connections: usize,
    /// Time for the whole header of a request, from when the connection is ready for it. An idle
    /// connection is closed after this time.
    pub header: Duration,
    /// Time for the whole body of a request.
    pub body: Duration,
    /// A client that reads nothing of an answer for this long is cut off.
    pub write: Duration,
    /// How long a request waits for one of the `searches` to end.
    pub queue: Duration,
    /// A stream of events that has nothing to say sends a comment in this interval.
    pub heartbeat: Duration,
}

impl Config {
    /// The usual limits: a search for each core, and 1 GB for all of them.
    pub fn new(address: SocketAddr) -> Self {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        Config {
            address,
            searches: cores.max(2),
            memory: 1024,
            connections: 512,
            header: Duration::from_secs(10),
            body: Duration::from_secs(20),
            write: Duration::from_secs(20),
            queue: Duration::from_millis(300),
            heartbeat: Duration::from_secs(5),
        }
    }
}

/// Why the server cannot start.
#[derive(Debug, Error)]
pub enum ServeError {
    /// Another program listens there.
    #[error(
        "{0} is taken: another program, perhaps another `spinney serve`, listens there; \
         try --addr {ip}:0 for a free port", ip = .0.ip()
    )]
    Taken(SocketAddr),
    /// Anything else.
    #[error("{address}: {error}")]
    Io {
        /// Where it should listen.
        address: SocketAddr,
        /// Why it cannot.
        error: io::Error,
    },
}

/// A server that listens, not yet serving.
pub struct Server {
    runtime: Runtime,
    listener: TcpListener,
    address: SocketAddr,
    registry: Registry,
    config: Config,
}

/// What all requests share.
struct Shared {
    api: Api,
    config: Config,
    connections: Arc<Connections>,
    /// One permit for each search that may run.
    searches: Arc<Semaphore>,
    /// One permit for each request that may wait for a search to end.
    queue: Semaphore,
    /// The trees that clients may look into.
    trees: Arc<Trees>,
}

impl Server {
    /// Starts to listen, with the games of a registry.
    pub fn bind(registry: &Registry, config: Config) -> Result<Server, ServeError> {
        let address = config.address;
        let error = |error: io::Error| match error.kind() {
            io::ErrorKind::AddrInUse => ServeError::Taken(address),
            _ => ServeError::Io { address, error },
        };
        let runtime =
            Builder::new_multi_thread().worker_threads(2).enable_all().build().map_err(error)?;
        let listener = runtime.block_on(async { connections::listen(address) }).map_err(error)?;
        let address = listener.local_addr().map_err(error)?;
        Ok(Server { runtime, listener, address, registry: registry.clone(), config })
    }

    /// Where it listens; the port is the real one if 0 was asked for.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until the program ends.
    pub fn run(self) -> Result<(), ServeError> {
        let Server { runtime, listener, address, registry, config } = self;
        let searches = config.searches.max(1);
        let connections = Arc::new(Connections::new(&config));
        let shared = Arc::new(Shared {
            api: Api {
                registry,
                memory: (config.memory / searches).max(1),
                threads: std::thread::available_parallelism().map_or(1, usize::from),
            },
            connections: connections.clone(),
            searches: Arc::new(Semaphore::new(searches)),
            queue: Semaphore::new(analysis::LONGEST_QUEUE),
            trees: Arc::default(),
            config,
        });
        // On the threads of the runtime, which take turns between accepting and serving.
        let serving = runtime.spawn(connections.serve(listener, router(shared)));
        runtime
            .block_on(serving)
            .map_err(|error| ServeError::Io { address, error: io::Error::other(error) })
    }
}

fn router(shared: Arc<Shared>) -> Router {
    let mut router = Router::new();
    for &(name, handler) in GETS {
        let answer = move |shared, query| answers::get(handler, shared, query);
        router = router.route(&format!("/api/{name}"), get(answer));
    }
    for &(name, handler) in POSTS {
        let answer = move |shared, body| answers::post(handler, shared, body);
        router = router.route(&format!("/api/{name}"), post(answer));
    }
    router
        .route("/api/analyse", post(analysis::analyse))
        .route("/api/tree", post(search_tree::open))
        .route("/api/stop", post(search_tree::stop))
        .fallback(assets::serve)
        .method_not_allowed_fallback(error::method_not_allowed)
        .layer(middleware::from_fn(guard::check))
        .with_state(shared)
}
