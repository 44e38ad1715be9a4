//! What else is wrong with a value that its schema refuses: what it holds beside the refused parts is checked on.

use super::path::Path;
use domain::Invalid;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// One refusal of a schema.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Violation {
    /// The part of the value that it concerns.
    pub at: Path,
    /// Why.
    pub reason: String,
    /// Whether what stands there can be read all the same: a number out of range, a text too long.
    pub readable: bool,
}

/// What `check` finds in `value` away from the refused parts.
///
/// Nothing when the value is no `T` without those of them that cannot be read.
pub fn mistakes<T: DeserializeOwned>(
    mut value: Value,
    refusals: &[Violation],
    check: impl FnOnce(T) -> Vec<Invalid>,
) -> Vec<Invalid> {
    for refusal in refusals.iter().filter(|refusal| !refusal.readable) {
        refusal.at.remove_from(&mut value);
    }
    let Ok(rest) = serde_json::from_value(value) else {
        return Vec::new();
    };
    let refused: Vec<String> = refusals.iter().map(|refusal| refusal.at.text("")).collect();
    let mut mistakes = check(rest);
    mistakes.retain(|mistake| !refused.iter().any(|path| touch(path, &mistake.field)));
    mistakes
}

/// Is one of the two paths the other, or a part of it?
fn touch(a: &str, b: &str) -> bool {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    long.strip_prefix(short)
        .is_some_and(|rest| short.is_empty() || rest.is_empty() || rest.starts_with(['.', '[']))
}

#[cfg(test)]
mod tests {
    //! 1. What is wrong beside the refused parts is told with them; what follows from them is not.
    //! 2. A value of which too little is left is not checked on.

    use crate::http::input::Input;
    use crate::validation::Checker;
    use domain::filter::NewFilter;
    use domain::rule::NewRule;
    use domain::search::SearchRequest;
    use domain::widget::WidgetPatch;
    use serde_json::{Value, json};

    fn fields<T: Input>(value: Value) -> Vec<String> {
        let checker: &Checker = T::checker();
        let wrong = checker.typed_and(value, "body", T::mistakes);
        let wrong = wrong.err().unwrap_or_default();
        let listed = wrong.listed().iter();
        listed.map(|invalid| invalid.field.clone()).collect()
    }

    #[test]
    fn all_that_is_wrong_comes_in_one_answer() {
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
    fn what_follows_from_a_refused_part_is_not_told() {
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
