//! Closed indexes that followed another past of the database and have to be built anew when they are opened.

use domain::IndexId;
use parking_lot::Mutex;
use std::collections::HashSet;

/// Closed indexes of another past.
#[derive(Default)]
pub(super) struct Distrusted(Mutex<HashSet<IndexId>>);

impl Distrusted {
    /// Notes indexes that have to be built anew.
    pub fn begin(&self, indexes: impl IntoIterator<Item = IndexId>) {
        self.0.lock().extend(indexes);
    }

    /// Returns whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.lock().is_empty()
    }

    /// Returns whether an index has to be built anew when it is opened.
    pub fn has(&self, index: IndexId) -> bool {
        self.0.lock().contains(&index)
    }

    /// Notes that an index is as the database says.
    pub fn end(&self, index: IndexId) {
        self.0.lock().remove(&index);
    }
}
