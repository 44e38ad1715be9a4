//! What the protocol's kit refuses by itself in plain text, told in the envelope of the interface.

use crate::http::Failure;
use axum::http::StatusCode;
use axum::http::header::{ALLOW, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use domain::Invalid;

const HOST_OR_ORIGIN: &str = "the header Host or Origin names a host or page that this server does not answer to here; \
the option --mcp-host or --mcp-origin of the server adds one";
const METHOD: &str = "the tool server answers POST, without sessions and streams";
const NO_MESSAGE: &str = "is no message of the Model Context Protocol";

/// The answer itself, unless it is such a refusal.
pub fn in_the_envelope(mut response: Response) -> Response {
    let kind = response.headers().get(CONTENT_TYPE);
    let is_json = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
    let refused = match response.status() {
        // Errors of the protocol are JSON and stay what they are.
        _ if is_json => return response,
        status @ StatusCode::FORBIDDEN => Failure::new(status, "host_not_allowed", HOST_OR_ORIGIN),
        status @ StatusCode::METHOD_NOT_ALLOWED => {
            Failure::new(status, "method_not_allowed", METHOD)
        }
        // The message was JSON, and of the right media type.
        StatusCode::UNSUPPORTED_MEDIA_TYPE => {
            Failure::invalid(vec![Invalid::new("body", NO_MESSAGE)])
        }
        _ => return response,
    };
    let mut answer = refused.into_response();
    if let Some(allowed) = response.headers_mut().remove(ALLOW) {
        answer.headers_mut().insert(ALLOW, allowed);
    }
    answer
}
