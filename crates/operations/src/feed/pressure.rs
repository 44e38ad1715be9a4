//! Backpressure: a feed that outruns the index is slowed down, then rejected. Searches are not affected.

use crate::OperationError;
use crate::indexing::Indexing;
use domain::IndexId;
use domain::limits::{FEED_LAG_DELAY_MS, FEED_LAG_REFUSE_MS};
use std::time::Duration;

/// Longest delay of a response to a connector.
const RESPONSE_DELAY_MAX: Duration = Duration::from_secs(2);
/// Longest wait of an import for the index.
const IMPORT_WAIT_MAX: Duration = Duration::from_secs(60);

/// Reaction to an index that lags behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pressure {
    /// Responses are delayed, then writes are rejected: a connector retries by itself.
    Reject,
    /// Responses wait: nobody would retry an import.
    Wait,
}

impl Pressure {
    /// Fails with `Unavailable` if the index lags too far behind.
    pub fn check(self, indexing: &Indexing, index: IndexId) -> Result<(), OperationError> {
        self.check_lag(indexing.lag(index))
    }

    fn check_lag(self, lag: Duration) -> Result<(), OperationError> {
        if self == Self::Reject && lag >= Duration::from_millis(FEED_LAG_REFUSE_MS) {
            return Err(OperationError::Unavailable {
                retry_after_s: 1,
                source: Some(format!("the index lags {} ms behind", lag.as_millis()).into()),
            });
        }
        Ok(())
    }

    /// Delays the response while the index lags behind.
    ///
    /// Errors: `Unavailable` for an import whose index makes no progress. Its documents are stored, and may be sent
    /// again.
    pub async fn delay(self, indexing: &Indexing, index: IndexId) -> Result<(), OperationError> {
        let bound = Duration::from_millis(FEED_LAG_DELAY_MS);
        let at_most = match self {
            Self::Reject => RESPONSE_DELAY_MAX,
            Self::Wait => IMPORT_WAIT_MAX,
        };
        if indexing.lag(index) < bound {
            return Ok(());
        }
        let lag = indexing.wait_until_lag_below(index, bound, at_most).await;
        self.check_after_wait(lag)
    }

    /// Fails for an import that waited in vain. A connector gets its response all the same.
    fn check_after_wait(self, lag: Duration) -> Result<(), OperationError> {
        if self == Self::Wait && lag >= IMPORT_WAIT_MAX {
            return Err(OperationError::unavailable(format!(
                "the index has made no progress for {} s",
                lag.as_secs()
            )));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connectors_are_rejected_from_two_seconds_on_and_imports_never() {
        for (lag_ms, rejected) in [(0, false), (1_999, false), (2_000, true), (60_000, true)] {
            let lag = Duration::from_millis(lag_ms);
            let result = Pressure::Reject.check_lag(lag);
            assert_eq!(result.is_err(), rejected, "{lag_ms} ms");
            if let Err(error) = result {
                assert_eq!(error.code(), "unavailable");
            }
            assert!(Pressure::Wait.check_lag(lag).is_ok());
        }
    }

    #[test]
    fn an_import_fails_when_the_index_makes_no_progress() {
        for (lag_s, fails) in [(2, false), (59, false), (60, true)] {
            let lag = Duration::from_secs(lag_s);
            assert_eq!(
                Pressure::Wait.check_after_wait(lag).is_err(),
                fails,
                "{lag_s} s"
            );
            assert!(Pressure::Reject.check_after_wait(lag).is_ok());
        }
    }
}
