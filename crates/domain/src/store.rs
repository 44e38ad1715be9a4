//! A store, its summary, and the update that a key may make.

use crate::id::StoreId;
use crate::invalid::Invalid;
use crate::language::Language;
use crate::limits::{PLATFORM_CHARACTERS_MAX, STORE_NAME_CHARACTERS_MAX, URL_CHARACTERS_MAX};
use crate::published_schema;
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
    #[schemars(with = "String", length(min = 1, max = STORE_NAME_CHARACTERS_MAX), extend("x-published" = published_schema::name()))]
    pub name: Option<String>,
    /// New URL of the development environment; empty text clears it.
    #[serde(default)]
    #[schemars(with = "String", length(max = URL_CHARACTERS_MAX), extend("x-published" = published_schema::url_or_nothing()))]
    pub dev_url: Option<String>,
}

impl StorePatch {
    /// Checks what the schema cannot express.
    ///
    /// Errors: every invalid value, by its path.
    pub fn check(&self) -> Result<(), Vec<Invalid>> {
        let mut errors = Vec::new();
        if let Some(name) = &self.name
            && let Err(reason) = check_name(name, STORE_NAME_CHARACTERS_MAX)
        {
            errors.push(Invalid::new("name", reason));
        }
        if let Some(url) = &self.dev_url
            && !url.is_empty()
            && let Err(reason) = check_url(url)
        {
            errors.push(Invalid::new("devUrl", reason));
        }
        if errors.is_empty() {
            Ok(())
        } else {
            Err(errors)
        }
    }
}

/// Checks that `name` has 1 to `max` characters, is not blank and has no control characters.
pub fn check_name(name: &str, max: usize) -> Result<(), String> {
    let characters = name.chars().count();
    if name.trim().is_empty() {
        Err("must not be empty".to_owned())
    } else if characters > max {
        Err(format!(
            "must have at most {max} characters, got {characters}"
        ))
    } else if name.chars().any(char::is_control) {
        Err("must not contain control characters".to_owned())
    } else {
        Ok(())
    }
}

/// Returns whether `text` is the name of a platform: 1 to 32 lower-case letters, digits and `-`.
pub fn is_platform(text: &str) -> bool {
    let is_allowed = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
    (1..=PLATFORM_CHARACTERS_MAX).contains(&text.len()) && text.bytes().all(is_allowed)
}

/// Checks that `url` is an absolute http or https URL.
pub fn check_url(url: &str) -> Result<(), String> {
    let rest = url
        .get(..7)
        .filter(|head| head.eq_ignore_ascii_case("http://"))
        .map(|_| &url[7..])
        .or_else(|| {
            url.get(..8)
                .filter(|h| h.eq_ignore_ascii_case("https://"))
                .map(|_| &url[8..])
        });
    let Some(rest) = rest else {
        return Err("must be an absolute http or https address".to_owned());
    };
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if host.is_empty() || host.starts_with(':') || host.ends_with('@') {
        Err("must name a host".to_owned())
    } else if url
        .chars()
        .any(|c| c.is_control() || c.is_whitespace() || c == '\\')
    {
        Err("must not contain white space, backslashes or control characters".to_owned())
    } else if url.chars().count() > URL_CHARACTERS_MAX {
        Err(format!("must have at most {URL_CHARACTERS_MAX} characters"))
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_absolute_web_addresses_are_urls() {
        for good in [
            "http://a",
            "https://shop.example/x?y#z",
            "HTTPS://shop.example:8080/",
        ] {
            assert!(check_url(good).is_ok(), "{good}");
        }
        for bad in [
            "",
            "shop.example",
            "/x",
            "javascript:alert(1)",
            "http://",
            "https:///x",
            "ftp://a",
            "http://a b",
            "http://é\\",
        ] {
            assert!(check_url(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn names_have_1_to_255_characters() {
        assert!(check_name(&"ñ".repeat(255), 255).is_ok());
        assert!(check_name(&"ñ".repeat(256), 255).is_err());
        assert!(check_name(" ", 255).is_err());
    }
}
