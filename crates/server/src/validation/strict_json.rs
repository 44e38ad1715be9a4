//! Reads JSON strictly: no key twice in an object, no deep nesting, no long keys, and errors that say where they are.
//!
//! What is read is bounded by what it becomes in memory: eight bytes of JSON may become five hundred bytes of values.

use domain::limits::{ERRORS_MAX, JSON_DEPTH_MAX, JSON_KEY_BYTES_MAX};
use domain::{ErrorList, Invalid};
use serde::de::{DeserializeSeed, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use std::fmt;
use std::fmt::Write as _;

/// The reason against a key that is given twice.
pub const TWICE: &str = "is given twice";

/// Bytes of memory that the values of one text may take. A body of 1 MiB that is not made of the smallest values alone
/// takes a quarter of it.
pub const VALUE_BYTES_MAX: usize = 40 * 1024 * 1024;

/// Bytes that one place in a list takes, half of it room for more.
pub const ITEM_BYTES: usize = 2 * size_of::<Value>();
/// Bytes that an object with its first entries takes.
pub const OBJECT_BYTES: usize = 400;
/// Bytes that each entry of an object takes beside its key.
const ENTRY_BYTES: usize = 2 * (size_of::<Value>() + size_of::<String>() + 16);
/// Entries that [`OBJECT_BYTES`] pay for.
const ENTRIES_PAID: usize = 3;
/// Characters of a key that are repeated in a path.
const KEY_SHOWN_CHARACTERS: usize = 80;

/// Why a text is not acceptable JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotJson {
    /// It is not JSON at all; line and column count from 1.
    Malformed {
        /// What is wrong.
        reason: String,
        /// Line of the mistake.
        line: usize,
        /// Column of the mistake.
        column: usize,
    },
    /// Some keys are given twice.
    Doubled {
        /// Paths of the first [`ERRORS_MAX`] of them.
        paths: Vec<String>,
        /// Number of the others.
        more: usize,
    },
}

impl NotJson {
    /// The errors of a request whose body is not acceptable JSON; `place` names it as a whole.
    pub fn invalid(self, place: &str) -> ErrorList {
        match self {
            Self::Malformed {
                reason,
                line,
                column,
            } => {
                let reason = format!("malformed JSON at line {line}, column {column}: {reason}");
                vec![Invalid::new(place, reason)].into()
            }
            Self::Doubled { paths, more } => {
                let paths = paths.into_iter();
                let mut errors: ErrorList = paths.map(|path| Invalid::new(path, TWICE)).collect();
                errors.count(more);
                errors
            }
        }
    }

    /// The errors of a request whose part `place` is not acceptable JSON: all of them stand below it.
    pub fn invalid_in(self, place: &str) -> ErrorList {
        let doubled = matches!(self, Self::Doubled { .. });
        let errors = self.invalid(place);
        if doubled { errors.under(place) } else { errors }
    }
}

impl fmt::Display for NotJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed { reason, column, .. } => {
                write!(f, "malformed JSON at column {column}: {reason}")
            }
            Self::Doubled { paths, .. } => write!(f, "keys given twice: {}", paths.join(", ")),
        }
    }
}

/// The value that `bytes` hold.
///
/// Errors: the text is no JSON, is nested too deep, has a key that is too long or twice in an object, or its values
/// take more than [`VALUE_BYTES_MAX`].
pub fn parse(bytes: &[u8]) -> Result<Value, NotJson> {
    let mut found = ReadState::default();
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let value = found
        .at_depth(1)
        .deserialize(&mut reader)
        .and_then(|value| reader.end().map(|()| value))
        .map_err(|error| malformed(&error))?;
    found.doubled().map_or(Ok(value), Err)
}

/// What is wrong with JSON that a reader refuses with `error`.
pub(super) fn malformed(error: &serde_json::Error) -> NotJson {
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

/// What one reading has found and used so far.
#[derive(Debug)]
pub(super) struct ReadState {
    /// Paths of doubled keys, relative to the value that is being read.
    paths: Vec<String>,
    /// Doubled keys beyond those.
    more: usize,
    /// Bytes that further values may take.
    bytes_left: usize,
    spent: bool,
}

impl Default for ReadState {
    fn default() -> Self {
        Self {
            paths: Vec::new(),
            more: 0,
            bytes_left: VALUE_BYTES_MAX,
            spent: false,
        }
    }
}

impl ReadState {
    /// Reads a value at this depth.
    pub(super) fn at_depth(&mut self, depth: usize) -> Strict<'_> {
        Strict { found: self, depth }
    }

    /// The doubled keys, if there are any.
    pub(super) fn doubled(self) -> Option<NotJson> {
        let Self { paths, more, .. } = self;
        (!paths.is_empty()).then_some(NotJson::Doubled { paths, more })
    }

    /// Adds doubled keys of the item `index` of a list, whose paths are relative to it.
    pub(super) fn take_doubled_of(&mut self, paths: Vec<String>, more: usize, index: usize) {
        let known = self.paths.len();
        self.take_doubled(paths, more);
        self.below_index(known, index);
    }

    /// Adds doubled keys of the value that is being read, whose paths are relative to it.
    pub(super) fn take_doubled(&mut self, paths: Vec<String>, more: usize) {
        self.more += more + (self.paths.len() + paths.len()).saturating_sub(ERRORS_MAX);
        self.paths.extend(paths);
        self.paths.truncate(ERRORS_MAX);
    }

    /// Notes a key that is given twice.
    pub(super) fn double(&mut self, key: &str) {
        if self.paths.len() < ERRORS_MAX {
            self.paths.push(shown(key).to_owned());
        } else {
            self.more += 1;
        }
    }

    /// Paths that were found so far.
    pub(super) fn known(&self) -> usize {
        self.paths.len()
    }

    /// Ends the reading of item `index` of a list, before which there were `known` paths.
    pub(super) fn end_item<E: serde::de::Error>(
        &mut self,
        known: usize,
        index: usize,
    ) -> Result<(), E> {
        self.below_index(known, index);
        self.pay(ITEM_BYTES)
    }

    /// Begins the reading of an entry of an object that has `entries` of them.
    pub(super) fn begin_entry<E: serde::de::Error>(
        &mut self,
        entries: usize,
        key: &str,
    ) -> Result<(), E> {
        let bytes = match entries {
            0 => OBJECT_BYTES,
            1..ENTRIES_PAID => 0,
            _ => ENTRY_BYTES,
        };
        self.pay(bytes + key.len())
    }

    /// Ends the reading of the value of `key`, before which there were `known` paths.
    pub(super) fn end_entry(&mut self, known: usize, key: &str) {
        if known < self.paths.len() {
            self.below(known, shown(key));
        }
    }

    /// Whether the values took more memory than they may.
    pub(super) fn is_spent(&self) -> bool {
        self.spent
    }

    /// Puts `step` in front of all paths from the place `known` on.
    fn below(&mut self, known: usize, step: &str) {
        for path in &mut self.paths[known..] {
            let dot = if path.starts_with('[') { "" } else { "." };
            *path = format!("{step}{dot}{path}");
        }
    }

    fn below_index(&mut self, known: usize, index: usize) {
        if known < self.paths.len() {
            let mut step = String::new();
            // Text takes whatever is written into it.
            let _ = write!(step, "[{index}]");
            self.below(known, &step);
        }
    }

    pub(super) fn pay<E: serde::de::Error>(&mut self, bytes: usize) -> Result<(), E> {
        match self.bytes_left.checked_sub(bytes) {
            Some(left) => self.bytes_left = left,
            None => {
                self.spent = true;
                return Err(E::custom("more values than are read at once"));
            }
        }
        Ok(())
    }
}

/// The first characters of a key.
pub(super) fn shown(key: &str) -> &str {
    let end = key.char_indices().nth(KEY_SHOWN_CHARACTERS);
    end.map_or(key, |(end, _)| &key[..end])
}

/// Refuses keys that nobody uses.
pub(super) fn check_key<E: serde::de::Error>(key: &str) -> Result<(), E> {
    if key.len() > JSON_KEY_BYTES_MAX {
        return Err(E::custom(format_args!(
            "a key has more than {JSON_KEY_BYTES_MAX} bytes"
        )));
    }
    Ok(())
}

/// Refuses what is nested too deep.
pub(super) fn check_depth<E: serde::de::Error>(depth: usize) -> Result<(), E> {
    if depth > JSON_DEPTH_MAX {
        return Err(E::custom(format_args!(
            "nested deeper than {JSON_DEPTH_MAX} levels"
        )));
    }
    Ok(())
}

/// Reads one value; collects the paths of doubled keys, relative to that value.
pub(super) struct Strict<'a> {
    found: &'a mut ReadState,
    depth: usize,
}

impl Strict<'_> {
    fn inner(&mut self) -> Strict<'_> {
        self.found.at_depth(self.depth + 1)
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
        self.found.pay(value.len())?;
        Ok(value.into())
    }

    fn visit_string<E: serde::de::Error>(self, value: String) -> Result<Value, E> {
        self.found.pay(value.len())?;
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<Value, A::Error> {
        check_depth::<A::Error>(self.depth)?;
        let mut list = Vec::new();
        loop {
            let known = self.found.known();
            let Some(item) = items.next_element_seed(self.inner())? else {
                return Ok(Value::Array(list));
            };
            self.found.end_item(known, list.len())?;
            list.push(item);
        }
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut entries: A) -> Result<Value, A::Error> {
        check_depth::<A::Error>(self.depth)?;
        let mut object = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            check_key::<A::Error>(&key)?;
            self.found.begin_entry(object.len(), &key)?;
            let known = self.found.known();
            let value = entries.next_value_seed(self.inner())?;
            self.found.end_entry(known, &key);
            if object.contains_key(&key) {
                self.found.double(&key);
            }
            object.insert(key, value);
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    //! 1. Ordinary JSON is read as it is; mistakes have a line and a column, and doubled keys a path.
    //! 2. Nesting and keys are bounded, and the bounds themselves are accepted.
    //! 3. Of doubled keys a hundred have a path, whose keys are cut; the others are counted.
    //! 4. Values that would take much more memory than the text are not read to their end.

    use super::*;
    use serde_json::json;

    #[test]
    fn ordinary_json_is_read_as_it_is() {
        let text = r#"{"a": [1, -2, 3.5, 73.0, "é", null, true], "b": {"c": {}}}"#;
        let expected: Value = serde_json::from_str(text).expect("JSON");
        assert_eq!(parse(text.as_bytes()), Ok(expected));
        assert_eq!(parse(b"7"), Ok(json!(7)));
    }

    #[test]
    fn doubled_keys_are_told_with_their_paths() {
        let text = br#"{"a": 1, "b": [{"x": 1}, {"x": {"y": 1, "y": 2}}], "a": 2}"#;
        let paths = vec!["b[1].x.y".to_owned(), "a".to_owned()];
        assert_eq!(parse(text), Err(NotJson::Doubled { paths, more: 0 }));
        let lists = parse(br#"[[{"x":1,"x":2}]]"#);
        let paths = vec!["[0][0].x".to_owned()];
        assert_eq!(lists, Err(NotJson::Doubled { paths, more: 0 }));
    }

    #[test]
    fn mistakes_have_a_line_and_a_column() {
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
            panic!("one level too many is refused");
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
            panic!("one byte too many is refused");
        };
        assert_eq!(reason, "a key has more than 1024 bytes");
    }

    #[test]
    fn very_many_doubled_keys_are_counted() {
        let key = "k".repeat(1_000);
        let text = format!("{{\"{key}\":{{{}\"\":1}}}}", "\"\":1,".repeat(10_000));
        let Err(NotJson::Doubled { paths, more }) = parse(text.as_bytes()) else {
            panic!("doubled keys are refused");
        };
        assert_eq!((paths.len(), more), (ERRORS_MAX, 10_000 - ERRORS_MAX));
        assert_eq!(paths[0], format!("{}.", &key[..KEY_SHOWN_CHARACTERS]));
    }

    #[test]
    fn values_are_bounded_by_the_memory_that_they_take() {
        let small = format!("[{}0]", "0,".repeat(400_000));
        let objects = format!("[{}0]", "{\"a\":0},".repeat(100_000));
        for text in [small, objects] {
            assert!(text.len() < 1 << 20);
            let Err(NotJson::Malformed { reason, .. }) = parse(text.as_bytes()) else {
                panic!("too many values are refused");
            };
            assert_eq!(reason, "more values than are read at once");
        }
        let long = format!("\"{}\"", "x".repeat(8 << 20));
        assert!(parse(long.as_bytes()).is_ok());
    }
}
