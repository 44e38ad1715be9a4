//! Statements on rules.

use crate::error::{Doing, StorageError};
use crate::json::{json, text};
use crate::{ConfigurationView, ConfigurationWrite};
use domain::rule::Rule;
use domain::{Language, RuleId, StoreId, Timestamp};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

fn rule(row: &AnyRow) -> Result<Rule, sqlx::Error> {
    Ok(Rule {
        id: RuleId(row.try_get("id")?),
        content: json(row, "content")?,
        created_at: Timestamp(row.try_get("created_at")?),
        updated_at: Timestamp(row.try_get("updated_at")?),
    })
}

async fn find(
    connection: &mut AnyConnection,
    store: &StoreId,
    id: &RuleId,
) -> Result<Option<Rule>, StorageError> {
    let doing = "reading a rule";
    let sql =
        "SELECT id, content, created_at, updated_at FROM rules WHERE store_id = $1 AND id = $2";
    sqlx::query(sql)
        .bind(store.as_str())
        .bind(id.as_str())
        .try_map(|row| rule(&row))
        .fetch_optional(connection)
        .await
        .doing(doing)
}

async fn list(
    connection: &mut AnyConnection,
    store: &StoreId,
    language: Option<&Language>,
) -> Result<Vec<Rule>, StorageError> {
    let doing = "reading the rules of a store";
    let sql = "SELECT id, content, created_at, updated_at FROM rules \
               WHERE store_id = $1 AND ($2 = '' OR language = $2) ORDER BY created_at, id";
    sqlx::query(sql)
        .bind(store.as_str())
        .bind(language.map_or("", Language::as_str))
        .try_map(|row| rule(&row))
        .fetch_all(connection)
        .await
        .doing(doing)
}

impl ConfigurationView {
    /// Returns the rules of one language, or of all, the oldest first.
    pub async fn rules(&mut self, language: Option<&Language>) -> Result<Vec<Rule>, StorageError> {
        list(&mut self.tx, &self.store, language).await
    }

    /// Returns the rule `id`.
    pub async fn rule(&mut self, id: &RuleId) -> Result<Option<Rule>, StorageError> {
        find(&mut self.tx, &self.store, id).await
    }
}

impl ConfigurationWrite {
    /// Returns all rules as of this transaction, the oldest first.
    pub async fn rules(&mut self) -> Result<Vec<Rule>, StorageError> {
        list(&mut self.tx, &self.before.id, None).await
    }

    /// Returns the rule `id` as of this transaction.
    pub async fn rule(&mut self, id: &RuleId) -> Result<Option<Rule>, StorageError> {
        find(&mut self.tx, &self.before.id, id).await
    }

    /// Returns the number of rules of `language`.
    pub async fn rule_count(&mut self, language: &Language) -> Result<u64, StorageError> {
        let doing = "counting the rules of a store";
        let sql = "SELECT COUNT(*) FROM rules WHERE store_id = $1 AND language = $2";
        let row = sqlx::query(sql)
            .bind(self.before.id.as_str())
            .bind(language.as_str())
            .fetch_one(&mut *self.tx)
            .await
            .doing(doing)?;
        Ok(row.try_get::<i64, _>(0).doing(doing)?.unsigned_abs())
    }

    /// Inserts or updates a rule.
    pub async fn save_rule(&mut self, rule: &Rule) -> Result<(), StorageError> {
        let doing = "saving a rule";
        self.keep_rule(&rule.id).await?;
        let sql = "INSERT INTO rules (id, store_id, language, content, created_at, updated_at) \
                   VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (id) DO UPDATE SET \
                   language = excluded.language, content = excluded.content, updated_at = excluded.updated_at \
                   WHERE rules.store_id = excluded.store_id";
        sqlx::query(sql)
            .bind(rule.id.as_str())
            .bind(self.before.id.as_str())
            .bind(rule.content.language.as_str())
            .bind(text(&rule.content, doing)?)
            .bind(rule.created_at.0)
            .bind(rule.updated_at.0)
            .execute(&mut *self.tx)
            .await
            .doing(doing)?;
        Ok(())
    }

    /// Deletes the rule `id`.
    pub async fn remove_rule(&mut self, id: &RuleId) -> Result<(), StorageError> {
        self.keep_rule(id).await?;
        sqlx::query("DELETE FROM rules WHERE store_id = $1 AND id = $2")
            .bind(self.before.id.as_str())
            .bind(id.as_str())
            .execute(&mut *self.tx)
            .await
            .doing("deleting a rule")?;
        Ok(())
    }
}
