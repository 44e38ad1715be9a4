//! The shopper's search (`docs/api.md`).

use super::slow::{Computation, Stages};
use super::{FilterableFields, SearchResponse, compute, suggestions};
use crate::message;
use crate::runtime::traces;
use crate::search::responses::{self, EarlierPages, PreparedSearch, ResponseKey, SessionQueryKey};
use crate::search::visitor;
use crate::snapshots::snapshot::StoreSnapshot;
use crate::statistics::search_log::Searched;
use crate::{OperationError, Service};
use domain::access::Search;
use domain::document::DocType;
use domain::search::{CheckedSearch, FilterField, SearchRequest};
use domain::visitor::Visitor;
use domain::{Caller, Invalid, Language, Message, Permit, access};
use std::sync::Arc;
use tracing::Instrument;

/// Searches the caller's store.
///
/// Errors: `Invalid` with all invalid values, `Forbidden` for a key of another kind and for a suspended store.
pub async fn search(
    service: &Service,
    caller: &Caller,
    request: SearchRequest,
) -> Result<SearchResponse, OperationError> {
    let permit = access::search(caller)?;
    let span = traces::operation("search", permit.store().as_str());
    search_permitted(service, caller, &permit, request)
        .instrument(span)
        .await
}

async fn search_permitted(
    service: &Service,
    caller: &Caller,
    permit: &Permit<Search>,
    mut request: SearchRequest,
) -> Result<SearchResponse, OperationError> {
    let store = permit.store();
    let mut stages = Stages::begin();
    let opening = service.snapshots.searchable(store);
    let snapshot = opening.instrument(traces::open()).await?;
    stages.opened();
    let session = request
        .session_id
        .take()
        .filter(|session| !session.is_empty());
    let token = request.visitor.take();
    let correction_of = request.correction_of.take();
    let takes_events = request.analytics;
    // Resolved before the request is checked, because error messages name only fields that the shopper may see.
    let visitor = visitor::searching(service, &snapshot, caller, token.as_deref()).await;
    let checking = checked(service, &snapshot, &visitor, request);
    let (language, checked) = checking.instrument(traces::check()).await?;
    let (page, types) = (checked.page, checked.types.clone());
    let (q, filtered) = (checked.q.clone(), !checked.choices.is_empty());
    let searched_language = language.clone();
    let mut prepared = PreparedSearch {
        language,
        visitor,
        checked,
        suggests: false,
        earlier: EarlierPages::new(),
    };
    let key = (session.clone()).map(|session| SessionQueryKey::new(session, &prepared));
    let now = service.clock.now();
    if let Some(key) = &key {
        let state = snapshot.state();
        prepared.earlier = service.search.pages.earlier((store, key), page, state, now);
    }
    let computation = stages.prepared();
    let response = cached_or_computed(service, &snapshot, prepared, computation).await?;
    let counts = page == 1 && types.contains(&DocType::Products);
    if counts && takes_events {
        service.activity.searched(store, now);
    }
    let searched = Searched {
        q: &q,
        session: session.as_deref(),
        counts,
        takes_events,
        correction_of: correction_of.as_deref(),
        filtered,
        anonymous: token.is_none(),
        ..response.logged(store, &searched_language)
    };
    let query_id = service.search_log.note(&searched)?;
    stages.log(service.search.slow_after, &searched);
    if let Some(key) = key {
        let (shown, state) = (responses::shown(&response, &types), snapshot.state());
        service
            .search
            .pages
            .note((store, key), page, shown, state, now);
    }
    let mut own = SearchResponse::clone(&response);
    own.query_id = query_id;
    own.config_revision = snapshot.store.config_revision;
    own.took_ms = stages.elapsed().as_millis() as u64;
    Ok(own)
}

/// Returns the response to a search in one state of the store, cached or computed.
///
/// Equal concurrent searches are computed once; `computation` notes when, if this one is it.
pub(crate) async fn cached_or_computed(
    service: &Service,
    snapshot: &Arc<StoreSnapshot>,
    prepared: PreparedSearch,
    computation: Computation,
) -> Result<Arc<SearchResponse>, OperationError> {
    let now = service.clock.now();
    let period = (snapshot.compiled(&prepared.language)).map_or(0, |rules| rules.period(now));
    let prepared = Arc::new(prepared);
    let key = ResponseKey {
        state: snapshot.state(),
        period,
        search: Arc::clone(&prepared),
    };
    // A search with the hits of earlier pages belongs to one session: it would never be found in the cache again.
    let is_of_session = !prepared.earlier.is_empty();
    let cached = match is_of_session {
        true => None,
        false => service.search.responses.get(&key),
    };
    if let Some(response) = cached {
        service.search.cache_hits.add(1);
        return Ok(response);
    }
    service.search.cache_misses.add(1);
    let store = &snapshot.store.id;
    let state = Arc::clone(snapshot);
    let compute = move || {
        let response = computation.of(|| match prepared.suggests {
            true => suggestions::compute(&state, &prepared, now),
            false => compute::compute(&state, &prepared, now),
        });
        response.map(Arc::new)
    };
    if is_of_session {
        return service.search.scheduler.run(store, compute).await;
    }
    let (state, responses) = (Arc::clone(snapshot), Arc::clone(&service.search.responses));
    let own = key.clone();
    let work = move || {
        let response = compute()?;
        responses.insert(own, Arc::clone(&response));
        // Only now may the state end, which removes its responses.
        drop(state);
        Ok(response)
    };
    let shared = (&service.search.responses.in_flight, &key);
    let known = || service.search.responses.get(&key);
    (service.search.scheduler)
        .run_shared(store, shared, known, work)
        .await
}

/// Checks a request; returns its language and the checked search. Whether products have the fields of its filters is
/// checked where the response is computed, because only their index knows.
///
/// Errors: `Invalid` with all invalid values.
async fn checked(
    service: &Service,
    snapshot: &Arc<StoreSnapshot>,
    visitor: &Arc<Visitor>,
    request: SearchRequest,
) -> Result<(Language, CheckedSearch), OperationError> {
    let filtered = (!request.filters.is_empty()).then(|| request.clone());
    let parsed = |name: &str| FilterField::parse(name).ok_or_else(message::value::unknown_field);
    match (check(request, snapshot, parsed), filtered) {
        (Ok(checked), _) => Ok(checked),
        (Err(invalid), None) => Err(OperationError::Invalid(invalid)),
        (Err(_), Some(request)) => {
            // The errors of filters name the fields that products have.
            let (state, visitor) = (Arc::clone(snapshot), Arc::clone(visitor));
            let with_fields = move || {
                let language = state.language(request.lang.as_deref()).ok();
                let index = language.and_then(|own| state.index(DocType::Products, &own));
                let fields = FilterableFields::of(index, &visitor)?;
                check(request, &state, |name| fields.admit(name)).map_err(OperationError::Invalid)
            };
            service
                .search
                .scheduler
                .run(&snapshot.store.id, with_fields)
                .await
        }
    }
}

/// Checks a request; returns its language and the checked search, or all invalid values. `admit` resolves the name of a
/// filter to its field.
fn check(
    request: SearchRequest,
    snapshot: &StoreSnapshot,
    admit: impl Fn(&str) -> Result<FilterField, Message>,
) -> Result<(Language, CheckedSearch), Vec<Invalid>> {
    let language = snapshot.language(request.lang.as_deref());
    match (request.check(admit), language) {
        (Ok(checked), Ok(language)) => Ok((language, checked)),
        (Ok(_), Err(invalid)) => Err(vec![invalid]),
        (Err(wrong), Ok(_)) => Err(wrong),
        (Err(mut wrong), Err(invalid)) => {
            wrong.push(invalid);
            Err(wrong)
        }
    }
}
