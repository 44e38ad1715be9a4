//! Sources: addresses from which the catalogue of a store is fetched. Whoever fetches takes what is due (`due`) and says
//! how it ended (`finish`).

pub(crate) mod conflicts;
mod due;
mod finish;
mod read;
mod request;
mod state;

pub use due::{DueSource, give_back, renew, take_due};
pub use finish::{FetchReport, ReceivedVersion, finish};
pub(crate) use read::{Shown, counts, summaries};
pub use read::{fetches, last_fetch, store_of};
pub use request::fetch_now;
pub use state::SourceOptions;
pub(crate) use state::SourcesState;

use crate::OperationError;
use crate::message;
use crate::runtime::content_hash::content_hash;
use domain::source::SourceSettings;
use serde_json::json;
use storage::SourceRow;

/// Changes when files are read otherwise than before, so that equal files are read again.
const READER_VERSION: u32 = 1;

/// Returns a source that has to exist.
pub(crate) fn found(row: Option<SourceRow>) -> Result<SourceRow, OperationError> {
    row.ok_or(OperationError::NotFound {
        what: message::noun::source,
    })
}

/// Returns what decides which documents a file gives, as a hash.
pub(crate) fn read_as(settings: &SourceSettings) -> String {
    let content = json!([
        READER_VERSION,
        settings.url,
        settings.mapping,
        settings.doc_type,
        settings.language,
        settings.mode,
        settings.auth,
    ]);
    content_hash(&content.to_string())
}

/// Returns the context that a secret is sealed for.
pub(crate) fn seal_context(row: &SourceRow) -> String {
    format!("source {}/{}", row.store, row.id)
}
