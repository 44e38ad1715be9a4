//! `TestClock`: the clock of a service under test, which the test sets.

use domain::Timestamp;
use operations::clock::{Clock, SystemClock};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

/// A clock that stands still until it is advanced; by default the system's, which cannot be. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct TestClock(Option<Arc<AtomicI64>>);

impl TestClock {
    /// Returns a clock that stands still at `at`.
    pub fn fixed(at: Timestamp) -> Self {
        Self(Some(Arc::new(AtomicI64::new(at.0))))
    }

    /// Advances a clock that stands still.
    pub fn advance_ms(&self, ms: i64) {
        let at = self.0.as_ref().expect("a clock that stands still");
        at.fetch_add(ms, Ordering::SeqCst);
    }

    /// Returns the current time.
    pub fn now(&self) -> Timestamp {
        match &self.0 {
            Some(at) => Timestamp(at.load(Ordering::SeqCst)),
            None => SystemClock.now(),
        }
    }

    /// Returns the clock as options of a service take it.
    pub fn shared(&self) -> Arc<dyn Clock> {
        Arc::new(self.clone())
    }
}

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        Self::now(self)
    }
}
