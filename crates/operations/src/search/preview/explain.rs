//! Why products are where they are, or why they are missing: the first reason that keeps each out.

use crate::message;
use crate::search::ranking::{TypeQuery, rank};
use crate::search::simulator::SimulationHit;
use crate::search::trial::{Sides, Trial, TrialRequest, TriedQuery};
use crate::snapshots::snapshot::{Configuration, StoreSnapshot};
use crate::{OperationError, Service};
use domain::document::DocType;
use domain::form::{LanguageCode, QueryText};
use domain::limits::{DOCUMENT_ID_CHARACTERS_MAX, EXPLAINED_IDS_MAX, SEARCH_DEPTH_MAX};
use domain::message::list;
use domain::relevance::Percent;
use domain::search::{FilterValue, filters_schema};
use domain::visitor::{DocumentAccess, Visitor};
use domain::{Caller, Language, Message, SearchSettings, StoreId, Translatable};
use engine::{PinState, Request};
use query::rules::{Effects, PinFate, RulePin};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Request to explain products.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("additionalProperties" = false))]
pub struct ExplainRequest {
    /// The query; empty browses.
    #[serde(default)]
    #[schemars(with = "QueryText")]
    pub q: String,
    /// Language; the store's default when left out.
    #[serde(default)]
    #[schemars(with = "LanguageCode")]
    pub lang: Option<String>,
    /// What is tried, when and for whom.
    #[serde(flatten)]
    pub trial: TrialRequest,
    /// Filters that the shopper chose, by field.
    #[serde(default)]
    #[schemars(schema_with = "filters_schema")]
    pub filters: BTreeMap<String, FilterValue>,
    /// Ids of one or two products.
    #[schemars(length(min = 1, max = EXPLAINED_IDS_MAX), inner(length(min = 1, max = DOCUMENT_ID_CHARACTERS_MAX)))]
    pub ids: Vec<String>,
}

/// A product, explained.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Explained {
    /// It is found.
    Hit(Box<SimulationHit>),
    /// It is not.
    Missing {
        /// Its id.
        id: String,
        /// Always false.
        found: bool,
        /// The first reason that keeps it out, as the end of a sentence that starts with the product.
        reason: String,
        /// Key and values of the reason.
        translatable: Box<Translatable>,
    },
}

/// Explains one or two products under a draft or a former revision, in the order of the request.
///
/// Errors: as of a preview.
pub async fn explain(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    request: ExplainRequest,
) -> Result<Vec<Explained>, OperationError> {
    let trial = Trial::open(service, caller, store, request.trial).await?;
    let (lang, ids) = (request.lang, request.ids);
    let asked = (request.q, request.filters, false);
    let work = move || {
        let language = trial.language(lang.as_deref())?;
        let visitor = trial.visitor();
        let sides = Sides::new(trial, [&language])?;
        let query = TriedQuery::new(&sides, asked, language, visitor, SEARCH_DEPTH_MAX)?;
        let effects = query.effects(&sides.tried, sides.at)?;
        let order = query.order(&sides.tried, &effects, query.limit)?.ids;
        let saved = query.effects(&sides.saved, sides.at)?;
        let saved = query.order(&sides.saved, &saved, query.limit)?.ids;
        let one = |id: &String| match order.iter().position(|other| other == id) {
            Some(place) => {
                let saved = saved.iter().position(|other| other == id);
                found(&query, &sides, &effects, (place, saved))
            }
            None => missing(&query, &sides, &effects, id).map(|reason| Explained::Missing {
                id: id.clone(),
                found: false,
                reason: reason.text,
                translatable: reason.translatable,
            }),
        };
        ids.iter().map(one).collect()
    };
    service.search.scheduler.run(store, work).await
}

fn found(
    query: &TriedQuery,
    sides: &Sides,
    effects: &Effects,
    (place, saved): (usize, Option<usize>),
) -> Result<Explained, OperationError> {
    let (mut ranking, _) = query.rank(&sides.tried, effects, |request| Request {
        offset: place,
        limit: 1,
        explain: true,
        facets: false,
        ..request
    })?;
    let hit = ranking.found.hits.pop();
    let hit = hit.ok_or_else(|| OperationError::internal("a hit was not found again"))?;
    let saved = saved.map(|saved| saved as u32 + 1);
    let hit = SimulationHit::new(place as u32 + 1, saved, hit);
    Ok(Explained::Hit(Box::new(hit)))
}

/// Returns the first reason that keeps a product out.
fn missing(
    query: &TriedQuery,
    sides: &Sides,
    effects: &Effects,
    id: &str,
) -> Result<Message, OperationError> {
    if effects.hidden.iter().any(|hidden| hidden == id) {
        return Ok(message::missing::hidden());
    }
    let language = &query.search.language;
    let visitor = &query.search.visitor;
    Ok(match state(query, sides, effects, (id, visitor))? {
        PinState::Unknown => unknown(sides, language, id)?,
        PinState::Unavailable => {
            let anybody = Visitor {
                access: DocumentAccess::Unrestricted,
                ..Visitor::clone(visitor)
            };
            match state(query, sides, effects, (id, &Arc::new(anybody)))? {
                PinState::Unavailable => message::missing::out_of_stock(),
                _ => message::missing::not_for_visitor(),
            }
        }
        PinState::Filtered => message::missing::filtered(),
        PinState::Shown => unmatched(query, sides, effects, id)?,
    })
}

/// Returns what would keep the product from being shown if a rule pinned it, whatever the query.
fn state(
    query: &TriedQuery,
    sides: &Sides,
    effects: &Effects,
    (id, visitor): (&str, &Arc<Visitor>),
) -> Result<PinState, OperationError> {
    let mut effects = effects.clone();
    effects.pins = vec![pin(id)];
    let (ranking, _) = query.rank(&sides.tried, &effects, |request| Request {
        limit: 1,
        ids_only: true,
        facets: false,
        visitor: Arc::clone(visitor),
        ..request
    })?;
    let state = ranking.found.pins.into_iter().next();
    Ok(state.unwrap_or(PinState::Unknown))
}

fn pin(id: &str) -> RulePin {
    RulePin {
        product: id.to_owned(),
        rule: "".into(),
        fate: PinFate::Wanted,
    }
}

/// Returns the reason for a product that the index of `language` does not have.
fn unknown(sides: &Sides, language: &Language, id: &str) -> Result<Message, OperationError> {
    let mut effects = Effects::default();
    effects.pins.push(pin(id));
    let mut others = Vec::new();
    for other in &sides.saved.store.languages {
        let query = TypeQuery {
            language: other,
            doc_type: DocType::Products,
            text: "",
            effects: &effects,
        };
        let request = Request {
            limit: 1,
            ids_only: true,
            ..Request::default()
        };
        let found = rank(&sides.saved, query, &request)?.found;
        let state = found.pins.into_iter().next().unwrap_or(PinState::Unknown);
        if other != language && !matches!(state, PinState::Unknown) {
            others.push(other.as_str());
        }
    }
    Ok(if others.is_empty() {
        message::missing::not_a_product()
    } else {
        message::missing::other_languages(language.as_str(), list(others))
    })
}

/// Returns the reason for a product that could be shown.
fn unmatched(
    query: &TriedQuery,
    sides: &Sides,
    effects: &Effects,
    id: &str,
) -> Result<Message, OperationError> {
    let settings = &sides.tried.configuration.relevance.search_settings;
    if settings.score_cutoff > 0 {
        let all = with_settings(&sides.tried, |settings| settings.score_cutoff = 0);
        let order = query.order(&all, effects, query.limit)?;
        if order.ids.iter().any(|other| other == id) {
            let cutoff = settings.score_cutoff;
            return Ok(message::missing::below_cutoff(cutoff));
        }
    }
    let any = with_settings(&sides.tried, |settings| {
        settings.score_cutoff = 0;
        settings.min_match_short = Percent(1);
        settings.min_match_long = Percent(1);
    });
    let order = query.order(&any, effects, query.limit)?;
    if let Some(place) = order.ids.iter().position(|other| other == id) {
        let (ranking, _) = query.rank(&any, effects, |request| Request {
            offset: place,
            limit: 1,
            explain: true,
            facets: false,
            ..request
        })?;
        let hit = ranking.found.hits.into_iter().next();
        let matches = hit.and_then(|hit| hit.breakdown).map(|b| b.text.matches);
        let words: BTreeSet<String> = matches
            .unwrap_or_default()
            .iter()
            .map(|found| found.word.to_string())
            .collect();
        let of = ranking.query.words.iter().filter(|word| word.counts);
        return Ok(message::missing::words(words.len(), of.count()));
    }
    if order.total > order.ids.len() as u64 {
        return Ok(message::missing::beyond(order.ids.len()));
    }
    Ok(message::missing::no_word())
}

fn with_settings(
    snapshot: &StoreSnapshot,
    change: impl FnOnce(&mut SearchSettings),
) -> StoreSnapshot {
    let mut configuration = Configuration::clone(&snapshot.configuration);
    change(&mut configuration.relevance.search_settings);
    snapshot.with_configuration(configuration)
}
