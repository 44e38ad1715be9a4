//! `Failure`: a refused request, with all that its answer will carry.

use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use domain::limits::ERROR_BYTES_MAX;
use domain::{ErrorList, Invalid};
use serde::Serialize;
use serde_json::{Value, json};

/// Characters of a path in an error.
const FIELD_CHARACTERS: usize = 500;
/// Characters of a reason in an error.
const REASON_CHARACTERS: usize = 1_500;
/// Characters of the public sentence: those of the first error, and how many more there are.
const MESSAGE_CHARACTERS: usize = FIELD_CHARACTERS + REASON_CHARACTERS + 40;
/// Bytes of all listed errors. The rest of the response is one sentence, which takes at most six bytes a character.
const LISTED_BYTES_MAX: usize = ERROR_BYTES_MAX - 16 * 1024;

/// A request that was refused, or that failed.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Status of the answer.
    pub status: StatusCode,
    /// Stable code (contract section 1).
    pub code: &'static str,
    /// The public sentence.
    pub message: String,
    /// What is wrong with the request, by its path: as much as one response lists.
    pub errors: Vec<Invalid>,
    /// Number of the errors that are not listed.
    pub more: usize,
    /// Figures; boxed, because few failures have any and results stay small that way.
    pub details: Option<Box<Value>>,
    /// Whole seconds after which the request may be tried again.
    pub retry_after_s: Option<u64>,
    /// What happened inside, for the log only.
    pub cause: Option<Box<str>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FailureBody<'a> {
    success: bool,
    code: &'static str,
    message: &'a str,
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
    /// A failure without details.
    pub fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self {
            status,
            code,
            message: message.into(),
            errors: Vec::new(),
            more: 0,
            details: None,
            retry_after_s: None,
            cause: None,
        }
    }

    /// 400 `invalid_request` for all of `errors`; the message names the first one.
    pub fn invalid(errors: impl Into<ErrorList>) -> Self {
        Self::listing(StatusCode::BAD_REQUEST, "invalid_request", errors)
    }

    /// A failure of `code` whose message is the first of `errors` and how many more there are.
    pub fn listing(status: StatusCode, code: &'static str, errors: impl Into<ErrorList>) -> Self {
        let all = errors.into();
        let errors = fitting(all.listed());
        let more = all.more() + all.listed().len() - errors.len();
        let others = errors.len().saturating_sub(1) + more;
        let message = match (errors.first(), others) {
            (None, _) => "the request is not valid".to_owned(),
            (Some(only), 0) => only.to_string(),
            (Some(first), others) => format!("{first} (and {others} more)"),
        };
        Self {
            errors,
            more,
            ..Self::new(status, code, message)
        }
    }

    /// The figures, with the number of the errors that are not listed.
    fn details(&self) -> Option<Value> {
        let mut details = self.details.as_deref().cloned();
        if self.more > 0 {
            details.get_or_insert_with(|| json!({}))["more"] = json!(self.more);
        }
        details
    }

    /// 404 `not_found`: no such path.
    pub fn no_such_path() -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", "no such path")
    }

    /// 500 `internal`: nothing of the inside is told but to the log.
    pub fn internal(cause: impl Into<Box<str>>) -> Self {
        let message = "something went wrong on the server; the request id helps to find out what";
        Self {
            cause: Some(cause.into()),
            ..Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", message)
        }
    }

    /// The body, complete with the id of the request where the contract asks for it.
    pub fn body(&self, request_id: &str) -> Vec<u8> {
        let body = FailureBody {
            success: false,
            code: self.code,
            message: cut(&self.message, MESSAGE_CHARACTERS),
            errors: &self.errors,
            details: self.details(),
            retry_after: self.retry_after_s,
            request_id: self.status.is_server_error().then_some(request_id),
        };
        // Text keys and plain values cannot fail to serialise.
        serde_json::to_vec(&body).unwrap_or_default()
    }

    /// The answer.
    pub fn render(&self, request_id: &str) -> Response {
        let bytes = self.body(request_id);
        let mut response = (self.status, Body::from(bytes)).into_response();
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if self.status == StatusCode::UNAUTHORIZED {
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
    /// Hands the failure to the outermost layer, which alone knows the id of the request.
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        response.extensions_mut().insert(self);
        response
    }
}

/// Those of `errors` that one response has room for, with paths and reasons of bounded length.
fn fitting(errors: &[Invalid]) -> Vec<Invalid> {
    let mut left = LISTED_BYTES_MAX;
    let cut = errors.iter().map(|error| Invalid {
        field: cut(&error.field, FIELD_CHARACTERS).to_owned(),
        reason: cut(&error.reason, REASON_CHARACTERS).to_owned(),
    });
    let fits = cut.take_while(|error| {
        // What has no JSON form would take no room.
        let bytes = serde_json::to_vec(error).map_or(0, |bytes| bytes.len() + 1);
        let room = left.checked_sub(bytes);
        left = room.unwrap_or(0);
        room.is_some()
    });
    fits.collect()
}

/// The first `characters` of `text`.
fn cut(text: &str, characters: usize) -> &str {
    let end = text.char_indices().nth(characters);
    end.map_or(text, |(end, _)| &text[..end])
}

#[cfg(test)]
mod tests {
    //! 1. However many errors there are and whatever they say, the response has at most 64 KiB and 100 of them.
    //! 2. What is not listed is counted, also in the message.

    use super::*;
    use domain::limits::ERRORS_MAX;

    #[test]
    fn the_response_is_bounded_and_counts_the_rest() {
        for (text, listed) in [("x", ERRORS_MAX), ("\u{1}", 4), ("\u{1F9E6}", 6)] {
            let long = text.repeat(70_000);
            let error = Invalid::new(
                if listed == ERRORS_MAX { text } else { &long },
                long.as_str(),
            );
            let error = match listed {
                ERRORS_MAX => Invalid::new("field", "is wrong"),
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
}
