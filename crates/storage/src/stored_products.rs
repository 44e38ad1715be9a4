//! Statements on one product: its document in every language, with what is known of its last send.

use crate::Storage;
use crate::changes::live;
use crate::error::{Doing, StorageError};
use crate::indices::scope;
use crate::rows::{IDS_MAX, placeholders};
use domain::access::MayRead;
use domain::{DocType, IndexId, Language, Permit, RunId, Timestamp};
use sqlx::any::AnyRow;
use sqlx::{AssertSqlSafe, Row};
use std::collections::HashMap;

/// The document of a product in one language, without its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredProduct {
    /// The index of the language.
    pub index: IndexId,
    /// The language.
    pub language: Language,
    /// Its number in the index.
    pub ordinal: i64,
    /// When it was built by the shop, in milliseconds.
    pub rev: i64,
    /// When it was last received; `None` if that was before this was stored.
    pub received_at: Option<Timestamp>,
    /// Whether something of it was cut off because it was too long.
    pub clipped: bool,
    /// The last run that sent or touched it, if any did.
    pub run: Option<RunId>,
}

fn product(row: &AnyRow) -> Result<StoredProduct, sqlx::Error> {
    let received: Option<i64> = row.try_get("received_at")?;
    let run: Option<String> = row.try_get("run")?;
    Ok(StoredProduct {
        index: IndexId(row.try_get("index_id")?),
        language: scope(row)?.language,
        ordinal: row.try_get("ordinal")?,
        rev: row.try_get("rev")?,
        received_at: received.map(Timestamp),
        clipped: row.try_get::<i64, _>("clipped")? != 0,
        run: run.map(RunId),
    })
}

impl Storage {
    /// Returns the documents of the product `id` of the permitted store, in all languages that have it.
    pub async fn stored_product(
        &self,
        permit: &Permit<impl MayRead>,
        id: &str,
    ) -> Result<Vec<StoredProduct>, StorageError> {
        let sql = concat!(
            "SELECT d.index_id, i.type, i.language, d.ordinal, d.rev, d.received_at, d.clipped, r.id AS run \
             FROM indices i JOIN documents d ON d.index_id = i.id AND d.id = $3 \
             LEFT JOIN runs r ON r.store_id = i.store_id AND r.number = d.seen_run \
             WHERE i.store_id = $1 AND i.type = $2 AND ",
            live!(),
            " ORDER BY i.id"
        );
        sqlx::query(sql)
            .bind(permit.store().as_str())
            .bind(DocType::Products.as_str())
            .bind(id)
            .try_map(|row| product(&row))
            .fetch_all(&self.read)
            .await
            .doing("reading a product")
    }

    /// Returns the JSON text of a document of the permitted store.
    pub async fn product_text(
        &self,
        permit: &Permit<impl MayRead>,
        product: &StoredProduct,
    ) -> Result<Option<String>, StorageError> {
        let sql = "SELECT b.body FROM document_bodies b JOIN indices i ON i.id = b.index_id \
                   WHERE i.store_id = $1 AND b.index_id = $2 AND b.ordinal = $3";
        sqlx::query_scalar(sql)
            .bind(permit.store().as_str())
            .bind(product.index.0)
            .bind(product.ordinal)
            .fetch_optional(&self.read)
            .await
            .doing("reading the text of a product")
    }

    /// Returns the JSON texts of products of the permitted store in one language, by id.
    pub async fn product_texts(
        &self,
        permit: &Permit<impl MayRead>,
        language: &Language,
        ids: &[&str],
    ) -> Result<HashMap<String, String>, StorageError> {
        let doing = "reading the texts of products";
        let mut found = HashMap::with_capacity(ids.len());
        for part in ids.chunks(IDS_MAX) {
            let sql = format!(
                "SELECT d.id, b.body FROM indices i \
                 JOIN documents d ON d.index_id = i.id AND d.deleted = 0 AND d.id IN ({}) \
                 JOIN document_bodies b ON b.index_id = d.index_id AND b.ordinal = d.ordinal \
                 WHERE i.store_id = $1 AND i.type = $2 AND i.language = $3",
                placeholders(part.len(), 3)
            );
            let mut query = sqlx::query(AssertSqlSafe(sql))
                .bind(permit.store().as_str())
                .bind(DocType::Products.as_str())
                .bind(language.as_str());
            for id in part {
                query = query.bind(*id);
            }
            for row in query.fetch_all(&self.read).await.doing(doing)? {
                let text = |name: &str| row.try_get::<String, _>(name).doing(doing);
                found.insert(text("id")?, text("body")?);
            }
        }
        Ok(found)
    }
}
