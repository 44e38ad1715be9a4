//! Statements on the samples of queries by which impacts are measured.

use crate::Storage;
use crate::error::{Doing, StorageError};
use crate::writer::Party;
use domain::{Permit, Timestamp, access};
use sqlx::Row;

impl Storage {
    /// Returns the stored sample of the permitted store as text, and when it was made.
    pub async fn impact_sample(
        &self,
        permit: &Permit<impl access::MayRead>,
    ) -> Result<Option<(Timestamp, String)>, StorageError> {
        let doing = "reading the sample of queries of a store";
        let row = sqlx::query("SELECT made_at, content FROM impact_samples WHERE store_id = $1")
            .bind(permit.store().as_str())
            .fetch_optional(&self.read)
            .await
            .doing(doing)?;
        row.map(|row| {
            let made_at = row.try_get(0).doing(doing)?;
            Ok((Timestamp(made_at), row.try_get(1).doing(doing)?))
        })
        .transpose()
    }

    /// Stores a sample made at `made_at`, unless another node stored one after `before`; nothing of a store that is gone.
    pub async fn save_impact_sample(
        &self,
        permit: &Permit<impl access::MayRead>,
        (made_at, before): (Timestamp, Timestamp),
        content: &str,
    ) -> Result<(), StorageError> {
        let doing = "storing the sample of queries of a store";
        let party = Party::Store(permit.store().clone());
        let mut tx = self.writer.begin(party).await.doing(doing)?;
        let sql = "INSERT INTO impact_samples (store_id, made_at, content) \
                   SELECT id, CAST($2 AS BIGINT), $3 FROM stores WHERE id = $1 AND closed_at IS NULL \
                   ON CONFLICT (store_id) DO UPDATE SET made_at = excluded.made_at, content = excluded.content \
                   WHERE impact_samples.made_at <= $4";
        sqlx::query(sql)
            .bind(permit.store().as_str())
            .bind(made_at.0)
            .bind(content)
            .bind(before.0)
            .execute(&mut *tx)
            .await
            .doing(doing)?;
        tx.commit().await.doing(doing)
    }
}
