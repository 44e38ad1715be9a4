//! The search widget's configuration: appearance, features and texts, and how updates apply.

mod colour;
mod published_schema;
mod style;

use crate::Language;
use crate::clearable::Clearable;
use crate::invalid::Invalid;
use crate::limits::{
    STORE_LANGUAGES_MAX, TRANSLATION_CHARACTERS_MAX, WIDGET_BYTES_MAX, WIDGET_KEYS_MAX,
    WIDGET_MIN_CHARACTERS_MAX, WIDGET_NAME_CHARACTERS_MAX,
};
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

/// The widget's effective configuration: the defaults with the saved values applied.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Widget {
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
    pub default_search: Clearable<Map<String, Value>>,
    /// All texts by language and key, replacing the current ones; null unsets them.
    #[serde(default)]
    #[schemars(extend("x-published" = published_schema::translations()))]
    pub translations: Clearable<BTreeMap<String, BTreeMap<String, String>>>,
}

const THEME: &str = "light";
const POSITION: &str = "top";

/// Returns the known features with their defaults.
fn default_features() -> Map<String, Value> {
    let switches = json!({
        "displayMode": "overlay", "filters": true, "showBrand": true, "minChars": 2, "livePricing": false,
        "themeCards": false
    });
    match switches {
        Value::Object(switches) => switches,
        _ => unreachable!("an object was written above"),
    }
}

impl SavedWidget {
    /// Returns the effective configuration.
    pub fn effective(&self) -> Widget {
        let saved = self.clone();
        let mut features = default_features();
        features.extend(saved.features);
        Widget {
            theme: saved.theme.unwrap_or_else(|| THEME.to_owned()),
            layout: saved.layout.unwrap_or_default(),
            position: saved.position.unwrap_or_else(|| POSITION.to_owned()),
            colors: saved.colors,
            typography: saved.typography,
            features,
            default_search: saved.default_search,
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
        check_size(&change.default_search, &mut errors);
        next.default_search = change.default_search.over(next.default_search);
        match change.translations.try_map(translations) {
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
        let defaults = default_features();
        for (name, value) in switches {
            match feature(&name, value) {
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
            let reason = format!("must have at most {WIDGET_KEYS_MAX} fields, got {count}");
            errors.push(Invalid::new("features", reason));
        }
    }
}

/// Checks the value of a feature and converts it to canonical form (`3.0` becomes `3`).
fn feature(name: &str, value: Value) -> Result<Value, String> {
    style::check_key(name)?;
    match name {
        "displayMode" => match value.as_str() {
            Some("overlay" | "dropdown" | "page") => Ok(value),
            _ => Err(format!(
                "must be one of \"overlay\", \"dropdown\", \"page\", got {value}"
            )),
        },
        "minChars" => match value.as_f64() {
            Some(count)
                if count.fract() == 0.0
                    && (1.0..=f64::from(WIDGET_MIN_CHARACTERS_MAX)).contains(&count) =>
            {
                Ok(json!(count as u32))
            }
            _ => Err(format!(
                "must be a whole number between 1 and {WIDGET_MIN_CHARACTERS_MAX}, got {value}"
            )),
        },
        "filters" | "showBrand" | "livePricing" | "themeCards" if !value.is_boolean() => {
            Err(format!("must be true or false, got {value}"))
        }
        _ => match &value {
            Value::Bool(_) | Value::Number(_) => Ok(value),
            Value::String(text) => style::check_name(text).map(|()| value),
            _ => Err("must be true or false, a number or text".to_owned()),
        },
    }
}

/// Checks every entry of a map of free keys.
fn check_each(
    path: &str,
    change: &Clearable<Map<String, Value>>,
    errors: &mut Vec<Invalid>,
    check: impl Fn(&Value) -> Result<(), String>,
) {
    let Clearable::Set(entries) = change else {
        return;
    };
    let count = entries.len();
    if count > WIDGET_KEYS_MAX {
        let reason = format!("must have at most {WIDGET_KEYS_MAX} fields, got {count}");
        errors.push(Invalid::new(path, reason));
        return;
    }
    for (key, value) in entries {
        if let Err(reason) = style::check_key(key).and_then(|()| check(value)) {
            let key: String = key.chars().take(WIDGET_NAME_CHARACTERS_MAX).collect();
            errors.push(Invalid::new(format!("{path}.{key}"), reason));
        }
    }
}

fn check_size(change: &Clearable<Map<String, Value>>, errors: &mut Vec<Invalid>) {
    if let Clearable::Set(entries) = change {
        let bytes = json!(entries).to_string().len();
        if bytes > WIDGET_BYTES_MAX {
            let reason = format!("must have at most {WIDGET_BYTES_MAX} bytes, got {bytes}");
            errors.push(Invalid::new("defaultSearch", reason));
        }
    }
}

/// Checks translated texts, their languages and keys.
fn translations(
    asked: BTreeMap<String, BTreeMap<String, String>>,
) -> Result<Translations, Vec<Invalid>> {
    let mut errors = Vec::new();
    let mut reject = |path: String, reason: String| {
        errors.push(Invalid::new(format!("translations{path}"), reason));
    };
    if asked.len() > STORE_LANGUAGES_MAX {
        let got = asked.len();
        let reason = format!("must have at most {STORE_LANGUAGES_MAX} languages, got {got}");
        reject(String::new(), reason);
    }
    let mut checked = Translations::new();
    for (code, texts) in asked {
        if texts.len() > WIDGET_KEYS_MAX {
            let got = texts.len();
            let reason = format!("must have at most {WIDGET_KEYS_MAX} fields, got {got}");
            reject(format!(".{code}"), reason);
        }
        for (key, text) in &texts {
            let characters = text.chars().count();
            let valid = match characters > TRANSLATION_CHARACTERS_MAX {
                true => Err(format!(
                    "must have at most {TRANSLATION_CHARACTERS_MAX} characters, got {characters}"
                )),
                false => style::check_key(key),
            };
            if let Err(reason) = valid {
                reject(format!(".{code}.{key}"), reason);
            }
        }
        match Language::parse(&code) {
            Ok(language) => {
                checked.insert(language, texts);
            }
            Err(reason) => reject(format!(".{code}"), reason),
        }
    }
    if errors.is_empty() {
        Ok(checked)
    } else {
        Err(errors)
    }
}

#[cfg(test)]
mod tests;
