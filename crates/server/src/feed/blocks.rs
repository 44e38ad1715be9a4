//! Blocks of documents and of deletions.

use crate::App;
use crate::http::in_flight::BodyAccount;
use crate::http::{ApiResult, Body, Failure, Feeder, OptionalBody, Success};
use axum::Extension;
use axum::extract::State;
use domain::DocType;
use domain::feed::{Block, Clear, Deletion};
use operations::feed::{blocks, clear as clearing};

/// Adds and replaces documents.
pub async fn upsert(
    doc_type: DocType,
    State(app): State<App>,
    Feeder(caller): Feeder,
    Extension(account): Extension<BodyAccount>,
    Body(block): Body<Block>,
) -> ApiResult {
    // The block is stored also when its client has gone, and takes memory until then.
    let stored = tokio::spawn(async move {
        let stored = blocks::upsert(&app.service, &caller, doc_type, block).await;
        drop(account);
        stored
    });
    let report = stored
        .await
        .map_err(|error| Failure::internal(format!("a block was not stored: {error}")))??;
    let message = format!(
        "{} of {} documents accepted.",
        report.accepted, report.received
    );
    Success::ok(message, &report)
}

/// Deletes documents by id.
pub async fn delete(
    doc_type: DocType,
    State(app): State<App>,
    Feeder(caller): Feeder,
    Body(deletion): Body<Deletion>,
) -> ApiResult {
    let report = blocks::delete(&app.service, &caller, doc_type, deletion).await?;
    Success::ok(format!("{} documents deleted.", report.deleted), &report)
}

/// Empties the indices of products, at once or by the next run.
pub async fn clear(
    State(app): State<App>,
    Feeder(caller): Feeder,
    OptionalBody(request): OptionalBody<Clear>,
) -> ApiResult {
    let keeps = request.keep_serving;
    let report = clearing::clear(&app.service, &caller, request).await?;
    let documents: u64 = report.cleared.iter().map(|one| one.documents).sum();
    let message = match keeps {
        true => format!("{documents} documents stay until the next run has replaced them."),
        false => format!("{documents} documents cleared."),
    };
    Success::ok(message, &report)
}
