//! Statements on the client headers of connectors.

use crate::error::{Doing, StorageError};
use crate::{ConfigurationView, FeedWrite, Storage};
use domain::access::MayRead;
use domain::{Permit, StoreId, Timestamp};
use sqlx::{AnyConnection, Row};

/// The client header of a store's connector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConnectorRow {
    /// The header as sent.
    pub client: String,
    /// Version of the module.
    pub module_version: Option<String>,
    /// Version of the platform.
    pub platform_version: Option<String>,
    /// Version of PHP.
    pub php_version: Option<String>,
    /// When it was last seen.
    pub seen_at: Timestamp,
}

impl Storage {
    /// Returns the last client header of the permitted store's connector; `None` if it was never seen.
    pub async fn connector(
        &self,
        permit: &Permit<impl MayRead>,
    ) -> Result<Option<ConnectorRow>, StorageError> {
        let doing = "reading the connector of a store";
        let mut connection = self.read.acquire().await.doing(doing)?;
        of_store(&mut connection, permit.store()).await.doing(doing)
    }
}

impl ConfigurationView {
    /// Returns the last client header of the store's connector; `None` if it was never seen.
    pub async fn connector(&mut self) -> Result<Option<ConnectorRow>, StorageError> {
        let read = of_store(&mut self.tx, &self.store).await;
        read.doing("reading the connector of a store")
    }
}

async fn of_store(
    connection: &mut AnyConnection,
    store: &StoreId,
) -> Result<Option<ConnectorRow>, sqlx::Error> {
    let sql = "SELECT client, module_version, platform_version, php_version, seen_at \
               FROM connectors WHERE store_id = $1";
    let row = sqlx::query(sql)
        .bind(store.as_str())
        .fetch_optional(connection)
        .await?;
    row.map(|row| {
        Ok(ConnectorRow {
            client: row.try_get("client")?,
            module_version: row.try_get("module_version")?,
            platform_version: row.try_get("platform_version")?,
            php_version: row.try_get("php_version")?,
            seen_at: Timestamp(row.try_get("seen_at")?),
        })
    })
    .transpose()
}

impl FeedWrite {
    /// Saves the client header of the store's connector, unless a later one is saved.
    pub async fn save_connector(&mut self, connector: &ConnectorRow) -> Result<(), StorageError> {
        let sql = "INSERT INTO connectors (store_id, client, module_version, platform_version, php_version, seen_at) \
                   VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (store_id) DO UPDATE SET client = excluded.client, \
                   module_version = excluded.module_version, platform_version = excluded.platform_version, \
                   php_version = excluded.php_version, seen_at = excluded.seen_at \
                   WHERE connectors.seen_at <= excluded.seen_at";
        sqlx::query(sql)
            .bind(self.store.as_str())
            .bind(connector.client.as_str())
            .bind(connector.module_version.as_deref())
            .bind(connector.platform_version.as_deref())
            .bind(connector.php_version.as_deref())
            .bind(connector.seen_at.0)
            .execute(&mut *self.tx)
            .await
            .doing("saving the connector of a store")?;
        Ok(())
    }
}
