//! The audit trail of a store and of an account: a page, or all selected records as JSON lines.

use crate::App;
use crate::catalogue::{OperationRow, Route};
use crate::http::input::parameters;
use crate::http::inputs::query_input;
use crate::http::line_stream::{LineSender, LineStream};
use crate::http::{Failure, Params, Success};
use crate::panel::extract::{OfAccount, OfStore};
use axum::body::Bytes;
use axum::extract::{FromRequestParts, State};
use axum::http::header::{ACCEPT, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Response};
use axum::routing::on;
use domain::audit::AuditQuery;
use operations::OperationError;
use operations::audit::{self, AuditPortions};
use std::io;

/// Media type of JSON lines.
const NDJSON: &str = "application/x-ndjson";

/// Rows of the audit trail.
pub const ROWS: &[OperationRow] = &[
    Route::get("list_store_audit", "/stores/{id}/audit")
        .handler(|method| on(method, of_store))
        .query::<AuditQuery>("null"),
    Route::get("list_account_audit", "/accounts/{id}/audit")
        .handler(|method| on(method, of_account))
        .query::<AuditQuery>("null"),
];

query_input!(AuditQuery);

async fn of_store(
    State(app): State<App>,
    OfStore(caller, store): OfStore,
    SelectedRecords { query, lines }: SelectedRecords,
) -> Result<Response, Failure> {
    if lines {
        let portions = audit::portions_of_store(&app.service, &caller, &store, query)?;
        return Ok(download(portions));
    }
    let (records, meta) = audit::of_store(&app.service, &caller, &store, query).await?;
    Ok(Success::page_of("record", &records, &meta)?.into_response())
}

async fn of_account(
    State(app): State<App>,
    OfAccount(caller, account): OfAccount,
    SelectedRecords { query, lines }: SelectedRecords,
) -> Result<Response, Failure> {
    if lines {
        let portions = audit::portions_of_account(&app.service, &caller, &account, query);
        return Ok(download(portions.await?));
    }
    let (records, meta) = audit::of_account(&app.service, &caller, &account, query).await?;
    Ok(Success::page_of("record", &records, &meta)?.into_response())
}

/// The selected records, and whether the client asks for JSON lines.
struct SelectedRecords {
    query: AuditQuery,
    lines: bool,
}

impl FromRequestParts<App> for SelectedRecords {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Failure> {
        if !wants_lines(&parts.headers) {
            let Params(query) = Params::from_request_parts(parts, app).await?;
            let lines = false;
            return Ok(Self { query, lines });
        }
        let query = parts.uri.query().unwrap_or_default();
        let query = parameters(query).map_err(Failure::invalid)?;
        Ok(Self { query, lines: true })
    }
}

/// Returns whether the client asks for JSON lines.
fn wants_lines(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(ACCEPT).iter();
    let texts = accepted.filter_map(|value| value.to_str().ok());
    texts
        .flat_map(|text| text.split(','))
        .any(|range| range.split(';').next().unwrap_or_default().trim() == NDJSON)
}

/// Returns all records, one JSON object per line, the newest first.
fn download(portions: AuditPortions) -> Response {
    let (sender, body) = LineStream::body();
    tokio::spawn(send(portions, sender));
    let mut response = Response::new(body);
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(NDJSON));
    let name = HeaderValue::from_static("attachment; filename=\"audit.ndjson\"");
    headers.insert(CONTENT_DISPOSITION, name);
    response
}

async fn send(mut portions: AuditPortions, sender: LineSender) {
    loop {
        let portion = match text_of(&mut portions).await {
            Ok(Some(text)) => Ok(text),
            Ok(None) => return,
            Err(error) => {
                tracing::warn!(?error, "a download of the audit trail was cut off");
                Err(io::Error::other("the audit trail cannot be read"))
            }
        };
        let last = portion.is_err();
        if sender.send(portion).await.is_err() || last {
            return;
        }
    }
}

/// Returns the lines of the next portion; `None` at the end.
async fn text_of(portions: &mut AuditPortions) -> Result<Option<Bytes>, OperationError> {
    let records = portions.next().await?;
    if records.is_empty() {
        return Ok(None);
    }
    let mut text = Vec::new();
    for record in &records {
        serde_json::to_writer(&mut text, record).map_err(OperationError::internal)?;
        text.push(b'\n');
    }
    Ok(Some(text.into()))
}
