//! The locks of rows that a transaction takes before it reads what it decides on.
//!
//! Each is a statement of its own: a condition in a sub-select is as old as the beginning of its statement on a database
//! that locks rows, so what a statement reads after a lock is newer than what the same statement reads beside it. The
//! order of all locks is in `ARCHITECTURE.md`.

use crate::writer::Transaction;
use domain::{AccountId, IndexId};

/// Locks the row of an index until the transaction ends, as blocks of documents do; no error if there is none.
pub(crate) async fn lock_index(tx: &mut Transaction, index: IndexId) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE indices SET sequence = sequence WHERE id = $1")
        .bind(index.0)
        .execute(&mut **tx)
        .await?;
    Ok(())
}

/// Locks the row of an account until the transaction ends; no error if there is none. Of several accounts the one with
/// the lowest id comes first.
pub(crate) async fn lock_account(
    tx: &mut Transaction,
    account: &AccountId,
) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE accounts SET name = name WHERE id = $1")
        .bind(account.as_str())
        .execute(&mut **tx)
        .await?;
    Ok(())
}
