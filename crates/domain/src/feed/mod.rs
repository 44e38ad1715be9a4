//! Requests and responses of the feed (docs/feed.md).

mod blocks;
mod pace;
mod runs;
mod setup;
mod unknown_fields;

pub use blocks::{
    Block, BlockReport, Clear, ClearReport, ClearedLanguage, Deletion, DeletionReport,
};
pub use pace::{FeedPace, SilenceBounds};
pub use runs::{
    NewRun, RunClose, RunClosed, RunMode, RunOpened, RunOrigin, RunScopeView, RunView, ScopeClose,
    ScopeClosed, ScopeStatus, Touch, TouchItem, TouchReport,
};
pub use setup::{
    Connected, FeedLanguage, FeedLimits, IndexOutcome, IndicesReport, KeyOfInstance,
    LanguagesOutcome, NewIndices, PlanReport, PlanUsage, PublicKeyIssued, PublicKeyRequest,
    SkippedLanguage,
};
pub use unknown_fields::{UnknownFields, unknown_names};

use crate::document::DocType;
use crate::language::Language;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Type and language of the documents of one index.
#[derive(
    Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
pub struct FeedScope {
    /// Type of its documents.
    #[serde(rename = "type")]
    pub doc_type: DocType,
    /// Their language.
    pub language: Language,
}

/// A request without content, such as an abort.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Nothing {}
