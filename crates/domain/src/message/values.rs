//! `MessageValue`: a value of a message, as English shows it and as JSON carries it.

use super::{Message, Translatable};
use serde_json::{Value, json};
use std::fmt;

/// A value of a message: a number, a text, a list of values, or a part that is a message itself.
#[derive(Clone, Debug)]
pub struct MessageValue {
    shown: String,
    json: Value,
}

impl MessageValue {
    /// Returns the value of what is shown as text.
    pub fn of(shown: impl fmt::Display) -> Self {
        let shown = shown.to_string();
        Self {
            json: Value::from(shown.as_str()),
            shown,
        }
    }

    /// Returns the value of a part with a key and values of its own.
    pub fn nested(shown: &str, translatable: &Translatable) -> Self {
        Self {
            shown: shown.to_owned(),
            json: json!(translatable),
        }
    }

    pub(super) fn into_json(self) -> Value {
        self.json
    }
}

impl fmt::Display for MessageValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

/// Returns a text in double quotes, escaped as in JSON.
pub fn quoted(text: &str) -> MessageValue {
    MessageValue::of(format_args!("{text:?}"))
}

/// Returns a list, which English shows with commas.
pub fn list<T: Into<MessageValue>>(items: impl IntoIterator<Item = T>) -> MessageValue {
    joined(", ", items)
}

/// Returns a list, which English shows with `separator`.
pub fn joined<T: Into<MessageValue>>(
    separator: &str,
    items: impl IntoIterator<Item = T>,
) -> MessageValue {
    let items: Vec<MessageValue> = items.into_iter().map(Into::into).collect();
    let shown: Vec<&str> = items.iter().map(|item| item.shown.as_str()).collect();
    MessageValue {
        shown: shown.join(separator),
        json: items.into_iter().map(MessageValue::into_json).collect(),
    }
}

impl From<&str> for MessageValue {
    fn from(text: &str) -> Self {
        Self::of(text)
    }
}

impl From<&String> for MessageValue {
    fn from(text: &String) -> Self {
        Self::of(text)
    }
}

impl From<String> for MessageValue {
    fn from(text: String) -> Self {
        Self::of(text)
    }
}

impl From<Message> for MessageValue {
    fn from(message: Message) -> Self {
        Self {
            json: json!(message.translatable),
            shown: message.text,
        }
    }
}

impl From<f64> for MessageValue {
    fn from(number: f64) -> Self {
        // Whole numbers have no fraction, as in the text.
        let json = match number {
            whole if whole.fract() == 0.0 && whole.abs() < 9e15 => json!(whole as i64),
            other => json!(other),
        };
        Self {
            shown: number.to_string(),
            json,
        }
    }
}

macro_rules! from_whole_numbers {
    ($($number:ty),*) => {
        $(impl From<$number> for MessageValue {
            fn from(number: $number) -> Self {
                Self {
                    shown: number.to_string(),
                    json: json!(number),
                }
            }
        })*
    };
}

from_whole_numbers!(i32, i64, u8, u16, u32, u64, usize);
