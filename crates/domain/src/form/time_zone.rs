//! Names of time zones, as the IANA database has them.

use super::{bounded, text_form};
use crate::limits::TIME_ZONE_CHARACTERS_MAX;
use crate::message::{self, Message};
use crate::nearest::nearest;
use jiff::tz::{TimeZone, TimeZoneDatabase};
use std::sync::LazyLock;

/// The database that is part of the program, so that every machine knows the same zones.
static DATABASE: LazyLock<TimeZoneDatabase> = LazyLock::new(TimeZoneDatabase::bundled);

/// All names.
static NAMES: LazyLock<Vec<String>> =
    LazyLock::new(|| DATABASE.available().map(|name| name.to_string()).collect());

text_form!(
    /// IANA name of a time zone, such as `Europe/Madrid`.
    ///
    /// Shape: at most [`TIME_ZONE_CHARACTERS_MAX`] characters, written as in the database.
    TimeZoneName,
    bounded(1..=TIME_ZONE_CHARACTERS_MAX),
    check
);

impl TimeZoneName {
    /// Returns its rules.
    pub(crate) fn zone(&self) -> TimeZone {
        DATABASE.get(&self.0).unwrap_or(TimeZone::UTC)
    }
}

fn check(text: &str) -> Result<(), Message> {
    let characters = text.chars().count();
    if characters > TIME_ZONE_CHARACTERS_MAX {
        return Err(message::text::at_most(TIME_ZONE_CHARACTERS_MAX, characters));
    }
    let names = || NAMES.iter().map(String::as_str);
    if names().any(|name| name == text) {
        return Ok(());
    }
    let other_case = names().find(|name| name.eq_ignore_ascii_case(text));
    Err(match other_case.or_else(|| nearest(text, names())) {
        Some(near) => message::time::unknown_zone_near(near),
        None => message::time::unknown_zone(),
    })
}
