//! `ProposedEdit`: what a proposal does to one resource, as the fields that it changes with their values before and after.
//!
//! Because the values before are kept, what was saved meanwhile is merged field by field, and what contradicts is found
//! without a history.

use crate::audit::{FieldChange, differences};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// What a proposal does to one resource. Of an updated resource it has the changed fields only.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProposedEdit {
    /// The resource, such as `relevance` or `rules/<id>`.
    pub resource: String,
    /// The values before; `None` if the resource is created.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Value>,
    /// The values after; `None` if it is deleted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Value>,
}

/// An update merged with what is saved.
#[derive(Clone, Debug, PartialEq)]
pub struct Merged {
    /// The whole content that is wanted.
    pub wanted: Value,
    /// Paths of the fields whose saved value is neither that before nor that after.
    pub conflicts: Vec<String>,
}

impl ProposedEdit {
    /// Returns what makes `wanted` of `saved`, the whole contents of a resource; `None` if they are the same.
    pub fn between(resource: &str, saved: Option<&Value>, wanted: Option<&Value>) -> Option<Self> {
        let (before, after) = match (saved, wanted) {
            (None, None) => return None,
            (Some(saved), Some(wanted)) => {
                let (before, after) = differing(saved, wanted)?;
                (Some(before), Some(after))
            }
            (saved, wanted) => (saved.cloned(), wanted.cloned()),
        };
        Some(Self {
            resource: resource.to_owned(),
            before,
            after,
        })
    }

    /// Returns the kind of its record; `None` for what there is one of.
    pub fn kind_of_record(&self) -> Option<&str> {
        self.resource.split_once('/').map(|(kind, _)| kind)
    }

    /// Returns its changed fields, each path preceded by the resource.
    pub fn changes(&self) -> Vec<FieldChange> {
        let none = json!({});
        let [before, after] = [&self.before, &self.after].map(|one| one.as_ref().unwrap_or(&none));
        let mut changes = differences(before, after);
        for change in &mut changes {
            change.path = format!("{}.{}", self.resource, change.path);
        }
        changes
    }

    /// Returns an update merged with the saved content. Fields that it does not change stay as they are saved.
    pub fn merged(&self, saved: &Value) -> Merged {
        let none = json!({});
        let [before, after] = [&self.before, &self.after].map(|one| one.as_ref().unwrap_or(&none));
        let mut conflicts = Vec::new();
        let wanted = merged(before, saved, after, "", &mut conflicts);
        Merged { wanted, conflicts }
    }
}

fn names<'a>(a: &'a Map<String, Value>, b: &'a Map<String, Value>) -> BTreeSet<&'a String> {
    a.keys().chain(b.keys()).collect()
}

/// Returns where two values differ, as values with nothing else; `null` and a missing key are the same.
fn differing(before: &Value, after: &Value) -> Option<(Value, Value)> {
    if before == after {
        return None;
    }
    let (Value::Object(a), Value::Object(b)) = (before, after) else {
        return Some((before.clone(), after.clone()));
    };
    let (mut left, mut right) = (Map::new(), Map::new());
    for name in names(a, b) {
        let [a, b] = [a, b].map(|of| of.get(name).unwrap_or(&Value::Null));
        if let Some((a, b)) = differing(a, b) {
            for (side, value) in [(&mut left, a), (&mut right, b)] {
                if !value.is_null() {
                    side.insert(name.clone(), value);
                }
            }
        }
    }
    let differ = !(left.is_empty() && right.is_empty());
    differ.then_some((Value::Object(left), Value::Object(right)))
}

fn merged(
    before: &Value,
    saved: &Value,
    after: &Value,
    path: &str,
    conflicts: &mut Vec<String>,
) -> Value {
    if let (Value::Object(b), Value::Object(a), Value::Object(s)) = (before, after, saved) {
        let mut wanted = s.clone();
        for name in names(b, a) {
            let path = match path {
                "" => name.clone(),
                path => format!("{path}.{name}"),
            };
            let [b, s, a] = [b, s, a].map(|of| of.get(name).unwrap_or(&Value::Null));
            match merged(b, s, a, &path, conflicts) {
                Value::Null => wanted.shift_remove(name),
                value => wanted.insert(name.clone(), value),
            };
        }
        return Value::Object(wanted);
    }
    if saved == before || saved == after {
        return after.clone();
    }
    conflicts.push(path.to_owned());
    saved.clone()
}

#[cfg(test)]
mod tests {
    //! 1. An update has the changed fields only, with both values; the same content is none.
    //! 2. What was saved meanwhile in other fields stays; a field with a third value is in conflict; one that is as
    //!    proposed is not.
    //! 3. Keys with dots, lists, and what is unset or was not there are fields like any other.

    use super::*;

    fn update(before: &Value, after: &Value) -> ProposedEdit {
        ProposedEdit::between("rules/r", Some(before), Some(after)).expect("a difference")
    }

    #[test]
    fn an_update_has_what_changes() {
        let (before, after) = (
            json!({"name": "a", "trigger": {"query": "x", "match": "exact"}, "gone": 1}),
            json!({"name": "a", "trigger": {"query": "y", "match": "exact"}, "new": [1]}),
        );
        let edit = update(&before, &after);
        assert_eq!(
            edit.before,
            Some(json!({"gone": 1, "trigger": {"query": "x"}}))
        );
        assert_eq!(
            edit.after,
            Some(json!({"new": [1], "trigger": {"query": "y"}}))
        );
        let paths: Vec<String> = edit.changes().into_iter().map(|one| one.path).collect();
        assert_eq!(
            paths,
            ["rules/r.gone", "rules/r.new", "rules/r.trigger.query"]
        );
        for same in [&before, &after] {
            assert_eq!(
                ProposedEdit::between("rules/r", Some(same), Some(same)),
                None
            );
        }
        let without_null = ProposedEdit::between("r", Some(&json!({"a": null})), Some(&json!({})));
        assert_eq!(without_null, None);
        assert_eq!(edit.merged(&before).wanted, after);
    }

    #[test]
    fn other_fields_stay_as_they_are_saved() {
        let before = json!({"name": "a", "priority": 5, "boosts": {"attributes.size": 2}});
        let after = json!({"name": "a", "priority": 9, "boosts": {"attributes.size": 3}});
        let edit = update(&before, &after);
        let merged = edit.merged(
            &json!({"name": "b", "priority": 5, "boosts": {"attributes.size": 3, "name": 1}}),
        );
        assert!(merged.conflicts.is_empty());
        let wanted =
            json!({"name": "b", "priority": 9, "boosts": {"attributes.size": 3, "name": 1}});
        assert_eq!(merged.wanted, wanted);
        let third = edit.merged(&json!({"name": "a", "priority": 7, "boosts": {}}));
        assert_eq!(third.conflicts, ["boosts.attributes.size", "priority"]);
    }

    #[test]
    fn what_was_not_there_is_a_field() {
        let edit = update(
            &json!({"config": {}, "label": {"es": "a"}}),
            &json!({"config": {"sort": "count"}}),
        );
        let same = edit.merged(&json!({"config": {}, "label": {"es": "a"}}));
        assert_eq!(same.wanted, json!({"config": {"sort": "count"}}));
        assert!(same.conflicts.is_empty());
        let other = edit.merged(&json!({"config": {"sort": "name"}, "label": {"es": "b"}}));
        assert_eq!(other.conflicts, ["config.sort", "label"]);
        let done = edit.merged(&json!({"config": {"sort": "count", "limit": 3}}));
        assert!(done.conflicts.is_empty());
        assert_eq!(
            done.wanted,
            json!({"config": {"sort": "count", "limit": 3}})
        );
    }
}
