//! Statements on shop installations, their public keys and context secrets.

use crate::error::{Doing, StorageError};
use crate::writer::{Party, Transaction};
use crate::{Storage, audit};
use domain::access::Feed;
use domain::audit::AuditEntry;
use domain::{AccountId, KeyId, Permit, StoreId, Timestamp};
use sqlx::Row;
use sqlx::any::AnyRow;

/// One installation of the module. Secrets are encrypted by the caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstallationRow {
    /// Id chosen by the installation.
    pub instance_id: String,
    /// URL of its shop; empty if unknown.
    pub origin: String,
    /// Its public key.
    pub key: KeyId,
    /// Its encrypted context secret.
    pub context_secret: String,
    /// The key before the last rotation.
    pub former_key: Option<KeyId>,
    /// The encrypted secret before the last rotation.
    pub former_context_secret: Option<String>,
    /// Until when the former key and secret are valid.
    pub grace_until: Option<Timestamp>,
    /// When it was first seen.
    pub created_at: Timestamp,
}

/// The last use of an installation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstallationUse {
    /// Id chosen by the installation.
    pub instance_id: String,
    /// Its public key.
    pub key: KeyId,
    /// When it was first seen.
    pub created_at: Timestamp,
    /// The key before the last rotation, which older pages still use.
    pub former_key: Option<KeyId>,
    /// When either key was last used.
    pub last_used_at: Option<Timestamp>,
}

/// A transaction on an installation and its keys, committed only with its audit entry.
pub struct InstallationWrite {
    pub(crate) tx: Transaction,
    pub(crate) store: StoreId,
}

macro_rules! columns {
    () => {
        "instance_id, origin, key_id, context_secret, former_key_id, former_context_secret, grace_until, created_at"
    };
}

fn installation(row: &AnyRow) -> Result<InstallationRow, sqlx::Error> {
    Ok(InstallationRow {
        instance_id: row.try_get("instance_id")?,
        origin: row.try_get("origin")?,
        key: KeyId(row.try_get("key_id")?),
        context_secret: row.try_get("context_secret")?,
        former_key: row
            .try_get::<Option<String>, _>("former_key_id")?
            .map(KeyId),
        former_context_secret: row.try_get("former_context_secret")?,
        grace_until: row.try_get::<Option<i64>, _>("grace_until")?.map(Timestamp),
        created_at: Timestamp(row.try_get("created_at")?),
    })
}

impl Storage {
    /// Returns whether any store has an installation, and so an encrypted secret.
    pub async fn has_installations(&self) -> Result<bool, StorageError> {
        let row = sqlx::query("SELECT 1 FROM installations LIMIT 1")
            .fetch_optional(&self.read)
            .await
            .doing("looking for installations")?;
        Ok(row.is_some())
    }

    /// Begins a transaction on an installation of the permitted store.
    pub async fn begin_installation(
        &self,
        permit: &Permit<Feed>,
    ) -> Result<InstallationWrite, StorageError> {
        let doing = "opening a change of an installation";
        let party = Party::Store(permit.store().clone());
        let mut tx = self.writer.begin(party).await.doing(doing)?;
        // Locking the store's row prevents two requests of one installation from both creating its key.
        sqlx::query("UPDATE stores SET config_revision = config_revision WHERE id = $1")
            .bind(permit.store().as_str())
            .execute(&mut *tx)
            .await
            .doing(doing)?;
        Ok(InstallationWrite {
            tx,
            store: permit.store().clone(),
        })
    }
}

impl InstallationWrite {
    /// Returns the account of the store; `None` if the store does not exist.
    pub async fn account(&mut self) -> Result<Option<AccountId>, StorageError> {
        let doing = "reading the account of an installation";
        sqlx::query("SELECT account_id FROM stores WHERE id = $1 AND closed_at IS NULL")
            .bind(self.store.as_str())
            .try_map(|row: AnyRow| row.try_get(0).map(AccountId))
            .fetch_optional(&mut *self.tx)
            .await
            .doing(doing)
    }

    /// Returns the installation `instance_id`.
    pub async fn installation(
        &mut self,
        instance_id: &str,
    ) -> Result<Option<InstallationRow>, StorageError> {
        let doing = "reading an installation";
        let sql = concat!(
            "SELECT ",
            columns!(),
            " FROM installations WHERE store_id = $1 AND instance_id = $2"
        );
        sqlx::query(sql)
            .bind(self.store.as_str())
            .bind(instance_id)
            .try_map(|row| installation(&row))
            .fetch_optional(&mut *self.tx)
            .await
            .doing(doing)
    }

    /// Inserts or updates an installation.
    pub async fn save_installation(&mut self, row: &InstallationRow) -> Result<(), StorageError> {
        let sql = concat!(
            "INSERT INTO installations (store_id, ",
            columns!(),
            ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (store_id, instance_id) DO UPDATE SET ",
            "origin = excluded.origin, key_id = excluded.key_id, context_secret = excluded.context_secret, ",
            "former_key_id = excluded.former_key_id, former_context_secret = excluded.former_context_secret, ",
            "grace_until = excluded.grace_until"
        );
        sqlx::query(sql)
            .bind(self.store.as_str())
            .bind(row.instance_id.as_str())
            .bind(row.origin.as_str())
            .bind(row.key.as_str())
            .bind(row.context_secret.as_str())
            .bind(row.former_key.as_ref().map(KeyId::as_str))
            .bind(row.former_context_secret.as_deref())
            .bind(row.grace_until.map(|t| t.0))
            .bind(row.created_at.0)
            .execute(&mut *self.tx)
            .await
            .doing("saving an installation")?;
        Ok(())
    }

    /// Returns all installations of the store with their last use.
    pub async fn installation_uses(&mut self) -> Result<Vec<InstallationUse>, StorageError> {
        let doing = "reading the installations of a store";
        let sql = "SELECT i.instance_id, i.created_at, i.key_id, i.former_key_id, k.last_used_at AS used, \
                   f.last_used_at AS former_used FROM installations i JOIN keys k ON k.id = i.key_id \
                   LEFT JOIN keys f ON f.id = i.former_key_id WHERE i.store_id = $1";
        let rows = sqlx::query(sql)
            .bind(self.store.as_str())
            .fetch_all(&mut *self.tx)
            .await
            .doing(doing)?;
        rows.iter()
            .map(|row| {
                let used: Option<i64> = row.try_get("used")?;
                let former_used: Option<i64> = row.try_get("former_used")?;
                let former_key: Option<String> = row.try_get("former_key_id")?;
                Ok(InstallationUse {
                    instance_id: row.try_get("instance_id")?,
                    key: KeyId(row.try_get("key_id")?),
                    created_at: Timestamp(row.try_get("created_at")?),
                    former_key: former_key.map(KeyId),
                    last_used_at: used.max(former_used).map(Timestamp),
                })
            })
            .collect::<Result<_, sqlx::Error>>()
            .doing(doing)
    }

    /// Ends the installation `instance_id`: its key and former keys are deactivated at `at`, and its secrets deleted.
    pub async fn end_installation(
        &mut self,
        instance_id: &str,
        at: Timestamp,
    ) -> Result<(), StorageError> {
        let doing = "ending an installation";
        let keys = "UPDATE keys SET deactivated_at = $3 WHERE store_id = $1 AND deactivated_at IS NULL AND id IN \
                    (SELECT key_id FROM installations WHERE store_id = $1 AND instance_id = $2 \
                    UNION SELECT former_key_id FROM installations WHERE store_id = $1 AND instance_id = $2 \
                    UNION SELECT key_id FROM former_installation_keys WHERE store_id = $1 AND instance_id = $2)";
        sqlx::query(keys)
            .bind(self.store.as_str())
            .bind(instance_id)
            .bind(at.0)
            .execute(&mut *self.tx)
            .await
            .doing(doing)?;
        for sql in [
            "DELETE FROM former_installation_keys WHERE store_id = $1 AND instance_id = $2",
            "DELETE FROM installations WHERE store_id = $1 AND instance_id = $2",
        ] {
            sqlx::query(sql)
                .bind(self.store.as_str())
                .bind(instance_id)
                .execute(&mut *self.tx)
                .await
                .doing(doing)?;
        }
        Ok(())
    }

    /// Returns the total bytes of changes of the store on the day of `at`, including `entry`.
    pub async fn changed_today(
        &mut self,
        entry: &AuditEntry,
        at: Timestamp,
    ) -> Result<u64, StorageError> {
        audit::changed_today(&mut self.tx, &self.store, entry, at).await
    }

    /// Commits the change together with its audit record.
    pub async fn commit(mut self, entry: &AuditEntry, at: Timestamp) -> Result<(), StorageError> {
        let context = audit::AuditContext::of_store(&self.store, at);
        audit::record(&mut self.tx, entry, &context).await?;
        let today = audit::changed_today(&mut self.tx, &self.store, entry, at).await?;
        // Keys are read with each request: no search sees a new version.
        audit::note_changed(&mut self.tx, &self.store, (today, false), at).await?;
        self.tx
            .commit()
            .await
            .doing("committing a change of an installation")
    }
}
