//! Suggestions while the shopper types (`docs/api.md`).

use crate::runtime::traces;
use crate::search::cached_or_computed;
use crate::search::responses::{
    EarlierPages, ListHit, PreparedSearch, ProductHit, SharedCompression,
};
use crate::search::slow::Stages;
use crate::search::visitor;
use crate::statistics::popular_queries;
use crate::statistics::search_log::Searched;
use crate::statistics::search_log::popular::PopularList;
use crate::{OperationError, Service};
use domain::access::Search;
use domain::analytics::Surface;
use domain::search::SuggestRequest;
use domain::{Caller, Invalid, Language, Permit, StoreId, access};
use schemars::JsonSchema;
use serde::Serialize;
use tracing::Instrument;

/// Suggestions by type.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Suggestions {
    /// Id by which events refer to this response.
    pub query_id: String,
    /// Products.
    pub products: Suggested<ProductHit>,
    /// Categories.
    pub categories: Suggested<ListHit>,
    /// Brands.
    pub brands: Suggested<ListHit>,
    /// Popular queries in which a word starts with what was typed.
    pub queries: Vec<String>,
    /// Revision of the store's configuration that the response was made with, for its header.
    #[serde(skip)]
    pub config_revision: i64,
    /// The compressed form of everything between `queryId` and `queries`.
    #[serde(skip)]
    pub compression: SharedCompression,
}

/// The first hits of one type.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Suggested{T}")]
pub struct Suggested<T> {
    /// The best first.
    pub hits: Vec<T>,
}

impl<T> Default for Suggested<T> {
    fn default() -> Self {
        Self { hits: Vec::new() }
    }
}

/// Returns suggestions of the caller's store for the prefix of a query.
///
/// Errors: those of the search.
pub async fn suggest(
    service: &Service,
    caller: &Caller,
    request: SuggestRequest,
) -> Result<Suggestions, OperationError> {
    let permit = access::search(caller)?;
    let span = traces::operation("suggest", permit.store().as_str());
    suggest_permitted(service, caller, &permit, request)
        .instrument(span)
        .await
}

async fn suggest_permitted(
    service: &Service,
    caller: &Caller,
    permit: &Permit<Search>,
    mut request: SuggestRequest,
) -> Result<Suggestions, OperationError> {
    let mut stages = Stages::begin();
    let opening = service.snapshots.searchable(permit.store());
    let snapshot = opening.instrument(traces::open()).await?;
    stages.opened();
    let wrong = |invalid: Invalid| OperationError::Invalid(vec![invalid]);
    let (token, session) = (request.visitor.take(), request.session_id.take());
    let takes_events = request.analytics;
    let checked = request.check().map_err(OperationError::Invalid)?;
    let language = snapshot.language(checked.lang.as_deref()).map_err(wrong)?;
    let (q, limit) = (checked.q.clone(), checked.limit as usize);
    let prepared = PreparedSearch {
        language: language.clone(),
        visitor: visitor::searching(service, &snapshot, caller, token.as_deref()).await,
        checked,
        suggests: true,
        earlier: EarlierPages::new(),
    };
    let computation = stages.prepared();
    let response = cached_or_computed(service, &snapshot, prepared, computation).await?;
    let searched = Searched {
        surface: Surface::Suggest,
        q: &q,
        session: session.as_deref().filter(|session| !session.is_empty()),
        counts: !q.trim().is_empty(),
        takes_events,
        anonymous: token.is_none(),
        ..response.logged(permit.store(), &language)
    };
    let query_id = service.search_log.note(&searched)?;
    stages.log(service.search.slow_after, &searched);
    Ok(Suggestions {
        query_id,
        queries: popular(service, permit.store(), &language)
            .map_or_else(Vec::new, |list| list.matching(&q, limit)),
        products: Suggested {
            hits: response.products.hits.clone(),
        },
        categories: Suggested {
            hits: response.categories.hits.clone(),
        },
        brands: Suggested {
            hits: response.brands.hits.clone(),
        },
        config_revision: snapshot.store.config_revision,
        compression: response.compression.clone(),
    })
}

/// Returns the popular queries of a store, if they are known; they are read anew in the background.
fn popular(service: &Service, store: &StoreId, language: &Language) -> Option<PopularList> {
    if !service.search_log.is_on() {
        return None;
    }
    let popular = service.search_log.popular();
    let (list, is_outdated) = popular.get(store, language, service.clock.now());
    if is_outdated {
        popular_queries::start(service, store, language);
    }
    list
}
