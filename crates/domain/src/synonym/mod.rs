//! Synonym groups: which words stand for which others, in one language (contract section 5).

mod change;
mod csv;
mod list;

pub use change::{NewSynonym, SynonymImport, SynonymPatch};
pub use csv::{ImportedLine, LineGroup, lines};
pub use list::SynonymQuery;

use crate::invalid::Invalid;
use crate::limits::{SYNONYM_CHARACTERS_MAX, SYNONYM_TERMS_MAX};
use crate::{Language, SynonymId, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// In which direction a group works.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum SynonymType {
    /// Every term stands for every other.
    #[default]
    Bidirectional,
    /// The input also means the terms; they do not mean the input.
    Unidirectional,
}

impl SynonymType {
    /// The word of the interface and of storage.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Bidirectional => "BIDIRECTIONAL",
            Self::Unidirectional => "UNIDIRECTIONAL",
        }
    }

    /// The type that [`Self::as_str`] names.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Bidirectional, Self::Unidirectional]
            .into_iter()
            .find(|kind| kind.as_str() == text)
    }
}

/// The form of a text in which terms are compared: its words in lower case without accents, by single spaces.
///
/// There is one analyser and it stands above this crate, so the function comes as an argument; a text without a word
/// has the empty form.
pub type Normalise<'a> = &'a dyn Fn(&str) -> String;

/// What a group says, checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SynonymGroup {
    /// Its language.
    pub language: Language,
    /// In which direction it works.
    #[serde(rename = "type")]
    pub kind: SynonymType,
    /// What is typed, of a unidirectional group; none of a bidirectional one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// Its terms, in the order in which they came.
    pub terms: Vec<String>,
    /// Whether it is in effect.
    pub active: bool,
}

/// A group with its id and dates.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Synonym {
    /// Its id.
    pub id: SynonymId,
    /// What it says.
    #[serde(flatten)]
    pub group: SynonymGroup,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

impl SynonymGroup {
    /// The group, its texts trimmed.
    ///
    /// Errors: everything that is wrong, by its path.
    pub fn checked(mut self, normalise: Normalise<'_>) -> Result<Self, Vec<Invalid>> {
        let mut errors = Vec::new();
        self.check_input(normalise, &mut errors);
        self.check_terms(normalise, &mut errors);
        if errors.is_empty() {
            Ok(self)
        } else {
            Err(errors)
        }
    }

    fn check_input(&mut self, normalise: Normalise<'_>, errors: &mut Vec<Invalid>) {
        match (self.kind, &mut self.input) {
            (SynonymType::Bidirectional, None) => {}
            (SynonymType::Bidirectional, Some(_)) => {
                let reason = "is not part of a BIDIRECTIONAL group, whose terms all stand alike";
                errors.push(Invalid::new("input", reason));
            }
            (SynonymType::Unidirectional, None) => {
                let reason = "is required for a UNIDIRECTIONAL group: what the shopper types";
                errors.push(Invalid::new("input", reason));
            }
            (SynonymType::Unidirectional, Some(input)) => match checked_text(input, normalise) {
                Ok(text) => *input = text,
                Err(reason) => errors.push(Invalid::new("input", reason)),
            },
        }
    }

    fn check_terms(&mut self, normalise: Normalise<'_>, errors: &mut Vec<Invalid>) {
        let count = self.terms.len();
        if count == 0 || count > SYNONYM_TERMS_MAX {
            let reason = format!("must have between 1 and {SYNONYM_TERMS_MAX} items, got {count}");
            errors.push(Invalid::new("terms", reason));
            return;
        }
        let mut good = true;
        for (at, term) in self.terms.iter_mut().enumerate() {
            match checked_text(term, normalise) {
                Ok(text) => *term = text,
                Err(reason) => {
                    good = false;
                    errors.push(Invalid::new(format!("terms[{at}]"), reason));
                }
            }
        }
        let different: BTreeSet<String> = self.terms.iter().map(|term| normalise(term)).collect();
        if good && self.kind == SynonymType::Bidirectional && different.len() < 2 {
            let reason = format!(
                "must have at least 2 terms that differ by more than case and accents, got {}",
                different.len()
            );
            errors.push(Invalid::new("terms", reason));
        }
    }

    /// What two groups of one language have in common exactly when one is a duplicate of the other.
    ///
    /// Shape: JSON text of the normalised input, if any, and of the normalised terms, sorted, each once.
    pub fn likeness(&self, normalise: Normalise<'_>) -> String {
        let terms: BTreeSet<String> = self.terms.iter().map(|term| normalise(term)).collect();
        let input = self.input.as_deref().map(normalise);
        serde_json::json!([input, terms]).to_string()
    }
}

fn checked_text(text: &str, normalise: Normalise<'_>) -> Result<String, String> {
    let text = text.trim();
    let characters = text.chars().count();
    if characters > SYNONYM_CHARACTERS_MAX {
        Err(format!(
            "must have at most {SYNONYM_CHARACTERS_MAX} letters, got {characters}"
        ))
    } else if text.chars().any(char::is_control) {
        Err("must not hold control characters".to_owned())
    } else if normalise(text).is_empty() {
        Err("must hold at least one letter or digit".to_owned())
    } else {
        Ok(text.to_owned())
    }
}

#[cfg(test)]
mod tests;
