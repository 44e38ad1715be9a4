//! What a connector asks for before it feeds: its limits, its plan, its indices, and the key of its pages.

use super::FeedScope;
use crate::document::DocType;
use crate::form::{InstanceId, Url};
use crate::id::StoreId;
use crate::invalid::{Invalid, taken};
use crate::language::Language;
use crate::limits::{LOCALE_CHARACTERS_MAX, NAME_CHARACTERS_MAX, STORE_LANGUAGES_MAX};
use crate::store::{PlanLimits, StoreStatus};
use crate::time::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

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
