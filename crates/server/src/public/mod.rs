//! What store pages call from a browser, from any origin.

use crate::App;
use crate::http::router::method_not_allowed;
use crate::http::{Answer, Body, Params, Shopper, Success};
use axum::Router;
use axum::extract::State;
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderName, Method};
use axum::routing::get;
use domain::Caller;
use domain::search::SearchRequest;
use operations::{OperationError, search};
use std::time::Duration;
use tower_http::cors::{Any, CorsLayer};

/// How long a browser may remember that any origin is welcome.
const PREFLIGHT_AGE: Duration = Duration::from_secs(24 * 60 * 60);

const MESSAGE: &str = "Search.";

/// The paths of store pages, below `/api/v1`.
pub fn paths() -> Router<App> {
    let cors = CorsLayer::new()
        .allow_origin(Any)
        .allow_methods([Method::GET, Method::POST])
        .allow_headers([
            CONTENT_TYPE,
            AUTHORIZATION,
            HeaderName::from_static("x-api-key"),
        ])
        .expose_headers([RETRY_AFTER, crate::http::access_log::X_REQUEST_ID])
        .max_age(PREFLIGHT_AGE);
    // The answer to a wrong method stands inside the layer, which takes a preflight for one.
    let methods = get(by_query).post(by_body).fallback(method_not_allowed);
    Router::new().route("/search", methods.layer(cors))
}

async fn by_query(
    State(app): State<App>,
    Shopper(caller): Shopper,
    Params(request): Params<SearchRequest>,
) -> Answer {
    let answer = search::search(&app.service, &caller, request).await;
    let answer = answer.map_err(|error| match error {
        // The paths are those of the request, where everything stands in the query string.
        OperationError::Invalid(wrong) => {
            OperationError::Invalid(wrong.into_iter().map(|one| one.under("query")).collect())
        }
        other => other,
    })?;
    Success::ok(MESSAGE, &answer)
}

async fn by_body(
    State(app): State<App>,
    Shopper(caller): Shopper,
    Body(request): Body<SearchRequest>,
) -> Answer {
    found(&app, &caller, request).await
}

/// Searches as the owner of a search-only key.
pub async fn found(app: &App, caller: &Caller, request: SearchRequest) -> Answer {
    let answer = search::search(&app.service, caller, request).await?;
    Success::ok(MESSAGE, &answer)
}
