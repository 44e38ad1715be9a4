//! A store, its summary, and the change that a key may make to it.

use crate::id::StoreId;
use crate::invalid::Invalid;
use crate::language::Language;
use crate::limits::{STORE_NAME_LETTERS_MAX, URL_CHARACTERS_MAX};
use crate::published_schema;
use crate::time::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Whether a store answers (contract section 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum StoreStatus {
    /// Everything works.
    Active,
    /// Search and configuration answer, the feed's writes are refused.
    Paused,
    /// Search and feed are refused.
    Suspended,
}

impl StoreStatus {
    /// The word of the interface and of storage.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Paused => "paused",
            Self::Suspended => "suspended",
        }
    }

    /// The status that [`Self::as_str`] names.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Active, Self::Paused, Self::Suspended]
            .into_iter()
            .find(|s| s.as_str() == text)
    }
}

/// What a plan limits; what is absent has no limit known (feed.md, "GET /feed/plan").
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[schemars(rename = "Plan")]
pub struct PlanLimits {
    /// Name of the plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<String>,
    /// Price tiers, the base price counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_price_tiers: Option<u32>,
    /// Currencies, the base one counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_currencies: Option<u32>,
    /// Languages that get an index.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_languages: Option<u32>,
    /// Countries with own prices.
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
    /// Address of the shop; empty when unknown.
    pub url: String,
    /// Address of the development environment; empty when there is none.
    pub dev_url: String,
    /// Whether it answers.
    pub status: StoreStatus,
    /// Its platform, such as `prestashop`.
    pub platform: String,
    /// Its languages, the default one first.
    pub languages: Vec<Language>,
    /// What its plan limits.
    pub plan: PlanLimits,
    /// Whether a close that would delete very much waits for the owner.
    pub purge_breaker: bool,
    /// Number of the latest revision of its configuration.
    pub config_revision: i64,
    /// When it was made.
    pub created_at: Timestamp,
}

impl Store {
    /// The language that counts when a request names none; stores have at least one.
    pub fn default_language(&self) -> &Language {
        &self.languages[0]
    }

    /// The summary of contract section 3.
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

/// The change that a key may make to a store.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StorePatch {
    /// New name, 1 to 255 letters.
    #[serde(default)]
    #[schemars(with = "String", length(min = 1, max = 255), extend("x-published" = published_schema::name()))]
    pub name: Option<String>,
    /// New address of the development environment; empty text clears it.
    #[serde(default)]
    #[schemars(with = "String", length(max = 2048), extend("x-published" = published_schema::url_or_nothing()))]
    pub dev_url: Option<String>,
}

impl StorePatch {
    /// Checks what a schema cannot say.
    ///
    /// Errors: everything that is wrong, by its path.
    pub fn check(&self) -> Result<(), Vec<Invalid>> {
        let mut errors = Vec::new();
        if let Some(name) = &self.name
            && let Err(reason) = check_name(name, STORE_NAME_LETTERS_MAX)
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

/// Is `name` a name of 1 to `max` letters?
pub fn check_name(name: &str, max: usize) -> Result<(), String> {
    let characters = name.chars().count();
    if name.trim().is_empty() {
        Err("must not be empty".to_owned())
    } else if characters > max {
        Err(format!("must have at most {max} letters, got {characters}"))
    } else if name.chars().any(char::is_control) {
        Err("must not hold control characters".to_owned())
    } else {
        Ok(())
    }
}

/// Is `url` an absolute http or https address?
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
        Err("must not hold blanks, backslashes or control characters".to_owned())
    } else if url.chars().count() > URL_CHARACTERS_MAX {
        Err(format!("must have at most {URL_CHARACTERS_MAX} letters"))
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
    fn names_have_1_to_255_letters() {
        assert!(check_name(&"ñ".repeat(255), 255).is_ok());
        assert!(check_name(&"ñ".repeat(256), 255).is_err());
        assert!(check_name(" ", 255).is_err());
    }
}
