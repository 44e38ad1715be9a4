//! The shopper's search (contract section 9).

mod answer;
mod fields;
mod labels;

pub use answer::{
    FacetValueView, FacetView, Highlight, ListHit, ListHits, ProductHit, ProductHits, SearchAnswer,
};

use crate::ranking::{Ranking, rank};
use crate::snapshot::StoreSnapshot;
use crate::{OperationError, Service, ids};
use domain::document::DocType;
use domain::search::{CheckedSearch, SearchRequest, Sort};
use domain::store::StoreStatus;
use domain::visitor::Visitor;
use domain::{Caller, Invalid, Language, StoreId, access};
use engine::Request;
use std::sync::Arc;
use tokio::time::Instant;

/// Answers a shopper's question with what the caller's store sells.
///
/// Errors: `Invalid` for what is wrong with the request, `Forbidden` for a key of another kind and for a suspended
/// store.
pub async fn search(
    service: &Service,
    caller: &Caller,
    request: SearchRequest,
) -> Result<SearchAnswer, OperationError> {
    let permit = access::search(caller)?;
    answer(service, permit.store(), request).await
}

/// The same for the operator, who may search any store.
///
/// Errors: as [`search`].
pub async fn for_store(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    request: SearchRequest,
) -> Result<SearchAnswer, OperationError> {
    access::read(caller, store)?;
    answer(service, store, request).await
}

async fn answer(
    service: &Service,
    store: &StoreId,
    request: SearchRequest,
) -> Result<SearchAnswer, OperationError> {
    let started = Instant::now();
    let snapshot = service.indexing.snapshot(store).await?;
    if snapshot.store.status == StoreStatus::Suspended {
        return Err(OperationError::forbidden(
            "store_suspended",
            "the store is suspended",
        ));
    }
    let (language, checked) = check(request, &snapshot).map_err(OperationError::Invalid)?;
    let visitor = Arc::<Visitor>::default();
    let key = format!("{language} {visitor:?} {checked:?}");
    let remembered = snapshot.answer(&key);
    service.counters.searched(remembered.is_some());
    let found = match remembered {
        Some(answer) => answer,
        None => {
            let state = Arc::clone(&snapshot);
            let work = move || compute(&state, &language, &checked, &visitor).map(Arc::new);
            let answer = tokio::task::spawn_blocking(work)
                .await
                .map_err(OperationError::internal)??;
            snapshot.remember(key, Arc::clone(&answer));
            answer
        }
    };
    let mut own = SearchAnswer::clone(&found);
    own.query_id = ids::query_id();
    own.took_ms = started.elapsed().as_millis() as u64;
    Ok(own)
}

/// The language of a request and all else that it asks, with everything that is wrong with it.
fn check(
    request: SearchRequest,
    snapshot: &StoreSnapshot,
) -> Result<(Language, CheckedSearch), Vec<Invalid>> {
    let language = snapshot.language(request.lang.as_deref());
    let products = language
        .as_ref()
        .ok()
        .and_then(|language| snapshot.index(DocType::Products, language));
    match (
        request.check(|name| fields::admit(name, products)),
        language,
    ) {
        (Ok(checked), Ok(language)) => Ok((language, checked)),
        (Ok(_), Err(invalid)) => Err(vec![invalid]),
        (Err(wrong), Ok(_)) => Err(wrong),
        (Err(mut wrong), Err(invalid)) => {
            wrong.push(invalid);
            Err(wrong)
        }
    }
}

/// The answer to a checked request of `visitor` in one state of the store.
///
/// Errors: when an index on disk can no longer be read.
pub fn compute(
    snapshot: &StoreSnapshot,
    language: &Language,
    checked: &CheckedSearch,
    visitor: &Arc<Visitor>,
) -> Result<SearchAnswer, OperationError> {
    let mut answer = SearchAnswer::default();
    let wanted = |doc_type| checked.types.contains(&doc_type);
    for doc_type in DocType::ALL.into_iter().filter(|t| wanted(*t)) {
        let ranking = rank(
            snapshot,
            language,
            doc_type,
            &checked.q,
            &request_of(checked, doc_type, visitor),
        )?;
        let analyser = snapshot.analyser(language);
        match doc_type {
            DocType::Products => answer.products = ProductHits::new(&ranking, analyser),
            DocType::Categories => answer.categories = ListHits::new(&ranking, analyser),
            DocType::Brands => answer.brands = ListHits::new(&ranking, analyser),
            DocType::Pages => answer.pages = ListHits::new(&ranking, analyser),
        }
        if doc_type == DocType::Products {
            answer.facets = labels::facets(&ranking.found.facets, language);
        }
        merge_words(&mut answer, &ranking);
    }
    Ok(answer)
}

/// A word is found when any of the types asked for has it.
fn merge_words(answer: &mut SearchAnswer, ranking: &Ranking) {
    let words = ranking.words(true);
    if answer.words.is_empty() {
        answer.words = words;
        return;
    }
    for (known, new) in answer.words.iter_mut().zip(words) {
        known.found = Some(known.found == Some(true) || new.found == Some(true));
    }
}

fn request_of(checked: &CheckedSearch, doc_type: DocType, visitor: &Arc<Visitor>) -> Request {
    let products = doc_type == DocType::Products;
    Request {
        offset: ((checked.page - 1) * checked.limit) as usize,
        limit: checked.limit as usize,
        sort: if products {
            checked.sort
        } else {
            Sort::Relevance
        },
        visitor: Arc::clone(visitor),
        choices: if products {
            checked.choices.clone()
        } else {
            Vec::new()
        },
        facets: products && checked.facets,
        explain: false,
    }
}
