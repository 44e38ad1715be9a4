//! Statements on accounts.

use crate::error::{Doing, StorageError};
use crate::{Administration, PeopleWrite, Storage};
use domain::access::OperatorPermit;
use domain::{AccountId, StoreId, Timestamp};
use sqlx::AnyConnection;
use sqlx::Row;
use sqlx::any::AnyRow;

/// One account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountRow {
    /// Its id.
    pub id: AccountId,
    /// Its name.
    pub name: String,
    /// When it was created.
    pub created_at: Timestamp,
}

fn account(row: &AnyRow) -> Result<AccountRow, sqlx::Error> {
    Ok(AccountRow {
        id: AccountId(row.try_get("id")?),
        name: row.try_get("name")?,
        created_at: Timestamp(row.try_get("created_at")?),
    })
}

impl Storage {
    /// Returns the account `id`.
    pub async fn account(&self, id: &AccountId) -> Result<Option<AccountRow>, StorageError> {
        let doing = "reading an account";
        sqlx::query("SELECT id, name, created_at FROM accounts WHERE id = $1")
            .bind(id.as_str())
            .fetch_optional(&self.read)
            .await
            .doing(doing)?
            .map(|row| account(&row).doing(doing))
            .transpose()
    }

    /// Returns all accounts, the oldest first.
    pub async fn accounts(&self) -> Result<Vec<AccountRow>, StorageError> {
        let doing = "reading the accounts";
        sqlx::query("SELECT id, name, created_at FROM accounts ORDER BY created_at, id")
            .fetch_all(&self.read)
            .await
            .doing(doing)?
            .iter()
            .map(|row| account(row).doing(doing))
            .collect()
    }

    /// Returns the account that `store` belongs to, for the operator.
    pub async fn account_of(
        &self,
        _permit: &OperatorPermit,
        store: &StoreId,
    ) -> Result<Option<AccountId>, StorageError> {
        let doing = "reading the account of a store";
        sqlx::query("SELECT account_id FROM stores WHERE id = $1")
            .bind(store.as_str())
            .fetch_optional(&self.read)
            .await
            .doing(doing)?
            .map(|row| row.try_get(0).map(AccountId).doing(doing))
            .transpose()
    }
}

async fn insert(connection: &mut AnyConnection, account: &AccountRow) -> Result<(), StorageError> {
    sqlx::query("INSERT INTO accounts (id, name, created_at) VALUES ($1, $2, $3)")
        .bind(account.id.as_str())
        .bind(account.name.as_str())
        .bind(account.created_at.0)
        .execute(connection)
        .await
        .doing("adding an account")?;
    Ok(())
}

impl Administration {
    /// Adds an account.
    pub async fn create_account(&mut self, account: &AccountRow) -> Result<(), StorageError> {
        insert(&mut self.tx, account).await
    }
}

impl PeopleWrite {
    /// Adds the account of the first owner.
    pub async fn create_account(&mut self, account: &AccountRow) -> Result<(), StorageError> {
        insert(self.connection(), account).await
    }

    /// Returns the oldest account as of this transaction.
    pub async fn only_account(&mut self) -> Result<Option<AccountId>, StorageError> {
        let doing = "reading the first account";
        sqlx::query("SELECT id FROM accounts ORDER BY created_at, id LIMIT 1")
            .fetch_optional(self.connection())
            .await
            .doing(doing)?
            .map(|row| row.try_get(0).map(AccountId).doing(doing))
            .transpose()
    }
}
