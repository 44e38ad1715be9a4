//! Blocks of documents and of deletions.

use crate::App;
use crate::http::{Answer, Body, Feeder, Success};
use axum::extract::State;
use domain::DocType;
use domain::feed::{Block, Deletion};
use operations::feed::blocks;

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
