//! The rate limit headers (`docs/api.md`).

use axum::http::{HeaderMap, HeaderName};
use operations::rates::Allowance;
use std::sync::{Arc, Mutex, PoisonError};

const LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
const REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");
const RESET: HeaderName = HeaderName::from_static("x-ratelimit-reset");

/// All rate limit headers; CORS exposes them to scripts of allowed origins.
pub const ALL: [HeaderName; 3] = [LIMIT, REMAINING, RESET];

/// Passes the state of the rate limit from the extractor of the key to the outermost layer.
#[derive(Clone, Default)]
pub struct RateHeaders(Arc<Mutex<Option<Allowance>>>);

impl RateHeaders {
    /// Sets the state of the limit after this request, replacing an earlier one.
    pub fn note(&self, allowance: Allowance) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(allowance);
    }

    /// Writes the headers if a limit applies.
    pub fn write(&self, headers: &mut HeaderMap) {
        let noted = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(allowance) = noted {
            headers.insert(LIMIT, allowance.limit.into());
            headers.insert(REMAINING, allowance.remaining.into());
            headers.insert(RESET, allowance.reset_s.into());
        }
    }
}
