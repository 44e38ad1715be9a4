//! `/stores/{id}/filters`: the facets that store pages show.

use super::records;
use crate::App;
use crate::catalogue::{OperationRow, Route, example};
use crate::http::inputs::{errors_of, input, query_input};
use crate::http::{ApiResult, NoInput, OptionalBody, Params, StoreReader, StoreWriter, Success};
use axum::extract::State;
use axum::routing::on;
use domain::Invalid;
use domain::feed::Nothing;
use domain::filter::{Filter, FilterPatch, NewFilter, ValuesQuery};
use operations::field_values::{self, ValueCount};
use operations::filters::{self, SyncReport};
use operations::records::Deleted;

/// Rows of `/stores/{id}/filters`.
pub const ROWS: &[OperationRow] = &[
    Route::get("list_filters", "/stores/{id}/filters")
        .handler(|method| on(method, list))
        .returns::<Vec<Filter>>(example!("configuration/filters.response")),
    Route::get("get_filter", "/stores/{id}/filters/{filterId}")
        .handler(|method| on(method, records::get::<Filter>))
        .returns::<Filter>(example!("configuration/filter.response")),
    Route::post("create_filter", "/stores/{id}/filters")
        .handler(|method| on(method, records::create::<Filter>))
        .body::<NewFilter>(example!("configuration/filter.request"))
        .returns::<Filter>(example!("configuration/filter.response"))
        .statuses(&[201])
        .errors(&[409]),
    Route::put("update_filter", "/stores/{id}/filters/{filterId}")
        .handler(|method| on(method, records::update::<Filter>))
        .body::<FilterPatch>(example!("configuration/filter-change.request"))
        .returns::<Filter>(example!("configuration/filter.response")),
    Route::delete("delete_filter", "/stores/{id}/filters/{filterId}")
        .handler(|method| on(method, records::delete::<Filter>))
        .returns::<Deleted>(example!("configuration/deleted.response")),
    Route::post("sync_filters", "/stores/{id}/filters/sync")
        .handler(|method| on(method, sync))
        .optional_body::<Nothing>("{}")
        .returns::<SyncReport>(example!("configuration/sync.response")),
    Route::get("list_filter_values", "/stores/{id}/filters/values")
        .handler(|method| on(method, values))
        .query::<ValuesQuery>(
            r#"{"field": "manufacturer", "lang": "en", "q": "nor", "page": 1, "limit": 20}"#,
        )
        .returns::<Vec<ValueCount>>(example!("configuration/values.response"))
        .paged(),
];

query_input!(ValuesQuery);
input! {
    NewFilter,
    fn semantic_errors(self) -> Vec<Invalid> {
        errors_of(self.check(0, &mut String::new))
    }
}
input!(FilterPatch);

/// Lists all filters in display order.
pub async fn list(
    State(app): State<App>,
    StoreReader(caller, store): StoreReader,
    _: NoInput,
) -> ApiResult {
    let listed = operations::records::list::<Filter>(&app.service, &caller, &store, ()).await?;
    Success::listed("filter", &listed)
}

/// Creates filters from the automatic facets.
pub async fn sync(
    State(app): State<App>,
    StoreWriter(caller, store): StoreWriter,
    _: OptionalBody<Nothing>,
) -> ApiResult {
    let (report, revision) = filters::sync(&app.service, &caller, &store).await?;
    let message = format!("{} filters created, {} kept.", report.created, report.kept);
    Ok(Success::ok(message, &report)?.of_revision(revision))
}

/// Lists the values of a field with their product counts.
pub async fn values(
    State(app): State<App>,
    StoreReader(caller, store): StoreReader,
    Params(query): Params<ValuesQuery>,
) -> ApiResult {
    let listed = field_values::values(&app.service, &caller, &store, query).await?;
    Success::listed("value", &listed)
}
