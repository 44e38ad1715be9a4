//! Reads stores from rows.

use crate::json::{json, optional_json};
use domain::store::{PlanLimits, Store, StoreStatus};
use domain::{Language, StoreId, Timestamp};
use sqlx::Row;
use sqlx::any::AnyRow;

/// The columns that [`store`] reads.
macro_rules! columns {
    () => {
        "id, name, url, dev_url, status, platform, languages, plan, purge_breaker, impact_gate, config_revision, created_at"
    };
}
pub(crate) use columns;

/// Reads a store from a row with [`columns`].
pub(crate) fn store(row: &AnyRow) -> Result<Store, sqlx::Error> {
    let status: String = row.try_get("status")?;
    let languages: Vec<Language> = json(row, "languages")?;
    if languages.is_empty() {
        return Err(sqlx::Error::Decode("a store without a language".into()));
    }
    let plan: PlanLimits = json(row, "plan")?;
    Ok(Store {
        id: StoreId(row.try_get("id")?),
        name: row.try_get("name")?,
        url: row.try_get("url")?,
        dev_url: row.try_get("dev_url")?,
        status: StoreStatus::parse(&status)
            .ok_or_else(|| sqlx::Error::Decode(format!("unknown status {status}").into()))?,
        platform: row.try_get("platform")?,
        languages,
        plan,
        purge_breaker: row.try_get::<i64, _>("purge_breaker")? != 0,
        impact_gate: optional_json(row, "impact_gate")?,
        config_revision: row.try_get("config_revision")?,
        created_at: Timestamp(row.try_get("created_at")?),
    })
}
