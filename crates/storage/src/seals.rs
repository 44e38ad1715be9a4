//! The word that shows whether a key is the one that the database was first opened with.

use crate::Storage;
use crate::error::{Doing, StorageError};
use crate::writer::Party;
use sqlx::Row;

impl Storage {
    /// Returns the sealed word of the database; `sealed`, which is kept, if there is none yet.
    pub async fn kept_seal(&self, sealed: &str) -> Result<String, StorageError> {
        let doing = "comparing the master key";
        let read = "SELECT sealed FROM seals WHERE name = 'master'";
        let row = sqlx::query(read).fetch_optional(&self.read);
        if let Some(row) = row.await.doing(doing)? {
            return row.try_get(0).doing(doing);
        }
        let mut tx = self.writer.begin(Party::System).await.doing(doing)?;
        // Of two services that are the first at the same time, one waits here for the other.
        let sql =
            "INSERT INTO seals (name, sealed) VALUES ('master', $1) ON CONFLICT (name) DO NOTHING";
        sqlx::query(sql)
            .bind(sealed)
            .execute(&mut *tx)
            .await
            .doing(doing)?;
        let row = sqlx::query(read).fetch_one(&mut *tx).await;
        let kept = row.and_then(|row| row.try_get(0)).doing(doing)?;
        tx.commit().await.doing(doing)?;
        Ok(kept)
    }
}
