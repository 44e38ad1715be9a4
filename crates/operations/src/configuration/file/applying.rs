//! `Application`: a checked file is applied to the configuration of a store, part by part, in one transaction.

use super::checking::{CheckedFile, CheckedRecord, RuleKey, rule_key};
use super::export::in_order;
use super::groups;
use super::import::PartCounts;
use super::matching::{Matched, matches};
use crate::configuration::drafts::{Applied, NewIds, check_counts, new_ids};
use crate::configuration::editable::Edit;
use crate::configuration::records::{Record, nothing};
use crate::configuration::{relevance, stores, widget};
use crate::{OperationError, Precondition};
use domain::analytics::HiddenQueries;
use domain::audit::{FieldChange, differences};
use domain::configuration_file::{FilePart, ImportMode};
use domain::filter::{Filter, NewFilter};
use domain::limits::IMPORTED_IDS_MAX;
use domain::relevance::{BoostMerging, Overrides, RelevanceChange};
use domain::rule::{Rule, RuleContent};
use domain::watched::{WatchedQueries, WatchedQuery};
use domain::widget::{SavedWidget, WidgetPatch};
use domain::{Language, Timestamp};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use storage::ConfigurationWrite;

/// An import in progress.
pub(super) struct Application<'a> {
    pub write: &'a mut ConfigurationWrite,
    pub edit: Edit,
    pub mode: ImportMode,
    pub provisional: bool,
    pub effect: Applied,
    pub counts: BTreeMap<&'static str, PartCounts>,
    pub ids: BTreeMap<String, String>,
    /// Languages of records, which are counted against their limits.
    languages: BTreeSet<Language>,
}

impl<'a> Application<'a> {
    /// Begins an import.
    pub fn new(
        write: &'a mut ConfigurationWrite,
        edit: Edit,
        mode: ImportMode,
        provisional: bool,
    ) -> Self {
        Self {
            write,
            edit,
            mode,
            provisional,
            effect: Applied::default(),
            counts: BTreeMap::new(),
            ids: BTreeMap::new(),
            languages: BTreeSet::new(),
        }
    }

    /// Applies all parts.
    ///
    /// Errors: `Invalid`, `Conflict` and `PlanLimit` as for the single writes, with paths of the file.
    pub async fn apply(&mut self, file: CheckedFile) -> Result<(), OperationError> {
        let any = Precondition::None;
        if let Some(change) = file.store {
            let (_, changes) = stores::update_in(self.write, change, &any).await?;
            self.single(FilePart::Store, changes);
        }
        if let Some(change) = file.relevance {
            self.apply_relevance(&change).await?;
        }
        if let Some(synonyms) = file.synonyms {
            self.counts.entry("synonyms").or_default();
            let languages = synonyms.iter().map(|one| one.content.language.clone());
            self.languages.extend(languages);
            groups::import(self, synonyms).await?;
        }
        if let Some(rules) = file.rules {
            self.counts.entry("rules").or_default();
            let languages = rules.iter().map(|one| one.content.language.clone());
            self.languages.extend(languages);
            self.apply_rules(rules).await?;
        }
        if let Some(filters) = file.filters {
            self.counts.entry("filters").or_default();
            self.apply_filters(filters).await?;
        }
        if let Some(patch) = file.widget {
            self.apply_widget(patch).await?;
        }
        if let Some(watched) = file.watched {
            self.apply_watched(watched).await?;
        }
        if let Some(hidden) = file.hidden {
            self.apply_hidden(hidden).await?;
        }
        let finished = std::mem::take(&mut self.effect).finished()?;
        self.effect = finished;
        check_counts(self.write, &self.languages).await
    }

    async fn apply_relevance(&mut self, change: &RelevanceChange) -> Result<(), OperationError> {
        let before = self.write.relevance().await?;
        let applied = match self.mode {
            ImportMode::Replace => Overrides::default().apply(change, BoostMerging::Replace),
            ImportMode::Merge => before.apply(change, BoostMerging::Merge),
        };
        let applied = applied.map_err(OperationError::Invalid);
        if let Some(after) = self.effect.take("relevance", applied)? {
            let content = relevance::content;
            let changes = differences(&content(&before), &content(&after));
            if !changes.is_empty() {
                self.write.save_relevance(&in_order(after)).await?;
            }
            self.single(FilePart::Relevance, changes);
        }
        Ok(())
    }

    async fn apply_widget(&mut self, patch: WidgetPatch) -> Result<(), OperationError> {
        let before = self.write.widget().await?;
        let applied = match self.mode {
            ImportMode::Replace => SavedWidget::default().apply(patch),
            ImportMode::Merge => before.apply(patch.merged_over(&before)),
        };
        let applied = applied.map_err(OperationError::Invalid);
        if let Some(after) = self.effect.take("widget", applied)? {
            let changes = differences(&widget::content(&before), &widget::content(&after));
            if !changes.is_empty() {
                self.write.save_widget(&after).await?;
            }
            self.single(FilePart::Widget, changes);
        }
        Ok(())
    }

    async fn apply_rules(
        &mut self,
        rules: Vec<CheckedRecord<RuleContent, RuleKey>>,
    ) -> Result<(), OperationError> {
        let present = self.write.rules().await?;
        let of_file: Vec<_> = rules
            .iter()
            .map(|one| Matched {
                id: one.id.as_deref(),
                fixed: one.content.kind,
                key: one.key.clone(),
            })
            .collect();
        let of_store: Vec<_> = present
            .iter()
            .map(|one| Matched {
                id: Some(one.id.as_str()),
                fixed: one.content.kind,
                key: rule_key(&one.content),
            })
            .collect();
        let matched = matches(&of_file, &of_store);
        drop((of_file, of_store));
        self.delete_others(&present, &matched).await?;
        let new = matched.iter().filter(|found| found.is_none()).count();
        let mut ids =
            new_ids::<Rule>(new, self.new_ids(), self.edit.drafted(Rule::RESOURCES)).into_iter();
        let mut nth = 0;
        for (record, found) in rules.into_iter().zip(matched) {
            let path = format!("rules[{}]", record.at);
            let before = found.and_then(|at| present.get(at));
            if let Some(before) = before
                && before.content == record.content
            {
                self.unchanged::<Rule>(record.id.as_deref(), &before.id);
                continue;
            }
            let former = before.map(|before| &before.content);
            let fits = self.edit.replace_pattern(former, Some(&record.content));
            self.effect.take(&path, fits)?;
            let after = match before {
                Some(before) => Rule {
                    content: record.content,
                    updated_at: self.edit.now,
                    ..before.clone()
                },
                None => {
                    let at = self.created_at(nth);
                    nth += 1;
                    Rule {
                        id: ids.next().unwrap_or_else(Rule::new_id),
                        content: record.content,
                        created_at: at,
                        updated_at: at,
                    }
                }
            };
            self.write.save_rule(&after).await?;
            match before {
                Some(before) => self.updated::<Rule>(record.id.as_deref(), before, &after),
                None => self.created::<Rule>(record.id.as_deref(), &after),
            }
        }
        Ok(())
    }

    async fn apply_filters(
        &mut self,
        filters: Vec<CheckedRecord<NewFilter, String>>,
    ) -> Result<(), OperationError> {
        let present = self.write.filters().await?;
        let of_file: Vec<_> = filters
            .iter()
            .map(|one| Matched {
                id: one.id.as_deref(),
                fixed: one.key.clone(),
                key: one.key.clone(),
            })
            .collect();
        let of_store: Vec<_> = present
            .iter()
            .map(|one| Matched {
                id: Some(one.id.as_str()),
                fixed: one.content.field.to_string(),
                key: one.content.field.to_string(),
            })
            .collect();
        let matched = matches(&of_file, &of_store);
        drop((of_file, of_store));
        self.delete_others(&present, &matched).await?;
        let drafted = self.edit.drafted(Filter::RESOURCES);
        let mut ids = new_ids::<Filter>(filters.len(), self.new_ids(), drafted).into_iter();
        let mut nth = 0;
        for (record, found) in filters.into_iter().zip(matched) {
            let before = found.and_then(|at| present.get(at));
            let groups = before.and_then(|before| before.content.config.value_groups.as_deref());
            let groups = groups.unwrap_or_default();
            let next = u32::try_from(record.at).unwrap_or(u32::MAX);
            let edit = &mut self.edit;
            let checked = record
                .content
                .check_of_file(next, groups, &mut || edit.new_group());
            let path = format!("filters[{}]", record.at);
            let checked = checked.map_err(OperationError::Invalid);
            let Some(content) = self.effect.take(&path, checked)? else {
                continue;
            };
            let after = match before {
                Some(before) if before.content == content => {
                    self.unchanged::<Filter>(record.id.as_deref(), &before.id);
                    continue;
                }
                Some(before) => Filter {
                    content,
                    updated_at: self.edit.now,
                    ..before.clone()
                },
                None => {
                    let at = self.created_at(nth);
                    nth += 1;
                    Filter {
                        id: ids.next().unwrap_or_else(Filter::new_id),
                        content,
                        created_at: at,
                        updated_at: at,
                    }
                }
            };
            self.write.save_filter(&after).await?;
            match before {
                Some(before) => self.updated::<Filter>(record.id.as_deref(), before, &after),
                None => self.created::<Filter>(record.id.as_deref(), &after),
            }
        }
        Ok(())
    }

    async fn apply_watched(&mut self, watched: WatchedQueries) -> Result<(), OperationError> {
        let before = WatchedQueries {
            queries: self.write.watched_queries().await?,
        };
        let wanted = match self.mode {
            ImportMode::Replace => watched,
            ImportMode::Merge => merged_watched(&before, watched),
        };
        let checked = wanted.check().map_err(OperationError::Invalid);
        if let Some(after) = self.effect.take("watched", checked)? {
            let changes = differences(&json!(before), &json!(after));
            if !changes.is_empty() {
                self.write.save_watched_queries(&after).await?;
            }
            self.unrevised(FilePart::Watched, "watched", changes);
        }
        Ok(())
    }

    async fn apply_hidden(&mut self, hidden: HiddenQueries) -> Result<(), OperationError> {
        let before = self.write.hidden_queries().await?;
        let wanted = match self.mode {
            ImportMode::Replace => hidden,
            ImportMode::Merge => merged_hidden(&before, hidden),
        };
        let checked = wanted.check().map_err(OperationError::Invalid);
        if let Some(after) = self.effect.take("hiddenQueries", checked)? {
            let changes = differences(&json!(before), &json!(after));
            if !changes.is_empty() {
                self.write.save_hidden_queries(&after).await?;
            }
            self.unrevised(FilePart::HiddenQueries, "hidden-queries", changes);
        }
        Ok(())
    }

    /// Deletes the records of the store that the file lacks, if it replaces them.
    async fn delete_others<R: Record>(
        &mut self,
        present: &[R],
        matched: &[Option<usize>],
    ) -> Result<(), OperationError> {
        if !self.deletes() {
            return Ok(());
        }
        let stay: BTreeSet<usize> = matched.iter().flatten().copied().collect();
        for (at, record) in present.iter().enumerate() {
            if !stay.contains(&at) {
                R::remove_in(self.write, &mut self.edit, record).await?;
                self.deleted::<R>(record);
            }
        }
        Ok(())
    }

    /// Returns whether records that the file lacks are deleted.
    pub fn deletes(&self) -> bool {
        self.mode == ImportMode::Replace
    }

    /// Returns which ids created records have.
    pub fn new_ids(&self) -> NewIds {
        match self.provisional {
            true => NewIds::Provisional,
            false => NewIds::Saved,
        }
    }

    /// Returns the instant of the creation of the `nth` record. Equal records take effect in the order of creation, then of
    /// ids, and provisional ids are in none.
    pub fn created_at(&self, nth: usize) -> Timestamp {
        match self.provisional {
            true => Timestamp(self.edit.now.0.saturating_add(nth as i64)),
            false => self.edit.now,
        }
    }

    /// Notes a deletion.
    pub fn deleted<R: Record>(&mut self, record: &R) {
        let changes = differences(&json!(record.content()), &nothing());
        self.note::<R>(record.id(), changes);
        self.counts.entry(R::RESOURCES).or_default().deleted += 1;
    }

    /// Notes an update of the record that `id` stands for in the file.
    pub fn updated<R: Record>(&mut self, id: Option<&str>, before: &R, after: &R) {
        let changes = differences(&json!(before.content()), &json!(after.content()));
        self.note::<R>(after.id(), changes);
        self.counts.entry(R::RESOURCES).or_default().updated += 1;
        self.name::<R>(id, after.id());
    }

    /// Notes a creation.
    pub fn created<R: Record>(&mut self, id: Option<&str>, record: &R) {
        let changes = differences(&nothing(), &json!(record.content()));
        self.note::<R>(record.id(), changes);
        self.counts.entry(R::RESOURCES).or_default().created += 1;
        self.name::<R>(id, record.id());
    }

    /// Notes a record that is as the file has it.
    pub fn unchanged<R: Record>(&mut self, id: Option<&str>, of_store: &R::Id) {
        self.counts.entry(R::RESOURCES).or_default().unchanged += 1;
        self.name::<R>(id, of_store);
    }

    fn note<R: Record>(&mut self, id: &R::Id, changes: Vec<FieldChange>) {
        self.effect.note(&format!("{}/{id}", R::RESOURCES), changes);
    }

    fn name<R: Record>(&mut self, of_file: Option<&str>, of_store: &R::Id) {
        let of_store = of_store.to_string();
        if let Some(id) = of_file.filter(|id| *id != of_store)
            && self.ids.len() < IMPORTED_IDS_MAX
        {
            self.ids.insert(format!("{}/{id}", R::RESOURCES), of_store);
        }
    }

    fn single(&mut self, part: FilePart, changes: Vec<FieldChange>) {
        self.count_single(part, &changes);
        self.effect.note(part.name(), changes);
    }

    fn unrevised(&mut self, part: FilePart, resource: &str, mut changes: Vec<FieldChange>) {
        self.count_single(part, &changes);
        for change in &mut changes {
            change.path = format!("{resource}.{}", change.path);
        }
        self.write.audit_unrevised(changes);
    }

    fn count_single(&mut self, part: FilePart, changes: &[FieldChange]) {
        let counts = self.counts.entry(part.name()).or_default();
        match changes.is_empty() {
            true => counts.unchanged += 1,
            false => counts.updated += 1,
        }
    }
}

fn merged_watched(before: &WatchedQueries, file: WatchedQueries) -> WatchedQueries {
    let mut queries: Vec<WatchedQuery> = before.queries.clone();
    for query in file.queries {
        let same = |one: &&mut WatchedQuery| one.q == query.q && one.lang == query.lang;
        match queries.iter_mut().find(same) {
            Some(known) => *known = query,
            None => queries.push(query),
        }
    }
    WatchedQueries { queries }
}

fn merged_hidden(before: &HiddenQueries, file: HiddenQueries) -> HiddenQueries {
    let mut queries = before.queries.clone();
    for query in file.queries {
        if !queries.contains(&query) {
            queries.push(query);
        }
    }
    HiddenQueries { queries }
}
