//! `Failure`: a refused request, with all that its answer will carry.

use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use domain::Invalid;
use serde::Serialize;
use serde_json::Value;

/// A request that was refused, or that failed.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Status of the answer.
    pub status: StatusCode,
    /// Stable code (contract section 1).
    pub code: &'static str,
    /// The public sentence.
    pub message: String,
    /// Everything that is wrong with the request, by its path.
    pub errors: Vec<Invalid>,
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
    details: Option<&'a Value>,
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
            details: None,
            retry_after_s: None,
            cause: None,
        }
    }

    /// 400 `invalid_request` for all of `errors`; the message names the first one.
    pub fn invalid(errors: Vec<Invalid>) -> Self {
        Self::listing(StatusCode::BAD_REQUEST, "invalid_request", errors)
    }

    /// A failure of `code` whose message is the first of `errors` and how many more there are.
    pub fn listing(status: StatusCode, code: &'static str, errors: Vec<Invalid>) -> Self {
        let message = match errors.as_slice() {
            [] => "the request is not valid".to_owned(),
            [only] => only.to_string(),
            [first, more @ ..] => format!("{first} (and {} more)", more.len()),
        };
        Self {
            errors,
            ..Self::new(status, code, message)
        }
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
            message: &self.message,
            errors: &self.errors,
            details: self.details.as_deref(),
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
