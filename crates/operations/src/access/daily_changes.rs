//! How much may be changed in a store on one day: every change stays in the audit trail.

use crate::OperationError;
use crate::message;
use domain::limits::CHANGED_BYTES_PER_DAY;
use domain::{Day, Timestamp};

/// Fails until the end of the day if `bytes`, the size of all changes of the store today, exceeds the daily limit.
pub(crate) fn check_daily_changes(bytes: u64, now: Timestamp) -> Result<(), OperationError> {
    if bytes <= CHANGED_BYTES_PER_DAY {
        return Ok(());
    }
    let left_ms = Day::of(now).plus(1).start().0.abs_diff(now.0);
    Err(OperationError::TooMany {
        reason: message::rate::changed_bytes(CHANGED_BYTES_PER_DAY),
        retry_after_s: left_ms.div_ceil(1_000),
    })
}
