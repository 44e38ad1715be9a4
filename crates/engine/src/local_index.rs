//! The life cycle of an index whose files and numbers are on this machine.

use crate::{Batch, BatchOutcome, DocumentChange, EngineError};

/// By which share an average length has to move until a run of a shop lets all scores move with it.
pub const AVERAGES_MOVED: f64 = 0.05;

/// An index in files and memory of this process (`Index::local`).
///
/// The numbers of its documents are in memory, apart from their texts. They are loaded, and the index catches up with
/// storage, before its first search; a document whose texts did not change is given with its numbers only.
pub trait LocalIndex: Send + Sync {
    /// Sequence number up to which the index contained every text when it last caught up. A text that changed later
    /// must be written again, whatever the watermark, because storage lists a document only once, at its last change.
    fn settled(&self) -> i64;

    /// Loads the numbers of the documents in storage, before the first search.
    ///
    /// Errors: nothing is loaded, and the call can be repeated.
    fn load(&self, documents: Vec<DocumentChange>) -> Result<(), EngineError>;

    /// Makes a batch searchable, atomically, when storage has more batches after it: the settled number does not rise.
    ///
    /// Errors: as `Index::apply`.
    fn apply_part(&self, batch: Batch) -> Result<BatchOutcome, EngineError>;

    /// Computes the average field lengths of the current documents, and uses them if one differs from that in use by at least
    /// the share `moved_by`, such as [`AVERAGES_MOVED`]; 0 for any difference.
    ///
    /// Errors: the previous averages stay in use.
    fn freeze_averages(&self, moved_by: f64) -> Result<(), EngineError>;

    /// One step towards the idle state: merges segments in the background, then releases what only writing needs. Returns
    /// whether nothing is left to do; batches may be applied between steps.
    ///
    /// Errors: when a merge cannot be started; the call can be repeated.
    fn go_idle(&self) -> Result<bool, EngineError>;

    /// Waits for a running merge and releases what only writing needs, until the next batch.
    fn release(&self);
}
