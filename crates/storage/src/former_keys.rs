//! Statements on former keys of installations: those rotated out before the last rotation, during their grace period.

use crate::error::{Doing, StorageError};
use crate::{InstallationWrite, Storage};
use domain::access::Search;
use domain::{KeyId, Permit, Timestamp};
use sqlx::Row;

/// A key that was rotated out, with its encrypted secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormerKey {
    /// The key.
    pub key: KeyId,
    /// Its encrypted context secret.
    pub context_secret: String,
    /// Until when both work.
    pub grace_until: Timestamp,
}

/// The encrypted context secrets that are valid for a public key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContextSecrets {
    /// The installation that holds the key.
    pub instance_id: String,
    /// Its secret, and former ones in their grace period.
    pub sealed: Vec<String>,
}

impl Storage {
    /// Returns the context secrets that are valid at `at` for the key `key` of the permitted store; `None` if no
    /// installation has it.
    pub async fn context_secrets(
        &self,
        permit: &Permit<Search>,
        key: &KeyId,
        at: Timestamp,
    ) -> Result<Option<ContextSecrets>, StorageError> {
        let doing = "reading the context secrets of a key";
        let sql = "SELECT instance_id FROM installations WHERE store_id = $1 \
                   AND (key_id = $2 OR (former_key_id = $2 AND grace_until > $3)) \
                   UNION ALL SELECT instance_id FROM former_installation_keys \
                   WHERE store_id = $1 AND key_id = $2 AND grace_until > $3";
        let store = permit.store();
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
    /// Returns the keys of `instance_id` that were rotated out before its former key, ordered by the end of their grace
    /// period.
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

    /// Inserts a key that is rotated out of the row of `instance_id`.
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
            .doing("adding a former key of an installation")?;
        Ok(())
    }

    /// Deletes the former keys of `instance_id` whose grace period is over at `at`.
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
            .doing("deleting the former keys of an installation")?;
        Ok(())
    }
}
