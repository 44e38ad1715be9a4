//! Accepts and serves connections, with timeouts for slow clients, and shuts them down gracefully.

use super::connection_table::{ConnectionSlot, ConnectionTable};
use super::forwarding;
use super::proxies::Peer;
use super::stall::Stalling;
use axum::Router;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tower_service::Service;

/// Pause after a failed accept, for example when file handles run out, so that the loop does not spin.
const PAUSE_AFTER_FAILURE: Duration = Duration::from_millis(100);

/// Maximum bytes of a request head, and of one read from a connection.
const HEAD_BYTES_MAX: usize = 72 * 1024;

/// Timeouts of clients.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// Head of a request, and idle time between two requests of a connection.
    pub head: Duration,
    /// Pause between two chunks of a body.
    pub pause: Duration,
    /// Pause between two chunks of the file of an import.
    pub file_pause: Duration,
    /// Whole body.
    pub body: Duration,
    /// Time to accept the next chunk of a response.
    pub taking: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            head: Duration::from_secs(30),
            pause: Duration::from_secs(20),
            file_pause: Duration::from_secs(30),
            body: Duration::from_secs(300),
            taking: Duration::from_secs(60),
        }
    }
}

/// Serves `paths` until `stopped`; then accepts no more connections and finishes the requests in flight.
pub async fn serve(
    listener: TcpListener,
    paths: Router,
    patience: Patience,
    connections: Arc<ConnectionTable>,
    mut stopped: watch::Receiver<bool>,
) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(patience.head)
        .max_buf_size(HEAD_BYTES_MAX);
    let open = GracefulShutdown::new();
    loop {
        let accepted = tokio::select! {
            // A dropped sender means stop, too.
            _ = stopped.wait_for(|stop| *stop) => break,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            // A connection over the limit is closed by dropping it.
            Ok((stream, peer)) => {
                if let Some(slot) = connections.admit(peer.ip()) {
                    let stream = Stalling::new(without_delay(stream), patience.taking);
                    spawn_connection(
                        &http,
                        &open,
                        stream,
                        AdmittedClient { peer, slot },
                        paths.clone(),
                    );
                }
            }
            Err(error) if is_client_error(&error) => {}
            Err(error) => {
                tracing::warn!(%error, "cannot accept connections");
                tokio::time::sleep(PAUSE_AFTER_FAILURE).await;
            }
        }
    }
    drop(listener);
    open.shutdown().await;
}

fn without_delay(stream: TcpStream) -> TcpStream {
    // Responses are small: Nagle's algorithm would only delay them.
    let _ = stream.set_nodelay(true);
    stream
}

/// The client of an admitted connection.
struct AdmittedClient {
    peer: SocketAddr,
    slot: ConnectionSlot,
}

/// Serves one connection in a task of its own.
fn spawn_connection(
    http: &http1::Builder,
    open: &GracefulShutdown,
    stream: Stalling<TcpStream>,
    AdmittedClient { peer, slot }: AdmittedClient,
    paths: Router,
) {
    let uses = slot.usage();
    let handler = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(Peer(peer.ip()));
        if forwarding::has_client_header(request.headers()) {
            uses.notice_forwarding(peer.ip());
        }
        let busy = uses.begin();
        let response = paths.clone().call(request);
        async move {
            let response = response.await;
            drop(busy);
            response
        }
    });
    let connection = http.serve_connection(TokioIo::new(stream), handler);
    let connection = open.watch(connection);
    tokio::spawn(async move {
        tokio::select! {
            ended = connection => if let Err(error) = ended {
                tracing::debug!(%error, "connection ended with an error");
            },
            () = slot.evicted() => tracing::debug!(%peer, "idle connection closed to make room"),
        }
    });
}

/// Returns whether the client went away before it was accepted.
fn is_client_error(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionRefused
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
    )
}
