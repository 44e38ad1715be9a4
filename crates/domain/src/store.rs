//! A store, its summary, and the update that a key may make.

use crate::form::{OptionalUrl, StoreName};
use crate::id::StoreId;
use crate::impact_gate::ImpactGate;
use crate::invalid::{Invalid, taken};
use crate::language::Language;
use crate::limits::PLATFORM_CHARACTERS_MAX;
use crate::time::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Whether a store is served (docs/api.md, "Account and stores").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum StoreStatus {
    /// Everything works.
    Active,
    /// Search and configuration work, writes of the feed fail.
    Paused,
    /// Search and feed fail.
    Suspended,
}

impl StoreStatus {
    /// Returns the name used by the API and in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Paused => "paused",
            Self::Suspended => "suspended",
        }
    }

    /// Returns the status with this name, the inverse of [`Self::as_str`].
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Active, Self::Paused, Self::Suspended]
            .into_iter()
            .find(|s| s.as_str() == text)
    }
}

/// The limits of a plan; what is left out is not limited (docs/feed.md, "GET /feed/plan").
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[schemars(rename = "Plan")]
pub struct PlanLimits {
    /// Name of the plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<String>,
    /// Price tiers, including the base price.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_price_tiers: Option<u32>,
    /// Currencies, including the base currency.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_currencies: Option<u32>,
    /// Languages with an index.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_languages: Option<u32>,
    /// Countries with their own prices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_price_countries: Option<u32>,
    /// Documents by type, per language.
    #[serde(skip_serializing_if = "std::collections::BTreeMap::is_empty")]
    pub max_documents: std::collections::BTreeMap<String, u64>,
    /// Informative only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub simultaneous_searches: Option<u32>,
}

/// One store.
#[derive(Clone, Debug, PartialEq)]
pub struct Store {
    /// Its id.
    pub id: StoreId,
    /// Its name.
    pub name: String,
    /// URL of the shop; empty until its module has reported it or the operator has set it.
    pub url: String,
    /// URL of the development environment; empty if there is none.
    pub dev_url: String,
    /// Whether it is served.
    pub status: StoreStatus,
    /// Its platform, such as `prestashop`; empty until its module has reported it or the operator has set it.
    pub platform: String,
    /// Its languages, the default one first.
    pub languages: Vec<Language>,
    /// The limits of its plan.
    pub plan: PlanLimits,
    /// Whether a purge of too many documents waits for the owner's confirmation.
    pub purge_breaker: bool,
    /// How much of what is watched a ranking write may move; `None` without a gate.
    pub impact_gate: Option<ImpactGate>,
    /// Number of the latest revision of its configuration.
    pub config_revision: i64,
    /// When it was created.
    pub created_at: Timestamp,
}

impl Store {
    /// Returns the language of requests that name none; stores have at least one.
    pub fn default_language(&self) -> &Language {
        &self.languages[0]
    }

    /// Returns the summary of docs/api.md, "Account and stores".
    pub fn summary(&self) -> StoreSummary {
        StoreSummary {
            id: self.id.clone(),
            name: self.name.clone(),
            url: self.url.clone(),
            status: self.status,
            languages: self.languages.clone(),
            default_language: self.default_language().clone(),
        }
    }
}

/// A store in a list.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the fields are those of the store")]
pub struct StoreSummary {
    pub id: StoreId,
    pub name: String,
    pub url: String,
    pub status: StoreStatus,
    pub languages: Vec<Language>,
    pub default_language: Language,
}

/// The update that a key may make to a store.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StorePatch {
    /// New name, 1 to 255 characters.
    #[serde(default)]
    #[schemars(with = "StoreName")]
    pub name: Option<String>,
    /// New URL of the development environment; empty text clears it.
    #[serde(default)]
    #[schemars(with = "OptionalUrl")]
    pub dev_url: Option<String>,
}

/// A checked [`StorePatch`].
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "the fields are those of the request")]
pub struct StoreChange {
    pub name: Option<StoreName>,
    pub dev_url: Option<OptionalUrl>,
}

impl StorePatch {
    /// Checks the patch.
    ///
    /// Errors: every invalid value, by its path.
    pub fn check(self) -> Result<StoreChange, Vec<Invalid>> {
        let mut errors = Vec::new();
        let change = StoreChange {
            name: taken("name", self.name.map(StoreName::parse), &mut errors),
            dev_url: taken("devUrl", self.dev_url.map(OptionalUrl::parse), &mut errors),
        };
        if errors.is_empty() {
            Ok(change)
        } else {
            Err(errors)
        }
    }
}

/// Returns whether `text` is the name of a platform: 1 to 32 lower-case letters, digits and `-`.
pub fn is_platform(text: &str) -> bool {
    let is_allowed = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
    (1..=PLATFORM_CHARACTERS_MAX).contains(&text.len()) && text.bytes().all(is_allowed)
}
