//! The immutable revisions of a store's configuration: what each write changed, who made it, and its parent.

use crate::access::permits::require_on_store;
use crate::configuration::records::{self, Listed};
use crate::message;
use crate::{OperationError, Service};
use domain::audit::{Actor, FieldChange};
use domain::limits::OUTLINE_CHARACTERS_MAX;
use domain::page::Meta;
use domain::revision::RevisionQuery;
use domain::{Caller, GateMeasure, ProposalId, StoreId, Timestamp, Translatable, access};
use schemars::JsonSchema;
use serde::Serialize;
use storage::RevisionRow;

/// One revision (`docs/api.md`).
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Revision {
    /// Its number.
    pub revision: i64,
    /// The revision before it; the first one has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<i64>,
    /// When it was created.
    pub at: Timestamp,
    /// Who created it.
    pub by: Actor,
    /// Id of the operation that created it.
    pub operation: String,
    /// The resource, such as `relevance` or `rules/<id>`.
    pub resource: String,
    /// Summary in one line.
    pub summary: String,
    /// Key and values of the summary; left out of revisions that were written before summaries had any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub translatable: Option<Translatable>,
    /// Why it was made, in the words of its author.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The revision whose state it restored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub restores: Option<i64>,
    /// Whether it was saved although the gate did not let it through.
    #[serde(skip_serializing_if = "is_false")]
    pub forced: bool,
    /// What was measured of it then; left out if it could not be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gate: Option<GateMeasure>,
    /// The proposal that it applied.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposal: Option<RevisedProposal>,
}

fn is_false(flag: &bool) -> bool {
    !flag
}

/// The proposal that a revision applied.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RevisedProposal {
    /// Its id.
    pub id: ProposalId,
    /// The key that proposed it.
    pub by: Actor,
}

/// One revision with its changes.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RevisionDetail {
    /// The revision.
    #[serde(flatten)]
    pub revision: Revision,
    /// Changed fields with their values before and after.
    pub changes: Vec<FieldChange>,
}

impl From<RevisionRow> for RevisionDetail {
    fn from(row: RevisionRow) -> Self {
        Self {
            revision: Revision {
                revision: row.revision,
                parent: row.parent,
                at: row.at,
                by: row.actor,
                operation: row.operation,
                resource: row.resource,
                summary: row.summary,
                translatable: row.translatable,
                note: row.notes.note,
                restores: row.notes.restores,
                forced: row.notes.forced,
                gate: row.notes.gate,
                proposal: row.notes.proposal.map(|of| RevisedProposal {
                    id: of.id,
                    by: of.by,
                }),
            },
            changes: row.changes,
        }
    }
}

/// Returns one page of the revisions of a store, the newest first.
pub async fn list(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    query: RevisionQuery,
) -> Result<Listed<Revision>, OperationError> {
    let permit = access::read(caller, store)?;
    let mut reading = records::view(service, &permit).await?;
    let (page, limit) = query.page();
    let proposal = query.proposal.as_deref();
    let total = reading.revision_count(proposal).await?;
    let rows = reading.revisions((page, limit), proposal).await?;
    Ok(Listed {
        records: rows
            .into_iter()
            .map(|row| RevisionDetail::from(row).revision)
            .collect(),
        meta: Some(Meta::new(page, limit, total)),
        config_revision: reading.revision(),
    })
}

/// What a revision changed.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Outline {
    /// Its number.
    pub revision: i64,
    /// Changed fields with their values before and after; none if they are large.
    pub changes: Vec<FieldChange>,
}

/// Returns what each revision of a page changed, the newest first.
///
/// Errors: `NotFound` for a store that the caller does not reach; `Forbidden` for a key.
pub async fn outlines(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    query: RevisionQuery,
) -> Result<Vec<Outline>, OperationError> {
    require_on_store(caller, "list_outlines", store)?;
    let permit = access::read(caller, store)?;
    let mut reading = records::view(service, &permit).await?;
    let (page, limit) = query.page();
    let rows = reading
        .outlines(page, limit, OUTLINE_CHARACTERS_MAX)
        .await?;
    let outlines = rows
        .into_iter()
        .map(|(revision, changes)| Outline { revision, changes });
    Ok(outlines.collect())
}

/// Returns one revision with its changes, and the number of the latest one.
///
/// Errors: `NotFound` for an unknown revision, or a text that is not a number.
pub async fn get(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    number: &str,
) -> Result<(RevisionDetail, i64), OperationError> {
    let permit = access::read(caller, store)?;
    let mut reading = records::view(service, &permit).await?;
    let row = match number.parse() {
        Ok(number) => reading.one_revision(number).await?,
        Err(_) => None,
    };
    let row = row.ok_or(OperationError::NotFound {
        what: message::noun::revision,
    })?;
    Ok((row.into(), reading.revision()))
}
