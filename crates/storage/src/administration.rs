//! `Administration`: the operator's changes of accounts, stores and keys, committed only with their audit entry.

use crate::error::{Doing, StorageError};
use crate::writer::{Party, Transaction};
use crate::{Storage, audit};
use domain::access::OperatorPermit;
use domain::audit::AuditEntry;
use domain::{AccountId, StoreId, Timestamp};

/// A transaction of the operator, rolled back if it is dropped without [`Administration::commit`].
pub struct Administration {
    pub(crate) tx: Transaction,
}

/// The account and store that an operator's change was about.
#[derive(Clone, Debug, Default)]
pub struct AuditSubject {
    /// The account.
    pub account: Option<AccountId>,
    /// The store.
    pub store: Option<StoreId>,
}

impl AuditSubject {
    /// Returns the context of a write at `at`.
    pub(crate) fn context(&self, at: Timestamp) -> audit::AuditContext<'_> {
        audit::AuditContext {
            at,
            account: self.account.as_ref(),
            store: self.store.as_ref(),
            revision: None,
            note: None,
            forced: false,
        }
    }
}

impl Storage {
    /// Begins a transaction of the operator.
    pub async fn administer(
        &self,
        _permit: &OperatorPermit,
    ) -> Result<Administration, StorageError> {
        let tx = self
            .writer
            .begin(Party::System)
            .await
            .doing("opening an operator's change")?;
        Ok(Administration { tx })
    }
}

impl Administration {
    /// Commits the change together with its audit record.
    pub async fn commit(
        mut self,
        entry: &AuditEntry,
        subject: &AuditSubject,
        at: Timestamp,
    ) -> Result<(), StorageError> {
        audit::record(&mut self.tx, entry, &subject.context(at)).await?;
        self.tx
            .commit()
            .await
            .doing("committing an operator's change")
    }
}
