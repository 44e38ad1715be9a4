//! Reads a body and counts while reading: what is too large is never held.

use super::connections::Patience;
use super::failure::Failure;
use axum::body::{Body, Bytes, HttpBody};
use axum::http::StatusCode;
use std::pin::{Pin, pin};
use std::time::Duration;
use tokio::time::timeout;

/// The whole body, at most `max` bytes of it.
///
/// Errors: 413 when it is larger, 408 when it takes too long, 400 when the connection breaks off.
pub async fn read(body: Body, max: usize, patience: Patience) -> Result<Vec<u8>, Failure> {
    timeout(patience.body, collect(body, max, patience.pause))
        .await
        .unwrap_or_else(|_| Err(too_slow()))
}

async fn collect(body: Body, max: usize, pause: Duration) -> Result<Vec<u8>, Failure> {
    if body.size_hint().lower() > max as u64 {
        return Err(too_large(max));
    }
    let mut body = pin!(body);
    let mut bytes = Vec::new();
    loop {
        let piece = timeout(pause, next(body.as_mut())).await;
        let Some(data) = piece.map_err(|_| too_slow())?? else {
            return Ok(bytes);
        };
        if bytes.len() + data.len() > max {
            return Err(too_large(max));
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
