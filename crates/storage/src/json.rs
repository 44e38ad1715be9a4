//! Values as JSON text in columns.

use crate::error::StorageError;
use sqlx::Row;
use sqlx::any::AnyRow;

/// Parses a column of JSON text.
pub(crate) fn json<T: serde::de::DeserializeOwned>(
    row: &AnyRow,
    column: &str,
) -> Result<T, sqlx::Error> {
    let text: String = row.try_get(column)?;
    serde_json::from_str(&text).map_err(|error| sqlx::Error::Decode(error.into()))
}

/// Serialises a value to JSON text.
pub(crate) fn text<T: serde::Serialize>(
    value: &T,
    doing: &'static str,
) -> Result<String, StorageError> {
    serde_json::to_string(value).map_err(|error| StorageError::damaged(doing, error))
}

/// Parses a column of JSON text that may be null.
pub(crate) fn optional_json<T: serde::de::DeserializeOwned>(
    row: &AnyRow,
    column: &str,
) -> Result<Option<T>, sqlx::Error> {
    let text: Option<String> = row.try_get(column)?;
    let value = text.map(|text| serde_json::from_str(&text)).transpose();
    value.map_err(|error| sqlx::Error::Decode(error.into()))
}
