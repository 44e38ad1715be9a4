//! Checks the database: its file, and the counters of every index against the documents.

use crate::Storage;
use crate::changes::live;
use crate::error::{Doing, StorageError};
use crate::indices::open;
use crate::locks::lock_index;
use crate::writer::Party;
use domain::IndexId;
use sqlx::Row;
use std::error::Error as _;

/// A difference between the counters of an index and its documents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongCounters {
    /// The index.
    pub index: IndexId,
    /// Description, such as `documents is 3, there are 2`.
    pub text: String,
}

impl Storage {
    /// Returns the damage that SQLite finds in its file, or that keeps it from looking; empty if there is none. The files of
    /// a server are for its own tools (`pg_amcheck`).
    pub async fn damages(&self) -> Result<Vec<String>, StorageError> {
        let doing = "checking the database";
        if self.is_on_server() {
            return Ok(Vec::new());
        }
        let rows = sqlx::query("PRAGMA integrity_check").fetch_all(&self.bulk);
        let rows = match rows.await.doing(doing) {
            Err(error) if error.is_damage() => {
                let cause = error.source().map(ToString::to_string);
                return Ok(vec![cause.unwrap_or_else(|| error.to_string())]);
            }
            rows => rows?,
        };
        let mut damages = Vec::new();
        for row in rows {
            let text: String = row.try_get(0).doing(doing)?;
            damages.extend((text != "ok").then_some(text));
        }
        Ok(damages)
    }

    /// Returns the indexes whose counters differ from their documents, or that lack texts.
    pub async fn wrong_counters(&self) -> Result<Vec<WrongCounters>, StorageError> {
        let doing = "checking the counters of indices";
        // A single statement reads a consistent snapshot.
        let sql = concat!(
            "SELECT i.id, i.documents, i.sequence, i.next_ordinal, COALESCE(SUM(CASE WHEN ",
            live!(),
            " THEN 1 ELSE 0 END), 0) AS live, \
                   COALESCE(MAX(d.seq), 0) AS highest, COALESCE(MAX(d.ordinal), -1) AS ordinal, \
                   COALESCE(SUM(CASE WHEN b.ordinal IS NULL AND ",
            live!(),
            " THEN 1 ELSE 0 END), 0) AS textless \
                   FROM indices i LEFT JOIN documents d ON d.index_id = i.id \
                   LEFT JOIN document_bodies b ON b.index_id = d.index_id AND b.ordinal = d.ordinal WHERE i.",
            open!(),
            " GROUP BY i.id, i.documents, i.sequence, i.next_ordinal ORDER BY i.id"
        );
        let rows = sqlx::query(sql).fetch_all(&self.bulk).await.doing(doing)?;
        let mut wrong = Vec::new();
        for row in rows {
            let number = |name: &str| row.try_get::<i64, _>(name).doing(doing);
            let index = IndexId(number("id")?);
            let mut note = |text: String| wrong.push(WrongCounters { index, text });
            let (documents, live) = (number("documents")?, number("live")?);
            if documents != live {
                note(format!("documents is {documents}, there are {live}"));
            }
            let (sequence, highest) = (number("sequence")?, number("highest")?);
            if sequence < highest {
                note(format!("sequence is {sequence}, a document has {highest}"));
            }
            let (next, ordinal) = (number("next_ordinal")?, number("ordinal")?);
            if next <= ordinal {
                note(format!(
                    "the next ordinal is {next}, a document has {ordinal}"
                ));
            }
            let textless = number("textless")?;
            if textless > 0 {
                note(format!("{textless} documents have no text"));
            }
        }
        Ok(wrong)
    }

    /// Recomputes the counters of an index from its documents.
    pub async fn repair_counters(&self, index: IndexId) -> Result<(), StorageError> {
        let doing = "repairing the counters of an index";
        let mut tx = self.writer.begin(Party::System).await.doing(doing)?;
        // A statement of its own: what the next ones count is as new as the lock.
        lock_index(&mut tx, index).await.doing(doing)?;
        let highest = "SELECT COALESCE(MAX(seq), 0), COALESCE(MAX(ordinal) + 1, 0) FROM documents WHERE index_id = $1";
        let row = sqlx::query(highest).bind(index.0).fetch_one(&mut *tx);
        let row = row.await.doing(doing)?;
        let sql = concat!(
            "UPDATE indices SET \
             documents = (SELECT COUNT(*) FROM documents d JOIN indices i ON i.id = d.index_id \
             WHERE d.index_id = $1 AND ",
            live!(),
            "), sequence = CASE WHEN sequence < $2 THEN $2 ELSE sequence END, \
             next_ordinal = CASE WHEN next_ordinal < $3 THEN $3 ELSE next_ordinal END WHERE id = $1"
        );
        sqlx::query(sql)
            .bind(index.0)
            .bind(row.try_get::<i64, _>(0).doing(doing)?)
            .bind(row.try_get::<i64, _>(1).doing(doing)?)
            .execute(&mut *tx)
            .await
            .doing(doing)?;
        tx.commit().await.doing(doing)
    }
}

#[cfg(test)]
mod tests {
    //! 1. An intact database has no damage; counters that differ from the documents are reported and repaired.

    use super::*;
    use crate::Database;

    #[tokio::test]
    async fn counters_are_compared_and_repaired() {
        let dir = tempfile::tempdir().expect("a directory");
        let storage = Storage::open(&Database::in_dir(dir.path()))
            .await
            .expect("opens");
        assert!(storage.damages().await.expect("checked").is_empty());
        for sql in [
            "PRAGMA foreign_keys = OFF",
            "INSERT INTO indices (id, store_id, type, language, sequence, writes, next_ordinal, documents, created_at, \
             updated_at) VALUES (7, 's', 'products', 'es', 1, 1, 1, 5, 0, 0)",
            "INSERT INTO documents (index_id, id, ordinal, rev, hash, body_hash, text_hash, seq, text_seq, written, \
             seen_run, deleted) VALUES (7, 'a', 3, 0, '', 0, 0, 4, 4, 1, 0, 0)",
            "INSERT INTO document_bodies (index_id, ordinal, body) VALUES (7, 3, '{}')",
        ] {
            let done = sqlx::query(sql).execute(&storage.writer.pool).await;
            done.unwrap_or_else(|error| panic!("{sql}: {error}"));
        }
        let wrong = storage.wrong_counters().await.expect("checked");
        let texts: Vec<&str> = wrong.iter().map(|wrong| wrong.text.as_str()).collect();
        let expected = [
            "documents is 5, there are 1",
            "sequence is 1, a document has 4",
            "the next ordinal is 1, a document has 3",
        ];
        assert_eq!(texts, expected);
        storage.repair_counters(IndexId(7)).await.expect("repaired");
        assert!(storage.wrong_counters().await.expect("checked").is_empty());
        storage.close().await;
    }
}
