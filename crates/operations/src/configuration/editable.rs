//! `EditableConfiguration`: the configuration that a change reads and writes, in its transaction or as a copy in memory.
//!
//! The checks of every write are functions of it, so what is tried in memory is what would be saved.

use crate::OperationError;
use crate::configuration::likeness::Likeness;
use crate::message;
use domain::filter::Filter;
use domain::limits::STORE_REGEX_BYTES_MAX;
use domain::relevance::Overrides;
use domain::rule::{MatchKind, Rule, RuleContent};
use domain::store::Store;
use domain::synonym::Synonym;
use domain::widget::SavedWidget;
use domain::{FilterId, Language, RuleId, SynonymId, Timestamp};
use query::rules::pattern_bytes;
use serde_json::json;
use std::collections::BTreeMap;
use storage::{ConfigurationWrite, StorageError, SynonymRow};

/// A result of storage that arrives later.
macro_rules! later {
    ($type:ty) => { impl Future<Output = Result<$type, StorageError>> + Send };
}

/// The configuration of one store, open for changes.
pub trait EditableConfiguration: Send {
    /// Returns the store as it was before the change.
    fn store(&self) -> &Store;

    /// Saves name and development URL.
    fn save_store(&mut self, name: &str, dev_url: &str) -> later!(());

    fn relevance(&mut self) -> later!(Overrides);

    fn save_relevance(&mut self, overrides: &Overrides) -> later!(());

    fn widget(&mut self) -> later!(SavedWidget);

    fn save_widget(&mut self, widget: &SavedWidget) -> later!(());

    fn synonym(&mut self, id: &SynonymId) -> later!(Option<Synonym>);

    /// Returns the number of groups of `language`.
    fn synonym_count(&mut self, language: &Language) -> later!(u64);

    /// Returns the group that is a duplicate of `row`, if there is one; `likeness` compares groups of its language.
    fn duplicate_synonym(
        &mut self,
        row: &SynonymRow,
        likeness: &Likeness,
    ) -> later!(Option<SynonymId>);

    /// Adds a group after all others.
    fn add_synonym(&mut self, row: &SynonymRow) -> later!(());

    /// Inserts a group that was removed, at its former place.
    fn return_synonym(&mut self, number: i64, row: &SynonymRow) -> later!(());

    fn save_synonym(&mut self, row: &SynonymRow) -> later!(());

    fn remove_synonym(&mut self, id: &SynonymId) -> later!(());

    fn rule(&mut self, id: &RuleId) -> later!(Option<Rule>);

    /// Returns the number of rules of `language`.
    fn rule_count(&mut self, language: &Language) -> later!(u64);

    fn save_rule(&mut self, rule: &Rule) -> later!(());

    fn remove_rule(&mut self, id: &RuleId) -> later!(());

    /// Returns all filters, in display order.
    fn filters(&mut self) -> later!(Vec<Filter>);

    fn save_filter(&mut self, filter: &Filter) -> later!(());

    fn remove_filter(&mut self, id: &FilterId) -> later!(());
}

impl EditableConfiguration for ConfigurationWrite {
    fn store(&self) -> &Store {
        self.before()
    }

    async fn save_store(&mut self, name: &str, dev_url: &str) -> Result<(), StorageError> {
        self.save_store(name, dev_url).await
    }

    async fn relevance(&mut self) -> Result<Overrides, StorageError> {
        self.relevance().await
    }

    async fn save_relevance(&mut self, overrides: &Overrides) -> Result<(), StorageError> {
        self.save_relevance(overrides).await
    }

    async fn widget(&mut self) -> Result<SavedWidget, StorageError> {
        self.widget().await
    }

    async fn save_widget(&mut self, widget: &SavedWidget) -> Result<(), StorageError> {
        self.save_widget(widget).await
    }

    async fn synonym(&mut self, id: &SynonymId) -> Result<Option<Synonym>, StorageError> {
        self.synonym(id).await
    }

    async fn synonym_count(&mut self, language: &Language) -> Result<u64, StorageError> {
        self.synonym_count(language).await
    }

    async fn duplicate_synonym(
        &mut self,
        row: &SynonymRow,
        _likeness: &Likeness,
    ) -> Result<Option<SynonymId>, StorageError> {
        let language = &row.synonym.group.language;
        let found = self.find_duplicate_synonym(language, &row.duplicate_key);
        Ok(found.await?.filter(|found| *found != row.synonym.id))
    }

    async fn add_synonym(&mut self, row: &SynonymRow) -> Result<(), StorageError> {
        self.add_synonyms(std::slice::from_ref(row)).await
    }

    async fn return_synonym(&mut self, number: i64, row: &SynonymRow) -> Result<(), StorageError> {
        self.return_synonym(number, row).await
    }

    async fn save_synonym(&mut self, row: &SynonymRow) -> Result<(), StorageError> {
        self.save_synonym(row).await
    }

    async fn remove_synonym(&mut self, id: &SynonymId) -> Result<(), StorageError> {
        self.remove_synonym(id).await
    }

    async fn rule(&mut self, id: &RuleId) -> Result<Option<Rule>, StorageError> {
        self.rule(id).await
    }

    async fn rule_count(&mut self, language: &Language) -> Result<u64, StorageError> {
        self.rule_count(language).await
    }

    async fn save_rule(&mut self, rule: &Rule) -> Result<(), StorageError> {
        self.save_rule(rule).await
    }

    async fn remove_rule(&mut self, id: &RuleId) -> Result<(), StorageError> {
        self.remove_rule(id).await
    }

    async fn filters(&mut self) -> Result<Vec<Filter>, StorageError> {
        self.filters().await
    }

    async fn save_filter(&mut self, filter: &Filter) -> Result<(), StorageError> {
        self.save_filter(filter).await
    }

    async fn remove_filter(&mut self, id: &FilterId) -> Result<(), StorageError> {
        self.remove_filter(id).await
    }
}

/// What the writes of one change share.
pub struct Edit {
    /// The instant of the change.
    pub now: Timestamp,
    /// Bytes of the compiled regular expressions of the store's rules. They are known only while the store is open; an
    /// expression that is stored nevertheless matches nothing.
    pattern_bytes: usize,
    new_group: fn(u32) -> String,
    groups: u32,
    /// Number of provisional records of each kind that exist already.
    drafted: BTreeMap<&'static str, usize>,
    likeness: BTreeMap<Language, Likeness>,
}

/// How far the changes of an earlier [`Edit`] came.
#[derive(Clone, Debug)]
pub struct EditProgress {
    pattern_bytes: usize,
    groups: u32,
    drafted: BTreeMap<&'static str, usize>,
}

impl EditProgress {
    /// Returns the number of provisional records of a kind that exist already.
    pub fn drafted(&self, kind: &str) -> usize {
        self.drafted.get(kind).copied().unwrap_or(0)
    }
}

impl Edit {
    /// Returns the context of a change at `now` of a store with this many bytes of regular expressions. `new_group`
    /// returns the key of a new group of values, the first, second and so on.
    pub fn new(now: Timestamp, pattern_bytes: usize, new_group: fn(u32) -> String) -> Self {
        Self {
            now,
            pattern_bytes,
            new_group,
            groups: 0,
            drafted: BTreeMap::new(),
            likeness: BTreeMap::new(),
        }
    }

    /// Returns how far the changes came, for those that continue them.
    pub fn progress(&self) -> EditProgress {
        EditProgress {
            pattern_bytes: self.pattern_bytes,
            groups: self.groups,
            drafted: self.drafted.clone(),
        }
    }

    /// Returns the context of changes that continue others.
    #[must_use]
    pub fn continuing(self, progress: EditProgress) -> Self {
        Self {
            pattern_bytes: progress.pattern_bytes,
            groups: progress.groups,
            drafted: progress.drafted,
            ..self
        }
    }

    /// Returns the number of provisional records of a kind that exist already.
    pub fn drafted(&self, kind: &str) -> usize {
        self.drafted.get(kind).copied().unwrap_or(0)
    }

    /// Counts provisional records of a kind.
    pub fn note_drafted(&mut self, kind: &'static str, count: usize) {
        *self.drafted.entry(kind).or_default() += count;
    }

    /// Returns the comparison of groups in `language`.
    pub fn likeness(&mut self, language: &Language) -> &Likeness {
        let known = self.likeness.entry(language.clone());
        known.or_insert_with(|| Likeness::in_language(language))
    }

    /// Returns the key of a new group of values.
    pub fn new_group(&mut self) -> String {
        self.groups += 1;
        (self.new_group)(self.groups)
    }

    /// Counts the regular expression of a rule in place of the former one.
    ///
    /// Errors: `PlanLimit` if those of the store exceed their limit; fewer bytes than before always pass.
    pub fn replace_pattern(
        &mut self,
        former: Option<&RuleContent>,
        content: Option<&RuleContent>,
    ) -> Result<(), OperationError> {
        let own = |content: &RuleContent| match content.trigger.kind {
            MatchKind::Regex => pattern_bytes(&content.trigger.query),
            MatchKind::Exact | MatchKind::Contains | MatchKind::StartsWith => 0,
        };
        let (bytes, before) = (content.map_or(0, own), former.map_or(0, own));
        let total = self.pattern_bytes.saturating_sub(before) + bytes;
        if bytes <= before || total <= STORE_REGEX_BYTES_MAX {
            self.pattern_bytes = total;
            return Ok(());
        }
        Err(OperationError::PlanLimit {
            message: message::limit::pattern_bytes(STORE_REGEX_BYTES_MAX),
            details: json!({ "max": STORE_REGEX_BYTES_MAX, "bytes": total }),
        })
    }
}
