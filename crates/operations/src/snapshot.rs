//! What a search reads: one immutable state of a store, its indexes and its configuration together.

use crate::compiled::{Compiled, CompiledByLanguage, Records};
use crate::search::SearchAnswer;
use domain::declarations::Declarations;
use domain::document::DocType;
use domain::feed::FeedScope;
use domain::filter::Filter;
use domain::relevance::Overrides;
use domain::relevance::field::FieldId;
use domain::store::Store;
use domain::{Invalid, Language, Relevance, Timestamp};
use parking_lot::Mutex;
use query::Analyser;
use query::rules::Effects;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Answers that one state of a store remembers.
const ANSWERS_MAX: usize = 1_000;

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

/// One immutable state of a store. A search is a function of it and of the request.
pub struct StoreSnapshot {
    /// The store.
    pub store: Arc<Store>,
    /// Its configuration.
    pub configuration: Arc<Configuration>,
    /// What its shop has declared.
    pub declarations: Arc<Declarations>,
    indexes: Arc<BTreeMap<FeedScope, Arc<dyn engine::Snapshot>>>,
    analysers: Arc<BTreeMap<Language, Analyser>>,
    records: Arc<Records>,
    compiled: Arc<CompiledByLanguage>,
    /// Answers given in this state; every other state starts with none.
    answers: Mutex<HashMap<String, Arc<SearchAnswer>>>,
}

impl StoreSnapshot {
    /// A state of a store.
    pub(crate) fn new(
        saved: Saved,
        indexes: BTreeMap<FeedScope, Arc<dyn engine::Snapshot>>,
    ) -> Self {
        let known = indexes
            .keys()
            .map(|scope| &scope.language)
            .chain(&saved.store.languages);
        let analysers = known
            .map(|code| (code.clone(), Analyser::new(code)))
            .collect();
        let (indexes, analysers) = (Arc::new(indexes), Arc::new(analysers));
        Self {
            compiled: Arc::new(saved.records.compile(&analysers)),
            records: saved.records,
            store: saved.store,
            configuration: saved.configuration,
            declarations: saved.declarations,
            indexes,
            analysers,
            answers: Mutex::default(),
        }
    }

    /// The same state with another configuration: what the simulator searches.
    #[must_use]
    pub fn with_configuration(&self, configuration: Configuration) -> Self {
        Self {
            store: Arc::clone(&self.store),
            configuration: Arc::new(configuration),
            declarations: Arc::clone(&self.declarations),
            indexes: Arc::clone(&self.indexes),
            analysers: Arc::clone(&self.analysers),
            records: Arc::clone(&self.records),
            compiled: Arc::clone(&self.compiled),
            answers: Mutex::default(),
        }
    }

    /// The same state with a newer index of `scope`.
    #[must_use]
    pub(crate) fn with_index(&self, scope: &FeedScope, index: Arc<dyn engine::Snapshot>) -> Self {
        let mut indexes = BTreeMap::clone(&self.indexes);
        indexes.insert(scope.clone(), index);
        if self.analysers.contains_key(&scope.language) {
            return Self {
                store: Arc::clone(&self.store),
                configuration: Arc::clone(&self.configuration),
                declarations: Arc::clone(&self.declarations),
                indexes: Arc::new(indexes),
                analysers: Arc::clone(&self.analysers),
                records: Arc::clone(&self.records),
                compiled: Arc::clone(&self.compiled),
                answers: Mutex::default(),
            };
        }
        let saved = Saved {
            store: Arc::clone(&self.store),
            configuration: Arc::clone(&self.configuration),
            declarations: Arc::clone(&self.declarations),
            records: Arc::clone(&self.records),
        };
        Self::new(saved, indexes)
    }

    /// The same indexes with another store, configuration and declarations.
    #[must_use]
    pub(crate) fn with_saved(&self, saved: Saved) -> Self {
        let same = saved.records == self.records && saved.store.languages == self.store.languages;
        if !same {
            return Self::new(saved, BTreeMap::clone(&self.indexes));
        }
        Self {
            store: saved.store,
            configuration: saved.configuration,
            declarations: saved.declarations,
            indexes: Arc::clone(&self.indexes),
            analysers: Arc::clone(&self.analysers),
            records: Arc::clone(&self.records),
            compiled: Arc::clone(&self.compiled),
            answers: Mutex::default(),
        }
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
        self.analysers.get(language)
    }

    /// The filters of the store, in the order in which they are shown; none where facets are automatic.
    pub(crate) fn filters(&self) -> &[Filter] {
        &self.records.filters
    }

    /// The synonyms and rules of one of the store's languages.
    pub(crate) fn compiled(&self, language: &Language) -> Option<&Compiled> {
        self.compiled.get(language)
    }

    /// What rules do to a question in `language` at `now`.
    pub(crate) fn effects(&self, language: &Language, question: &str, now: Timestamp) -> Effects {
        let known = self.analyser(language).zip(self.compiled(language));
        known.map_or_else(Effects::default, |(analyser, compiled)| {
            compiled.effects(question, analyser, now)
        })
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

    /// The remembered answer to a request.
    pub(crate) fn answer(&self, request: &str) -> Option<Arc<SearchAnswer>> {
        self.answers.lock().get(request).cloned()
    }

    /// Remembers an answer.
    pub(crate) fn remember(&self, request: String, answer: Arc<SearchAnswer>) {
        let mut answers = self.answers.lock();
        if answers.len() >= ANSWERS_MAX {
            answers.clear();
        }
        answers.insert(request, answer);
    }
}
