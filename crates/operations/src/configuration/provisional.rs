//! `ProvisionalState`: a copy of a store's configuration in memory, on which a draft is tried.

use crate::configuration::editable::EditableConfiguration;
use crate::configuration::likeness::Likeness;
use crate::snapshots::compiled::Records;
use crate::snapshots::snapshot::{Configuration, Saved, StoreSnapshot};
use domain::filter::Filter;
use domain::relevance::Overrides;
use domain::rule::Rule;
use domain::store::Store;
use domain::synonym::Synonym;
use domain::widget::SavedWidget;
use domain::{FilterId, Language, RuleId, SynonymId};
use std::collections::HashMap;
use std::sync::Arc;
use storage::{StorageError, SynonymRow};

/// A copy of a store's configuration. Records are copied when one of them changes first.
pub(crate) struct ProvisionalState {
    saved: Saved,
    /// Digests of synonym groups, by which duplicates are found. Each is computed once: a draft may add hundreds of groups
    /// to thousands.
    digests: HashMap<SynonymId, String>,
}

impl ProvisionalState {
    /// Returns a copy of the configuration of `snapshot`.
    pub fn of(snapshot: &StoreSnapshot) -> Self {
        Self::of_saved(snapshot.saved())
    }

    /// Returns a copy of a configuration.
    pub fn of_saved(saved: Saved) -> Self {
        Self {
            saved,
            digests: HashMap::new(),
        }
    }

    /// Returns the configuration, ordered as storage returns it.
    pub fn into_saved(mut self) -> Saved {
        let records = &self.saved.records;
        let ordered = records.filters.is_sorted_by_key(filter_order)
            && records.rules.is_sorted_by_key(rule_order);
        if !ordered {
            let records = self.records();
            records.filters.sort_by_key(filter_order);
            records.rules.sort_by_key(rule_order);
        }
        self.saved
    }

    fn records(&mut self) -> &mut Records {
        Arc::make_mut(&mut self.saved.records)
    }
}

fn filter_order(filter: &Filter) -> (u32, i64, FilterId) {
    (
        filter.content.position,
        filter.created_at.0,
        filter.id.clone(),
    )
}

fn rule_order(rule: &Rule) -> (i64, RuleId) {
    (rule.created_at.0, rule.id.clone())
}

impl EditableConfiguration for ProvisionalState {
    fn store(&self) -> &Store {
        &self.saved.store
    }

    async fn save_store(&mut self, name: &str, dev_url: &str) -> Result<(), StorageError> {
        let store = Arc::make_mut(&mut self.saved.store);
        (store.name, store.dev_url) = (name.to_owned(), dev_url.to_owned());
        Ok(())
    }

    async fn relevance(&mut self) -> Result<Overrides, StorageError> {
        Ok(self.saved.configuration.overrides.clone())
    }

    async fn save_relevance(&mut self, overrides: &Overrides) -> Result<(), StorageError> {
        self.saved.configuration = Arc::new(Configuration::new(overrides.clone()));
        Ok(())
    }

    async fn widget(&mut self) -> Result<SavedWidget, StorageError> {
        Ok(self.saved.records.widget.clone())
    }

    async fn save_widget(&mut self, widget: &SavedWidget) -> Result<(), StorageError> {
        self.records().widget = widget.clone();
        Ok(())
    }

    async fn synonym(&mut self, id: &SynonymId) -> Result<Option<Synonym>, StorageError> {
        let mut all = self.saved.records.synonyms.iter();
        Ok(all.find(|one| one.id == *id).cloned())
    }

    async fn synonym_count(&mut self, language: &Language) -> Result<u64, StorageError> {
        let all = self.saved.records.synonyms.iter();
        Ok(all.filter(|one| one.group.language == *language).count() as u64)
    }

    async fn duplicate_synonym(
        &mut self,
        row: &SynonymRow,
        likeness: &Likeness,
    ) -> Result<Option<SynonymId>, StorageError> {
        let own = &row.synonym;
        let digests = &mut self.digests;
        let mut others = self.saved.records.synonyms.iter().filter(|other| {
            other.id != own.id
                && other.group.language == own.group.language
                && other.group.input.is_some() == own.group.input.is_some()
        });
        let same = others.find(|other| {
            let digest = digests.entry(other.id.clone());
            *digest.or_insert_with(|| likeness.of(&other.group)) == row.duplicate_key
        });
        Ok(same.map(|other| other.id.clone()))
    }

    async fn add_synonym(&mut self, row: &SynonymRow) -> Result<(), StorageError> {
        self.records().synonyms.push(row.synonym.clone());
        Ok(())
    }

    async fn return_synonym(&mut self, _number: i64, row: &SynonymRow) -> Result<(), StorageError> {
        let synonyms = &mut self.records().synonyms;
        let place = synonyms.partition_point(|one| one.created_at <= row.synonym.created_at);
        synonyms.insert(place, row.synonym.clone());
        Ok(())
    }

    async fn save_synonym(&mut self, row: &SynonymRow) -> Result<(), StorageError> {
        self.digests.remove(&row.synonym.id);
        let mut all = self.records().synonyms.iter_mut();
        if let Some(one) = all.find(|one| one.id == row.synonym.id) {
            *one = row.synonym.clone();
        }
        Ok(())
    }

    async fn remove_synonym(&mut self, id: &SynonymId) -> Result<(), StorageError> {
        self.digests.remove(id);
        self.records().synonyms.retain(|one| one.id != *id);
        Ok(())
    }

    async fn rule(&mut self, id: &RuleId) -> Result<Option<Rule>, StorageError> {
        let mut all = self.saved.records.rules.iter();
        Ok(all.find(|one| one.id == *id).cloned())
    }

    async fn rule_count(&mut self, language: &Language) -> Result<u64, StorageError> {
        let all = self.saved.records.rules.iter();
        Ok(all.filter(|one| one.content.language == *language).count() as u64)
    }

    async fn save_rule(&mut self, rule: &Rule) -> Result<(), StorageError> {
        let rules = &mut self.records().rules;
        match rules.iter_mut().find(|one| one.id == rule.id) {
            Some(one) => *one = rule.clone(),
            None => rules.push(rule.clone()),
        }
        Ok(())
    }

    async fn remove_rule(&mut self, id: &RuleId) -> Result<(), StorageError> {
        self.records().rules.retain(|one| one.id != *id);
        Ok(())
    }

    async fn filters(&mut self) -> Result<Vec<Filter>, StorageError> {
        let mut filters = self.saved.records.filters.clone();
        filters.sort_by_key(filter_order);
        Ok(filters)
    }

    async fn save_filter(&mut self, filter: &Filter) -> Result<(), StorageError> {
        let filters = &mut self.records().filters;
        match filters.iter_mut().find(|one| one.id == filter.id) {
            Some(one) => *one = filter.clone(),
            None => filters.push(filter.clone()),
        }
        Ok(())
    }

    async fn remove_filter(&mut self, id: &FilterId) -> Result<(), StorageError> {
        self.records().filters.retain(|one| one.id != *id);
        Ok(())
    }
}
