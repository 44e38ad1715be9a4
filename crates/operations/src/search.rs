//! The shopper's search (contract section 9).

mod banners_and_redirects;
mod compute;
mod configured;
mod fields;
mod labels;
mod pages;
mod response;
mod response_cache;
mod response_size;

pub use response::{
    FacetValueView, FacetView, Highlight, ListHit, ListHits, ProductHit, ProductHits,
    SearchResponse,
};

pub use banners_and_redirects::{BannerView, RedirectView};
pub(crate) use fields::admit;
pub(crate) use labels::value_label;

pub(crate) use compute::PreparedSearch;
pub(crate) use pages::{EarlierPages, Pages};
pub(crate) use response_cache::{ResponseCache, StateResponses};

use crate::snapshot::StoreSnapshot;
use crate::{OperationError, Service, ids, visitor};
use domain::document::DocType;
use domain::search::{CheckedSearch, SearchRequest};
use domain::store::StoreStatus;
use domain::visitor::Visitor;
use domain::{Caller, Invalid, Language, StoreId, access};
use pages::SessionQueryKey;
use response_cache::ResponseKey;
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
) -> Result<SearchResponse, OperationError> {
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
) -> Result<SearchResponse, OperationError> {
    access::read(caller, store)?;
    answer(service, store, caller, request).await
}

async fn answer(
    service: &Service,
    store: &StoreId,
    caller: &Caller,
    mut request: SearchRequest,
) -> Result<SearchResponse, OperationError> {
    let started = Instant::now();
    let snapshot = searchable(service, store).await?;
    let session = request
        .session_id
        .take()
        .filter(|session| !session.is_empty());
    let token = request.visitor.take();
    // Before the request is checked, for what is wrong with it is told by what the shopper may see.
    let visitor = visitor::searching(service, &snapshot, caller, token.as_deref()).await;
    let (language, checked) =
        check(request, &snapshot, &visitor).map_err(OperationError::Invalid)?;
    let (page, types) = (checked.page, checked.types.clone());
    let mut asked = PreparedSearch {
        language,
        visitor,
        checked,
        earlier: EarlierPages::new(),
    };
    let key = session.map(|session| SessionQueryKey::new(store, &session, &asked));
    let now = service.clock.now();
    if let Some(key) = &key {
        let state = snapshot.answers().state();
        asked.earlier = service.pages.earlier((store, key), page, state, now);
    }
    let found = found(service, &snapshot, asked).await?;
    if let Some(key) = key {
        let (shown, state) = (pages::shown(&found, &types), snapshot.answers().state());
        service.pages.note((store, key), page, shown, state, now);
    }
    let mut own = SearchResponse::clone(&found);
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

/// The answer to a query in one state of the store: the one that is remembered, or a new one.
///
/// Equal queries of the same moment are computed once.
pub(crate) async fn found(
    service: &Service,
    snapshot: &Arc<StoreSnapshot>,
    asked: PreparedSearch,
) -> Result<Arc<SearchResponse>, OperationError> {
    let now = service.clock.now();
    let stretch = (snapshot.compiled(&asked.language)).map_or(0, |rules| rules.stretch(now));
    let asked = Arc::new(asked);
    let key = ResponseKey {
        stretch,
        asked: Arc::clone(&asked),
    };
    // What earlier pages showed is of one session: nobody else asks for the same, and the key would be long.
    let is_of_session = !asked.earlier.is_empty();
    let remembered = match is_of_session {
        true => None,
        false => snapshot.answers().get(&key),
    };
    service.counters.searched(remembered.is_some());
    if let Some(answer) = remembered {
        return Ok(answer);
    }
    let store = &snapshot.store.id;
    let state = Arc::clone(snapshot);
    let compute = move || compute::compute(&state, &asked, now).map(Arc::new);
    if is_of_session {
        return service.searches.run(store, compute).await;
    }
    let (state, own) = (Arc::clone(snapshot), key.clone());
    let work = move || {
        let answer = compute()?;
        state.answers().insert(own, Arc::clone(&answer));
        Ok(answer)
    };
    let together = (&snapshot.answers().together, &key);
    let known = || snapshot.answers().get(&key);
    (service.searches)
        .run_together(store, together, known, work)
        .await
}

/// The language of a request and all else that it asks, with everything that is wrong with it.
fn check(
    request: SearchRequest,
    snapshot: &StoreSnapshot,
    visitor: &Visitor,
) -> Result<(Language, CheckedSearch), Vec<Invalid>> {
    let language = snapshot.language(request.lang.as_deref());
    let products = language
        .as_ref()
        .ok()
        .and_then(|language| snapshot.index(DocType::Products, language));
    match (
        request.check(|name| fields::admit(name, products, visitor)),
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
