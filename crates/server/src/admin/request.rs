//! One request of the command line, and what becomes of it.

use crate::http::Failure;
use axum::http::StatusCode;
use domain::audit::AuditFilter;
use domain::store::PlanLimits;
use domain::{
    AccountId, Caller, IndexId, Invalid, KeyId, KeyKind, Language, RunId, Scope, StoreId, Timestamp,
};
use operations::feed::runs;
use operations::import::{self, ImportBlock};
use operations::keys::{self, NewApiKey};
use operations::reindex;
use operations::stores::{self, NewStore, StoreSettings};
use operations::{OperationError, Service, accounts, audit, backup, check};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::PathBuf;

/// What the command line asks for.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "operation", rename_all = "snake_case")]
#[expect(missing_docs, reason = "the fields are those of the operations")]
pub enum AdminRequest {
    /// Makes an account.
    CreateAccount { name: String },
    /// Makes a store.
    CreateStore {
        name: String,
        account: Option<AccountId>,
        languages: Vec<Language>,
        plan: PlanLimits,
    },
    /// Lists all stores.
    ListStores,
    /// Changes what only the operator changes of a store.
    SetStore {
        store: StoreId,
        settings: StoreSettings,
    },
    /// Lists the latest runs of a store.
    ListRuns { store: StoreId },
    /// Lets purges pass that are held back, of one run or of all.
    ReleaseRuns { store: StoreId, run: Option<RunId> },
    /// Makes a key.
    CreateKey {
        store: Option<StoreId>,
        account: Option<AccountId>,
        kind: KeyKind,
        scope: Option<Scope>,
        name: Option<String>,
        expires: Option<Timestamp>,
    },
    /// Lists keys, of one store or all.
    ListKeys { store: Option<StoreId> },
    /// Makes a key stop working.
    DeactivateKey { key: KeyId },
    /// Lists records of the audit trail.
    ListAudit(AuditFilter),
    /// Adds or replaces a block of documents.
    Import(ImportBlock),
    /// Starts building indexes anew, of one store or all.
    Reindex { store: Option<StoreId> },
    /// Copies database and indexes into a directory, by its absolute path.
    BackUp { directory: PathBuf },
    /// Compares database and indexes, and repairs what differs if wanted.
    Check { repair: bool },
    /// Asks how far rebuilds are.
    ReindexProgress { indexes: Vec<IndexId> },
}

impl AdminRequest {
    /// Whether the request may be the first one of a data directory; any other one would only find it empty.
    pub fn may_begin(&self) -> bool {
        matches!(self, Self::CreateAccount { .. } | Self::CreateStore { .. })
    }
}

/// What kind of failure a request met, which decides the exit status and whether to try again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AdminKind {
    /// The request itself is wrong.
    Usage,
    /// It could not be done.
    Failed,
    /// It can be done a little later.
    Later,
}

/// Why a request failed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AdminFailure {
    /// What kind of failure.
    pub kind: AdminKind,
    /// The public sentence.
    pub message: String,
    /// Everything that is wrong with the request.
    pub errors: Vec<Invalid>,
    /// Seconds after which to try again.
    pub retry_after_s: Option<u64>,
}

impl AdminFailure {
    /// A failure that is not the request's fault.
    pub fn failed(message: impl Into<String>) -> Self {
        Self {
            kind: AdminKind::Failed,
            message: message.into(),
            errors: Vec::new(),
            retry_after_s: None,
        }
    }
}

impl From<OperationError> for AdminFailure {
    fn from(error: OperationError) -> Self {
        let failure = Failure::from(error);
        if let Some(cause) = &failure.cause {
            tracing::error!(%cause, code = failure.code, "a command failed");
        }
        Self {
            kind: match failure.status {
                StatusCode::BAD_REQUEST => AdminKind::Usage,
                StatusCode::SERVICE_UNAVAILABLE => AdminKind::Later,
                _ => AdminKind::Failed,
            },
            message: failure.message,
            errors: failure.errors,
            retry_after_s: failure.retry_after_s,
        }
    }
}

/// Executes `request` as the operator.
///
/// Errors: what the operation refuses, in the words of the interface.
pub async fn execute(service: &Service, request: AdminRequest) -> Result<Value, AdminFailure> {
    let operator = Caller::operator();
    match request {
        AdminRequest::CreateAccount { name } => {
            answer(accounts::create(service, &operator, name).await)
        }
        AdminRequest::CreateStore {
            name,
            account,
            languages,
            plan,
        } => {
            let new = NewStore {
                name,
                account,
                languages,
                plan,
            };
            answer(stores::create(service, &operator, new).await)
        }
        AdminRequest::ListStores => answer(stores::list_all(service, &operator).await),
        AdminRequest::SetStore { store, settings } => {
            answer(stores::set(service, &operator, &store, settings).await)
        }
        AdminRequest::ListRuns { store } => answer(runs::list(service, &operator, &store).await),
        AdminRequest::ReleaseRuns { store, run } => {
            answer(runs::release(service, &operator, &store, run).await)
        }
        AdminRequest::CreateKey {
            store,
            account,
            kind,
            scope,
            name,
            expires,
        } => {
            let new = NewApiKey {
                store,
                account,
                kind,
                scope,
                name,
                expires,
            };
            answer(keys::create(service, &operator, new).await)
        }
        AdminRequest::ListKeys { store } => answer(keys::list(service, &operator, store).await),
        AdminRequest::DeactivateKey { key } => {
            answer(keys::deactivate(service, &operator, &key).await)
        }
        AdminRequest::ListAudit(filter) => answer(audit::list(service, &operator, filter).await),
        AdminRequest::Import(block) => answer(import::block(service, &operator, block).await),
        AdminRequest::Reindex { store } => {
            answer(reindex::start(service, &operator, store.as_ref()).await)
        }
        AdminRequest::BackUp { directory } => {
            let created = backup::create(service, &operator, directory).await;
            answer(created).map_err(final_failure)
        }
        AdminRequest::Check { repair } => {
            answer(check::run(service, &operator, repair).await).map_err(final_failure)
        }
        AdminRequest::ReindexProgress { indexes } => {
            answer(reindex::progress(service, &operator, &indexes).await)
        }
    }
}

/// The same failure for a command that nobody tries again by itself.
fn final_failure(failure: AdminFailure) -> AdminFailure {
    AdminFailure {
        kind: AdminKind::Failed,
        ..failure
    }
}

fn answer<T: Serialize>(outcome: Result<T, OperationError>) -> Result<Value, AdminFailure> {
    serde_json::to_value(outcome?)
        .map_err(|error| AdminFailure::failed(format!("the answer has no JSON form: {error}")))
}
