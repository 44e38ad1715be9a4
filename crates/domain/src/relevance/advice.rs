//! Advice about a saved relevance: values over what is recommended, fields that nothing fills.

use super::Overrides;
use super::field::FieldId;
use super::setting::SETTINGS;
use crate::limits::BOOST_RECOMMENDED_MAX;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

/// One piece of advice about the relevance of a store (contract section 4).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Advice {
    /// What it is about, such as `boosts.name`.
    pub field: String,
    /// `info` or `warning`.
    pub level: &'static str,
    /// One sentence.
    pub text: String,
}

/// Whether the indexes of a store hold the parts of the words of names, which `name.partial` searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubstringIndexing {
    /// All of them do.
    Held,
    /// They are being built anew with them, and are this far, in percent.
    Building(u64),
    /// Some do not, and nothing is being done about it.
    Missing,
    /// The indexes are not open yet.
    Unknown,
}

impl SubstringIndexing {
    /// What there is to say about a boost of `name.partial` above 0.
    pub fn advice(self) -> Option<Advice> {
        let (level, text) = match self {
            Self::Held => return None,
            Self::Building(percent) => (
                "info",
                format!("Re-indexing, {percent} % done; until it is complete this matches nothing."),
            ),
            Self::Missing => (
                "warning",
                "Matches nothing: the store needs re-indexing, which starts by itself when this is saved above 0."
                    .to_owned(),
            ),
            Self::Unknown => (
                "info",
                "The indexes are being opened; whether they need re-indexing for this is told then.".to_owned(),
            ),
        };
        Some(Advice {
            field: format!("boosts.{}", FieldId::PARTIAL.name()),
            level,
            text,
        })
    }
}

/// The advice on what was saved; `filled` tells whether any document of the store fills a field.
///
/// A store without documents gets no advice on empty fields: all of them are.
pub fn advice(
    overrides: &Overrides,
    filled: impl Fn(FieldId) -> bool,
    parts: SubstringIndexing,
) -> Vec<Advice> {
    let relevance = overrides.effective();
    let any_document = filled(FieldId::NAME);
    let mut advice = Vec::new();
    for field in FieldId::all() {
        let boost = relevance.boosts.get(field);
        let mut say = |level, text: String| {
            advice.push(Advice {
                field: format!("boosts.{}", field.name()),
                level,
                text,
            });
        };
        if boost > BOOST_RECOMMENDED_MAX {
            let max = BOOST_RECOMMENDED_MAX;
            say(
                "warning",
                format!("{boost} is above the recommended maximum of {max}."),
            );
        }
        if field == FieldId::PARTIAL {
            // Every name has parts, so what is missing is never the document.
            advice.extend(parts.advice().filter(|_| boost > 0.0));
        } else if boost > 0.0 && any_document && !filled(field) {
            say("info", "No document of the store fills this field.".into());
        }
    }
    let effective = json!(relevance.search_settings);
    for setting in &SETTINGS {
        let field = format!("searchSettings.{}", setting.name);
        let value = &effective[setting.name];
        if let (Some(max), Some(number)) = (setting.recommended_max, value.as_f64())
            && number > max
        {
            let text = format!("{number} is above the recommended maximum of {max}.");
            advice.push(Advice {
                field: field.clone(),
                level: "warning",
                text,
            });
        }
    }
    advice
}
