//! Computes the suggestions for a query that is being typed: step by step, until there are enough
//! (`query::suggestions`).

use super::compute;
use crate::OperationError;
use crate::search::ranking::{Ranking, TypeQuery, effects, rank_plan};
use crate::search::responses::{
    ListHit, ListHits, PreparedSearch, ProductHits, RedirectView, SearchResponse,
};
use crate::snapshots::snapshot::StoreSnapshot;
use domain::Timestamp;
use domain::document::DocType;
use domain::search::CheckedSearch;
use engine::{PinState, Request};
use query::rules::Effects;
use query::suggestions::{SuggestionStep, TypedText};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;

/// Hits of a step from which those are taken whose names start with what was typed.
const CANDIDATES: usize = 60;

/// Categories of which those with the most products are suggested before anything is typed.
const CATEGORIES: u32 = 60;
/// Field whose facet counts the products of categories.
const CATEGORY_FIELD: &str = "categories";

/// What suggestions are found in.
struct Suggesting<'a> {
    snapshot: &'a StoreSnapshot,
    prepared: &'a PreparedSearch,
    effects: Effects,
    typed: TypedText,
}

/// Computes the suggestions of all types in one state of the store, with the rules that are in effect at `now`. Where no
/// step finds anything, they are the hits of the search.
///
/// Errors: if an index cannot be read.
pub(super) fn compute(
    snapshot: &StoreSnapshot,
    prepared: &PreparedSearch,
    now: Timestamp,
) -> Result<SearchResponse, OperationError> {
    let text = &prepared.checked.q;
    if text.trim().is_empty() {
        return before_typing(snapshot, prepared, now);
    }
    let suggesting = Suggesting {
        snapshot,
        prepared,
        effects: effects(snapshot, (&prepared.language, text), &prepared.visitor, now)?,
        typed: TypedText::new(text),
    };
    let analyser = snapshot.analyser(&prepared.language);
    let mut response = SearchResponse {
        redirect: RedirectView::of(&suggesting.effects),
        ..SearchResponse::default()
    };
    for ranking in suggesting.of_type(DocType::Products, &SuggestionStep::PRODUCTS)? {
        let found = ProductHits::new(&ranking, analyser);
        response.products.hits.extend(found.hits);
        response.products.total = response.products.total.max(found.total);
        response.words = ranking.words(true);
    }
    for doc_type in [DocType::Categories, DocType::Brands] {
        let hits = match doc_type {
            DocType::Categories => &mut response.categories,
            _ => &mut response.brands,
        };
        for ranking in suggesting.of_type(doc_type, &SuggestionStep::OTHERS)? {
            let found = ListHits::new(&ranking, analyser);
            hits.hits.extend(found.hits);
            hits.total = hits.total.max(found.total);
        }
    }
    let is_empty = response.products.hits.is_empty()
        && response.categories.hits.is_empty()
        && response.brands.hits.is_empty();
    match is_empty {
        true => compute::compute(snapshot, prepared, now),
        false => Ok(response),
    }
}

/// Computes what is suggested before anything is typed: the products that the store ranks first without a query, and the
/// categories with the most products.
fn before_typing(
    snapshot: &StoreSnapshot,
    prepared: &PreparedSearch,
    now: Timestamp,
) -> Result<SearchResponse, OperationError> {
    let checked = CheckedSearch {
        facets: true,
        limit: CATEGORIES,
        ..prepared.checked.clone()
    };
    let wide = PreparedSearch {
        checked,
        ..prepared.clone()
    };
    let mut response = compute::compute(snapshot, &wide, now)?;
    let facets = std::mem::take(&mut response.facets);
    let categories = facets.iter().filter(|facet| facet.field == CATEGORY_FIELD);
    let values = categories.flat_map(|facet| facet.values.iter().flatten());
    let counts: HashMap<&str, u64> = values
        .map(|value| (value.id.as_str(), value.count))
        .collect();
    let products = |hit: &ListHit| counts.get(hit.id.as_str()).copied().unwrap_or_default();
    let limit = prepared.checked.limit as usize;
    response
        .categories
        .hits
        .sort_by_key(|hit| Reverse(products(hit)));
    response.products.hits.truncate(limit);
    response.categories.hits.truncate(limit);
    response.brands.hits.truncate(limit);
    Ok(response)
}

impl Suggesting<'_> {
    /// Returns the rankings of the steps that were needed, each with the hits that the ones before it do not have.
    fn of_type(
        &self,
        doc_type: DocType,
        steps: &[SuggestionStep],
    ) -> Result<Vec<Ranking>, OperationError> {
        let mut rankings: Vec<Ranking> = Vec::new();
        let mut missing = self.prepared.checked.limit as usize;
        for step in steps {
            let shown = rankings.iter().flat_map(|ranking| &ranking.found.hits);
            let shown = shown.map(|hit| hit.id.clone()).collect();
            let mut ranking = self.rank(*step, doc_type, shown)?;
            self.put_first(&mut ranking);
            ranking.found.hits.truncate(missing);
            missing -= ranking.found.hits.len();
            rankings.push(ranking);
            if missing == 0 {
                break;
            }
        }
        Ok(rankings)
    }

    fn rank(
        &self,
        step: SuggestionStep,
        doc_type: DocType,
        shown: Vec<String>,
    ) -> Result<Ranking, OperationError> {
        let query = TypeQuery {
            language: &self.prepared.language,
            doc_type,
            text: &self.prepared.checked.q,
            effects: &self.effects,
        };
        let request = Request {
            exclude: shown,
            limit: CANDIDATES,
            visitor: Arc::clone(&self.prepared.visitor),
            ..Request::default()
        };
        rank_plan(self.snapshot, query, &request, |query, relevance, of| {
            step.plan(query, relevance, of)
        })
    }

    /// Puts the hits first, behind pins, whose names start with what was typed.
    fn put_first(&self, ranking: &mut Ranking) {
        let pins = ranking.found.pins.iter();
        let pinned = pins.filter(|pin| **pin == PinState::Shown).count();
        let unpinned = ranking.found.hits.get_mut(pinned..).unwrap_or_default();
        unpinned.sort_by_key(|hit| !self.typed.starts(hit.card.name()));
    }
}
