//! Imports by the operator: blocks go through the feed's own path, without a run.

use crate::feed::Pressure;
use crate::feed::blocks::sized;
use crate::feed::indices;
use crate::feed::upsert::{SizedBlock, upsert};
use crate::service::to_the_end;
use crate::{OperationError, Service};
use domain::feed::{BlockReport, FeedScope};
use domain::{Caller, DocType, Language, StoreId, access};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A block of an import.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ImportBlock {
    /// Store that it goes into.
    pub store: StoreId,
    /// Language of its documents.
    pub language: Language,
    /// Their type.
    pub doc_type: DocType,
    /// 1 to 500 documents.
    pub documents: Vec<Value>,
}

/// Adds and replaces the documents of a block; the index is made if it is missing, nothing is ever removed.
///
/// An import is not refused while the index lags behind: it waits.
pub async fn block(
    service: &Service,
    caller: &Caller,
    block: ImportBlock,
) -> Result<BlockReport, OperationError> {
    let permit = access::feed_as_operator(caller, &block.store)?;
    sized("documents", block.documents.len())?;
    let block = SizedBlock {
        scope: FeedScope {
            doc_type: block.doc_type,
            language: block.language,
        },
        run: None,
        documents: block.documents.into(),
    };
    let service = service.clone();
    to_the_end(async move {
        indices::ensure(&service, &permit, &block.scope).await?;
        upsert(&service, &permit, block, Pressure::Wait).await
    })
    .await
}
