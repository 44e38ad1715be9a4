//! The audit entry: who changed what, with the values before and after.

use crate::id::{KeyId, StoreId, UserId};
use crate::invalid::Invalid;
use crate::limits::{AUDIT_TEXT_CHARACTERS_MAX, PANEL_AUDIT_LIMIT_DEFAULT, PANEL_AUDIT_LIMIT_MAX};
use crate::message::{self, Message};
use crate::time::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Who wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Actor {
    /// Id of the key; left out for users and the command line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key_id: Option<String>,
    /// Id of the user of the control panel; left out for keys and the command line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_id: Option<String>,
    /// Name of the key or user at that time, or "command line".
    pub name: String,
}

/// One field that a write changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FieldChange {
    /// Path of the field, such as `boosts.name`.
    pub path: String,
    /// Value before; left out if there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<Value>,
    /// Value after; left out if it was removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<Value>,
}

/// The record of one write (docs/api.md, "Revisions").
#[derive(Clone, Debug, PartialEq)]
pub struct AuditEntry {
    /// Who.
    pub actor: Actor,
    /// Id of the operation, such as `update_relevance`.
    pub operation: String,
    /// The resource that was written, such as `relevance` or `store`.
    pub resource: String,
    /// One line for people.
    pub summary: Message,
    /// Fields before and after; empty when the write changed nothing.
    pub changes: Vec<FieldChange>,
    /// Id of the request; `None` for the command line.
    pub request_id: Option<String>,
}

impl AuditEntry {
    /// Returns the changes with paths below this resource.
    pub fn changes_under(&self, resource: &str) -> Vec<FieldChange> {
        let changes = self.changes.iter().map(|change| FieldChange {
            path: format!("{resource}.{}", change.path),
            ..change.clone()
        });
        changes.collect()
    }
}

/// Selects records of the audit trail.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditFilter {
    /// Only records about this store.
    pub store: Option<StoreId>,
    /// Only writes with this key.
    pub key: Option<KeyId>,
    /// Only records from this instant on.
    pub since: Option<Timestamp>,
    /// Maximum number of records, newest first.
    pub limit: u32,
}

/// Selects records of the audit trail of a store or an account.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AuditQuery {
    /// Only writes of the user with this id.
    #[serde(default)]
    #[schemars(with = "String", length(max = AUDIT_TEXT_CHARACTERS_MAX))]
    pub user: Option<String>,
    /// Only writes with the key with this id.
    #[serde(default)]
    #[schemars(with = "String", length(max = AUDIT_TEXT_CHARACTERS_MAX))]
    pub key: Option<String>,
    /// Only this operation.
    #[serde(default)]
    #[schemars(with = "String", length(max = AUDIT_TEXT_CHARACTERS_MAX))]
    pub operation: Option<String>,
    /// Only this resource; `rules` also selects `rules/<id>`.
    #[serde(default)]
    #[schemars(with = "String", length(max = AUDIT_TEXT_CHARACTERS_MAX))]
    pub resource: Option<String>,
    /// Substring of summary, resource, operation or name, ignoring the case of ASCII characters.
    #[serde(default)]
    #[schemars(with = "String", length(max = AUDIT_TEXT_CHARACTERS_MAX))]
    pub text: Option<String>,
    /// Only records from this instant on.
    #[serde(default)]
    #[schemars(with = "Timestamp")]
    pub since: Option<String>,
    /// Only records before this instant.
    #[serde(default)]
    #[schemars(with = "Timestamp")]
    pub until: Option<String>,
    /// Number of the page, from 1.
    #[serde(default)]
    #[schemars(with = "u32", range(min = 1))]
    pub page: Option<u32>,
    /// Records of a page.
    #[serde(default)]
    #[schemars(with = "u32", range(min = 1, max = PANEL_AUDIT_LIMIT_MAX))]
    pub limit: Option<u32>,
}

/// A checked [`AuditQuery`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuditSelection {
    /// The query.
    pub query: AuditQuery,
    /// Only records from this instant on.
    pub since: Option<Timestamp>,
    /// Only records before this instant.
    pub until: Option<Timestamp>,
}

impl AuditQuery {
    /// Checks the query.
    ///
    /// Errors: every invalid instant, and every text that no database can hold, by its name.
    pub fn check(self) -> Result<AuditSelection, Vec<Invalid>> {
        let mut errors = Vec::new();
        let mut instant = |name: &str, text: &Option<String>| {
            let parsed = Timestamp::parse(text.as_deref()?);
            if parsed.is_none() {
                let reason = message::time::instant();
                errors.push(Invalid::new(name, reason));
            }
            parsed
        };
        let (since, until) = (instant("since", &self.since), instant("until", &self.until));
        for (name, text) in [
            ("user", &self.user),
            ("key", &self.key),
            ("operation", &self.operation),
            ("resource", &self.resource),
            ("text", &self.text),
        ] {
            if text.as_deref().is_some_and(|text| text.contains('\0')) {
                errors.push(Invalid::new(name, message::text::nul()));
            }
        }
        if errors.is_empty() {
            Ok(AuditSelection {
                query: self,
                since,
                until,
            })
        } else {
            Err(errors)
        }
    }

    /// Returns number and size of the requested page.
    pub fn page(&self) -> (u32, u32) {
        (
            self.page.unwrap_or(1),
            self.limit.unwrap_or(PANEL_AUDIT_LIMIT_DEFAULT),
        )
    }
}

impl Actor {
    /// Returns an actor that is neither a key nor a user.
    pub fn named(name: impl Into<String>) -> Self {
        Self {
            key_id: None,
            user_id: None,
            name: name.into(),
        }
    }

    /// Returns a user.
    pub fn user(id: &UserId, name: &str) -> Self {
        Self {
            key_id: None,
            user_id: Some(id.0.clone()),
            name: name.to_owned(),
        }
    }
}

/// Returns the fields in which two JSON objects differ, sorted by path.
pub fn differences(before: &Value, after: &Value) -> Vec<FieldChange> {
    let mut changes = Vec::new();
    collect("", before, after, &mut changes);
    changes.sort_by(|a, b| a.path.cmp(&b.path));
    changes
}

fn collect(path: &str, before: &Value, after: &Value, changes: &mut Vec<FieldChange>) {
    if before == after {
        return;
    }
    if let (Value::Object(a), Value::Object(b)) = (before, after) {
        let names: std::collections::BTreeSet<&String> = a.keys().chain(b.keys()).collect();
        for name in names {
            let inner = if path.is_empty() {
                name.clone()
            } else {
                format!("{path}.{name}")
            };
            let none = Value::Null;
            collect(
                &inner,
                a.get(name).unwrap_or(&none),
                b.get(name).unwrap_or(&none),
                changes,
            );
        }
        return;
    }
    let some = |value: &Value| (!value.is_null()).then(|| value.clone());
    changes.push(FieldChange {
        path: path.to_owned(),
        before: some(before),
        after: some(after),
    });
}

#[cfg(test)]
mod tests {
    use super::differences;
    use serde_json::json;

    #[test]
    fn only_differences_are_returned_with_their_paths() {
        let changes = differences(
            &json!({"boosts": {"name": 6, "tags": 4}, "same": 1}),
            &json!({"boosts": {"name": 9}, "same": 1, "new": true}),
        );
        let paths: Vec<&str> = changes.iter().map(|c| c.path.as_str()).collect();
        assert_eq!(paths, ["boosts.name", "boosts.tags", "new"]);
        assert_eq!(changes[1].after, None);
    }
}
