//! Replaces plain-text errors of the protocol library by error responses of the API.

use crate::http::Failure;
use crate::message;
use axum::http::StatusCode;
use axum::http::header::{ALLOW, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use domain::{Invalid, error_codes};

/// Returns the response itself, or the error response for a plain-text error.
pub fn in_the_envelope(mut response: Response) -> Response {
    let kind = response.headers().get(CONTENT_TYPE);
    let is_json = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
    let failure = match response.status() {
        // JSON errors are messages of the protocol.
        _ if is_json => return response,
        status @ StatusCode::FORBIDDEN => Failure::new(
            status,
            error_codes::HOST_NOT_ALLOWED,
            message::tool::host_or_origin(),
        ),
        status @ StatusCode::METHOD_NOT_ALLOWED => Failure::new(
            status,
            error_codes::METHOD_NOT_ALLOWED,
            message::tool::post_only(),
        ),
        // The message was JSON, and of the right media type.
        StatusCode::UNSUPPORTED_MEDIA_TYPE => {
            Failure::invalid(vec![Invalid::new("body", message::tool::no_message())])
        }
        _ => return response,
    };
    let mut converted = failure.into_response();
    if let Some(allowed) = response.headers_mut().remove(ALLOW) {
        converted.headers_mut().insert(ALLOW, allowed);
    }
    converted
}
