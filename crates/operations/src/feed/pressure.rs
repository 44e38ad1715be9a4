//! Backpressure: a feed that outruns the index is slowed down, then refused; searches never are.

use crate::{OperationError, Service};
use domain::IndexId;
use domain::limits::{FEED_LAG_DELAY_MS, FEED_LAG_REFUSE_MS};
use std::time::Duration;

/// Longest delay of one answer to a connector.
const ANSWER_DELAY_MAX: Duration = Duration::from_secs(2);
/// Longest wait of an import for the index.
const IMPORT_WAIT_MAX: Duration = Duration::from_secs(60);

/// What happens when the index lags behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pressure {
    /// Answers are delayed, then refused: a connector tries again by itself.
    Refuse,
    /// Answers wait: an import has nobody who would try again.
    Wait,
}

impl Pressure {
    /// Refuses a write on an index that lags too far behind.
    pub fn check(self, service: &Service, index: IndexId) -> Result<(), OperationError> {
        self.judge(service.indexing.lag(index))
    }

    fn judge(self, lag: Duration) -> Result<(), OperationError> {
        if self == Self::Refuse && lag >= Duration::from_millis(FEED_LAG_REFUSE_MS) {
            return Err(OperationError::Unavailable {
                retry_after_s: 1,
                source: Some(format!("the index lags {} ms behind", lag.as_millis()).into()),
            });
        }
        Ok(())
    }

    /// Holds the answer back while the index lags behind.
    ///
    /// Errors: `Unavailable` for an import whose index stands still. What it sent is stored, and may be sent again.
    pub async fn delay(self, service: &Service, index: IndexId) -> Result<(), OperationError> {
        let bound = Duration::from_millis(FEED_LAG_DELAY_MS);
        let at_most = match self {
            Self::Refuse => ANSWER_DELAY_MAX,
            Self::Wait => IMPORT_WAIT_MAX,
        };
        if service.indexing.lag(index) < bound {
            return Ok(());
        }
        let lag = service
            .indexing
            .wait_until_lag_below(index, bound, at_most)
            .await;
        self.judge_after(lag)
    }

    /// A connector has its answer all the same; an import that waited in vain is told.
    fn judge_after(self, lag: Duration) -> Result<(), OperationError> {
        if self == Self::Wait && lag >= IMPORT_WAIT_MAX {
            return Err(OperationError::unavailable(format!(
                "the index stands still since {} s",
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
    fn connectors_are_refused_from_two_seconds_on_and_imports_never() {
        for (lag_ms, refused) in [(0, false), (1_999, false), (2_000, true), (60_000, true)] {
            let lag = Duration::from_millis(lag_ms);
            let judged = Pressure::Refuse.judge(lag);
            assert_eq!(judged.is_err(), refused, "{lag_ms} ms");
            if let Err(error) = judged {
                assert_eq!(error.code(), "unavailable");
            }
            assert!(Pressure::Wait.judge(lag).is_ok());
        }
    }

    #[test]
    fn an_import_is_told_when_the_index_stands_still() {
        for (lag_s, told) in [(2, false), (59, false), (60, true)] {
            let lag = Duration::from_secs(lag_s);
            assert_eq!(Pressure::Wait.judge_after(lag).is_err(), told, "{lag_s} s");
            assert!(Pressure::Refuse.judge_after(lag).is_ok());
        }
    }
}
