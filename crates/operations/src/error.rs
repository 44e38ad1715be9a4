//! `OperationError`: one kind for each thing that a client does differently. Causes are for the log only.

use domain::{Denied, Invalid};
use serde_json::Value;
use std::fmt;
use std::sync::Arc;
use storage::StorageError;

type OperationCause = Box<dyn std::error::Error + Send + Sync>;

/// Why an operation was refused or failed. `Display` is the public sentence.
#[derive(Debug, thiserror::Error)]
pub enum OperationError {
    /// No valid key for this: 401 `key_missing`, `key_invalid` or `key_kind`.
    #[error("{message}")]
    Unauthenticated {
        /// Stable code.
        code: &'static str,
        /// Public sentence.
        message: &'static str,
    },
    /// The key is valid and may not do this: 403 `scope_missing`, `store_mismatch`, `reserved`, `key_kind` or
    /// `store_suspended`.
    #[error("{message}")]
    Forbidden {
        /// Stable code.
        code: &'static str,
        /// Public sentence.
        message: String,
    },
    /// Absent, or of another account: 404 `not_found`.
    #[error("no such {what}")]
    NotFound {
        /// What was looked for.
        what: &'static str,
    },
    /// A state that the request cannot apply to: 409 `conflict`, `index_missing` or `run_open`.
    #[error("{message}")]
    Conflict {
        /// Stable code.
        code: &'static str,
        /// Public sentence.
        message: String,
        /// What it conflicts with.
        details: Value,
    },
    /// The run has ended or never was: 410 `run_gone`.
    #[error("the run has ended or never was")]
    Gone,
    /// The state is not the one that the write expects to replace: 412 `precondition_failed`.
    #[error("If-Match no longer holds, because this was changed meanwhile; read it again")]
    Stale,
    /// Values that cannot be accepted: 400 `invalid_request`.
    #[error("{}", listed(.0))]
    Invalid(Vec<Invalid>),
    /// A block above its limit, of which nothing was stored: 400 `too_many_documents`.
    #[error("{field}: at most {max} at once, got {got}")]
    TooManyDocuments {
        /// The list that is too long.
        field: &'static str,
        /// How many it may hold.
        max: usize,
        /// How many it held.
        got: usize,
    },
    /// More often than allowed: 429 `rate_limited`.
    #[error("{message}; try again in {retry_after_s} s")]
    TooMany {
        /// Public sentence, without its end.
        message: String,
        /// Whole seconds to wait, at least 1.
        retry_after_s: u64,
    },
    /// Above what the plan allows: 403 `plan_limit`.
    #[error("{message}")]
    PlanLimit {
        /// Public sentence.
        message: String,
        /// The figures.
        details: Value,
    },
    /// The same may succeed a little later: 503 `unavailable`.
    #[error("the service is not available for a moment; try again")]
    Unavailable {
        /// Whole seconds to wait, at least 1.
        retry_after_s: u64,
        /// For the log.
        source: Option<OperationCause>,
    },
    /// Everything unexpected: 500 `internal`.
    #[error("something went wrong on the server")]
    Internal {
        /// For the log.
        source: OperationCause,
    },
}

fn listed(invalid: &[Invalid]) -> String {
    match invalid {
        [] => "the request is not valid".to_owned(),
        [only] => only.to_string(),
        [first, more @ ..] => format!("{first} (and {} more)", more.len()),
    }
}

impl OperationError {
    /// The stable code of the contract.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unauthenticated { code, .. }
            | Self::Forbidden { code, .. }
            | Self::Conflict { code, .. } => code,
            Self::NotFound { .. } => "not_found",
            Self::Gone => "run_gone",
            Self::Stale => "precondition_failed",
            Self::TooMany { .. } => "rate_limited",
            Self::Invalid(_) => "invalid_request",
            Self::TooManyDocuments { .. } => "too_many_documents",
            Self::PlanLimit { .. } => "plan_limit",
            Self::Unavailable { .. } => "unavailable",
            Self::Internal { .. } => "internal",
        }
    }

    /// Figures and ids that the answer carries beside its message.
    pub fn details(&self) -> Option<Value> {
        match self {
            Self::Conflict { details, .. } | Self::PlanLimit { details, .. } => {
                Some(details.clone()).filter(|details| !details.is_null())
            }
            Self::TooManyDocuments { max, got, .. } => {
                Some(serde_json::json!({"max": max, "got": got}))
            }
            _ => None,
        }
    }

    /// One value that cannot be accepted.
    pub fn invalid(field: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::Invalid(vec![Invalid::new(field, reason)])
    }

    /// Something unexpected, with its cause for the log.
    pub fn internal(source: impl Into<OperationCause>) -> Self {
        Self::Internal {
            source: source.into(),
        }
    }

    /// Something that passes, with its cause for the log.
    pub fn unavailable(source: impl Into<OperationCause>) -> Self {
        Self::Unavailable {
            retry_after_s: 1,
            source: Some(source.into()),
        }
    }

    /// The same failure for another one of those who waited for it.
    pub(crate) fn shared(error: &Arc<Self>) -> Self {
        let source = Some(SharedCause(Arc::clone(error)).into());
        match **error {
            Self::Unavailable { retry_after_s, .. } => Self::Unavailable {
                retry_after_s,
                source,
            },
            _ => Self::internal(SharedCause(Arc::clone(error))),
        }
    }

    /// A state that the request cannot apply to, with nothing more to tell than the sentence.
    pub(crate) fn conflict(message: impl Into<String>) -> Self {
        Self::Conflict {
            code: "conflict",
            message: message.into(),
            details: Value::Null,
        }
    }

    pub(crate) fn forbidden(code: &'static str, message: impl Into<String>) -> Self {
        Self::Forbidden {
            code,
            message: message.into(),
        }
    }
}

/// The cause of a failure that several requests share.
#[derive(Debug)]
struct SharedCause(Arc<OperationError>);

impl fmt::Display for SharedCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.0 {
            OperationError::Internal { source }
            | OperationError::Unavailable {
                source: Some(source),
                ..
            } => source.fmt(f),
            other => other.fmt(f),
        }
    }
}

impl std::error::Error for SharedCause {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &*self.0 {
            OperationError::Internal { source }
            | OperationError::Unavailable {
                source: Some(source),
                ..
            } => source.source(),
            _ => None,
        }
    }
}

impl From<StorageError> for OperationError {
    fn from(error: StorageError) -> Self {
        if error.is_transient() {
            Self::unavailable(error)
        } else {
            Self::internal(error)
        }
    }
}

impl From<Denied> for OperationError {
    fn from(denied: Denied) -> Self {
        match denied {
            Denied::KindNotValidHere => Self::Unauthenticated {
                code: "key_kind",
                message: "this needs a configuration key",
            },
            Denied::KindNotAllowed => {
                Self::forbidden("key_kind", "a key of this kind may not do this")
            }
            Denied::ScopeMissing => Self::forbidden(
                "scope_missing",
                "the key's scope is too small; this needs config:write",
            ),
            Denied::StoreMismatch => {
                Self::forbidden("store_mismatch", "the key is bound to another store")
            }
            Denied::NotFound => Self::NotFound { what: "store" },
            Denied::Reserved => Self::forbidden(
                "reserved",
                "reserved to the control panel and the command line",
            ),
        }
    }
}
