//! `GET /widget/config`: what the widget shows on a page, cached by browsers for up to three minutes.

use crate::App;
use crate::catalogue::{OperationRow, Route, example};
use crate::http::cors::for_any_page;
use crate::http::envelope::X_CONFIG_REVISION;
use crate::http::inputs::query_input;
use crate::http::public_file::PublicFile;
use crate::http::{Failure, Params, Shopper, Success};
use axum::extract::State;
use axum::http::header::{CONTENT_TYPE, ORIGIN, VARY};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::Response;
use axum::routing::on;
use domain::widget::ConfigQuery;
use operations::widget_config::{self, WidgetConfig};

/// What is saved shows on every page after at most three minutes: 60 seconds fresh and 120 stale.
const CACHE: HeaderValue =
    HeaderValue::from_static("private, max-age=60, stale-while-revalidate=120");

/// Initial capacity of the body: the texts of a language take about 6 kB.
const COMMON_BYTES: usize = 8 * 1024;

/// Rows of `/widget/config`.
pub const ROWS: &[OperationRow] = &[Route::get("get_widget_config", "/widget/config")
    .handler(|method| on(method, config))
    .query::<ConfigQuery>(example!("search/config.query"))
    .returns::<WidgetConfig>(example!("search/config.response"))];

query_input!(ConfigQuery);

/// Returns whether a page of another origin asks. Previews of the panel have none of their own.
fn is_of_a_page(headers: &HeaderMap) -> bool {
    headers.get(ORIGIN).is_some_and(|origin| origin != "null")
}

/// Returns the configuration; 304 if the browser has it.
async fn config(
    State(app): State<App>,
    Shopper(caller): Shopper,
    Params(query): Params<ConfigQuery>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    if is_of_a_page(&headers) {
        widget_config::seen_on_page(&app.service, &caller)?;
    }
    let config = widget_config::config(&app.service, &caller, query, &app.address.api()).await?;
    let success = Success::large("Widget configuration.", &config, COMMON_BYTES)?;
    let file = PublicFile::sent_once(success.body().to_vec());
    let mut response = file.respond_cached(&headers, CACHE);
    let about = response.headers_mut();
    about.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    about.append(VARY, HeaderValue::from_static("X-API-Key, Authorization"));
    about.insert(X_CONFIG_REVISION, config.revision.into());
    Ok(for_any_page(response))
}
