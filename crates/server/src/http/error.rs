//! Maps errors of operations to error responses; the only place that does.

use super::failure::Failure;
use axum::http::StatusCode;
use operations::{OperationError, causes};
use std::error::Error;

impl From<OperationError> for Failure {
    fn from(error: OperationError) -> Self {
        let status = match &error {
            OperationError::Invalid(_) | OperationError::TooManyDocuments { .. } => {
                StatusCode::BAD_REQUEST
            }
            OperationError::Unauthenticated { .. } => StatusCode::UNAUTHORIZED,
            OperationError::Forbidden { .. } | OperationError::PlanLimit { .. } => {
                StatusCode::FORBIDDEN
            }
            OperationError::NotFound { .. } | OperationError::NotFoundIn { .. } => {
                StatusCode::NOT_FOUND
            }
            OperationError::Conflict { .. } => StatusCode::CONFLICT,
            OperationError::Gone | OperationError::LinkGone => StatusCode::GONE,
            OperationError::Stale
            | OperationError::StaleResources(_)
            | OperationError::Contradicted { .. } => StatusCode::PRECONDITION_FAILED,
            OperationError::TooMany { .. } => StatusCode::TOO_MANY_REQUESTS,
            OperationError::Unavailable { .. } => StatusCode::SERVICE_UNAVAILABLE,
            OperationError::Internal { .. } => StatusCode::INTERNAL_SERVER_ERROR,
        };
        let failure = Self {
            cause: error.source().map(|cause| causes(cause).into()),
            details: error.details().map(Box::new),
            ..Self::new(status, error.code(), error.message())
        };
        match error {
            OperationError::Invalid(errors) => Self::invalid(errors),
            OperationError::Unavailable { retry_after_s, .. }
            | OperationError::TooMany { retry_after_s, .. } => Self {
                retry_after_s: Some(retry_after_s.max(1)),
                ..failure
            },
            _ => failure,
        }
    }
}
