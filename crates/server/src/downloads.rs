//! The releases of the shop module, for everybody: what the latest one is, and the archives.

use crate::App;
use crate::http::Failure;
use crate::http::public_address::api_of_request;
use crate::http::public_file::{IMMUTABLE, PublicFile, matches_etag};
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE, ETAG, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use domain::release::{ReleaseAbout, Version};
use operations::releases::ModuleRelease;
use serde::Serialize;
use std::sync::Arc;

/// Shops learn of a release within this time.
const LATEST_CACHE: HeaderValue = HeaderValue::from_static("public, max-age=300");
/// An address that was made of the request is not for others.
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

/// What is read about the latest release.
#[derive(Serialize)]
struct Latest<'a> {
    url: String,
    sha256: &'a str,
    #[serde(flatten)]
    about: &'a ReleaseAbout,
}

/// Returns the routes of the releases, below `/api/v1`.
pub fn paths() -> Router<App> {
    Router::new().route("/downloads/{platform}/{file}", get(file))
}

/// Returns the address of an archive, below the address of the API.
pub fn archive_url(api: &str, platform: &str, version: Version) -> String {
    format!("{api}/downloads/{platform}/{platform}-{version}.zip")
}

/// Returns `latest.json` or an archive of a platform.
async fn file(
    State(app): State<App>,
    path: Result<Path<(String, String)>, PathRejection>,
    parts: Parts,
) -> Result<Response, Failure> {
    let Ok(Path((platform, name))) = path else {
        return Err(Failure::no_such_path());
    };
    let releases = app.service.releases();
    if name == "latest.json" {
        let latest = releases.latest(&platform);
        let latest = latest.ok_or_else(Failure::no_such_path)?;
        return described(&app, &parts, &platform, &latest);
    }
    let version = name
        .strip_prefix(platform.as_str())
        .and_then(|rest| rest.strip_prefix('-')?.strip_suffix(".zip"))
        .and_then(Version::parse);
    let release = version.and_then(|version| releases.release(&platform, version));
    let release = release.ok_or_else(Failure::no_such_path)?;
    Ok(archive(&parts, &name, &release))
}

fn described(
    app: &App,
    parts: &Parts,
    platform: &str,
    release: &ModuleRelease,
) -> Result<Response, Failure> {
    let (api, cache) = match app.address.named_api() {
        Some(api) => (api, LATEST_CACHE),
        None => (api_of_request(parts, &app.proxies)?, NO_STORE),
    };
    let latest = Latest {
        url: archive_url(&api, platform, release.version),
        sha256: &release.sha256,
        about: &release.about,
    };
    let json = serde_json::to_vec(&latest)
        .map_err(|error| Failure::internal(format!("a release does not serialise: {error}")))?;
    let mut response = PublicFile::sent_once(json).respond_cached(&parts.headers, cache);
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(CONTENT_TYPE, json);
    Ok(response)
}

fn archive(parts: &Parts, name: &str, release: &ModuleRelease) -> Response {
    let tag = format!("\"{}\"", release.sha256);
    let mut response = match matches_etag(&parts.headers, &tag) {
        true => StatusCode::NOT_MODIFIED.into_response(),
        false => Body::from(Bytes::from_owner(Arc::clone(&release.zip))).into_response(),
    };
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, IMMUTABLE);
    let (zip, nosniff) = ("application/zip", "nosniff");
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(zip));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static(nosniff));
    let attachment = format!("attachment; filename=\"{name}\"");
    for (header, value) in [(ETAG, tag), (CONTENT_DISPOSITION, attachment)] {
        if let Ok(value) = HeaderValue::from_str(&value) {
            headers.insert(header, value);
        }
    }
    response
}
