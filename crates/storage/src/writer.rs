//! `Writer`: the connections that write, shared fairly between stores.

use crate::connect::ACQUIRE_TIMEOUT;
use crate::dialect::Dialect;
use crate::rows::unnumbered;
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
    dialect: Dialect,
    turns: Turns<Party>,
}

/// A transaction that writes, which holds its party's turn until it is dropped.
pub(crate) struct Transaction {
    tx: sqlx::Transaction<'static, Any>,
    dialect: Dialect,
    _turn: Turn<Party>,
}

impl Writer {
    /// Creates the writer on the connections of `pool`.
    pub fn new(pool: AnyPool, dialect: Dialect) -> Self {
        Self {
            pool,
            dialect,
            turns: Turns::new(dialect.writers()),
        }
    }

    /// Begins a transaction in a turn of `party`.
    ///
    /// Errors: `PoolTimedOut` if the turn does not come within 10 s.
    pub async fn begin(&self, party: Party) -> Result<Transaction, sqlx::Error> {
        let turn = timeout(ACQUIRE_TIMEOUT, self.turns.take(party)).await;
        let turn = turn.map_err(|_| sqlx::Error::PoolTimedOut)?;
        let tx = self.pool.begin_with(self.dialect.begin_writing()).await?;
        Ok(Transaction {
            tx,
            dialect: self.dialect,
            _turn: turn,
        })
    }

    /// Returns the number of writes that wait for their turn.
    pub fn waiting(&self) -> usize {
        self.turns.waiting()
    }
}

impl Transaction {
    /// Returns `sql` as the database executes it fastest: for statements with many placeholders, in the order of their
    /// places.
    pub fn in_order(&self, sql: String) -> String {
        match self.dialect {
            Dialect::Sqlite => unnumbered(sql),
            Dialect::Postgres => sql,
        }
    }

    /// Returns the maximum rows of a multi-row statement of documents.
    pub fn rows_max(&self) -> usize {
        self.dialect.rows_max()
    }

    /// Takes the lock `name` until the transaction ends. SQLite's one lock for all writers is held already.
    pub async fn lock(&mut self, name: &str) -> Result<(), sqlx::Error> {
        if let Some(sql) = self.dialect.named_lock() {
            sqlx::query(sql).bind(name).execute(&mut *self.tx).await?;
        }
        Ok(())
    }

    /// Lets other servers hear, once this is committed, that `store` has a new version. They would find it anyway.
    pub async fn tell(&mut self, store: &StoreId) -> Result<(), sqlx::Error> {
        if let Some(sql) = self.dialect.notify() {
            let told = sqlx::query(sql).bind(store.as_str());
            told.execute(&mut *self.tx).await?;
        }
        Ok(())
    }

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
