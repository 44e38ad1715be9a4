//! The relevance configuration of a store: saved overrides, effective values, and changes.

mod advice;
pub mod field;
pub mod setting;
mod setting_values;

pub use advice::{Advice, SubstringIndexing, advice};
pub use setting::SearchSettings;
pub use setting_values::{Fuzziness, Percent, ReferenceMode};

use crate::invalid::Invalid;
use crate::limits::BOOST_MAX;
use crate::message::{self, Message};
use crate::nearest::nearest;
use field::{FIELD_COUNT, FIELDS, FieldId};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use setting::{SETTINGS, Setting, settings_schema};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

impl Default for SearchSettings {
    fn default() -> Self {
        // Indexing reads the defaults of every document.
        static DEFAULTS: LazyLock<SearchSettings> = LazyLock::new(|| {
            serde_json::from_value(Value::Object(default_settings()))
                .expect("the defaults are settings, and a test reads each")
        });
        DEFAULTS.clone()
    }
}

/// The boost of every field, by [`FieldId`].
#[derive(Clone, Debug, PartialEq)]
pub struct Boosts([f64; FIELD_COUNT]);

impl Boosts {
    /// Returns the boost of `field`.
    pub fn get(&self, field: FieldId) -> f64 {
        self.0[field.index()]
    }

    /// Sets the boost of `field`.
    #[must_use]
    pub fn with(mut self, field: FieldId, boost: f64) -> Self {
        self.0[field.index()] = boost;
        self
    }
}

impl Default for Boosts {
    fn default() -> Self {
        Self(std::array::from_fn(|at| FIELDS[at].default_boost))
    }
}

impl Serialize for Boosts {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(
            FIELDS
                .iter()
                .zip(self.0)
                .map(|(field, boost)| (field.name, boost)),
        )
    }
}

/// The saved values of a store: only those that differ from the defaults.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Overrides {
    /// Boosts by field.
    #[schemars(schema_with = "boosts_schema")]
    pub boosts: BTreeMap<String, f64>,
    /// Settings by name, each in canonical form.
    #[schemars(schema_with = "search_settings_schema")]
    pub search_settings: Map<String, Value>,
}

impl JsonSchema for Boosts {
    fn schema_name() -> Cow<'static, str> {
        "Boosts".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        complete(boosts_schema(generator))
    }
}

impl JsonSchema for SearchSettings {
    fn schema_name() -> Cow<'static, str> {
        "SearchSettings".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        complete(search_settings_schema(generator))
    }
}

/// The effective relevance: the defaults with the saved values applied.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Relevance {
    /// Boost of every field.
    pub boosts: Boosts,
    /// Every setting.
    pub search_settings: SearchSettings,
}

impl Relevance {
    /// Returns whether substrings of names are searched, which not every index holds.
    pub fn searches_substrings(&self) -> bool {
        self.boosts.get(field::FieldId::PARTIAL) > 0.0
    }
}

/// A change of the relevance, as PUT requests and the simulator accept it.
///
/// Shape: `boosts` maps names of fields to numbers, `searchSettings` names of settings to values.
/// Source: docs/api.md, "Relevance".
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RelevanceChange {
    /// Boosts by field; in a PUT they replace the whole map.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "boosts_schema")]
    pub boosts: Option<Map<String, Value>>,
    /// Settings by name; merged key by key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "search_settings_schema")]
    pub search_settings: Option<Map<String, Value>>,
}

impl RelevanceChange {
    /// Returns whether it names any boosts or settings.
    pub fn changes_anything(&self) -> bool {
        self.boosts.is_some() || self.search_settings.is_some()
    }
}

/// How the boosts of a change are combined with the saved ones: the one difference between REST and the tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoostMerging {
    /// Fields left out revert to their defaults.
    Replace,
    /// Fields left out keep their saved values.
    Merge,
}

impl Overrides {
    /// Returns the overrides with `change` applied.
    ///
    /// Errors: every invalid value of the change, by its path.
    pub fn apply(
        &self,
        change: &RelevanceChange,
        mode: BoostMerging,
    ) -> Result<Self, Vec<Invalid>> {
        let mut errors = Vec::new();
        let mut next = self.clone();
        if let Some(boosts) = &change.boosts {
            if mode == BoostMerging::Replace {
                next.boosts.clear();
            }
            for (name, value) in boosts {
                match checked_boost(name, value) {
                    Ok((field, boost)) => next.set_boost(field, boost),
                    Err(invalid) => errors.push(invalid),
                }
            }
        }
        for (name, value) in change.search_settings.iter().flatten() {
            match checked_setting(name, value) {
                Ok(value) => next.set_setting(name, value),
                Err(invalid) => errors.push(invalid),
            }
        }
        if errors.is_empty() {
            Ok(next)
        } else {
            Err(errors)
        }
    }

    fn set_boost(&mut self, field: FieldId, boost: f64) {
        if boost == FIELDS[field.index()].default_boost {
            self.boosts.remove(field.name());
        } else {
            self.boosts.insert(field.name().to_owned(), boost);
        }
    }

    fn set_setting(&mut self, name: &str, value: Value) {
        if default_settings()
            .get(name)
            .is_some_and(|default| equal(default, &value))
        {
            self.search_settings.remove(name);
        } else {
            self.search_settings.insert(name.to_owned(), value);
        }
    }

    /// Returns the effective relevance. Saved values that the tables do not know are ignored.
    pub fn effective(&self) -> Relevance {
        let mut boosts = Boosts::default();
        for (name, boost) in &self.boosts {
            if let Some(field) = FieldId::named(name) {
                boosts = boosts.with(field, *boost);
            }
        }
        let mut settings = default_settings();
        for (name, value) in &self.search_settings {
            if let Some(known) = Setting::named(name)
                && let Ok(value) = known.check(value)
            {
                settings.insert(name.clone(), value);
            }
        }
        let search_settings = serde_json::from_value(Value::Object(settings))
            .expect("the defaults and checked values are settings");
        Relevance {
            boosts,
            search_settings,
        }
    }
}

fn checked_boost(name: &str, value: &Value) -> Result<(FieldId, f64), Invalid> {
    let path = format!("boosts.{name}");
    let Some(field) = FieldId::named(name) else {
        return Err(Invalid::new(
            path,
            unknown(name, FIELDS.iter().map(|f| f.name)),
        ));
    };
    match value.as_f64() {
        Some(boost) if (0.0..=BOOST_MAX).contains(&boost) => Ok((field, boost)),
        Some(_) => Err(Invalid::new(
            path,
            message::number::between(0, BOOST_MAX, value.to_string()),
        )),
        None => Err(Invalid::new(
            path,
            message::value::must_be_got(message::kind::number(), value.to_string()),
        )),
    }
}

fn checked_setting(name: &str, value: &Value) -> Result<Value, Invalid> {
    let path = format!("searchSettings.{name}");
    match Setting::named(name) {
        Some(setting) => setting
            .check(value)
            .map_err(|reason| Invalid::new(path, reason)),
        None => Err(Invalid::new(
            path,
            unknown(name, SETTINGS.iter().map(|s| s.name)),
        )),
    }
}

/// Returns the reason for an unknown key, with the most similar known one, or else all known ones.
pub fn unknown<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Message {
    let known: Vec<&str> = known.into_iter().collect();
    match nearest(name, known.iter().copied()) {
        Some(near) => message::value::unknown_field_near(near),
        None if known.is_empty() => message::value::unknown_field(),
        None => message::value::unknown_field_of(message::list(known)),
    }
}

fn default_settings() -> Map<String, Value> {
    let defaults = SETTINGS.iter();
    defaults
        .map(|setting| (setting.name.to_owned(), setting.default.into()))
        .collect()
}

fn equal(a: &Value, b: &Value) -> bool {
    a == b || (a.is_number() && a.as_f64() == b.as_f64())
}

fn boosts_schema(_: &mut SchemaGenerator) -> Schema {
    let properties: Map<String, Value> = FIELDS
        .iter()
        .map(|field| {
            let text = format!("Default {}.", field.default_boost);
            let schema =
                json!({"type": "number", "minimum": 0, "maximum": BOOST_MAX, "description": text});
            (field.name.to_owned(), schema)
        })
        .collect();
    json_schema!({"type": "object", "properties": properties, "additionalProperties": false})
}

fn search_settings_schema(_: &mut SchemaGenerator) -> Schema {
    Schema::try_from(settings_schema()).expect("an object is a schema")
}

/// Makes all properties of a schema required.
fn complete(mut schema: Schema) -> Schema {
    let names: Vec<String> = schema
        .get("properties")
        .and_then(Value::as_object)
        .map(|properties| properties.keys().cloned().collect())
        .unwrap_or_default();
    schema.insert("required".to_owned(), json!(names));
    schema
}

#[cfg(test)]
mod tests;
