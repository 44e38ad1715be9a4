//! The requests of an import beside its blocks: about the store, and about the run of a complete import.

use super::outcome::{AdminFailure, to_json};
use domain::{Caller, RunId, StoreId};
use operations::Service;
use operations::import::run::{self, ImportScope};
use operations::import::store;
use operations::import::{self, ImportBlock};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A request of an import.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case")]
#[expect(missing_docs, reason = "the fields are those of the operations")]
pub enum ImportRequest {
    /// Returns languages, address and currencies of a store.
    Store { store: StoreId },
    /// Declares the currency of an import as the only one.
    DeclareCurrency { store: StoreId, code: String },
    /// Opens the run of a complete import.
    Open { of: ImportScope, id: String },
    /// Marks unchanged documents.
    Touch {
        of: ImportScope,
        run: RunId,
        hashes: Vec<(String, String)>,
    },
    /// Marks documents that stay, whatever they are.
    Keep {
        of: ImportScope,
        run: RunId,
        ids: Vec<String>,
    },
    /// Closes the run.
    Close {
        of: ImportScope,
        run: RunId,
        seen: u64,
    },
    /// Ends the run without a purge.
    Abort { of: ImportScope, run: RunId },
}

/// Stores a block on behalf of `by`.
///
/// Errors: the error of the operation, with the messages of the API.
pub async fn block(
    service: &Service,
    by: &Caller,
    block: ImportBlock,
) -> Result<Value, AdminFailure> {
    to_json(import::block(service, by, block).await)
}

/// Executes `request` on behalf of `by`.
///
/// Errors: the error of the operation, with the messages of the API.
pub async fn execute(
    service: &Service,
    by: &Caller,
    request: ImportRequest,
) -> Result<Value, AdminFailure> {
    match request {
        ImportRequest::Store { store } => to_json(store::get(service, by, &store).await),
        ImportRequest::DeclareCurrency { store, code } => {
            to_json(store::declare_currency(service, by, &store, &code).await)
        }
        ImportRequest::Open { of, id } => to_json(run::open(service, by, of, id).await),
        ImportRequest::Touch { of, run, hashes } => {
            to_json(run::touch(service, by, of, run, hashes).await)
        }
        ImportRequest::Keep { of, run, ids } => to_json(run::keep(service, by, of, run, ids).await),
        ImportRequest::Close { of, run, seen } => {
            to_json(run::close(service, by, of, run, seen).await)
        }
        ImportRequest::Abort { of, run } => to_json(run::abort(service, by, of, run).await),
    }
}
