//! Language codes of the shop: two to five characters.

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
    extend("x-expected" = "a language code of 2 to 5 characters such as \"es\" or \"en-gb\"")
)]
pub struct Language(String);

impl Language {
    /// Parses a code and converts it to lower case.
    ///
    /// Errors: the reason (without the field), if the text is no language code.
    pub fn parse(text: &str) -> Result<Self, String> {
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
            Err(format!(
                "must be a language code of 2 to 5 characters such as \"es\" or \"en-gb\", got \"{text}\""
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

#[cfg(test)]
mod tests {
    use super::Language;

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
