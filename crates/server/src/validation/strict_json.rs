//! A strict JSON parser: no duplicate keys, no deep nesting, no long keys, and errors with their position.
//!
//! It limits the memory of the parsed values: eight bytes of JSON may become five hundred bytes of values.

use super::surrogates;
use crate::message;
use domain::limits::{ERRORS_MAX, JSON_DEPTH_MAX, JSON_KEY_BYTES_MAX};
use domain::{ErrorList, Invalid};
use serde::de::{DeserializeSeed, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use std::fmt;
use std::fmt::Write as _;

/// Bytes of memory that the values of one text may take. A typical body of 1 MiB takes a quarter of it.
pub const VALUE_BYTES_MAX: usize = 40 * 1024 * 1024;

/// Bytes of one list item, half of it spare capacity.
pub const ITEM_BYTES: usize = 2 * size_of::<Value>();
/// Bytes of an object with its first entries.
pub const OBJECT_BYTES: usize = 400;
/// Bytes of each further entry of an object, without its key.
const ENTRY_BYTES: usize = 2 * (size_of::<Value>() + size_of::<String>() + 16);
/// Entries that [`OBJECT_BYTES`] includes.
const ENTRIES_INCLUDED: usize = 3;
/// Characters of a key that a path shows.
const KEY_SHOWN_CHARACTERS: usize = 80;

/// Why a text is rejected as JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotJson {
    /// It is not valid JSON, or exceeds a limit; line and column count from 1.
    Malformed {
        /// The reason.
        reason: String,
        /// Line of the error.
        line: usize,
        /// Column of the error.
        column: usize,
    },
    /// Some objects have duplicate keys.
    Duplicates {
        /// Paths of the first [`ERRORS_MAX`] duplicates.
        paths: Vec<String>,
        /// Number of further duplicates.
        more: usize,
    },
}

impl NotJson {
    /// Returns the errors for a rejected text; `place` is the path of the text as a whole.
    pub fn invalid(self, place: &str) -> ErrorList {
        match self {
            Self::Malformed {
                reason,
                line,
                column,
            } => {
                let reason = message::request::json(line, column, reason);
                vec![Invalid::new(place, reason)].into()
            }
            Self::Duplicates { paths, more } => {
                let paths = paths.into_iter();
                let mut errors: ErrorList = paths
                    .map(|path| Invalid::new(path, message::value::given_twice()))
                    .collect();
                errors.count(more);
                errors
            }
        }
    }

    /// Returns the errors for a rejected text at `place`, all of them with paths below it.
    pub fn invalid_in(self, place: &str) -> ErrorList {
        let duplicates = matches!(self, Self::Duplicates { .. });
        let errors = self.invalid(place);
        if duplicates {
            errors.under(place)
        } else {
            errors
        }
    }
}

impl fmt::Display for NotJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed { reason, column, .. } => {
                write!(f, "malformed JSON at column {column}: {reason}")
            }
            Self::Duplicates { paths, .. } => write!(f, "duplicate keys: {}", paths.join(", ")),
        }
    }
}

/// Parses `bytes`.
///
/// Errors: the text is not JSON, is nested too deep, has a key that is too long or duplicate, or its values take more
/// than [`VALUE_BYTES_MAX`].
pub fn parse(bytes: &[u8]) -> Result<Value, NotJson> {
    let bytes = surrogates::mended(bytes);
    let mut state = ReadState::default();
    let mut reader = serde_json::Deserializer::from_slice(&bytes);
    let value = state
        .at_depth(1)
        .deserialize(&mut reader)
        .and_then(|value| reader.end().map(|()| value))
        .map_err(|error| malformed(&error))?;
    state.duplicates().map_or(Ok(value), Err)
}

/// Converts an error of the parser.
pub fn malformed(error: &serde_json::Error) -> NotJson {
    let text = error.to_string();
    let reason = match text.rfind(" at line ") {
        Some(at) => text[..at].to_owned(),
        None => text,
    };
    NotJson::Malformed {
        reason,
        line: error.line().max(1),
        column: error.column().max(1),
    }
}

/// State of one parse: duplicate keys found and memory used so far.
#[derive(Debug)]
pub(super) struct ReadState {
    /// Paths of duplicate keys, relative to the value that is being parsed.
    paths: Vec<String>,
    /// Number of further duplicate keys.
    more: usize,
    /// Bytes left for further values.
    bytes_left: usize,
    exhausted: bool,
}

impl Default for ReadState {
    fn default() -> Self {
        Self {
            paths: Vec::new(),
            more: 0,
            bytes_left: VALUE_BYTES_MAX,
            exhausted: false,
        }
    }
}

impl ReadState {
    /// Returns a seed that parses a value at this depth.
    pub(super) fn at_depth(&mut self, depth: usize) -> Strict<'_> {
        Strict { state: self, depth }
    }

    /// Returns an error if there are duplicate keys.
    pub(super) fn duplicates(self) -> Option<NotJson> {
        let Self { paths, more, .. } = self;
        (!paths.is_empty()).then_some(NotJson::Duplicates { paths, more })
    }

    /// Adds duplicate keys of the list item `index`, whose paths are relative to it.
    pub(super) fn add_duplicates_of_item(&mut self, paths: Vec<String>, more: usize, index: usize) {
        let path_count = self.paths.len();
        self.add_duplicates(paths, more);
        self.prepend_index(path_count, index);
    }

    /// Adds duplicate keys of the value that is being parsed, whose paths are relative to it.
    pub(super) fn add_duplicates(&mut self, paths: Vec<String>, more: usize) {
        self.more += more + (self.paths.len() + paths.len()).saturating_sub(ERRORS_MAX);
        self.paths.extend(paths);
        self.paths.truncate(ERRORS_MAX);
    }

    /// Adds a duplicate key.
    pub(super) fn add_duplicate(&mut self, key: &str) {
        if self.paths.len() < ERRORS_MAX {
            self.paths.push(shown(key).to_owned());
        } else {
            self.more += 1;
        }
    }

    /// Returns the number of paths found so far.
    pub(super) fn path_count(&self) -> usize {
        self.paths.len()
    }

    /// Finishes the list item `index`, before which there were `path_count` paths.
    pub(super) fn end_item<E: serde::de::Error>(
        &mut self,
        path_count: usize,
        index: usize,
    ) -> Result<(), E> {
        self.prepend_index(path_count, index);
        self.charge(ITEM_BYTES)
    }

    /// Begins an entry of an object that has `entries` entries so far.
    pub(super) fn begin_entry<E: serde::de::Error>(
        &mut self,
        entries: usize,
        key: &str,
    ) -> Result<(), E> {
        let bytes = match entries {
            0 => OBJECT_BYTES,
            1..ENTRIES_INCLUDED => 0,
            _ => ENTRY_BYTES,
        };
        self.charge(bytes + key.len())
    }

    /// Finishes the value of `key`, before which there were `path_count` paths.
    pub(super) fn end_entry(&mut self, path_count: usize, key: &str) {
        if path_count < self.paths.len() {
            self.prepend(path_count, shown(key));
        }
    }

    /// Returns whether the values exceeded the memory limit.
    pub(super) fn is_exhausted(&self) -> bool {
        self.exhausted
    }

    /// Prepends `step` to all paths from `path_count` on.
    fn prepend(&mut self, path_count: usize, step: &str) {
        for path in &mut self.paths[path_count..] {
            let dot = if path.starts_with('[') { "" } else { "." };
            *path = format!("{step}{dot}{path}");
        }
    }

    fn prepend_index(&mut self, path_count: usize, index: usize) {
        if path_count < self.paths.len() {
            let mut step = String::new();
            // Writing into a `String` does not fail.
            let _ = write!(step, "[{index}]");
            self.prepend(path_count, &step);
        }
    }

    pub(super) fn charge<E: serde::de::Error>(&mut self, bytes: usize) -> Result<(), E> {
        match self.bytes_left.checked_sub(bytes) {
            Some(left) => self.bytes_left = left,
            None => {
                self.exhausted = true;
                return Err(E::custom("too many values"));
            }
        }
        Ok(())
    }
}

/// Returns a key truncated for display.
pub fn shown(key: &str) -> &str {
    let end = key.char_indices().nth(KEY_SHOWN_CHARACTERS);
    end.map_or(key, |(end, _)| &key[..end])
}

/// Rejects keys that are too long.
pub(super) fn check_key<E: serde::de::Error>(key: &str) -> Result<(), E> {
    if key.len() > JSON_KEY_BYTES_MAX {
        return Err(E::custom(format_args!(
            "a key has more than {JSON_KEY_BYTES_MAX} bytes"
        )));
    }
    Ok(())
}

/// Rejects values that are nested too deep.
pub(super) fn check_depth<E: serde::de::Error>(depth: usize) -> Result<(), E> {
    if depth > JSON_DEPTH_MAX {
        return Err(E::custom(format_args!(
            "nested deeper than {JSON_DEPTH_MAX} levels"
        )));
    }
    Ok(())
}

/// Parses one value and collects the paths of duplicate keys, relative to that value.
pub(super) struct Strict<'a> {
    state: &'a mut ReadState,
    depth: usize,
}

impl Strict<'_> {
    fn nested(&mut self) -> Strict<'_> {
        self.state.at_depth(self.depth + 1)
    }
}

impl<'de> DeserializeSeed<'de> for Strict<'_> {
    type Value = Value;

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value)
            .map(Value::Number)
            .ok_or_else(|| E::custom("number out of range"))
    }

    fn visit_str<E: serde::de::Error>(self, value: &str) -> Result<Value, E> {
        self.state.charge(value.len())?;
        Ok(value.into())
    }

    fn visit_string<E: serde::de::Error>(self, value: String) -> Result<Value, E> {
        self.state.charge(value.len())?;
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<Value, A::Error> {
        check_depth::<A::Error>(self.depth)?;
        let mut list = Vec::new();
        loop {
            let path_count = self.state.path_count();
            let Some(item) = items.next_element_seed(self.nested())? else {
                return Ok(Value::Array(list));
            };
            self.state.end_item(path_count, list.len())?;
            list.push(item);
        }
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut entries: A) -> Result<Value, A::Error> {
        check_depth::<A::Error>(self.depth)?;
        let mut object = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            check_key::<A::Error>(&key)?;
            self.state.begin_entry(object.len(), &key)?;
            let path_count = self.state.path_count();
            let value = entries.next_value_seed(self.nested())?;
            self.state.end_entry(path_count, &key);
            if object.contains_key(&key) {
                self.state.add_duplicate(&key);
            }
            object.insert(key, value);
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    //! 1. Ordinary JSON is parsed; errors have a line and a column, and duplicate keys a path.
    //! 2. Depth and key length are limited, and the limits themselves are accepted.
    //! 3. A hundred duplicate keys have a path with truncated keys; the others are counted.
    //! 4. Parsing stops at values that would take much more memory than the text.

    use super::*;
    use serde_json::json;

    #[test]
    fn ordinary_json_is_parsed() {
        let text = r#"{"a": [1, -2, 3.5, 73.0, "é", null, true], "b": {"c": {}}}"#;
        let expected: Value = serde_json::from_str(text).expect("JSON");
        assert_eq!(parse(text.as_bytes()), Ok(expected));
        assert_eq!(parse(b"7"), Ok(json!(7)));
    }

    #[test]
    fn duplicate_keys_are_reported_with_their_paths() {
        let text = br#"{"a": 1, "b": [{"x": 1}, {"x": {"y": 1, "y": 2}}], "a": 2}"#;
        let paths = vec!["b[1].x.y".to_owned(), "a".to_owned()];
        assert_eq!(parse(text), Err(NotJson::Duplicates { paths, more: 0 }));
        let lists = parse(br#"[[{"x":1,"x":2}]]"#);
        let paths = vec!["[0][0].x".to_owned()];
        assert_eq!(lists, Err(NotJson::Duplicates { paths, more: 0 }));
    }

    #[test]
    fn errors_have_a_line_and_a_column() {
        let place = |text: &[u8]| match parse(text) {
            Err(NotJson::Malformed { line, column, .. }) => (line, column),
            other => panic!("expected malformed JSON, got {other:?}"),
        };
        assert_eq!(place(b"{\"a\": 1,\n \"b\" 2}"), (2, 6));
        assert_eq!(place(b"{} x"), (1, 4));
        assert_eq!(place(b""), (1, 1));
        assert_eq!(place(b"{\"a\": \"\xff\"}").0, 1);
    }

    #[test]
    fn nesting_is_limited_and_the_limit_itself_is_accepted() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(parse(nested(JSON_DEPTH_MAX).as_bytes()).is_ok());
        let Err(NotJson::Malformed { reason, .. }) = parse(nested(JSON_DEPTH_MAX + 1).as_bytes())
        else {
            panic!("one level too many is rejected");
        };
        assert_eq!(reason, "nested deeper than 32 levels");
        assert!(parse(nested(100_000).as_bytes()).is_err());
    }

    #[test]
    fn a_key_has_at_most_a_kibibyte() {
        let keyed = |bytes: usize| format!("{{\"{}\": 1}}", "k".repeat(bytes));
        assert!(parse(keyed(JSON_KEY_BYTES_MAX).as_bytes()).is_ok());
        let Err(NotJson::Malformed { reason, .. }) =
            parse(keyed(JSON_KEY_BYTES_MAX + 1).as_bytes())
        else {
            panic!("one byte too many is rejected");
        };
        assert_eq!(reason, "a key has more than 1024 bytes");
    }

    #[test]
    fn very_many_duplicate_keys_are_counted() {
        let key = "k".repeat(1_000);
        let text = format!("{{\"{key}\":{{{}\"\":1}}}}", "\"\":1,".repeat(10_000));
        let Err(NotJson::Duplicates { paths, more }) = parse(text.as_bytes()) else {
            panic!("duplicate keys are rejected");
        };
        assert_eq!((paths.len(), more), (ERRORS_MAX, 10_000 - ERRORS_MAX));
        assert_eq!(paths[0], format!("{}.", &key[..KEY_SHOWN_CHARACTERS]));
    }

    #[test]
    fn the_memory_of_values_is_limited() {
        let small = format!("[{}0]", "0,".repeat(400_000));
        let objects = format!("[{}0]", "{\"a\":0},".repeat(100_000));
        for text in [small, objects] {
            assert!(text.len() < 1 << 20);
            let Err(NotJson::Malformed { reason, .. }) = parse(text.as_bytes()) else {
                panic!("too many values are rejected");
            };
            assert_eq!(reason, "too many values");
        }
        let long = format!("\"{}\"", "x".repeat(8 << 20));
        assert!(parse(long.as_bytes()).is_ok());
    }
}
