//! When a rule fires: its time window, and the status that follows from it and from `active`.

use super::RuleContent;
use crate::Timestamp;
use crate::invalid::Invalid;
use jiff::civil::{Date, DateTime, Time};
use jiff::tz::TimeZone;
use schemars::JsonSchema;
use serde::Serialize;

/// Whether a rule fires at some moment, and if not, why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "Status")]
pub enum RuleStatus {
    /// It fires.
    Active,
    /// It is disabled.
    Inactive,
    /// Its time window has not begun.
    Scheduled,
    /// Its time window is over.
    Expired,
}

/// Which end of a time window a date is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Start,
    Finish,
}

impl RuleContent {
    /// Returns whether it fires at `now`. Both ends of its time window are inclusive.
    pub fn status(&self, now: Timestamp) -> RuleStatus {
        if !self.active {
            RuleStatus::Inactive
        } else if self.end_date.is_some_and(|end| now > end) {
            RuleStatus::Expired
        } else if self.start_date.is_some_and(|start| now < start) {
            RuleStatus::Scheduled
        } else {
            RuleStatus::Active
        }
    }

    pub(super) fn check_window(&self, errors: &mut Vec<Invalid>) {
        if let (Some(start), Some(end)) = (self.start_date, self.end_date)
            && end < start
        {
            let reason = format!("must not be before startDate, {start}, got {end}");
            errors.push(Invalid::new("endDate", reason));
        }
    }
}

/// Parses an ISO 8601 date or time.
///
/// Shape: a time without an offset is in UTC; a date alone is its first instant at the start of a window and its last
/// millisecond at the end.
pub(super) fn instant(text: &str, end: End) -> Result<Timestamp, String> {
    let civil = |at: DateTime| {
        let zoned = at.to_zoned(TimeZone::UTC);
        // The largest instant is some hours before the end of the year 9999, which people write for "forever".
        let last = jiff::Timestamp::MAX.as_second() * 1_000;
        Timestamp(zoned.map_or(last, |zoned| zoned.timestamp().as_millisecond()))
    };
    let day = |date: Date| match end {
        End::Start => civil(date.to_datetime(Time::midnight())),
        End::Finish => civil(date.to_datetime(Time::constant(23, 59, 59, 999_000_000))),
    };
    let date_only = !text.contains(['T', 't', ' ']);
    let read = match text.parse::<Date>() {
        Ok(date) if date_only => Some(day(date)),
        _ => Timestamp::parse(text).or_else(|| {
            // A text with an offset is no civil time.
            let text = text.strip_suffix(['Z', 'z']).unwrap_or(text);
            let at = text.parse::<DateTime>().ok();
            at.filter(|_| !text.contains('[')).map(civil)
        }),
    };
    let reason = "must be an ISO 8601 time such as \"2026-11-20T15:00:00Z\" or a date such as \"2026-11-20\"";
    read.ok_or_else(|| format!("{reason}, got {text:?}"))
}
