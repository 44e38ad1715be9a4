//! `ConfigurationWrite`: a change of a store's configuration, which ends only with its audit entry.

use crate::error::{Doing, StorageError};
use crate::stores::{columns, store};
use crate::writer::{Party, Transaction};
use crate::{Storage, audit};
use domain::access;
use domain::audit::AuditEntry;
use domain::store::Store;
use domain::{Permit, StoreId, Timestamp};
use sqlx::{AnyConnection, Row};

/// An open change of one store's configuration. Dropped without [`ConfigurationWrite::commit`], it never happened.
pub struct ConfigurationWrite {
    pub(crate) tx: Transaction,
    pub(crate) before: Store,
}

impl Storage {
    /// Opens a change of the store that `permit` names; none when there is no such store.
    ///
    /// The store's row is held from here on, so two changes of one store never read the same state.
    pub async fn begin(
        &self,
        permit: &Permit<access::Write>,
    ) -> Result<Option<ConfigurationWrite>, StorageError> {
        let doing = "opening a change of the configuration";
        let party = Party::Store(permit.store().clone());
        let mut tx = self.writer.begin(party).await.doing(doing)?;
        let sql = concat!(
            "UPDATE stores SET config_revision = config_revision WHERE id = $1 RETURNING ",
            columns!()
        );
        let row = sqlx::query(sql)
            .bind(permit.store().as_str())
            .fetch_optional(&mut *tx)
            .await
            .doing(doing)?;
        row.map(|row| {
            let before = store(&row).doing(doing)?;
            Ok(ConfigurationWrite { tx, before })
        })
        .transpose()
    }
}

/// What the synonym groups, rules, filters and the widget of a store come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConfigurationSize {
    /// Bytes of them all.
    pub bytes: u64,
    /// Languages of the groups and rules.
    pub languages: u64,
}

async fn size(
    connection: &mut AnyConnection,
    store: &StoreId,
) -> Result<ConfigurationSize, StorageError> {
    let doing = "measuring the configuration of a store";
    let sql = "SELECT (SELECT COALESCE(SUM(OCTET_LENGTH(terms) + COALESCE(OCTET_LENGTH(input), 0)), 0) \
               FROM synonyms WHERE store_id = $1) \
               + (SELECT COALESCE(SUM(OCTET_LENGTH(content)), 0) FROM rules WHERE store_id = $1) \
               + (SELECT COALESCE(SUM(OCTET_LENGTH(content)), 0) FROM filters WHERE store_id = $1) \
               + (SELECT COALESCE(SUM(OCTET_LENGTH(content)), 0) FROM widgets WHERE store_id = $1), \
               (SELECT COUNT(*) FROM (SELECT language FROM synonyms WHERE store_id = $1 \
               UNION SELECT language FROM rules WHERE store_id = $1) AS languages)";
    let row = sqlx::query(sql)
        .bind(store.as_str())
        .fetch_one(connection)
        .await
        .doing(doing)?;
    let number = |at: usize| Ok(row.try_get::<i64, _>(at).doing(doing)?.unsigned_abs());
    Ok(ConfigurationSize {
        bytes: number(0)?,
        languages: number(1)?,
    })
}

impl Storage {
    /// What the records of `store` come to as they are committed.
    pub async fn configuration_size(
        &self,
        store: &StoreId,
    ) -> Result<ConfigurationSize, StorageError> {
        let doing = "measuring the configuration of a store";
        let mut connection = self.read.acquire().await.doing(doing)?;
        size(&mut connection, store).await
    }
}

impl ConfigurationWrite {
    /// The store as it was when the change was opened.
    pub fn before(&self) -> &Store {
        &self.before
    }

    /// Bytes that the changes of the store come to on the day of `at`, together with `entry`, as they are stored.
    pub async fn changed_today(
        &mut self,
        entry: &AuditEntry,
        at: Timestamp,
    ) -> Result<u64, StorageError> {
        audit::changed_today(&mut self.tx, &self.before.id, entry, at).await
    }

    /// What the records of the store come to with the change as far as it is written.
    pub async fn configuration_size(&mut self) -> Result<ConfigurationSize, StorageError> {
        size(&mut self.tx, &self.before.id).await
    }

    /// Commits the change, its audit record and, when something changed, a new revision, all or none.
    ///
    /// Answers the revision that holds afterwards.
    pub async fn commit(mut self, entry: &AuditEntry, at: Timestamp) -> Result<i64, StorageError> {
        let today = self.changed_today(entry, at).await?;
        let id = &self.before.id;
        audit::note_changed(&mut self.tx, id, today, at).await?;
        let changed = !entry.changes.is_empty();
        let revision = if changed {
            audit::revise(&mut self.tx, id, entry, at).await?
        } else {
            self.before.config_revision
        };
        let context = audit::AuditContext {
            at,
            account: None,
            store: Some(id),
            revision: changed.then_some(revision),
        };
        audit::record(&mut self.tx, entry, &context).await?;
        self.tx
            .commit()
            .await
            .doing("committing a change of the configuration")?;
        Ok(revision)
    }
}
