//! Reads a body and counts while reading: what is too large is never held.

use super::failure::Failure;
use axum::body::{Body, HttpBody};
use axum::http::header::{CONTENT_LENGTH, EXPECT};
use axum::http::{HeaderMap, StatusCode};
use std::pin::{Pin, pin};
use std::time::Duration;

/// Bytes of an over-long body that are read and thrown away, so that a client that sends first and reads
/// afterwards gets its 413 instead of a broken connection.
const DISCARDED_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// How long that may take.
const DISCARD_TIME: Duration = Duration::from_secs(5);

/// The whole body, at most `max` bytes of it.
///
/// Errors: 413 when it is larger, 400 when the connection breaks off.
pub async fn read(headers: &HeaderMap, body: Body, max: usize) -> Result<Vec<u8>, Failure> {
    let announced = headers
        .get(CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok())
        .and_then(|text| text.parse::<u64>().ok())
        .unwrap_or(0);
    let mut body = pin!(body);
    let mut bytes = Vec::new();
    if announced <= max as u64 {
        loop {
            let Some(data) = next(body.as_mut()).await? else {
                return Ok(bytes);
            };
            if bytes.len() + data.len() > max {
                break;
            }
            bytes.extend_from_slice(&data);
        }
    }
    // A client that waits for leave to send has sent nothing that would need to be read.
    if !headers.contains_key(EXPECT) {
        let _ = tokio::time::timeout(DISCARD_TIME, discard(body)).await;
    }
    let message = format!("the body is over the limit of {max} bytes");
    Err(Failure {
        details: Some(Box::new(serde_json::json!({ "max": max }))),
        ..Failure::new(StatusCode::PAYLOAD_TOO_LARGE, "payload_too_large", message)
    })
}

async fn discard(mut body: Pin<&mut Body>) {
    let mut left = DISCARDED_BYTES_MAX;
    while let Ok(Some(data)) = next(body.as_mut()).await {
        match left.checked_sub(data.len() as u64) {
            Some(rest) => left = rest,
            None => return,
        }
    }
}

/// The next piece of data; none at the end. Trailers are passed over.
async fn next(mut body: Pin<&mut Body>) -> Result<Option<axum::body::Bytes>, Failure> {
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
