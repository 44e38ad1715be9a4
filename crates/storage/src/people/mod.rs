//! `PeopleWrite`: a transaction on users, memberships, sessions and links, committed with its audit records.

mod attempts;
mod links;
mod memberships;
mod sessions;
mod users;

pub use attempts::Failures;
pub use links::{LinkRow, LinkTarget};
pub use memberships::{MemberRow, MembershipRow};
pub use sessions::{SessionRow, SignedInRow};
pub use users::UserRow;

use crate::error::{Doing, StorageError};
use crate::locks::lock_account;
use crate::writer::{Party, Transaction};
use crate::{Administration, AuditSubject, Storage, audit};
use domain::access::AccountPermit;
use domain::audit::AuditEntry;
use domain::{AccountId, StoreId, Timestamp};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

/// A transaction on users, memberships, sessions and links, rolled back if it is dropped without
/// [`PeopleWrite::commit`].
pub struct PeopleWrite {
    tx: Transaction,
}

impl Storage {
    /// Begins a transaction on people.
    ///
    /// It takes no permit, because permits are derived from what it writes: whoever signs in or follows a link is
    /// nobody yet. What concerns an account takes the account from an [`AccountPermit`].
    pub async fn change_people(&self) -> Result<PeopleWrite, StorageError> {
        let tx = self.writer.begin(Party::System).await;
        let tx = tx.doing("opening a change of people")?;
        Ok(PeopleWrite { tx })
    }

    /// Begins a transaction on the keys of an account.
    pub async fn administer_account(
        &self,
        _permit: &AccountPermit,
    ) -> Result<Administration, StorageError> {
        let tx = self.writer.begin(Party::System).await;
        let tx = tx.doing("opening a change of an account")?;
        Ok(Administration { tx })
    }
}

impl PeopleWrite {
    /// Adds a record to the audit trail, which is committed with the change.
    pub async fn record(
        &mut self,
        entry: &AuditEntry,
        subject: &AuditSubject,
        at: Timestamp,
    ) -> Result<(), StorageError> {
        audit::record(&mut self.tx, entry, &subject.context(at)).await
    }

    /// Commits the change and its records.
    pub async fn commit(self) -> Result<(), StorageError> {
        self.tx
            .commit()
            .await
            .doing("committing a change of people")
    }

    /// Takes the one lock of what concerns no account: who the first owner is. It comes before every other lock.
    pub async fn lock_people(&mut self) -> Result<(), StorageError> {
        self.tx.lock("people").await.doing("locking people")
    }

    /// Locks an account until the transaction ends: its members, links and stores are counted after this. Of several
    /// accounts the one with the lowest id comes first.
    pub async fn lock_account(&mut self, account: &AccountId) -> Result<(), StorageError> {
        let doing = "locking an account";
        lock_account(&mut self.tx, account).await.doing(doing)
    }

    pub(crate) fn connection(&mut self) -> &mut AnyConnection {
        &mut self.tx
    }
}

/// Reads an optional instant.
fn instant(row: &AnyRow, column: &str) -> Result<Option<Timestamp>, sqlx::Error> {
    Ok(row.try_get::<Option<i64>, _>(column)?.map(Timestamp))
}

/// Reads the stores of a membership or an invitation; `None` for all.
fn stores(row: &AnyRow) -> Result<Option<Vec<StoreId>>, sqlx::Error> {
    let text: Option<String> = row.try_get("stores")?;
    text.map(|text| serde_json::from_str(&text).map_err(|error| sqlx::Error::Decode(error.into())))
        .transpose()
}

/// Returns the column of a list of stores.
fn stores_text(
    stores: Option<&[StoreId]>,
    doing: &'static str,
) -> Result<Option<String>, StorageError> {
    stores
        .map(|stores| crate::json::text(&stores, doing))
        .transpose()
}

fn unknown(what: &str, text: &str) -> sqlx::Error {
    sqlx::Error::Decode(format!("unknown {what} {text}").into())
}
