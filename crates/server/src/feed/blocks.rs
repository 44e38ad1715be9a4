//! Adding, deleting and clearing documents.

use crate::App;
use crate::catalogue::{OperationRow, Route, example};
use crate::http::in_flight::BodyAccount;
use crate::http::inputs::input;
use crate::http::{ApiResult, Body, Failure, Feeder, OptionalBody, Success};
use axum::Extension;
use axum::extract::State;
use axum::routing::on;
use domain::feed::{Block, BlockReport, Clear, ClearReport, Deletion, DeletionReport};
use domain::limits::BLOCK_BYTES_MAX;
use domain::{DocType, SentDocuments};
use operations::feed::{blocks, clear as clearing};

/// Rows of documents.
pub const ROWS: &[OperationRow] = &[
    Route::post("upsert_documents", "/feed/{type}/bulk")
        .handler(|method| on(method, upsert))
        .body::<Block>(example!("feed/bulk.request"))
        .returns::<BlockReport>(example!("feed/bulk.response"))
        .errors(&[409, 410]),
    Route::post("delete_documents", "/feed/{type}/delete")
        .handler(|method| on(method, delete))
        .body::<Deletion>(example!("feed/delete.request"))
        .returns::<DeletionReport>(example!("feed/delete.response"))
        .errors(&[409]),
    Route::post("clear_products", "/feed/products/clear")
        .handler(|method| on(method, clear))
        .optional_body::<Clear>(example!("feed/clear.request"))
        .returns::<ClearReport>(example!("feed/clear.response"))
        .errors(&[409]),
];

input! {
    Block,
    const BYTES_MAX: usize = BLOCK_BYTES_MAX;
    const GZIP: bool = true;
    const READ_LATER: Option<&'static str> = Some("documents");
    fn with_documents(self, documents: SentDocuments) -> Self {
        Self { documents, ..self }
    }
}
input!(Deletion, const GZIP: bool = true;);
input!(Clear, const GZIP: bool = true;);

/// Adds or replaces documents.
pub async fn upsert(
    State(app): State<App>,
    Extension(doc_type): Extension<DocType>,
    Feeder(caller): Feeder,
    Extension(account): Extension<BodyAccount>,
    Body(block): Body<Block>,
) -> ApiResult {
    // The block is stored even if its client disconnects, and its memory stays reserved until then.
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
    State(app): State<App>,
    Extension(doc_type): Extension<DocType>,
    Feeder(caller): Feeder,
    Body(deletion): Body<Deletion>,
) -> ApiResult {
    let report = blocks::delete(&app.service, &caller, doc_type, deletion).await?;
    Success::ok(format!("{} documents deleted.", report.deleted), &report)
}

/// Clears the product indices, at once or with the next run.
pub async fn clear(
    State(app): State<App>,
    Feeder(caller): Feeder,
    OptionalBody(request): OptionalBody<Clear>,
) -> ApiResult {
    let keeps = request.keep_serving;
    let report = clearing::clear(&app.service, &caller, request).await?;
    let documents: u64 = report.cleared.iter().map(|one| one.documents).sum();
    let message = match keeps {
        true => format!("{documents} documents remain until the next run has replaced them."),
        false => format!("{documents} documents cleared."),
    };
    Success::ok(message, &report)
}
