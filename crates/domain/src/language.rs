//! Language codes of the shop: two to five characters.

use crate::message::{self, Message};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The pattern of language codes.
pub const LANGUAGE_PATTERN: &str = "^([A-Za-z]{2,3}|[A-Za-z]{2}[-_][A-Za-z]{2})$";

/// A language code such as `es` or `en-gb`, lower case.
///
/// Shape: two or three letters, then nothing or a dash and two letters.
/// Source: docs/feed.md.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(transparent)]
#[schemars(
    extend("pattern" = LANGUAGE_PATTERN),
    extend("x-expected" = message::expected::language().text)
)]
pub struct Language(String);

impl Language {
    /// Parses a code and converts it to lower case.
    ///
    /// Errors: the reason (without the field), if the text is no language code.
    pub fn parse(text: &str) -> Result<Self, Message> {
        let code = text.to_ascii_lowercase().replace('_', "-");
        let mut parts = code.split('-');
        let base = parts.next().unwrap_or_default();
        let region = parts.next();
        let are_letters = |s: &str, min: usize, max: usize| {
            (min..=max).contains(&s.len()) && s.bytes().all(|b| b.is_ascii_lowercase())
        };
        let valid = are_letters(base, 2, 3)
            && region.is_none_or(|r| are_letters(r, 2, 2))
            && parts.next().is_none()
            && code.len() <= 5;
        if valid {
            Ok(Self(code))
        } else {
            Err(message::value::must_be_got(
                message::expected::language(),
                format!("\"{text}\""),
            ))
        }
    }

    /// Returns the default language of synonyms and rules (docs/api.md).
    pub fn spanish() -> Self {
        Self("es".to_owned())
    }

    /// Returns the code as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the language without its region: `en` for `en-gb`.
    pub fn base(&self) -> &str {
        self.0.split('-').next().unwrap_or(&self.0)
    }
}

impl std::fmt::Display for Language {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Language {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).map_err(serde::de::Error::custom)
    }
}

/// The language of a web page, by the tag of its `lang` attribute.
///
/// Shape: a language tag such as `es`, `es-419` or `zh-Hant-TW`. Of it only what stores tell apart remains: the language,
/// and beside one of two letters a region of two letters.
/// Source: docs/widget-service.md.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema)]
#[schemars(
    transparent,
    extend("pattern" = PAGE_LANGUAGE_PATTERN),
    extend("x-expected" = message::expected::language_tag().text)
)]
pub struct PageLanguage(Language);

/// The pattern of language tags of pages.
const PAGE_LANGUAGE_PATTERN: &str = "^[A-Za-z]{2,3}([-_][A-Za-z0-9]{1,8}){0,4}$";

impl PageLanguage {
    /// Parses a tag.
    ///
    /// Errors: the reason (without the field), if the text is no language tag.
    pub fn parse(text: &str) -> Result<Self, Message> {
        let tag = text.to_ascii_lowercase().replace('_', "-");
        let mut parts = tag.split('-');
        let base = parts.next().unwrap_or_default();
        let rest: Vec<&str> = parts.collect();
        let is_part = |part: &&str| {
            (1..=8).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric())
        };
        let is_letters = |s: &str| s.bytes().all(|b| b.is_ascii_lowercase());
        let is_base = (2..=3).contains(&base.len()) && is_letters(base);
        if !is_base || rest.len() > 4 || !rest.iter().all(is_part) {
            return Err(message::value::must_be_got(
                message::expected::language_tag(),
                format!("\"{text}\""),
            ));
        }
        // What follows a single character is an extension.
        let mut own = rest.iter().take_while(|part| part.len() > 1);
        let region = own.find(|part| part.len() == 2 && is_letters(part));
        let code = match region {
            Some(region) if base.len() == 2 => format!("{base}-{region}"),
            _ => base.to_owned(),
        };
        Language::parse(&code).map(Self)
    }

    /// Returns the language as stores name it.
    pub fn language(&self) -> &Language {
        &self.0
    }
}

impl<'de> Deserialize<'de> for PageLanguage {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::{Language, PageLanguage};

    #[test]
    fn tags_of_pages_are_reduced_to_what_stores_tell_apart() {
        for (tag, language) in [
            ("es", "es"),
            ("es-419", "es"),
            ("en_GB", "en-gb"),
            ("zh-Hant-TW", "zh-tw"),
            ("zh-Hans", "zh"),
            ("fil-PH", "fil"),
            ("de-DE-u-co-phonebk", "de-de"),
            ("en-x-us", "en"),
        ] {
            let parsed = PageLanguage::parse(tag);
            let parsed = parsed.unwrap_or_else(|error| panic!("{tag}: {error}"));
            assert_eq!(parsed.language().as_str(), language, "{tag}");
        }
        for bad in [
            "",
            "e",
            "x-klingon",
            "en-",
            "en--us",
            "en gb",
            "es-españa",
            "abcd",
        ] {
            assert!(PageLanguage::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn codes_of_two_to_five_characters_are_accepted() {
        for good in ["es", "en-gb", "EN", "ast", "pt_BR"] {
            assert!(Language::parse(good).is_ok(), "{good}");
        }
        for bad in [
            "", "e", "en-", "en-gbr", "12", "español", "e1", "en gb", "fil-ph",
        ] {
            assert!(Language::parse(bad).is_err(), "{bad}");
        }
        assert_eq!(
            Language::parse("en-GB").map(|l| l.base().to_owned()),
            Ok("en".to_owned())
        );
    }
}
