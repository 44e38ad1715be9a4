//! `/stores/{id}/products`: what is stored of a product, and where it is among the hits of a query.

use crate::App;
use crate::catalogue::{OperationRow, Route, example};
use crate::http::inputs::query_input;
use crate::http::{ApiResult, Params, ProductId, StoreReader, Success};
use axum::extract::State;
use axum::routing::on;
use operations::products::{self, ProductQuery, ProductView};
use operations::rates;

/// Rows of `/stores/{id}/products`.
pub const ROWS: &[OperationRow] = &[
    Route::get("get_product", "/stores/{id}/products/{productId}")
        .handler(|method| on(method, get))
        .query::<ProductQuery>(r#"{"lang": "en", "q": "rain jacket"}"#)
        .returns::<ProductView>(example!("configuration/product.response")),
];

query_input!(ProductQuery);

/// Returns a product.
pub async fn get(
    State(app): State<App>,
    StoreReader(caller, store): StoreReader,
    ProductId(id): ProductId,
    Params(query): Params<ProductQuery>,
) -> ApiResult {
    let service = &app.service;
    // To look for a product among the hits of a query is a simulation.
    let _slot = match query.q {
        Some(_) => Some(rates::trial_slot(service, &caller)?),
        None => None,
    };
    let (product, revision) = products::get(service, &caller, &store, &id, query).await?;
    Ok(Success::ok("Product.", &product)?.of_revision(revision))
}
