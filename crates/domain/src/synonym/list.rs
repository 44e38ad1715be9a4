//! The query of a list of synonym groups.

use super::SynonymType;
use crate::Language;
use crate::limits::{SYNONYM_PAGE_DEFAULT, SYNONYM_PAGE_MAX, SYNONYM_SEARCH_CHARACTERS_MAX};
use schemars::JsonSchema;
use serde::Deserialize;

/// Query parameters of `GET …/synonyms` (docs/api.md, "Synonyms").
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SynonymQuery {
    /// Only groups of this language.
    #[serde(default)]
    #[schemars(with = "Language")]
    pub lang: Option<Language>,
    /// Page, from 1.
    #[serde(default)]
    #[schemars(with = "u32", range(min = 1))]
    pub page: Option<u32>,
    /// Groups of a page, 1 to 100; 20 if left out.
    #[serde(default)]
    #[schemars(with = "u32", range(min = 1, max = SYNONYM_PAGE_MAX))]
    pub limit: Option<u32>,
    /// Only groups with this text in a term or the input, ignoring case.
    #[serde(default)]
    #[schemars(
        with = "String",
        length(max = SYNONYM_SEARCH_CHARACTERS_MAX),
        extend("x-published" = serde_json::json!({"pattern": r"^[^\u0000]*$"}))
    )]
    pub q: Option<String>,
    /// Only groups of this type.
    #[serde(default, rename = "type")]
    #[schemars(with = "SynonymType")]
    pub kind: Option<SynonymType>,
    /// Only groups that are in effect, or only those that are not.
    #[serde(default)]
    #[schemars(with = "bool")]
    pub active: Option<bool>,
}

impl SynonymQuery {
    /// Returns the number and size of the page; `None` for all groups.
    pub fn page(&self) -> Option<(u32, u32)> {
        let paged = self.page.is_some()
            || self.limit.is_some()
            || self.q.is_some()
            || self.kind.is_some()
            || self.active.is_some();
        let limit = self.limit.unwrap_or(SYNONYM_PAGE_DEFAULT);
        paged.then_some((self.page.unwrap_or(1), limit))
    }
}
