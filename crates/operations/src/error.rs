//! `OperationError`: one kind for each case that clients handle differently. Causes are for the log only.

mod stale;

pub use stale::StaleResource;

use crate::message;
use domain::{Denied, Invalid, Message, error_codes, invalid};
use serde_json::Value;
use std::fmt;
use std::sync::Arc;
use storage::StorageError;

type OperationCause = Box<dyn std::error::Error + Send + Sync>;

/// Error of an operation. `Display` is the English text of its message.
#[derive(Debug)]
pub enum OperationError {
    /// No valid key for this: 401 `key_missing`, `key_invalid` or `key_kind`.
    Unauthenticated {
        /// Stable error code.
        code: &'static str,
        /// Public message.
        message: Message,
    },
    /// The key is valid and may not do this: 403 `scope_missing`, `store_mismatch`, `reserved`, `key_kind` or
    /// `store_suspended`.
    Forbidden {
        /// Stable error code.
        code: &'static str,
        /// Public message.
        message: Message,
    },
    /// Absent, or of another account: 404 `not_found`.
    NotFound {
        /// What was looked for.
        what: fn() -> Message,
    },
    /// Named in a field of the request and absent: 404 `not_found`.
    NotFoundIn {
        /// What was looked for.
        what: fn() -> Message,
        /// Path of the field.
        field: String,
    },
    /// A state that the request cannot apply to: 409 `conflict`, `index_missing` or `run_open`.
    Conflict {
        /// Stable error code.
        code: &'static str,
        /// Public message.
        message: Message,
        /// What the request conflicts with.
        details: Value,
    },
    /// The run has ended or never existed: 410 `run_gone`.
    Gone,
    /// The link is unknown, used, revoked or over: 410 `link_gone`.
    LinkGone,
    /// The state is not the one that the write expects: 412 `precondition_failed`.
    Stale,
    /// Resources are not in the state that the change expects: 412 `precondition_failed`, with the resources.
    StaleResources(Vec<StaleResource>),
    /// What is saved contradicts a proposal: 412 `precondition_failed`, with the resources and the contradictions.
    Contradicted {
        /// The resources, as of [`Self::StaleResources`].
        stale: Vec<StaleResource>,
        /// What contradicts.
        conflicts: Value,
    },
    /// Values that cannot be accepted: 400 `invalid_request`.
    Invalid(Vec<Invalid>),
    /// A block above its limit; nothing of it was stored: 400 `too_many_documents`.
    TooManyDocuments {
        /// The list that is too long.
        field: &'static str,
        /// Limit of the list.
        max: usize,
        /// Length of the list.
        got: usize,
    },
    /// Above a rate limit: 429 `rate_limited`.
    TooMany {
        /// Which limit, as the beginning of the public message.
        reason: Message,
        /// Whole seconds to wait, at least 1.
        retry_after_s: u64,
    },
    /// Above what the plan allows: 403 `plan_limit`.
    PlanLimit {
        /// Public message.
        message: Message,
        /// The limit and the use of it.
        details: Value,
    },
    /// Temporarily unavailable; the request may be tried again: 503 `unavailable`.
    Unavailable {
        /// Whole seconds to wait, at least 1.
        retry_after_s: u64,
        /// Cause, for the log only.
        source: Option<OperationCause>,
    },
    /// An unexpected failure: 500 `internal`.
    Internal {
        /// Cause, for the log only.
        source: OperationCause,
    },
}

impl fmt::Display for OperationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

impl std::error::Error for OperationError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Internal { source }
            | Self::Unavailable {
                source: Some(source),
                ..
            } => Some(source.as_ref()),
            _ => None,
        }
    }
}

fn stale_summary(stale: &[StaleResource]) -> Message {
    match stale {
        [] => message::state::stale_configuration(),
        [only] => message::state::stale_resource(message::of_resource(&only.resource)),
        [first, more @ ..] => {
            let first = message::of_resource(&first.resource);
            message::state::stale_resources(first, more.len())
        }
    }
}

impl OperationError {
    /// Returns the public message.
    pub fn message(&self) -> Message {
        use message::state;
        match self {
            Self::Unauthenticated { message, .. }
            | Self::Forbidden { message, .. }
            | Self::Conflict { message, .. }
            | Self::PlanLimit { message, .. } => message.clone(),
            Self::NotFound { what } => state::not_found(what()),
            Self::NotFoundIn { what, field } => {
                message::value::in_field(field.as_str(), state::not_found(what()))
            }
            Self::Gone => state::run_gone(),
            Self::LinkGone => state::link_gone(),
            Self::Stale => state::stale(),
            Self::StaleResources(stale) => stale_summary(stale),
            Self::Contradicted { .. } => state::contradicted(),
            Self::Invalid(invalid) => {
                invalid::summary(invalid.first(), invalid.len().saturating_sub(1))
            }
            Self::TooManyDocuments { field, max, got } => {
                state::too_many_documents(*field, *max, *got)
            }
            Self::TooMany {
                reason,
                retry_after_s,
            } => message::rate::retry(reason.clone(), *retry_after_s),
            Self::Unavailable { .. } => state::unavailable(),
            Self::Internal { .. } => state::internal(),
        }
    }

    /// Returns the stable error code (`docs/api.md`).
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unauthenticated { code, .. }
            | Self::Forbidden { code, .. }
            | Self::Conflict { code, .. } => code,
            Self::NotFound { .. } | Self::NotFoundIn { .. } => error_codes::NOT_FOUND,
            Self::Gone => error_codes::RUN_GONE,
            Self::LinkGone => error_codes::LINK_GONE,
            Self::Stale | Self::StaleResources(_) | Self::Contradicted { .. } => {
                error_codes::PRECONDITION_FAILED
            }
            Self::TooMany { .. } => error_codes::RATE_LIMITED,
            Self::Invalid(_) => error_codes::INVALID_REQUEST,
            Self::TooManyDocuments { .. } => error_codes::TOO_MANY_DOCUMENTS,
            Self::PlanLimit { .. } => error_codes::PLAN_LIMIT,
            Self::Unavailable { .. } => error_codes::UNAVAILABLE,
            Self::Internal { .. } => error_codes::INTERNAL,
        }
    }

    /// Returns the numbers and ids that the error response carries beside its message.
    pub fn details(&self) -> Option<Value> {
        match self {
            Self::Conflict { details, .. } | Self::PlanLimit { details, .. } => {
                Some(details.clone()).filter(|details| !details.is_null())
            }
            Self::NotFoundIn { field, .. } => Some(serde_json::json!({ "field": field })),
            Self::StaleResources(stale) => Some(serde_json::json!({ "stale": stale })),
            Self::Contradicted { stale, conflicts } => {
                Some(serde_json::json!({"stale": stale, "conflicts": conflicts}))
            }
            Self::TooManyDocuments { max, got, .. } => {
                Some(serde_json::json!({"max": max, "got": got}))
            }
            _ => None,
        }
    }

    /// Returns the error for one invalid value.
    pub fn invalid(field: impl Into<String>, reason: Message) -> Self {
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
        match &**error {
            Self::Invalid(invalid) => Self::Invalid(invalid.clone()),
            Self::Unavailable { retry_after_s, .. } => Self::Unavailable {
                retry_after_s: *retry_after_s,
                source,
            },
            _ => Self::internal(SharedCause(Arc::clone(error))),
        }
    }

    /// Returns the error for a conflict without details.
    pub(crate) fn conflict(message: Message) -> Self {
        Self::Conflict {
            code: error_codes::CONFLICT,
            message,
            details: Value::Null,
        }
    }

    pub(crate) fn forbidden(code: &'static str, message: Message) -> Self {
        Self::Forbidden { code, message }
    }
}

/// Formats an error with its chain of causes, for the log and for the operator.
pub fn causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text = format!("{text}: {inner}");
        cause = inner.source();
    }
    text
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
                code: error_codes::KEY_KIND,
                message: message::access::configuration_key(),
            },
            Denied::KindNotAllowed => {
                Self::forbidden(error_codes::KEY_KIND, message::access::key_kind())
            }
            Denied::ScopeMissing => {
                Self::forbidden(error_codes::SCOPE_MISSING, message::access::scope())
            }
            Denied::StoreMismatch => {
                Self::forbidden(error_codes::STORE_MISMATCH, message::access::other_store())
            }
            Denied::NotFound => Self::NotFound {
                what: message::noun::store,
            },
            Denied::Reserved => Self::forbidden(error_codes::RESERVED, message::access::reserved()),
            Denied::NoSuchAccount => Self::NotFound {
                what: message::noun::account,
            },
            Denied::RoleMissing(role) => Self::forbidden(
                error_codes::ROLE_MISSING,
                message::access::role(message::of_role(role)),
            ),
            Denied::PasswordNeeded => {
                Self::forbidden(error_codes::PASSWORD_NEEDED, message::access::password())
            }
        }
    }
}
