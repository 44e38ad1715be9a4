//! Reads the rest of the body of a rejected request.
//!
//! Many clients send their whole body before they read the response. If the connection were closed early, they would
//! see a broken connection instead of the error, and retry.

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::http::StatusCode;
use axum::http::header::EXPECT;
use axum::middleware::Next;
use axum::response::Response;
use http_body::{Frame, SizeHint};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

/// Maximum bytes that are read and discarded before the connection is closed.
const DISCARDED_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// Maximum time for reading them.
const DISCARD_TIME: Duration = Duration::from_secs(5);

/// Runs the request, and reads the rest of its body before the response is sent.
pub async fn discard(request: Request, next: Next) -> Response {
    // A client that expects `100 Continue` has not sent its body yet.
    if request.body().is_end_stream() || request.headers().contains_key(EXPECT) {
        return next.run(request).await;
    }
    let (parts, body) = request.into_parts();
    let shared = SharedBody(Arc::new(Mutex::new(body)));
    let rest = shared.clone();
    let request = Request::from_parts(parts, Body::new(shared));
    let response = next.run(request).await;
    if response.status() == StatusCode::REQUEST_TIMEOUT {
        // The body was too slow already.
        return response;
    }
    // A client that still sends after this time or amount does not wait for a response.
    let _ = tokio::time::timeout(DISCARD_TIME, read_to_end(rest)).await;
    response
}

async fn read_to_end(mut body: SharedBody) {
    let mut left = DISCARDED_BYTES_MAX;
    while !body.is_end_stream() {
        let frame = std::future::poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await;
        let Some(Ok(frame)) = frame else { return };
        let bytes = frame.data_ref().map_or(0, Bytes::len) as u64;
        match left.checked_sub(bytes) {
            Some(rest) => left = rest,
            None => return,
        }
    }
}

/// A body that first the handler reads and then this layer, never both at once.
#[derive(Clone)]
struct SharedBody(Arc<Mutex<Body>>);

impl SharedBody {
    fn with<T>(&self, act: impl FnOnce(&mut Body) -> T) -> T {
        // A body is sound after a panic: it is only ever polled.
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl HttpBody for SharedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        self.with(|body| Pin::new(body).poll_frame(context))
    }

    fn is_end_stream(&self) -> bool {
        self.with(|body| body.is_end_stream())
    }

    fn size_hint(&self) -> SizeHint {
        self.with(|body| body.size_hint())
    }
}
