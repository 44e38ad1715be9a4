//! The files of the search widget, which pages of any shop load without a key.

mod assets;
mod custom;
mod files;

pub use files::{WidgetFiles, page_line, page_line_source};

use crate::App;
use crate::http::cors::any_origin;
use crate::http::failure::method_not_allowed;
use axum::Router;
use axum::routing::get;

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
