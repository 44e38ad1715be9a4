//! Imports by the operator and by users: blocks are stored like those of the feed, within a run if the file is the whole catalogue.

pub mod records;
pub mod run;
pub mod store;

use crate::feed::Pressure;
use crate::feed::blocks::check_block_size;
use crate::feed::indices;
use crate::feed::upsert::{BlockChanges, SizedBlock, upsert};
use crate::service::run_to_completion;
use crate::{OperationError, Service};
use domain::access::Feed;
use domain::feed::{BlockReport, FeedScope};
use domain::{Caller, DocType, Language, Permit, RequiredRole, RunId, StoreId, access};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A block of an import.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ImportBlock {
    /// Store of the documents.
    pub store: StoreId,
    /// Language of the documents.
    pub language: Language,
    /// Type of the documents.
    pub doc_type: DocType,
    /// The run of a complete import.
    #[serde(default)]
    pub run: Option<RunId>,
    /// 1 to 500 documents.
    pub documents: Vec<Value>,
}

/// What became of a block.
#[derive(Clone, Debug, Serialize)]
pub struct ImportedBlock {
    /// As a connector gets it.
    #[serde(flatten)]
    pub report: BlockReport,
    /// What the documents changed.
    #[serde(flatten)]
    pub changes: BlockChanges,
}

/// Returns the permit of whoever may import into `store`: the operator, and users who may edit it.
fn permit(caller: &Caller, store: &StoreId) -> Result<Permit<Feed>, OperationError> {
    Ok(access::feed_in_panel(caller, store, RequiredRole::Editor)?)
}

/// Adds and replaces the documents of a block; creates the index if it is missing, and removes nothing.
///
/// An import waits while the index lags behind.
pub async fn block(
    service: &Service,
    caller: &Caller,
    block: ImportBlock,
) -> Result<ImportedBlock, OperationError> {
    let permit = permit(caller, &block.store)?;
    check_block_size("documents", block.documents.len())?;
    let block = SizedBlock {
        scope: FeedScope {
            doc_type: block.doc_type,
            language: block.language,
        },
        run: block.run,
        documents: block.documents.into(),
    };
    let service = service.clone();
    run_to_completion(async move {
        indices::ensure(&service, &permit, &block.scope).await?;
        let (report, changes) = upsert(&service, &permit, block, Pressure::Wait).await?;
        Ok(ImportedBlock { report, changes })
    })
    .await
}
