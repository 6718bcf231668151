//! Connections: accepts them, serves each on its own task, and cuts off clients that keep the
//! server waiting.
//!
//! A connection *waits for its client* from when it is ready for a request until the request has
//! come in full, and while the client does not read an answer. Every such wait has a limit: for the
//! header and for reading here, for the body in `body`. When all places are taken, the connection
//! that has waited longest gives way to a new one.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::response::Response;
use futures_util::future::select;
use hyper::body::{Body as HttpBody, Bytes, Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep, timeout};

use crate::Config;

/// The largest header of a request, in bytes.
const LARGEST_HEADER: usize = 1 << 16;
/// Bytes that the system keeps for a client that does not read. More would hide for longer that it
/// does not.
const SEND_BUFFER: usize = 1 << 16;
/// How often a new connection looks for one that gives way, while there is none.
const RETRY: Duration = Duration::from_millis(50);
/// A search ends for another one if its client has read nothing for this long.
const UNREAD: Duration = Duration::from_secs(1);

/// Connections that the system keeps until they are accepted. Clients beyond them would wait for a
/// second or longer until they try again.
const BACKLOG: u32 = 4096;

/// Starts to listen.
pub(crate) fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4()?,
        SocketAddr::V6(_) => TcpSocket::new_v6()?,
    };
    // A server that was just stopped keeps its port for a while. On Windows this would let two
    // programs share one.
    if cfg!(unix) {
        socket.set_reuseaddr(true)?;
    }
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// All connections.
pub(crate) struct Connections {
    places: Arc<Semaphore>,
    clients: Mutex<Vec<Arc<Client>>>,
    /// Time for the header of a request.
    header: Duration,
    /// Time without progress in writing.
    write: Duration,
}

impl Connections {
    pub(crate) fn new(config: &Config) -> Self {
        Connections {
            places: Arc::new(Semaphore::new(config.connections.max(1))),
            clients: Mutex::default(),
            header: config.header,
            write: config.write,
        }
    }

    /// Accepts connections for ever.
    pub(crate) async fn serve(self: Arc<Self>, listener: TcpListener, router: Router) {
        loop {
            match listener.accept().await {
                Ok((stream, _)) => {
                    let place = self.place().await;
                    tokio::spawn(serve(stream, place, router.clone()));
                    // What was accepted is read before others are accepted, who may cut it off.
                    tokio::task::yield_now().await;
                }
                Err(error) if is_of_client(&error) => {}
                // Most likely there are too many open files.
                Err(_) => {
                    self.cut_waiting();
                    sleep(RETRY).await;
                }
            }
        }
    }

    /// A place for a new connection; if all are taken, another one gives way.
    async fn place(self: &Arc<Self>) -> Place {
        let mut permit = self.places.clone().try_acquire_owned().ok();
        while permit.is_none() {
            self.cut_waiting();
            let free = timeout(RETRY, self.places.clone().acquire_owned()).await;
            permit = free.ok().and_then(Result::ok);
        }
        let client = Arc::new(Client::new());
        self.clients().push(client.clone());
        Place { client, connections: self.clone(), _permit: permit }
    }

    /// Cuts off the connection that has waited longest for its client.
    fn cut_waiting(&self) {
        self.cut_oldest(|state| state.receiving.or(state.unread));
    }

    /// Makes room for a search: cuts off the one whose client has not read for longest.
    pub(crate) fn cut_unread_search(&self) {
        self.cut_oldest(|state| {
            state.unread.filter(|since| state.is_searching && since.elapsed() >= UNREAD)
        });
    }

    /// Cuts off the connection for which `since` is earliest.
    fn cut_oldest(&self, since: impl Fn(&State) -> Option<Instant>) {
        let mut clients = self.clients();
        let waits = clients
            .iter()
            .enumerate()
            .filter_map(|(index, client)| Some((since(&client.state())?, index)));
        if let Some((_, index)) = waits.min() {
            clients.swap_remove(index).cut.notify_one();
        }
    }

    fn clients(&self) -> MutexGuard<'_, Vec<Arc<Client>>> {
        // Nothing is left half done under this lock.
        self.clients.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// True if accepting failed because that one client is gone.
fn is_of_client(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

/// One of the connections that may be open; free again when dropped.
struct Place {
    client: Arc<Client>,
    connections: Arc<Connections>,
    _permit: Option<OwnedSemaphorePermit>,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.connections.clients().retain(|client| !Arc::ptr_eq(client, &self.client));
    }
}

/// What is known of the other end of a connection. Requests have it among their extensions.
pub(crate) struct Client {
    state: Mutex<State>,
    /// Ends the connection.
    cut: Notify,
}

struct State {
    /// Since when the server waits for a request, until that has come in full.
    receiving: Option<Instant>,
    /// Since when the client does not read what it was sent.
    unread: Option<Instant>,
    /// True while a search runs for it.
    is_searching: bool,
}

impl Client {
    /// A client that may send a request.
    fn new() -> Self {
        let state = State { receiving: Some(Instant::now()), unread: None, is_searching: false };
        Client { state: Mutex::new(state), cut: Notify::new() }
    }

    /// A request has come in full.
    pub(crate) fn has_sent(&self) {
        self.state().receiving = None;
    }

    /// A search begins or ends.
    pub(crate) fn set_searching(&self, is_searching: bool) {
        self.state().is_searching = is_searching;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Serves one connection until it ends or is cut off.
async fn serve(stream: TcpStream, place: Place, router: Router) {
    let Connections { header, write, .. } = *place.connections;
    let client = &place.client;
    prepare(&stream, write);
    let watched = Watched { stream, client: client.clone(), limit: write, end: None };
    let router = TowerToHyperService::new(router);
    let service = service_fn(|mut request: hyper::Request<Incoming>| {
        if request.body().is_end_stream() {
            client.has_sent();
        }
        request.extensions_mut().insert(client.clone());
        let answer = router.call(request);
        async {
            let answer: Response = answer.await?;
            Ok::<_, Infallible>(answer.map(|body| Answer { body, client: client.clone() }))
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(header)
        .max_header_size(LARGEST_HEADER)
        .serve_connection(TokioIo::new(watched), service);
    select(pin!(connection), pin!(client.cut.notified())).await;
}

/// Sets what the system does for a connection. Where it cannot, the connection works all the same.
fn prepare(stream: &TcpStream, write: Duration) {
    // Small messages, each of which somebody waits for.
    let _ = stream.set_nodelay(true);
    let socket = SockRef::from(stream);
    let _ = socket.set_send_buffer_size(SEND_BUFFER);
    // A client that vanished without a word acknowledges nothing.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    let _ = socket.set_tcp_user_timeout(Some(write));
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    let _ = write;
}

/// The body of an answer. After it, the connection waits for the next request.
struct Answer {
    body: Body,
    client: Arc<Client>,
}

impl Drop for Answer {
    fn drop(&mut self) {
        self.client.state().receiving = Some(Instant::now());
    }
}

impl HttpBody for Answer {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// A stream that fails when a write makes no progress for too long.
struct Watched {
    stream: TcpStream,
    client: Arc<Client>,
    limit: Duration,
    /// When the present write fails, unless there is progress before.
    end: Option<Pin<Box<Sleep>>>,
}

impl AsyncRead for Watched {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Watched {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let this = &mut *self;
        if let Poll::Ready(result) = Pin::new(&mut this.stream).poll_write(context, bytes) {
            if this.end.take().is_some() {
                this.client.state().unread = None;
            }
            return Poll::Ready(result);
        }
        let end = this.end.get_or_insert_with(|| {
            this.client.state().unread = Some(Instant::now());
            Box::pin(sleep(this.limit))
        });
        end.as_mut().poll(context).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
