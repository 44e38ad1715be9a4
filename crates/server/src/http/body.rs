//! Reads request bodies and limits their size while reading: a body that is too large is never kept in memory.

use super::connections::Patience;
use super::failure::Failure;
use super::in_flight::{BodyMemory, Reservation, SMALL_BODY_BYTES};
use crate::message;
use axum::body::{Body, Bytes, HttpBody};
use axum::http::StatusCode;
use domain::error_codes;
use std::pin::{Pin, pin};
use tokio::time::timeout;

/// Bytes of memory that are reserved at once while a body arrives.
const STEP_BYTES: usize = 64 * 1024;

/// A body that was read, and the memory reserved for its bytes.
#[derive(Debug)]
pub struct Received {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The reserved memory; `None` for a small body.
    pub reserved: Option<Reservation>,
}

/// The limits under which a body is read.
#[derive(Clone, Copy, Debug)]
pub struct BodySource<'a> {
    /// Timeouts of the client.
    pub patience: Patience,
    /// Memory budget of all bodies.
    pub memory: &'a BodyMemory,
    /// The store from whose share the memory is reserved.
    pub store: &'a str,
}

/// Reads the whole body of at most `max` bytes.
///
/// Errors: 413 when it is larger, 408 when it takes too long, 400 when the connection breaks, 503 when there is no
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
    let mut reserved: Option<Reservation> = None;
    let mut reserved_bytes = SMALL_BODY_BYTES;
    loop {
        let piece = timeout(reading.patience.pause, next(body.as_mut())).await;
        let Some(data) = piece.map_err(|_| too_slow())?? else {
            return Ok(Received { bytes, reserved });
        };
        let whole = bytes.len() + data.len();
        if whole > max {
            return Err(too_large(max));
        }
        if whole > reserved_bytes {
            let step = whole.next_multiple_of(STEP_BYTES).min(max) - reserved_bytes;
            let more = reading.memory.receive(reading.store, step).await?;
            reserved_bytes += step;
            match &mut reserved {
                Some(reserved) => reserved.merge(more),
                None => reserved = Some(more),
            }
            // The rest of the body goes into one allocation, so that it is not copied as it grows.
            let announced = usize::try_from(announced.exact().unwrap_or(0)).unwrap_or(0);
            bytes.reserve_exact(announced.saturating_sub(bytes.len()));
        }
        bytes.extend_from_slice(&data);
    }
}

/// Returns 408.
pub fn too_slow() -> Failure {
    let message = message::request::body_slow();
    Failure::new(
        StatusCode::REQUEST_TIMEOUT,
        error_codes::REQUEST_TIMEOUT,
        message,
    )
}

/// Returns 413 for a body of more than `max` bytes.
pub fn too_large(max: usize) -> Failure {
    let message = message::request::body_large(max);
    Failure {
        details: Some(Box::new(serde_json::json!({ "max": max }))),
        ..Failure::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            error_codes::PAYLOAD_TOO_LARGE,
            message,
        )
    }
}

/// Returns the next chunk of data, or `None` at the end; skips trailers.
pub async fn next(mut body: Pin<&mut Body>) -> Result<Option<Bytes>, Failure> {
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
                let message = message::request::body_incomplete();
                return Err(Failure::new(
                    StatusCode::BAD_REQUEST,
                    error_codes::INVALID_REQUEST,
                    message,
                ));
            }
        }
    }
}
