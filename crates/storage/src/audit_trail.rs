//! Statements that read the audit trail.

use crate::Storage;
use crate::error::{Doing, StorageError};
use crate::json::{json, optional_json};
use domain::access::OperatorPermit;
use domain::audit::{Actor, AuditFilter, FieldChange};
use domain::{AccountId, KeyId, StoreId, Timestamp, Translatable};
use sqlx::Row;
use sqlx::any::AnyRow;

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
    pub translatable: Option<Translatable>,
    pub changes: Vec<FieldChange>,
    pub request_id: Option<String>,
    pub revision: Option<i64>,
    pub note: Option<String>,
    pub forced: bool,
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
                "a.id, a.at, a.account_id, a.store_id, a.key_id, a.user_id, a.actor, a.operation, a.resource, a.summary, a.translatable, \
                 a.request_id, a.revision, a.note, a.forced, \
                 CASE WHEN a.changes = '' THEN COALESCE(r.changes, '[]') ELSE a.changes END AS changes",
                $about,
                "AND a.id >= $4 ORDER BY a.id DESC"
            ),
        ]
    };
}

/// Maximum bytes of changes of a list of the audit trail.
const LISTED_BYTES: u64 = 64 * 1024 * 1024;

pub(crate) fn actor(row: &AnyRow) -> Result<Actor, sqlx::Error> {
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
        translatable: optional_json(row, "translatable")?,
        changes: json(row, "changes")?,
        request_id: row.try_get("request_id")?,
        revision: row.try_get("revision")?,
        note: row.try_get("note")?,
        forced: row.try_get::<i64, _>("forced")? != 0,
    })
}

/// Returns the id of the last record up to which `sizes`, rows of `id` and `bytes`, take at most `bytes_max`; the first
/// one always fits. `None` if there are no rows.
pub(crate) fn oldest_within(sizes: &[AnyRow], bytes_max: u64) -> Result<Option<i64>, sqlx::Error> {
    let (mut oldest, mut bytes) = (None, 0_u64);
    for row in sizes {
        bytes += row.try_get::<i64, _>("bytes")?.unsigned_abs();
        if bytes > bytes_max && oldest.is_some() {
            break;
        }
        oldest = Some(row.try_get("id")?);
    }
    Ok(oldest)
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
        let mut tx = self.snapshot().await.doing(doing)?;
        let sizes = filtered(sizes).bind(i64::from(filter.limit));
        let sizes = sizes.fetch_all(&mut *tx).await.doing(doing)?;
        let Some(oldest) = oldest_within(&sizes, LISTED_BYTES).doing(doing)? else {
            return Ok(Vec::new());
        };
        filtered(records)
            .bind(oldest)
            .try_map(|row| audit_row(&row))
            .fetch_all(&mut *tx)
            .await
            .doing(doing)
    }
}
