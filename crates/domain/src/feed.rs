//! Requests and responses of the feed (docs/feed.md).

use crate::document::{DocType, Rejection};
use crate::form::{InstanceId, Url};
use crate::id::{RunId, StoreId};
use crate::invalid::{Invalid, taken};
use crate::language::Language;
use crate::limits::{
    BLOCK_DOCUMENTS_MAX, DOCUMENT_HASH_CHARACTERS_MAX, DOCUMENT_ID_CHARACTERS_MAX,
    LOCALE_CHARACTERS_MAX, NAME_CHARACTERS_MAX, RUN_ID_CHARACTERS_MAX, STORE_LANGUAGES_MAX,
    TOUCH_ITEMS_MAX,
};
use crate::sent::SentDocuments;
use crate::store::{PlanLimits, StoreStatus};
use crate::time::Timestamp;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

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

/// Response to `GET /feed/connect`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the fields are those of docs/feed.md")]
pub struct Connected {
    pub store_id: StoreId,
    pub name: String,
    pub platform: String,
    pub status: StoreStatus,
    pub api_version: &'static str,
    pub capabilities: Vec<&'static str>,
    pub limits: FeedLimits,
    pub server_time: Timestamp,
}

/// Limits that `GET /feed/connect` returns.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the fields are those of docs/feed.md")]
pub struct FeedLimits {
    pub bulk_documents: usize,
    pub bulk_bytes: usize,
    pub touch_ids: usize,
}

/// Response to `GET /feed/plan`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[expect(missing_docs, reason = "the fields are those of docs/feed.md")]
pub struct PlanReport {
    #[serde(flatten)]
    pub plan: PlanLimits,
    pub usage: PlanUsage,
}

/// How much of a plan is used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlanUsage {
    /// Documents by type, of the language with the most.
    pub documents: BTreeMap<&'static str, u64>,
    /// Price tiers, including the base price.
    pub price_tiers: u32,
    /// Currencies, including the base currency.
    pub currencies: u32,
    /// Countries, without the base country.
    pub price_countries: u32,
    /// Languages that have an index.
    pub languages: usize,
}

/// Request of `POST /feed/indices`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewIndices {
    /// Types that get an index.
    #[schemars(length(min = 1, max = DocType::ALL.len()))]
    pub types: Vec<DocType>,
    /// Languages in order of preference, the default one first.
    #[schemars(length(min = 1, max = STORE_LANGUAGES_MAX))]
    pub languages: Vec<FeedLanguage>,
}

/// A language of the shop.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FeedLanguage {
    /// Its code, two to five characters.
    #[schemars(with = "Language")]
    pub code: String,
    /// Its locale, such as `es-ES`.
    #[serde(default)]
    #[schemars(with = "String", length(max = LOCALE_CHARACTERS_MAX))]
    pub locale: Option<String>,
    /// Its name.
    #[serde(default)]
    #[schemars(with = "String", length(max = NAME_CHARACTERS_MAX))]
    pub name: Option<String>,
    /// Whether it is the shop's default language.
    #[serde(default)]
    pub default: bool,
}

/// Response to `POST /feed/indices`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[expect(missing_docs, reason = "the fields are those of docs/feed.md")]
pub struct IndicesReport {
    pub indices: Vec<IndexOutcome>,
    pub languages: LanguagesOutcome,
}

/// The outcome for one index.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[expect(missing_docs, reason = "the fields are those of docs/feed.md")]
pub struct IndexOutcome {
    #[serde(flatten)]
    pub scope: FeedScope,
    /// `created` or `exists`.
    pub status: &'static str,
}

/// Which languages have an index.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
#[expect(missing_docs, reason = "the fields are those of docs/feed.md")]
pub struct LanguagesOutcome {
    pub indexed: Vec<Language>,
    pub skipped: Vec<SkippedLanguage>,
}

/// A language without an index.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[expect(missing_docs, reason = "the fields are those of docs/feed.md")]
pub struct SkippedLanguage {
    pub code: Language,
    pub reason: &'static str,
}

/// Request of `POST /feed/public-key`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PublicKeyRequest {
    /// Id of the installation.
    #[schemars(with = "InstanceId")]
    pub instance_id: String,
    /// Address of the shop.
    #[serde(default)]
    #[schemars(with = "Url")]
    pub origin: Option<String>,
    /// Whether to create a new key and a new secret.
    #[serde(default)]
    pub rotate: bool,
}

/// A checked [`PublicKeyRequest`].
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the fields are those of the request")]
pub struct KeyOfInstance {
    pub instance_id: InstanceId,
    pub origin: Option<Url>,
    pub rotate: bool,
}

impl PublicKeyRequest {
    /// Checks the request.
    ///
    /// Errors: every invalid value, by its path.
    pub fn check(self) -> Result<KeyOfInstance, Vec<Invalid>> {
        let mut errors = Vec::new();
        let instance_id = Some(InstanceId::parse(self.instance_id));
        let instance_id = taken("instanceId", instance_id, &mut errors);
        let origin = taken("origin", self.origin.map(Url::parse), &mut errors);
        match instance_id {
            Some(instance_id) if errors.is_empty() => Ok(KeyOfInstance {
                instance_id,
                origin,
                rotate: self.rotate,
            }),
            _ => Err(errors),
        }
    }
}

/// Response to `POST /feed/public-key`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the fields are those of docs/feed.md")]
pub struct PublicKeyIssued {
    pub instance_id: String,
    pub public_key: String,
    pub context_secret: String,
    pub created: bool,
    /// Last four characters of the key that this one replaces; null if none.
    pub rotated_from: Option<String>,
    /// Until when the former key works; null if there is none.
    pub grace_until: Option<Timestamp>,
}

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

/// Whether a run sends all documents or only changed ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RunMode {
    /// Unchanged documents are touched.
    Incremental,
    /// All documents are sent.
    Full,
    /// All documents are sent after a clear.
    Fresh,
}

/// Request of `POST /feed/runs`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewRun {
    /// The connector's own id of the run, with which it can resume it.
    #[schemars(length(min = 1, max = RUN_ID_CHARACTERS_MAX))]
    pub client_run_id: String,
    /// What the run sends.
    pub mode: RunMode,
    /// Types that the run covers.
    #[schemars(length(min = 1, max = DocType::ALL.len()))]
    pub types: Vec<DocType>,
    /// Languages that the run covers.
    #[schemars(length(min = 1, max = STORE_LANGUAGES_MAX))]
    pub languages: Vec<Language>,
}

/// Response to `POST /feed/runs`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the fields are those of docs/feed.md")]
pub struct RunOpened {
    pub run_id: RunId,
    pub opened_at: Timestamp,
    pub expires_at: Timestamp,
    pub scopes: Vec<FeedScope>,
    pub resumed: bool,
}

/// A request without content, such as an abort.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

/// Request of `POST /feed/touch`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Touch {
    /// The run that the touch belongs to.
    #[schemars(length(min = 1, max = RUN_ID_CHARACTERS_MAX))]
    pub run_id: RunId,
    /// Type of the documents.
    #[serde(rename = "type")]
    pub doc_type: DocType,
    /// Their language.
    #[schemars(with = "Language")]
    pub language: String,
    /// 1 to 2,000 items.
    #[schemars(extend("x-published" = {"minItems": 1, "maxItems": TOUCH_ITEMS_MAX}))]
    pub items: Vec<TouchItem>,
}

/// One document that did not change.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TouchItem {
    /// Its id.
    #[schemars(length(min = 1, max = DOCUMENT_ID_CHARACTERS_MAX))]
    pub id: String,
    /// The hash that the shop has stored.
    #[schemars(length(max = DOCUMENT_HASH_CHARACTERS_MAX))]
    pub hash: String,
}

/// Response to a touch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[expect(missing_docs, reason = "the fields are those of docs/feed.md")]
pub struct TouchReport {
    pub touched: u64,
    pub missing: Vec<String>,
    pub changed: Vec<String>,
}

/// Request of `POST /feed/runs/{runId}/close`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RunClose {
    /// The scopes that are complete.
    #[schemars(length(max = DocType::ALL.len() * STORE_LANGUAGES_MAX))]
    pub scopes: Vec<ScopeClose>,
    /// Confirms a purge that the breaker would hold back.
    #[serde(default)]
    pub confirm_purge: bool,
}

/// The connector's counts for one scope.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ScopeClose {
    /// Type.
    #[serde(rename = "type")]
    pub doc_type: DocType,
    /// Language.
    pub language: Language,
    /// Documents sent.
    pub sent: u64,
    /// Documents touched.
    pub touched: u64,
    /// Documents that could not be built.
    #[serde(default)]
    pub dropped: u64,
    /// Whether to purge although nothing was sent or touched.
    #[serde(default)]
    pub allow_empty: bool,
}

/// Response to a close, which is stored and returned to a second close.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[expect(missing_docs, reason = "the fields are those of docs/feed.md")]
pub struct RunClosed {
    pub scopes: Vec<ScopeClosed>,
}

/// The outcome of a close for one scope.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the fields are those of docs/feed.md")]
pub struct ScopeClosed {
    #[serde(rename = "type")]
    pub doc_type: DocType,
    pub language: Language,
    pub status: ScopeStatus,
    pub seen: u64,
    pub purged: u64,
    pub documents: u64,
    /// Documents that a purge which is held back would delete.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub would_purge: Option<u64>,
}

/// How a scope ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ScopeStatus {
    /// Documents that the run neither sent nor touched are deleted.
    Purged,
    /// The counts differ; nothing was purged.
    Mismatch,
    /// The close did not name it; nothing was purged.
    Skipped,
    /// Nothing was seen while the index has documents; nothing was purged.
    Empty,
    /// Too many documents would be deleted; nothing is purged until the owner confirms it.
    Held,
}

/// Response to `GET /feed/runs/{runId}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the fields are those of the run")]
pub struct RunView {
    pub run_id: RunId,
    pub client_run_id: String,
    pub mode: RunMode,
    /// `open`, `held` while a purge is held back, `closed`, `aborted` or `expired`.
    pub state: &'static str,
    pub opened_at: Timestamp,
    /// When it expires, while it is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    /// When it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<Timestamp>,
    pub scopes: Vec<RunScopeView>,
}

/// One scope of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the fields are those of the run")]
pub struct RunScopeView {
    #[serde(flatten)]
    pub scope: FeedScope,
    /// Distinct documents that the run sent or touched.
    pub seen: u64,
    /// Current documents of the index.
    pub documents: u64,
    /// The outcome of the close.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<ScopeStatus>,
    /// Documents that the close removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub purged: Option<u64>,
    /// Documents that a purge which is held back would delete.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub would_purge: Option<u64>,
}

impl RunClosed {
    /// Returns the outcome for `scope`; `None` if the close did not know it.
    pub fn of(&self, scope: &FeedScope) -> Option<&ScopeClosed> {
        self.scopes
            .iter()
            .find(|closed| closed.doc_type == scope.doc_type && closed.language == scope.language)
    }

    /// Returns whether the purge of any scope is held back.
    pub fn holds(&self) -> bool {
        self.scopes
            .iter()
            .any(|scope| scope.status == ScopeStatus::Held)
    }
}
