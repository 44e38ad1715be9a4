//! `Revisioned`: entity tag and revision, which accompany every response about the configuration.

use crate::key_text::digest;
use serde::Serialize;

/// Characters of the digest in a tag: 64 bits, plenty for the states of one resource.
const TAG_CHARACTERS: usize = 16;

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
    let text = serde_json::to_string(content).unwrap_or_default();
    let mut tag = digest(&text);
    tag.truncate(TAG_CHARACTERS);
    tag
}
