//! Where an import stores its documents: the feed operations in this process, or those of a running server.

use super::failure::ImportFailure;
use crate::admin::{
    AdminFailure, AdminKind, AdminRequest, DataAccess, ImportRequest, execute_import, import_block,
};
use crate::metrics::ImportedRows;
use domain::source::FetchOutcome;
use domain::{Caller, StoreId};
use operations::Service;
use operations::import::ImportBlock;
use operations::import::store::ImportStore;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::time::Duration;
use tokio::time::Instant;

/// How long a block is retried before the import gives up.
const RETRY_TIME: Duration = Duration::from_secs(120);
/// Seconds before a retry if the service does not specify them.
const RETRY_DEFAULT_S: u64 = 1;

/// Where an import stores its documents.
pub enum Destination<'a> {
    /// The feed operations in this process, on behalf of `caller`: the operator, or a user who may edit the store.
    Service {
        /// The service.
        service: &'a Service,
        /// Who imports.
        caller: &'a Caller,
    },
    /// Those that a command reaches, on behalf of the operator.
    Command(&'a mut DataAccess),
}

/// The response to a block.
#[derive(Debug, Deserialize)]
#[expect(missing_docs, reason = "the fields are those of the feed")]
pub struct BlockResponse {
    pub accepted: u64,
    pub clipped: u64,
    pub stale: Vec<String>,
    pub rejected: Vec<ReportedRejection>,
    pub new: u64,
    pub changed: u64,
    pub unchanged: u64,
}

/// A rejected document of a block.
#[derive(Debug, Deserialize)]
pub struct ReportedRejection {
    /// Its place in the block, from 0.
    pub index: usize,
    /// Its id, if it can be read.
    pub id: Option<String>,
    /// The stable code.
    pub code: String,
    /// The field that caused it, if any.
    pub field: Option<String>,
    /// The reason in English.
    pub message: String,
}

impl Destination<'_> {
    /// Returns what an import has to know about a store.
    pub async fn store(&mut self, store: &StoreId) -> Result<ImportStore, ImportFailure> {
        let store = store.clone();
        self.run(ImportRequest::Store { store }).await
    }

    /// Lets a running server count an import of a command that is over.
    pub async fn count(&mut self, outcome: FetchOutcome, rows: ImportedRows) {
        if let Self::Command(access) = self {
            // That it is not counted changes nothing for who imports.
            let _ = access
                .execute(AdminRequest::ImportEnded { outcome, rows })
                .await;
        }
    }

    /// Stores a block, and retries while the service is busy.
    ///
    /// Errors: those of the service, at once unless it is busy; a response that cannot be parsed.
    pub async fn block(&mut self, block: &ImportBlock) -> Result<BlockResponse, ImportFailure> {
        let deadline = Instant::now() + RETRY_TIME;
        loop {
            match self.try_block(block.clone()).await {
                Ok(response) => return parsed(response),
                Err(AdminFailure {
                    kind: AdminKind::Later,
                    retry_after_s,
                    ..
                }) if Instant::now() < deadline => {
                    let seconds = retry_after_s.unwrap_or(RETRY_DEFAULT_S);
                    tokio::time::sleep(Duration::from_secs(seconds)).await;
                }
                Err(failure) => return Err(failure.into()),
            }
        }
    }

    /// Futures of writes are large, and those of an import lie within each other: boxed, they take no stack.
    async fn try_block(&mut self, block: ImportBlock) -> Result<Value, AdminFailure> {
        match self {
            Self::Service { service, caller } => {
                Box::pin(import_block(service, caller, block)).await
            }
            Self::Command(access) => Box::pin(access.execute(AdminRequest::Import(block))).await,
        }
    }

    /// Does something else for an import.
    pub async fn run<T: DeserializeOwned>(
        &mut self,
        request: ImportRequest,
    ) -> Result<T, ImportFailure> {
        let response = match self {
            Self::Service { service, caller } => {
                Box::pin(execute_import(service, caller, request)).await
            }
            Self::Command(access) => {
                Box::pin(access.execute(AdminRequest::ImportRun(request))).await
            }
        };
        parsed(response?)
    }
}

fn parsed<T: DeserializeOwned>(response: Value) -> Result<T, ImportFailure> {
    serde_json::from_value(response).map_err(|error| {
        ImportFailure::Failed(format!("cannot parse the server's response: {error}"))
    })
}
