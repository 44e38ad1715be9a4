//! Semantic validation of a value that violates its schema: the parts without violations are checked further.

use super::path::Path;
use domain::{Invalid, Message};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::cmp::Ordering;

/// One violation of a schema.
#[derive(Clone, Debug)]
pub struct Violation {
    /// Path of the invalid part.
    pub at: Path,
    /// The reason.
    pub reason: Message,
    /// Whether the part still has the right type: a text too long, a number at its bound.
    pub readable: bool,
    /// The bound of a number that lies beyond it, which stands for it: the number may not fit the type.
    pub bound: Option<Value>,
}

impl Violation {
    /// Returns by what violations are ordered and told apart.
    fn sort_key(&self) -> (&Path, &str, bool) {
        (&self.at, &self.reason.text, self.readable)
    }
}

impl PartialEq for Violation {
    fn eq(&self, other: &Self) -> bool {
        self.sort_key() == other.sort_key()
    }
}

impl Eq for Violation {}

impl PartialOrd for Violation {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Violation {
    fn cmp(&self, other: &Self) -> Ordering {
        self.sort_key().cmp(&other.sort_key())
    }
}

/// Returns the errors that `check` finds outside of the invalid parts of `value`.
///
/// Returns nothing if the value without its unreadable parts is not a `T`.
pub fn errors<T: DeserializeOwned>(
    mut value: Value,
    violations: &[Violation],
    check: impl FnOnce(T) -> Vec<Invalid>,
) -> Vec<Invalid> {
    for violation in violations.iter().filter(|violation| !violation.readable) {
        violation.at.remove_from(&mut value);
    }
    for violation in violations {
        if let Some(bound) = &violation.bound {
            violation.at.replace_in(&mut value, bound);
        }
    }
    let Ok(rest) = serde_json::from_value(value) else {
        return Vec::new();
    };
    let invalid: Vec<String> = violations
        .iter()
        .map(|violation| violation.at.text(""))
        .collect();
    let mut errors = check(rest);
    errors.retain(|error| !invalid.iter().any(|path| overlap(path, &error.field)));
    errors
}

/// Returns whether one of the two paths equals or contains the other.
fn overlap(a: &str, b: &str) -> bool {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    long.strip_prefix(short)
        .is_some_and(|rest| short.is_empty() || rest.is_empty() || rest.starts_with(['.', '[']))
}

#[cfg(test)]
mod tests {
    //! 1. Errors outside of the invalid parts are reported with them; their consequences are not.
    //! 2. A value of which too little is left is not checked further.

    use crate::http::input::Input;
    use crate::validation::Checker;
    use domain::filter::NewFilter;
    use domain::rule::NewRule;
    use domain::search::SearchRequest;
    use domain::widget::WidgetPatch;
    use serde_json::{Value, json};

    fn fields<T: Input>(value: Value) -> Vec<String> {
        let checker: &Checker = T::checker();
        let errors = checker.typed_and(value, "body", T::semantic_errors);
        let errors = errors.err().unwrap_or_default();
        let listed = errors.listed().iter();
        listed.map(|invalid| invalid.field.clone()).collect()
    }

    #[test]
    fn all_errors_come_in_one_response() {
        let rule = json!({
            "name": "", "type": "REDIRECT", "trigger": {"query": "[a", "match": "regex"}, "foo": 1, "priority": 1001,
            "actions": {"redirect": "//x.example"}, "startDate": "2026-02-01", "endDate": "2026-01-01"
        });
        assert_eq!(
            fields::<NewRule>(rule),
            [
                "foo",
                "name",
                "priority",
                "actions.redirect",
                "endDate",
                "trigger.query"
            ]
        );
        let widget = json!({"layout": "x", "colors": {"a": "nope"}, "features": {"minChars": 99}});
        assert_eq!(
            fields::<WidgetPatch>(widget),
            ["layout", "colors.a", "features.minChars"]
        );
        for priority in [-1.0, 1e18] {
            let rule = json!({
                "name": "", "type": "PIN", "trigger": {"query": "[a", "match": "regex"}, "actions": {"pin": ["1"]},
                "priority": priority
            });
            assert_eq!(
                fields::<NewRule>(rule),
                ["name", "priority", "trigger.query"]
            );
        }
        let search = json!({"sort": "x", "limit": 101, "filters": {"nope": ["x"], "price": {"min": 3, "max": 1}}});
        assert_eq!(
            fields::<SearchRequest>(search),
            ["limit", "sort", "filters.nope", "filters.price"]
        );
        let filter =
            json!({"field": "price", "config": {"limit": 0, "valueGroups": [{"values": ["1"]}]}});
        assert_eq!(
            fields::<NewFilter>(filter),
            ["config.limit", "config.valueGroups"]
        );
    }

    #[test]
    fn consequences_of_a_violation_are_not_reported() {
        let rule = json!({
            "name": "n", "type": "FILTER", "trigger": {"query": "a", "match": "exact"},
            "actions": {"filter": {"price": 5}}
        });
        assert_eq!(fields::<NewRule>(rule), ["actions.filter.price"]);
        let other_type = json!({
            "name": "n", "type": "filter", "trigger": {"query": "a", "match": "exact"}, "actions": {"pin": ["1"]}
        });
        assert_eq!(fields::<NewRule>(other_type), ["type"]);
        let mut many: serde_json::Map<String, Value> =
            (0..101).map(|n| (format!("k{n}"), json!(1))).collect();
        many.insert("colors".to_owned(), json!({"a": "nope"}));
        assert_eq!(fields::<WidgetPatch>(Value::Object(many)).len(), 100);
        assert_eq!(
            fields::<NewRule>(json!({"name": "n", "actions": {"redirect": "//x"}})),
            ["trigger", "type"]
        );
    }
}
