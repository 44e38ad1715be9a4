//! Ranks documents, for the shopper's search and the simulator alike.

use crate::OperationError;
use crate::runtime::traces;
use crate::search::mistyped::mistyped;
use crate::snapshots::snapshot::StoreSnapshot;
use domain::document::DocType;
use domain::relevance::Relevance;
use domain::search::Sort;
use domain::visitor::Visitor;
use domain::{Language, Timestamp};
use engine::{Request, SearchResult};
use query::rules::Effects;
use query::{Plan, UserQuery};
use schemars::JsonSchema;
use serde::Serialize;

/// A query and its result in one index.
pub(crate) struct Ranking {
    /// The analysed query.
    pub query: UserQuery,
    /// Hits, total and facets.
    pub found: SearchResult,
}

/// A query for documents of one type.
#[derive(Clone, Copy)]
pub(crate) struct TypeQuery<'a> {
    /// Language of the query and the documents.
    pub language: &'a Language,
    /// Type of the documents.
    pub doc_type: DocType,
    /// Text as typed.
    pub text: &'a str,
    /// Effects of rules; they apply to products only.
    pub effects: &'a Effects,
}

/// Ranks documents of one type and language. The result depends on the arguments only.
///
/// Errors: if the index on disk cannot be read.
pub(crate) fn rank(
    snapshot: &StoreSnapshot,
    query: TypeQuery<'_>,
    request: &Request,
) -> Result<Ranking, OperationError> {
    rank_plan(snapshot, query, request, Plan::new)
}

/// Ranks documents of one type and language by the plan that `compile` makes of the query, to which the effects of rules
/// are added. The result depends on the arguments only.
///
/// Errors: if the index on disk cannot be read.
pub(crate) fn rank_plan(
    snapshot: &StoreSnapshot,
    query: TypeQuery<'_>,
    request: &Request,
    compile: impl FnOnce(&UserQuery, &Relevance, DocType) -> Plan,
) -> Result<Ranking, OperationError> {
    let TypeQuery {
        language, doc_type, ..
    } = query;
    let relevance = &snapshot.configuration.relevance;
    let planning = traces::plan(doc_type.as_str()).entered();
    let user_query = user_query(snapshot, (language, query.text), &request.visitor)?;
    let found = match snapshot.index(doc_type, language) {
        Some(index) => {
            let mut plan = compile(&user_query, relevance, doc_type);
            if doc_type == DocType::Products {
                plan = plan.with_rules(query.effects.plan(request.sort == Sort::Relevance));
            }
            // What enough products have is no typo elsewhere.
            let products = snapshot.index(DocType::Products, language);
            let asks_products = doc_type != DocType::Products && plan.tolerates_typos();
            if let Some(products) = products.filter(|_| asks_products) {
                let of_products = Plan::new(&user_query, relevance, DocType::Products);
                let settled = products.settled_words(&of_products, &request.visitor);
                plan.settle(&settled.map_err(OperationError::unavailable)?);
            }
            drop(planning);
            let engine = traces::engine(doc_type.as_str()).entered();
            let found = (index.search(&plan, request)).map_err(OperationError::unavailable)?;
            engine.record("found", found.total);
            found
        }
        None => SearchResult::default(),
    };
    Ok(Ranking {
        query: user_query,
        found,
    })
}

/// Returns a query in a language as it is understood for a visitor, with the synonyms that fire.
///
/// Errors: if the index on disk cannot be read.
pub(crate) fn user_query(
    snapshot: &StoreSnapshot,
    (language, text): (&Language, &str),
    visitor: &Visitor,
) -> Result<UserQuery, OperationError> {
    let analyser = snapshot
        .analyser(language)
        .ok_or_else(|| OperationError::internal("a language of the store has no analyser"))?;
    let settings = &snapshot.configuration.relevance.search_settings;
    let read = UserQuery::new(text, analyser, settings);
    let Some(compiled) = snapshot.compiled(language) else {
        return Ok(read);
    };
    let mistyped = mistyped(snapshot, language, text, visitor)?;
    Ok(read.with_synonyms(&compiled.synonyms, analyser, &mistyped))
}

/// Returns the effects at `now` of the rules on a query in a language, for a visitor.
///
/// Errors: if an index on disk cannot be read.
pub(crate) fn effects(
    snapshot: &StoreSnapshot,
    (language, text): (&Language, &str),
    visitor: &Visitor,
    now: Timestamp,
) -> Result<Effects, OperationError> {
    let Some(compiled) = snapshot.compiled(language) else {
        return Ok(Effects::default());
    };
    let mistyped = mistyped(snapshot, language, text, visitor)?;
    Ok(compiled.effects(text, &mistyped, now))
}

/// One word of a query.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct WordView {
    /// As typed.
    pub text: String,
    /// Analysed form.
    pub analysed: String,
    /// Whether it is a stop word that is ignored.
    pub stop: bool,
    /// Whether the word, a typo of it or a longer word was found; only in searches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<bool>,
}

impl Ranking {
    /// Returns the words of the query, or the codes of a list; with `with_found` also whether they were found.
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
