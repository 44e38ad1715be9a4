//! Rebuilds of indexes from storage while they are searched: started and monitored by the operator.

use super::requested;
use crate::indexing::Rebuild;
use crate::message;
use crate::{OperationError, Service};
use domain::{Caller, DocType, IndexId, Language, StoreId, access};
use serde::{Deserialize, Serialize};
use storage::IndexRow;

/// An index that is being or was rebuilt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Reindexed {
    /// Number of the index.
    pub index: IndexId,
    /// Store of the index.
    pub store_id: StoreId,
    /// Type of its documents.
    #[serde(rename = "type")]
    pub doc_type: DocType,
    /// Their language.
    pub language: Language,
    /// State of the rebuild.
    pub state: ReindexState,
    /// Documents that the new index holds.
    pub documents: u64,
    /// Documents that it will hold, as far as known.
    pub of: u64,
}

/// State of a rebuild.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReindexState {
    /// It waits for its turn or is in progress; the former index is searched.
    Building,
    /// The new index is searched.
    Done,
    /// It failed; the former index is searched.
    Failed,
}

/// Starts the rebuild of the indexes of all open stores, or those of one, on every node that has indexes of its own. Joins
/// rebuilds in progress.
///
/// Errors: `NotFound` for an unknown store.
pub async fn start(
    service: &Service,
    caller: &Caller,
    store: Option<&StoreId>,
) -> Result<Vec<Reindexed>, OperationError> {
    access::operator(caller)?;
    let rows = indices(service, caller, store).await?;
    if requested::is_shared(service) {
        let indexes: Vec<IndexId> = rows.iter().map(|row| row.id).collect();
        requested::request(service, &indexes).await?;
    } else {
        for row in &rows {
            service.indexing.rebuild(row);
        }
    }
    statuses(service, rows).await
}

/// Returns the progress of the rebuilds of `indexes`; those that no longer exist, or whose store is closed, are left out.
pub async fn progress(
    service: &Service,
    caller: &Caller,
    indexes: &[IndexId],
) -> Result<Vec<Reindexed>, OperationError> {
    access::operator(caller)?;
    let mut rows = Vec::with_capacity(indexes.len());
    for index in indexes {
        rows.extend(service.storage.index(*index).await?);
    }
    statuses(service, rows).await
}

/// Returns how far the rebuilds of indexes are.
async fn statuses(
    service: &Service,
    rows: Vec<IndexRow>,
) -> Result<Vec<Reindexed>, OperationError> {
    if !requested::is_shared(service) {
        let last = |row: &IndexRow| status(row, service.indexing.last_rebuild(row.id));
        return Ok(rows.iter().map(last).collect());
    }
    let indexes: Vec<IndexId> = rows.iter().map(|row| row.id).collect();
    let mut all = requested::progress(service, &indexes).await?;
    Ok(rows
        .iter()
        .map(|row| status(row, all.remove(&row.id)))
        .collect())
}

/// Returns the indexes of all open stores, or those of one.
pub(crate) async fn indices(
    service: &Service,
    caller: &Caller,
    store: Option<&StoreId>,
) -> Result<Vec<IndexRow>, OperationError> {
    let Some(store) = store else {
        return Ok(service.storage.open_indices().await?);
    };
    let permit = access::read(caller, store)?;
    service
        .storage
        .store(&permit)
        .await?
        .ok_or(OperationError::NotFound {
            what: message::noun::store,
        })?;
    Ok(service.storage.indices_of(&permit).await?)
}

fn status(row: &IndexRow, last: Option<Rebuild>) -> Reindexed {
    let all = row.documents.unsigned_abs();
    let (state, documents, of) = match last {
        Some(Rebuild::UnderWay { documents, of }) => {
            (ReindexState::Building, documents, of.max(documents))
        }
        Some(Rebuild::Done) => (ReindexState::Done, all, all),
        // An unknown rebuild ended with the process that ran it.
        Some(Rebuild::Failed(_)) | None => (ReindexState::Failed, 0, all),
    };
    Reindexed {
        index: row.id,
        store_id: row.store.clone(),
        doc_type: row.scope.doc_type,
        language: row.scope.language.clone(),
        state,
        documents,
        of,
    }
}
