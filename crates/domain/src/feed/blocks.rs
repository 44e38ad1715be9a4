//! Documents that a connector sends, deletes or clears.

use crate::document::Rejection;
use crate::id::RunId;
use crate::language::Language;
use crate::limits::{
    BLOCK_DOCUMENTS_MAX, DOCUMENT_ID_CHARACTERS_MAX, RUN_ID_CHARACTERS_MAX, STORE_LANGUAGES_MAX,
};
use crate::sent::SentDocuments;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// Request of `POST /feed/{type}/bulk`. Documents are not parsed yet: an invalid one is rejected alone.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Block {
    /// Language of all documents of the block.
    #[schemars(with = "Language")]
    pub language: String,
    /// The run that the block belongs to.
    #[serde(default)]
    #[schemars(with = "String", length(min = 1, max = RUN_ID_CHARACTERS_MAX))]
    pub run_id: Option<RunId>,
    /// 1 to 500 documents.
    #[schemars(schema_with = "documents_schema")]
    pub documents: SentDocuments,
}

fn documents_schema(_: &mut SchemaGenerator) -> Schema {
    let document = "A document of the type of the path: an object with `id`, `name` (`title` of a page) and what else \
                    the shop knows. An invalid one is rejected alone.";
    json_schema!({
        "type": "array",
        "items": {"description": document},
        "x-published": {"minItems": 1, "maxItems": BLOCK_DOCUMENTS_MAX}
    })
}

/// Response to a bulk.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[expect(missing_docs, reason = "the fields are those of docs/feed.md")]
pub struct BlockReport {
    pub received: usize,
    pub accepted: usize,
    /// Accepted documents of which something was cut because it was too long.
    pub clipped: usize,
    pub stale: Vec<String>,
    pub rejected: Vec<Rejection>,
    /// Names of fields of the accepted documents that the service does not know: stored, and not used.
    ///
    /// At most 20 of 255 characters, the most frequent first; in a run each name is returned once.
    #[serde(rename = "unknownFields", skip_serializing_if = "Vec::is_empty")]
    pub unknown_fields: Vec<String>,
}

/// Request of `POST /feed/{type}/delete`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Deletion {
    /// 1 to 500 ids.
    #[schemars(
        inner(length(min = 1, max = DOCUMENT_ID_CHARACTERS_MAX)),
        extend("x-published" = {"minItems": 1, "maxItems": BLOCK_DOCUMENTS_MAX})
    )]
    pub ids: Vec<String>,
    /// Languages; all of the store if left out.
    #[serde(default)]
    #[schemars(with = "Vec<Language>")]
    pub languages: Option<Vec<Language>>,
    /// When the deletion was noticed, in milliseconds; the time of arrival if left out.
    #[serde(default)]
    #[schemars(with = "i64")]
    pub rev: Option<i64>,
}

/// Response to a delete.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[expect(missing_docs, reason = "the fields are those of docs/feed.md")]
pub struct DeletionReport {
    pub deleted: u64,
    pub missing: Vec<String>,
    pub stale: Vec<String>,
}

/// Request of `POST /feed/products/clear`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Clear {
    /// Languages; all of the store if left out.
    #[serde(default)]
    #[schemars(with = "Vec<Language>", length(min = 1, max = STORE_LANGUAGES_MAX))]
    pub languages: Option<Vec<Language>>,
    /// Whether shoppers find the documents until a run has replaced them.
    #[serde(default)]
    pub keep_serving: bool,
}

/// Response to a clear.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[expect(missing_docs, reason = "the fields are those of docs/feed.md")]
pub struct ClearReport {
    pub cleared: Vec<ClearedLanguage>,
}

/// What a clear removed from one language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[expect(missing_docs, reason = "the fields are those of docs/feed.md")]
pub struct ClearedLanguage {
    pub language: Language,
    /// Documents removed now, or by the purge of the next run.
    pub documents: u64,
}
