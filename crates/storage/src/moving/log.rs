//! Moves the search log, which has a database of its own.

use super::rows::TablePages;
use super::tables::LOG_TABLES;
use super::{MoveReport, MovedTable};
use crate::Database;
use crate::analytics::Pools;
use crate::error::StorageError;

/// Copies the search log of `source`, of which nothing may change meanwhile, into `target`, and compares all rows. Without
/// `is_begun`, the target must be empty.
///
/// Errors: if one of them cannot be opened, the target holds a log already, or a row differs at the end.
pub async fn move_log(
    source: &Database,
    target: &Database,
    is_begun: bool,
    report: MoveReport<'_>,
) -> Result<Vec<MovedTable>, StorageError> {
    let from = Pools::open(source).await?;
    let moved = match Pools::open(target).await {
        Ok(to) => {
            let moved = between(&from, &to, source, target, is_begun, report).await;
            to.close().await;
            moved
        }
        Err(error) => Err(error),
    };
    from.close().await;
    moved
}

async fn between(
    from: &Pools,
    to: &Pools,
    source: &Database,
    target: &Database,
    is_begun: bool,
    report: MoveReport<'_>,
) -> Result<Vec<MovedTable>, StorageError> {
    let mut pages = Vec::new();
    for table in LOG_TABLES {
        let table = TablePages::new(table, &from.read, source.dialect()).await?;
        if !is_begun && !table.is_empty(&to.read).await? {
            let reason = "it holds a search log already; a move needs a new one";
            return Err(StorageError::unsuitable(target, reason));
        }
        pages.push(table);
    }
    let mut moved = Vec::new();
    for table in &pages {
        table.copy(&from.read, &to.write, report).await?;
        let compared = table.compare(&from.read, &to.read, report).await?;
        moved.push(compared.ok_or_else(|| {
            let reason = "its search log differs from the source, which was changed meanwhile; begin with a new one";
            StorageError::unsuitable(target, reason)
        })?);
    }
    Ok(moved)
}
