//! An index as it is at present: the cluster has no other state.

use super::client::ClientError;
use super::executor::Executor;
use super::fields::{self, SEPARATOR};
use super::generation::ClusterGeneration;
use super::hits;
use super::index::ClusterState;
use super::lookups::counted;
use super::queries::{buckets, every, exists, in_texts, malformed, not, visible};
use super::search::Searcher;
use super::suggesting::{candidates, fuzzy, suggest};
use crate::{
    EngineError, Facts, FieldUse, FilterFieldUse, IndexSpec, Request, SearchResult, Snapshot,
};
use domain::search::FilterField;
use domain::visitor::Visitor;
use query::correction::{SpelledWord, Spelling};
use query::meaning::lookups::{CountedTerm, keep_nearest};
use query::{Analyser, Plan};
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Fields that are read.
const FIELDS_MAX: usize = 10_000;
/// Fuzzy terms of a word that are looked at, the nearest and commonest first.
const SPELLINGS_MAX: usize = 16;

/// An index that is searched.
pub struct ClusterSnapshot {
    /// The generation, with what is known about it.
    pub state: ClusterState,
    /// What the index has to be of.
    pub spec: Arc<IndexSpec>,
    /// Its analyser.
    pub analyser: Arc<Analyser>,
}

impl ClusterSnapshot {
    /// Reads a generation; if it is gone, the one that another process has put in its place.
    fn read<T>(
        &self,
        action: impl Fn(&ClusterState) -> Result<T, EngineError>,
    ) -> Result<T, EngineError> {
        let error = match action(&self.state) {
            Err(error) if is_gone(&error) => error,
            done => return done,
        };
        let client = &self.state.generation.client;
        let found = ClusterGeneration::in_use(client, &self.spec)
            .map_err(EngineError::during("find an index"))?;
        let Some(found) = found else {
            self.state.generation.note_gone(true);
            return Err(error);
        };
        let state = ClusterState::read(found).map_err(EngineError::during("find an index"))?;
        action(&state)
    }

    fn search_in<T>(
        &self,
        action: impl Fn(&Searcher) -> Result<T, EngineError>,
    ) -> Result<T, EngineError> {
        self.read(|state| action(&Searcher::new(&state.generation)))
    }

    fn execute<T>(
        &self,
        action: impl Fn(&Executor<'_>) -> Result<T, EngineError>,
    ) -> Result<T, EngineError> {
        self.read(|state| {
            let generation = &state.generation;
            let facts = (state.facts)
                .read(&generation.client, &generation.name, &state.meta)
                .map_err(EngineError::during("read the facts of an index"))?;
            action(&Executor {
                searcher: &Searcher::new(generation),
                analyser: &self.analyser,
                facts: &facts,
            })
        })
    }

    /// Returns how a document that the visitor may see writes `near`: in its name, or elsewhere where the term is a word as
    /// it stands; none if there is no such document.
    fn form(
        &self,
        searcher: &Searcher,
        near: &CountedTerm,
        visitor: &Visitor,
    ) -> Result<Option<String>, EngineError> {
        let query = every(vec![visible(visitor), in_texts(&near.term)]);
        let body = json!({
            "size": 1, "track_total_hits": false, "_source": [fields::CARD], "query": query,
            "sort": [{fields::ORDINAL: "asc"}],
        });
        let found = searcher.search(&body)?;
        let Some(hit) = hits::of(&found)?.first() else {
            return Ok(None);
        };
        let card = hits::card(hit)?;
        let mut words = card.words();
        if let Some(word) = words.find(|word| *word.stem == *near.term) {
            return Ok(Some(word.form.to_owned()));
        }
        let is_word = self.analyser.stem(&near.term) == *near.term;
        Ok(is_word.then(|| near.term.to_string()))
    }

    fn spelled(
        &self,
        searcher: &Searcher,
        words: &[SpelledWord],
        visitor: &Visitor,
    ) -> Result<Vec<Vec<Spelling>>, EngineError> {
        let suggestions: Vec<_> = words
            .iter()
            .map(|word| fuzzy(&word.stem, word.typos, 0))
            .collect();
        let requested = suggest(&suggestions);
        if requested.is_empty() {
            return Ok(vec![Vec::new(); words.len()]);
        }
        let found = searcher
            .search(&json!({"size": 0, "track_total_hits": false, "suggest": requested}))?;
        let mut all = Vec::with_capacity(words.len());
        for mut terms in counted(searcher, candidates(&suggestions, &found["suggest"]))? {
            keep_nearest(&mut terms, CountedTerm::nearness);
            terms.truncate(SPELLINGS_MAX);
            let mut spellings = Vec::new();
            for own in &terms {
                if let Some(form) = self.form(searcher, own, visitor)? {
                    spellings.push(Spelling {
                        form,
                        stem: own.term.to_string(),
                        distance: own.distance,
                        documents: own.documents,
                    });
                }
            }
            all.push(spellings);
        }
        Ok(all)
    }
}

impl Snapshot for ClusterSnapshot {
    fn search(&self, plan: &Plan, request: &Request) -> Result<SearchResult, EngineError> {
        self.execute(|executor| executor.search(plan, request))
    }

    fn settled_words(&self, plan: &Plan, visitor: &Visitor) -> Result<Vec<bool>, EngineError> {
        self.execute(|executor| executor.settled(plan, visitor))
    }

    fn facts(&self) -> Arc<Facts> {
        let ClusterState {
            generation,
            meta,
            facts,
            ..
        } = &self.state;
        facts.of(&generation.client, &generation.name, meta)
    }

    fn fingerprints(&self) -> Result<Vec<(u32, u64)>, EngineError> {
        let read = [fields::ORDINAL, fields::FINGERPRINT];
        let query = exists(fields::ID);
        let all = self.search_in(|searcher| searcher.read_all(&query, fields::ORDINAL, &read))?;
        let prints = all.iter().map(|hit| {
            let number = |field: &str| hit["fields"][field][0].as_i64();
            let ordinal = number(fields::ORDINAL).and_then(|own| u32::try_from(own).ok());
            let both = ordinal.zip(number(fields::FINGERPRINT));
            both.map(|(ordinal, print)| (ordinal, print.cast_unsigned()))
                .ok_or_else(|| malformed("a fingerprint"))
        });
        prints.collect()
    }

    fn fields(&self, visitor: &Visitor) -> Result<Arc<FieldUse>, EngineError> {
        let terms = |field: &str| json!({"terms": {"field": field, "size": FIELDS_MAX}});
        let body = json!({
            "size": 0, "track_total_hits": false, "query": visible(visitor),
            "aggs": {"carried": terms(fields::CARRIED), "groups": terms(fields::GROUPS)},
        });
        let found = self.search_in(|searcher| searcher.search(&body))?;
        let mut groups: BTreeMap<&str, &str> = BTreeMap::new();
        // The commonest name of a group comes first.
        for (name, group) in buckets(&found["aggregations"]["groups"])
            .filter_map(|(term, _)| term.split_once(SEPARATOR))
        {
            groups.entry(name).or_insert(group);
        }
        let fields = buckets(&found["aggregations"]["carried"]).filter_map(|(name, documents)| {
            Some(FilterFieldUse {
                field: FilterField::parse(name)?,
                group: groups
                    .get(name)
                    .map_or_else(String::new, |group| (*group).to_owned()),
                documents,
            })
        });
        Ok(Arc::new(FieldUse::new(fields.collect())))
    }

    fn contains(&self, stems: &[String], visitor: &Visitor) -> Result<Vec<bool>, EngineError> {
        let counts = self.search_in(|searcher| {
            let filters = stems.iter().map(|stem| in_texts(stem));
            searcher.count_within(visible(visitor), filters.collect())
        })?;
        Ok(counts.into_iter().map(|documents| documents > 0).collect())
    }

    fn spellings(
        &self,
        words: &[SpelledWord],
        visitor: &Visitor,
    ) -> Result<Vec<Vec<Spelling>>, EngineError> {
        self.search_in(|searcher| self.spelled(searcher, words, visitor))
    }

    fn hidden_from(&self, visitor: &Visitor) -> Result<Arc<[String]>, EngineError> {
        let query = every(vec![exists(fields::ID), not(visible(visitor))]);
        let all =
            self.search_in(|searcher| searcher.read_all(&query, fields::ID, &[fields::ID]))?;
        let ids = all.iter().map(|hit| hits::id(hit).map(str::to_owned));
        ids.collect::<Result<Vec<String>, _>>().map(Arc::from)
    }
}

/// Whether an index is gone that was searched.
fn is_gone(error: &EngineError) -> bool {
    let cause = error.source.downcast_ref::<ClientError>();
    cause.is_some_and(ClientError::is_missing)
}
