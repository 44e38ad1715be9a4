//! Imports by the operator: blocks are stored like those of the feed, without a run.

use crate::feed::Pressure;
use crate::feed::blocks::check_block_size;
use crate::feed::indices;
use crate::feed::upsert::{SizedBlock, upsert};
use crate::service::run_to_completion;
use crate::{OperationError, Service};
use domain::feed::{BlockReport, FeedScope};
use domain::{Caller, DocType, Language, StoreId, access};
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
    /// 1 to 500 documents.
    pub documents: Vec<Value>,
}

/// Adds and replaces the documents of a block; creates the index if it is missing, and never removes anything.
///
/// An import waits while the index lags behind.
pub async fn block(
    service: &Service,
    caller: &Caller,
    block: ImportBlock,
) -> Result<BlockReport, OperationError> {
    let permit = access::feed_as_operator(caller, &block.store)?;
    check_block_size("documents", block.documents.len())?;
    let block = SizedBlock {
        scope: FeedScope {
            doc_type: block.doc_type,
            language: block.language,
        },
        run: None,
        documents: block.documents.into(),
    };
    let service = service.clone();
    run_to_completion(async move {
        indices::ensure(&service, &permit, &block.scope).await?;
        upsert(&service, &permit, block, Pressure::Wait).await
    })
    .await
}
