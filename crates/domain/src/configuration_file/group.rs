//! `FileGroup`: a synonym group of a configuration file, which may be switched off, unlike a new one.

use crate::invalid::Invalid;
use crate::limits::{SYNONYM_CHARACTERS_MAX, SYNONYM_TERMS_MAX};
use crate::synonym::{Normalise, SynonymGroup, SynonymType};
use crate::{Language, TriggerAlternatives};
use schemars::JsonSchema;
use serde::Deserialize;

/// A synonym group of a configuration file.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FileGroup {
    /// Its language; `es` if left out.
    #[serde(default = "Language::spanish")]
    pub language: Language,
    /// Its direction; BIDIRECTIONAL if left out.
    #[serde(default, rename = "type")]
    pub kind: SynonymType,
    /// What the shopper types; required for UNIDIRECTIONAL, not allowed for BIDIRECTIONAL.
    #[serde(default)]
    #[schemars(with = "String", length(min = 1, max = SYNONYM_CHARACTERS_MAX))]
    pub input: Option<String>,
    /// Equivalent terms, or terms that the input expands to.
    #[schemars(
        length(min = 1, max = SYNONYM_TERMS_MAX),
        inner(length(min = 1, max = SYNONYM_CHARACTERS_MAX))
    )]
    pub terms: Vec<String>,
    /// What else triggers it.
    #[serde(default)]
    pub alternatives: TriggerAlternatives,
    /// Whether it is in effect; true if left out.
    #[serde(default = "yes")]
    pub active: bool,
}

fn yes() -> bool {
    true
}

impl FileGroup {
    /// Checks the group.
    ///
    /// Errors: every invalid value, by its path.
    pub fn check(self, normalise: Normalise<'_>) -> Result<SynonymGroup, Vec<Invalid>> {
        let group = SynonymGroup {
            language: self.language,
            kind: self.kind,
            input: self.input,
            terms: self.terms,
            alternatives: self.alternatives,
            active: self.active,
        };
        group.checked(normalise)
    }
}

impl From<SynonymGroup> for FileGroup {
    fn from(group: SynonymGroup) -> Self {
        Self {
            language: group.language,
            kind: group.kind,
            input: group.input,
            terms: group.terms,
            alternatives: group.alternatives,
            active: group.active,
        }
    }
}
