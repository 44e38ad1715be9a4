//! Values with a form of their own: the schema and the check of each stand in one place, that of its type.
//!
//! A request holds such a value as it was sent, with the schema of the type, so that one response can list every error.
//! Its check parses the value, and what is saved holds the type, so nothing checks it again (docs/adr/0036-a-form-is-a-type.md).

mod address;
mod label;
mod label_map;
mod pattern;
mod product_ids;
mod query;
#[cfg(test)]
mod tests;
mod time_zone;
mod url;

pub use address::Address;
pub use label::{BannerText, InstanceId, Label, StoreName};
pub use label_map::{LabelMap, by_language};
pub use product_ids::ProductIds;
pub use query::{LanguageCode, QueryText};
pub use time_zone::TimeZoneName;
pub use url::{OptionalUrl, Url};

pub(crate) use label::pattern as label_pattern;
pub(crate) use pattern::{CONTROL, SPACE, not_blank_pattern};
pub(crate) use query::check_query;

use crate::published_schema::PUBLISHED_KEY;
use schemars::{Schema, json_schema};
use serde_json::json;
use std::ops::RangeInclusive;

/// Defines a text that exists in its form only: its schema, and a check that returns why a text is not of the form.
macro_rules! text_form {
    ($(#[$doc:meta])* $name:ident, $schema:expr, $check:expr) => {
        $(#[$doc])*
        #[derive(
            Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
        )]
        #[serde(try_from = "String")]
        pub struct $name(String);

        impl $name {
            /// Parses a text.
            ///
            /// Errors: the reason, without the field.
            pub fn parse(text: impl Into<String>) -> Result<Self, $crate::Message> {
                let text = text.into();
                let check: fn(&str) -> Result<(), $crate::Message> = $check;
                check(&text).map(|()| Self(text))
            }

            /// Returns the text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl TryFrom<String> for $name {
            type Error = $crate::Message;

            fn try_from(text: String) -> Result<Self, $crate::Message> {
                Self::parse(text)
            }
        }

        impl From<$name> for String {
            fn from(form: $name) -> Self {
                form.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl schemars::JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                $schema
            }
        }
    };
}

pub(crate) use text_form;

/// Returns the schema of texts of this many characters.
///
/// The empty description keeps the place of the field's: type, description, bounds, pattern.
pub(crate) fn bounded(characters: RangeInclusive<usize>) -> Schema {
    let mut schema = json_schema!({"type": "string", "description": ""});
    if *characters.start() > 0 {
        schema.insert("minLength".to_owned(), json!(characters.start()));
    }
    schema.insert("maxLength".to_owned(), json!(characters.end()));
    schema
}

/// Adds a pattern that is published only, because the check of the type has better reasons.
pub(crate) fn with_pattern(mut schema: Schema, pattern: &str) -> Schema {
    schema.insert(PUBLISHED_KEY.to_owned(), json!({ "pattern": pattern }));
    schema
}
