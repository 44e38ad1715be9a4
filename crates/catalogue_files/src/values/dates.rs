//! Dates and times of sales, in the forms in which platforms write them.

use domain::Timestamp;
use jiff::civil::{Date, DateTime, Time};
use jiff::tz::TimeZone;

/// Which of day and month stands first in `1/2/2026`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DayOrder {
    /// The day.
    DayFirst,
    /// The month.
    MonthFirst,
}

/// Which instant of a day without a time is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DayEnd {
    /// The first.
    Start,
    /// The last.
    End,
}

/// Parses a date; without an offset it is in UTC.
pub fn parse(text: &str, end: DayEnd, order: Option<DayOrder>) -> Option<Timestamp> {
    let text = text.trim();
    let (date, rest) = iso_date(text).or_else(|| slash_date(text, order?))?;
    let rest = rest.trim_start_matches(['T', 't', ' ', ',']).trim();
    if rest.is_empty() {
        let start = instant(date.to_datetime(Time::midnight()), 0)?;
        return Some(match end {
            DayEnd::Start => start,
            DayEnd::End => Timestamp(start.0 + 86_400_000 - 1),
        });
    }
    let (time, offset) = clock_time(rest)?;
    instant(date.to_datetime(time), offset)
}

/// Returns the order that a date proves.
pub fn proven_order(text: &str) -> Option<DayOrder> {
    let (first, second, _, _) = slash_parts(text.trim())?;
    match (first > 12, second > 12) {
        (true, false) => Some(DayOrder::DayFirst),
        (false, true) => Some(DayOrder::MonthFirst),
        _ => None,
    }
}

fn instant(at: DateTime, offset_seconds: i64) -> Option<Timestamp> {
    let utc = at
        .to_zoned(TimeZone::UTC)
        .ok()?
        .timestamp()
        .as_millisecond();
    Some(Timestamp(utc - offset_seconds * 1_000))
}

fn iso_date(text: &str) -> Option<(Date, &str)> {
    let head = text.get(..10)?;
    let mut parts = head.split('-');
    let year = digits(parts.next()?, 4)?;
    let month = digits(parts.next()?, 2)?;
    let day = digits(parts.next()?, 2)?;
    let date = date(year, month, day)?;
    Some((date, &text[10..]))
}

fn slash_date(text: &str, order: DayOrder) -> Option<(Date, &str)> {
    let (first, second, year, rest) = slash_parts(text)?;
    let (day, month) = match order {
        DayOrder::DayFirst => (first, second),
        DayOrder::MonthFirst => (second, first),
    };
    let year = if year < 100 { 2_000 + year } else { year };
    Some((date(year, month, day)?, rest))
}

fn slash_parts(text: &str) -> Option<(i64, i64, i64, &str)> {
    let length = text
        .bytes()
        .take_while(|byte| byte.is_ascii_digit() || matches!(byte, b'/' | b'.'))
        .count();
    let (head, rest) = text.split_at(length);
    let mut parts = head.split(['/', '.']);
    let number = |part: Option<&str>| {
        let part = part?;
        (1..=4).contains(&part.len()).then(|| part.parse().ok())?
    };
    let (first, second, year) = (
        number(parts.next())?,
        number(parts.next())?,
        number(parts.next())?,
    );
    parts
        .next()
        .is_none()
        .then_some((first, second, year, rest))
}

fn date(year: i64, month: i64, day: i64) -> Option<Date> {
    let small = |number: i64| i8::try_from(number).ok();
    Date::new(i16::try_from(year).ok()?, small(month)?, small(day)?).ok()
}

fn digits(text: &str, length: usize) -> Option<i64> {
    let is_number = text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok())?
}

/// Parses `13:05`, `13:05:09.123`, `1:05 AM`, each with an optional offset; returns the offset in seconds.
fn clock_time(text: &str) -> Option<(Time, i64)> {
    let length = text
        .bytes()
        .take_while(|byte| byte.is_ascii_digit() || matches!(byte, b':' | b'.'))
        .count();
    let (clock, rest) = text.split_at(length);
    let mut parts = clock.split(':');
    let small = |part: &str| part.parse::<i8>().ok();
    let mut hour = small(parts.next()?)?;
    let minute = small(parts.next()?)?;
    let second = match parts.next() {
        Some(seconds) => small(seconds.split('.').next()?)?,
        None => 0,
    };
    let rest = rest.trim().to_uppercase();
    let rest = match (rest.strip_prefix("AM"), rest.strip_prefix("PM")) {
        (Some(rest), _) => {
            hour %= 12;
            rest
        }
        (_, Some(rest)) => {
            hour = hour % 12 + 12;
            rest
        }
        _ => &rest,
    };
    let time = Time::new(hour, minute, second, 0).ok()?;
    Some((time, offset(rest.trim())?))
}

fn offset(text: &str) -> Option<i64> {
    if matches!(text, "" | "Z" | "UTC" | "GMT") {
        return Some(0);
    }
    let sign = match text.chars().next()? {
        '+' => 1,
        '-' => -1,
        _ => return None,
    };
    let numbers: String = text[1..].chars().filter(|c| *c != ':').collect();
    let hours = digits(numbers.get(..2)?, 2)?;
    let minutes = match &numbers[2..] {
        "" => 0,
        minutes => digits(minutes, 2)?,
    };
    Some(sign * (hours * 3_600 + minutes * 60))
}

#[cfg(test)]
mod tests {
    use super::{DayEnd, DayOrder, parse, proven_order};

    #[test]
    fn dates_of_platforms_are_read() {
        let month = Some(DayOrder::MonthFirst);
        for (text, order, expected) in [
            ("2026-02-24T11:07:31-0800", None, "2026-02-24T19:07:31Z"),
            ("2026-02-24T11:07:31.5-08:00", None, "2026-02-24T19:07:31Z"),
            ("2026-02-24T11:07Z", None, "2026-02-24T11:07:00Z"),
            ("2026-02-24 11:07:00", None, "2026-02-24T11:07:00Z"),
            ("2026-02-24", None, "2026-02-24T00:00:00Z"),
            ("2/19/18, 1:06 AM", month, "2018-02-19T01:06:00Z"),
            ("2/19/18, 12:06 PM", month, "2018-02-19T12:06:00Z"),
            (
                "19.02.2018",
                Some(DayOrder::DayFirst),
                "2018-02-19T00:00:00Z",
            ),
        ] {
            let read = parse(text, DayEnd::Start, order).map(|at| at.to_string());
            assert_eq!(read.as_deref(), Some(expected), "{text}");
        }
        let end = parse("2026-02-24", DayEnd::End, None).map(|at| at.to_string());
        assert_eq!(end.as_deref(), Some("2026-02-24T23:59:59.999Z"));
        for text in [
            "",
            "soon",
            "2026-13-01",
            "2026-02-24T25:00",
            "1/2/2026",
            "2026-02-24 at noon",
        ] {
            assert_eq!(parse(text, DayEnd::Start, None), None, "{text}");
        }
        assert_eq!(proven_order("19/2/2018"), Some(DayOrder::DayFirst));
        assert_eq!(proven_order("2/3/2018"), None);
    }
}
