//! The one ranking path: the shopper's search and the simulator both end here.

use crate::OperationError;
use crate::snapshot::StoreSnapshot;
use domain::Language;
use domain::document::DocType;
use domain::search::Sort;
use engine::{EngineError, HitSink, Request, SearchResult, Snapshot};
use query::rules::Effects;
use query::{Plan, UserQuery};
use schemars::JsonSchema;
use serde::Serialize;

/// A question and what it found in one index.
pub(crate) struct Ranking {
    /// The question, analysed.
    pub query: UserQuery,
    /// What was found.
    pub found: SearchResult,
}

/// What is asked of one type of documents.
#[derive(Clone, Copy)]
pub(crate) struct TypeQuery<'a> {
    /// Its language.
    pub language: &'a Language,
    /// The type.
    pub doc_type: DocType,
    /// As it was typed.
    pub text: &'a str,
    /// What rules do to it; to products only.
    pub effects: &'a Effects,
}

/// Ranks documents of one type and language: a function of its arguments.
///
/// Errors: when the index on disk can no longer be read.
pub(crate) fn rank(
    snapshot: &StoreSnapshot,
    question: TypeQuery<'_>,
    request: &Request,
) -> Result<Ranking, OperationError> {
    rank_by(snapshot, question, request.sort, |index, plan| {
        index.search(plan, request)
    })
}

/// The same, with hits that are handed to `shown`.
pub(crate) fn rank_each(
    snapshot: &StoreSnapshot,
    question: TypeQuery<'_>,
    request: &Request,
    shown: &HitSink<'_>,
) -> Result<Ranking, OperationError> {
    rank_by(snapshot, question, request.sort, |index, plan| {
        index.search_each(plan, request, shown)
    })
}

fn rank_by(
    snapshot: &StoreSnapshot,
    question: TypeQuery<'_>,
    sort: Sort,
    search: impl FnOnce(&dyn Snapshot, &Plan) -> Result<SearchResult, EngineError>,
) -> Result<Ranking, OperationError> {
    let TypeQuery {
        language, doc_type, ..
    } = question;
    let relevance = &snapshot.configuration.relevance;
    let analyser = snapshot
        .analyser(language)
        .ok_or_else(|| OperationError::internal("a language of the store has no analyser"))?;
    let mut query = UserQuery::new(question.text, analyser, &relevance.search_settings);
    if let Some(compiled) = snapshot.compiled(language) {
        query = query.with_synonyms(&compiled.synonyms);
    }
    let found = match snapshot.index(doc_type, language) {
        Some(index) => {
            let mut plan = Plan::new(&query, relevance, doc_type);
            if doc_type == DocType::Products {
                plan = plan.with_rules(question.effects.plan(sort == Sort::Relevance));
            }
            search(index, &plan).map_err(OperationError::unavailable)?
        }
        None => SearchResult::default(),
    };
    Ok(Ranking { query, found })
}

/// One word of the question, as answers show it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct WordView {
    /// As typed.
    pub text: String,
    /// Its analysed form.
    pub analysed: String,
    /// Whether it is a stop word that does not count.
    pub stop: bool,
    /// Whether it, a typo of it or a longer word was found; only in searches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<bool>,
}

impl Ranking {
    /// The words of the question, or the codes of a list, with whether they were found where that is wanted.
    pub(crate) fn words(&self, with_found: bool) -> Vec<WordView> {
        let mut reports = self.found.words.iter();
        if self.found.is_list {
            let parts = self.query.list.iter().zip(reports);
            return parts
                .map(|(part, report)| WordView {
                    text: part.text.clone(),
                    analysed: part.compact.clone(),
                    stop: false,
                    found: with_found.then_some(report.found),
                })
                .collect();
        }
        let words = self.query.words.iter().map(|word| {
            let report = if word.counts { reports.next() } else { None };
            WordView {
                text: word.text.clone(),
                analysed: word.token.stem.clone(),
                stop: !word.counts,
                found: with_found.then(|| report.is_some_and(|report| report.found)),
            }
        });
        words.collect()
    }
}
