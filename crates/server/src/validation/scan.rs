//! Checks JSON as strictly as the parser does, without building values.

use super::strict_json::{NotJson, ReadState, check_depth, check_key, malformed};
use serde::de::{DeserializeSeed, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

/// Keys of an object that are compared one by one; more go into a hash set.
const COMPARED_KEYS_MAX: usize = 16;

/// Why a text is rejected.
#[derive(Debug)]
pub(super) enum Flaw {
    /// It is not valid JSON.
    NotJson(NotJson),
    /// Its values would take too much memory.
    TooManyValues,
    /// A number is beyond all bounds, in a text that is valid JSON otherwise.
    NumberTooLarge,
}

/// Checks `text`, whose values are at `depth`.
pub(super) fn check(text: &str, depth: usize) -> Result<(), Flaw> {
    let mut state = ReadState::default();
    let mut reader = serde_json::Deserializer::from_str(text);
    let scan = TextScan {
        state: &mut state,
        depth,
    };
    match scan.deserialize(&mut reader) {
        Err(_) if state.is_exhausted() => Err(Flaw::TooManyValues),
        Err(error) if is_out_of_range(&error) => Err(Flaw::NumberTooLarge),
        Err(error) => Err(Flaw::NotJson(malformed(&error))),
        Ok(()) => state
            .duplicates()
            .map_or(Ok(()), |duplicates| Err(Flaw::NotJson(duplicates))),
    }
}

/// Whether the parser gave up at a number; it names the reason in its message alone.
fn is_out_of_range(error: &serde_json::Error) -> bool {
    error.to_string().starts_with("number out of range")
}

struct TextScan<'a> {
    state: &'a mut ReadState,
    depth: usize,
}

impl TextScan<'_> {
    fn nested(&mut self) -> TextScan<'_> {
        TextScan {
            state: self.state,
            depth: self.depth + 1,
        }
    }
}

impl<'de> DeserializeSeed<'de> for TextScan<'_> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for TextScan<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<(), E> {
        match value.is_finite() {
            true => Ok(()),
            false => Err(E::custom("number out of range")),
        }
    }

    fn visit_str<E: serde::de::Error>(self, value: &str) -> Result<(), E> {
        self.state.charge(value.len())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<(), A::Error> {
        check_depth::<A::Error>(self.depth)?;
        for index in 0.. {
            let path_count = self.state.path_count();
            if items.next_element_seed(self.nested())?.is_none() {
                break;
            }
            self.state.end_item(path_count, index)?;
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut entries: A) -> Result<(), A::Error> {
        check_depth::<A::Error>(self.depth)?;
        let mut keys = Keys::default();
        while let Some(key) = entries.next_key_seed(Key)? {
            check_key::<A::Error>(&key)?;
            self.state.begin_entry(keys.len(), &key)?;
            let path_count = self.state.path_count();
            entries.next_value_seed(self.nested())?;
            self.state.end_entry(path_count, &key);
            if !keys.insert(key.clone()) {
                self.state.add_duplicate(&key);
            }
        }
        Ok(())
    }
}

/// The keys of an object so far.
#[derive(Default)]
struct Keys<'de> {
    few: Vec<Cow<'de, str>>,
    many: HashSet<Cow<'de, str>>,
}

impl<'de> Keys<'de> {
    fn len(&self) -> usize {
        self.few.len() + self.many.len()
    }

    /// Inserts a key; returns whether it is new.
    fn insert(&mut self, key: Cow<'de, str>) -> bool {
        if self.few.contains(&key) {
            return false;
        }
        if self.few.len() < COMPARED_KEYS_MAX {
            self.few.push(key);
            return true;
        }
        self.many.insert(key)
    }
}

/// Seed that reads a key, borrowed if it has no escapes.
struct Key;

impl<'de> DeserializeSeed<'de> for Key {
    type Value = Cow<'de, str>;

    fn deserialize<D: serde::Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for Key {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_borrowed_str<E>(self, key: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(key))
    }

    fn visit_str<E>(self, key: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(key.to_owned()))
    }
}
