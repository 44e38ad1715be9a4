//! Former states of a configuration: what each revision replaced, from which every later state can be restored.

use crate::error::{Doing, StorageError};
use crate::json::text;
use crate::rows::{ROWS_MAX, values};
use crate::synonyms::search_text;
use crate::{ConfigurationView, ConfigurationWrite, SynonymRow};
use domain::filter::{Filter, FilterContent};
use domain::relevance::Overrides;
use domain::rule::{Rule, RuleContent};
use domain::synonym::{Synonym, SynonymGroup};
use domain::widget::SavedWidget;
use domain::widget::custom_code::CUSTOM_CODE;
use domain::{FilterId, RuleId, StoreId, SynonymId, Timestamp};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sqlx::{AnyConnection, AssertSqlSafe, Row};

/// The state that a resource had.
#[derive(Clone, Debug, PartialEq)]
pub enum FormerState {
    /// The relevance.
    Relevance(Overrides),
    /// The widget.
    Widget(SavedWidget),
    /// Name and development URL of the store.
    Store {
        /// Its name.
        name: String,
        /// Its development URL.
        dev_url: String,
    },
    /// A synonym group with its number, which keeps its place among all groups.
    Synonym(i64, Synonym),
    /// A rule.
    Rule(Rule),
    /// A filter.
    Filter(Filter),
}

/// A resource that was written after a revision.
#[derive(Clone, Debug, PartialEq)]
pub struct FormerResource {
    /// The resource, such as `relevance` or `rules/<id>`.
    pub resource: String,
    /// Its state right after the revision; `None` if it did not exist.
    pub state: Option<FormerState>,
}

/// The last revision that wrote a resource.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the fields are those of the revision")]
pub struct LastWrite {
    pub resource: String,
    pub revision: i64,
}

/// A record as it is kept.
#[derive(Serialize, Deserialize)]
struct Kept<C> {
    content: C,
    created: i64,
    updated: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    number: Option<i64>,
}

impl<C> Kept<C> {
    fn new(content: C, created_at: Timestamp, updated_at: Timestamp) -> Self {
        Self {
            content,
            created: created_at.0,
            updated: updated_at.0,
            number: None,
        }
    }
}

/// Name and development URL as they are kept.
#[derive(Serialize, Deserialize)]
struct KeptStore {
    name: String,
    dev_url: String,
}

impl FormerState {
    fn to_text(&self) -> Result<String, StorageError> {
        let doing = "keeping a former state";
        match self {
            Self::Relevance(overrides) => text(overrides, doing),
            Self::Widget(widget) => text(widget, doing),
            Self::Store { name, dev_url } => text(
                &KeptStore {
                    name: name.clone(),
                    dev_url: dev_url.clone(),
                },
                doing,
            ),
            Self::Synonym(number, synonym) => {
                let kept = Kept::new(&synonym.group, synonym.created_at, synonym.updated_at);
                let number = Some(*number);
                text(&Kept { number, ..kept }, doing)
            }
            Self::Rule(rule) => {
                let kept = Kept::new(&rule.content, rule.created_at, rule.updated_at);
                text(&kept, doing)
            }
            Self::Filter(filter) => {
                let kept = Kept::new(&filter.content, filter.created_at, filter.updated_at);
                text(&kept, doing)
            }
        }
    }

    fn parse(resource: &str, content: &str) -> Result<Self, sqlx::Error> {
        let wrong = |what: String| sqlx::Error::Decode(what.into());
        let unknown = || wrong(format!("unknown resource {resource}"));
        Ok(match resource.split_once('/') {
            None if resource == "relevance" => Self::Relevance(parsed(content)?),
            None if resource == "widget" => Self::Widget(parsed(content)?),
            None if resource == "store" => {
                let KeptStore { name, dev_url } = parsed(content)?;
                Self::Store { name, dev_url }
            }
            Some(("synonyms", id)) => {
                let kept: Kept<SynonymGroup> = parsed(content)?;
                let synonym = Synonym {
                    id: SynonymId(id.to_owned()),
                    group: kept.content,
                    created_at: Timestamp(kept.created),
                    updated_at: Timestamp(kept.updated),
                };
                Self::Synonym(kept.number.ok_or_else(unknown)?, synonym)
            }
            Some(("rules", id)) => {
                let kept: Kept<RuleContent> = parsed(content)?;
                Self::Rule(Rule {
                    id: RuleId(id.to_owned()),
                    content: kept.content,
                    created_at: Timestamp(kept.created),
                    updated_at: Timestamp(kept.updated),
                })
            }
            Some(("filters", id)) => {
                let kept: Kept<FilterContent> = parsed(content)?;
                Self::Filter(Filter {
                    id: FilterId(id.to_owned()),
                    content: kept.content,
                    created_at: Timestamp(kept.created),
                    updated_at: Timestamp(kept.updated),
                })
            }
            _ => return Err(unknown()),
        })
    }
}

fn parsed<T: DeserializeOwned>(content: &str) -> Result<T, sqlx::Error> {
    serde_json::from_str(content).map_err(|error| sqlx::Error::Decode(error.into()))
}

async fn states_after(
    connection: &mut AnyConnection,
    store: &StoreId,
    revision: i64,
) -> Result<Vec<FormerResource>, StorageError> {
    let doing = "reading the state after a revision";
    // What a resource was after a revision is what the next write of it replaced.
    let sql = "SELECT f.resource, f.content FROM former_states f WHERE f.store_id = $1 AND f.resource <> $3 AND f.revision = \
               (SELECT MIN(n.revision) FROM former_states n \
               WHERE n.store_id = f.store_id AND n.resource = f.resource AND n.revision > $2) ORDER BY f.resource";
    let rows = sqlx::query(sql)
        .bind(store.as_str())
        .bind(revision)
        .bind(CUSTOM_CODE)
        .fetch_all(connection)
        .await
        .doing(doing)?;
    let read = rows.iter().map(|row| {
        let resource: String = row.try_get("resource")?;
        let content: Option<String> = row.try_get("content")?;
        let state = content
            .map(|content| FormerState::parse(&resource, &content))
            .transpose()?;
        Ok(FormerResource { resource, state })
    });
    read.collect::<Result<_, _>>().doing(doing)
}

async fn restorable_from(
    connection: &mut AnyConnection,
    store: &StoreId,
) -> Result<i64, StorageError> {
    let doing = "reading the first revision that can be restored";
    sqlx::query("SELECT restorable_from FROM stores WHERE id = $1")
        .bind(store.as_str())
        .fetch_one(connection)
        .await
        .and_then(|row| row.try_get(0))
        .doing(doing)
}

async fn writes_after(
    connection: &mut AnyConnection,
    store: &StoreId,
    revision: i64,
) -> Result<Vec<LastWrite>, StorageError> {
    let doing = "reading the last writes of resources";
    let sql = "SELECT resource, MAX(revision) FROM former_states \
               WHERE store_id = $1 AND revision > $2 GROUP BY resource ORDER BY resource";
    let rows = sqlx::query(sql)
        .bind(store.as_str())
        .bind(revision)
        .fetch_all(connection)
        .await
        .doing(doing)?;
    let read = rows.iter().map(|row| {
        Ok(LastWrite {
            resource: row.try_get(0)?,
            revision: row.try_get(1)?,
        })
    });
    read.collect::<Result<_, sqlx::Error>>().doing(doing)
}

async fn last_write(
    connection: &mut AnyConnection,
    store: &StoreId,
    resource: &str,
) -> Result<Option<i64>, StorageError> {
    let sql = "SELECT MAX(revision) FROM former_states WHERE store_id = $1 AND resource = $2";
    sqlx::query(sql)
        .bind(store.as_str())
        .bind(resource)
        .fetch_one(connection)
        .await
        .and_then(|row| row.try_get(0))
        .doing("reading the last write of a resource")
}

impl ConfigurationView {
    /// Returns the last revision that wrote each resource written after `revision`.
    pub async fn writes_after(&mut self, revision: i64) -> Result<Vec<LastWrite>, StorageError> {
        writes_after(&mut self.tx, &self.store, revision).await
    }

    /// Returns the number of the last revision that wrote `resource`, if that is known.
    pub async fn last_write(&mut self, resource: &str) -> Result<Option<i64>, StorageError> {
        last_write(&mut self.tx, &self.store, resource).await
    }

    /// Returns the state right after `revision` of every resource that was written since.
    pub async fn states_after(
        &mut self,
        revision: i64,
    ) -> Result<Vec<FormerResource>, StorageError> {
        states_after(&mut self.tx, &self.store, revision).await
    }

    /// Returns the first revision whose state can be restored.
    pub async fn restorable_from(&mut self) -> Result<i64, StorageError> {
        restorable_from(&mut self.tx, &self.store).await
    }
}

impl ConfigurationWrite {
    /// Returns the state right after `revision` of every resource that was written since, as of this transaction; that of
    /// custom code is [`custom_code_after`](Self::custom_code_after).
    pub async fn states_after(
        &mut self,
        revision: i64,
    ) -> Result<Vec<FormerResource>, StorageError> {
        states_after(&mut self.tx, &self.before.id, revision).await
    }

    /// Returns the first revision whose state can be restored.
    pub async fn restorable_from(&mut self) -> Result<i64, StorageError> {
        restorable_from(&mut self.tx, &self.before.id).await
    }

    /// Returns the last revision that wrote each resource written after `revision`.
    pub async fn writes_after(&mut self, revision: i64) -> Result<Vec<LastWrite>, StorageError> {
        writes_after(&mut self.tx, &self.before.id, revision).await
    }

    /// Returns the last revision that wrote relevance, synonym groups or rules; with the id of a key and an instant, the last
    /// that was not saved by this key since then, or that passed the gate by force.
    pub async fn last_ranking_revision(
        &mut self,
        except: Option<(&str, Timestamp)>,
    ) -> Result<Option<i64>, StorageError> {
        let doing = "reading the last revision that can move results";
        let (key, since) = except.unwrap_or(("", Timestamp(i64::MIN)));
        let sql = "SELECT r.revision FROM revisions r WHERE r.store_id = $1 \
                   AND ($2 = '' OR r.key_id IS NULL OR r.key_id <> $2 OR r.forced <> 0 OR r.at < $3) \
                   AND EXISTS (SELECT 1 FROM former_states f WHERE f.store_id = r.store_id AND f.revision = r.revision \
                   AND (f.resource = 'relevance' OR f.resource LIKE 'rules/%' OR f.resource LIKE 'synonyms/%')) \
                   ORDER BY r.revision DESC LIMIT 1";
        let row = sqlx::query(sql)
            .bind(self.before.id.as_str())
            .bind(key)
            .bind(since.0)
            .fetch_optional(&mut *self.tx)
            .await
            .doing(doing)?;
        row.map(|row| row.try_get(0)).transpose().doing(doing)
    }

    /// Returns the number of the last revision that wrote `resource`, if that is known.
    pub async fn last_write(&mut self, resource: &str) -> Result<Option<i64>, StorageError> {
        last_write(&mut self.tx, &self.before.id, resource).await
    }

    /// Keeps the state that the revision of this transaction replaces. Only the first state of a resource is kept,
    /// which is the one before the transaction.
    pub(crate) async fn keep(
        &mut self,
        resource: &str,
        state: Option<&FormerState>,
    ) -> Result<(), StorageError> {
        let content = state.map(FormerState::to_text).transpose()?;
        self.keep_text(resource, content).await
    }

    /// Keeps the state that the revision of this transaction replaces, as text.
    pub(crate) async fn keep_text(
        &mut self,
        resource: &str,
        content: Option<String>,
    ) -> Result<(), StorageError> {
        let doing = "keeping a former state";
        let sql = "INSERT INTO former_states (store_id, resource, revision, content) VALUES ($1, $2, $3, $4) \
                   ON CONFLICT (store_id, resource, revision) DO NOTHING";
        let bytes = content.as_ref().map_or(0, String::len) as u64;
        let kept = sqlx::query(sql)
            .bind(self.before.id.as_str())
            .bind(resource)
            .bind(self.before.config_revision + 1)
            .bind(content)
            .execute(&mut *self.tx)
            .await
            .doing(doing)?;
        if kept.rows_affected() > 0 {
            self.kept_bytes += bytes;
        }
        Ok(())
    }

    /// Keeps that these synonym groups did not exist.
    pub(crate) async fn keep_absent(&mut self, rows: &[SynonymRow]) -> Result<(), StorageError> {
        for rows in rows.chunks(ROWS_MAX) {
            let sql = format!(
                "INSERT INTO former_states (store_id, revision, resource) VALUES {} \
                 ON CONFLICT (store_id, resource, revision) DO NOTHING",
                values(rows.len(), &[1, 2], 2, 1)
            );
            let mut query = sqlx::query(AssertSqlSafe(sql))
                .bind(self.before.id.as_str())
                .bind(self.before.config_revision + 1);
            for row in rows {
                query = query.bind(format!("synonyms/{}", row.synonym.id));
            }
            query
                .execute(&mut *self.tx)
                .await
                .doing("keeping that synonym groups did not exist")?;
        }
        Ok(())
    }

    /// Keeps the state of a synonym group.
    pub(crate) async fn keep_synonym(&mut self, id: &SynonymId) -> Result<(), StorageError> {
        let doing = "reading the number of a synonym group";
        let Some(synonym) = self.synonym(id).await? else {
            return self.keep(&format!("synonyms/{id}"), None).await;
        };
        let number = sqlx::query("SELECT number FROM synonyms WHERE store_id = $1 AND id = $2")
            .bind(self.before.id.as_str())
            .bind(id.as_str())
            .fetch_one(&mut *self.tx)
            .await
            .and_then(|row| row.try_get(0))
            .doing(doing)?;
        let state = FormerState::Synonym(number, synonym);
        self.keep(&format!("synonyms/{id}"), Some(&state)).await
    }

    /// Keeps the state of a rule.
    pub(crate) async fn keep_rule(&mut self, id: &RuleId) -> Result<(), StorageError> {
        let state = self.rule(id).await?.map(FormerState::Rule);
        self.keep(&format!("rules/{id}"), state.as_ref()).await
    }

    /// Keeps the state of a filter.
    pub(crate) async fn keep_filter(&mut self, id: &FilterId) -> Result<(), StorageError> {
        let filters = self.filters().await?;
        let state = filters.into_iter().find(|filter| filter.id == *id);
        let state = state.map(FormerState::Filter);
        self.keep(&format!("filters/{id}"), state.as_ref()).await
    }

    /// Inserts a group that was deleted, at its former place.
    pub async fn return_synonym(
        &mut self,
        number: i64,
        row: &SynonymRow,
    ) -> Result<(), StorageError> {
        let doing = "returning a synonym group";
        self.keep_synonym(&row.synonym.id).await?;
        let group = &row.synonym.group;
        let sql = "INSERT INTO synonyms (store_id, id, number, language, type, input, terms, alternatives, active, \
                   likeness, searched, created_at, updated_at) \
                   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)";
        sqlx::query(sql)
            .bind(self.before.id.as_str())
            .bind(row.synonym.id.as_str())
            .bind(number)
            .bind(group.language.as_str())
            .bind(group.kind.as_str())
            .bind(group.input.as_deref())
            .bind(text(&group.terms, doing)?)
            .bind(text(&group.alternatives, doing)?)
            .bind(i64::from(group.active))
            .bind(row.duplicate_key.as_str())
            .bind(search_text(group))
            .bind(row.synonym.created_at.0)
            .bind(row.synonym.updated_at.0)
            .execute(&mut *self.tx)
            .await
            .doing(doing)?;
        Ok(())
    }
}
