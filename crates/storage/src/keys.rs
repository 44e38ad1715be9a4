//! Statements on keys. The lookup of a key needs no permit: permits are derived from it.

use crate::error::{Doing, StorageError};
use crate::writer::Party;
use crate::{Administration, InstallationWrite, Storage};
use domain::access::{AccountPermit, MayRead, OperatorPermit};
use domain::audit::Actor;
use domain::{AccountId, KeyId, KeyKind, Permit, Scope, StoreId, Timestamp};
use sqlx::AnyConnection;
use sqlx::Row;
use sqlx::any::AnyRow;

/// One key as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyRow {
    /// Public id.
    pub id: KeyId,
    /// Account that it belongs to.
    pub account: AccountId,
    /// Store that it is bound to.
    pub store: Option<StoreId>,
    /// What it may be used for.
    pub kind: KeyKind,
    /// Scope of a configuration key.
    pub scope: Option<Scope>,
    /// Name given by its creator.
    pub name: String,
    /// SHA-256 of the whole key, in hexadecimal.
    pub digest: String,
    /// Last four characters.
    pub last_four: String,
    /// The whole key, only if it is not secret.
    pub readable: Option<String>,
    /// Who created it; `None` for keys of earlier versions.
    pub made_by: Option<Actor>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it expires.
    pub expires_at: Option<Timestamp>,
    /// When it was deactivated.
    pub deactivated_at: Option<Timestamp>,
    /// When it was last used, to the minute.
    pub last_used_at: Option<Timestamp>,
    /// Whether its store is closed, so that it is not valid.
    pub store_closed: bool,
}

macro_rules! columns {
    () => {
        "id, account_id, store_id, kind, scope, name, digest, last_four, readable, created_at, expires_at, \
         deactivated_at, last_used_at, made_by, made_by_id"
    };
}

/// The columns that [`key`] reads.
macro_rules! selected {
    () => {
        concat!(
            columns!(),
            ", (SELECT COUNT(*) FROM stores s WHERE s.id = keys.store_id AND s.closed_at IS NOT NULL) AS store_closed"
        )
    };
}

fn key(row: &AnyRow) -> Result<KeyRow, sqlx::Error> {
    let kind: String = row.try_get("kind")?;
    let scope: Option<String> = row.try_get("scope")?;
    let unknown =
        |what: &str, text: &str| sqlx::Error::Decode(format!("unknown {what} {text}").into());
    let at = |column: &str| -> Result<Option<Timestamp>, sqlx::Error> {
        Ok(row.try_get::<Option<i64>, _>(column)?.map(Timestamp))
    };
    Ok(KeyRow {
        id: KeyId(row.try_get("id")?),
        account: AccountId(row.try_get("account_id")?),
        store: row.try_get::<Option<String>, _>("store_id")?.map(StoreId),
        kind: KeyKind::parse(&kind).ok_or_else(|| unknown("kind", &kind))?,
        scope: scope
            .map(|text| Scope::parse(&text).ok_or_else(|| unknown("scope", &text)))
            .transpose()?,
        name: row.try_get("name")?,
        digest: row.try_get("digest")?,
        last_four: row.try_get("last_four")?,
        readable: row.try_get("readable")?,
        made_by: made_by(row)?,
        store_closed: row.try_get::<i64, _>("store_closed")? > 0,
        created_at: Timestamp(row.try_get("created_at")?),
        expires_at: at("expires_at")?,
        deactivated_at: at("deactivated_at")?,
        last_used_at: at("last_used_at")?,
    })
}

fn made_by(row: &AnyRow) -> Result<Option<Actor>, sqlx::Error> {
    let name: Option<String> = row.try_get("made_by")?;
    let user_id = row.try_get("made_by_id")?;
    Ok(name.map(|name| Actor {
        key_id: None,
        user_id,
        name,
    }))
}

pub(crate) async fn insert(
    connection: &mut AnyConnection,
    key: &KeyRow,
) -> Result<(), StorageError> {
    let made_by = key.made_by.as_ref();
    let sql = concat!(
        "INSERT INTO keys (",
        columns!(),
        ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)"
    );
    sqlx::query(sql)
        .bind(key.id.as_str())
        .bind(key.account.as_str())
        .bind(key.store.as_ref().map(StoreId::as_str))
        .bind(key.kind.as_str())
        .bind(key.scope.map(Scope::as_str))
        .bind(key.name.as_str())
        .bind(key.digest.as_str())
        .bind(key.last_four.as_str())
        .bind(key.readable.as_deref())
        .bind(key.created_at.0)
        .bind(key.expires_at.map(|t| t.0))
        .bind(key.deactivated_at.map(|t| t.0))
        .bind(key.last_used_at.map(|t| t.0))
        .bind(made_by.map(|by| by.name.as_str()))
        .bind(made_by.and_then(|by| by.user_id.as_deref()))
        .execute(connection)
        .await
        .doing("adding a key")?;
    Ok(())
}

impl Storage {
    /// Returns the readable text of the latest search-only key of the permitted store that is valid at `now`.
    pub async fn public_key_of(
        &self,
        permit: &Permit<impl MayRead>,
        now: Timestamp,
    ) -> Result<Option<String>, StorageError> {
        let doing = "reading a public key of a store";
        let sql = "SELECT readable FROM keys WHERE store_id = $1 AND kind = 'search-only' AND readable IS NOT NULL \
                   AND deactivated_at IS NULL AND (expires_at IS NULL OR expires_at > $2) \
                   ORDER BY created_at DESC, id LIMIT 1";
        let row = sqlx::query(sql)
            .bind(permit.store().as_str())
            .bind(now.0)
            .fetch_optional(&self.read)
            .await
            .doing(doing)?;
        row.map(|row| row.try_get(0).doing(doing)).transpose()
    }
}

impl Storage {
    /// Returns the key with the public id `id`, of any account.
    pub async fn key(&self, id: &KeyId) -> Result<Option<KeyRow>, StorageError> {
        let doing = "looking a key up";
        sqlx::query(concat!("SELECT ", selected!(), " FROM keys WHERE id = $1"))
            .bind(id.as_str())
            .try_map(|row| key(&row))
            .fetch_optional(&self.read)
            .await
            .doing(doing)
    }

    /// Returns all keys, or those bound to `store`, the oldest first, for the operator.
    pub async fn keys(
        &self,
        _permit: &OperatorPermit,
        store: Option<&StoreId>,
    ) -> Result<Vec<KeyRow>, StorageError> {
        let doing = "reading the keys";
        let sql = match store {
            Some(_) => concat!(
                "SELECT ",
                selected!(),
                " FROM keys WHERE store_id = $1 ORDER BY created_at, id"
            ),
            None => concat!("SELECT ", selected!(), " FROM keys ORDER BY created_at, id"),
        };
        let mut query = sqlx::query(sql);
        if let Some(store) = store {
            query = query.bind(store.as_str());
        }
        query
            .try_map(|row| key(&row))
            .fetch_all(&self.read)
            .await
            .doing(doing)
    }

    /// Returns the keys of the permitted account, or those of it that are bound to `store`, the oldest first.
    pub async fn keys_of_account(
        &self,
        permit: &AccountPermit,
        store: Option<&StoreId>,
    ) -> Result<Vec<KeyRow>, StorageError> {
        let doing = "reading the keys of an account";
        let sql = concat!(
            "SELECT ",
            selected!(),
            " FROM keys WHERE account_id = $1 AND ($2 = '' OR store_id = $2) ORDER BY created_at, id"
        );
        sqlx::query(sql)
            .bind(permit.account().as_str())
            .bind(store.map_or("", StoreId::as_str))
            .try_map(|row| key(&row))
            .fetch_all(&self.read)
            .await
            .doing(doing)
    }

    /// Stores when keys were last used, unless a later use is stored already.
    pub async fn store_key_uses(&self, uses: &[(KeyId, Timestamp)]) -> Result<(), StorageError> {
        let doing = "storing the last use of keys";
        let mut tx = self.writer.begin(Party::System).await.doing(doing)?;
        for (id, at) in uses {
            let sql = "UPDATE keys SET last_used_at = $2 \
                       WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $2)";
            sqlx::query(sql)
                .bind(id.as_str())
                .bind(at.0)
                .execute(&mut *tx)
                .await
                .doing(doing)?;
        }
        tx.commit().await.doing(doing)
    }
}

impl Administration {
    /// Adds a key.
    pub async fn create_key(&mut self, key: &KeyRow) -> Result<(), StorageError> {
        insert(&mut self.tx, key).await
    }

    /// Deactivates a key at `at`; returns false if it was deactivated before or does not exist.
    pub async fn deactivate_key(
        &mut self,
        id: &KeyId,
        at: Timestamp,
    ) -> Result<bool, StorageError> {
        let sql = "UPDATE keys SET deactivated_at = $2 WHERE id = $1 AND deactivated_at IS NULL";
        let done = sqlx::query(sql)
            .bind(id.as_str())
            .bind(at.0)
            .execute(&mut *self.tx)
            .await
            .doing("deactivating a key")?;
        Ok(done.rows_affected() > 0)
    }
}

impl InstallationWrite {
    /// Returns the key `id` of the store.
    pub async fn key(&mut self, id: &KeyId) -> Result<Option<KeyRow>, StorageError> {
        let doing = "reading the key of an installation";
        let sql = concat!(
            "SELECT ",
            selected!(),
            " FROM keys WHERE id = $1 AND store_id = $2"
        );
        sqlx::query(sql)
            .bind(id.as_str())
            .bind(self.store.as_str())
            .try_map(|row| key(&row))
            .fetch_optional(&mut *self.tx)
            .await
            .doing(doing)
    }

    /// Adds a key of the store.
    pub async fn create_key(&mut self, key: &KeyRow) -> Result<(), StorageError> {
        insert(&mut self.tx, key).await
    }

    /// Sets the expiry of the key `id` of the store.
    pub async fn expire_key(&mut self, id: &KeyId, at: Timestamp) -> Result<(), StorageError> {
        sqlx::query("UPDATE keys SET expires_at = $3 WHERE id = $1 AND store_id = $2")
            .bind(id.as_str())
            .bind(self.store.as_str())
            .bind(at.0)
            .execute(&mut *self.tx)
            .await
            .doing("setting the expiry of a key")?;
        Ok(())
    }
}
