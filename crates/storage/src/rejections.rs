//! Statements on the documents that the feed rejected last.

use crate::error::{Doing, StorageError};
use crate::indices::scope;
use crate::json::{optional_json, text};
use crate::rows::{IDS_MAX, placeholders};
use crate::{FeedWrite, Storage};
use domain::access::MayRead;
use domain::feed::FeedScope;
use domain::{IndexId, Permit, Timestamp, Translatable};
use sqlx::any::AnyRow;
use sqlx::{AssertSqlSafe, Row};
use std::collections::BTreeSet;

/// A document that the feed rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RejectionRow {
    /// Its id; empty if it has none.
    pub document: String,
    /// The code of the rejection.
    pub code: String,
    /// The field that caused it, if any.
    pub field: Option<String>,
    /// The reason.
    pub message: String,
    /// Key and values of the reason; `None` if it was stored before reasons had any.
    pub translatable: Option<Translatable>,
}

/// A rejected document with its index and the time of its rejection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatedRejection {
    /// Type and language of the index.
    pub scope: FeedScope,
    /// When it was rejected.
    pub at: Timestamp,
    /// The rejection.
    pub rejection: RejectionRow,
}

impl Storage {
    /// Returns the rejected documents of all indices of the permitted store, the latest first.
    pub async fn rejections(
        &self,
        permit: &Permit<impl MayRead>,
    ) -> Result<Vec<DatedRejection>, StorageError> {
        let doing = "reading the rejected documents of a store";
        let sql = "SELECT i.type, i.language, r.document_id, r.at, r.code, r.field, r.message, r.translatable FROM rejections r \
                   JOIN indices i ON i.id = r.index_id WHERE i.store_id = $1 \
                   ORDER BY r.at DESC, i.id, r.document_id";
        sqlx::query(sql)
            .bind(permit.store().as_str())
            .try_map(|row| rejection(&row))
            .fetch_all(&self.bulk)
            .await
            .doing(doing)
    }
}

impl FeedWrite {
    /// Stores that these documents of an index were rejected, and keeps its latest `kept` only.
    pub async fn put_rejections(
        &mut self,
        index: IndexId,
        rejected: &[RejectionRow],
        at: Timestamp,
        kept: u32,
    ) -> Result<(), StorageError> {
        let doing = "storing rejected documents";
        if rejected.is_empty() {
            return Ok(());
        }
        let sql = "INSERT INTO rejections (index_id, document_id, at, code, field, message, translatable) \
                   VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (index_id, document_id) DO UPDATE SET \
                   at = excluded.at, code = excluded.code, field = excluded.field, message = excluded.message, translatable = excluded.translatable";
        for one in rejected {
            let translatable = one.translatable.as_ref();
            let translatable = translatable.map(|some| text(some, doing)).transpose()?;
            sqlx::query(sql)
                .bind(index.0)
                .bind(one.document.as_str())
                .bind(at.0)
                .bind(one.code.as_str())
                .bind(one.field.as_deref())
                .bind(one.message.as_str())
                .bind(translatable)
                .execute(&mut *self.tx)
                .await
                .doing(doing)?;
        }
        let sql = "DELETE FROM rejections WHERE index_id = $1 AND document_id NOT IN (SELECT document_id \
                   FROM rejections WHERE index_id = $1 ORDER BY at DESC, document_id LIMIT $2)";
        sqlx::query(sql)
            .bind(index.0)
            .bind(i64::from(kept))
            .execute(&mut *self.tx)
            .await
            .doing(doing)?;
        Ok(())
    }

    /// Forgets the rejections of documents that were accepted or deleted.
    pub async fn forget_rejections(
        &mut self,
        index: IndexId,
        ids: &[&str],
    ) -> Result<(), StorageError> {
        let doing = "forgetting rejected documents";
        let known = sqlx::query("SELECT document_id FROM rejections WHERE index_id = $1")
            .bind(index.0)
            .fetch_all(&mut *self.tx)
            .await
            .doing(doing)?;
        let known = known.iter().map(|row| row.try_get(0));
        let known: BTreeSet<String> = known.collect::<Result<_, _>>().doing(doing)?;
        let over: Vec<&str> = (ids.iter().copied())
            .filter(|id| known.contains(*id))
            .collect();
        for part in over.chunks(IDS_MAX) {
            let sql = format!(
                "DELETE FROM rejections WHERE index_id = $1 AND document_id IN ({})",
                placeholders(part.len(), 1)
            );
            let mut query = sqlx::query(AssertSqlSafe(sql)).bind(index.0);
            for id in part {
                query = query.bind(*id);
            }
            query.execute(&mut *self.tx).await.doing(doing)?;
        }
        Ok(())
    }
}

fn rejection(row: &AnyRow) -> Result<DatedRejection, sqlx::Error> {
    Ok(DatedRejection {
        scope: scope(row)?,
        at: Timestamp(row.try_get("at")?),
        rejection: RejectionRow {
            document: row.try_get("document_id")?,
            code: row.try_get("code")?,
            field: row.try_get("field")?,
            message: row.try_get("message")?,
            translatable: optional_json(row, "translatable")?,
        },
    })
}
