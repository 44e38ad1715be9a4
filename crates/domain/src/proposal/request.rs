//! Requests about proposals.

use super::ProposalState;
use crate::analytics::HiddenQueries;
use crate::draft::{ConfigurationPart, Draft, RestoreRequest, RestoreSelection};
use crate::id::ProposalId;
use crate::invalid::Invalid;
use crate::limits::{
    CONFIGURATION_PARTS, DRAFT_RECORDS_MAX, PROPOSAL_ETAG_CHARACTERS_MAX,
    PROPOSAL_ID_CHARACTERS_MAX, PROPOSAL_PAGE_DEFAULT, PROPOSAL_PAGE_MAX, RESTORED_RESOURCES_MAX,
    REVISION_NOTE_CHARACTERS_MAX,
};
use crate::message;
use crate::watched::WatchedQueries;
use schemars::JsonSchema;
use serde::Deserialize;

/// Request of `POST …/proposals`: exactly one of the four contents.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewProposal {
    /// Changes of the configuration, as those of a draft.
    #[serde(default)]
    #[schemars(with = "Draft")]
    pub draft: Option<Draft>,
    /// A former state to return to.
    #[serde(default)]
    #[schemars(with = "ProposedRestore")]
    pub restore: Option<ProposedRestore>,
    /// The watched queries, as a whole.
    #[serde(default)]
    #[schemars(with = "WatchedQueries")]
    pub watched: Option<WatchedQueries>,
    /// The queries that are never suggested, as a whole.
    #[serde(default)]
    #[schemars(with = "HiddenQueries")]
    pub hidden_queries: Option<HiddenQueries>,
    /// Why it is proposed.
    #[serde(default)]
    #[schemars(with = "String", length(max = REVISION_NOTE_CHARACTERS_MAX))]
    pub note: Option<String>,
}

/// A former state that is proposed: parts of the configuration, or single resources.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ProposedRestore {
    /// The revision whose state it is.
    #[schemars(range(min = 0))]
    pub revision: i64,
    /// The parts to restore.
    #[serde(default)]
    #[schemars(with = "Vec<ConfigurationPart>", length(min = 1, max = CONFIGURATION_PARTS))]
    pub parts: Option<Vec<ConfigurationPart>>,
    /// The resources to restore, such as `rules/<id>`.
    #[serde(default)]
    #[schemars(with = "Vec<String>", length(min = 1, max = RESTORED_RESOURCES_MAX))]
    pub resources: Option<Vec<String>>,
}

/// The content of a new proposal.
#[derive(Clone, Debug, PartialEq)]
pub enum ProposedContent {
    /// Changes of the configuration.
    Draft(Box<Draft>),
    /// The state right after a revision.
    Restore(i64, RestoreSelection),
    /// The watched queries.
    Watched(WatchedQueries),
    /// The queries that are never suggested.
    HiddenQueries(HiddenQueries),
}

impl NewProposal {
    /// Returns the one content that it has.
    ///
    /// Errors: none or several; what is wrong with it whatever is saved.
    pub fn content(self) -> Result<ProposedContent, Vec<Invalid>> {
        let of = |wrong: Vec<Invalid>, path: &str| -> Vec<Invalid> {
            wrong.into_iter().map(|one| one.under(path)).collect()
        };
        match (self.draft, self.restore, self.watched, self.hidden_queries) {
            (Some(draft), None, None, None) => {
                draft.check()?;
                Ok(ProposedContent::Draft(Box::new(draft)))
            }
            (None, Some(restore), None, None) => {
                let revision = restore.revision;
                let selection = restore.selection();
                let selection = selection.map_err(|wrong| of(wrong, "restore"))?;
                Ok(ProposedContent::Restore(revision, selection))
            }
            (None, None, Some(watched), None) => {
                let watched = watched.check().map_err(|wrong| of(wrong, "watched"))?;
                Ok(ProposedContent::Watched(watched))
            }
            (None, None, None, Some(hidden)) => {
                let hidden = hidden.check().map_err(|wrong| of(wrong, "hiddenQueries"))?;
                Ok(ProposedContent::HiddenQueries(hidden))
            }
            _ => {
                let reason = message::draft::one_content();
                Err(vec![Invalid::new("draft", reason)])
            }
        }
    }

    /// Returns what is wrong with it whatever is saved.
    pub fn value_errors(self) -> Vec<Invalid> {
        if let Some(draft) = &self.draft
            && draft.check().is_ok()
        {
            let wrong = draft.clone().value_errors();
            if !wrong.is_empty() {
                return wrong;
            }
        }
        self.content().err().unwrap_or_default()
    }
}

impl ProposedRestore {
    /// Returns what is to be restored.
    ///
    /// Errors: every invalid value, by its path.
    pub fn selection(self) -> Result<RestoreSelection, Vec<Invalid>> {
        let request = RestoreRequest {
            parts: self.parts,
            resources: self.resources,
            if_revision: 0,
            dry_run: false,
        };
        request.selection()
    }
}

/// Query parameters of `GET …/proposals`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ProposalQuery {
    /// Only those in this state.
    #[serde(default)]
    #[schemars(with = "ProposalState")]
    pub state: Option<ProposalState>,
    /// Whether only those of the key are listed.
    #[serde(default)]
    pub mine: bool,
    /// Page, from 1; 1 if left out.
    #[serde(default)]
    #[schemars(with = "u32", range(min = 1))]
    pub page: Option<u32>,
    /// Proposals of a page, 1 to 100; 20 if left out.
    #[serde(default)]
    #[schemars(with = "u32", range(min = 1, max = PROPOSAL_PAGE_MAX))]
    pub limit: Option<u32>,
}

impl ProposalQuery {
    /// Returns the number and size of the page.
    pub fn page(&self) -> (u32, u32) {
        let limit = self.limit.unwrap_or(PROPOSAL_PAGE_DEFAULT);
        (self.page.unwrap_or(1), limit)
    }
}

/// How a proposal is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProposalRequest {
    /// Whether its impact on queries is measured again, what is saved now against the same with the proposal.
    #[serde(default)]
    pub impact: bool,
}

/// Request that applies a proposal.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ApplyRequest {
    /// The resources of a draft to apply, such as `rules/draft:0`; all if left out. The others are left.
    #[serde(default)]
    #[schemars(with = "Vec<String>", length(min = 1, max = DRAFT_RECORDS_MAX + 3))]
    pub resources: Option<Vec<String>>,
    /// Why it is applied; the note of the proposal if left out.
    #[serde(default)]
    #[schemars(with = "String", length(max = REVISION_NOTE_CHARACTERS_MAX))]
    pub note: Option<String>,
    /// Whether it is applied although the gate of the store does not let it through; needs a note.
    #[serde(default)]
    pub force: bool,
}

/// Request that rejects a proposal.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RejectRequest {
    /// Why it is rejected.
    #[serde(default)]
    #[schemars(with = "String", length(max = REVISION_NOTE_CHARACTERS_MAX))]
    pub reason: Option<String>,
}

/// The proposal that a draft was made of.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NamedProposal {
    /// Its id.
    #[schemars(length(min = 1, max = PROPOSAL_ID_CHARACTERS_MAX))]
    pub id: ProposalId,
    /// Its entity tag.
    #[schemars(length(min = 1, max = PROPOSAL_ETAG_CHARACTERS_MAX))]
    pub etag: String,
}
