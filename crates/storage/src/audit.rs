//! Statements that write the audit trail and the immutable revisions of a configuration.

use crate::counters;
use crate::error::{Doing, StorageError};
use crate::json::text;
use domain::audit::{Actor, AuditEntry};
use domain::{AccountId, Day, GateMeasure, ProposalId, StoreId, Timestamp};
use sqlx::AnyConnection;
use sqlx::Row;

/// The context of a write that is not part of its entry.
pub(crate) struct AuditContext<'a> {
    pub at: Timestamp,
    pub account: Option<&'a AccountId>,
    pub store: Option<&'a StoreId>,
    pub revision: Option<i64>,
    pub note: Option<&'a str>,
    pub forced: bool,
}

impl<'a> AuditContext<'a> {
    /// Returns the context of a write of `store` at `at` that created no revision.
    pub fn of_store(store: &'a StoreId, at: Timestamp) -> Self {
        Self {
            at,
            account: None,
            store: Some(store),
            revision: None,
            note: None,
            forced: false,
        }
    }
}

/// Note of a revision, the revision that it restored, how it passed the gate, and the proposal that it applied.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RevisionNotes {
    /// Why it was made, in the words of its author.
    pub note: Option<String>,
    /// The revision whose state it restored.
    pub restores: Option<i64>,
    /// Whether it was saved although the gate did not let it through.
    pub forced: bool,
    /// What was measured of it then; `None` if it could not be.
    pub gate: Option<GateMeasure>,
    /// The proposal that it applied.
    pub proposal: Option<AppliedProposal>,
}

/// The proposal that a revision applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppliedProposal {
    /// Its id.
    pub id: ProposalId,
    /// The key that proposed it.
    pub by: Actor,
}

pub(crate) async fn record(
    connection: &mut AnyConnection,
    entry: &AuditEntry,
    context: &AuditContext<'_>,
) -> Result<(), StorageError> {
    // The changes of a revision are stored there only, and read from there.
    let changes = match context.revision {
        Some(_) => String::new(),
        None => text(&entry.changes, "writing the audit trail")?,
    };
    record_with(connection, entry, context, changes).await
}

/// Writes a record with these changes, as JSON; empty if they are those of its revision.
pub(crate) async fn record_with(
    connection: &mut AnyConnection,
    entry: &AuditEntry,
    context: &AuditContext<'_>,
    changes: String,
) -> Result<(), StorageError> {
    let doing = "writing the audit trail";
    let id = counters::next(&mut *connection, "audit").await?;
    let sql = "INSERT INTO audit (id, at, account_id, store_id, key_id, actor, operation, resource, summary, \
               changes, request_id, revision, user_id, translatable, note, lowered, forced) VALUES ($1, $2, \
               COALESCE($3, (SELECT account_id FROM stores WHERE stores.id = $4)), \
               $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)";
    sqlx::query(sql)
        .bind(id)
        .bind(context.at.0)
        .bind(context.account.map(AccountId::as_str))
        .bind(context.store.map(StoreId::as_str))
        .bind(entry.actor.key_id.as_deref())
        .bind(entry.actor.name.as_str())
        .bind(entry.operation.as_str())
        .bind(entry.resource.as_str())
        .bind(entry.summary.text.as_str())
        .bind(changes)
        .bind(entry.request_id.as_deref())
        .bind(context.revision)
        .bind(entry.actor.user_id.as_deref())
        .bind(text(&entry.summary.translatable, doing)?)
        .bind(context.note)
        .bind(lowered(entry))
        .bind(i64::from(context.forced))
        .execute(connection)
        .await
        .doing(doing)?;
    Ok(())
}

/// Returns the texts of a record in lower case, one per line, so that no search matches across two of them.
fn lowered(entry: &AuditEntry) -> String {
    let (summary, actor) = (&entry.summary.text, &entry.actor.name);
    [summary.as_str(), &entry.resource, &entry.operation, actor]
        .join("\n")
        .to_lowercase()
}

/// Increments the revision of the store and stores its changes.
pub(crate) async fn revise(
    connection: &mut AnyConnection,
    store: &StoreId,
    (entry, notes): (&AuditEntry, &RevisionNotes),
    at: Timestamp,
) -> Result<i64, StorageError> {
    let doing = "writing a revision";
    let proposal = notes.proposal.as_ref();
    let sql = "UPDATE stores SET config_revision = config_revision + 1 WHERE id = $1 RETURNING config_revision";
    let revision: i64 = sqlx::query(sql)
        .bind(store.as_str())
        .fetch_one(&mut *connection)
        .await
        .and_then(|row| row.try_get(0))
        .doing(doing)?;
    let sql = "INSERT INTO revisions (store_id, revision, parent, at, key_id, actor, operation, resource, summary, \
               changes, user_id, note, restores, translatable, forced, gate, proposal, proposed_by) \
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)";
    let gate = notes.gate.as_ref();
    let gate = gate.map(|gate| text(gate, doing)).transpose()?;
    sqlx::query(sql)
        .bind(store.as_str())
        .bind(revision)
        .bind((revision > 1).then_some(revision - 1))
        .bind(at.0)
        .bind(entry.actor.key_id.as_deref())
        .bind(entry.actor.name.as_str())
        .bind(entry.operation.as_str())
        .bind(entry.resource.as_str())
        .bind(entry.summary.text.as_str())
        .bind(text(&entry.changes, doing)?)
        .bind(entry.actor.user_id.as_deref())
        .bind(notes.note.as_deref())
        .bind(notes.restores)
        .bind(text(&entry.summary.translatable, doing)?)
        .bind(i64::from(notes.forced))
        .bind(gate)
        .bind(proposal.map(|of| of.id.as_str()))
        .bind(proposal.map(|of| text(&of.by, doing)).transpose()?)
        .execute(connection)
        .await
        .doing(doing)?;
    Ok(revision)
}

/// Bytes that a record and its revision take on disk besides their changes, rounded up: some 650 of a change whose summary
/// names one field, keys and indexes included.
const RECORD_BYTES: u64 = 768;

/// Returns the total bytes of changes of `store` on the day of `at`, including `entry`, which is not stored yet.
pub(crate) async fn changed_today(
    connection: &mut AnyConnection,
    store: &StoreId,
    entry: &AuditEntry,
    at: Timestamp,
) -> Result<u64, StorageError> {
    let doing = "counting the changes of a day";
    let row = sqlx::query("SELECT changed_day, changed_bytes FROM stores WHERE id = $1")
        .bind(store.as_str())
        .fetch_optional(connection)
        .await
        .doing(doing)?;
    let mut bytes = RECORD_BYTES + text(&entry.changes, doing)?.len() as u64;
    if let Some(row) = row
        && row.try_get::<i64, _>(0).doing(doing)? == Day::of(at).0
    {
        bytes += row.try_get::<i64, _>(1).doing(doing)?.unsigned_abs();
    }
    Ok(bytes)
}

/// Stores the total `bytes` of changes of `store` on the day of `at`, and whether it has a new version.
pub(crate) async fn note_changed(
    connection: &mut AnyConnection,
    store: &StoreId,
    (bytes, is_new): (u64, bool),
    at: Timestamp,
) -> Result<(), StorageError> {
    sqlx::query(
        "UPDATE stores SET changed_day = $2, changed_bytes = $3, version = version + $4 WHERE id = $1",
    )
        .bind(store.as_str())
        .bind(Day::of(at).0)
        .bind(i64::try_from(bytes).unwrap_or(i64::MAX))
        .bind(i64::from(is_new))
        .execute(connection)
        .await
        .doing("noting the changes of a day")?;
    Ok(())
}
