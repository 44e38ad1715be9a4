//! The outcome of a request of the command line.

use crate::http::Failure;
use axum::http::StatusCode;
use domain::Invalid;
use operations::OperationError;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The kind of a failure, which decides the exit status and whether to retry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AdminKind {
    /// The request is invalid.
    Usage,
    /// The request failed.
    Failed,
    /// The request may succeed later.
    Later,
}

/// Why a request failed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AdminFailure {
    /// The kind of the failure.
    pub kind: AdminKind,
    /// The stable code of the error; empty if it has none.
    #[serde(default)]
    pub code: String,
    /// Message for people.
    pub message: String,
    /// All validation errors.
    pub errors: Vec<Invalid>,
    /// Seconds after which to retry.
    pub retry_after_s: Option<u64>,
}

impl AdminFailure {
    /// Creates a failure that the request did not cause.
    pub fn failed(message: impl Into<String>) -> Self {
        Self {
            kind: AdminKind::Failed,
            code: String::new(),
            message: message.into(),
            errors: Vec::new(),
            retry_after_s: None,
        }
    }
}

impl From<OperationError> for AdminFailure {
    fn from(error: OperationError) -> Self {
        Failure::from(error).into()
    }
}

impl From<Failure> for AdminFailure {
    fn from(failure: Failure) -> Self {
        if let Some(cause) = &failure.cause {
            tracing::error!(%cause, code = failure.code, "a command failed");
        }
        Self {
            kind: match failure.status {
                StatusCode::BAD_REQUEST => AdminKind::Usage,
                StatusCode::SERVICE_UNAVAILABLE => AdminKind::Later,
                _ => AdminKind::Failed,
            },
            code: failure.code.to_owned(),
            message: failure.message.text,
            errors: failure.errors,
            retry_after_s: failure.retry_after_s,
        }
    }
}

/// As [`to_json`], for commands that are not retried automatically.
pub fn final_json<T: Serialize>(outcome: Result<T, OperationError>) -> Result<Value, AdminFailure> {
    to_json(outcome).map_err(|failure| AdminFailure {
        kind: AdminKind::Failed,
        ..failure
    })
}

/// Returns what an operation returned as JSON.
///
/// Errors: the error of the operation, with the messages of the API.
pub fn to_json<T: Serialize>(outcome: Result<T, OperationError>) -> Result<Value, AdminFailure> {
    serde_json::to_value(outcome?)
        .map_err(|error| AdminFailure::failed(format!("the response does not serialise: {error}")))
}
