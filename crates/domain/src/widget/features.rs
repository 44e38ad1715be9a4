//! The features that the widget knows: their names, defaults and checks. Others may have any name.

use super::{published_schema, style};
use crate::first_characters;
use crate::limits::SHOWN_CHARACTERS_MAX;
use crate::limits::WIDGET_MIN_CHARACTERS_MAX;
use crate::message::{self, Message};
use crate::search::Sort;
use serde_json::{Map, Value, json};

/// What a known feature takes, with its default.
#[derive(Clone, Copy)]
enum FeatureKind {
    Switch(bool),
    DisplayMode,
    MinChars,
    Sorts,
}

/// All known features, in the order in which they are shown.
const KNOWN: [(&str, FeatureKind); 11] = [
    ("displayMode", FeatureKind::DisplayMode),
    ("filters", FeatureKind::Switch(true)),
    ("showBrand", FeatureKind::Switch(true)),
    ("minChars", FeatureKind::MinChars),
    ("livePricing", FeatureKind::Switch(false)),
    ("themeCards", FeatureKind::Switch(false)),
    ("recentSearches", FeatureKind::Switch(true)),
    ("popularQueries", FeatureKind::Switch(true)),
    ("analytics", FeatureKind::Switch(true)),
    ("layoutSwitch", FeatureKind::Switch(false)),
    ("sorts", FeatureKind::Sorts),
];

/// Values of `displayMode`, the default one first.
pub const DISPLAY_MODES: [&str; 3] = ["overlay", "dropdown", "page"];
/// Default of `minChars`.
const MIN_CHARS_DEFAULT: u32 = 2;

impl FeatureKind {
    fn of(name: &str) -> Option<Self> {
        let found = KNOWN.iter().find(|(known, _)| *known == name);
        found.map(|(_, known)| *known)
    }

    fn default(self) -> Value {
        match self {
            Self::Switch(on) => json!(on),
            Self::DisplayMode => json!(DISPLAY_MODES[0]),
            Self::MinChars => json!(MIN_CHARS_DEFAULT),
            Self::Sorts => json!(joined(&Sort::ALL)),
        }
    }

    fn schema(self) -> Value {
        match self {
            Self::Switch(_) => json!({"type": "boolean"}),
            Self::DisplayMode => json!({"enum": DISPLAY_MODES}),
            Self::MinChars => {
                json!({"type": "integer", "minimum": 1, "maximum": WIDGET_MIN_CHARACTERS_MAX})
            }
            Self::Sorts => published_schema::sorts(),
        }
    }

    /// Checks a value and converts it to canonical form (`3.0` becomes `3`).
    fn checked(self, value: Value) -> Result<Value, Message> {
        match self {
            Self::Switch(_) if value.is_boolean() => Ok(value),
            Self::Switch(_) => Err(message::value::must_be_got(
                message::kind::flag(),
                shown(&value),
            )),
            Self::DisplayMode => match value.as_str() {
                Some(mode) if DISPLAY_MODES.contains(&mode) => Ok(value),
                _ => Err(message::value::one_of_got(
                    message::list(DISPLAY_MODES.map(message::quoted)),
                    shown(&value),
                )),
            },
            Self::MinChars => match value.as_f64() {
                Some(count)
                    if count.fract() == 0.0
                        && (1.0..=f64::from(WIDGET_MIN_CHARACTERS_MAX)).contains(&count) =>
                {
                    Ok(json!(count as u32))
                }
                _ => Err(message::number::whole_between(
                    1,
                    WIDGET_MIN_CHARACTERS_MAX,
                    shown(&value),
                )),
            },
            Self::Sorts => match &value {
                Value::String(names) => {
                    style::check_length(names)?;
                    parse_sorts(names).map(|sorts| json!(joined(&sorts)))
                }
                _ => Err(message::value::must_be_got(
                    message::kind::text(),
                    shown(&value),
                )),
            },
        }
    }
}

/// Returns the names of the known features that are on or off, in the order in which they are shown.
pub fn switches() -> impl Iterator<Item = &'static str> {
    let switches = KNOWN
        .iter()
        .filter(|(_, known)| matches!(known, FeatureKind::Switch(_)));
    switches.map(|(name, _)| *name)
}

/// Returns the schemas of the known features.
pub(super) fn schemas() -> Map<String, Value> {
    let schemas = KNOWN.map(|(name, known)| (name.to_owned(), known.schema()));
    Map::from_iter(schemas)
}

/// Returns the known features with their defaults.
pub(super) fn defaults() -> Map<String, Value> {
    let defaults = KNOWN.map(|(name, known)| (name.to_owned(), known.default()));
    Map::from_iter(defaults)
}

/// Returns the known features, with their defaults where nothing valid is saved, and the saved others.
pub(super) fn effective(saved: Map<String, Value>) -> Map<String, Value> {
    let mut features = defaults();
    for (name, value) in saved {
        if let Ok(value) = checked(&name, value) {
            features.insert(name, value);
        }
    }
    features
}

/// Checks the value of a feature and converts it to canonical form.
///
/// Errors: the reason why it is invalid.
pub(super) fn checked(name: &str, value: Value) -> Result<Value, Message> {
    style::check_key(name)?;
    if let Some(known) = FeatureKind::of(name) {
        return known.checked(value);
    }
    match &value {
        Value::Bool(_) | Value::Number(_) => Ok(value),
        Value::String(text) => style::check_name(text).map(|()| value),
        _ => Err(message::widget::feature_value()),
    }
}

/// Returns whether the switch `name` is on.
pub(super) fn is_on(features: &Map<String, Value>, name: &str) -> bool {
    features.get(name) == Some(&Value::Bool(true))
}

/// Returns the orders in `sorts` of effective features.
pub(super) fn sorts(features: &Map<String, Value>) -> Vec<Sort> {
    let names = features.get("sorts").and_then(Value::as_str);
    let parsed = parse_sorts(names.unwrap_or_default());
    parsed.unwrap_or_default()
}

/// Parses names of orders, separated by commas; without any, shoppers are offered none.
fn parse_sorts(names: &str) -> Result<Vec<Sort>, Message> {
    let mut sorts = Vec::new();
    if names.trim().is_empty() {
        return Ok(sorts);
    }
    for name in names.split(',').map(str::trim) {
        match Sort::parse(name) {
            Some(sort) if !sorts.contains(&sort) => sorts.push(sort),
            _ => {
                return Err(message::widget::sorts(
                    joined(&Sort::ALL),
                    shown(&Value::from(names)),
                ));
            }
        }
    }
    Ok(sorts)
}

fn joined(sorts: &[Sort]) -> String {
    let names: Vec<&str> = sorts.iter().map(|sort| sort.as_str()).collect();
    names.join(",")
}

/// Returns the start of a value, for an error.
fn shown(value: &Value) -> String {
    first_characters(&value.to_string(), SHOWN_CHARACTERS_MAX).to_owned()
}
