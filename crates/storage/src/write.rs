//! `Write`: a change of a store's configuration, which ends only with its audit entry.

use crate::error::{Doing, StorageError};
use crate::stores::{columns, store};
use crate::{Storage, audit};
use domain::access;
use domain::audit::AuditEntry;
use domain::store::Store;
use domain::{Permit, Timestamp};
use sqlx::{Any, Transaction};

/// An open change of one store's configuration. Dropped without [`Write::commit`], it never happened.
pub struct Write {
    pub(crate) tx: Transaction<'static, Any>,
    pub(crate) before: Store,
}

impl Storage {
    /// Opens a change of the store that `permit` names; none when there is no such store.
    ///
    /// The store's row is held from here on, so two changes of one store never read the same state.
    pub async fn begin(
        &self,
        permit: &Permit<access::Write>,
    ) -> Result<Option<Write>, StorageError> {
        let doing = "opening a change of the configuration";
        let mut tx = self.transaction().await.doing(doing)?;
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
            Ok(Write { tx, before })
        })
        .transpose()
    }
}

impl Write {
    /// The store as it was when the change was opened.
    pub fn before(&self) -> &Store {
        &self.before
    }

    /// Commits the change, its audit record and, when something changed, a new revision, all or none.
    ///
    /// Answers the revision that holds afterwards.
    pub async fn commit(mut self, entry: &AuditEntry, at: Timestamp) -> Result<i64, StorageError> {
        let id = &self.before.id;
        let changed = !entry.changes.is_empty();
        let revision = if changed {
            audit::revise(&mut self.tx, id, entry, at).await?
        } else {
            self.before.config_revision
        };
        let place = audit::Place {
            at,
            account: None,
            store: Some(id),
            revision: changed.then_some(revision),
        };
        audit::record(&mut self.tx, entry, &place).await?;
        self.tx
            .commit()
            .await
            .doing("committing a change of the configuration")?;
        Ok(revision)
    }
}
