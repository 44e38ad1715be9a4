//! `Message`: a text for people as a key with values, its English text, and the table of those of this crate.
//!
//! A crate writes its texts in one table ([`messages!`](crate::messages)), which makes a function of each row. So a key
//! that does not exist does not compile, nor does a text with a placeholder that is not a value.

mod forms;
mod table;
mod values;

pub use forms::form;
pub use table::*;
pub use values::{MessageValue, joined, list, quoted};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::fmt;

/// Key and values of a text for people, with which a client can show it in another language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Translatable {
    /// Stable key of the text, such as `number.between`.
    pub key: Cow<'static, str>,
    /// What the text names: numbers, texts, lists of these, and parts that have a key and values of their own.
    pub values: Map<String, Value>,
}

/// A text for people: a key with values, and the English text that they give.
///
/// Shape: as the table row of the key. Only the functions of a table create one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// English text.
    pub text: String,
    /// Key and values; boxed, so that errors stay small.
    pub translatable: Box<Translatable>,
}

impl Message {
    /// Creates the message of a table row.
    pub fn of_row(
        key: &'static str,
        text: String,
        values: impl IntoIterator<Item = (&'static str, MessageValue)>,
    ) -> Self {
        let values = values
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value.into_json()));
        let translatable = Translatable {
            key: Cow::Borrowed(key),
            values: values.collect(),
        };
        Self {
            text,
            translatable: Box::new(translatable),
        }
    }
}

impl Message {
    /// Returns the message with `to` in place of `from`, in the text and in the values.
    #[must_use]
    pub fn replacing(mut self, from: &str, to: &str) -> Self {
        self.text = self.text.replace(from, to);
        for value in self.translatable.values.values_mut() {
            if let Value::String(text) = value {
                *text = text.replace(from, to);
            }
        }
        self
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Message {}

/// One row of a table of messages.
#[derive(Clone, Copy, Debug)]
pub struct MessageRow {
    /// The key.
    pub key: &'static str,
    /// Names of its values.
    pub values: &'static [&'static str],
    /// English text with its placeholders, as a format string.
    pub english: &'static str,
}

/// Defines messages: of each row `name(values) = "English text with {values}";` of a group a function that returns the
/// [`Message`] with the key `group.name`, and of all rows the table `MESSAGES`.
#[macro_export]
macro_rules! messages {
    ($($(#[$doc:meta])* $group:ident {
        $($name:ident($($value:ident),*) = $english:literal;)*
    })*) => {
        $($(#[$doc])* pub mod $group {
            $(
                #[doc = $english]
                pub fn $name(
                    $($value: impl Into<$crate::message::MessageValue>),*
                ) -> $crate::message::Message {
                    $(let $value: $crate::message::MessageValue = $value.into();)*
                    $crate::message::Message::of_row(
                        concat!(stringify!($group), ".", stringify!($name)),
                        format!($english),
                        [$((stringify!($value), $value)),*],
                    )
                }
            )*
        })*

        /// All messages of this crate.
        pub const MESSAGES: &[$crate::message::MessageRow] = &[
            $($($crate::message::MessageRow {
                key: concat!(stringify!($group), ".", stringify!($name)),
                values: &[$(stringify!($value)),*],
                english: $english,
            },)*)*
        ];
    };
}

#[cfg(test)]
mod tests {
    //! 1. A message has the English text of its row and, as JSON, its key and values by name.
    //! 2. A part that is a message keeps its own key; a list keeps its items.
    //! 3. Every value of a row stands in its English text.

    use super::*;
    use serde_json::json;

    #[test]
    fn a_message_is_text_key_and_values() {
        let message = number::between(0, 1.5, 3.0);
        assert_eq!(message.text, "must be between 0 and 1.5, got 3");
        assert_eq!(
            json!(message.translatable),
            json!({"key": "number.between", "values": {"min": 0, "max": 1.5, "got": 3}})
        );
    }

    #[test]
    fn parts_keep_their_keys() {
        let message = value::must_be_got(kind::list(), quoted("a"));
        assert_eq!(message.text, "must be a list, got \"a\"");
        let part = json!({"key": "kind.list", "values": {}});
        let values = json!({"expected": part, "got": "\"a\""});
        assert_eq!(json!(message.translatable.values), values);
        let message = value::one_of(list(["a", "b"]));
        assert_eq!(message.text, "must be one of a, b");
        assert_eq!(
            json!(message.translatable.values),
            json!({"options": ["a", "b"]})
        );
    }

    #[test]
    fn every_value_stands_in_the_english_text() {
        for row in MESSAGES {
            for value in row.values {
                let hole = format!("{{{value}}}");
                assert!(row.english.contains(&hole), "{}: {value}", row.key);
            }
        }
    }
}
