//! Statements on the declarations of a store.

use crate::error::{Doing, StorageError};
use crate::json::{json, text};
use crate::{ConfigurationView, ConfigurationWrite, FeedWrite, Storage};
use domain::access::MayRead;
use domain::declarations::{
    Currencies, Declaration, DeclarationKind, DeclarationOrigin, Declarations,
};
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
        origin: DeclarationOrigin,
        revision: i64,
        at: Timestamp,
    ) -> Result<(), StorageError> {
        let doing = "saving a declaration";
        let sql = "INSERT INTO declarations (store_id, kind, body, revision, declared_at, origin) \
                   VALUES ($1, $2, $3, $4, $5, $6) \
                   ON CONFLICT (store_id, kind) DO UPDATE SET body = excluded.body, revision = excluded.revision, \
                   declared_at = excluded.declared_at, origin = excluded.origin";
        sqlx::query(sql)
            .bind(self.store.as_str())
            .bind(T::KIND.as_str())
            .bind(text(declaration, doing)?)
            .bind(revision)
            .bind(at.0)
            .bind(origin.as_str())
            .execute(&mut *self.tx)
            .await
            .doing(doing)?;
        self.raise_version().await
    }

    /// Makes a declaration that the settings or an import made one of the connector, which has declared the same; returns
    /// whether it was none.
    pub async fn claim_declaration(&mut self, kind: DeclarationKind) -> Result<bool, StorageError> {
        let sql = "UPDATE declarations SET origin = $3 WHERE store_id = $1 AND kind = $2 AND origin <> $3";
        let claimed = sqlx::query(sql)
            .bind(self.store.as_str())
            .bind(kind.as_str())
            .bind(DeclarationOrigin::Connector.as_str())
            .execute(&mut *self.tx)
            .await
            .doing("saving a declaration")?;
        Ok(claimed.rows_affected() > 0)
    }
}

impl ConfigurationWrite {
    /// Returns the base currency of the store.
    pub async fn base_currency(&mut self) -> Result<Option<String>, StorageError> {
        let rows = sqlx::query(SELECT)
            .bind(self.before.id.as_str())
            .fetch_all(&mut *self.tx)
            .await
            .doing(DOING)?;
        let (declared, _) = collect(&rows).doing(DOING)?;
        Ok(declared.base_currency().map(str::to_owned))
    }

    /// Saves the currencies of the store as declared in its settings; returns false, and changes nothing, if a connector
    /// has declared some.
    ///
    /// The condition is part of the statement, so that a connector that declares at the same moment is never overruled.
    pub async fn save_currencies(
        &mut self,
        declaration: &Currencies,
        at: Timestamp,
    ) -> Result<bool, StorageError> {
        let doing = "saving the currency of a store";
        let sql = "INSERT INTO declarations (store_id, kind, body, revision, declared_at, origin) VALUES ($1, $2, $3, \
                   (SELECT COALESCE(MAX(revision), 0) + 1 FROM declarations WHERE store_id = $1), $4, $5) \
                   ON CONFLICT (store_id, kind) DO UPDATE SET body = excluded.body, revision = excluded.revision, \
                   declared_at = excluded.declared_at, origin = excluded.origin \
                   WHERE declarations.origin <> 'connector'";
        let saved = sqlx::query(sql)
            .bind(self.before.id.as_str())
            .bind(DeclarationKind::Currencies.as_str())
            .bind(text(declaration, doing)?)
            .bind(at.0)
            .bind(DeclarationOrigin::Settings.as_str())
            .execute(&mut *self.tx)
            .await
            .doing(doing)?;
        Ok(saved.rows_affected() == 1)
    }
}
