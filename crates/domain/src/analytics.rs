//! Requests for the statistics of searches (docs/api.md, "Analytics"), and the owner's list of hidden queries.

use crate::day::Day;
use crate::form::label_pattern;
use crate::invalid::Invalid;
use crate::limits::{
    ANALYTICS_DAYS_DEFAULT, ANALYTICS_DAYS_MAX, ANALYTICS_PAGE_DEFAULT, ANALYTICS_PAGE_MAX,
    HIDDEN_QUERIES_MAX, HIDDEN_QUERY_CHARACTERS_MAX, LANGUAGE_CHARACTERS_MAX,
    LANGUAGE_CHARACTERS_MIN, SEARCH_DEPTH_MAX,
};
use crate::message::{self, Message, MessageValue};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Where a shopper searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Surface {
    /// Suggestions while typing.
    Suggest,
    /// The search itself.
    Search,
}

impl Surface {
    /// All surfaces.
    pub const ALL: [Self; 2] = [Self::Suggest, Self::Search];

    /// Returns the name in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Suggest => "suggest",
            Self::Search => "search",
        }
    }
}

/// Which queries are listed, and in which order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum QueryListKind {
    /// The most searched ones.
    #[default]
    Top,
    /// Those that found no product without filters, most often without first.
    WithoutResults,
    /// Those that found products in 5 or more searches of sessions, none of which led to a click.
    WithoutClicks,
}

/// Query parameters of `GET …/analytics/queries`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct QueryListRequest {
    /// Which queries, and in which order.
    #[serde(default)]
    pub kind: QueryListKind,
    /// First day, UTC; 29 days before the last one if left out.
    #[serde(default)]
    #[schemars(with = "Day")]
    pub from: Option<String>,
    /// Last day, UTC; today if left out.
    #[serde(default)]
    #[schemars(with = "Day")]
    pub to: Option<String>,
    /// Only queries in this language of the store.
    #[serde(default)]
    #[schemars(with = "String", length(min = LANGUAGE_CHARACTERS_MIN, max = LANGUAGE_CHARACTERS_MAX))]
    pub lang: Option<String>,
    /// Page, from 1.
    #[serde(default)]
    #[schemars(with = "u32", range(min = 1, max = SEARCH_DEPTH_MAX))]
    pub page: Option<u32>,
    /// Queries of a page, 1 to 100; 20 if left out.
    #[serde(default)]
    #[schemars(with = "u32", range(min = 1, max = ANALYTICS_PAGE_MAX))]
    pub limit: Option<u32>,
}

/// Query parameters of `GET …/analytics/summary`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SearchSummaryRequest {
    /// First day, UTC; 29 days before the last one if left out.
    #[serde(default)]
    #[schemars(with = "Day")]
    pub from: Option<String>,
    /// Last day, UTC; today if left out.
    #[serde(default)]
    #[schemars(with = "Day")]
    pub to: Option<String>,
    /// Only searches in this language of the store.
    #[serde(default)]
    #[schemars(with = "String", length(min = LANGUAGE_CHARACTERS_MIN, max = LANGUAGE_CHARACTERS_MAX))]
    pub lang: Option<String>,
}

/// A range of days, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DayRange {
    /// First day.
    pub from: Day,
    /// Last day, not before the first one.
    pub to: Day,
}

impl DayRange {
    /// Returns the requested range, by default the 30 days up to today.
    ///
    /// Errors: text that is no day, a range that ends before it starts, has over 366 days, or a day to come.
    pub fn new(from: Option<&str>, to: Option<&str>, today: Day) -> Result<Self, Vec<Invalid>> {
        let mut errors = Vec::new();
        let mut parsed = |name: &str, text: Option<&str>| {
            let day = text.and_then(Day::parse);
            if let (Some(text), None) = (text, day) {
                let got = format!("\"{text}\"");
                let reason = message::value::must_be_got(message::expected::day(), got);
                errors.push(Invalid::new(name, reason));
            }
            day
        };
        let (from, to) = (parsed("from", from), parsed("to", to));
        if !errors.is_empty() {
            return Err(errors);
        }
        let last = to.unwrap_or(today);
        let first = from.unwrap_or(last.plus(1 - ANALYTICS_DAYS_DEFAULT));
        let days = last.0.saturating_sub(first.0).saturating_add(1);
        for (name, day) in [("from", first), ("to", last)] {
            if day > today {
                errors.push(Invalid::new(
                    name,
                    message::time::after_today(MessageValue::of(today), MessageValue::of(day)),
                ));
            }
        }
        if errors.is_empty() && days < 1 {
            errors.push(Invalid::new(
                "from",
                message::time::after_to(MessageValue::of(last), MessageValue::of(first)),
            ));
        }
        if days > ANALYTICS_DAYS_MAX {
            let reason = message::time::days_at_most(ANALYTICS_DAYS_MAX, days);
            errors.push(Invalid::new("from", reason));
        }
        if errors.is_empty() {
            Ok(Self {
                from: first,
                to: last,
            })
        } else {
            Err(errors)
        }
    }

    /// Returns its days, the first one first.
    pub fn days(self) -> impl Iterator<Item = Day> {
        (self.from.0..=self.to.0).map(Day)
    }
}

impl QueryListRequest {
    /// Returns number and size of the page.
    ///
    /// Errors: values out of range, and pages that reach beyond the first 10,000 queries.
    pub fn page(&self) -> Result<(u32, u32), Vec<Invalid>> {
        let (page, limit) = (
            self.page.unwrap_or(1),
            self.limit.unwrap_or(ANALYTICS_PAGE_DEFAULT),
        );
        let mut errors = Vec::new();
        if !(1..=ANALYTICS_PAGE_MAX).contains(&limit) {
            let reason = message::number::between(1, ANALYTICS_PAGE_MAX, limit);
            errors.push(Invalid::new("limit", reason));
        }
        let reach = u64::from(page) * u64::from(limit);
        if page == 0 {
            errors.push(Invalid::new("page", message::number::at_least(1, 0)));
        } else if errors.is_empty() && reach > u64::from(SEARCH_DEPTH_MAX) {
            let reason = message::number::reach(SEARCH_DEPTH_MAX, reach);
            errors.push(Invalid::new("page", reason));
        }
        if errors.is_empty() {
            Ok((page, limit))
        } else {
            Err(errors)
        }
    }
}

/// The queries that a store never suggests.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HiddenQueries {
    /// Texts, compared without regard to case, accents and repeated spaces.
    #[schemars(length(max = HIDDEN_QUERIES_MAX), extend("x-published" = published_queries()))]
    pub queries: Vec<String>,
}

/// Returns the keywords of distinct texts of a bounded length, not blank and without control characters.
fn published_queries() -> Value {
    json!({
        "items": {"pattern": label_pattern(), "type": "string", "maxLength": HIDDEN_QUERY_CHARACTERS_MAX},
        "uniqueItems": true
    })
}

impl HiddenQueries {
    /// Checks the list and trims its texts.
    ///
    /// Errors: every invalid text, by its path.
    pub fn check(self) -> Result<Self, Vec<Invalid>> {
        let count = self.queries.len();
        if count > HIDDEN_QUERIES_MAX {
            let reason = message::list::texts_at_most(HIDDEN_QUERIES_MAX, count);
            return Err(vec![Invalid::new("queries", reason)]);
        }
        let mut errors = Vec::new();
        let mut queries = Vec::with_capacity(count);
        for (at, text) in self.queries.iter().enumerate() {
            let text = text.trim();
            let characters = text.chars().count();
            let wrong = |reason: Message| Invalid::new(format!("queries[{at}]"), reason);
            if !(1..=HIDDEN_QUERY_CHARACTERS_MAX).contains(&characters) {
                errors.push(wrong(message::text::between(
                    1,
                    HIDDEN_QUERY_CHARACTERS_MAX,
                    characters,
                )));
            } else if text.chars().any(char::is_control) {
                errors.push(wrong(message::text::any_control()));
            } else if queries.iter().any(|known| known == text) {
                errors.push(wrong(message::value::given_twice()));
            } else {
                queries.push(text.to_owned());
            }
        }
        if errors.is_empty() {
            Ok(Self { queries })
        } else {
            Err(errors)
        }
    }
}

#[cfg(test)]
mod tests {
    //! 1. A range of days has defaults and limits. 2. Pages end at the 10,000th query.
    //! 3. Hidden queries are trimmed, bounded, distinct and not blank.

    use super::*;

    fn fields<T: std::fmt::Debug>(checked: Result<T, Vec<Invalid>>) -> Vec<String> {
        let errors = checked.expect_err("is invalid");
        errors.into_iter().map(|error| error.field).collect()
    }

    #[test]
    fn ranges_have_defaults_and_limits() {
        let today = Day(20_000);
        let range = |from: Option<i64>, to: Option<i64>| {
            let [from, to] = [from, to].map(|day| day.map(|day| Day(day).to_string()));
            DayRange::new(from.as_deref(), to.as_deref(), today)
        };
        let is = |from, to| {
            Ok(DayRange {
                from: Day(from),
                to: Day(to),
            })
        };
        assert_eq!(range(None, None), is(19_971, 20_000));
        assert_eq!(range(None, Some(100)), is(71, 100));
        assert_eq!(range(Some(19_635), None), is(19_635, 20_000));
        assert_eq!(fields(range(Some(19_634), None)), ["from"]);
        assert_eq!(fields(range(Some(9), Some(8))), ["from"]);
        assert_eq!(fields(range(None, Some(20_001))), ["to"]);
        assert_eq!(fields(range(Some(20_001), Some(20_002))), ["from", "to"]);
        let odd = DayRange::new(Some("2026-02-30"), Some("today"), today);
        assert_eq!(fields(odd), ["from", "to"]);
    }

    #[test]
    fn pages_end_at_the_limit() {
        let page = |page, limit| {
            let request = QueryListRequest {
                page,
                limit,
                ..QueryListRequest::default()
            };
            request.page()
        };
        assert_eq!(page(None, None), Ok((1, 20)));
        assert_eq!(page(Some(100), Some(100)), Ok((100, 100)));
        assert_eq!(fields(page(Some(101), Some(100))), ["page"]);
        assert_eq!(fields(page(Some(0), Some(101))), ["limit", "page"]);
    }

    #[test]
    fn hidden_queries_are_checked() {
        let check = |texts: &[&str]| {
            let queries = texts.iter().map(|text| (*text).to_owned()).collect();
            HiddenQueries { queries }.check()
        };
        assert_eq!(
            check(&[" tent "]).map(|hidden| hidden.queries),
            Ok(vec!["tent".to_owned()])
        );
        let long = "x".repeat(101);
        assert_eq!(
            fields(check(&["a", " ", &long, "a", "b\u{1}"])),
            ["queries[1]", "queries[2]", "queries[3]", "queries[4]"]
        );
        assert_eq!(fields(check(&vec!["x"; 201])), ["queries"]);
    }
}
