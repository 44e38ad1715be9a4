//! Statements on the declarations of a store.

use crate::error::{Doing, StorageError};
use crate::json::{json, text};
use crate::{ConfigurationView, FeedWrite, Storage};
use domain::access::MayRead;
use domain::declarations::{Declaration, DeclarationKind, Declarations};
use domain::{Permit, Timestamp};
use sqlx::Row;
use sqlx::any::AnyRow;

const DOING: &str = "reading the declarations of a store";
const SELECT: &str = "SELECT kind, body, revision FROM declarations WHERE store_id = $1";

/// Returns all declarations and their revision.
fn collect(rows: &[AnyRow]) -> Result<(Declarations, i64), sqlx::Error> {
    let mut all = Declarations::default();
    let mut revision = 0;
    for row in rows {
        let kind: String = row.try_get("kind")?;
        let kind = DeclarationKind::parse(&kind)
            .ok_or_else(|| sqlx::Error::Decode(format!("unknown declaration {kind}").into()))?;
        match kind {
            DeclarationKind::Currencies => all.currencies = Some(json(row, "body")?),
            DeclarationKind::PriceTiers => all.price_tiers = Some(json(row, "body")?),
            DeclarationKind::PriceCountries => all.price_countries = Some(json(row, "body")?),
            DeclarationKind::AccessGroups => all.access_groups = Some(json(row, "body")?),
        }
        revision = revision.max(row.try_get("revision")?);
    }
    Ok((all, revision))
}

impl Storage {
    /// Returns the declarations of the permitted store.
    pub async fn declarations(
        &self,
        permit: &Permit<impl MayRead>,
    ) -> Result<Declarations, StorageError> {
        let rows = sqlx::query(SELECT)
            .bind(permit.store().as_str())
            .fetch_all(&self.read)
            .await
            .doing(DOING)?;
        collect(&rows).map(|(all, _)| all).doing(DOING)
    }
}

impl ConfigurationView {
    /// Returns the declarations of the store.
    pub async fn declarations(&mut self) -> Result<Declarations, StorageError> {
        let rows = sqlx::query(SELECT)
            .bind(self.store.as_str())
            .fetch_all(&mut *self.tx)
            .await
            .doing(DOING)?;
        collect(&rows).map(|(all, _)| all).doing(DOING)
    }
}

impl FeedWrite {
    /// Returns the declarations of the store and their revision.
    pub async fn declarations(&mut self) -> Result<(Declarations, i64), StorageError> {
        let rows = sqlx::query(SELECT)
            .bind(self.store.as_str())
            .fetch_all(&mut *self.tx)
            .await
            .doing(DOING)?;
        collect(&rows).doing(DOING)
    }

    /// Saves a declaration of the store as `revision`, replacing the previous one of its kind.
    pub async fn save_declaration<T: Declaration>(
        &mut self,
        declaration: &T,
        revision: i64,
        at: Timestamp,
    ) -> Result<(), StorageError> {
        let doing = "saving a declaration";
        let sql = "INSERT INTO declarations (store_id, kind, body, revision, declared_at) VALUES ($1, $2, $3, $4, $5) \
                   ON CONFLICT (store_id, kind) DO UPDATE SET body = excluded.body, revision = excluded.revision, \
                   declared_at = excluded.declared_at";
        sqlx::query(sql)
            .bind(self.store.as_str())
            .bind(T::KIND.as_str())
            .bind(text(declaration, doing)?)
            .bind(revision)
            .bind(at.0)
            .execute(&mut *self.tx)
            .await
            .doing(doing)?;
        self.raise_version().await
    }
}
