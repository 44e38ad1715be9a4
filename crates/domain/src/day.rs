//! `Day`: a calendar day in UTC, as statistics count it.

use crate::message;
use crate::time::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A day in UTC: the number of days since 1970. In JSON it is text such as `2026-11-20`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, JsonSchema)]
#[schemars(
    with = "String",
    extend("format" = "date"),
    extend("pattern" = Day::PATTERN),
    extend("x-expected" = message::expected::day().text)
)]
pub struct Day(pub i64);

impl Day {
    /// Milliseconds of a day.
    pub const MS: i64 = 86_400_000;

    /// The pattern of days as text, which the calendar narrows further.
    pub const PATTERN: &str = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$";

    /// Returns the day of `at`.
    pub fn of(at: Timestamp) -> Self {
        Self(at.0.div_euclid(Self::MS))
    }

    /// Returns the first instant of the day.
    pub fn start(self) -> Timestamp {
        Timestamp(self.0.saturating_mul(Self::MS))
    }

    /// Returns the day `days` later (or earlier if negative).
    #[must_use]
    pub fn plus(self, days: i64) -> Self {
        Self(self.0.saturating_add(days))
    }

    /// Parses text such as `2026-11-20`.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = |part: &str, count: usize| {
            part.len() == count && part.bytes().all(|byte| byte.is_ascii_digit())
        };
        let mut parts = text.split('-');
        let lengths = [4, 2, 2];
        let shaped = lengths
            .iter()
            .all(|count| parts.next().is_some_and(|part| digits(part, *count)))
            && parts.next().is_none();
        let date = text.parse::<jiff::civil::Date>().ok().filter(|_| shaped)?;
        let start = date.to_zoned(jiff::tz::TimeZone::UTC).ok()?;
        Some(Self::of(Timestamp(start.timestamp().as_millisecond())))
    }
}

impl std::fmt::Display for Day {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match jiff::Timestamp::from_millisecond(self.start().0) {
            Ok(start) => write!(f, "{}", start.to_zoned(jiff::tz::TimeZone::UTC).date()),
            Err(_) => write!(f, "day {}", self.0),
        }
    }
}

impl Serialize for Day {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Day {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text)
            .ok_or_else(|| serde::de::Error::custom("must be a day such as 2026-11-20"))
    }
}

#[cfg(test)]
mod tests {
    //! 1. Text and number of a day convert into each other; other forms and days that do not exist are rejected.

    use super::*;

    #[test]
    fn days_are_parsed_and_written() {
        for (text, days) in [
            ("1970-01-01", 0),
            ("1970-02-01", 31),
            ("2026-11-23", 20_780),
        ] {
            assert_eq!(Day::parse(text), Some(Day(days)));
            assert_eq!(Day(days).to_string(), text);
        }
        for bad in [
            "",
            "2026-02-30",
            "2026-13-01",
            "26-11-23",
            "2026-1-1",
            "20261123",
            "2026-11-23T00:00:00Z",
            "2026-11-23-",
            "+2026-11-23",
            "2026-11-٢٣",
        ] {
            assert_eq!(Day::parse(bad), None, "{bad}");
        }
        assert_eq!(Day::of(Timestamp(Day::MS * 3 - 1)), Day(2));
        assert_eq!(Day::of(Timestamp(-1)), Day(-1));
        assert_eq!(Day(3).plus(-1).start(), Timestamp(Day::MS * 2));
    }
}
