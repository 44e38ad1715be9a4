//! Blocks of documents and of deletions.

use crate::App;
use crate::http::{Answer, Body, Feeder, OptionalBody, Success};
use axum::extract::State;
use domain::DocType;
use domain::feed::{Block, Clear, Deletion};
use operations::feed::{blocks, clear as clearing};

/// Adds and replaces documents.
pub async fn upsert(
    doc_type: DocType,
    State(app): State<App>,
    Feeder(caller): Feeder,
    Body(block): Body<Block>,
) -> Answer {
    let report = blocks::upsert(&app.service, &caller, doc_type, block).await?;
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
) -> Answer {
    let report = blocks::delete(&app.service, &caller, doc_type, deletion).await?;
    Success::ok(format!("{} documents deleted.", report.deleted), &report)
}

/// Empties the indices of products, at once or by the next run.
pub async fn clear(
    State(app): State<App>,
    Feeder(caller): Feeder,
    OptionalBody(request): OptionalBody<Clear>,
) -> Answer {
    let keeps = request.keep_serving;
    let report = clearing::clear(&app.service, &caller, request).await?;
    let documents: u64 = report.cleared.iter().map(|one| one.documents).sum();
    let message = match keeps {
        true => format!("{documents} documents stay until the next run has replaced them."),
        false => format!("{documents} documents cleared."),
    };
    Success::ok(message, &report)
}
