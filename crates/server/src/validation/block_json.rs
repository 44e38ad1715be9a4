//! Parses a block of the feed: the items of its list stay text, so that the block never becomes one large value.

use super::scan::{self, Flaw};
use super::strict_json::{self, NotJson, ReadState, check_key, malformed};
use super::surrogates;
use crate::message;
use domain::SentDocuments;
use serde::de::{DeserializeSeed, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use std::fmt;

/// Depth of the items of the list.
const ITEM_DEPTH: usize = 3;

/// Parses `bytes`; returns the value with the list `name` empty, and the items of that list.
///
/// Errors: as [`strict_json::parse`].
pub fn parse(bytes: &[u8], name: &str) -> Result<(Value, SentDocuments), NotJson> {
    if bytes.trim_ascii_start().first() != Some(&b'{') {
        return Ok((strict_json::parse(bytes)?, SentDocuments::default()));
    }
    let bytes = &*surrogates::mended(bytes);
    let mut reading = BlockReader {
        whole: bytes,
        name,
        state: ReadState::default(),
        sent: SentDocuments::default(),
        rejected: None,
    };
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let value = serde::Deserializer::deserialize_map(&mut reader, &mut reading)
        .and_then(|value| reader.end().map(|()| value));
    match (reading.rejected, value) {
        (Some(rejected), _) => Err(rejected),
        (None, Err(error)) => Err(malformed(&error)),
        (None, Ok(value)) => match reading.state.duplicates() {
            Some(duplicates) => Err(duplicates),
            None => Ok((value, reading.sent)),
        },
    }
}

struct BlockReader<'a> {
    whole: &'a [u8],
    name: &'a str,
    state: ReadState,
    sent: SentDocuments,
    /// The error of an item, with its position in the whole.
    rejected: Option<NotJson>,
}

impl<'de> Visitor<'de> for &mut BlockReader<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            check_key::<A::Error>(&key)?;
            self.state.begin_entry(object.len(), &key)?;
            let path_count = self.state.path_count();
            let value = if key == self.name {
                let text: &RawValue = entries.next_value()?;
                self.list(text).map_err(|rejected| {
                    self.rejected = Some(rejected);
                    A::Error::custom("an item is rejected")
                })?
            } else {
                entries.next_value_seed(self.state.at_depth(2))?
            };
            self.state.end_entry(path_count, &key);
            if object.contains_key(&key) {
                self.state.add_duplicate(&key);
            }
            object.insert(key, value);
        }
        Ok(Value::Object(object))
    }
}

impl BlockReader<'_> {
    /// Takes the items of the list `text`; parses anything else as usual.
    fn list(&mut self, text: &RawValue) -> Result<Value, NotJson> {
        let text = text.get();
        if !text.starts_with('[') {
            return match strict_json::parse(text.as_bytes()) {
                Err(NotJson::Duplicates { paths, more }) => {
                    self.state.add_duplicates(paths, more);
                    Ok(Value::Null)
                }
                read => read.map_err(|malformed| self.in_whole(malformed, text)),
            };
        }
        let mut reader = serde_json::Deserializer::from_str(text);
        let items = Items(self).deserialize(&mut reader);
        let items = items.map_err(|error| self.in_whole(malformed(&error), text));
        match self.rejected.take() {
            Some(rejected) => Err(rejected),
            None => items.map(|()| Value::Array(Vec::new())),
        }
    }

    fn take(&mut self, index: usize, item: &RawValue) -> Result<(), NotJson> {
        match scan::check(item.get(), ITEM_DEPTH) {
            Ok(()) => self.sent.push(item),
            Err(Flaw::TooManyValues) => self.sent.push_unread(message::request::too_many_values()),
            Err(Flaw::NumberTooLarge) => {
                self.sent.push_unread(message::request::number_too_large())
            }
            Err(Flaw::NotJson(NotJson::Duplicates { paths, more })) => {
                self.state.add_duplicates_of_item(paths, more, index);
            }
            Err(Flaw::NotJson(malformed)) => return Err(self.in_whole(malformed, item.get())),
        }
        Ok(())
    }

    /// Converts an error in `part` to line and column of the whole.
    fn in_whole(&self, error: NotJson, part: &str) -> NotJson {
        let NotJson::Malformed {
            reason,
            line,
            column,
        } = error
        else {
            return error;
        };
        let start = (part.as_ptr() as usize).saturating_sub(self.whole.as_ptr() as usize);
        let before = &self.whole[..start.min(self.whole.len())];
        let lines = before.iter().filter(|byte| **byte == b'\n').count();
        let last = before
            .iter()
            .rev()
            .take_while(|byte| **byte != b'\n')
            .count();
        NotJson::Malformed {
            reason,
            line: line + lines,
            column: if line == 1 { column + last } else { column },
        }
    }
}

/// Seed that reads the items of the list.
struct Items<'r, 'a>(&'r mut BlockReader<'a>);

impl<'de> DeserializeSeed<'de> for Items<'_, '_> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Items<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let mut index = 0;
        while let Some(item) = items.next_element::<&RawValue>()? {
            if let Err(rejected) = self.0.take(index, item) {
                self.0.rejected = Some(rejected);
                return Err(A::Error::custom("an item is rejected"));
            }
            index += 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    //! 1. Items are kept as they were sent, and the rest is parsed as usual.
    //! 2. Errors are the same, at the same position, as when the whole is parsed at once.
    //! 3. An item whose values would take too much memory is rejected alone.

    use super::*;
    use domain::Message;
    use serde_json::json;

    type Items = Vec<Result<Value, Message>>;

    fn parsed(text: &str) -> Result<(Value, Items), NotJson> {
        let (value, sent) = parse(text.as_bytes(), "documents")?;
        Ok((value, sent.into_values().collect()))
    }

    #[test]
    fn items_are_parsed_separately() {
        let text = r#" {"language": "es", "documents": [{"id": "1", "x": 1.50}, 7], "more": [1]}"#;
        let rest = json!({"language": "es", "documents": [], "more": [1]});
        let items = vec![Ok(json!({"id": "1", "x": 1.5})), Ok(json!(7))];
        assert_eq!(parsed(text), Ok((rest, items)));
        assert_eq!(
            parsed(r#"{"documents": {"a": 1}}"#),
            Ok((json!({"documents": {"a": 1}}), Vec::new()))
        );
        assert_eq!(parsed("[1]"), Ok((json!([1]), Vec::new())));
    }

    #[test]
    fn errors_are_those_of_the_strict_parser() {
        let deep = format!("{{\"documents\": [{}{}]}}", "[".repeat(31), "]".repeat(31));
        for text in [
            "",
            "{",
            "{\"documents\": [1,\n {\"a\": }]}",
            "{\n\"documents\": [{\"id\": \"1\", \"x\":\n \"\\q\"}]}",
            "{\"documents\": [1] x",
            "{\"documents\": [1]} x",
            "{\"documents\": [{\"x\": {\"y\": 1, \"y\": 2}}, {\"z\": 1, \"z\": 1}], \"a\": 1, \"a\": 2}",
            "{\"documents\": [[{\"y\": 1, \"y\": 2}]], \"documents\": []}",
            "{\"documents\": {\"x\": 1, \"x\": 1}}",
            deep.as_str(),
        ] {
            let whole = strict_json::parse(text.as_bytes()).expect_err("invalid");
            assert_eq!(parsed(text).expect_err("invalid"), whole, "{text}");
        }
    }

    #[test]
    fn an_item_with_a_number_out_of_range_is_rejected_alone() {
        let (_, items) = parsed("{\"documents\": [1, {\"a\": 1e999}, 2]}").expect("a block");
        assert_eq!(items[1], Err(message::request::number_too_large()));
        assert_eq!((items.len(), items[2].is_ok()), (3, true));
    }

    #[test]
    fn an_item_of_very_many_values_is_rejected_alone() {
        let many = "0,".repeat(400_000);
        let text = format!("{{\"documents\": [{{\"z\": [{many}0]}}, {{\"id\": \"2\"}}]}}");
        let (_, items) = parsed(&text).expect("a block");
        assert_eq!(
            items,
            [
                Err(message::request::too_many_values()),
                Ok(json!({"id": "2"}))
            ]
        );
    }
}
