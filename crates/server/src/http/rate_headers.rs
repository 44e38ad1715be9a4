//! The headers that tell how often a key may still ask (contract section 1).

use axum::http::{HeaderMap, HeaderName};
use operations::rates::Allowance;
use std::sync::{Arc, Mutex, PoisonError};

const LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
const REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");
const RESET: HeaderName = HeaderName::from_static("x-ratelimit-reset");

/// The headers, which scripts of another origin may read where they may ask.
pub const ALL: [HeaderName; 3] = [LIMIT, REMAINING, RESET];

/// Where the extractor of the key leaves what the answer will tell.
#[derive(Clone, Default)]
pub struct RateHeaders(Arc<Mutex<Option<Allowance>>>);

impl RateHeaders {
    /// Notes how the limit stands after this request; what is noted later is known better.
    pub fn note(&self, allowance: Allowance) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(allowance);
    }

    /// Writes the headers, where a limit applies.
    pub fn write(&self, headers: &mut HeaderMap) {
        let noted = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(allowance) = noted {
            headers.insert(LIMIT, allowance.limit.into());
            headers.insert(REMAINING, allowance.remaining.into());
            headers.insert(RESET, allowance.reset_s.into());
        }
    }
}
