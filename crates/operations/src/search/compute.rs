//! The answer to a checked search: a function of the store's state and of what is asked.

use super::banners_and_redirects::{BannerView, RedirectView};
use super::configured::Configured;
use super::labels;
use super::pages::EarlierPages;
use super::response::{ListHits, ProductHits, SearchResponse};
use crate::OperationError;
use crate::ranking::{Ranking, TypeQuery, rank};
use crate::snapshot::StoreSnapshot;
use domain::document::DocType;
use domain::search::CheckedSearch;
use domain::visitor::Visitor;
use domain::{Language, Timestamp};
use engine::Request;
use std::sync::Arc;

/// A question that is fit to be answered.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PreparedSearch {
    /// Its language.
    pub language: Language,
    /// Who asks.
    pub visitor: Arc<Visitor>,
    /// What is asked.
    pub checked: CheckedSearch,
    /// What pages before this one showed, where the catalogue has changed since.
    pub earlier: EarlierPages,
}

impl PreparedSearch {
    /// Bytes that it takes, about.
    pub fn bytes(&self) -> usize {
        let earlier = self.earlier.values().flat_map(|earlier| &earlier.shown);
        let earlier = earlier.map(|id| size_of::<String>() + id.len());
        size_of::<Self>() + self.visitor.bytes() + self.checked.bytes() + earlier.sum::<usize>()
    }
}

/// The answer to a question in one state of the store, with the rules that are in effect at `now`.
///
/// Errors: when an index on disk can no longer be read.
pub(super) fn compute(
    snapshot: &StoreSnapshot,
    asked: &PreparedSearch,
    now: Timestamp,
) -> Result<SearchResponse, OperationError> {
    let effects = snapshot.effects(&asked.language, &asked.checked.q, now);
    let mut answer = SearchResponse {
        redirect: RedirectView::of(&effects),
        banners: BannerView::all(&effects),
        ..SearchResponse::default()
    };
    let wanted = |doc_type| asked.checked.types.contains(&doc_type);
    let mut is_list = false;
    for doc_type in DocType::ALL.into_iter().filter(|t| wanted(*t)) {
        let configured = Configured::new(
            snapshot.filters(),
            &asked.checked.choices,
            [&asked.language, snapshot.store.default_language()],
        );
        let request = Request {
            unnamed_categories: unnamed_categories(snapshot, asked, doc_type),
            ..request_of(asked, doc_type, configured.as_ref())
        };
        let question = TypeQuery {
            language: &asked.language,
            doc_type,
            text: &asked.checked.q,
            effects: &effects,
        };
        let ranking = rank(snapshot, question, &request)?;
        let analyser = snapshot.analyser(&asked.language);
        match doc_type {
            DocType::Products => answer.products = ProductHits::new(&ranking, analyser),
            DocType::Categories => answer.categories = ListHits::new(&ranking, analyser),
            DocType::Brands => answer.brands = ListHits::new(&ranking, analyser),
            DocType::Pages => answer.pages = ListHits::new(&ranking, analyser),
        }
        if doc_type == DocType::Products {
            let facets = &ranking.found.facets;
            answer.facets = match &configured {
                Some(configured) => configured.views(facets),
                None => labels::facets(facets, &asked.language),
            };
        }
        // Where products are read as a list of codes, its parts are the words, whatever other types make of them.
        if !is_list {
            merge_words(&mut answer, &ranking);
        }
        is_list |= ranking.found.is_list;
    }
    Ok(answer)
}

/// A word is found when any of the types asked for has it.
fn merge_words(answer: &mut SearchResponse, ranking: &Ranking) {
    let words = ranking.words(true);
    if answer.words.is_empty() {
        answer.words = words;
        return;
    }
    for (known, new) in answer.words.iter_mut().zip(words) {
        known.found = Some(known.found == Some(true) || new.found == Some(true));
    }
}

/// The categories whose names are not told in the facets of products: those that the shopper may not see. One without a
/// document of its own is known by the products that have it alone, so its name is told.
fn unnamed_categories(
    snapshot: &StoreSnapshot,
    asked: &PreparedSearch,
    doc_type: DocType,
) -> Arc<[String]> {
    let counted = doc_type == DocType::Products && asked.checked.facets;
    let categories = counted.then(|| snapshot.index(DocType::Categories, &asked.language));
    let hidden = categories.flatten();
    let hidden = hidden.map(|index| index.hidden_from(&asked.visitor));
    hidden.unwrap_or_default().into()
}

/// What is asked of the index of one type. Sort, filters and facets are for products only.
fn request_of(
    asked: &PreparedSearch,
    doc_type: DocType,
    configured: Option<&Configured<'_>>,
) -> Request {
    let checked = &asked.checked;
    let earlier = asked.earlier.get(&doc_type).cloned().unwrap_or_default();
    let page = Request {
        // Of pages that are not known by their ids, the ranking tells what stood on them.
        offset: ((checked.page - 1 - earlier.pages) * checked.limit) as usize,
        limit: checked.limit as usize,
        exclude: earlier.shown,
        visitor: Arc::clone(&asked.visitor),
        ..Request::default()
    };
    if doc_type != DocType::Products {
        return page;
    }
    Request {
        sort: checked.sort,
        choices: configured.map_or_else(|| checked.choices.clone(), Configured::choices),
        facets: checked.facets,
        facet_requests: configured.map(Configured::wishes),
        ..page
    }
}
