//! Statements on stores.

use crate::error::{Doing, StorageError};
use crate::json::text;
use crate::store_rows::{columns, store};
use crate::{Administration, ConfigurationWrite, FeedWrite, FormerState, Storage};
use domain::access::MayRead;
use domain::store::Store;
use domain::{AccountId, Language, Permit, StoreId};
use sqlx::Row;
use sqlx::any::AnyRow;

/// A store to add, with its account.
#[derive(Clone, Debug)]
pub struct NewStoreRow {
    /// The store.
    pub store: Store,
    /// Its account.
    pub account: AccountId,
}

impl Storage {
    /// Returns the permitted store; `None` if it does not exist.
    pub async fn store(
        &self,
        permit: &Permit<impl MayRead>,
    ) -> Result<Option<Store>, StorageError> {
        let doing = "reading a store";
        let sql = concat!(
            "SELECT ",
            columns!(),
            " FROM stores WHERE id = $1 AND closed_at IS NULL"
        );
        sqlx::query(sql)
            .bind(permit.store().as_str())
            .try_map(|row| store(&row))
            .fetch_optional(&self.read)
            .await
            .doing(doing)
    }

    /// Returns all open stores of all accounts, the oldest first.
    pub async fn stores(&self) -> Result<Vec<Store>, StorageError> {
        let doing = "reading the stores";
        let sql = concat!(
            "SELECT ",
            columns!(),
            " FROM stores WHERE closed_at IS NULL ORDER BY created_at, id"
        );
        sqlx::query(sql)
            .try_map(|row| store(&row))
            .fetch_all(&self.read)
            .await
            .doing(doing)
    }

    /// Returns the ids of the stores of an account, the oldest first.
    pub async fn stores_of(&self, account: &AccountId) -> Result<Vec<StoreId>, StorageError> {
        let doing = "reading the stores of an account";
        sqlx::query("SELECT id FROM stores WHERE account_id = $1 AND closed_at IS NULL ORDER BY created_at, id")
            .bind(account.as_str())
            .try_map(|row: AnyRow| row.try_get(0).map(StoreId))
            .fetch_all(&self.read)
            .await
            .doing(doing)
    }
}

impl Administration {
    /// Adds a store.
    pub async fn create_store(&mut self, new: &NewStoreRow) -> Result<(), StorageError> {
        let doing = "adding a store";
        let store = &new.store;
        let sql = "INSERT INTO stores (id, account_id, name, url, dev_url, status, platform, languages, plan, \
                   purge_breaker, config_revision, created_at) \
                   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)";
        sqlx::query(sql)
            .bind(store.id.as_str())
            .bind(new.account.as_str())
            .bind(store.name.as_str())
            .bind(store.url.as_str())
            .bind(store.dev_url.as_str())
            .bind(store.status.as_str())
            .bind(store.platform.as_str())
            .bind(text(&store.languages, doing)?)
            .bind(text(&store.plan, doing)?)
            .bind(i64::from(store.purge_breaker))
            .bind(store.config_revision)
            .bind(store.created_at.0)
            .execute(&mut *self.tx)
            .await
            .doing(doing)?;
        Ok(())
    }
}

impl ConfigurationWrite {
    /// Saves what a key may update of the store.
    pub async fn save_store(&mut self, name: &str, dev_url: &str) -> Result<(), StorageError> {
        let state = FormerState::Store {
            name: self.before.name.clone(),
            dev_url: self.before.dev_url.clone(),
        };
        self.keep("store", Some(&state)).await?;
        sqlx::query("UPDATE stores SET name = $2, dev_url = $3 WHERE id = $1")
            .bind(self.before.id.as_str())
            .bind(name)
            .bind(dev_url)
            .execute(&mut *self.tx)
            .await
            .doing("saving a store")?;
        (self.before.name, self.before.dev_url) = (name.to_owned(), dev_url.to_owned());
        Ok(())
    }
}

impl ConfigurationWrite {
    /// Saves what the operator may update of the store: status, plan, purge breaker, URL, platform and gate of `next`.
    pub async fn save_store_settings(&mut self, next: &Store) -> Result<(), StorageError> {
        let doing = "saving the settings of a store";
        let sql = "UPDATE stores SET status = $2, plan = $3, purge_breaker = $4, url = $5, platform = $6, \
                   impact_gate = $7 WHERE id = $1";
        let gate = next.impact_gate.as_ref();
        let gate = gate.map(|gate| text(gate, doing)).transpose()?;
        sqlx::query(sql)
            .bind(self.before.id.as_str())
            .bind(next.status.as_str())
            .bind(text(&next.plan, doing)?)
            .bind(i64::from(next.purge_breaker))
            .bind(next.url.as_str())
            .bind(next.platform.as_str())
            .bind(gate)
            .execute(&mut *self.tx)
            .await
            .doing(doing)?;
        Ok(())
    }
}

impl FeedWrite {
    /// Returns the store.
    pub async fn store(&mut self) -> Result<Option<Store>, StorageError> {
        let doing = "reading the store of a feed";
        let sql = concat!(
            "SELECT ",
            columns!(),
            " FROM stores WHERE id = $1 AND closed_at IS NULL"
        );
        sqlx::query(sql)
            .bind(self.store.as_str())
            .try_map(|row| store(&row))
            .fetch_optional(&mut *self.tx)
            .await
            .doing(doing)
    }

    /// Sets the URL of the store's shop if it is empty.
    pub async fn fill_url(&mut self, url: &str) -> Result<(), StorageError> {
        let filled = sqlx::query("UPDATE stores SET url = $2 WHERE id = $1 AND url = ''")
            .bind(self.store.as_str())
            .bind(url)
            .execute(&mut *self.tx)
            .await
            .doing("filling the URL of a store")?;
        match filled.rows_affected() {
            0 => Ok(()),
            _ => self.raise_version().await,
        }
    }

    /// Sets the platform of the store if it is empty.
    pub async fn fill_platform(&mut self, platform: &str) -> Result<(), StorageError> {
        let filled = sqlx::query("UPDATE stores SET platform = $2 WHERE id = $1 AND platform = ''")
            .bind(self.store.as_str())
            .bind(platform)
            .execute(&mut *self.tx)
            .await
            .doing("filling the platform of a store")?;
        match filled.rows_affected() {
            0 => Ok(()),
            _ => self.raise_version().await,
        }
    }

    /// Saves the languages of the store, the default one first.
    pub async fn save_languages(&mut self, languages: &[Language]) -> Result<(), StorageError> {
        let doing = "saving the languages of a store";
        sqlx::query("UPDATE stores SET languages = $2 WHERE id = $1")
            .bind(self.store.as_str())
            .bind(text(&languages, doing)?)
            .execute(&mut *self.tx)
            .await
            .doing(doing)?;
        self.raise_version().await
    }
}
