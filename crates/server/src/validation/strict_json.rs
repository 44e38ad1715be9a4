//! Reads JSON strictly: no key twice in an object, no deep nesting, and errors that say where they are.

use domain::Invalid;
use domain::limits::JSON_DEPTH_MAX;
use serde::de::{DeserializeSeed, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use std::fmt;

/// The reason against a key that is given twice.
pub const TWICE: &str = "is given twice";

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
    /// Some keys are given twice: their paths.
    Doubled(Vec<String>),
}

impl NotJson {
    /// The refusals of a request whose body is not acceptable JSON; `place` names it as a whole.
    pub fn invalid(self, place: &str) -> Vec<Invalid> {
        match self {
            Self::Malformed {
                reason,
                line,
                column,
            } => {
                let reason = format!("malformed JSON at line {line}, column {column}: {reason}");
                vec![Invalid::new(place, reason)]
            }
            Self::Doubled(paths) => paths
                .into_iter()
                .map(|path| Invalid::new(path, TWICE))
                .collect(),
        }
    }

    /// The refusals of a request whose part `place` is not acceptable JSON: all of them stand below it.
    pub fn invalid_in(self, place: &str) -> Vec<Invalid> {
        let doubled = matches!(self, Self::Doubled(_));
        let refusals = self.invalid(place).into_iter();
        refusals
            .map(|refusal| {
                if doubled {
                    refusal.under(place)
                } else {
                    refusal
                }
            })
            .collect()
    }
}

impl fmt::Display for NotJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed { reason, column, .. } => {
                write!(f, "malformed JSON at column {column}: {reason}")
            }
            Self::Doubled(paths) => write!(f, "keys given twice: {}", paths.join(", ")),
        }
    }
}

/// The value that `bytes` hold.
pub fn parse(bytes: &[u8]) -> Result<Value, NotJson> {
    let mut doubled = Vec::new();
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let seed = Strict {
        doubled: &mut doubled,
        depth: 1,
    };
    let value = seed
        .deserialize(&mut reader)
        .and_then(|value| reader.end().map(|()| value))
        .map_err(|error| malformed(&error))?;
    if doubled.is_empty() {
        Ok(value)
    } else {
        Err(NotJson::Doubled(doubled))
    }
}

fn malformed(error: &serde_json::Error) -> NotJson {
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

/// Reads one value; collects the paths of doubled keys, relative to that value.
struct Strict<'a> {
    doubled: &'a mut Vec<String>,
    depth: usize,
}

impl Strict<'_> {
    fn inner(&mut self) -> Strict<'_> {
        Strict {
            doubled: self.doubled,
            depth: self.depth + 1,
        }
    }

    fn check_depth<E: serde::de::Error>(&self) -> Result<(), E> {
        if self.depth > JSON_DEPTH_MAX {
            Err(E::custom(format_args!(
                "nested deeper than {JSON_DEPTH_MAX} levels"
            )))
        } else {
            Ok(())
        }
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

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<Value, A::Error> {
        self.check_depth()?;
        let mut list = Vec::new();
        loop {
            let known = self.doubled.len();
            let Some(item) = items.next_element_seed(self.inner())? else {
                return Ok(Value::Array(list));
            };
            let place = list.len();
            for path in &mut self.doubled[known..] {
                let dot = if path.starts_with('[') { "" } else { "." };
                *path = format!("[{place}]{dot}{path}");
            }
            list.push(item);
        }
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut entries: A) -> Result<Value, A::Error> {
        self.check_depth::<A::Error>().map_err(A::Error::custom)?;
        let mut object = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            let known = self.doubled.len();
            let value = entries.next_value_seed(self.inner())?;
            for path in &mut self.doubled[known..] {
                let dot = if path.starts_with('[') { "" } else { "." };
                *path = format!("{key}{dot}{path}");
            }
            if object.contains_key(&key) {
                self.doubled.push(key.clone());
            }
            object.insert(key, value);
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
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
        assert_eq!(parse(text), Err(NotJson::Doubled(paths)));
        let lists = parse(br#"[[{"x":1,"x":2}]]"#);
        assert_eq!(lists, Err(NotJson::Doubled(vec!["[0][0].x".to_owned()])));
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
}
