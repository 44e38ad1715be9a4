//! Computes the response to a checked search, a function of the store's state and the search.

use super::configured::Configured;
use super::corrected::corrected_query;
use super::fields::FilterableFields;
use super::labels;
use crate::OperationError;
use crate::search::ranking::{Ranking, TypeQuery, effects, rank};
use crate::search::responses::{
    BannerView, EarlierPages, FacetView, ListHits, PreparedSearch, ProductHits, RedirectView,
    SearchResponse,
};
use crate::snapshots::snapshot::StoreSnapshot;
use domain::Timestamp;
use domain::document::DocType;
use domain::search::{CheckedSearch, Sort};
use engine::Request;
use query::correction::CorrectedQuery;
use query::rules::Effects;
use std::sync::Arc;

/// Hits of a corrected query that are looked at: the first may be pinned and match nothing.
const TRIED_HITS: u32 = 4;

/// Computes the response to a search in one state of the store, with the rules that are in effect at `now`.
///
/// Errors: `Invalid` for a filter by a field that products do not have; if an index cannot be read.
pub(super) fn compute(
    snapshot: &StoreSnapshot,
    prepared: &PreparedSearch,
    now: Timestamp,
) -> Result<SearchResponse, OperationError> {
    require_fields(snapshot, prepared)?;
    let (language, q) = (&prepared.language, &prepared.checked.q);
    let effects = effects(snapshot, (language, q), &prepared.visitor, now)?;
    let mut response = SearchResponse {
        redirect: RedirectView::of(&effects),
        banners: BannerView::all(&effects),
        ..SearchResponse::default()
    };
    let wanted = |doc_type| prepared.checked.types.contains(&doc_type);
    let mut is_list = false;
    for doc_type in DocType::ALL.into_iter().filter(|t| wanted(*t)) {
        let same = |request| request;
        let (ranking, facets) = rank_type(snapshot, prepared, (doc_type, &effects), same)?;
        let analyser = snapshot.analyser(&prepared.language);
        match doc_type {
            DocType::Products => {
                response.products = ProductHits::new(&ranking, analyser);
                if ranking.found.total == 0 {
                    response.corrected_query = corrected(snapshot, prepared, &ranking, now)?;
                }
            }
            DocType::Categories => response.categories = ListHits::new(&ranking, analyser),
            DocType::Brands => response.brands = ListHits::new(&ranking, analyser),
            DocType::Pages => response.pages = ListHits::new(&ranking, analyser),
        }
        response.facets.extend(facets);
        // If the query is a list of codes for products, these are its words, whatever other types found.
        if !is_list {
            merge_words(&mut response, &ranking);
        }
        is_list |= ranking.found.is_list;
    }
    Ok(response)
}

/// Returns another query that finds products under the same filters, for one that finds none.
///
/// Errors: if an index cannot be read.
pub(super) fn corrected(
    snapshot: &StoreSnapshot,
    prepared: &PreparedSearch,
    ranking: &Ranking,
    now: Timestamp,
) -> Result<Option<CorrectedQuery>, OperationError> {
    let (language, visitor) = (&prepared.language, &prepared.visitor);
    corrected_query(snapshot, language, visitor, ranking, |state, text| {
        let effects = effects(state, (language, text), visitor, now)?;
        let checked = CheckedSearch {
            q: text.to_owned(),
            page: 1,
            limit: TRIED_HITS,
            sort: Sort::Relevance,
            facets: false,
            ..prepared.checked.clone()
        };
        let tried = PreparedSearch {
            checked,
            earlier: EarlierPages::new(),
            ..prepared.clone()
        };
        let explained = |request| Request {
            explain: true,
            ..request
        };
        let (ranking, _) = rank_type(state, &tried, (DocType::Products, &effects), explained)?;
        Ok(ranking)
    })
}

/// Checks that products have the fields of the filters, which only the index knows.
fn require_fields(
    snapshot: &StoreSnapshot,
    prepared: &PreparedSearch,
) -> Result<(), OperationError> {
    let choices = &prepared.checked.choices;
    if choices.is_empty() {
        return Ok(());
    }
    let products = snapshot.index(DocType::Products, &prepared.language);
    FilterableFields::of(products, &prepared.visitor)?.require(choices)
}

/// Ranks documents of one type with these effects of rules; returns the facets, too, which only products have. `adapt`
/// changes the request to the index.
///
/// Errors: if an index on disk cannot be read.
pub(crate) fn rank_type(
    snapshot: &StoreSnapshot,
    prepared: &PreparedSearch,
    (doc_type, effects): (DocType, &Effects),
    adapt: impl FnOnce(Request) -> Request,
) -> Result<(Ranking, Vec<FacetView>), OperationError> {
    let labels = snapshot.labels(&prepared.language);
    let configured = Configured::new(
        snapshot.filters(),
        &prepared.checked.choices,
        [&prepared.language, snapshot.store.default_language()],
        &labels,
        snapshot.analyser(&prepared.language),
    );
    let request = adapt(Request {
        unnamed_categories: unnamed_categories(snapshot, prepared, doc_type)?,
        ..engine_request(prepared, doc_type, configured.as_ref())
    });
    let query = TypeQuery {
        language: &prepared.language,
        doc_type,
        text: &prepared.checked.q,
        effects,
    };
    let ranking = rank(snapshot, query, &request)?;
    let facets = match &configured {
        _ if doc_type != DocType::Products => Vec::new(),
        Some(configured) => configured.views(&ranking.found.facets),
        None => labels::facets(&ranking.found.facets, &labels),
    };
    Ok((ranking, facets))
}

/// Merges the words of a ranking into the response: a word is found if any of the requested types has it.
fn merge_words(response: &mut SearchResponse, ranking: &Ranking) {
    let words = ranking.words(true);
    if response.words.is_empty() {
        response.words = words;
        return;
    }
    for (known, new) in response.words.iter_mut().zip(words) {
        known.found = Some(known.found == Some(true) || new.found == Some(true));
    }
}

/// Returns the categories whose names are omitted from the facets of products: those that the shopper may not see. A
/// category without a document is known from its products only, so it is named.
///
/// Errors: if the index of categories cannot be read.
fn unnamed_categories(
    snapshot: &StoreSnapshot,
    prepared: &PreparedSearch,
    doc_type: DocType,
) -> Result<Arc<[String]>, OperationError> {
    let counted = doc_type == DocType::Products && prepared.checked.facets;
    let categories = counted.then(|| snapshot.index(DocType::Categories, &prepared.language));
    match categories.flatten() {
        Some(index) => (index.hidden_from(&prepared.visitor)).map_err(OperationError::unavailable),
        None => Ok(Arc::default()),
    }
}

/// Returns the request to the index of one type. Sort, filters and facets are for products only.
fn engine_request(
    prepared: &PreparedSearch,
    doc_type: DocType,
    configured: Option<&Configured<'_>>,
) -> Request {
    let checked = &prepared.checked;
    let earlier = prepared.earlier.get(&doc_type).cloned().unwrap_or_default();
    let page = Request {
        // The hits of earlier pages that are not listed by id are skipped by offset.
        offset: ((checked.page - 1 - earlier.pages) * checked.limit) as usize,
        limit: checked.limit as usize,
        exclude: earlier.shown,
        visitor: Arc::clone(&prepared.visitor),
        ..Request::default()
    };
    if doc_type != DocType::Products {
        return page;
    }
    Request {
        sort: checked.sort,
        choices: configured.map_or_else(|| checked.choices.clone(), Configured::choices),
        facets: checked.facets,
        facet_requests: configured.map(Configured::facet_requests),
        ..page
    }
}
