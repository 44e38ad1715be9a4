//! The shopper's search (contract section 9).

mod answer;
mod compute;
mod configured;
mod directions;
mod fields;
mod labels;
mod pages;

pub use answer::{
    FacetValueView, FacetView, Highlight, ListHit, ListHits, ProductHit, ProductHits, SearchAnswer,
};

pub use directions::{BannerView, RedirectView};
pub(crate) use fields::admit;
pub(crate) use labels::value_label;

pub(crate) use compute::Asked;
pub(crate) use pages::{EarlierPages, Pages};

use crate::snapshot::StoreSnapshot;
use crate::{OperationError, Service, ids, visitor};
use domain::document::DocType;
use domain::search::{CheckedSearch, SearchRequest};
use domain::store::StoreStatus;
use domain::{Caller, Invalid, Language, StoreId, access};
use pages::QuestionKey;
use std::sync::Arc;
use tokio::time::Instant;

/// Letters of a question that is worth remembering; a longer one is hardly asked twice.
const REMEMBERED_LETTERS_MAX: usize = 4_096;

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
    answer(service, permit.store(), caller, request).await
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
    answer(service, store, caller, request).await
}

async fn answer(
    service: &Service,
    store: &StoreId,
    caller: &Caller,
    mut request: SearchRequest,
) -> Result<SearchAnswer, OperationError> {
    let started = Instant::now();
    let snapshot = searchable(service, store).await?;
    let session = request
        .session_id
        .take()
        .filter(|session| !session.is_empty());
    let token = request.visitor.take();
    let (language, checked) = check(request, &snapshot).map_err(OperationError::Invalid)?;
    let visitor = visitor::searching(service, &snapshot, caller, token.as_deref()).await;
    let (page, types) = (checked.page, checked.types.clone());
    let mut asked = Asked {
        language,
        visitor,
        checked,
        earlier: EarlierPages::new(),
    };
    let key = session.map(|session| QuestionKey::new(store, &session, &asked));
    let now = service.clock.now();
    if let Some(key) = &key {
        asked.earlier = service.pages.earlier(key, page, &snapshot, now);
    }
    let found = found(service, &snapshot, asked).await?;
    if let Some(key) = key {
        let shown = pages::shown(&found, &types);
        service.pages.note(key, page, shown, &snapshot, now);
    }
    let mut own = SearchAnswer::clone(&found);
    own.query_id = ids::query_id();
    own.took_ms = started.elapsed().as_millis() as u64;
    Ok(own)
}

/// The state of a store that may be searched.
///
/// Errors: `Forbidden` for a suspended store.
pub(crate) async fn searchable(
    service: &Service,
    store: &StoreId,
) -> Result<Arc<StoreSnapshot>, OperationError> {
    let snapshot = service.indexing.snapshot(store).await?;
    if snapshot.store.status == StoreStatus::Suspended {
        return Err(OperationError::forbidden(
            "store_suspended",
            "the store is suspended",
        ));
    }
    Ok(snapshot)
}

/// The answer to a question in one state of the store: the one that is remembered, or a new one.
pub(crate) async fn found(
    service: &Service,
    snapshot: &Arc<StoreSnapshot>,
    asked: Asked,
) -> Result<Arc<SearchAnswer>, OperationError> {
    let now = service.clock.now();
    let stretch = (snapshot.compiled(&asked.language)).map_or(0, |rules| rules.stretch(now));
    // Everything that decides the answer beside the state stands in the question, and in which rules are in effect.
    let key = format!("{stretch} {asked:?}");
    let remembered = snapshot.answer(&key);
    service.counters.searched(remembered.is_some());
    if let Some(answer) = remembered {
        return Ok(answer);
    }
    let state = Arc::clone(snapshot);
    let work = move || compute::compute(&state, &asked, now).map(Arc::new);
    let answer = tokio::task::spawn_blocking(work)
        .await
        .map_err(OperationError::internal)??;
    if key.len() <= REMEMBERED_LETTERS_MAX {
        snapshot.remember(key, Arc::clone(&answer));
    }
    Ok(answer)
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
