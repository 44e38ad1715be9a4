//! Statements on synonym groups.

use crate::error::{Doing, StorageError};
use crate::json::{json, text};
use crate::rows::{ROWS_MAX, values};
use crate::{ConfigurationView, ConfigurationWrite};
use domain::synonym::{Synonym, SynonymGroup, SynonymQuery, SynonymType};
use domain::{Language, Message, StoreId, SynonymId, Timestamp};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AssertSqlSafe, Row};
use std::collections::HashSet;

const COLUMNS: &str =
    "id, language, type, input, terms, alternatives, active, created_at, updated_at";

/// A group with the key to detect duplicates: two groups of one language are duplicates if it is equal.
#[derive(Clone, Debug)]
pub struct SynonymRow {
    /// The group.
    pub synonym: Synonym,
    /// See [`SynonymGroup::duplicate_key`].
    pub duplicate_key: String,
}

fn synonym(row: &AnyRow) -> Result<Synonym, sqlx::Error> {
    let wrong = |what: Message| sqlx::Error::Decode(what.into());
    let kind: String = row.try_get("type")?;
    let language: String = row.try_get("language")?;
    let group = SynonymGroup {
        language: Language::parse(&language).map_err(wrong)?,
        kind: SynonymType::parse(&kind)
            .ok_or_else(|| sqlx::Error::Decode(format!("unknown type {kind}").into()))?,
        input: row.try_get("input")?,
        terms: json(row, "terms")?,
        alternatives: json(row, "alternatives")?,
        active: row.try_get::<i64, _>("active")? != 0,
    };
    Ok(Synonym {
        id: SynonymId(row.try_get("id")?),
        group,
        created_at: Timestamp(row.try_get("created_at")?),
        updated_at: Timestamp(row.try_get("updated_at")?),
    })
}

async fn find(
    connection: &mut AnyConnection,
    store: &StoreId,
    id: &SynonymId,
) -> Result<Option<Synonym>, StorageError> {
    let doing = "reading a synonym group";
    let sql = format!("SELECT {COLUMNS} FROM synonyms WHERE store_id = $1 AND id = $2");
    sqlx::query(AssertSqlSafe(sql))
        .bind(store.as_str())
        .bind(id.as_str())
        .try_map(|row| synonym(&row))
        .fetch_optional(connection)
        .await
        .doing(doing)
}

/// Returns the duplicate keys of all groups of `language`.
async fn duplicate_keys(
    connection: &mut AnyConnection,
    store: &StoreId,
    language: &Language,
) -> Result<HashSet<String>, StorageError> {
    let doing = "reading the duplicate keys of synonym groups";
    sqlx::query("SELECT likeness FROM synonyms WHERE store_id = $1 AND language = $2")
        .bind(store.as_str())
        .bind(language.as_str())
        .fetch_all(connection)
        .await
        .doing(doing)?
        .iter()
        .map(|row| row.try_get(0).doing(doing))
        .collect()
}

/// Returns the texts of a group in lower case, one per line, so that no search matches across two of them.
pub(crate) fn search_text(group: &SynonymGroup) -> String {
    let texts: Vec<&str> = group
        .input
        .iter()
        .chain(&group.terms)
        .map(String::as_str)
        .collect();
    texts.join("\n").to_lowercase()
}

/// Returns the `LIKE` pattern of texts that contain `text`.
fn pattern(text: &str) -> String {
    let mut pattern = String::from("%");
    for character in text.to_lowercase().chars() {
        if matches!(character, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(character);
    }
    pattern.push('%');
    pattern
}

/// The condition of a list; `$1` is the store.
const FILTERED: &str = "store_id = $1 AND ($2 = '' OR language = $2) AND ($3 = '' OR type = $3) \
                     AND ($4 < 0 OR active = $4) AND searched LIKE $5 ESCAPE '\\'";

/// Binds the query of a list to the placeholders of [`FILTERED`].
macro_rules! filtered {
    ($sql:expr, $store:expr, $query:expr) => {
        sqlx::query(AssertSqlSafe($sql))
            .bind($store.as_str())
            .bind($query.lang.as_ref().map_or("", Language::as_str))
            .bind($query.kind.map_or("", SynonymType::as_str))
            .bind($query.active.map_or(-1, i64::from))
            .bind(pattern($query.q.as_deref().unwrap_or_default()))
    };
}

impl ConfigurationView {
    /// Returns the groups that `query` selects, in order of creation; all, or the page with this number and size.
    pub async fn synonyms(
        &mut self,
        query: &SynonymQuery,
        page: Option<(u32, u32)>,
    ) -> Result<Vec<Synonym>, StorageError> {
        let doing = "reading the synonym groups of a store";
        let (number, limit) = page.map_or((1, i64::MAX), |(n, limit)| (n, i64::from(limit)));
        let offset = i64::from(number.saturating_sub(1)).saturating_mul(limit);
        let sql = format!(
            "SELECT {COLUMNS} FROM synonyms WHERE {FILTERED} ORDER BY number LIMIT $6 OFFSET $7"
        );
        filtered!(sql, self.store, query)
            .bind(limit)
            .bind(offset)
            .try_map(|row| synonym(&row))
            .fetch_all(&mut *self.tx)
            .await
            .doing(doing)
    }

    /// Returns the number of groups that `query` selects, on all pages.
    pub async fn synonym_count(&mut self, query: &SynonymQuery) -> Result<u64, StorageError> {
        let doing = "counting the synonym groups of a store";
        let sql = format!("SELECT COUNT(*) FROM synonyms WHERE {FILTERED}");
        let row = filtered!(sql, self.store, query)
            .fetch_one(&mut *self.tx)
            .await
            .doing(doing)?;
        Ok(row.try_get::<i64, _>(0).doing(doing)?.unsigned_abs())
    }

    /// Returns the group `id`.
    pub async fn synonym(&mut self, id: &SynonymId) -> Result<Option<Synonym>, StorageError> {
        find(&mut self.tx, &self.store, id).await
    }

    /// Returns the keys of all groups of `language`.
    pub async fn synonym_duplicate_keys(
        &mut self,
        language: &Language,
    ) -> Result<HashSet<String>, StorageError> {
        duplicate_keys(&mut self.tx, &self.store, language).await
    }
}

impl ConfigurationWrite {
    /// Returns all groups as of this transaction with their keys to detect duplicates, in order of creation.
    pub async fn synonyms(&mut self) -> Result<Vec<SynonymRow>, StorageError> {
        let doing = "reading the synonym groups of a store";
        let sql =
            format!("SELECT {COLUMNS}, likeness FROM synonyms WHERE store_id = $1 ORDER BY number");
        sqlx::query(AssertSqlSafe(sql))
            .bind(self.before.id.as_str())
            .try_map(|row| {
                Ok(SynonymRow {
                    synonym: synonym(&row)?,
                    duplicate_key: row.try_get("likeness")?,
                })
            })
            .fetch_all(&mut *self.tx)
            .await
            .doing(doing)
    }

    /// Returns the group `id` as of this transaction.
    pub async fn synonym(&mut self, id: &SynonymId) -> Result<Option<Synonym>, StorageError> {
        find(&mut self.tx, &self.before.id, id).await
    }

    /// Returns the group of `language` with this key.
    pub async fn find_duplicate_synonym(
        &mut self,
        language: &Language,
        likeness: &str,
    ) -> Result<Option<SynonymId>, StorageError> {
        let doing = "looking for a duplicate synonym group";
        let sql = "SELECT id FROM synonyms WHERE store_id = $1 AND language = $2 AND likeness = $3";
        sqlx::query(sql)
            .bind(self.before.id.as_str())
            .bind(language.as_str())
            .bind(likeness)
            .try_map(|row: AnyRow| row.try_get(0).map(SynonymId))
            .fetch_optional(&mut *self.tx)
            .await
            .doing(doing)
    }

    /// Returns the number of groups of `language`.
    pub async fn synonym_count(&mut self, language: &Language) -> Result<u64, StorageError> {
        let doing = "counting the synonym groups of a store";
        let sql = "SELECT COUNT(*) FROM synonyms WHERE store_id = $1 AND language = $2";
        let count: i64 = sqlx::query(sql)
            .bind(self.before.id.as_str())
            .bind(language.as_str())
            .fetch_one(&mut *self.tx)
            .await
            .and_then(|row| row.try_get(0))
            .doing(doing)?;
        Ok(count.unsigned_abs())
    }

    /// Returns the keys of all groups of `language`.
    pub async fn synonym_duplicate_keys(
        &mut self,
        language: &Language,
    ) -> Result<HashSet<String>, StorageError> {
        duplicate_keys(&mut self.tx, &self.before.id, language).await
    }

    /// Appends groups after all existing ones.
    pub async fn add_synonyms(&mut self, rows: &[SynonymRow]) -> Result<(), StorageError> {
        let doing = "adding synonym groups";
        self.keep_absent(rows).await?;
        // A number is never used again, so that a deleted group can return to its place.
        let sql = "UPDATE stores SET synonyms_made = synonyms_made + $2 WHERE id = $1 \
                   RETURNING synonyms_made - $2";
        let mut number: i64 = sqlx::query(sql)
            .bind(self.before.id.as_str())
            .bind(i64::try_from(rows.len()).unwrap_or(i64::MAX))
            .fetch_one(&mut *self.tx)
            .await
            .and_then(|row| row.try_get(0))
            .doing(doing)?;
        for rows in rows.chunks(ROWS_MAX) {
            let sql = format!(
                "INSERT INTO synonyms (store_id, id, number, language, type, input, terms, alternatives, active, \
                 likeness, searched, created_at, updated_at) VALUES {}",
                values(rows.len(), &[1], 1, 12)
            );
            let mut query = sqlx::query(AssertSqlSafe(sql)).bind(self.before.id.as_str());
            for SynonymRow {
                synonym,
                duplicate_key: likeness,
            } in rows
            {
                let group = &synonym.group;
                number += 1;
                query = query
                    .bind(synonym.id.as_str())
                    .bind(number)
                    .bind(group.language.as_str())
                    .bind(group.kind.as_str())
                    .bind(group.input.as_deref())
                    .bind(text(&group.terms, doing)?)
                    .bind(text(&group.alternatives, doing)?)
                    .bind(i64::from(group.active))
                    .bind(likeness.as_str())
                    .bind(search_text(group))
                    .bind(synonym.created_at.0)
                    .bind(synonym.updated_at.0);
            }
            query.execute(&mut *self.tx).await.doing(doing)?;
        }
        Ok(())
    }

    /// Updates a group. Its language and date of creation do not change.
    pub async fn save_synonym(&mut self, row: &SynonymRow) -> Result<(), StorageError> {
        let doing = "saving a synonym group";
        self.keep_synonym(&row.synonym.id).await?;
        let group = &row.synonym.group;
        let sql = "UPDATE synonyms SET type = $3, input = $4, terms = $5, alternatives = $6, active = $7, \
                   likeness = $8, searched = $9, updated_at = $10 WHERE store_id = $1 AND id = $2";
        sqlx::query(sql)
            .bind(self.before.id.as_str())
            .bind(row.synonym.id.as_str())
            .bind(group.kind.as_str())
            .bind(group.input.as_deref())
            .bind(text(&group.terms, doing)?)
            .bind(text(&group.alternatives, doing)?)
            .bind(i64::from(group.active))
            .bind(row.duplicate_key.as_str())
            .bind(search_text(group))
            .bind(row.synonym.updated_at.0)
            .execute(&mut *self.tx)
            .await
            .doing(doing)?;
        Ok(())
    }

    /// Deletes the group `id`.
    pub async fn remove_synonym(&mut self, id: &SynonymId) -> Result<(), StorageError> {
        self.keep_synonym(id).await?;
        sqlx::query("DELETE FROM synonyms WHERE store_id = $1 AND id = $2")
            .bind(self.before.id.as_str())
            .bind(id.as_str())
            .execute(&mut *self.tx)
            .await
            .doing("deleting a synonym group")?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::pattern;

    #[test]
    fn wildcards_are_escaped() {
        assert_eq!(pattern(""), "%%");
        assert_eq!(pattern("50%_Ñ\\"), "%50\\%\\_ñ\\\\%");
    }
}
