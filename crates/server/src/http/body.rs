//! Reads a body and counts while reading: what is too large is never held.

use super::connections::Patience;
use super::failure::Failure;
use super::in_flight::{BodyMemory, Paid, SMALL_BODY_BYTES};
use axum::body::{Body, Bytes, HttpBody};
use axum::http::StatusCode;
use std::pin::{Pin, pin};
use tokio::time::timeout;

/// Bytes that are paid for at once while they come in.
const STEP_BYTES: usize = 64 * 1024;

/// A body that was read, and what is paid for its bytes.
#[derive(Debug)]
pub struct Received {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The payment; none for a small body.
    pub paid: Option<Paid>,
}

/// Who reads, and from what the bytes are paid.
#[derive(Clone, Copy, Debug)]
pub struct BodySource<'a> {
    /// How long the client may take.
    pub patience: Patience,
    /// The memory of all bodies.
    pub memory: &'a BodyMemory,
    /// The store that pays.
    pub store: &'a str,
}

/// The whole body, at most `max` bytes of it.
///
/// Errors: 413 when it is larger, 408 when it takes too long, 400 when the connection breaks off, 503 when there is no
/// memory for it.
pub async fn read(body: Body, max: usize, reading: BodySource<'_>) -> Result<Received, Failure> {
    timeout(reading.patience.body, collect(body, max, reading))
        .await
        .unwrap_or_else(|_| Err(too_slow()))
}

async fn collect(body: Body, max: usize, reading: BodySource<'_>) -> Result<Received, Failure> {
    let announced = body.size_hint();
    if announced.lower() > max as u64 {
        return Err(too_large(max));
    }
    let mut body = pin!(body);
    let mut bytes = Vec::new();
    let mut paid: Option<Paid> = None;
    let mut paid_for = SMALL_BODY_BYTES;
    loop {
        let piece = timeout(reading.patience.pause, next(body.as_mut())).await;
        let Some(data) = piece.map_err(|_| too_slow())?? else {
            return Ok(Received { bytes, paid });
        };
        let whole = bytes.len() + data.len();
        if whole > max {
            return Err(too_large(max));
        }
        if whole > paid_for {
            let step = whole.next_multiple_of(STEP_BYTES).min(max) - paid_for;
            let more = reading.memory.receive(reading.store, step).await?;
            paid_for += step;
            match &mut paid {
                Some(paid) => paid.merge(more),
                None => paid = Some(more),
            }
            // Whatever else is coming comes into one piece of memory: it is not copied as it grows.
            let announced = usize::try_from(announced.exact().unwrap_or(0)).unwrap_or(0);
            bytes.reserve_exact(announced.saturating_sub(bytes.len()));
        }
        bytes.extend_from_slice(&data);
    }
}

fn too_slow() -> Failure {
    let message = "the body comes too slowly";
    Failure::new(StatusCode::REQUEST_TIMEOUT, "request_timeout", message)
}

/// 413: more than `max` bytes.
pub fn too_large(max: usize) -> Failure {
    let message = format!("the body is over the limit of {max} bytes");
    Failure {
        details: Some(Box::new(serde_json::json!({ "max": max }))),
        ..Failure::new(StatusCode::PAYLOAD_TOO_LARGE, "payload_too_large", message)
    }
}

/// The next piece of data; none at the end. Trailers are passed over.
async fn next(mut body: Pin<&mut Body>) -> Result<Option<Bytes>, Failure> {
    loop {
        let frame = std::future::poll_fn(|context| body.as_mut().poll_frame(context)).await;
        match frame {
            None => return Ok(None),
            Some(Ok(frame)) => {
                if let Ok(data) = frame.into_data() {
                    return Ok(Some(data));
                }
            }
            Some(Err(_)) => {
                let message = "the body breaks off before its end";
                return Err(Failure::new(
                    StatusCode::BAD_REQUEST,
                    "invalid_request",
                    message,
                ));
            }
        }
    }
}
