//! Statements on the audit trail and on the immutable revisions of a configuration.

use crate::error::{Doing, StorageError};
use crate::stores::{json, text};
use crate::{ConfigurationView, ConfigurationWrite, RevisionNotes, Storage};
use domain::access::OperatorPermit;
use domain::audit::{Actor, AuditEntry, AuditFilter, FieldChange};
use domain::{AccountId, KeyId, StoreId, Timestamp};
use sqlx::AnyConnection;
use sqlx::Row;
use sqlx::any::AnyRow;

/// The context of a write that is not part of its entry.
pub(crate) struct AuditContext<'a> {
    pub at: Timestamp,
    pub account: Option<&'a AccountId>,
    pub store: Option<&'a StoreId>,
    pub revision: Option<i64>,
}

/// One record of the audit trail.
#[derive(Clone, Debug, PartialEq)]
#[expect(
    missing_docs,
    reason = "the fields are those of the entry and its context"
)]
pub struct AuditRow {
    pub id: i64,
    pub at: Timestamp,
    pub account: Option<AccountId>,
    pub store: Option<StoreId>,
    pub actor: Actor,
    pub operation: String,
    pub resource: String,
    pub summary: String,
    pub changes: Vec<FieldChange>,
    pub request_id: Option<String>,
    pub revision: Option<i64>,
}

/// One immutable revision of a store's configuration.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the fields are those of docs/api.md")]
pub struct RevisionRow {
    pub revision: i64,
    pub parent: Option<i64>,
    pub at: Timestamp,
    pub actor: Actor,
    pub operation: String,
    pub resource: String,
    pub summary: String,
    pub notes: RevisionNotes,
    pub changes: Vec<FieldChange>,
}

/// Returns the next number of the counter `name`.
pub(crate) async fn next(
    connection: &mut AnyConnection,
    name: &'static str,
) -> Result<i64, StorageError> {
    let doing = "taking the next number of a counter";
    sqlx::query("UPDATE counters SET value = value + 1 WHERE name = $1 RETURNING value")
        .bind(name)
        .fetch_one(connection)
        .await
        .and_then(|row| row.try_get(0))
        .doing(doing)
}

pub(crate) async fn record(
    connection: &mut AnyConnection,
    entry: &AuditEntry,
    context: &AuditContext<'_>,
) -> Result<(), StorageError> {
    let doing = "writing the audit trail";
    // The changes of a revision are stored there only, and read from there.
    let changes = match context.revision {
        Some(_) => String::new(),
        None => text(&entry.changes, doing)?,
    };
    let id = next(&mut *connection, "audit").await?;
    let sql = "INSERT INTO audit (id, at, account_id, store_id, key_id, actor, operation, resource, summary, \
               changes, request_id, revision, user_id) VALUES ($1, $2, \
               COALESCE($3, (SELECT account_id FROM stores WHERE stores.id = $4)), \
               $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)";
    sqlx::query(sql)
        .bind(id)
        .bind(context.at.0)
        .bind(context.account.map(AccountId::as_str))
        .bind(context.store.map(StoreId::as_str))
        .bind(entry.actor.key_id.as_deref())
        .bind(entry.actor.name.as_str())
        .bind(entry.operation.as_str())
        .bind(entry.resource.as_str())
        .bind(entry.summary.as_str())
        .bind(changes)
        .bind(entry.request_id.as_deref())
        .bind(context.revision)
        .bind(entry.actor.user_id.as_deref())
        .execute(connection)
        .await
        .doing(doing)?;
    Ok(())
}

/// Increments the revision of the store and stores its changes.
pub(crate) async fn revise(
    connection: &mut AnyConnection,
    store: &StoreId,
    (entry, notes): (&AuditEntry, &RevisionNotes),
    at: Timestamp,
) -> Result<i64, StorageError> {
    let doing = "writing a revision";
    let sql = "UPDATE stores SET config_revision = config_revision + 1 WHERE id = $1 RETURNING config_revision";
    let revision: i64 = sqlx::query(sql)
        .bind(store.as_str())
        .fetch_one(&mut *connection)
        .await
        .and_then(|row| row.try_get(0))
        .doing(doing)?;
    let sql = "INSERT INTO revisions (store_id, revision, parent, at, key_id, actor, operation, resource, summary, \
               changes, user_id, note, restores) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)";
    sqlx::query(sql)
        .bind(store.as_str())
        .bind(revision)
        .bind((revision > 1).then_some(revision - 1))
        .bind(at.0)
        .bind(entry.actor.key_id.as_deref())
        .bind(entry.actor.name.as_str())
        .bind(entry.operation.as_str())
        .bind(entry.resource.as_str())
        .bind(entry.summary.as_str())
        .bind(text(&entry.changes, doing)?)
        .bind(entry.actor.user_id.as_deref())
        .bind(notes.note.as_deref())
        .bind(notes.restores)
        .execute(connection)
        .await
        .doing(doing)?;
    Ok(revision)
}

/// Selects records with the condition `$about` on `$1`, with the key `$2` if any, from `$3` on, with the changes of
/// their revisions.
macro_rules! audit_sql {
    ($columns:literal, $about:literal, $end:literal) => {
        concat!(
            "SELECT ",
            $columns,
            " FROM audit a LEFT JOIN revisions r \
             ON a.changes = '' AND r.store_id = a.store_id AND r.revision = a.revision WHERE ",
            $about,
            " AND ($2 = '' OR a.key_id = $2) AND a.at >= $3 ",
            $end
        )
    };
}

/// Both statements of a list: the sizes of the records, and the records from id `$4` on.
macro_rules! audit_pages {
    ($about:literal) => {
        [
            audit_sql!(
                "a.id, OCTET_LENGTH(a.changes) + COALESCE(OCTET_LENGTH(r.changes), 0) AS bytes",
                $about,
                "ORDER BY a.id DESC LIMIT $4"
            ),
            audit_sql!(
                "a.id, a.at, a.account_id, a.store_id, a.key_id, a.user_id, a.actor, a.operation, a.resource, a.summary, \
                 a.request_id, a.revision, \
                 CASE WHEN a.changes = '' THEN COALESCE(r.changes, '[]') ELSE a.changes END AS changes",
                $about,
                "AND a.id >= $4 ORDER BY a.id DESC"
            ),
        ]
    };
}

/// Maximum bytes of changes of a list of the audit trail.
const LISTED_BYTES: u64 = 64 * 1024 * 1024;

/// Bytes of a record besides its changes, rounded up.
const RECORD_BYTES: u64 = 512;

const DAY_MS: i64 = 86_400_000;

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
        && row.try_get::<i64, _>(0).doing(doing)? == at.0.div_euclid(DAY_MS)
    {
        bytes += row.try_get::<i64, _>(1).doing(doing)?.unsigned_abs();
    }
    Ok(bytes)
}

/// Stores the total `bytes` of changes of `store` on the day of `at`.
pub(crate) async fn note_changed(
    connection: &mut AnyConnection,
    store: &StoreId,
    bytes: u64,
    at: Timestamp,
) -> Result<(), StorageError> {
    sqlx::query("UPDATE stores SET changed_day = $2, changed_bytes = $3 WHERE id = $1")
        .bind(store.as_str())
        .bind(at.0.div_euclid(DAY_MS))
        .bind(i64::try_from(bytes).unwrap_or(i64::MAX))
        .execute(connection)
        .await
        .doing("noting the changes of a day")?;
    Ok(())
}

fn actor(row: &AnyRow) -> Result<Actor, sqlx::Error> {
    Ok(Actor {
        key_id: row.try_get("key_id")?,
        user_id: row.try_get("user_id")?,
        name: row.try_get("actor")?,
    })
}

pub(crate) fn audit_row(row: &AnyRow) -> Result<AuditRow, sqlx::Error> {
    Ok(AuditRow {
        id: row.try_get("id")?,
        at: Timestamp(row.try_get("at")?),
        account: row
            .try_get::<Option<String>, _>("account_id")?
            .map(AccountId),
        store: row.try_get::<Option<String>, _>("store_id")?.map(StoreId),
        actor: actor(row)?,
        operation: row.try_get("operation")?,
        resource: row.try_get("resource")?,
        summary: row.try_get("summary")?,
        changes: json(row, "changes")?,
        request_id: row.try_get("request_id")?,
        revision: row.try_get("revision")?,
    })
}

fn revision_row(row: &AnyRow) -> Result<RevisionRow, sqlx::Error> {
    Ok(RevisionRow {
        revision: row.try_get("revision")?,
        parent: row.try_get("parent")?,
        at: Timestamp(row.try_get("at")?),
        actor: actor(row)?,
        operation: row.try_get("operation")?,
        resource: row.try_get("resource")?,
        summary: row.try_get("summary")?,
        notes: RevisionNotes {
            note: row.try_get("note")?,
            restores: row.try_get("restores")?,
        },
        changes: json(row, "changes")?,
    })
}

impl Storage {
    /// Returns the records of the audit trail that `filter` selects, the newest first; fewer if their changes exceed
    /// 64 MiB.
    pub async fn audit(
        &self,
        _permit: &OperatorPermit,
        filter: &AuditFilter,
    ) -> Result<Vec<AuditRow>, StorageError> {
        let doing = "reading the audit trail";
        // With a store, the database finds the records by an index.
        let [sizes, records] = match &filter.store {
            Some(_) => audit_pages!("a.store_id = $1"),
            None => audit_pages!("$1 = ''"),
        };
        let filtered = |sql: &'static str| {
            sqlx::query(sql)
                .bind(filter.store.as_ref().map_or("", StoreId::as_str))
                .bind(filter.key.as_ref().map_or("", KeyId::as_str))
                .bind(filter.since.map_or(i64::MIN, |since| since.0))
        };
        let mut tx = self.bulk.begin().await.doing(doing)?;
        let sizes = filtered(sizes).bind(i64::from(filter.limit));
        let (mut oldest, mut bytes) = (None, 0_u64);
        for row in sizes.fetch_all(&mut *tx).await.doing(doing)? {
            bytes += row.try_get::<i64, _>("bytes").doing(doing)?.unsigned_abs();
            if bytes > LISTED_BYTES && oldest.is_some() {
                break;
            }
            oldest = Some(row.try_get::<i64, _>("id").doing(doing)?);
        }
        let Some(oldest) = oldest else {
            return Ok(Vec::new());
        };
        filtered(records)
            .bind(oldest)
            .fetch_all(&mut *tx)
            .await
            .doing(doing)?
            .iter()
            .map(|row| audit_row(row).doing(doing))
            .collect()
    }
}

/// The columns that [`revision_row`] reads, except the changes.
macro_rules! revision_columns {
    () => {
        "revision, parent, at, key_id, user_id, actor, operation, resource, summary, note, restores"
    };
}

impl ConfigurationView {
    /// Returns a page of the revisions of the store, the newest first, without their changes.
    pub async fn revisions(
        &mut self,
        page: u32,
        limit: u32,
    ) -> Result<Vec<RevisionRow>, StorageError> {
        let doing = "reading the revisions of a store";
        let sql = concat!(
            "SELECT ",
            revision_columns!(),
            ", '[]' AS changes FROM revisions WHERE store_id = $1 ORDER BY revision DESC LIMIT $2 OFFSET $3"
        );
        sqlx::query(sql)
            .bind(self.store.as_str())
            .bind(i64::from(limit))
            .bind(i64::from(page.saturating_sub(1)) * i64::from(limit))
            .fetch_all(&mut *self.tx)
            .await
            .doing(doing)?
            .iter()
            .map(|row| revision_row(row).doing(doing))
            .collect()
    }

    /// Returns the number of revisions of the store.
    pub async fn revision_count(&mut self) -> Result<u64, StorageError> {
        let doing = "counting the revisions of a store";
        let row = sqlx::query("SELECT COUNT(*) FROM revisions WHERE store_id = $1")
            .bind(self.store.as_str())
            .fetch_one(&mut *self.tx)
            .await
            .doing(doing)?;
        Ok(row.try_get::<i64, _>(0).doing(doing)?.unsigned_abs())
    }

    /// Returns the revision with this number.
    pub async fn one_revision(&mut self, number: i64) -> Result<Option<RevisionRow>, StorageError> {
        let doing = "reading a revision of a store";
        let sql = concat!(
            "SELECT ",
            revision_columns!(),
            ", changes FROM revisions WHERE store_id = $1 AND revision = $2"
        );
        sqlx::query(sql)
            .bind(self.store.as_str())
            .bind(number)
            .fetch_optional(&mut *self.tx)
            .await
            .doing(doing)?
            .map(|row| revision_row(&row).doing(doing))
            .transpose()
    }
}

impl ConfigurationWrite {
    /// Returns who created the revision with this number, and when.
    pub async fn author(
        &mut self,
        revision: i64,
    ) -> Result<Option<(Timestamp, Actor)>, StorageError> {
        let doing = "reading the author of a revision";
        let sql = "SELECT at, key_id, user_id, actor FROM revisions WHERE store_id = $1 AND revision = $2";
        let row = sqlx::query(sql)
            .bind(self.before.id.as_str())
            .bind(revision)
            .fetch_optional(&mut *self.tx)
            .await
            .doing(doing)?;
        row.map(|row| Ok((Timestamp(row.try_get("at")?), actor(&row)?)))
            .transpose()
            .doing(doing)
    }
}
