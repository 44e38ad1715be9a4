//! Connections: accepted, served for as long as their client keeps up, and ended in good order.

use super::connection_table::{ConnectionTable, Seat};
use super::proxies::Peer;
use super::stall::Stalling;
use super::suggestions;
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

/// Keeps a listener that cannot accept, for want of file handles perhaps, from spinning.
const PAUSE_AFTER_FAILURE: Duration = Duration::from_millis(100);

/// Bytes of a request's head, and of what is read of a connection at once.
const HEAD_BYTES_MAX: usize = 72 * 1024;

/// How long a client may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// For the head of a request, and between two requests of one connection.
    pub head: Duration,
    /// Between two pieces of a body.
    pub pause: Duration,
    /// For a whole body.
    pub body: Duration,
    /// For taking the next piece of a response.
    pub taking: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            head: Duration::from_secs(30),
            pause: Duration::from_secs(20),
            body: Duration::from_secs(300),
            taking: Duration::from_secs(60),
        }
    }
}

/// Serves `paths` until told to stop; then no connection is accepted, and requests that have begun are finished.
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
            // A sender that is gone means the same as one that says stop.
            _ = stopped.wait_for(|stop| *stop) => break,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            // One too many is closed by being dropped.
            Ok((stream, peer)) => {
                if let Some(seat) = connections.admit(peer.ip()) {
                    let stream = Stalling::new(set_up(stream), patience.taking);
                    converse(&http, &open, stream, Guest { peer, seat }, paths.clone());
                }
            }
            Err(error) if is_the_clients(&error) => {}
            Err(error) => {
                tracing::warn!(%error, "no connection can be accepted");
                tokio::time::sleep(PAUSE_AFTER_FAILURE).await;
            }
        }
    }
    drop(listener);
    open.shutdown().await;
}

fn set_up(stream: TcpStream) -> TcpStream {
    // Responses are small: waiting for more to send would only delay them.
    let _ = stream.set_nodelay(true);
    stream
}

/// The other end of a connection that was taken in.
struct Guest {
    peer: SocketAddr,
    seat: Seat,
}

/// Answers one connection in a task of its own.
fn converse(
    http: &http1::Builder,
    open: &GracefulShutdown,
    stream: Stalling<TcpStream>,
    Guest { peer, seat }: Guest,
    paths: Router,
) {
    let uses = seat.use_of();
    let answer = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(Peer(peer.ip()));
        if suggestions::names_a_client(request.headers()) {
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
    let connection = http.serve_connection(TokioIo::new(stream), answer);
    let connection = open.watch(connection);
    tokio::spawn(async move {
        tokio::select! {
            ended = connection => if let Err(error) = ended {
                tracing::debug!(%error, "a connection broke off");
            },
            () = seat.gives_way() => tracing::debug!(%peer, "an idle connection gave way"),
        }
    });
}

/// Did the client go away before it was accepted?
fn is_the_clients(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionRefused
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
    )
}
