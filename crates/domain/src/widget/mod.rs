//! The search widget's configuration: appearance, features and texts, and how updates apply.

mod colour;
pub mod custom_code;
mod default_search;
mod features;
mod published_schema;
mod style;
mod translations;

pub use features::{DISPLAY_MODES, switches};

use crate::clearable::Clearable;
use crate::first_characters;
use crate::invalid::Invalid;
use crate::limits::{WIDGET_KEYS_MAX, WIDGET_MAP_BYTES_MAX, WIDGET_NAME_CHARACTERS_MAX};
use crate::message::{self, Message};
use crate::search::Sort;
use crate::{Language, PageLanguage};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// How results are laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Layout {
    /// Side by side.
    #[default]
    Grid,
    /// One below the other.
    List,
}

/// Query of `GET /widget/config`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "WidgetConfigQuery")]
pub struct ConfigQuery {
    /// Language of the page; the store's default if left out. A store need not have it.
    #[serde(default)]
    #[schemars(with = "PageLanguage")]
    pub lang: Option<PageLanguage>,
}

/// Texts of the widget by language and key.
pub type Translations = BTreeMap<Language, BTreeMap<String, String>>;

/// The saved values of a widget: only those that differ from the defaults.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[expect(missing_docs, reason = "the view describes each of them")]
pub struct SavedWidget {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub theme: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layout: Option<Layout>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub colors: Option<Map<String, Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub typography: Option<Map<String, Value>>,
    pub features: Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default_search: Option<Map<String, Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub translations: Option<Translations>,
}

/// What pages of the shop get of the widget's effective configuration as it stands.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WidgetDesign {
    /// Name of its theme.
    pub theme: String,
    /// How results are laid out.
    pub layout: Layout,
    /// Where it opens.
    pub position: String,
    /// Its colours by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub colors: Option<Map<String, Value>>,
    /// Its fonts and sizes by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub typography: Option<Map<String, Value>>,
    /// Its features, on or off or with a value.
    pub features: Map<String, Value>,
    /// What it shows before anything is typed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default_search: Option<Map<String, Value>>,
}

/// The widget's effective configuration: the defaults with the saved values applied.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Widget {
    /// How it looks and what it does.
    #[serde(flatten)]
    pub design: WidgetDesign,
    /// Its texts by language and key.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "BTreeMap<String, BTreeMap<String, String>>")]
    pub translations: Option<Translations>,
}

/// Request of `PUT …/widget`; what is left out stays.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WidgetPatch {
    /// Name of its theme.
    #[serde(default)]
    #[schemars(with = "String", length(min = 1, max = WIDGET_NAME_CHARACTERS_MAX), extend("x-published" = published_schema::name()))]
    pub theme: Option<String>,
    /// How results are laid out.
    #[serde(default)]
    #[schemars(with = "Layout")]
    pub layout: Option<Layout>,
    /// Where it opens.
    #[serde(default)]
    #[schemars(with = "String", length(min = 1, max = WIDGET_NAME_CHARACTERS_MAX), extend("x-published" = published_schema::name()))]
    pub position: Option<String>,
    /// All colours by name, replacing the current ones; null unsets them.
    #[serde(default)]
    #[schemars(extend("x-published" = published_schema::colors()))]
    pub colors: Clearable<Map<String, Value>>,
    /// All fonts and sizes by name, replacing the current ones; null unsets them.
    #[serde(default)]
    #[schemars(extend("x-published" = published_schema::typography()))]
    pub typography: Clearable<Map<String, Value>>,
    /// Features, merged with the current ones.
    #[serde(default)]
    #[schemars(with = "Map<String, Value>", extend("x-published" = published_schema::features()))]
    pub features: Option<Map<String, Value>>,
    /// What it shows before anything is typed, replacing the current value; null unsets it.
    #[serde(default)]
    #[schemars(extend("x-published" = published_schema::default_search()))]
    pub default_search: Clearable<Map<String, Value>>,
    /// All texts by language and key, replacing the current ones; null unsets them.
    #[serde(default)]
    #[schemars(extend("x-published" = published_schema::translations()))]
    pub translations: Clearable<BTreeMap<String, BTreeMap<String, String>>>,
}

const THEME: &str = "light";
const POSITION: &str = "top";

impl Widget {
    /// Returns the orders that shoppers are offered, in this order.
    pub fn sorts(&self) -> Vec<Sort> {
        features::sorts(&self.design.features)
    }

    /// Returns whether filters are shown.
    pub fn shows_filters(&self) -> bool {
        features::is_on(&self.design.features, "filters")
    }
}

impl WidgetPatch {
    /// Returns the change with colours, typography and texts merged with those of `before`, key by key.
    #[must_use]
    pub fn merged_over(self, before: &SavedWidget) -> Self {
        let translations = match self.translations {
            Clearable::Set(texts) => {
                let present = before.translations.iter().flatten();
                let mut merged: BTreeMap<String, BTreeMap<String, String>> = present
                    .map(|(language, texts)| (language.to_string(), texts.clone()))
                    .collect();
                for (language, texts) in texts {
                    merged.entry(language).or_default().extend(texts);
                }
                Clearable::Set(merged)
            }
            other => other,
        };
        Self {
            colors: merged(self.colors, before.colors.as_ref()),
            typography: merged(self.typography, before.typography.as_ref()),
            translations,
            ..self
        }
    }
}

fn merged(
    change: Clearable<Map<String, Value>>,
    before: Option<&Map<String, Value>>,
) -> Clearable<Map<String, Value>> {
    match (change, before) {
        (Clearable::Set(entries), Some(before)) => {
            let mut merged = before.clone();
            merged.extend(entries);
            Clearable::Set(merged)
        }
        (change, _) => change,
    }
}

impl SavedWidget {
    /// Returns the effective configuration. A saved value of a known name that does not fit counts as the default.
    pub fn effective(&self) -> Widget {
        let saved = self.clone();
        Widget {
            design: WidgetDesign {
                theme: saved.theme.unwrap_or_else(|| THEME.to_owned()),
                layout: saved.layout.unwrap_or_default(),
                position: saved.position.unwrap_or_else(|| POSITION.to_owned()),
                colors: saved.colors.filter(is_small),
                typography: saved.typography.filter(is_small),
                features: features::effective(saved.features),
                default_search: saved.default_search.filter(default_search::fits),
            },
            translations: saved.translations,
        }
    }

    /// Returns the saved values with `change` applied.
    ///
    /// Errors: every invalid value of the change, by its path.
    pub fn apply(&self, change: WidgetPatch) -> Result<Self, Vec<Invalid>> {
        let mut errors = Vec::new();
        let mut next = self.clone();
        for (path, value) in [("theme", &change.theme), ("position", &change.position)] {
            if let Some(Err(reason)) = value.as_deref().map(style::check_name) {
                errors.push(Invalid::new(path, reason));
            }
        }
        let differs = |value: String, usual: &str| Some(value).filter(|value| value != usual);
        if let Some(theme) = change.theme {
            next.theme = differs(theme, THEME);
        }
        if let Some(position) = change.position {
            next.position = differs(position, POSITION);
        }
        if let Some(layout) = change.layout {
            next.layout = Some(layout).filter(|layout| *layout != Layout::default());
        }
        check_each("colors", &change.colors, &mut errors, colour::check);
        next.colors = change.colors.over(next.colors);
        check_each("typography", &change.typography, &mut errors, style::check);
        next.typography = change.typography.over(next.typography);
        next.merge_features(change.features.unwrap_or_default(), &mut errors);
        match change.default_search.try_map(default_search::checked) {
            Ok(search) => next.default_search = search.over(next.default_search),
            Err(reasons) => errors.extend(reasons),
        }
        match change.translations.try_map(translations::checked) {
            Ok(texts) => next.translations = texts.over(next.translations),
            Err(reasons) => errors.extend(reasons),
        }
        if errors.is_empty() {
            Ok(next)
        } else {
            Err(errors)
        }
    }

    fn merge_features(&mut self, switches: Map<String, Value>, errors: &mut Vec<Invalid>) {
        let defaults = features::defaults();
        for (name, value) in switches {
            match features::checked(&name, value) {
                Ok(value) if defaults.get(&name) == Some(&value) => {
                    self.features.remove(&name);
                }
                Ok(value) => {
                    self.features.insert(name, value);
                }
                Err(reason) => errors.push(Invalid::new(format!("features.{name}"), reason)),
            }
        }
        let count = self.features.len();
        if count > WIDGET_KEYS_MAX {
            let reason = message::list::fields_at_most(WIDGET_KEYS_MAX, count);
            errors.push(Invalid::new("features", reason));
        } else if !is_small(&self.features) {
            errors.push(Invalid::new("features", too_many_bytes()));
        }
    }
}

/// Checks every entry of a map of free keys.
fn check_each(
    path: &str,
    change: &Clearable<Map<String, Value>>,
    errors: &mut Vec<Invalid>,
    check: impl Fn(&Value) -> Result<(), Message>,
) {
    let Clearable::Set(entries) = change else {
        return;
    };
    let count = entries.len();
    if count > WIDGET_KEYS_MAX {
        let reason = message::list::fields_at_most(WIDGET_KEYS_MAX, count);
        errors.push(Invalid::new(path, reason));
        return;
    }
    if !is_small(entries) {
        errors.push(Invalid::new(path, too_many_bytes()));
    }
    for (key, value) in entries {
        if let Err(reason) = style::check_key(key).and_then(|()| check(value)) {
            let key = first_characters(key, WIDGET_NAME_CHARACTERS_MAX);
            errors.push(Invalid::new(format!("{path}.{key}"), reason));
        }
    }
}

/// Returns whether a map of free keys has at most [`WIDGET_MAP_BYTES_MAX`] bytes.
fn is_small(entries: &Map<String, Value>) -> bool {
    json!(entries).to_string().len() <= WIDGET_MAP_BYTES_MAX
}

fn too_many_bytes() -> Message {
    message::text::bytes_up_to(WIDGET_MAP_BYTES_MAX)
}

#[cfg(test)]
mod tests;
