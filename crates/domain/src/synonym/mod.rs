//! Synonym groups of one language (docs/api.md, "Synonyms").

mod change;
mod csv;
mod list;
mod term;

pub use change::{NewSynonym, SynonymImport, SynonymPatch};
pub use csv::{ImportedLine, LineGroup, lines};
pub use list::SynonymQuery;

use crate::invalid::Invalid;
use crate::limits::{EQUIVALENT_TERMS_MIN, SYNONYM_TERMS_MAX};
use crate::message;
use crate::{Language, SynonymId, Timestamp, TriggerAlternatives};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The direction of a group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum SynonymType {
    /// All terms are equivalent.
    #[default]
    Bidirectional,
    /// The input expands to the terms, but not the other way round.
    Unidirectional,
}

impl SynonymType {
    /// All types, in the order of the API.
    pub const ALL: [Self; 2] = [Self::Bidirectional, Self::Unidirectional];

    /// Returns the name used by the API and in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Bidirectional => "BIDIRECTIONAL",
            Self::Unidirectional => "UNIDIRECTIONAL",
        }
    }

    /// Returns the type with this name, the inverse of [`Self::as_str`].
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }
}

/// Normalises a text to compare terms: its words in lower case without accents, separated by single spaces.
///
/// The function is an argument because this crate does not depend on the analyser; a text without a word becomes empty.
pub type Normalise<'a> = &'a dyn Fn(&str) -> String;

/// The checked content of a group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SynonymGroup {
    /// Its language.
    pub language: Language,
    /// Its direction.
    #[serde(rename = "type")]
    pub kind: SynonymType,
    /// What is typed, for a unidirectional group; left out for a bidirectional one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// Its terms, in the order in which they were sent.
    pub terms: Vec<String>,
    /// What else triggers it; left out if nothing.
    #[serde(default, skip_serializing_if = "TriggerAlternatives::is_empty")]
    pub alternatives: TriggerAlternatives,
    /// Whether it is in effect.
    pub active: bool,
}

/// A group with its id and dates.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Synonym {
    /// Its id.
    pub id: SynonymId,
    /// Its content.
    #[serde(flatten)]
    pub group: SynonymGroup,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last updated.
    pub updated_at: Timestamp,
}

impl SynonymGroup {
    /// Trims and checks the texts of the group.
    ///
    /// Errors: every invalid value, by its path.
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
                let reason = message::synonym::input_of_equivalents();
                errors.push(Invalid::new("input", reason));
            }
            (SynonymType::Unidirectional, None) => {
                let reason = message::synonym::input_missing();
                errors.push(Invalid::new("input", reason));
            }
            (SynonymType::Unidirectional, Some(input)) => match term::parse(input, normalise) {
                Ok(text) => *input = text,
                Err(reason) => errors.push(Invalid::new("input", reason)),
            },
        }
    }

    fn check_terms(&mut self, normalise: Normalise<'_>, errors: &mut Vec<Invalid>) {
        let count = self.terms.len();
        if count == 0 || count > SYNONYM_TERMS_MAX {
            let reason = message::list::between(1, SYNONYM_TERMS_MAX, count);
            errors.push(Invalid::new("terms", reason));
            return;
        }
        let mut good = true;
        for (at, term) in self.terms.iter_mut().enumerate() {
            match term::parse(term, normalise) {
                Ok(text) => *term = text,
                Err(reason) => {
                    good = false;
                    errors.push(Invalid::new(format!("terms[{at}]"), reason));
                }
            }
        }
        let different: BTreeSet<String> = self.terms.iter().map(|term| normalise(term)).collect();
        if good && self.kind == SynonymType::Bidirectional && different.len() < EQUIVALENT_TERMS_MIN
        {
            let reason =
                message::synonym::equivalents_at_least(EQUIVALENT_TERMS_MIN, different.len());
            errors.push(Invalid::new("terms", reason));
        }
    }

    /// Returns a key that is equal for two groups of one language if and only if they are duplicates.
    ///
    /// Shape: JSON text of the normalised input, if any, and of the distinct normalised terms, sorted.
    pub fn duplicate_key(&self, normalise: Normalise<'_>) -> String {
        let terms: BTreeSet<String> = self.terms.iter().map(|term| normalise(term)).collect();
        let input = self.input.as_deref().map(normalise);
        serde_json::json!([input, terms]).to_string()
    }
}

#[cfg(test)]
mod tests;
