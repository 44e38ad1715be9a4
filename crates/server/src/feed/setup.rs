//! What a connector does before it sends: learns its store and plan, makes indices, fetches the key of the store's
//! pages, declares prices and groups.

use crate::App;
use crate::http::input::Input;
use crate::http::{ApiResult, Body, Feeder, NoInput, Success};
use axum::extract::State;
use domain::declarations::Declaration;
use domain::feed::{NewIndices, PublicKeyRequest};
use operations::feed::{
    connect as connection, declare as declaring, indices, plan as planned, public_key,
};

/// The store, what it may be sent and how much at once.
pub async fn connect(State(app): State<App>, Feeder(caller): Feeder, _: NoInput) -> ApiResult {
    let connected = connection::connect(&app.service, &caller).await?;
    Success::ok("Connected.", &connected)
}

/// Makes the missing indices.
pub async fn create_indices(
    State(app): State<App>,
    Feeder(caller): Feeder,
    Body(wanted): Body<NewIndices>,
) -> ApiResult {
    let report = indices::create(&app.service, &caller, wanted).await?;
    let made = report.indices.iter().filter(|i| i.status == "created");
    Success::ok(format!("{} indices made.", made.count()), &report)
}

/// The search-only key of an installation.
pub async fn issue_public_key(
    State(app): State<App>,
    Feeder(caller): Feeder,
    Body(request): Body<PublicKeyRequest>,
) -> ApiResult {
    let issued = public_key::issue(&app.service, &caller, request).await?;
    Success::ok("Key of the store's pages.", &issued)
}

/// What the plan limits, and how much of it is used.
pub async fn plan(State(app): State<App>, Feeder(caller): Feeder, _: NoInput) -> ApiResult {
    let plan = planned::plan(&app.service, &caller).await?;
    Success::ok("Plan.", &plan)
}

/// Replaces a declaration as a whole.
pub async fn declare<T: Declaration + Input + Sync>(
    State(app): State<App>,
    Feeder(caller): Feeder,
    Body(declaration): Body<T>,
) -> ApiResult {
    let declared = declaring::declare(&app.service, &caller, declaration).await?;
    let count = declared.accepted.len();
    Success::ok(format!("{count} {} declared.", T::KIND.as_str()), &declared)
}
