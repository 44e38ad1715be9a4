//! Checks JSON as strictly as it is read, without making values of it.

use super::strict_json::{NotJson, ReadState, check_depth, check_key, malformed};
use serde::de::{DeserializeSeed, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

/// Keys of one object that are compared one by one.
const COMPARED_KEYS_MAX: usize = 16;

/// What is wrong with a text that stands in another one at `depth`.
#[derive(Debug)]
pub(super) enum Flaw {
    /// It is not acceptable JSON.
    NotJson(NotJson),
    /// Its values would take too much memory.
    TooManyValues,
}

/// Checks `text`, whose values stand at `depth`.
pub(super) fn check(text: &str, depth: usize) -> Result<(), Flaw> {
    let mut found = ReadState::default();
    let mut reader = serde_json::Deserializer::from_str(text);
    let scan = TextScan {
        found: &mut found,
        depth,
    };
    match scan.deserialize(&mut reader) {
        Err(_) if found.is_spent() => Err(Flaw::TooManyValues),
        Err(error) => Err(Flaw::NotJson(malformed(&error))),
        Ok(()) => found
            .doubled()
            .map_or(Ok(()), |doubled| Err(Flaw::NotJson(doubled))),
    }
}

struct TextScan<'a> {
    found: &'a mut ReadState,
    depth: usize,
}

impl TextScan<'_> {
    fn inner(&mut self) -> TextScan<'_> {
        TextScan {
            found: self.found,
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
        self.found.pay(value.len())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<(), A::Error> {
        check_depth::<A::Error>(self.depth)?;
        for index in 0.. {
            let known = self.found.known();
            if items.next_element_seed(self.inner())?.is_none() {
                break;
            }
            self.found.end_item(known, index)?;
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut entries: A) -> Result<(), A::Error> {
        check_depth::<A::Error>(self.depth)?;
        let mut keys = Keys::default();
        while let Some(key) = entries.next_key_seed(Key)? {
            check_key::<A::Error>(&key)?;
            self.found.begin_entry(keys.len(), &key)?;
            let known = self.found.known();
            entries.next_value_seed(self.inner())?;
            self.found.end_entry(known, &key);
            if !keys.insert(key.clone()) {
                self.found.double(&key);
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

    /// Whether the key is new.
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

/// Reads a key, which is borrowed where it has no escapes.
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
