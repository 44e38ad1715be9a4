//! `FileRecord`: a record of a configuration file, with its id beside its content.

use crate::limits::RECORD_ID_CHARACTERS_MAX;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, de};
use serde_json::{Map, Value, json};
use std::borrow::Cow;

/// A record of a configuration file: what creates one, with the id that it had. Dates are ignored.
#[derive(Clone, Debug, PartialEq)]
pub struct FileRecord<N> {
    /// Its id in the store of the file.
    pub id: Option<String>,
    /// Its content.
    pub content: N,
}

impl<'de, N: DeserializeOwned> Deserialize<'de> for FileRecord<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut keys = Map::deserialize(deserializer)?;
        let id = match keys.shift_remove("id") {
            None => None,
            Some(Value::String(id)) => Some(id),
            Some(_) => return Err(de::Error::custom("an id must be text")),
        };
        keys.shift_remove("createdAt");
        keys.shift_remove("updatedAt");
        let content = N::deserialize(Value::Object(keys)).map_err(de::Error::custom)?;
        Ok(Self { id, content })
    }
}

impl<N: JsonSchema> JsonSchema for FileRecord<N> {
    fn schema_name() -> Cow<'static, str> {
        format!("FileRecord_{}", N::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = N::json_schema(generator);
        let object = schema.ensure_object();
        let properties = object.entry("properties").or_insert_with(|| json!({}));
        if let Value::Object(properties) = properties {
            let id = json!({"type": "string", "minLength": 1, "maxLength": RECORD_ID_CHARACTERS_MAX,
                "description": "Id in the store of the file, by which the record is found again."});
            let date =
                |what: &str| json!({"type": "string", "description": format!("{what}; ignored.")});
            properties.insert("id".to_owned(), id);
            properties.insert("createdAt".to_owned(), date("When it was created"));
            properties.insert("updatedAt".to_owned(), date("When it was last updated"));
        }
        schema
    }
}
