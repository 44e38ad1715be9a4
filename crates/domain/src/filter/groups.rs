//! Groups of values: several values of a field shown as one option with a stable key.

use super::FilterContent;
use crate::form::Label;
use crate::invalid::{Invalid, taken};
use crate::limits::{FILTER_GROUPS_MAX, FILTER_VALUES_MAX, VALUE_CHARACTERS_MAX};
use crate::message::{self, Message};
use crate::search::FilterKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashSet};

/// Path of the groups in a request.
const PATH: &str = "config.valueGroups";

/// Several values shown as one option.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ValueGroup {
    /// Id of the option, assigned by the service.
    pub key: String,
    /// Its name; that of its first value if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub label: Option<Label>,
    /// Ids of its values.
    pub values: Vec<String>,
}

/// A group as sent.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GroupInput {
    /// Name of the option; that of its first value if left out.
    #[serde(default)]
    #[schemars(with = "Label")]
    pub label: Option<String>,
    /// Ids of its values; a value may be in one group only.
    #[schemars(
        length(min = 1, max = FILTER_VALUES_MAX),
        inner(length(min = 1, max = VALUE_CHARACTERS_MAX)),
        extend("x-published" = {"uniqueItems": true})
    )]
    pub values: Vec<String>,
    /// Its key; a new group gets one.
    #[serde(default)]
    #[schemars(with = "String", length(min = 1, max = VALUE_CHARACTERS_MAX))]
    pub key: Option<String>,
}

/// How keys of groups start, which no id of a value does.
const KEY_PREFIX: &str = "group_";

impl GroupInput {
    /// Returns the group with the key that it was sent with, if the service made that key.
    pub(super) fn as_present(&self) -> Option<ValueGroup> {
        let key = self.key.clone()?;
        let rest = key.strip_prefix(KEY_PREFIX)?;
        let is_made = !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_alphanumeric());
        is_made.then(|| ValueGroup {
            key,
            label: None,
            values: self.values.clone(),
        })
    }
}

/// Assigns a key to each of the groups that replace `before`.
///
/// A group with unchanged values keeps its key, whatever was sent; one with changed values keeps the key it was sent
/// with, if that is a key of `before`; any other gets a `new_key`.
pub(super) fn with_keys(
    groups: Vec<GroupInput>,
    before: &[ValueGroup],
    new_key: &mut dyn FnMut() -> String,
    errors: &mut Vec<Invalid>,
) -> Vec<ValueGroup> {
    let set = |values: &[String]| values.iter().cloned().collect::<BTreeSet<String>>();
    let mut used: HashSet<String> = HashSet::new();
    let mut keys: Vec<Option<String>> = Vec::with_capacity(groups.len());
    for group in &groups {
        let same = before
            .iter()
            .find(|known| set(&known.values) == set(&group.values) && !used.contains(&known.key));
        used.extend(same.map(|known| known.key.clone()));
        keys.push(same.map(|known| known.key.clone()));
    }
    let keyed = groups
        .into_iter()
        .zip(keys)
        .enumerate()
        .map(|(at, (group, kept))| {
            let known = |key: &String| before.iter().any(|group| group.key == *key);
            let sent = group.key.filter(known);
            let key = kept
                .or_else(|| sent.filter(|key| used.insert(key.clone())))
                .unwrap_or_else(&mut *new_key);
            ValueGroup {
                key,
                label: taken(
                    &format!("{PATH}[{at}].label"),
                    group.label.map(Label::parse),
                    errors,
                ),
                values: group.values,
            }
        });
    keyed.collect()
}

/// Checks that the field has values to group, the size of the groups, and that no value is in two groups.
pub(super) fn check(content: &FilterContent, errors: &mut Vec<Invalid>) {
    let Some(groups) = &content.config.value_groups else {
        return;
    };
    if content.field.kind() != FilterKind::Values && !groups.is_empty() {
        let reason = message::filter::nothing_to_group(content.field.to_string());
        errors.push(Invalid::new(PATH, reason));
        return;
    }
    if groups.len() > FILTER_GROUPS_MAX {
        let got = groups.len();
        let reason = message::list::at_most(FILTER_GROUPS_MAX, got);
        errors.push(Invalid::new(PATH, reason));
        return;
    }
    let mut seen = HashSet::new();
    for (at, group) in groups.iter().enumerate() {
        let mut reject = |place: String, reason: Message| {
            errors.push(Invalid::new(format!("{PATH}[{at}].{place}"), reason));
        };
        let count = group.values.len();
        if !(1..=FILTER_VALUES_MAX).contains(&count) {
            let reason = message::list::between(1, FILTER_VALUES_MAX, count);
            reject("values".to_owned(), reason);
        }
        for (place, value) in group.values.iter().enumerate() {
            if !(1..=VALUE_CHARACTERS_MAX).contains(&value.chars().count()) {
                let reason = message::text::from_to(1, VALUE_CHARACTERS_MAX);
                reject(format!("values[{place}]"), reason);
            } else if !seen.insert(value) {
                let reason = message::filter::grouped_twice();
                reject(format!("values[{place}]"), reason);
            }
        }
    }
}
