//! Runs: opened, touched, closed or aborted, and how each scope of them ended.

use super::FeedScope;
use crate::audit::Actor;
use crate::document::DocType;
use crate::id::RunId;
use crate::language::Language;
use crate::limits::{
    DOCUMENT_HASH_CHARACTERS_MAX, DOCUMENT_ID_CHARACTERS_MAX, RUN_ID_CHARACTERS_MAX,
    STORE_LANGUAGES_MAX, TOUCH_ITEMS_MAX,
};
use crate::time::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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

/// What opened a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RunOrigin {
    /// A connector.
    Connector,
    /// A file of the control panel.
    Import,
    /// A file that was fetched.
    Source,
    /// The command line.
    Command,
}

impl RunOrigin {
    /// All origins.
    pub const ALL: [Self; 4] = [Self::Connector, Self::Import, Self::Source, Self::Command];

    /// Returns the origin as text.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Connector => "connector",
            Self::Import => "import",
            Self::Source => "source",
            Self::Command => "command",
        }
    }

    /// Returns the origin of this name, the inverse of [`Self::as_str`].
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.as_str() == text)
    }
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
    /// Names of fields of the documents of the run that the service does not know, the most frequent first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unknown_fields: Vec<String>,
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
    pub origin: RunOrigin,
    /// Who opened it; left out for runs of earlier versions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<Actor>,
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
