//! Advice on a saved relevance configuration: values above the recommended maximum, boosted fields without content.

use super::Overrides;
use super::field::FieldId;
use super::setting::SETTINGS;
use crate::limits::BOOST_RECOMMENDED_MAX;
use crate::message::{self, Message, Translatable};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

/// One piece of advice on the relevance of a store (docs/api.md, "Relevance").
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Advice {
    /// Path of the value, such as `boosts.name`.
    pub field: String,
    /// `info` or `warning`.
    pub level: &'static str,
    /// Stable code, such as `above_recommended`.
    pub code: &'static str,
    /// One sentence.
    pub text: String,
    /// Key and values of the sentence.
    pub translatable: Box<Translatable>,
}

/// Whether the indexes of a store contain the n-grams of words of names, which `name.partial` searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubstringIndexing {
    /// All indexes contain them.
    Held,
    /// Indexes are being rebuilt with them; this percentage is done.
    Building(u64),
    /// Some indexes lack them and are not being rebuilt.
    Missing,
    /// The indexes are not open yet.
    Unknown,
}

impl SubstringIndexing {
    /// Returns the advice on a boost of `name.partial` above 0.
    pub fn advice(self) -> Option<Advice> {
        let (level, text) = match self {
            Self::Held => return None,
            Self::Building(percent) => ("info", message::advice::reindexing(percent)),
            Self::Missing => ("warning", message::advice::needs_reindexing()),
            Self::Unknown => ("info", message::advice::opening()),
        };
        Some(Advice {
            field: format!("boosts.{}", FieldId::PARTIAL.name()),
            level,
            code: "reindexing",
            text: text.text,
            translatable: text.translatable,
        })
    }
}

impl Advice {
    /// Returns an advice.
    pub fn new(
        field: impl Into<String>,
        level: &'static str,
        code: &'static str,
        text: Message,
    ) -> Self {
        Self {
            field: field.into(),
            level,
            code,
            text: text.text,
            translatable: text.translatable,
        }
    }
}

/// Returns the advice on saved overrides; `filled` returns whether any document of the store has a value in a field.
///
/// A store without documents gets no advice on empty fields.
pub fn advice(
    overrides: &Overrides,
    filled: impl Fn(FieldId) -> bool,
    substrings: SubstringIndexing,
) -> Vec<Advice> {
    let relevance = overrides.effective();
    let any_document = filled(FieldId::NAME);
    let mut advice = Vec::new();
    for field in FieldId::all() {
        let boost = relevance.boosts.get(field);
        let mut add = |level, code, text: Message| {
            let path = format!("boosts.{}", field.name());
            advice.push(Advice::new(path, level, code, text));
        };
        if boost > BOOST_RECOMMENDED_MAX {
            let max = BOOST_RECOMMENDED_MAX;
            let text = message::advice::above_recommended(boost, max);
            add("warning", "above_recommended", text);
        }
        if field == FieldId::PARTIAL {
            // Every name has substrings, so the documents are never the reason.
            advice.extend(substrings.advice().filter(|_| boost > 0.0));
        } else if boost > 0.0 && any_document && !filled(field) {
            add("info", "not_filled", message::advice::empty_field());
        }
    }
    let effective = json!(relevance.search_settings);
    for setting in &SETTINGS {
        let field = format!("searchSettings.{}", setting.name);
        let value = &effective[setting.name];
        if let (Some(max), Some(number)) = (setting.recommended_max, value.as_f64())
            && number > max
        {
            let text = message::advice::above_recommended(number, max);
            advice.push(Advice::new(field, "warning", "above_recommended", text));
        }
    }
    advice
}
