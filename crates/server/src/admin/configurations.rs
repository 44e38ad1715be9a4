//! The requests of the command line about configuration files, and their execution.

use super::outcome::{AdminFailure, AdminKind, final_json};
use crate::rest::configuration;
use domain::configuration_file::{
    ConfigurationImport, CopySource, FilePart, ImportMode, ImportQuery,
};
use domain::{Caller, StoreId, WriteAttempt};
use operations::{Precondition, Service, file};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A request about configuration files.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case")]
#[expect(missing_docs, reason = "the fields are those of the operations")]
pub enum ConfigurationRequest {
    /// Returns the configuration of a store as a file.
    Export {
        store: StoreId,
        parts: Option<Vec<FilePart>>,
    },
    /// Imports the text of a file.
    Import {
        store: StoreId,
        how: ImportWay,
        file: String,
    },
    /// Copies the configuration of another store.
    Copy {
        from: StoreId,
        store: StoreId,
        how: ImportWay,
    },
}

/// How a file is imported.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields are those of the operation")]
pub struct ImportWay {
    pub parts: Option<Vec<FilePart>>,
    pub mode: ImportMode,
    pub dry_run: bool,
}

/// Executes `request` as the operator.
///
/// Errors: the error of the operation, with the messages of the API.
pub async fn execute(
    service: &Service,
    by: &Caller,
    request: ConfigurationRequest,
) -> Result<Value, AdminFailure> {
    let (store, how, file) = match request {
        ConfigurationRequest::Export { store, parts } => {
            let exported = file::export(service, by, &store, parts).await;
            return final_json(exported.map(|(file, _)| file));
        }
        ConfigurationRequest::Import { store, how, file } => {
            let read = tokio::task::spawn_blocking(move || configuration::read(file.as_bytes()));
            let read = read
                .await
                .map_err(|e| AdminFailure::failed(e.to_string()))?;
            // A rejected file is no wrong usage of the command.
            let file = read.map_err(|failure| AdminFailure {
                kind: AdminKind::Failed,
                ..failure.into()
            })?;
            (store, how, file)
        }
        ConfigurationRequest::Copy { from, store, how } => {
            let source = CopySource {
                store_id: from,
                revision: None,
            };
            let copy = ConfigurationImport {
                copy_from: Some(source),
                ..ConfigurationImport::default()
            };
            (store, how, copy)
        }
    };
    let by = Caller {
        attempt: WriteAttempt::new(how.dry_run, Some(false)),
        ..by.clone()
    };
    let query = ImportQuery {
        parts: how.parts,
        mode: how.mode,
    };
    let any = Precondition::None;
    final_json(file::import(service, &by, &store, (file, query), any).await)
}
