//! `/panel/preview`: a bare page with the real widget, shown in a sandboxed frame. It has no origin, so that it reads no
//! cookie and reaches no call of the panel, whatever the shop's own code does in it.

use super::addresses::PanelUrl;
use super::gate::ReachedAt;
use super::headers::RESOURCE_POLICY;
use super::options::{PATH, Panel};
use crate::http::{Failure, PathId};
use crate::message;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, X_FRAME_OPTIONS};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use domain::{Language, error_codes};
use serde::Deserialize;
use std::sync::Arc;

const SCRIPT: &str = include_str!("../assets/panel/preview.js");
const STYLE: &str = include_str!("../assets/panel/preview.css");
/// Longest key that a page takes.
const KEY_CHARACTERS_MAX: usize = 200;

/// What the page shows.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct PreviewQuery {
    key: String,
    lang: String,
}

/// Returns the page for a search-only key and a language.
pub async fn page(
    State(panel): State<Arc<Panel>>,
    query: Result<Query<PreviewQuery>, QueryRejection>,
    request: Request,
) -> Result<Response, Failure> {
    let reached = request.extensions().get::<ReachedAt>();
    let ReachedAt(url) = reached.ok_or_else(|| Failure::internal("a page has no gate"))?;
    let query = query.map(|Query(query)| query).unwrap_or_default();
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let fits = !query.key.is_empty()
        && query.key.len() <= KEY_CHARACTERS_MAX
        && query.key.chars().all(plain);
    let language = Language::parse(&query.lang).ok();
    let (true, Some(language)) = (fits, language) else {
        let message = message::sender::preview();
        return Err(Failure::new(
            StatusCode::BAD_REQUEST,
            error_codes::INVALID_REQUEST,
            message,
        ));
    };
    let policy = policy(&panel, url);
    let policy = HeaderValue::try_from(policy).map_err(|_| Failure::no_such_path())?;
    let headers = [
        (
            CONTENT_TYPE,
            HeaderValue::from_static("text/html; charset=utf-8"),
        ),
        (CONTENT_SECURITY_POLICY, policy),
        (X_FRAME_OPTIONS, HeaderValue::from_static("SAMEORIGIN")),
    ];
    Ok((headers, html(&query.key, language.as_str())).into_response())
}

fn html(key: &str, language: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"{language}\">\n<meta charset=\"utf-8\">\n<title>Findwell</title>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <link rel=\"stylesheet\" href=\"{PATH}/preview/preview.css\">\n\
         <script src=\"{PATH}/preview/preview.js\"></script>\n\
         <form role=\"search\"><input type=\"search\" name=\"q\" aria-label=\"Search\"></form>\n\
         <div data-findwell-results></div>\n\
         <script src=\"/api/v1/widget/loader.js\" data-key=\"{key}\" data-lang=\"{language}\" data-preview async></script>\n"
    )
}

/// Names every address in full: a page without an origin has no `'self'`.
fn policy(panel: &Panel, url: &PanelUrl) -> String {
    let own = url.to_string();
    let own = own.trim_end_matches('/');
    let public = panel.public_url.trim_end_matches('/');
    let all = |path: &str| format!("{own}{path} {public}{path}");
    let (widget, api, files) = (
        all("/api/v1/widget/"),
        all("/api/v1/"),
        all("/panel/preview/"),
    );
    format!(
        "sandbox allow-scripts; default-src 'none'; script-src {files} {widget}; style-src {files} {widget}; \
         img-src https: http: data:; connect-src {api}; base-uri 'none'; form-action 'none'; frame-ancestors {own}"
    )
}

/// Returns a file of the page; the frame has no origin, so any page may load it.
pub async fn file(PathId(name): PathId) -> Result<Response, Failure> {
    let (kind, text) = match name.as_str() {
        "preview.js" => ("text/javascript; charset=utf-8", SCRIPT),
        "preview.css" => ("text/css; charset=utf-8", STYLE),
        _ => return Err(Failure::no_such_path()),
    };
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static(kind)),
        (CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        (RESOURCE_POLICY, HeaderValue::from_static("cross-origin")),
    ];
    Ok((headers, text).into_response())
}
