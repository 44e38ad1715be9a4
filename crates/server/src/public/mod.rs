//! The search API, which store pages call from a browser, from any origin.

mod config;
mod events;

use crate::App;
use crate::catalogue::{OperationRow, Route, example};
use crate::http::cors::any_origin;
use crate::http::failure::method_not_allowed;
use crate::http::inputs::{errors_of, input, query_input};
use crate::http::{AcceptsGzip, ApiResult, Automated, Body, Params, Shopper, Success};
use axum::Router;
use axum::extract::State;
use axum::routing::get;
use domain::limits::{SEARCH_BODY_BYTES_MAX, SUGGEST_BODY_BYTES_MAX};
use domain::search::{FilterField, SearchRequest, SuggestRequest};
use domain::{Caller, Invalid};
use operations::OperationError;
use operations::search::{self, SearchResponse};
use operations::suggest::{self, Suggestions};

const SEARCH: &str = "Search.";
const SUGGESTIONS: &str = "Suggestions.";

/// Rows of the search API.
pub const TABLES: &[&[OperationRow]] = &[ROWS, config::ROWS, events::ROWS];

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
    fn semantic_errors(self) -> Vec<Invalid> {
        let known = |name: &str| FilterField::parse(name).ok_or_else(FilterField::expected);
        errors_of(self.check(known))
    }
}
input! {
    SuggestRequest,
    const BYTES_MAX: usize = SUGGEST_BODY_BYTES_MAX;
}

// A visitor token in a URL would end up in logs.
query_input!(SearchRequest, without "visitor");
query_input!(SuggestRequest, without "visitor");

/// Returns the routes of the search API, below `/api/v1`, with CORS.
pub fn paths() -> Router<App> {
    let cors = any_origin();
    // The 405 response is inside the CORS layer, which answers preflight requests before it.
    let rows = TABLES.iter().copied().flatten();
    rows.fold(Router::new(), |router, row| {
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
    Automated(automated): Automated,
    accepts: AcceptsGzip,
    Params(mut request): Params<SearchRequest>,
) -> ApiResult {
    request.analytics &= !automated;
    let response = search::search(&app.service, &caller, request).await;
    searched(&response.map_err(of_query)?, accepts)
}

async fn search_by_body(
    State(app): State<App>,
    Shopper(caller): Shopper,
    Automated(automated): Automated,
    accepts: AcceptsGzip,
    Body(mut request): Body<SearchRequest>,
) -> ApiResult {
    request.analytics &= !automated;
    found(&app, &caller, request, accepts).await
}

async fn suggest_by_query(
    State(app): State<App>,
    Shopper(caller): Shopper,
    Automated(automated): Automated,
    accepts: AcceptsGzip,
    Params(mut request): Params<SuggestRequest>,
) -> ApiResult {
    request.analytics &= !automated;
    let response = suggest::suggest(&app.service, &caller, request).await;
    suggested(&response.map_err(of_query)?, accepts)
}

async fn suggest_by_body(
    State(app): State<App>,
    Shopper(caller): Shopper,
    Automated(automated): Automated,
    accepts: AcceptsGzip,
    Body(mut request): Body<SuggestRequest>,
) -> ApiResult {
    request.analytics &= !automated;
    let for_one = request.visitor.is_some();
    let response = suggest::suggest(&app.service, &caller, request).await?;
    Ok(suggested(&response, accepts)?.for_one(for_one))
}

/// Id and time of a search are its own; keys and quotes within texts are escaped, so nothing else looks like their keys.
fn searched(response: &SearchResponse, accepts: AcceptsGzip) -> ApiResult {
    let success = Success::ok(SEARCH, response)?.of_revision(response.config_revision);
    let common = (",\"products\":", ",\"tookMs\":");
    Ok(success.compressed(accepts, common, &response.compression))
}

fn suggested(response: &Suggestions, accepts: AcceptsGzip) -> ApiResult {
    let success = Success::ok(SUGGESTIONS, response)?.of_revision(response.config_revision);
    let common = (",\"products\":", ",\"queries\":");
    Ok(success.compressed(accepts, common, &response.compression))
}

/// Prefixes the paths of errors with `query`.
fn of_query(error: OperationError) -> OperationError {
    match error {
        OperationError::Invalid(wrong) => {
            OperationError::Invalid(wrong.into_iter().map(|one| one.under("query")).collect())
        }
        other => other,
    }
}

/// Searches with the permissions of a search-only key.
pub async fn found(
    app: &App,
    caller: &Caller,
    request: SearchRequest,
    accepts: AcceptsGzip,
) -> ApiResult {
    let for_one = request.visitor.is_some();
    let response = search::search(&app.service, caller, request).await?;
    Ok(searched(&response, accepts)?.for_one(for_one))
}
