//! Names by language in the feed, which may be blank.

use crate::form::by_language;
use crate::invalid::Invalid;
use crate::language::Language;
use crate::limits::NAME_CHARACTERS_MAX;
use crate::message;
use crate::published_schema::PUBLISHED_KEY;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Names by language code, as they are sent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Names(BTreeMap<String, String>);

impl Names {
    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the error of each invalid code or name, by its path below `path`.
    pub(super) fn errors(&self, path: &str) -> Vec<Invalid> {
        let errors = self.0.iter().filter_map(|(code, name)| {
            let characters = name.chars().count();
            let reason = match Language::parse(code) {
                Err(reason) => reason,
                Ok(_) if characters > NAME_CHARACTERS_MAX => {
                    message::text::at_most(NAME_CHARACTERS_MAX, characters)
                }
                Ok(_) => return None,
            };
            Some(Invalid::new(format!("{path}.{code}"), reason))
        });
        errors.collect()
    }
}

impl JsonSchema for Names {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Names".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = BTreeMap::<String, String>::json_schema(generator);
        let text = json!({"maxLength": NAME_CHARACTERS_MAX, "type": "string"});
        schema.insert(PUBLISHED_KEY.to_owned(), by_language(text));
        schema
    }
}
