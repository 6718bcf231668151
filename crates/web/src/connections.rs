//! A listener that takes so many connections at once, lets others wait, and cuts off those on which
//! nothing moves.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::serve::Listener;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep};

/// A listener with a limit.
pub(crate) struct Limited {
    listener: TcpListener,
    places: Arc<Semaphore>,
    idle: Duration,
}

impl Limited {
    /// `idle` is how long a connection may stand still.
    pub(crate) fn new(listener: TcpListener, connections: usize, idle: Duration) -> Self {
        Limited { listener, places: Arc::new(Semaphore::new(connections)), idle }
    }
}

impl Listener for Limited {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        let place = self.places.clone().acquire_owned().await.ok();
        let (stream, address) = Listener::accept(&mut self.listener).await;
        // Small messages, each of which somebody waits for.
        let _ = stream.set_nodelay(true);
        let idle = self.idle;
        (Connection { stream, idle, end: Box::pin(sleep(idle)), _place: place }, address)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// A connection that gives its place back when it ends. Live searches send a sign of life every few
/// seconds, so whatever stands still for long is a client that neither writes nor reads.
pub(crate) struct Connection {
    stream: TcpStream,
    idle: Duration,
    /// When it is cut off, unless something moves before.
    end: Pin<Box<Sleep>>,
    _place: Option<OwnedSemaphorePermit>,
}

impl Connection {
    /// Passes on what the stream says; what waits for too long fails.
    fn watch<T>(
        &mut self,
        context: &mut Context<'_>,
        result: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if result.is_ready() {
            self.end.as_mut().reset(Instant::now() + self.idle);
            result
        } else {
            self.end.as_mut().poll(context).map(|()| Err(io::ErrorKind::TimedOut.into()))
        }
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let result = Pin::new(&mut self.stream).poll_read(context, buffer);
        self.watch(context, result)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.watch(context, result)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
