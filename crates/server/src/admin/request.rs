//! The requests of the command line and their execution.

use super::closed_stores::{self, ClosedStoreRequest};
use super::configurations::{self, ConfigurationRequest};
use super::imports::{self, ImportRequest};
use super::outcome::{AdminFailure, final_json, to_json};
use super::sources::{self, SourceRequest};
use super::users::{self, UserRequest};
use crate::metrics::ImportedRows;
use domain::audit::AuditFilter;
use domain::source::FetchOutcome;
use domain::{AccountId, Caller, Day, IndexId, KeyId, RunId, StoreId};
use operations::feed::runs;
use operations::import::ImportBlock;
use operations::keys::{self, NewApiKey};
use operations::reindex;
use operations::stores::{self, NewStore, StoreSettings};
use operations::{Service, accounts, analytics, audit, backup, check};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::PathBuf;

/// A request of the command line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "operation", rename_all = "snake_case")]
#[expect(missing_docs, reason = "the fields are those of the operations")]
pub enum AdminRequest {
    /// Creates an account.
    CreateAccount {
        name: String,
        max_stores: Option<u32>,
    },
    /// Sets how many stores the users of an account may have.
    SetAccount { account: AccountId, max_stores: u32 },
    /// Creates a store.
    CreateStore(NewStore),
    /// Lists all stores.
    ListStores,
    /// Closes a store, opens it again, removes it, or lists the closed ones.
    ClosedStores(ClosedStoreRequest),
    /// Does something with a configuration file.
    Configuration(ConfigurationRequest),
    /// Changes the settings of a store that only the operator may change.
    SetStore {
        store: StoreId,
        settings: StoreSettings,
    },
    /// Lists the latest runs of a store.
    ListRuns { store: StoreId },
    /// Releases held purges of one run or of all.
    ReleaseRuns { store: StoreId, run: Option<RunId> },
    /// Creates a key.
    CreateKey(NewApiKey),
    /// Lists the keys of one store or of all.
    ListKeys { store: Option<StoreId> },
    /// Deactivates a key.
    DeactivateKey { key: KeyId },
    /// Does something about users.
    Users(UserRequest),
    /// Does something about sources.
    Sources(SourceRequest),
    /// Lists records of the audit trail.
    ListAudit(AuditFilter),
    /// Adds or replaces a block of documents.
    Import(ImportBlock),
    /// Does something else for an import.
    ImportRun(ImportRequest),
    /// Counts an import of a command that is over.
    ImportEnded {
        outcome: FetchOutcome,
        rows: ImportedRows,
    },
    /// Deletes the statistics of searches of a store.
    ClearAnalytics { store: StoreId, before: Option<Day> },
    /// Starts rebuilding the indexes of one store or of all.
    Reindex { store: Option<StoreId> },
    /// Copies database and indexes into a directory, given by its absolute path.
    BackUp { directory: PathBuf },
    /// Compares database and indexes, and optionally repairs differences.
    Check { repair: bool },
    /// Returns the address of the server's control panel, without path; nothing without a server or a panel.
    PanelAddress,
    /// Returns the progress of rebuilds.
    ReindexProgress { indexes: Vec<IndexId> },
}

impl AdminRequest {
    /// Returns whether the request may create the data directory; any other request needs existing data.
    pub fn may_create_data(&self) -> bool {
        matches!(self, Self::CreateAccount { .. } | Self::CreateStore(_))
    }
}

/// Executes `request` as the operator.
///
/// Errors: the error of the operation, with the messages of the API.
pub async fn execute(service: &Service, request: AdminRequest) -> Result<Value, AdminFailure> {
    let by = Caller::operator();
    match request {
        AdminRequest::CreateAccount { name, max_stores } => {
            to_json(accounts::create(service, &by, name, max_stores).await)
        }
        AdminRequest::SetAccount {
            account,
            max_stores,
        } => to_json(accounts::set_max_stores(service, &by, &account, max_stores).await),
        AdminRequest::CreateStore(new) => to_json(stores::create(service, &by, new).await),
        AdminRequest::ListStores => to_json(stores::list_all(service, &by).await),
        AdminRequest::ClosedStores(request) => closed_stores::execute(service, &by, request).await,
        AdminRequest::Configuration(request) => {
            configurations::execute(service, &by, request).await
        }
        AdminRequest::SetStore { store, settings } => {
            to_json(stores::set(service, &by, &store, settings).await)
        }
        AdminRequest::ListRuns { store } => to_json(runs::list(service, &by, &store).await),
        AdminRequest::ReleaseRuns { store, run } => {
            to_json(runs::release(service, &by, &store, run).await)
        }
        AdminRequest::CreateKey(new) => to_json(keys::create(service, &by, new).await),
        AdminRequest::ListKeys { store } => to_json(keys::list(service, &by, store).await),
        AdminRequest::DeactivateKey { key } => to_json(keys::deactivate(service, &by, &key).await),
        AdminRequest::Users(request) => users::execute(service, &by, request).await,
        AdminRequest::Sources(request) => sources::execute(service, &by, request).await,
        AdminRequest::ListAudit(filter) => to_json(audit::list(service, &by, filter).await),
        AdminRequest::Import(block) => imports::block(service, &by, block).await,
        AdminRequest::ImportRun(request) => imports::execute(service, &by, request).await,
        AdminRequest::ClearAnalytics { store, before } => {
            to_json(analytics::clear(service, &by, &store, before).await)
        }
        AdminRequest::Reindex { store } => {
            to_json(reindex::start(service, &by, store.as_ref()).await)
        }
        AdminRequest::BackUp { directory } => {
            final_json(backup::create(service, &by, directory).await)
        }
        AdminRequest::Check { repair } => final_json(check::run(service, &by, repair).await),
        // Only a server has a panel and metrics.
        AdminRequest::PanelAddress | AdminRequest::ImportEnded { .. } => Ok(Value::Null),
        AdminRequest::ReindexProgress { indexes } => {
            to_json(reindex::progress(service, &by, &indexes).await)
        }
    }
}
