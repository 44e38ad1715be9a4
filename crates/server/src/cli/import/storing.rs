//! Stores a block of documents, and retries while the server is busy.

use super::report::BlockResponse;
use crate::admin::{AdminFailure, AdminKind, AdminRequest, DataAccess};
use crate::cli::outcome::CommandError;
use operations::import::ImportBlock;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::time::Duration;
use tokio::time::Instant;

/// How long a block is retried before the import gives up.
const RETRY_TIME: Duration = Duration::from_secs(120);
/// Seconds before a retry if the server does not specify them.
const RETRY_DEFAULT_S: u64 = 1;

/// Stores `block`.
///
/// Errors: those of the server, at once unless it is busy; a response that cannot be parsed.
pub async fn store_block(
    access: &mut DataAccess,
    block: &ImportBlock,
) -> Result<BlockResponse, CommandError> {
    let deadline = Instant::now() + RETRY_TIME;
    loop {
        match access.execute(AdminRequest::Import(block.clone())).await {
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

/// Parses a response of the server.
pub fn parsed<T: DeserializeOwned>(response: Value) -> Result<T, CommandError> {
    serde_json::from_value(response).map_err(|error| {
        CommandError::failed(format!("cannot parse the server's response: {error}"))
    })
}
