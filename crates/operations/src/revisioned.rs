//! What goes with every answer of the configuration: its entity tag and the store's revision.

use crate::key_text::digest;
use serde::Serialize;

/// Letters of the digest that make a tag: 64 bits, plenty for the states of one resource.
const TAG_LETTERS: usize = 16;

/// Entity tag and revision of a configuration answer (contract section 1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revisioned {
    /// Tag of the writable content, without quotes.
    pub etag: String,
    /// Number of the latest revision of the store's configuration.
    pub config_revision: i64,
}

impl Revisioned {
    /// The tag of `content`, which holds what a write could change and nothing else.
    pub(crate) fn of(content: &impl Serialize, config_revision: i64) -> Self {
        Self {
            etag: tag(content),
            config_revision,
        }
    }
}

/// The entity tag of `content`, without quotes.
pub(crate) fn tag(content: &impl Serialize) -> String {
    let text = serde_json::to_string(content).unwrap_or_default();
    let mut tag = digest(&text);
    tag.truncate(TAG_LETTERS);
    tag
}
