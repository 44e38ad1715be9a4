//! Statements on the custom styles and scripts of stores, present and former.

use crate::error::{Doing, StorageError};
use crate::json::text;
use crate::{ConfigurationView, ConfigurationWrite, Storage};
use domain::access::PublicFiles;
use domain::limits::CUSTOM_CODE_FORMER_MAX;
use domain::widget::custom_code::{CUSTOM_CODE, CodeHashes, CodeKind, CustomCode};
use domain::{Permit, StoreId};
use sqlx::{AnyConnection, Row};

async fn present(
    connection: &mut AnyConnection,
    store: &StoreId,
) -> Result<CustomCode, StorageError> {
    let doing = "reading the custom code of a store";
    let sql = "SELECT kind, content FROM custom_code WHERE store_id = $1 AND present = 1";
    let rows = sqlx::query(sql)
        .bind(store.as_str())
        .fetch_all(connection)
        .await
        .doing(doing)?;
    let mut code = CustomCode::default();
    for row in rows {
        let kind: String = row.try_get("kind").doing(doing)?;
        let content = row.try_get("content").doing(doing)?;
        match CodeKind::from_extension(&kind) {
            Some(CodeKind::Css) => code.css = Some(content),
            Some(CodeKind::Js) => code.js = Some(content),
            None => {}
        }
    }
    Ok(code)
}

impl Storage {
    /// Returns a file of the permitted store, present or former; `None` if it has no such file.
    pub async fn custom_file(
        &self,
        permit: &Permit<PublicFiles>,
        kind: CodeKind,
        hash: &str,
    ) -> Result<Option<String>, StorageError> {
        let doing = "reading a file of custom code";
        let sql = "SELECT content FROM custom_code WHERE store_id = $1 AND kind = $2 AND hash = $3 \
                   AND EXISTS (SELECT 1 FROM stores WHERE id = $1 AND closed_at IS NULL)";
        let row = sqlx::query(sql)
            .bind(permit.store().as_str())
            .bind(kind.extension())
            .bind(hash)
            .fetch_optional(&self.read)
            .await
            .doing(doing)?;
        row.map(|row| row.try_get(0).doing(doing)).transpose()
    }
}

impl ConfigurationView {
    /// Returns the present code of the store.
    pub async fn custom_code(&mut self) -> Result<CustomCode, StorageError> {
        present(&mut self.tx, &self.store).await
    }

    /// Returns the hashes of the present code of the store.
    pub async fn code_hashes(&mut self) -> Result<CodeHashes, StorageError> {
        let doing = "reading the hashes of custom code";
        let sql = "SELECT kind, hash FROM custom_code WHERE store_id = $1 AND present = 1";
        let rows = sqlx::query(sql)
            .bind(self.store.as_str())
            .fetch_all(&mut *self.tx)
            .await
            .doing(doing)?;
        let mut hashes = CodeHashes::default();
        for row in rows {
            let kind: String = row.try_get("kind").doing(doing)?;
            let hash = row.try_get("hash").doing(doing)?;
            match CodeKind::from_extension(&kind) {
                Some(CodeKind::Css) => hashes.css = Some(hash),
                Some(CodeKind::Js) => hashes.js = Some(hash),
                None => {}
            }
        }
        Ok(hashes)
    }
}

impl ConfigurationWrite {
    /// Returns the present code as of this transaction.
    pub async fn custom_code(&mut self) -> Result<CustomCode, StorageError> {
        present(&mut self.tx, &self.before.id).await
    }

    /// Returns the code right after `revision`; `None` if it has not been written since.
    pub async fn custom_code_after(
        &mut self,
        revision: i64,
    ) -> Result<Option<CustomCode>, StorageError> {
        let doing = "reading the custom code after a revision";
        let sql = "SELECT content FROM former_states WHERE store_id = $1 AND resource = $2 AND revision > $3 \
                   ORDER BY revision LIMIT 1";
        let row = sqlx::query(sql)
            .bind(self.before.id.as_str())
            .bind(CUSTOM_CODE)
            .bind(revision)
            .fetch_optional(&mut *self.tx)
            .await
            .doing(doing)?;
        let read = row.map(|row| {
            let content: String = row.try_get(0)?;
            serde_json::from_str(&content).map_err(|error| sqlx::Error::Decode(error.into()))
        });
        read.transpose().doing(doing)
    }

    /// Returns whether code was written after `revision` before former code was kept.
    pub async fn code_was_lost_after(&mut self, revision: i64) -> Result<bool, StorageError> {
        let doing = "reading whether former custom code was kept";
        // Those revisions have the resource of the whole widget.
        let sql = "SELECT COUNT(*) FROM revisions WHERE store_id = $1 AND revision > $2 \
                   AND operation = 'set_custom_code' AND resource = 'widget'";
        let count: i64 = sqlx::query(sql)
            .bind(self.before.id.as_str())
            .bind(revision)
            .fetch_one(&mut *self.tx)
            .await
            .and_then(|row| row.try_get(0))
            .doing(doing)?;
        Ok(count > 0)
    }

    /// Makes `code`, with its hash, the present one of its kind, or none. The last [`CUSTOM_CODE_FORMER_MAX`] former
    /// ones stay available as files.
    pub async fn save_custom_code(
        &mut self,
        kind: CodeKind,
        code: Option<(&str, &str)>,
    ) -> Result<(), StorageError> {
        let doing = "saving the custom code of a store";
        let before = self.custom_code().await?;
        self.keep_text(CUSTOM_CODE, Some(text(&before, doing)?))
            .await?;
        let (store, kind) = (self.before.id.as_str(), kind.extension());
        let sql = "UPDATE custom_code SET present = 0 WHERE store_id = $1 AND kind = $2";
        sqlx::query(sql)
            .bind(store)
            .bind(kind)
            .execute(&mut *self.tx)
            .await
            .doing(doing)?;
        let Some((hash, content)) = code else {
            return Ok(());
        };
        let sql =
            "SELECT COALESCE(MAX(number), 0) FROM custom_code WHERE store_id = $1 AND kind = $2";
        let last = sqlx::query(sql)
            .bind(store)
            .bind(kind)
            .fetch_one(&mut *self.tx)
            .await
            .doing(doing)?;
        let number = last.try_get::<i64, _>(0).doing(doing)? + 1;
        let sql = "INSERT INTO custom_code (store_id, kind, hash, content, number, present) \
                   VALUES ($1, $2, $3, $4, $5, 1) ON CONFLICT (store_id, kind, hash) \
                   DO UPDATE SET content = excluded.content, number = excluded.number, present = 1";
        sqlx::query(sql)
            .bind(store)
            .bind(kind)
            .bind(hash)
            .bind(content)
            .bind(number)
            .execute(&mut *self.tx)
            .await
            .doing(doing)?;
        let sql = "DELETE FROM custom_code WHERE store_id = $1 AND kind = $2 AND number < $3";
        sqlx::query(sql)
            .bind(store)
            .bind(kind)
            .bind(number - CUSTOM_CODE_FORMER_MAX)
            .execute(&mut *self.tx)
            .await
            .doing(doing)?;
        Ok(())
    }
}
