//! The latest releases of the shop modules, with the addresses of their archives.

use crate::App;
use crate::catalogue::{OperationRow, Route};
use crate::downloads;
use crate::http::{ApiResult, NoInput, Success};
use crate::panel::extract::{SignedInUser, ThePanel};
use axum::extract::State;
use axum::routing::on;
use serde::Serialize;

/// Rows of releases.
pub const ROWS: &[OperationRow] =
    &[Route::get("list_module_releases", "/module-releases").handler(|method| on(method, latest))];

/// A release of a shop module, as the panel links it.
#[derive(Serialize)]
struct LinkedRelease {
    platform: String,
    version: String,
    released: String,
    /// Address of its archive, as clients of the server call it.
    url: String,
    sha256: String,
}

async fn latest(
    State(app): State<App>,
    SignedInUser(_): SignedInUser,
    ThePanel(panel): ThePanel,
    _: NoInput,
) -> ApiResult {
    let api = format!("{}/api/v1", panel.public_url);
    let latest = app.service.releases().latest_of_all().into_iter();
    let linked = latest.map(|(platform, release)| LinkedRelease {
        version: release.version.to_string(),
        released: release.about.released.clone(),
        url: downloads::archive_url(&api, &platform, release.version),
        sha256: release.sha256.clone(),
        platform,
    });
    let linked: Vec<LinkedRelease> = linked.collect();
    Success::ok(format!("{} releases.", linked.len()), &linked)
}
