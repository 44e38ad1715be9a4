//! Requests that create, update and import synonym groups.

use super::{Normalise, SynonymGroup, SynonymType, term};
use crate::invalid::Invalid;
use crate::limits::{EQUIVALENT_TERMS_MIN, SYNONYM_CHARACTERS_MAX, SYNONYM_TERMS_MAX};
use crate::published_schema;
use crate::{Language, TriggerAlternatives};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// Request of `POST …/synonyms`.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(extend("x-published" = {
    "if": published_schema::is("type", "UNIDIRECTIONAL"),
    "then": published_schema::object_schema(json!({}), &["input"]),
    "else": {
        "properties": {"terms": {"minItems": EQUIVALENT_TERMS_MIN}},
        "additionalProperties": true,
        "propertyNames": {"enum": ["language", "type", "terms", "alternatives"]}
    }
}))]
pub struct NewSynonym {
    /// Language of the group; `es` if left out.
    #[serde(default = "Language::spanish")]
    pub language: Language,
    /// Its direction; BIDIRECTIONAL if left out.
    #[serde(default, rename = "type")]
    pub kind: SynonymType,
    /// Equivalent terms, or terms that the input expands to.
    #[schemars(
        length(min = 1, max = SYNONYM_TERMS_MAX),
        inner(length(min = 1, max = SYNONYM_CHARACTERS_MAX)),
        extend("x-published" = term::published())
    )]
    pub terms: Vec<String>,
    /// What the shopper types; required for UNIDIRECTIONAL, not allowed for BIDIRECTIONAL.
    #[serde(default)]
    #[schemars(with = "String", length(min = 1, max = SYNONYM_CHARACTERS_MAX))]
    pub input: Option<String>,
    /// What else triggers it.
    #[serde(default)]
    pub alternatives: TriggerAlternatives,
}

impl NewSynonym {
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
            active: true,
        };
        group.checked(normalise)
    }
}

/// Request of `PUT …/synonyms/{synId}`; what is left out stays.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(extend("x-published" = {
    "if": published_schema::is("type", "BIDIRECTIONAL"),
    "then": {"propertyNames": {"enum": ["type", "terms", "alternatives", "active"]}}
}))]
pub struct SynonymPatch {
    /// Its direction; a group that becomes BIDIRECTIONAL loses its input.
    #[serde(default, rename = "type")]
    #[schemars(with = "SynonymType")]
    pub kind: Option<SynonymType>,
    /// All terms, replacing the current ones.
    #[serde(default)]
    #[schemars(
        with = "Vec<String>",
        length(min = 1, max = SYNONYM_TERMS_MAX),
        inner(length(min = 1, max = SYNONYM_CHARACTERS_MAX)),
        extend("x-published" = term::published())
    )]
    pub terms: Option<Vec<String>>,
    /// What the shopper types.
    #[serde(default)]
    #[schemars(with = "String", length(min = 1, max = SYNONYM_CHARACTERS_MAX))]
    pub input: Option<String>,
    /// What else triggers it.
    #[serde(default)]
    #[schemars(with = "TriggerAlternatives")]
    pub alternatives: Option<TriggerAlternatives>,
    /// Whether it is in effect.
    #[serde(default)]
    #[schemars(with = "bool")]
    pub active: Option<bool>,
}

impl SynonymPatch {
    /// Returns `before` with the change applied.
    ///
    /// Errors: every invalid value, by its path.
    pub fn apply(
        self,
        before: &SynonymGroup,
        normalise: Normalise<'_>,
    ) -> Result<SynonymGroup, Vec<Invalid>> {
        let kind = self.kind.unwrap_or(before.kind);
        let kept = match kind {
            SynonymType::Bidirectional => None,
            SynonymType::Unidirectional => before.input.clone(),
        };
        let group = SynonymGroup {
            language: before.language.clone(),
            kind,
            input: self.input.or(kept),
            terms: self.terms.unwrap_or_else(|| before.terms.clone()),
            alternatives: self.alternatives.unwrap_or(before.alternatives),
            active: self.active.unwrap_or(before.active),
        };
        group.checked(normalise)
    }
}

/// Request of `POST …/synonyms/import`.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SynonymImport {
    /// Language of all groups; `es` if left out.
    #[serde(default = "Language::spanish")]
    pub language: Language,
    /// One group per line, terms separated by commas; `input => term, term` for a UNIDIRECTIONAL one.
    #[schemars(length(min = 1))]
    pub csv: String,
}
