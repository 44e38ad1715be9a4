//! Edits of resources as a draft, which the functions of the single writes check and apply.

use crate::configuration::records::Record;
use crate::message;
use domain::draft::Draft;
use domain::synonym::Synonym;
use domain::{Invalid, Message};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// The kinds of records, in the order in which they apply.
pub(super) const KINDS: [&str; 3] = ["synonyms", "rules", "filters"];

/// Returns what a write sends to make `wanted` of `saved`, contents of a resource of this kind.
pub(super) fn patch(kind: &str, saved: &Value, wanted: &Value) -> Value {
    let none = Map::new();
    let [saved, wanted] = [saved, wanted].map(|of| of.as_object().unwrap_or(&none));
    let names: BTreeSet<&String> = saved.keys().chain(wanted.keys()).collect();
    let mut patch = Map::new();
    for name in names {
        let [before, after] = [saved, wanted].map(|of| of.get(name).unwrap_or(&Value::Null));
        if before == after {
            continue;
        }
        let value = match (kind, name.as_str()) {
            // These merge key by key.
            ("relevance", _) | ("widget", "features") | ("filters", "config") => {
                self::patch("", before, after)
            }
            // What is typed goes with the type of the group.
            ("synonyms", "input") if after.is_null() => continue,
            ("synonyms", "alternatives") if after.is_null() => json!([]),
            _ => after.clone(),
        };
        patch.insert(name.clone(), value);
    }
    Value::Object(patch)
}

/// A draft as it is put together of resources.
#[derive(Debug, Default)]
pub(super) struct DraftBuilder {
    draft: Map<String, Value>,
    /// Created resources of each kind, in order.
    created: [Vec<String>; 3],
    /// Deleted resources of each kind, in order.
    deleted: [Vec<String>; 3],
}

impl DraftBuilder {
    fn kind(&mut self, kind: &str) -> &mut Map<String, Value> {
        let empty = || json!({"create": [], "update": {}, "delete": []});
        let entry = self.draft.entry(kind.to_owned()).or_insert_with(empty);
        entry.as_object_mut().expect("it was made an object")
    }

    /// Makes `wanted` of `saved`, the contents of `resource`.
    pub fn add(&mut self, resource: &str, saved: Option<&Value>, wanted: Option<&Value>) {
        let Some((kind, id)) = resource.split_once('/') else {
            if let (Some(saved), Some(wanted)) = (saved, wanted) {
                let patch = patch(resource, saved, wanted);
                self.draft.insert(resource.to_owned(), patch);
            }
            return;
        };
        let Some(at) = KINDS.iter().position(|known| *known == kind) else {
            return;
        };
        match (saved, wanted) {
            (None, Some(wanted)) => {
                self.created[at].push(resource.to_owned());
                let mut created = wanted.clone();
                // A new group is in effect, so its creation does not say so.
                if let (Synonym::RESOURCES, Value::Object(fields)) = (kind, &mut created) {
                    fields.shift_remove("active");
                }
                if let Some(Value::Array(all)) = self.kind(kind).get_mut("create") {
                    all.push(created);
                }
            }
            (Some(saved), Some(wanted)) => {
                let patch = patch(kind, saved, wanted);
                if let Some(Value::Object(all)) = self.kind(kind).get_mut("update") {
                    all.insert(id.to_owned(), patch);
                }
            }
            (Some(_), None) => {
                self.deleted[at].push(resource.to_owned());
                if let Some(Value::Array(all)) = self.kind(kind).get_mut("delete") {
                    all.push(json!(id));
                }
            }
            (None, None) => {}
        }
    }

    /// Replaces the boosts of the draft by a whole map, as writes over REST have them.
    pub fn set_boosts(&mut self, boosts: Value) {
        if let Some(Value::Object(relevance)) = self.draft.get_mut("relevance")
            && relevance.contains_key("boosts")
        {
            relevance.insert("boosts".to_owned(), boosts);
        }
    }

    /// Returns the draft as JSON.
    pub fn to_json(&self) -> Value {
        Value::Object(self.draft.clone())
    }

    /// Returns the draft.
    ///
    /// Errors: the reason why today's types do not accept it.
    pub fn typed(&self) -> Result<Draft, Message> {
        let typed = serde_json::from_value(self.to_json());
        typed.map_err(|error: serde_json::Error| message::value::of_library(error.to_string()))
    }

    /// Returns the created resources of a kind, in the order of the draft.
    pub fn created(&self) -> impl Iterator<Item = (&'static str, &[String])> {
        KINDS
            .into_iter()
            .zip(self.created.iter().map(Vec::as_slice))
    }

    /// Returns the resource that a path of the draft is in.
    pub fn resource_at(&self, path: &str) -> String {
        let rest = path.strip_prefix("draft.").unwrap_or(path);
        let (kind, rest) = rest.split_once('.').unwrap_or((rest, ""));
        let Some(at) = KINDS.iter().position(|known| *known == kind) else {
            return kind.to_owned();
        };
        let numbered = |list: &str, of: &[String]| -> Option<String> {
            let rest = rest.strip_prefix(list)?.strip_prefix('[')?;
            let (number, _) = rest.split_once(']')?;
            of.get(number.parse::<usize>().ok()?).cloned()
        };
        if let Some(rest) = rest.strip_prefix("update.") {
            let id = rest.split('.').next().unwrap_or_default();
            return format!("{kind}/{id}");
        }
        numbered("create", &self.created[at])
            .or_else(|| numbered("delete", &self.deleted[at]))
            .unwrap_or_else(|| kind.to_owned())
    }

    /// Returns the resource and the reason of an invalid value.
    pub fn located(&self, wrong: &Invalid) -> (String, Message) {
        (self.resource_at(&wrong.field), wrong.message())
    }
}

#[cfg(test)]
mod tests {
    //! 1. What is created, updated and deleted stands in the draft as a write sends it, and is found by its path.
    //! 2. Maps that merge have the changed keys, others the whole value; what is unset is null.

    use super::*;

    #[test]
    fn resources_make_a_draft() {
        let mut draft = DraftBuilder::default();
        let group =
            json!({"language": "es", "type": "BIDIRECTIONAL", "terms": ["a", "b"], "active": true});
        draft.add("synonyms/draft:0", None, Some(&group));
        let with = json!({"input": "x", "type": "UNIDIRECTIONAL", "alternatives": ["typos"]});
        draft.add(
            "synonyms/s1",
            Some(&with),
            Some(&json!({"type": "BIDIRECTIONAL"})),
        );
        draft.add("rules/r1", Some(&json!({"name": "a"})), None);
        draft.add(
            "relevance",
            Some(&json!({"boosts": {"name": 1, "tags": 2}, "searchSettings": {"fuzziness": 1}})),
            Some(&json!({"boosts": {"name": 3, "tags": 2}, "searchSettings": {"fuzziness": 1}})),
        );
        let json = draft.to_json();
        assert_eq!(json["relevance"], json!({"boosts": {"name": 3}}));
        let sent = json!({"language": "es", "type": "BIDIRECTIONAL", "terms": ["a", "b"]});
        assert_eq!(json["synonyms"]["create"], json!([sent]));
        let patch = json!({"type": "BIDIRECTIONAL", "alternatives": []});
        assert_eq!(json["synonyms"]["update"], json!({"s1": patch}));
        assert_eq!(json["rules"]["delete"], json!(["r1"]));
        for (path, resource) in [
            ("draft.synonyms.create[0].terms[1]", "synonyms/draft:0"),
            ("draft.rules.delete[0]", "rules/r1"),
            ("draft.synonyms.update.s1.terms", "synonyms/s1"),
            ("draft.relevance.boosts.name", "relevance"),
        ] {
            assert_eq!(draft.resource_at(path), resource);
        }
        assert!(draft.typed().is_ok(), "{:?}", draft.typed());
    }

    #[test]
    fn patches_have_what_changes() {
        let saved = json!({"config": {"sort": "count", "limit": 3}, "label": {"es": "a"}});
        let wanted = json!({"config": {"limit": 3, "hideEmpty": true}});
        let expected = json!({"config": {"hideEmpty": true, "sort": null}, "label": null});
        assert_eq!(patch("filters", &saved, &wanted), expected);
        let (saved, wanted) = (
            json!({"trigger": {"query": "a"}}),
            json!({"trigger": {"query": "b"}}),
        );
        assert_eq!(patch("rules", &saved, &wanted), wanted);
    }
}
