//! The state of a source, and the history of its fetches.

use super::settings::{SourceAuth, SourceSettings};
use crate::document::DocType;
use crate::id::SourceId;
use crate::language::Language;
use crate::limits::SOURCE_FETCHES_KEPT;
use crate::message::Translatable;
use crate::time::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Code of a source while sources are switched off on the server.
pub const SOURCES_OFF: &str = "disabled";

/// What a source is doing.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum SourceStatus {
    /// It was not fetched yet.
    #[default]
    New,
    /// It is being fetched.
    Fetching,
    /// The last fetch succeeded.
    Ok,
    /// The last fetch would remove so much that the owner has to release it.
    Held,
    /// The last fetch failed.
    Failing,
    /// It is not fetched.
    Inactive,
}

impl SourceStatus {
    /// All states.
    pub const ALL: [Self; 6] = [
        Self::New,
        Self::Fetching,
        Self::Ok,
        Self::Held,
        Self::Failing,
        Self::Inactive,
    ];

    /// Returns the state as text.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Fetching => "fetching",
            Self::Ok => "ok",
            Self::Held => "held",
            Self::Failing => "failing",
            Self::Inactive => "inactive",
        }
    }
}

/// What started a fetch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum FetchTrigger {
    /// The interval.
    #[default]
    Schedule,
    /// A person.
    Manual,
    /// A new source, or another address or mapping.
    Change,
}

/// How a fetch ended.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum FetchOutcome {
    /// Its documents are stored.
    Updated,
    /// The file is the same as before.
    Unchanged,
    /// Its documents are stored, and nothing is removed until the owner releases it.
    Held,
    /// Nothing was removed, and for most codes nothing stored.
    Failed,
}

impl FetchOutcome {
    /// All outcomes.
    pub const ALL: [Self; 4] = [Self::Updated, Self::Unchanged, Self::Held, Self::Failed];

    /// Returns the outcome as text.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Updated => "updated",
            Self::Unchanged => "unchanged",
            Self::Held => "held",
            Self::Failed => "failed",
        }
    }
}

/// One fetch of a source.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SourceFetch {
    /// When it began.
    pub at: Timestamp,
    /// What started it.
    pub trigger: FetchTrigger,
    /// How it ended.
    pub outcome: FetchOutcome,
    /// Code of a failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// Its reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Key and values of the reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub translatable: Option<Translatable>,
    /// Status of the last response.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub http_status: Option<u16>,
    /// Redirects that were followed.
    pub redirects: u32,
    /// Bytes of the body as received.
    pub bytes: u64,
    /// Milliseconds that it took.
    pub took_ms: u64,
    /// Result of the import, as that of a file, with at most 100 rejected rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Value>,
}

/// What is kept of a source beside its settings.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SourceState {
    /// How the last fetch ended: `New`, `Ok`, `Held` or `Failing`.
    pub status: SourceStatus,
    /// Code of the last failure, if the last fetch failed.
    pub code: Option<String>,
    /// Its reason.
    pub message: Option<String>,
    /// Key and values of the reason.
    pub translatable: Option<Translatable>,
    /// When the last fetch began.
    pub last_fetch_at: Option<Timestamp>,
    /// When the last success began.
    pub last_success_at: Option<Timestamp>,
    /// First failure after the last success.
    pub failing_since: Option<Timestamp>,
    /// Failures since then.
    pub failures: u32,
    /// Documents of the scope after the last success.
    pub documents: Option<u64>,
    /// `ETag` of the last success.
    pub etag: Option<String>,
    /// `Last-Modified` of the last success.
    pub last_modified: Option<String>,
    /// SHA-256 of the file of the last success.
    pub sha256: Option<String>,
    /// Address, mapping and version of the reader of the last success.
    pub read_as: Option<String>,
    /// When the next sale of the file begins or ends.
    pub next_sale_change: Option<Timestamp>,
    /// Run whose purge is held back.
    pub held_run: Option<String>,
    /// When somebody last asked for a fetch.
    pub requested_at: Option<Timestamp>,
    /// What starts the next fetch.
    pub next_trigger: FetchTrigger,
    /// Whether the secret was dropped or cannot be read.
    pub secret_missing: bool,
}

/// Authentication as it is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SourceAuthView {
    /// How requests are authenticated.
    #[serde(flatten)]
    pub auth: SourceAuth,
    /// Whether the secret has to be sent again; left out if not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub secret_missing: bool,
}

/// A source as users see it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the fields are those of docs/import.md")]
pub struct SourceView {
    pub id: SourceId,
    pub name: String,
    /// Viewers see `?…` in place of its query.
    pub url: String,
    #[serde(rename = "type")]
    pub doc_type: DocType,
    pub language: Language,
    pub mode: super::SourceMode,
    pub interval_minutes: u32,
    pub active: bool,
    pub mapping: Value,
    pub auth: SourceAuthView,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub state: SourceStatus,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub translatable: Option<Translatable>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_fetch_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_success_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failing_since: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_fetch_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub documents: Option<u64>,
}

/// A source as keys see it: without its address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the fields are those of docs/import.md")]
pub struct SourceSummary {
    pub id: SourceId,
    pub name: String,
    #[serde(rename = "type")]
    pub doc_type: DocType,
    pub language: Language,
    pub state: SourceStatus,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_success_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failing_since: Option<Timestamp>,
}

/// Number of fetches that are kept of a source.
pub const FETCHES_KEPT: u32 = SOURCE_FETCHES_KEPT;

impl SourceSettings {
    /// Returns the settings as the audit trail keeps them: without the query of the address.
    pub fn audited(&self) -> Value {
        let shown = Self {
            url: super::without_query(&self.url),
            ..self.clone()
        };
        serde_json::to_value(shown).unwrap_or_default()
    }
}
