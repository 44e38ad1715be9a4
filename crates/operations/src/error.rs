//! `OperationError`: one kind for each case that clients handle differently. Causes are for the log only.

mod stale;

pub use stale::StaleResource;

use domain::{Denied, Invalid, invalid};
use serde_json::Value;
use std::fmt;
use std::sync::Arc;
use storage::StorageError;

type OperationCause = Box<dyn std::error::Error + Send + Sync>;

/// Stable error codes (`docs/api.md`). No other file contains them as literals.
pub mod codes {
    /// The request has no key: 401.
    pub const KEY_MISSING: &str = "key_missing";
    /// The key is unknown, deactivated or expired: 401.
    pub const KEY_INVALID: &str = "key_invalid";
    /// The key is of a kind that is not valid here (401) or not allowed (403).
    pub const KEY_KIND: &str = "key_kind";
    /// The key's scope is insufficient: 403.
    pub const SCOPE_MISSING: &str = "scope_missing";
    /// The key is bound to another store: 403.
    pub const STORE_MISMATCH: &str = "store_mismatch";
    /// Reserved to the control panel and the command line: 403.
    pub const RESERVED: &str = "reserved";
    /// The store is suspended or paused: 403.
    pub const STORE_SUSPENDED: &str = "store_suspended";
    /// The resource does not exist, or belongs to another account: 404.
    pub const NOT_FOUND: &str = "not_found";
    /// The request conflicts with the current state: 409.
    pub const CONFLICT: &str = "conflict";
    /// There is no index of this type and language: 409.
    pub const INDEX_MISSING: &str = "index_missing";
    /// Another run is open on a scope: 409.
    pub const RUN_OPEN: &str = "run_open";
    /// The run has ended or never existed: 410.
    pub const RUN_GONE: &str = "run_gone";
    /// The state is not the one that the write expects: 412.
    pub const PRECONDITION_FAILED: &str = "precondition_failed";
    /// The request has no session, or one that ended: 401.
    pub const SESSION_MISSING: &str = "session_missing";
    /// E-mail address and password do not let anybody in: 401.
    pub const SIGN_IN_FAILED: &str = "sign_in_failed";
    /// The role of the user is too small: 403.
    pub const ROLE_MISSING: &str = "role_missing";
    /// The password has to be given again: 403.
    pub const PASSWORD_NEEDED: &str = "password_needed";
    /// The link is unknown, used, revoked or over: 410.
    pub const LINK_GONE: &str = "link_gone";
    /// Invalid values: 400.
    pub const INVALID_REQUEST: &str = "invalid_request";
    /// A document of a block is invalid and rejected alone.
    pub const INVALID_DOCUMENT: &str = "invalid_document";
    /// A block exceeds its limit: 400.
    pub const TOO_MANY_DOCUMENTS: &str = "too_many_documents";
    /// A rate limit is exceeded: 429.
    pub const RATE_LIMITED: &str = "rate_limited";
    /// A limit of the plan is exceeded: 403, or the rejection of a single document or language.
    pub const PLAN_LIMIT: &str = "plan_limit";
    /// Temporarily unavailable: 503.
    pub const UNAVAILABLE: &str = "unavailable";
    /// An unexpected failure: 500.
    pub const INTERNAL: &str = "internal";
}

/// Error of an operation. `Display` is the public message.
#[derive(Debug, thiserror::Error)]
pub enum OperationError {
    /// No valid key for this: 401 `key_missing`, `key_invalid` or `key_kind`.
    #[error("{message}")]
    Unauthenticated {
        /// Stable error code.
        code: &'static str,
        /// Public message.
        message: &'static str,
    },
    /// The key is valid and may not do this: 403 `scope_missing`, `store_mismatch`, `reserved`, `key_kind` or
    /// `store_suspended`.
    #[error("{message}")]
    Forbidden {
        /// Stable error code.
        code: &'static str,
        /// Public message.
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
        /// Stable error code.
        code: &'static str,
        /// Public message.
        message: String,
        /// What the request conflicts with.
        details: Value,
    },
    /// The run has ended or never existed: 410 `run_gone`.
    #[error("the run has ended or never existed")]
    Gone,
    /// The link is unknown, used, revoked or over: 410 `link_gone`.
    #[error("this link was used or is no longer valid")]
    LinkGone,
    /// The state is not the one that the write expects: 412 `precondition_failed`.
    #[error("If-Match no longer matches, because this was changed in the meantime; read it again")]
    Stale,
    /// Resources are not in the state that the change expects: 412 `precondition_failed`, with the resources.
    #[error("{}", stale_summary(.0))]
    StaleResources(Vec<StaleResource>),
    /// Values that cannot be accepted: 400 `invalid_request`.
    #[error("{}", summary(.0))]
    Invalid(Vec<Invalid>),
    /// A block above its limit; nothing of it was stored: 400 `too_many_documents`.
    #[error("{field}: at most {max} at once, got {got}")]
    TooManyDocuments {
        /// The list that is too long.
        field: &'static str,
        /// Limit of the list.
        max: usize,
        /// Length of the list.
        got: usize,
    },
    /// Above a rate limit: 429 `rate_limited`.
    #[error("{message}; try again in {retry_after_s} s")]
    TooMany {
        /// Public message, without its end.
        message: String,
        /// Whole seconds to wait, at least 1.
        retry_after_s: u64,
    },
    /// Above what the plan allows: 403 `plan_limit`.
    #[error("{message}")]
    PlanLimit {
        /// Public message.
        message: String,
        /// The limit and the use of it.
        details: Value,
    },
    /// Temporarily unavailable; the request may be tried again: 503 `unavailable`.
    #[error("the service is temporarily unavailable; try again")]
    Unavailable {
        /// Whole seconds to wait, at least 1.
        retry_after_s: u64,
        /// Cause, for the log only.
        source: Option<OperationCause>,
    },
    /// An unexpected failure: 500 `internal`.
    #[error("something went wrong on the server")]
    Internal {
        /// Cause, for the log only.
        source: OperationCause,
    },
}

fn summary(invalid: &[Invalid]) -> String {
    invalid::summary(invalid.first(), invalid.len().saturating_sub(1))
}

fn stale_summary(stale: &[StaleResource]) -> String {
    let names: Vec<&str> = stale.iter().map(|one| one.resource.as_str()).collect();
    match names[..] {
        [] => "the configuration was changed in the meantime; read it again".to_owned(),
        [only] => format!("{only} was changed in the meantime; read it again"),
        [first, ref more @ ..] => format!(
            "{first} and {} more were changed in the meantime; read them again",
            more.len()
        ),
    }
}

impl OperationError {
    /// Returns the stable error code (`docs/api.md`).
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unauthenticated { code, .. }
            | Self::Forbidden { code, .. }
            | Self::Conflict { code, .. } => code,
            Self::NotFound { .. } => codes::NOT_FOUND,
            Self::Gone => codes::RUN_GONE,
            Self::LinkGone => codes::LINK_GONE,
            Self::Stale | Self::StaleResources(_) => codes::PRECONDITION_FAILED,
            Self::TooMany { .. } => codes::RATE_LIMITED,
            Self::Invalid(_) => codes::INVALID_REQUEST,
            Self::TooManyDocuments { .. } => codes::TOO_MANY_DOCUMENTS,
            Self::PlanLimit { .. } => codes::PLAN_LIMIT,
            Self::Unavailable { .. } => codes::UNAVAILABLE,
            Self::Internal { .. } => codes::INTERNAL,
        }
    }

    /// Returns the numbers and ids that the error response carries beside its message.
    pub fn details(&self) -> Option<Value> {
        match self {
            Self::Conflict { details, .. } | Self::PlanLimit { details, .. } => {
                Some(details.clone()).filter(|details| !details.is_null())
            }
            Self::StaleResources(stale) => Some(serde_json::json!({ "stale": stale })),
            Self::TooManyDocuments { max, got, .. } => {
                Some(serde_json::json!({"max": max, "got": got}))
            }
            _ => None,
        }
    }

    /// Returns the error for one invalid value.
    pub fn invalid(field: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::Invalid(vec![Invalid::new(field, reason)])
    }

    /// Returns the error for an unexpected failure with this cause.
    pub fn internal(source: impl Into<OperationCause>) -> Self {
        Self::Internal {
            source: source.into(),
        }
    }

    /// Returns the error for a temporary failure with this cause.
    pub fn unavailable(source: impl Into<OperationCause>) -> Self {
        Self::Unavailable {
            retry_after_s: 1,
            source: Some(source.into()),
        }
    }

    /// Returns a copy of an error for another one of the requests that share its computation.
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

    /// Returns the error for a conflict without details.
    pub(crate) fn conflict(message: impl Into<String>) -> Self {
        Self::Conflict {
            code: codes::CONFLICT,
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

/// Cause of an error that several requests share.
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
                code: codes::KEY_KIND,
                message: "this needs a configuration key",
            },
            Denied::KindNotAllowed => {
                Self::forbidden(codes::KEY_KIND, "keys of this kind may not do this")
            }
            Denied::ScopeMissing => Self::forbidden(
                codes::SCOPE_MISSING,
                "the key's scope is insufficient; this needs config:write",
            ),
            Denied::StoreMismatch => {
                Self::forbidden(codes::STORE_MISMATCH, "the key is bound to another store")
            }
            Denied::NotFound => Self::NotFound { what: "store" },
            Denied::Reserved => Self::forbidden(
                codes::RESERVED,
                "reserved to the control panel and the command line",
            ),
            Denied::NoSuchAccount => Self::NotFound { what: "account" },
            Denied::RoleMissing(role) => Self::forbidden(
                codes::ROLE_MISSING,
                format!("this needs the role {} in the account", role.as_str()),
            ),
            Denied::PasswordNeeded => Self::forbidden(
                codes::PASSWORD_NEEDED,
                "this needs the password again, given within the last 10 minutes",
            ),
        }
    }
}
