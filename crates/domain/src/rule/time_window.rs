//! When a rule fires: its time window, and the status that follows from it and from `active`.

use super::RuleContent;
use crate::Timestamp;
use crate::form::{TimeZoneName, bounded};
use crate::invalid::Invalid;
use crate::limits::DATE_CHARACTERS_MAX;
use crate::message::{self, Message};
use jiff::SignedDuration;
use jiff::civil::{Date, DateTime, Time};
use jiff::tz::{AmbiguousOffset, TimeZone};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use std::borrow::Cow;

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
}

/// Checks that a time window does not end before it starts.
pub(super) fn check_time_window(
    start: Option<Timestamp>,
    end: Option<Timestamp>,
    errors: &mut Vec<Invalid>,
) {
    if let (Some(start), Some(end)) = (start, end)
        && end < start
    {
        let reason = message::time::before_start(start.to_string(), end.to_string());
        errors.push(Invalid::new("endDate", reason));
    }
}

/// An end of a time window as it is sent: an ISO 8601 time or date.
///
/// Shape: a time without an offset is in the zone of the rule; a date alone is its first instant at the start of a window
/// and its last millisecond at the end. At most [`DATE_CHARACTERS_MAX`] characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DateOrTime {
    Day(Date),
    Local(DateTime),
    Time(Timestamp),
}

impl DateOrTime {
    /// Parses a date or time.
    ///
    /// Errors: the reason, without the field.
    pub(super) fn parse(text: &str) -> Result<Self, Message> {
        let characters = text.chars().count();
        if characters > DATE_CHARACTERS_MAX {
            return Err(message::text::at_most(DATE_CHARACTERS_MAX, characters));
        }
        let date_only = !text.contains(['T', 't', ' ']);
        let read = match text.parse::<Date>() {
            Ok(date) if date_only => Some(Self::Day(date)),
            _ => Timestamp::parse(text)
                .map(Self::Time)
                .or_else(|| civil_time(text)),
        };
        read.ok_or_else(|| message::time::date_or_time(message::quoted(text)))
    }

    /// Returns its instant as this end of a window, without a zone in UTC.
    pub(super) fn at(self, end: End, zone: Option<&TimeZoneName>) -> Timestamp {
        let local = match (self, end) {
            (Self::Time(at), _) => return at,
            (Self::Local(at), _) => at,
            (Self::Day(date), End::Start) => date.to_datetime(Time::midnight()),
            (Self::Day(date), End::Finish) => {
                date.to_datetime(Time::constant(23, 59, 59, 999_000_000))
            }
        };
        instant(local, &zone.map_or(TimeZone::UTC, TimeZoneName::zone))
    }
}

impl JsonSchema for DateOrTime {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "DateOrTime".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        bounded(0..=DATE_CHARACTERS_MAX)
    }
}

/// Parses a time without an offset, or one in UTC beyond the range of instants.
fn civil_time(text: &str) -> Option<DateOrTime> {
    if let Some(text) = text.strip_suffix(['Z', 'z']) {
        let at = text.parse::<DateTime>().ok()?;
        return Some(DateOrTime::Time(instant(at, &TimeZone::UTC)));
    }
    let at = text.parse::<DateTime>().ok();
    at.filter(|_| !text.contains('[')).map(DateOrTime::Local)
}

/// Returns the instant of a local time: the first of two, and the end of the gap for one that clocks skip.
fn instant(at: DateTime, zone: &TimeZone) -> Timestamp {
    let local = zone.to_ambiguous_timestamp(at);
    let skipped = matches!(local.offset(), AmbiguousOffset::Gap { .. });
    let found = local.compatible().ok().map(|found| {
        let later = found.checked_add(SignedDuration::from_nanos(1));
        let gap = later.ok().filter(|_| skipped);
        let end = gap.and_then(|later| zone.preceding(later).next());
        end.map_or(found, |end| end.timestamp())
    });
    // The largest instant is some hours before the end of the year 9999, which people write for "forever".
    let last = jiff::Timestamp::MAX.as_second() * 1_000;
    Timestamp(found.map_or(last, |found| found.as_millisecond()))
}
