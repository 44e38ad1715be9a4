//! Statements that mark documents as seen by a run, so that its purge keeps them.

use crate::error::{Doing, StorageError};
use crate::rows::{IDS_MAX, ROWS_MAX, placeholders, values};
use crate::{FeedWrite, IndexState};
use sqlx::any::AnyArguments;
use sqlx::query::Query;
use sqlx::{Any, AssertSqlSafe};

/// The assignments that mark a row. A row that an unfinished purge spares because the run of that purge saw it counts
/// as written after it, for the mark of the new run takes the place of the one that spared it.
macro_rules! mark {
    () => {
        "seen_run = $1, written = CASE WHEN d.written <= $2 THEN $3 ELSE d.written END"
    };
}

/// What [`FeedWrite::mark_unchanged`] marked.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Marked<'a> {
    /// Number of documents that were marked.
    pub count: u64,
    /// Ids that contain all those which were not marked, and perhaps some that were.
    pub unsure: Vec<&'a str>,
}

impl FeedWrite {
    /// Marks live documents of the index as seen by the run with number `run`, by ordinal.
    pub async fn mark_seen(
        &mut self,
        state: &IndexState,
        run: i64,
        ordinals: &[i64],
    ) -> Result<(), StorageError> {
        for part in ordinals.chunks(IDS_MAX) {
            let sql = format!(
                concat!(
                    "UPDATE documents AS d SET ",
                    mark!(),
                    " WHERE d.index_id = $4 AND d.ordinal IN ({})"
                ),
                placeholders(part.len(), 4)
            );
            let mut query = marking(self.tx.in_order(sql), state, run);
            for ordinal in part {
                query = query.bind(*ordinal);
            }
            query
                .execute(&mut *self.tx)
                .await
                .doing("marking documents as seen by a run")?;
        }
        Ok(())
    }

    /// Marks those documents as seen by the run with number `run` that are live, have the given hash and are not marked
    /// yet. `items` are pairs of an id and a hash, each id once.
    ///
    /// No row is read into the program for a document that is marked, so a block without changes costs its writes only.
    pub async fn mark_unchanged<'a>(
        &mut self,
        state: &IndexState,
        run: i64,
        items: &[(&'a str, &str)],
    ) -> Result<Marked<'a>, StorageError> {
        let mut marked = Marked::default();
        // One changed document makes all those of its statement doubtful, so statements stay small on a server, too.
        for part in items.chunks(ROWS_MAX) {
            let sql = self.tx.in_order(unchanged(part.len()));
            let mut query = marking(sql, state, run);
            for (id, _) in part {
                query = query.bind(*id);
            }
            for (id, hash) in part {
                query = query.bind(*id).bind(*hash);
            }
            let purging = state.purging.as_ref();
            let query = query
                .bind(run)
                .bind(state.cleared_writes)
                .bind(purging.map_or(i64::MIN, |purge| purge.opened_writes))
                .bind(purging.map_or(0, |purge| purge.run));
            let done = query.execute(&mut *self.tx).await;
            let count = done
                .doing("marking unchanged documents as seen by a run")?
                .rows_affected();
            marked.count += count;
            if count < part.len() as u64 {
                marked.unsure.extend(part.iter().map(|(id, _)| *id));
            }
        }
        Ok(marked)
    }
}

/// Returns the statement that marks those of `rows` documents which are live and have their hash.
///
/// The list of ids looks each row up by its key. Without it, by the pairs alone, SQLite reads the whole index.
fn unchanged(rows: usize) -> String {
    let last = 4 + 3 * rows;
    format!(
        concat!(
            "UPDATE documents AS d SET ",
            mark!(),
            " WHERE d.index_id = $4 AND d.id IN ({}) AND (d.id, d.hash) IN (VALUES {}) AND d.seen_run <> ${} \
             AND d.deleted = 0 AND d.written > ${} AND (d.written > ${} OR d.seen_run = ${})"
        ),
        placeholders(rows, 4),
        values(rows, &[], 4 + rows, 2),
        last + 1,
        last + 2,
        last + 3,
        last + 4,
    )
}

/// Returns the statement `sql` with the values of the assignments, and the index.
fn marking<'q>(sql: String, state: &IndexState, run: i64) -> Query<'q, Any, AnyArguments> {
    let purging = state.purging.as_ref();
    sqlx::query(AssertSqlSafe(sql))
        .bind(run)
        .bind(purging.map_or(i64::MIN, |purge| purge.opened_writes))
        .bind(purging.map_or(0, |purge| purge.written))
        .bind(state.id.0)
}

#[cfg(test)]
mod tests {
    //! 1. The statement that marks unchanged documents finds each by its key, and reads no other.
    //! 2. Its placeholders are in the order of their places.

    use super::*;
    use crate::Storage;
    use crate::rows::unnumbered;
    use sqlx::Row;

    #[tokio::test]
    async fn unchanged_documents_are_found_by_key() {
        let dir = tempfile::tempdir().expect("a directory");
        let storage = Storage::open(&crate::Database::in_dir(dir.path()))
            .await
            .expect("opens");
        for rows in [1, ROWS_MAX] {
            let plan = format!("EXPLAIN QUERY PLAN {}", unchanged(rows));
            let steps = sqlx::query(AssertSqlSafe(plan))
                .fetch_all(&storage.writer.pool)
                .await
                .expect("explains");
            let steps: Vec<String> = steps
                .iter()
                .map(|step| step.try_get("detail").expect("a text"))
                .collect();
            let by_key = |step: &String| step.contains("SEARCH d") && step.contains("AND id=?");
            assert!(steps.iter().any(by_key), "{steps:?}");
        }
        storage.close().await;
    }

    #[test]
    fn placeholders_are_in_order() {
        for rows in [1, 2, ROWS_MAX] {
            let sql = unnumbered(unchanged(rows));
            assert!(!sql.contains('$'), "{sql}");
        }
    }
}
