//! What store pages call from a browser, from any origin.

use crate::App;
use crate::catalogue::{OperationRow, Route, example};
use crate::http::access_log::X_REQUEST_ID;
use crate::http::inputs::{input, mistakes_of, query_input};
use crate::http::rate_headers;
use crate::http::router::method_not_allowed;
use crate::http::{ApiResult, Body, Params, Shopper, Success};
use axum::Router;
use axum::extract::State;
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderName, Method};
use axum::routing::get;
use domain::limits::{SEARCH_BODY_BYTES_MAX, SUGGEST_BODY_BYTES_MAX};
use domain::search::{FilterField, SearchRequest, SuggestRequest};
use domain::{Caller, Invalid};
use operations::OperationError;
use operations::search::{self, SearchResponse};
use operations::suggest::{self, Suggestions};
use std::time::Duration;
use tower_http::cors::{Any, CorsLayer};

/// How long a browser may remember that any origin is welcome.
const PREFLIGHT_AGE: Duration = Duration::from_secs(24 * 60 * 60);

const SEARCH: &str = "Search.";
const SUGGESTIONS: &str = "Suggestions.";

/// The rows of store pages.
pub const TABLES: &[&[OperationRow]] = &[ROWS];

const ROWS: &[OperationRow] = &[
    Route::post("search", "/search")
        .handler(|method| get(search_by_query).on(method, search_by_body))
        .body::<SearchRequest>(example!("search/search.request"))
        .query::<SearchRequest>(example!("search/search.query"))
        .returns::<SearchResponse>(example!("search/search.response")),
    Route::post("suggest", "/suggest")
        .handler(|method| get(suggest_by_query).on(method, suggest_by_body))
        .body::<SuggestRequest>(example!("search/suggest.request"))
        .query::<SuggestRequest>(example!("search/suggest.request"))
        .returns::<Suggestions>(example!("search/suggest.response")),
];

input! {
    SearchRequest,
    const BYTES_MAX: usize = SEARCH_BODY_BYTES_MAX;
    fn mistakes(self) -> Vec<Invalid> {
        let known = |name: &str| FilterField::parse(name).ok_or_else(FilterField::expected);
        mistakes_of(self.check(known))
    }
}
input! {
    SuggestRequest,
    const BYTES_MAX: usize = SUGGEST_BODY_BYTES_MAX;
}

// A token in an address would end up in logs.
query_input!(SearchRequest, without "visitor");
query_input!(SuggestRequest, without "visitor");

/// The paths of store pages, below `/api/v1`.
pub fn paths() -> Router<App> {
    let exposed: Vec<HeaderName> = [RETRY_AFTER, X_REQUEST_ID]
        .into_iter()
        .chain(rate_headers::ALL)
        .collect();
    let cors = CorsLayer::new()
        .allow_origin(Any)
        .allow_methods([Method::GET, Method::POST])
        .allow_headers([
            CONTENT_TYPE,
            AUTHORIZATION,
            HeaderName::from_static("x-api-key"),
        ])
        .expose_headers(exposed)
        .max_age(PREFLIGHT_AGE);
    // The answer to a wrong method stands inside the layer, which takes a preflight for one.
    ROWS.iter().fold(Router::new(), |router, row| {
        let routes = row.routes().into_iter();
        routes.fold(router, |router, (path, methods)| {
            let methods = methods.fallback(method_not_allowed).layer(cors.clone());
            router.route(&path, methods)
        })
    })
}

async fn search_by_query(
    State(app): State<App>,
    Shopper(caller): Shopper,
    Params(request): Params<SearchRequest>,
) -> ApiResult {
    let answer = search::search(&app.service, &caller, request).await;
    Success::ok(SEARCH, &answer.map_err(of_query)?)
}

async fn search_by_body(
    State(app): State<App>,
    Shopper(caller): Shopper,
    Body(request): Body<SearchRequest>,
) -> ApiResult {
    found(&app, &caller, request).await
}

async fn suggest_by_query(
    State(app): State<App>,
    Shopper(caller): Shopper,
    Params(request): Params<SuggestRequest>,
) -> ApiResult {
    let answer = suggest::suggest(&app.service, &caller, request).await;
    Success::ok(SUGGESTIONS, &answer.map_err(of_query)?)
}

async fn suggest_by_body(
    State(app): State<App>,
    Shopper(caller): Shopper,
    Body(request): Body<SuggestRequest>,
) -> ApiResult {
    let for_one = request.visitor.is_some();
    let answer = suggest::suggest(&app.service, &caller, request).await?;
    Ok(Success::ok(SUGGESTIONS, &answer)?.for_one(for_one))
}

/// The paths of what is wrong are those of the request, where everything stands in the query string.
fn of_query(error: OperationError) -> OperationError {
    match error {
        OperationError::Invalid(wrong) => {
            OperationError::Invalid(wrong.into_iter().map(|one| one.under("query")).collect())
        }
        other => other,
    }
}

/// Searches as the owner of a search-only key.
pub async fn found(app: &App, caller: &Caller, request: SearchRequest) -> ApiResult {
    let for_one = request.visitor.is_some();
    let answer = search::search(&app.service, caller, request).await?;
    Ok(Success::ok(SEARCH, &answer)?.for_one(for_one))
}
