//! The query of a list of revisions.

use crate::limits::{PROPOSAL_ID_CHARACTERS_MAX, REVISION_PAGE_DEFAULT, REVISION_PAGE_MAX};
use schemars::JsonSchema;
use serde::Deserialize;

/// Query parameters of `GET …/revisions`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RevisionQuery {
    /// Page, from 1; 1 if left out.
    #[serde(default)]
    #[schemars(with = "u32", range(min = 1))]
    pub page: Option<u32>,
    /// Revisions of a page, 1 to 100; 20 if left out.
    #[serde(default)]
    #[schemars(with = "u32", range(min = 1, max = REVISION_PAGE_MAX))]
    pub limit: Option<u32>,
    /// Only those that applied the proposal with this id.
    #[serde(default)]
    #[schemars(with = "String", length(min = 1, max = PROPOSAL_ID_CHARACTERS_MAX))]
    pub proposal: Option<String>,
}

impl RevisionQuery {
    /// Returns the number and size of the page.
    pub fn page(&self) -> (u32, u32) {
        let limit = self.limit.unwrap_or(REVISION_PAGE_DEFAULT);
        (self.page.unwrap_or(1), limit)
    }
}

/// How a revision is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RevisionRequest {
    /// Whether its impact on queries is measured, the state before it against the one after it.
    #[serde(default)]
    pub impact: bool,
}
