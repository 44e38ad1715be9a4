//! The requests of the command line about sources, and their execution.

use super::outcome::{AdminFailure, to_json};
use crate::sources::invalid_mapping;
use domain::source::SourcePatch;
use domain::{Caller, Invalid, SourceId, StoreId, message};
use operations::sources::{self, store_of};
use operations::{OperationError, Precondition, Service};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;

/// A request about sources.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case")]
#[expect(missing_docs, reason = "the fields are those of the operations")]
pub enum SourceRequest {
    /// Lists the sources of a store.
    List { store: StoreId },
    /// Creates a source.
    Create { store: StoreId, source: SentSource },
    /// Updates a source.
    Update { id: SourceId, source: SentSource },
    /// Returns one source.
    Get { id: SourceId },
    /// Fetches a source now.
    Fetch { id: SourceId },
    /// Returns the last fetch of a source, null without one.
    LastFetch { id: SourceId },
    /// Deletes a source.
    Delete { id: SourceId },
}

/// What is written of a source, with its secret.
#[derive(Serialize, Deserialize)]
#[serde(transparent)]
pub struct SentSource(pub Value);

impl fmt::Debug for SentSource {
    /// Writes no secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SentSource")
    }
}

impl SentSource {
    fn patch(self) -> Result<SourcePatch, OperationError> {
        let patch: SourcePatch = serde_json::from_value(self.0).map_err(|error| {
            let reason = message::value::of_library(error.to_string());
            OperationError::Invalid(vec![Invalid::new("source", reason)])
        })?;
        match invalid_mapping(&patch) {
            Some(invalid) => Err(OperationError::Invalid(vec![invalid])),
            None => Ok(patch),
        }
    }
}

/// Executes `request` as the operator.
pub async fn execute(
    service: &Service,
    by: &Caller,
    request: SourceRequest,
) -> Result<Value, AdminFailure> {
    match request {
        SourceRequest::List { store } => to_json(sources::list(service, by, &store).await),
        SourceRequest::Create { store, source } => {
            let created = sources::create(service, by, &store, source.patch()?).await;
            to_json(created.map(|(view, _)| view))
        }
        SourceRequest::Update { id, source } => {
            let store = store_of(service, by, &id).await?;
            let (patch, always) = (source.patch()?, Precondition::None);
            let updated = sources::update(service, by, (&store, id), patch, always).await;
            to_json(updated.map(|(view, _)| view))
        }
        SourceRequest::Get { id } => {
            let store = store_of(service, by, &id).await?;
            let read = sources::get(service, by, &store, &id).await;
            to_json(read.map(|(view, _)| view))
        }
        SourceRequest::Fetch { id } => {
            let store = store_of(service, by, &id).await?;
            to_json(sources::fetch_now(service, by, &store, id).await)
        }
        SourceRequest::LastFetch { id } => {
            let store = store_of(service, by, &id).await?;
            to_json(sources::last_fetch(service, by, &store, &id).await)
        }
        SourceRequest::Delete { id } => {
            let store = store_of(service, by, &id).await?;
            to_json(sources::delete(service, by, (&store, id), Precondition::None).await)
        }
    }
}
