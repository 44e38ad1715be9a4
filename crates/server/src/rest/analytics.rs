//! `/stores/{id}/analytics`: statistics of searches.

use crate::App;
use crate::catalogue::{OperationRow, Route, example};
use crate::http::inputs::query_input;
use crate::http::{ApiResult, Params, StoreReader, Success};
use axum::extract::State;
use axum::routing::on;
use domain::analytics::{QueryListRequest, SearchSummaryRequest};
use operations::analytics::{self, QueryStatistics, SearchSummary};

/// Rows of `/stores/{id}/analytics`.
pub const ROWS: &[OperationRow] = &[
    Route::get("list_queries", "/stores/{id}/analytics/queries")
        .handler(|method| on(method, list))
        .query::<QueryListRequest>(example!("configuration/queries.query"))
        .returns::<Vec<QueryStatistics>>(example!("configuration/queries.response"))
        .paged(),
    Route::get("get_search_summary", "/stores/{id}/analytics/summary")
        .handler(|method| on(method, summary))
        .query::<SearchSummaryRequest>(example!("configuration/search-summary.query"))
        .returns::<SearchSummary>(example!("configuration/search-summary.response")),
];

query_input!(QueryListRequest);
query_input!(SearchSummaryRequest);

/// Lists a page of queries.
pub async fn list(
    State(app): State<App>,
    StoreReader(caller, store): StoreReader,
    Params(request): Params<QueryListRequest>,
) -> ApiResult {
    let listed = analytics::list_queries(&app.service, &caller, &store, request).await;
    let (queries, meta) = listed?;
    Success::page_of("query", &queries, &meta)
}

/// Returns the summary.
pub async fn summary(
    State(app): State<App>,
    StoreReader(caller, store): StoreReader,
    Params(request): Params<SearchSummaryRequest>,
) -> ApiResult {
    let summary = analytics::summary(&app.service, &caller, &store, request).await?;
    Ok(Success::ok("Statistics of searches.", &summary)?.for_one(true))
}
