//! What a search reads: one immutable state of a store, its indexes and its configuration together.

use crate::compiled::{self, Compiled, CompiledByLanguage, Records};
use crate::search::{ResponseCache, StateResponses};
use domain::declarations::Declarations;
use domain::document::DocType;
use domain::feed::FeedScope;
use domain::filter::Filter;
use domain::relevance::Overrides;
use domain::relevance::field::FieldId;
use domain::store::Store;
use domain::{Invalid, Language, Relevance, Timestamp};
use query::Analyser;
use query::rules::Effects;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A relevance configuration: saved, provisional or historical, they are of the same type.
#[derive(Clone, Debug, Default)]
pub struct Configuration {
    /// What differs from the defaults.
    pub overrides: Overrides,
    /// What is in effect.
    pub relevance: Relevance,
}

impl Configuration {
    /// The configuration that `overrides` make.
    pub fn new(overrides: Overrides) -> Self {
        Self {
            relevance: overrides.effective(),
            overrides,
        }
    }

    /// Whether it searches the parts of the words of names, which not every index holds.
    pub fn searches_parts(&self) -> bool {
        self.relevance.boosts.get(FieldId::PARTIAL) > 0.0
    }
}

/// What storage holds of a store beside its documents.
#[derive(Clone)]
pub(crate) struct Saved {
    /// The store.
    pub store: Arc<Store>,
    /// Its configuration.
    pub configuration: Arc<Configuration>,
    /// What its shop has declared.
    pub declarations: Arc<Declarations>,
    /// Its synonyms, rules and filters.
    pub records: Arc<Records>,
}

/// The same, ready to be searched with.
#[derive(Clone)]
pub(crate) struct PreparedStore {
    saved: Saved,
    compiled: Arc<CompiledByLanguage>,
}

impl PreparedStore {
    /// What was saved, compiled for the languages of the store and for those of the indexes of `scopes`. Of `former`
    /// is taken over what did not change. Takes up to seconds.
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

/// One immutable state of a store. A search is a function of it and of the request.
pub struct StoreSnapshot {
    /// The store.
    pub store: Arc<Store>,
    /// Its configuration.
    pub configuration: Arc<Configuration>,
    /// What its shop has declared.
    pub declarations: Arc<Declarations>,
    indexes: Arc<BTreeMap<FeedScope, Arc<dyn engine::Snapshot>>>,
    records: Arc<Records>,
    compiled: Arc<CompiledByLanguage>,
    /// Answers given in this state; every other state starts with none.
    answers: StateResponses,
}

impl StoreSnapshot {
    /// The first state of a store.
    pub(crate) fn new(
        prepared: PreparedStore,
        indexes: BTreeMap<FeedScope, Arc<dyn engine::Snapshot>>,
        answers: &Arc<ResponseCache>,
    ) -> Self {
        Self::of(prepared, Arc::new(indexes), StateResponses::new(answers))
    }

    fn of(
        prepared: PreparedStore,
        indexes: Arc<BTreeMap<FeedScope, Arc<dyn engine::Snapshot>>>,
        answers: StateResponses,
    ) -> Self {
        let PreparedStore { saved, compiled } = prepared;
        Self {
            store: saved.store,
            configuration: saved.configuration,
            declarations: saved.declarations,
            indexes,
            records: saved.records,
            compiled,
            answers,
        }
    }

    /// What the state holds beside its indexes.
    fn prepared(&self) -> PreparedStore {
        PreparedStore {
            saved: Saved {
                store: Arc::clone(&self.store),
                configuration: Arc::clone(&self.configuration),
                declarations: Arc::clone(&self.declarations),
                records: Arc::clone(&self.records),
            },
            compiled: Arc::clone(&self.compiled),
        }
    }

    /// The same state with another configuration: what the simulator searches.
    #[must_use]
    pub fn with_configuration(&self, configuration: Configuration) -> Self {
        let mut prepared = self.prepared();
        prepared.saved.configuration = Arc::new(configuration);
        self.with_prepared(prepared)
    }

    /// The same state with a newer index of `scope`. Where it is the first one of its language, that language is
    /// searched once a configuration was published with it.
    #[must_use]
    pub(crate) fn with_index(&self, scope: &FeedScope, index: Arc<dyn engine::Snapshot>) -> Self {
        let mut indexes = BTreeMap::clone(&self.indexes);
        indexes.insert(scope.clone(), index);
        Self::of(self.prepared(), Arc::new(indexes), self.answers.of_next())
    }

    /// The same indexes with another store, configuration and declarations.
    #[must_use]
    pub(crate) fn with_prepared(&self, prepared: PreparedStore) -> Self {
        Self::of(prepared, Arc::clone(&self.indexes), self.answers.of_next())
    }

    /// The index of a type and language; none where nothing was ever fed.
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

    /// All indexes.
    pub(crate) fn indexes(&self) -> impl Iterator<Item = (&FeedScope, &Arc<dyn engine::Snapshot>)> {
        self.indexes.iter()
    }

    /// The analyser of one of the store's languages.
    pub(crate) fn analyser(&self, language: &Language) -> Option<&Analyser> {
        let compiled = self.compiled.get(language)?;
        Some(&compiled.analyser)
    }

    /// The filters of the store, in the order in which they are shown; none where facets are automatic.
    pub(crate) fn filters(&self) -> &[Filter] {
        &self.records.filters
    }

    /// The synonyms and rules of one of the store's languages.
    pub(crate) fn compiled(&self, language: &Language) -> Option<&Compiled> {
        self.compiled.get(language).map(AsRef::as_ref)
    }

    /// What rules do to a question in `language` at `now`.
    pub(crate) fn effects(&self, language: &Language, question: &str, now: Timestamp) -> Effects {
        self.compiled(language)
            .map_or_else(Effects::default, |compiled| compiled.effects(question, now))
    }

    /// The language that `code` names, or the default one.
    ///
    /// Errors: when the store does not have that language.
    pub(crate) fn language(&self, code: Option<&str>) -> Result<Language, Invalid> {
        let Some(code) = code else {
            return Ok(self.store.default_language().clone());
        };
        let language = Language::parse(code).map_err(|reason| Invalid::new("lang", reason))?;
        if self.store.languages.contains(&language) {
            return Ok(language);
        }
        let known: Vec<&str> = self.store.languages.iter().map(Language::as_str).collect();
        let reason = format!(
            "the store has no language \"{language}\"; it has {}",
            known.join(", ")
        );
        Err(Invalid::new("lang", reason))
    }

    /// Bytes of the compiled regular expressions of all rules.
    pub(crate) fn pattern_bytes(&self) -> usize {
        compiled::pattern_bytes(&self.compiled)
    }

    /// The answers that were given in this state.
    pub(crate) fn answers(&self) -> &StateResponses {
        &self.answers
    }
}
