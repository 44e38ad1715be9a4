//! `Clearable`: a key of an update that may be left out, set to a value, or unset with `null`.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer};
use std::borrow::Cow;

/// Marks a schema in which `null` means "unset"; everywhere else `null` is an error.
pub const CLEARABLE_MARK: &str = "x-clearable";

/// The update of a value that can be unset (docs/api.md, "Envelope").
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Clearable<T> {
    /// The key is left out: the value stays.
    #[default]
    Keep,
    /// The key is `null`: the value is unset.
    Clear,
    /// The new value.
    Set(T),
}

impl<T> Clearable<T> {
    /// Returns the value after the update of `before`.
    pub fn over(self, before: Option<T>) -> Option<T> {
        match self {
            Self::Keep => before,
            Self::Clear => None,
            Self::Set(value) => Some(value),
        }
    }

    /// Converts the value with `form`.
    ///
    /// Errors: those of `form`.
    pub fn try_map<U, E>(self, form: impl FnOnce(T) -> Result<U, E>) -> Result<Clearable<U>, E> {
        Ok(match self {
            Self::Keep => Clearable::Keep,
            Self::Clear => Clearable::Clear,
            Self::Set(value) => Clearable::Set(form(value)?),
        })
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Clearable<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Option::<T>::deserialize(deserializer)?;
        Ok(value.map_or(Self::Clear, Self::Set))
    }
}

impl<T: JsonSchema> JsonSchema for Clearable<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("Clearable_{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let inner = generator.subschema_for::<T>();
        json_schema!({"anyOf": [inner, {"type": "null"}], (CLEARABLE_MARK): true})
    }
}

#[cfg(test)]
mod tests {
    use super::Clearable;
    use serde::Deserialize;

    #[derive(Deserialize)]
    struct ClearableChange {
        #[serde(default)]
        end: Clearable<u32>,
    }

    #[test]
    fn left_out_null_and_a_value_are_three_things() {
        let read = |text: &str| {
            let change: ClearableChange = serde_json::from_str(text).expect("a change");
            change.end
        };
        assert_eq!(read("{}"), Clearable::Keep);
        assert_eq!(read("{\"end\": null}"), Clearable::Clear);
        assert_eq!(read("{\"end\": 3}"), Clearable::Set(3));
        assert_eq!(read("{}").over(Some(1)), Some(1));
        assert_eq!(read("{\"end\": null}").over(Some(1)), None);
        assert_eq!(read("{\"end\": 3}").over(Some(1)), Some(3));
    }
}
