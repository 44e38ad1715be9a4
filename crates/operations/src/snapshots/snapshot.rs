//! `StoreSnapshot`: an immutable state of a store, its indexes and configuration together, on which a search runs.

use crate::message;
use crate::snapshots::compiled::{self, Compiled, CompiledByLanguage, Records};
use crate::snapshots::states::{State, States};
use domain::declarations::Declarations;
use domain::document::DocType;
use domain::feed::FeedScope;
use domain::filter::Filter;
use domain::labels::Labels;
use domain::message::list;
use domain::relevance::Overrides;
use domain::store::Store;
use domain::widget::SavedWidget;
use domain::widget::custom_code::CodeHashes;
use domain::{Invalid, Language, Relevance};
use query::Analyser;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A relevance configuration, saved or provisional.
#[derive(Clone, Debug, Default)]
pub struct Configuration {
    /// Values that differ from the defaults.
    pub overrides: Overrides,
    /// Values in effect.
    pub relevance: Relevance,
}

impl Configuration {
    /// Returns the configuration with these overrides.
    pub fn new(overrides: Overrides) -> Self {
        Self {
            relevance: overrides.effective(),
            overrides,
        }
    }

    /// Returns whether it searches substrings of names, which not every index holds.
    pub fn searches_substrings(&self) -> bool {
        self.relevance.searches_substrings()
    }
}

/// The stored state of a store without its documents.
#[derive(Clone)]
pub(crate) struct Saved {
    /// The version of the store, which was read before everything else: what is newer is read again.
    pub version: i64,
    /// The store.
    pub store: Arc<Store>,
    /// Its relevance configuration.
    pub configuration: Arc<Configuration>,
    /// What its shop has declared.
    pub declarations: Arc<Declarations>,
    /// Its synonyms, rules, filters and widget.
    pub records: Arc<Records>,
}

/// The stored state of a store with its compiled records.
#[derive(Clone)]
pub(crate) struct PreparedStore {
    saved: Saved,
    compiled: Arc<CompiledByLanguage>,
}

impl PreparedStore {
    /// Compiles `saved` for the languages of the store and of the indexes of `scopes`, reusing what did not change
    /// since `former`. May take seconds.
    pub fn new<'a>(
        saved: Saved,
        scopes: impl IntoIterator<Item = &'a FeedScope>,
        former: Option<&StoreSnapshot>,
    ) -> Self {
        let fed = scopes.into_iter().map(|scope| &scope.language);
        let languages = fed.chain(&saved.store.languages).collect();
        let former = former.map(|former| (&*former.records, &*former.compiled));
        Self {
            compiled: Arc::new(saved.records.compile(languages, former)),
            saved,
        }
    }
}

/// Returns the language of `store` with this code.
///
/// Errors: if the store does not have this language.
pub(crate) fn store_language(store: &Store, code: &str) -> Result<Language, Invalid> {
    let language = Language::parse(code).map_err(|reason| Invalid::new("lang", reason))?;
    if store.languages.contains(&language) {
        return Ok(language);
    }
    let languages = list(store.languages.iter().map(Language::as_str));
    let reason = message::store::no_language(language.as_str(), languages);
    Err(Invalid::new("lang", reason))
}

/// An immutable state of a store. A search is a function of this state and the request.
pub struct StoreSnapshot {
    /// The version of the store in the database that this state shows at least.
    version: i64,
    /// The store.
    pub store: Arc<Store>,
    /// Its relevance configuration.
    pub configuration: Arc<Configuration>,
    /// What its shop has declared.
    pub declarations: Arc<Declarations>,
    indexes: Arc<BTreeMap<FeedScope, Arc<dyn engine::Snapshot>>>,
    records: Arc<Records>,
    compiled: Arc<CompiledByLanguage>,
    state: State,
}

impl StoreSnapshot {
    /// Returns the first state of a store.
    pub(crate) fn new(
        prepared: PreparedStore,
        indexes: BTreeMap<FeedScope, Arc<dyn engine::Snapshot>>,
        states: &Arc<States>,
    ) -> Self {
        Self::of(prepared, Arc::new(indexes), State::new(states))
    }

    fn of(
        prepared: PreparedStore,
        indexes: Arc<BTreeMap<FeedScope, Arc<dyn engine::Snapshot>>>,
        state: State,
    ) -> Self {
        let PreparedStore { saved, compiled } = prepared;
        Self {
            version: saved.version,
            store: saved.store,
            configuration: saved.configuration,
            declarations: saved.declarations,
            indexes,
            records: saved.records,
            compiled,
            state,
        }
    }

    /// Returns the stored state.
    pub(crate) fn saved(&self) -> Saved {
        Saved {
            version: self.version,
            store: Arc::clone(&self.store),
            configuration: Arc::clone(&self.configuration),
            declarations: Arc::clone(&self.declarations),
            records: Arc::clone(&self.records),
        }
    }

    /// Returns this state with another configuration, compiled for `languages` only. May take seconds.
    #[must_use]
    pub(crate) fn with_saved(&self, saved: Saved, languages: BTreeSet<&Language>) -> Self {
        let former = (&*self.records, &*self.compiled);
        let compiled = Arc::new(saved.records.compile(languages, Some(former)));
        self.with_prepared(PreparedStore { saved, compiled })
    }

    /// Returns the state without its indexes.
    fn prepared(&self) -> PreparedStore {
        PreparedStore {
            saved: self.saved(),
            compiled: Arc::clone(&self.compiled),
        }
    }

    /// Returns this state with another configuration, for the simulator.
    #[must_use]
    pub fn with_configuration(&self, configuration: Configuration) -> Self {
        let mut prepared = self.prepared();
        prepared.saved.configuration = Arc::new(configuration);
        self.with_prepared(prepared)
    }

    /// Returns this state with a newer index of `scope`. The first index of a language is searched only after the next
    /// configuration was published.
    #[must_use]
    pub(crate) fn with_index(&self, scope: &FeedScope, index: Arc<dyn engine::Snapshot>) -> Self {
        let mut indexes = BTreeMap::clone(&self.indexes);
        indexes.insert(scope.clone(), index);
        Self::of(self.prepared(), Arc::new(indexes), self.state.next())
    }

    /// Returns the same indexes with another store, configuration and declarations.
    #[must_use]
    pub(crate) fn with_prepared(&self, prepared: PreparedStore) -> Self {
        Self::of(prepared, Arc::clone(&self.indexes), self.state.next())
    }

    /// Returns the index of a type and language, if there is one.
    pub(crate) fn index(
        &self,
        doc_type: DocType,
        language: &Language,
    ) -> Option<&dyn engine::Snapshot> {
        let scope = FeedScope {
            doc_type,
            language: language.clone(),
        };
        self.indexes.get(&scope).map(AsRef::as_ref)
    }

    /// Returns all indexes.
    pub(crate) fn indexes(&self) -> impl Iterator<Item = (&FeedScope, &Arc<dyn engine::Snapshot>)> {
        self.indexes.iter()
    }

    /// Returns the analyser of one of the store's languages.
    pub(crate) fn analyser(&self, language: &Language) -> Option<&Analyser> {
        let compiled = self.compiled.get(language)?;
        Some(&compiled.analyser)
    }

    /// Returns the filters of the store, in display order; empty if facets are automatic.
    pub(crate) fn filters(&self) -> &[Filter] {
        &self.records.filters
    }

    /// Returns the saved widget of the store.
    pub(crate) fn widget(&self) -> &SavedWidget {
        &self.records.widget
    }

    /// Returns the hashes of the store's custom code.
    pub(crate) fn code(&self) -> &CodeHashes {
        &self.records.code
    }

    /// Returns the texts of `language`: the store's own over the built-in ones.
    pub(crate) fn labels<'a>(&'a self, language: &'a Language) -> Labels<'a> {
        Labels::new(self.widget().translations.as_ref(), language)
    }

    /// Returns the synonyms and rules of one of the store's languages.
    pub(crate) fn compiled(&self, language: &Language) -> Option<&Compiled> {
        self.compiled.get(language).map(AsRef::as_ref)
    }

    /// Returns whether the synonyms and rules of `language` are those of `other`, as far as that is known without a
    /// comparison of each.
    pub(crate) fn has_same_records(&self, other: &Self, language: &Language) -> bool {
        let of = |state: &Self| state.compiled.get(language).cloned();
        match (of(self), of(other)) {
            (Some(own), Some(theirs)) => Arc::ptr_eq(&own, &theirs),
            (own, theirs) => own.is_none() && theirs.is_none(),
        }
    }

    /// Returns the language with this code, or the default one.
    ///
    /// Errors: if the store does not have this language.
    pub(crate) fn language(&self, code: Option<&str>) -> Result<Language, Invalid> {
        match code {
            Some(code) => store_language(&self.store, code),
            None => Ok(self.store.default_language().clone()),
        }
    }

    /// Returns the bytes of the compiled regular expressions of all rules.
    pub(crate) fn pattern_bytes(&self) -> usize {
        compiled::pattern_bytes(&self.compiled)
    }

    /// Returns the version of the store in the database that this state shows at least.
    pub(crate) fn version(&self) -> i64 {
        self.version
    }

    /// Returns the number of the state, unique in this process.
    pub(crate) fn state(&self) -> u64 {
        self.state.number()
    }
}
