//! `Indexer`: what open stores need of whoever keeps their indexes current.
//!
//! It is all that the states that searches read know of indexing. An implementation may write the indexes itself or
//! follow another process that writes them.

use super::open_index::{Boxed, OpenIndex};
use super::open_store::OpenStore;
use crate::OperationError;
use std::sync::Arc;
use storage::IndexRow;

/// Opens the indexes of stores, and is notified of their configuration.
pub(crate) trait Indexer: Send + Sync {
    /// Opens the index of `row` in a state that may be searched.
    ///
    /// A new index holds the substrings of names if `partial` is set. An index that existed before the store was opened
    /// is `known`.
    ///
    /// Errors: `Unavailable` if it cannot be opened now.
    fn open<'a>(
        self: Arc<Self>,
        row: &'a IndexRow,
        partial: bool,
        known: bool,
    ) -> Boxed<'a, Result<Arc<dyn OpenIndex>, OperationError>>;

    /// Notifies the indexer that a configuration of the store was published, which its indexes may not suit yet.
    fn configured(self: Arc<Self>, open: &Arc<OpenStore>);
}
