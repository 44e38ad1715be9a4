//! The clock: the only module that reads the time.

use domain::Timestamp;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// Source of the current time: the system's clock, or one that a test sets.
#[derive(Clone, Debug, Default)]
pub enum Clock {
    /// The system's clock.
    #[default]
    System,
    /// A clock that stands still until it is advanced.
    Fixed(Arc<AtomicI64>),
}

impl Clock {
    /// Returns a clock that stands still at `at`.
    pub fn fixed(at: Timestamp) -> Self {
        Self::Fixed(Arc::new(AtomicI64::new(at.0)))
    }

    /// Advances a fixed clock; has no effect on the system's clock.
    pub fn advance_ms(&self, ms: i64) {
        if let Self::Fixed(at) = self {
            at.fetch_add(ms, Ordering::SeqCst);
        }
    }

    /// Returns the current time.
    pub fn now(&self) -> Timestamp {
        match self {
            Self::System => system_now(),
            Self::Fixed(at) => Timestamp(at.load(Ordering::SeqCst)),
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "this is the one place that reads the system's clock"
)]
fn system_now() -> Timestamp {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}
