//! `Failure`: the error response to a request.

use crate::message;
use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use domain::first_characters;
use domain::invalid::summary;
use domain::limits::ERROR_BYTES_MAX;
use domain::{ErrorList, Invalid, Message, Translatable, error_codes};
use serde::Serialize;
use serde_json::{Value, json};

/// Maximum characters of a path in an error.
const FIELD_CHARACTERS: usize = 500;
/// Maximum characters of a reason in an error.
const REASON_CHARACTERS: usize = 1_500;
/// Maximum characters of the message: the first error, and how many more there are.
const MESSAGE_CHARACTERS: usize = FIELD_CHARACTERS + REASON_CHARACTERS + 40;
/// Bytes of `,"translatable":`.
const TRANSLATABLE_NAME_BYTES: usize = 16;
/// Maximum bytes of key and values of the message.
const TRANSLATABLE_BYTES_MAX: usize = 2 * 1024;
/// Maximum bytes of all listed errors. The rest of the response is one sentence of at most six bytes a character, with its
/// key and values.
const LISTED_BYTES_MAX: usize = ERROR_BYTES_MAX - 16 * 1024;

/// The error response to a request that was rejected or failed.
#[derive(Clone, Debug)]
pub struct Failure {
    /// HTTP status.
    pub status: StatusCode,
    /// Stable error code (`docs/api.md`).
    pub code: &'static str,
    /// Message for people; boxed, so that results stay small.
    pub message: Box<Message>,
    /// Validation errors with their paths, as many as one response lists.
    pub errors: Vec<Invalid>,
    /// Number of errors that are not listed.
    pub more: usize,
    /// Details; boxed, because few failures have any and results stay small that way.
    pub details: Option<Box<Value>>,
    /// Whole seconds after which the client may retry.
    pub retry_after_s: Option<u64>,
    /// Internal cause, for the log only.
    pub cause: Option<Box<str>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FailureBody<'a> {
    success: bool,
    code: &'static str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    translatable: Option<&'a Translatable>,
    #[serde(skip_serializing_if = "<[Invalid]>::is_empty")]
    errors: &'a [Invalid],
    #[serde(skip_serializing_if = "Option::is_none")]
    details: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    retry_after: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    request_id: Option<&'a str>,
}

impl Failure {
    /// Creates a failure without details.
    pub fn new(status: StatusCode, code: &'static str, message: Message) -> Self {
        Self {
            status,
            code,
            message: Box::new(message),
            errors: Vec::new(),
            more: 0,
            details: None,
            retry_after_s: None,
            cause: None,
        }
    }

    /// Returns 400 `invalid_request` with all `errors`; the message names the first one.
    pub fn invalid(errors: impl Into<ErrorList>) -> Self {
        Self::listing(
            StatusCode::BAD_REQUEST,
            error_codes::INVALID_REQUEST,
            errors,
        )
    }

    /// Creates a failure whose message names the first of `errors` and how many more there are.
    pub fn listing(status: StatusCode, code: &'static str, errors: impl Into<ErrorList>) -> Self {
        let all = errors.into();
        let errors = truncated(all.listed());
        let more = all.more() + all.listed().len() - errors.len();
        let others = errors.len().saturating_sub(1) + more;
        let message = summary(errors.first(), others);
        Self {
            errors,
            more,
            ..Self::new(status, code, message)
        }
    }

    /// Returns the details, including the number of errors that are not listed.
    fn details(&self) -> Option<Value> {
        let mut details = self.details.as_deref().cloned();
        if self.more > 0 {
            details.get_or_insert_with(|| json!({}))["more"] = json!(self.more);
        }
        details
    }

    /// Returns key and values of the message, unless they are too long, as the message may be.
    fn translatable(&self) -> Option<&Translatable> {
        let translatable = self.message.translatable.as_ref();
        (json_bytes(translatable) <= TRANSLATABLE_BYTES_MAX).then_some(translatable)
    }

    /// Returns 404 `not_found` for an unknown path.
    pub fn no_such_path() -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            error_codes::NOT_FOUND,
            message::request::no_such_path(),
        )
    }

    /// Returns 500 `internal`; `cause` goes to the log only.
    pub fn internal(cause: impl Into<Box<str>>) -> Self {
        let message = message::request::internal();
        Self {
            cause: Some(cause.into()),
            ..Self::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                error_codes::INTERNAL,
                message,
            )
        }
    }

    /// Returns the response body; server errors carry the request id.
    pub fn body(&self, request_id: &str) -> Vec<u8> {
        let body = FailureBody {
            success: false,
            code: self.code,
            message: first_characters(&self.message.text, MESSAGE_CHARACTERS),
            translatable: self.translatable(),
            errors: &self.errors,
            details: self.details(),
            retry_after: self.retry_after_s,
            request_id: self.status.is_server_error().then_some(request_id),
        };
        // Text keys and plain values cannot fail to serialise.
        serde_json::to_vec(&body).unwrap_or_default()
    }

    /// Returns the response.
    pub fn render(&self, request_id: &str) -> Response {
        let bytes = self.body(request_id);
        let mut response = (self.status, Body::from(bytes)).into_response();
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        // A session is no scheme of HTTP authentication.
        if self.status == StatusCode::UNAUTHORIZED && self.code.starts_with("key_") {
            let challenge = HeaderValue::from_static("Bearer realm=\"findwell\"");
            headers.insert(WWW_AUTHENTICATE, challenge);
        }
        if let Some(seconds) = self.retry_after_s {
            headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

impl IntoResponse for Failure {
    /// Hands the failure to the outermost layer, which alone knows the request id.
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        response.extensions_mut().insert(self);
        response
    }
}

/// Returns 405 in the response envelope.
pub async fn method_not_allowed() -> Failure {
    Failure::new(
        StatusCode::METHOD_NOT_ALLOWED,
        error_codes::METHOD_NOT_ALLOWED,
        message::request::method(),
    )
}

/// Returns as many of `errors` as fit into one response, with paths and reasons truncated. Keys and values of the reasons
/// are left out from the first on that does not fit beside the errors.
fn truncated(errors: &[Invalid]) -> Vec<Invalid> {
    let mut left = LISTED_BYTES_MAX;
    let shortened = errors.iter().map(|error| Invalid {
        field: first_characters(&error.field, FIELD_CHARACTERS).to_owned(),
        reason: first_characters(&error.reason, REASON_CHARACTERS).to_owned(),
        translatable: None,
    });
    let fits = shortened.take_while(|error| {
        let room = left.checked_sub(json_bytes(error) + 1);
        left = room.unwrap_or(0);
        room.is_some()
    });
    let mut listed: Vec<Invalid> = fits.collect();
    for (listed, error) in listed.iter_mut().zip(errors) {
        let bytes = json_bytes(&error.translatable) + TRANSLATABLE_NAME_BYTES;
        let Some(room) = left.checked_sub(bytes) else {
            break;
        };
        left = room;
        listed.translatable.clone_from(&error.translatable);
    }
    listed
}

/// Returns the bytes of a value as JSON. What does not serialise takes no room.
fn json_bytes(value: &impl Serialize) -> usize {
    serde_json::to_vec(value).map_or(0, |bytes| bytes.len())
}

#[cfg(test)]
mod tests {
    //! 1. However many errors there are and however long, the response has at most 64 KiB and lists at most 100.
    //! 2. Errors that are not listed are counted, also in the message.
    //! 3. Keys and values are left out before errors are.

    use super::*;
    use domain::limits::ERRORS_MAX;

    #[test]
    fn the_response_is_bounded_and_counts_the_rest() {
        for (text, listed) in [("x", ERRORS_MAX), ("\u{1}", 4), ("\u{1F9E6}", 6)] {
            let long = text.repeat(70_000);
            let error = Invalid::new(
                if listed == ERRORS_MAX { text } else { &long },
                message::value::of_library(long.as_str()),
            );
            let error = match listed {
                ERRORS_MAX => Invalid::new("field", message::value::missing()),
                _ => error,
            };
            let failure = Failure::invalid(vec![error; 1_000]);
            assert_eq!(failure.errors.len(), listed, "{text:?}");
            assert_eq!(failure.more, 1_000 - listed);
            let body = failure.body("req_1");
            assert!(body.len() <= ERROR_BYTES_MAX, "{} bytes", body.len());
            let body: Value = serde_json::from_slice(&body).expect("JSON");
            assert_eq!(body["details"]["more"], 1_000 - listed);
            let message = body["message"].as_str().unwrap_or_default();
            assert!(message.ends_with("(and 999 more)"), "{message}");
        }
    }

    #[test]
    fn keys_and_values_are_left_out_before_errors() {
        let with_keys = |characters: usize| {
            let reason = message::value::of_library("x".repeat(characters));
            let failure = Failure::invalid(vec![Invalid::new("field", reason); ERRORS_MAX]);
            assert_eq!(failure.errors.len(), ERRORS_MAX);
            let keys = failure
                .errors
                .iter()
                .filter(|one| one.translatable.is_some());
            let count = keys.count();
            assert!(failure.body("req_1").len() <= ERROR_BYTES_MAX);
            count
        };
        assert_eq!(with_keys(100), ERRORS_MAX);
        assert!((1..ERRORS_MAX).contains(&with_keys(250)));
        assert_eq!(with_keys(460), 0);
    }
}
