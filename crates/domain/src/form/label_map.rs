//! Names for people in several languages.

use super::{Label, label};
use crate::invalid::Invalid;
use crate::language::{LANGUAGE_PATTERN, Language};
use crate::limits::NAME_CHARACTERS_MAX;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Names by language.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct LabelMap(BTreeMap<Language, Label>);

impl LabelMap {
    /// Parses names by language code.
    ///
    /// Errors: every invalid code and name, by its path below `path`.
    pub fn parse(path: &str, names: BTreeMap<String, String>) -> Result<Self, Vec<Invalid>> {
        let mut labels = BTreeMap::new();
        let mut errors = Vec::new();
        for (code, text) in names {
            let language = Language::parse(&code);
            let at = match &language {
                Ok(language) => format!("{path}.{language}"),
                Err(_) => format!("{path}.{code}"),
            };
            match language.and_then(|language| Ok((language, Label::parse(text)?))) {
                Ok((language, label)) => {
                    labels.insert(language, label);
                }
                Err(reason) => errors.push(Invalid::new(at, reason)),
            }
        }
        if errors.is_empty() {
            Ok(Self(labels))
        } else {
            Err(errors)
        }
    }

    /// Returns the keywords that the schema of such names publishes.
    pub fn published() -> Value {
        by_language(json!({
            "pattern": label::pattern(),
            "minLength": 1,
            "maxLength": NAME_CHARACTERS_MAX,
            "type": "string"
        }))
    }

    /// Returns the names in the order of their languages.
    pub fn iter(&self) -> impl Iterator<Item = (&Language, &Label)> {
        self.0.iter()
    }

    /// Returns the name in `language`.
    pub fn get(&self, language: &Language) -> Option<&Label> {
        self.0.get(language)
    }
}

/// Returns the keywords of an object whose keys are language codes and whose values have the schema `value`.
pub fn by_language(value: Value) -> Value {
    json!({"propertyNames": {"pattern": LANGUAGE_PATTERN}, "additionalProperties": value})
}
