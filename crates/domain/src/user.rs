//! Users of the control panel: their e-mail addresses and languages, and what limits them.

use crate::form::Label;
use crate::limits::{EMAIL_CHARACTERS_MAX, PASSWORD_CHARACTERS_MAX, PASSWORD_CHARACTERS_MIN};
use crate::message::{self, Message};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An e-mail address, trimmed and in lower case, as users are compared.
#[derive(
    Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct Email(String);

impl Email {
    /// Parses an address: a part before and one after a single `@`, without blanks and control characters.
    ///
    /// Errors: the reason why it is invalid.
    pub fn parse(text: &str) -> Result<Self, Message> {
        let text = text.trim().to_lowercase();
        if text.chars().count() > EMAIL_CHARACTERS_MAX {
            return Err(message::text::up_to(EMAIL_CHARACTERS_MAX));
        }
        let sound = text.split_once('@').is_some_and(|(name, host)| {
            !name.is_empty() && !host.is_empty() && !host.contains('@')
        });
        if !sound || text.chars().any(|c| c.is_whitespace() || c.is_control()) {
            return Err(message::text::email());
        }
        Ok(Self(text))
    }

    /// Returns the address that storage holds, which was parsed before it was stored.
    pub fn of_storage(text: String) -> Self {
        Self(text)
    }

    /// Returns the address as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the part before the `@`.
    pub fn local_part(&self) -> &str {
        self.0.split('@').next().unwrap_or_default()
    }
}

impl std::fmt::Display for Email {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Language of the control panel for a user.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PanelLanguage {
    /// English.
    #[default]
    En,
    /// Spanish.
    Es,
}

impl PanelLanguage {
    /// All languages, the default one first.
    pub const ALL: [Self; 2] = [Self::En, Self::Es];

    /// Returns the code used by the panel and in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Es => "es",
        }
    }

    /// Returns the language with this code, the inverse of [`Self::as_str`].
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|language| language.as_str() == text)
    }
}

/// Checks the length of a password; how easily it is guessed is another matter.
///
/// Errors: the reason why it is invalid.
pub fn check_password_length(password: &str) -> Result<(), Message> {
    let characters = password.chars().count();
    if (PASSWORD_CHARACTERS_MIN..=PASSWORD_CHARACTERS_MAX).contains(&characters) {
        return Ok(());
    }
    Err(message::text::password_between(
        PASSWORD_CHARACTERS_MIN,
        PASSWORD_CHARACTERS_MAX,
        characters,
    ))
}

/// Checks the name of a user.
///
/// Errors: the reason why it is invalid.
pub fn check_user_name(name: &str) -> Result<(), Message> {
    Label::parse(name).map(drop)
}

#[cfg(test)]
mod tests {
    //! 1. Addresses are compared trimmed and in lower case; anything without two parts around one `@` is rejected.
    //! 2. Passwords have 12 to 128 characters.

    use super::*;

    #[test]
    fn addresses_are_trimmed_and_in_lower_case() {
        let email = Email::parse("  Ana.Ruiz@Shop.Example ").expect("an address");
        assert_eq!(email.as_str(), "ana.ruiz@shop.example");
        assert_eq!(email.local_part(), "ana.ruiz");
        for bad in [
            "",
            "ana",
            "@shop.example",
            "ana@",
            "a@b@c",
            "a b@c",
            "a@\u{0}b",
        ] {
            assert!(Email::parse(bad).is_err(), "{bad:?}");
        }
        assert!(Email::parse(&format!("{}@b.c", "a".repeat(250))).is_ok());
        assert!(Email::parse(&format!("{}@b.c", "a".repeat(251))).is_err());
    }

    #[test]
    fn passwords_have_12_to_128_characters() {
        assert!(check_password_length(&"ñ".repeat(11)).is_err());
        assert!(check_password_length(&"ñ".repeat(12)).is_ok());
        assert!(check_password_length(&"ñ".repeat(128)).is_ok());
        assert!(check_password_length(&"ñ".repeat(129)).is_err());
    }
}
