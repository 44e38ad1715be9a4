//! What a connector does once: learns its store, makes indices, fetches the key of the store's pages.

use crate::App;
use crate::http::{Answer, Body, Feeder, NoInput, Success};
use axum::extract::State;
use domain::feed::{NewIndices, PublicKeyRequest};
use operations::feed::{connect as connection, indices, public_key};

/// The store, what it may be sent and how much at once.
pub async fn connect(State(app): State<App>, Feeder(caller): Feeder, _: NoInput) -> Answer {
    let connected = connection::connect(&app.service, &caller).await?;
    Success::ok("Connected.", &connected)
}

/// Makes the missing indices.
pub async fn create_indices(
    State(app): State<App>,
    Feeder(caller): Feeder,
    Body(wanted): Body<NewIndices>,
) -> Answer {
    let report = indices::create(&app.service, &caller, wanted).await?;
    let made = report.indices.iter().filter(|i| i.status == "created");
    Success::ok(format!("{} indices made.", made.count()), &report)
}

/// The search-only key of an installation.
pub async fn issue_public_key(
    State(app): State<App>,
    Feeder(caller): Feeder,
    Body(request): Body<PublicKeyRequest>,
) -> Answer {
    let issued = public_key::issue(&app.service, &caller, request).await?;
    Success::ok("Key of the store's pages.", &issued)
}
