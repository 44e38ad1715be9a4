//! `Writer`: the one connection that writes, shared fairly between stores.

use crate::connect::ACQUIRE_TIMEOUT;
use crate::turns::{Turn, Turns};
use domain::StoreId;
use sqlx::{Any, AnyConnection, AnyPool};
use std::ops::{Deref, DerefMut};
use tokio::time::timeout;

/// The parties that share the writer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Party {
    /// One store, including its maintenance.
    Store(StoreId),
    /// The operator, and maintenance across stores.
    System,
}

/// The writer; all writes are in a [`Transaction`] of it.
#[derive(Clone, Debug)]
pub(crate) struct Writer {
    pub(crate) pool: AnyPool,
    turns: Turns<Party>,
}

/// A transaction that writes, which holds its party's turn until it is dropped.
pub(crate) struct Transaction {
    tx: sqlx::Transaction<'static, Any>,
    _turn: Turn<Party>,
}

impl Writer {
    /// Creates the writer on the one connection of `pool`.
    pub fn new(pool: AnyPool) -> Self {
        Self {
            pool,
            turns: Turns::new(1),
        }
    }

    /// Begins a transaction in a turn of `party`. It takes the database's write lock at once, so that it waits for
    /// another process instead of failing at its first write.
    ///
    /// Errors: `PoolTimedOut` if the turn does not come within 10 s.
    pub async fn begin(&self, party: Party) -> Result<Transaction, sqlx::Error> {
        let turn = timeout(ACQUIRE_TIMEOUT, self.turns.take(party)).await;
        let turn = turn.map_err(|_| sqlx::Error::PoolTimedOut)?;
        let tx = self.pool.begin_with("BEGIN IMMEDIATE").await?;
        Ok(Transaction { tx, _turn: turn })
    }

    /// Returns the number of writes that wait for their turn.
    pub fn waiting(&self) -> usize {
        self.turns.waiting()
    }
}

impl Transaction {
    /// Commits the transaction.
    pub async fn commit(self) -> Result<(), sqlx::Error> {
        self.tx.commit().await
    }
}

impl Deref for Transaction {
    type Target = AnyConnection;

    fn deref(&self) -> &AnyConnection {
        &self.tx
    }
}

impl DerefMut for Transaction {
    fn deref_mut(&mut self) -> &mut AnyConnection {
        &mut self.tx
    }
}
