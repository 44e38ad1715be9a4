//! Statements on the keys and secrets of an installation that a later rotation put out of its row in their grace.

use crate::error::{Doing, StorageError};
use crate::{InstallationWrite, Storage};
use domain::{KeyId, StoreId, Timestamp};
use sqlx::Row;

/// A key that was rotated out, and its secret as operations sealed it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormerKey {
    /// The key.
    pub key: KeyId,
    /// Its sealed context secret.
    pub context_secret: String,
    /// Until when both work.
    pub grace_until: Timestamp,
}

/// The context secrets that work for a public key, as operations sealed them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContextSecrets {
    /// The installation that holds the key.
    pub instance_id: String,
    /// Its secret, and those before it that are still in their grace.
    pub sealed: Vec<String>,
}

impl Storage {
    /// The context secrets that work at `at` for the key `key` of `store`; none when no installation holds it.
    pub async fn context_secrets(
        &self,
        store: &StoreId,
        key: &KeyId,
        at: Timestamp,
    ) -> Result<Option<ContextSecrets>, StorageError> {
        let doing = "reading the context secrets of a key";
        let sql = "SELECT instance_id FROM installations WHERE store_id = $1 \
                   AND (key_id = $2 OR (former_key_id = $2 AND grace_until > $3)) \
                   UNION ALL SELECT instance_id FROM former_installation_keys \
                   WHERE store_id = $1 AND key_id = $2 AND grace_until > $3";
        let owner = sqlx::query(sql)
            .bind(store.as_str())
            .bind(key.as_str())
            .bind(at.0)
            .fetch_optional(&self.read)
            .await
            .doing(doing)?;
        let Some(owner) = owner else {
            return Ok(None);
        };
        let instance_id: String = owner.try_get(0).doing(doing)?;
        let sql = "SELECT context_secret FROM installations WHERE store_id = $1 AND instance_id = $2 \
                   UNION ALL SELECT former_context_secret FROM installations WHERE store_id = $1 \
                   AND instance_id = $2 AND former_context_secret IS NOT NULL AND grace_until > $3 \
                   UNION ALL SELECT context_secret FROM former_installation_keys WHERE store_id = $1 \
                   AND instance_id = $2 AND grace_until > $3";
        let sealed = sqlx::query(sql)
            .bind(store.as_str())
            .bind(instance_id.as_str())
            .bind(at.0)
            .fetch_all(&self.read)
            .await
            .doing(doing)?
            .iter()
            .map(|row| row.try_get(0).doing(doing))
            .collect::<Result<_, _>>()?;
        Ok(Some(ContextSecrets {
            instance_id,
            sealed,
        }))
    }
}

impl InstallationWrite {
    /// The keys of `instance_id` that were rotated out before its former key, the first to end first.
    pub async fn former_keys(&mut self, instance_id: &str) -> Result<Vec<FormerKey>, StorageError> {
        let doing = "reading the former keys of an installation";
        let sql = "SELECT key_id, context_secret, grace_until FROM former_installation_keys \
                   WHERE store_id = $1 AND instance_id = $2 ORDER BY grace_until, key_id";
        let rows = sqlx::query(sql)
            .bind(self.store.as_str())
            .bind(instance_id)
            .fetch_all(&mut *self.tx)
            .await
            .doing(doing)?;
        rows.iter()
            .map(|row| {
                Ok(FormerKey {
                    key: KeyId(row.try_get("key_id")?),
                    context_secret: row.try_get("context_secret")?,
                    grace_until: Timestamp(row.try_get("grace_until")?),
                })
            })
            .collect::<Result<_, sqlx::Error>>()
            .doing(doing)
    }

    /// Keeps a key that is rotated out of the row of `instance_id`.
    pub async fn add_former_key(
        &mut self,
        instance_id: &str,
        former: &FormerKey,
    ) -> Result<(), StorageError> {
        let sql = "INSERT INTO former_installation_keys \
                   (store_id, instance_id, key_id, context_secret, grace_until) VALUES ($1, $2, $3, $4, $5)";
        sqlx::query(sql)
            .bind(self.store.as_str())
            .bind(instance_id)
            .bind(former.key.as_str())
            .bind(former.context_secret.as_str())
            .bind(former.grace_until.0)
            .execute(&mut *self.tx)
            .await
            .doing("keeping a former key of an installation")?;
        Ok(())
    }

    /// Forgets the keys of `instance_id` whose grace is over at `at`.
    pub async fn delete_former_keys(
        &mut self,
        instance_id: &str,
        at: Timestamp,
    ) -> Result<(), StorageError> {
        let sql = "DELETE FROM former_installation_keys \
                   WHERE store_id = $1 AND instance_id = $2 AND grace_until <= $3";
        sqlx::query(sql)
            .bind(self.store.as_str())
            .bind(instance_id)
            .bind(at.0)
            .execute(&mut *self.tx)
            .await
            .doing("forgetting the former keys of an installation")?;
        Ok(())
    }
}
