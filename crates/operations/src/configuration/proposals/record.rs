//! Proposals as the API returns them.

use super::stored::{ProposalFindings, Stored, by, outline, state_at};
use crate::OperationError;
use domain::audit::Actor;
use domain::draft::ConfigurationPart;
use domain::proposal::{Outcome, ProposalKind, ProposalState, ProposedEdit, open_until};
use domain::relevance::Advice;
use domain::{GateMeasure, ProposalId, Timestamp, Translatable};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use storage::ProposalRow;

/// What lists and single reads of a proposal have in common (`docs/api.md`).
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProposalHead {
    /// Its id.
    pub id: ProposalId,
    /// What has become of it.
    pub state: ProposalState,
    /// What it is about.
    pub kind: ProposalKind,
    /// Ids of the operations that made it.
    pub operations: Vec<String>,
    /// What it changes, such as `relevance` or `rules/<id>`.
    pub resources: Vec<String>,
    /// Why it is proposed, in the words of its author.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The key that proposed it.
    pub by: Actor,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last added to or decided.
    pub updated_at: Timestamp,
    /// Until when a person can decide about it.
    pub expires_at: Timestamp,
    /// The latest revision when it was created or last added to.
    pub base_revision: i64,
    /// The same content was rejected before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rejected_before: Option<RejectedBefore>,
    /// What a person decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<ProposalDecision>,
}

/// A proposal in a list.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ProposalSummary {
    /// What single reads have, too.
    #[serde(flatten)]
    pub head: ProposalHead,
    /// Number of changed fields.
    pub changes: usize,
}

/// One proposal with its content.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProposalRecord {
    /// What lists have, too.
    #[serde(flatten)]
    pub head: ProposalHead,
    /// Changed fields with their values before and after, each path preceded by its resource.
    pub changes: Vec<ProposalChange>,
    /// What it did to queries when it was created, or does now if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Map<String, Value>")]
    pub impact: Option<Value>,
    /// What it did then, or does now, to the watched queries, where the store has a gate.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "GateMeasure")]
    pub gate: Option<GateMeasure>,
    /// Where what is saved now contradicts it.
    pub conflicts: Vec<ProposalConflict>,
    /// Values of its records that deserved a second look when it was created or last added to; left out if there were none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<Advice>")]
    pub advice: Vec<Value>,
    /// The changes as a draft.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Map<String, Value>")]
    pub draft: Option<Value>,
    /// The state that it returns to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub restore: Option<RestoreContent>,
    /// The watched queries that it proposes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Map<String, Value>")]
    pub watched: Option<Value>,
    /// The queries that it proposes never to suggest.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Map<String, Value>")]
    pub hidden_queries: Option<Value>,
}

/// A changed field of a proposal.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ProposalChange {
    /// Path of the field, preceded by its resource.
    pub path: String,
    /// Value before; left out if there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<Value>,
    /// Value after; left out if it is removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<Value>,
    /// Whether it was applied, once the proposal is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub applied: Option<bool>,
}

/// The state that a proposal returns to.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RestoreContent {
    /// The revision whose state it is.
    pub revision: i64,
    /// The parts to restore.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parts: Option<Vec<ConfigurationPart>>,
    /// The resources to restore.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resources: Option<Vec<String>>,
}

/// A proposal with the same content that was rejected.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RejectedBefore {
    /// Its id.
    pub id: ProposalId,
    /// When it was rejected.
    pub at: Timestamp,
    /// Why, in the words of who rejected it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// What a person decided about a proposal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProposalDecision {
    /// When.
    pub at: Timestamp,
    /// Who.
    pub by: Actor,
    /// Why it was rejected, in the words of who rejected it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// How much of it was applied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// The revision that applied it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<i64>,
    /// Created resources by their provisional names, such as `rules/draft:0`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created: Option<BTreeMap<String, String>>,
}

impl ProposalDecision {
    /// Returns a decision of `by` at `at`.
    pub fn new(at: Timestamp, by: &Actor) -> Self {
        Self {
            at,
            by: by.clone(),
            reason: None,
            outcome: None,
            revision: None,
            created: None,
        }
    }
}

/// Why a proposal cannot be applied as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ConflictKind {
    /// It was changed meanwhile.
    Updated,
    /// It was deleted meanwhile.
    Deleted,
    /// It would be a duplicate.
    Duplicate,
    /// Today's checks reject it.
    Invalid,
    /// It exceeds a limit.
    Limit,
}

/// Where what is saved contradicts a proposal.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ProposalConflict {
    /// The resource.
    pub resource: String,
    /// Path of the field, preceded by its resource.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// What is wrong.
    pub kind: ConflictKind,
    /// The revision that changed it last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<i64>,
    /// Who changed it last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<Actor>,
    /// When.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<Timestamp>,
    /// The same in words.
    pub message: String,
    /// Key and values of the message.
    pub translatable: Box<Translatable>,
}

impl ProposalSummary {
    /// Returns a row of a list as it is at `now`.
    pub(crate) fn of(row: &ProposalRow, now: Timestamp) -> Result<Self, OperationError> {
        let outline = outline(row)?;
        Ok(Self {
            changes: outline.changes,
            head: ProposalHead {
                id: row.id.clone(),
                state: state_at(row, now),
                kind: row.kind,
                operations: outline.operations,
                resources: outline.resources,
                note: outline.note,
                by: by(row),
                created_at: row.created_at,
                updated_at: row.updated_at,
                expires_at: open_until(row.created_at),
                base_revision: row.base_revision,
                rejected_before: outline.rejected_before,
                decision: outline.decision,
            },
        })
    }
}

impl ProposalRecord {
    /// Returns a proposal as it is at `now`, with these conflicts.
    pub(crate) fn of(
        stored: &Stored,
        now: Timestamp,
        conflicts: Vec<ProposalConflict>,
    ) -> Result<Self, OperationError> {
        let row = stored.to_row()?;
        let ProposalFindings {
            impact,
            gate,
            advice,
        } = stored.findings();
        let list = |kind: ProposalKind| {
            let first = stored.content.edits.first().filter(|_| row.kind == kind);
            first.and_then(|edit| edit.after.clone())
        };
        let restore = stored.content.restore.clone();
        Ok(Self {
            head: ProposalSummary::of(&row, now)?.head,
            changes: changes(stored),
            impact,
            gate,
            conflicts,
            advice,
            draft: stored.content.draft.clone(),
            restore: restore.map(|of| RestoreContent {
                revision: of.revision,
                parts: of.parts,
                resources: of.resources,
            }),
            watched: list(ProposalKind::Watched),
            hidden_queries: list(ProposalKind::HiddenQueries),
        })
    }
}

fn changes(stored: &Stored) -> Vec<ProposalChange> {
    let content = &stored.content;
    let of = |(at, edit): (usize, &ProposedEdit)| {
        let applied = content.applied.get(at).copied();
        let changes = edit.changes().into_iter();
        let changes = changes.map(move |change| ProposalChange {
            path: change.path,
            before: change.before,
            after: change.after,
            applied,
        });
        changes.collect::<Vec<_>>()
    };
    content.edits.iter().enumerate().flat_map(of).collect()
}
