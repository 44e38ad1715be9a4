//! What is stored of a proposal as JSON, and its state at an instant.

use super::record::{ProposalDecision, RejectedBefore};
use crate::runtime::content_hash::content_hash;
use crate::{OperationError, message};
use domain::audit::{Actor, FieldChange};
use domain::draft::{ConfigurationPart, RestoreSelection};
use domain::proposal::{ProposalKind, ProposalState, ProposedEdit, ProposedRestore, open_until};
use domain::{GateMeasure, Message, Proposed, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use storage::ProposalRow;

/// What lists show of a proposal.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ProposalOutline {
    pub operations: Vec<String>,
    pub resources: Vec<String>,
    pub changes: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rejected_before: Option<RejectedBefore>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<ProposalDecision>,
}

/// What a proposal does.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StoredContent {
    /// The changed resources, created records of a kind in the order of their provisional ids.
    pub edits: Vec<ProposedEdit>,
    /// The same as a draft.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draft: Option<Value>,
    /// What is restored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restore: Option<StoredRestore>,
    /// Of a decided proposal, which of its edits were applied.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub applied: Vec<bool>,
}

/// What a write proposes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Content {
    /// Changes of the configuration.
    Draft,
    /// A former state.
    Restore(StoredRestore),
    /// The watched queries.
    Watched,
    /// The queries that are never suggested.
    Hidden,
}

impl Content {
    /// Returns its kind.
    pub fn kind(&self) -> ProposalKind {
        match self {
            Self::Draft => ProposalKind::Draft,
            Self::Restore(_) => ProposalKind::Restore,
            Self::Watched => ProposalKind::Watched,
            Self::Hidden => ProposalKind::HiddenQueries,
        }
    }
}

/// The state that a proposal returns to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct StoredRestore {
    pub revision: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parts: Option<Vec<ConfigurationPart>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resources: Option<Vec<String>>,
}

impl StoredRestore {
    /// Returns what is restored of the state after `revision`.
    pub fn new(revision: i64, selection: &RestoreSelection) -> Self {
        let (parts, resources) = match selection.clone() {
            RestoreSelection::Parts(parts) => (Some(parts), None),
            RestoreSelection::Resources(resources) => (None, Some(resources)),
        };
        Self {
            revision,
            parts,
            resources,
        }
    }

    /// Returns what it selects.
    pub fn selection(&self) -> Result<RestoreSelection, OperationError> {
        let restore = ProposedRestore {
            revision: self.revision,
            parts: self.parts.clone(),
            resources: self.resources.clone(),
        };
        restore.selection().map_err(OperationError::Invalid)
    }
}

impl StoredContent {
    /// Returns every changed field, its path preceded by its resource.
    pub fn changes(&self) -> Vec<FieldChange> {
        let changes = self.edits.iter().flat_map(ProposedEdit::changes);
        changes.collect()
    }

    /// Returns the digest of what it does, whatever was saved before.
    pub fn digest(&self) -> String {
        let edits = self.edits.iter().map(|edit| (&edit.resource, &edit.after));
        let edits: Vec<_> = edits.collect();
        content_hash(&json!([edits, self.restore]).to_string())
    }

    /// Returns the content as its author sent it, as JSON.
    pub fn sent(&self) -> String {
        match (&self.draft, &self.restore) {
            (Some(draft), _) => draft.to_string(),
            (None, Some(restore)) => json!(restore).to_string(),
            (None, None) => json!(self.edits.first().map(|edit| &edit.after)).to_string(),
        }
    }
}

/// What was found out about a proposal when it was created or last added to, each as its record has it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct ProposalFindings {
    /// What it does to queries.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub impact: Option<Value>,
    /// What it does to the watched queries, where the store has a gate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate: Option<GateMeasure>,
    /// The advice on its records.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub advice: Vec<Value>,
}

/// A proposal with what its columns hold.
#[derive(Clone, Debug)]
pub(crate) struct Stored {
    pub row: ProposalRow,
    pub outline: ProposalOutline,
    pub content: StoredContent,
}

impl Stored {
    /// Reads a whole row.
    pub fn of(row: ProposalRow) -> Result<Self, OperationError> {
        let outline = outline(&row)?;
        let content = serde_json::from_str(&row.content).map_err(OperationError::internal)?;
        Ok(Self {
            row,
            outline,
            content,
        })
    }

    /// Returns the row with outline and content as they are now.
    pub fn to_row(&self) -> Result<ProposalRow, OperationError> {
        let text =
            |value: Result<String, serde_json::Error>| value.map_err(OperationError::internal);
        Ok(ProposalRow {
            outline: text(serde_json::to_string(&self.outline))?,
            content: text(serde_json::to_string(&self.content))?,
            ..self.row.clone()
        })
    }

    /// Returns what was found out about it.
    pub fn findings(&self) -> ProposalFindings {
        let findings = self.row.findings.as_deref();
        let findings = findings.and_then(|text| serde_json::from_str(text).ok());
        findings.unwrap_or_default()
    }

    /// Returns its entity tag: of content and state, without what is computed of it.
    pub fn etag(&self) -> String {
        content_hash(&json!([self.row.digest, self.row.content, self.outline]).to_string())
    }

    /// Returns who proposed it.
    pub fn by(&self) -> Actor {
        by(&self.row)
    }

    /// Fails unless it is open at `now`.
    pub fn require_open(&self, now: Timestamp) -> Result<(), OperationError> {
        match state_at(&self.row, now) {
            ProposalState::Open => Ok(()),
            state => Err(OperationError::conflict(message::proposal::not_open(
                of_state(state),
            ))),
        }
    }

    /// Makes it final.
    pub fn decide(&mut self, state: ProposalState, decision: ProposalDecision) {
        let at = decision.at;
        self.row.state = state;
        (self.row.updated_at, self.row.ends_at) = (at, at);
        self.outline.decision = Some(decision);
    }

    /// Whether it changes the configuration itself.
    pub fn is_of_configuration(&self) -> bool {
        matches!(self.row.kind, ProposalKind::Draft | ProposalKind::Restore)
    }
}

/// Reads what lists show of a row.
pub(crate) fn outline(row: &ProposalRow) -> Result<ProposalOutline, OperationError> {
    serde_json::from_str(&row.outline).map_err(OperationError::internal)
}

/// Returns who proposed what a row holds.
pub(crate) fn by(row: &ProposalRow) -> Actor {
    Actor {
        key_id: Some(row.key.0.clone()),
        ..Actor::named(row.key_name.clone())
    }
}

/// Returns the state of a proposal at `now`.
pub(crate) fn state_at(row: &ProposalRow, now: Timestamp) -> ProposalState {
    match row.state {
        ProposalState::Open if row.ends_at <= now => ProposalState::Expired,
        state => state,
    }
}

/// Returns the name of a state.
pub(crate) fn of_state(state: ProposalState) -> Message {
    use message::proposal_state as named;
    match state {
        ProposalState::Open => named::open(),
        ProposalState::Applied => named::applied(),
        ProposalState::Rejected => named::rejected(),
        ProposalState::Withdrawn => named::withdrawn(),
        ProposalState::Expired => named::expired(),
    }
}

/// A write that proposes, after all of its checks.
pub(crate) struct PendingProposal {
    /// Id of the operation.
    pub operation: String,
    /// What it proposes.
    pub content: Content,
    /// The resources that it touches.
    pub touched: Vec<String>,
    /// The proposal that it is added to.
    pub target: Option<Stored>,
}

/// What became of a write that proposes.
pub(crate) struct Proposal {
    pub stored: Stored,
    /// Whether it is new or was added to.
    pub is_new: bool,
}

impl Proposal {
    /// Returns what the response says of it; `changes` are those of the write.
    pub fn report(&self, changes: Vec<FieldChange>, now: Timestamp) -> Proposed {
        let row = &self.stored.row;
        Proposed::Proposal {
            is_new: self.is_new,
            brief: json!({
                "id": row.id,
                "state": state_at(row, now),
                "expiresAt": open_until(row.created_at),
                "changes": self.stored.outline.changes,
            }),
            changes,
        }
    }
}
