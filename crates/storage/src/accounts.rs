//! Statements on accounts.

use crate::error::{Doing, StorageError};
use crate::locks::lock_account;
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

async fn all<'c>(
    connection: impl sqlx::Executor<'c, Database = sqlx::Any>,
) -> Result<Vec<AccountRow>, StorageError> {
    sqlx::query("SELECT id, name, created_at FROM accounts ORDER BY created_at, id")
        .try_map(|row| account(&row))
        .fetch_all(connection)
        .await
        .doing("reading the accounts")
}

impl Storage {
    /// Returns the account `id`.
    pub async fn account(&self, id: &AccountId) -> Result<Option<AccountRow>, StorageError> {
        let doing = "reading an account";
        sqlx::query("SELECT id, name, created_at FROM accounts WHERE id = $1")
            .bind(id.as_str())
            .try_map(|row| account(&row))
            .fetch_optional(&self.read)
            .await
            .doing(doing)
    }

    /// Returns all accounts, the oldest first.
    pub async fn accounts(&self) -> Result<Vec<AccountRow>, StorageError> {
        all(&self.read).await
    }

    /// Returns the account that `store` belongs to, for the operator.
    pub async fn account_of(
        &self,
        _permit: &OperatorPermit,
        store: &StoreId,
    ) -> Result<Option<AccountId>, StorageError> {
        let doing = "reading the account of a store";
        sqlx::query("SELECT account_id FROM stores WHERE id = $1 AND closed_at IS NULL")
            .bind(store.as_str())
            .try_map(|row: AnyRow| row.try_get(0).map(AccountId))
            .fetch_optional(&self.read)
            .await
            .doing(doing)
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
    /// Returns the number of stores of an account, which it locks until the transaction ends, and the most that its users
    /// may have if the operator has set it.
    pub async fn store_usage(
        &mut self,
        account: &AccountId,
    ) -> Result<(u32, Option<u32>), StorageError> {
        let doing = "counting the stores of an account";
        lock_account(&mut self.tx, account).await.doing(doing)?;
        let sql = "SELECT (SELECT COUNT(*) FROM stores WHERE account_id = $1) AS stores, \
                   (SELECT max_stores FROM accounts WHERE id = $1) AS most";
        let row = sqlx::query(sql)
            .bind(account.as_str())
            .fetch_one(&mut *self.tx)
            .await
            .doing(doing)?;
        let stores: i64 = row.try_get("stores").doing(doing)?;
        let most: Option<i64> = row.try_get("most").doing(doing)?;
        let number = |value: i64| u32::try_from(value).unwrap_or(u32::MAX);
        Ok((number(stores), most.map(number)))
    }

    /// Sets how many stores the users of an account may have; returns whether there is such an account.
    pub async fn set_max_stores(
        &mut self,
        account: &AccountId,
        most: u32,
    ) -> Result<bool, StorageError> {
        let changed = sqlx::query("UPDATE accounts SET max_stores = $2 WHERE id = $1")
            .bind(account.as_str())
            .bind(i64::from(most))
            .execute(&mut *self.tx)
            .await
            .doing("setting the stores of an account")?;
        Ok(changed.rows_affected() > 0)
    }

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

    /// Returns all accounts as of this transaction, the oldest first.
    pub async fn accounts(&mut self) -> Result<Vec<AccountRow>, StorageError> {
        all(self.connection()).await
    }

    /// Returns the oldest account as of this transaction.
    pub async fn only_account(&mut self) -> Result<Option<AccountId>, StorageError> {
        let doing = "reading the first account";
        sqlx::query("SELECT id FROM accounts ORDER BY created_at, id LIMIT 1")
            .try_map(|row: AnyRow| row.try_get(0).map(AccountId))
            .fetch_optional(self.connection())
            .await
            .doing(doing)
    }
}
