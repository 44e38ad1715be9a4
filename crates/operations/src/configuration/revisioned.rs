//! `Revisioned`: entity tag and revision, which accompany every response about the configuration.

use crate::runtime::content_hash::content_hash;
use serde::Serialize;

/// Entity tag and revision of a response about the configuration (`docs/api.md`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revisioned {
    /// Tag of the writable content, without quotes.
    pub etag: String,
    /// Number of the latest revision of the store's configuration.
    pub config_revision: i64,
}

impl Revisioned {
    /// Returns the tag of `content`, the writable content of a resource and nothing else.
    pub(crate) fn of(content: &impl Serialize, config_revision: i64) -> Self {
        Self {
            etag: tag(content),
            config_revision,
        }
    }
}

/// Returns the entity tag of `content`, without quotes.
pub(crate) fn tag(content: &impl Serialize) -> String {
    content_hash(&serde_json::to_string(content).unwrap_or_default())
}
