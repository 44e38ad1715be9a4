//! The files of the search widget, which pages of any shop load without a key.

mod assets;
mod custom;

pub use assets::WidgetFiles;

use crate::App;
use crate::http::router::method_not_allowed;
use crate::public::any_origin;
use axum::Router;
use axum::http::header::X_CONTENT_TYPE_OPTIONS;
use axum::http::{HeaderName, HeaderValue};
use axum::response::Response;
use axum::routing::get;

const CROSS_ORIGIN_RESOURCE_POLICY: HeaderName =
    HeaderName::from_static("cross-origin-resource-policy");

/// Returns the routes of the files, below `/api/v1`, with CORS.
pub fn paths() -> Router<App> {
    let routes = [
        ("/widget/loader.js", get(assets::loader)),
        ("/widget/assets/{file}", get(assets::asset)),
        ("/widget/custom/{store}/{file}", get(custom::file)),
    ];
    routes
        .into_iter()
        .fold(Router::new(), |router, (path, methods)| {
            let methods = methods.fallback(method_not_allowed).layer(any_origin());
            router.route(path, methods)
        })
}

/// Lets pages of any origin load the response, as what it says it is.
pub fn for_any_page(mut response: Response) -> Response {
    let headers = response.headers_mut();
    let (policy, nosniff) = ("cross-origin", "nosniff");
    headers.insert(
        CROSS_ORIGIN_RESOURCE_POLICY,
        HeaderValue::from_static(policy),
    );
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static(nosniff));
    response
}
