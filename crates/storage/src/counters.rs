//! Counters whose numbers are taken once.

use crate::error::{Doing, StorageError};
use sqlx::{AnyConnection, Row};

/// Returns the next number of the counter `name`.
pub(crate) async fn next(
    connection: &mut AnyConnection,
    name: &'static str,
) -> Result<i64, StorageError> {
    let doing = "taking the next number of a counter";
    sqlx::query("UPDATE counters SET value = value + 1 WHERE name = $1 RETURNING value")
        .bind(name)
        .fetch_one(connection)
        .await
        .and_then(|row| row.try_get(0))
        .doing(doing)
}
